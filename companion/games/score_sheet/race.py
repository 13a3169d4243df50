"""The standings as a race on the stage. The open round counts when it is complete."""

from __future__ import annotations

import msgspec

from companion.game import Moment, Say, Seat
from companion.games.score_sheet.setup import LETTERS
from companion.games.score_sheet.state import Sheet
from companion.games.score_sheet.telling import won

START = 12
"""The length of the last lane, in per cent."""


class Side(msgspec.Struct, frozen=True):
    """A player, or a team, as screens name it."""

    number: int
    seats: tuple[Seat, ...]
    name: str = ""
    """The name of a team, if it has one."""
    letter: str = ""
    """The letter of a team without a name."""


def side(sheet: Sheet, number: int) -> Side:
    if not sheet.team_of:
        return Side(number, (Seat(number),))
    names = sheet.setup.named_teams
    if number <= len(names):
        return Side(number, sheet.members(number), name=names[number - 1])
    return Side(number, sheet.members(number), letter=LETTERS[number - 1])


class Lane(msgspec.Struct, frozen=True):
    """A side's place in the race."""

    side: Side
    rank: int
    total: int
    """The total without the open round."""
    before: int
    """The total before the last round or entry."""
    climbed: int
    """How many places they moved up with it. Negative if down."""
    way: int
    """The length of the lane in per cent. The leader has 100."""
    written: str | None
    """The points of the open round with their sign, or how many categories are filled in."""
    waiting: bool


def race(sheet: Sheet) -> tuple[Lane, ...]:
    """Everybody, the best first."""
    totals = shown_totals(sheet)
    before = earlier_totals(sheet, totals)
    ranks, places, earlier = sheet.ranks(totals), order(sheet, totals), order(sheet, before)
    best, worst = totals[places[0]], totals[places[-1]]
    waiting = sheet.waiting()
    return tuple(
        Lane(
            side=side(sheet, number),
            rank=ranks[number],
            total=totals[number],
            before=before[number],
            climbed=earlier.index(number) - place,
            way=START if best == worst else START + (100 - START) * (totals[number] - worst) // (best - worst),
            written=written(sheet, number),
            waiting=number in waiting,
        )
        for place, number in enumerate(places)
    )


def written(sheet: Sheet, number: int) -> str | None:
    if sheet.over:
        return None
    if sheet.by_categories:
        rows = len(sheet.filled)
        return f"{sum(sheet.cell(number, row) is not None for row in range(1, rows + 1))}/{rows}"
    return f"{sheet.open[number]:+d}" if number in sheet.open else None


def order(sheet: Sheet, totals: dict[int, int]) -> list[int]:
    ranks = sheet.ranks(totals)
    return sorted(sheet.sides, key=lambda number: ranks[number])


def shown_totals(sheet: Sheet) -> dict[int, int]:
    """The totals of the complete rounds, or of everything when the game is over."""
    if sheet.over:
        return sheet.totals()
    sums = dict(zip(sheet.columns, sheet.sums, strict=True))
    return {number: sums[number] for number in sheet.sides}


def earlier_totals(sheet: Sheet, totals: dict[int, int]) -> dict[int, int]:
    """The totals before the last round or entry."""
    before = dict(totals)
    if sheet.by_categories:
        if sheet.latest and sheet.latest[1] in before:
            row, number = sheet.latest
            before[number] -= sheet.cell(number, row) or 0
    elif not sheet.by_rounds:
        if sheet.notes and (last := sheet.notes[-1])[0] in before:
            before[last[0]] -= last[1]
    elif sheet.closed:
        row_of_last = sheet.closed[-1]
        for number in sheet.sides:
            column = sheet.columns.index(number)
            before[number] -= (row_of_last[column] or 0) if column < len(row_of_last) else 0
    return before


def moment(sheet: Sheet) -> Moment | None:
    """A complete round, an entry or the winner. Taking a step back plays nothing again."""
    if sheet.still:
        return None
    if sheet.over:
        sides, winners = sheet.best(), sheet.winners()
        best = sheet.totals()[sides[0]]
        says = won(sheet, sides, best)
        n = ".".join(map(str, (sheet.round, *sides)))
        return Moment("winner", n, winners, (best,), says, curtain=0.7, hold=2.0, reveal=1.8)
    if sheet.latest:
        row, number = sheet.latest
        return Moment("gold", f"{row}.{number}", sheet.members(number), reveal=0.8)
    if not sheet.by_rounds:
        who = tuple(seat for number, _ in sheet.notes[-1:] for seat in sheet.members(number))
        return Moment("gold", len(sheet.notes), who, reveal=0.8) if sheet.notes else None
    if not sheet.closed:
        return None
    number = len(sheet.closed)
    return Moment("round", number, headline=Say("Round {round} is complete.", round=number), reveal=1.8)
