"""The standing as a race on the stage: what is complete counts, and the open round waits for everybody."""

from __future__ import annotations

import msgspec

from companion.game import Moment, Say, SayN, Seat, listed
from companion.games.score_sheet.state import Sheet

START = 12
"""So far whoever is last has come, of 100."""


class Lane(msgspec.Struct, frozen=True):
    """Somebody's place in the race."""

    seat: Seat
    rank: int
    total: int
    """Without the open round."""
    before: int
    """What it was before the last round, or the last entry."""
    climbed: int
    """So many places up, or down, with it."""
    way: int
    """How far they have come, of 100: whoever leads has come all the way."""
    written: str | None
    """What the open round will add, with its sign."""
    waiting: bool


def race(sheet: Sheet) -> tuple[Lane, ...]:
    """Everybody, the best first."""
    totals = shown_totals(sheet)
    before = earlier_totals(sheet, totals)
    ranks, places, earlier = sheet.ranks(totals), order(sheet, totals), order(sheet, before)
    best, worst = totals[places[0]], totals[places[-1]]
    waiting = sheet.waiting_for()
    return tuple(
        Lane(
            seat=seat,
            rank=ranks[seat],
            total=totals[seat],
            before=before[seat],
            climbed=earlier.index(seat) - place,
            way=START if best == worst else START + (100 - START) * (totals[seat] - worst) // (best - worst),
            written=f"{sheet.open[seat]:+d}" if seat in sheet.open and not sheet.over else None,
            waiting=seat in waiting,
        )
        for place, seat in enumerate(places)
    )


def order(sheet: Sheet, totals: dict[Seat, int]) -> list[Seat]:
    ranks = sheet.ranks(totals)
    return sorted(sheet.seats, key=lambda seat: ranks[seat])


def shown_totals(sheet: Sheet) -> dict[Seat, int]:
    """Complete rounds; once it is over, all that is written."""
    if sheet.over:
        return sheet.totals()
    sums = dict(zip(sheet.columns, sheet.sums, strict=True))
    return {seat: sums[seat] for seat in sheet.seats}


def earlier_totals(sheet: Sheet, totals: dict[Seat, int]) -> dict[Seat, int]:
    """The totals before the last round, or the last entry."""
    before = dict(totals)
    if not sheet.by_rounds:
        if sheet.notes:
            seat, points = Seat(sheet.notes[-1][0]), sheet.notes[-1][1]
            if seat in before:
                before[seat] -= points
    elif sheet.closed:
        last = sheet.closed[-1]
        for seat in sheet.seats:
            column = sheet.columns.index(seat)
            before[seat] -= (last[column] or 0) if column < len(last) else 0
    return before


def moment(sheet: Sheet) -> Moment | None:
    """A round that is complete, an entry, the winner. What was taken back to is not played again."""
    if sheet.still:
        return None
    if sheet.over:
        winners = sheet.winners()
        best = sheet.totals()[winners[0]]
        says = Say("Shared win at {points}: {names}.", points=best, names=listed(winners))
        if len(winners) == 1:
            says = SayN("{name} wins with {n} point.", "{name} wins with {n} points.", n=best, name=winners[0])
        n = ".".join(map(str, (sheet.round, *winners)))
        return Moment("winner", n, winners, (best,), says, curtain=0.7, hold=2.0, reveal=1.8)
    if not sheet.by_rounds:
        who = tuple(Seat(seat) for seat, _ in sheet.notes[-1:])
        return Moment("gold", len(sheet.notes), who, reveal=0.8) if sheet.notes else None
    if not sheet.closed:
        return None
    number = len(sheet.closed)
    return Moment("round", number, headline=Say("Round {round} is complete.", round=number), reveal=1.8)
