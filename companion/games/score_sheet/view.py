"""What a score sheet shows: everything on it is public."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec

from companion.game import Moment, Say, SayN, Seat
from companion.games.score_sheet.race import Lane, moment, race
from companion.games.score_sheet.record import Record, whole_record
from companion.games.score_sheet.state import Sheet

ROWS = 30
"""So many complete rounds are shown while the game goes on."""
LATEST = 8
"""So many cells of a player's are offered for correction."""
LONG = 38
"""So many entries fill the chart: from then on it is not drawn again for each one."""


class Standing(msgspec.Struct, frozen=True):
    """One line of the ranking."""

    seat: Seat
    total: int
    rank: int
    written: str | None
    """What the open round adds, with its sign."""
    waiting: bool


Written = tuple[int, int]
"""A cell as a correction names it, and the points that stand there."""


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    by_rounds: bool
    low_wins: bool
    standings: tuple[Standing, ...]
    round: int
    over: bool
    winners: tuple[Seat, ...]
    goal: Say | None
    rounds: int | None
    """So many rounds are played, if that was agreed."""
    target: int | None
    race: tuple[Lane, ...]
    waiting: tuple[Seat, ...]
    """Who still has to write."""
    host_writes: bool
    moment: Moment | None


class RecordView(msgspec.Struct, frozen=True):
    """What everybody sees of the past: it changes when a round is complete."""

    by_rounds: bool
    seats: tuple[Seat, ...]
    open: tuple[int | None, ...] | None
    """What is written in a round that was never completed, once all is over."""
    round: int
    closed: Record
    rows: int
    """So many complete rounds are shown at most."""
    older: int
    """So many rounds before these are shown again when the game is over."""
    over: bool
    charted: Record


class SeatView(msgspec.Struct, frozen=True):
    """What one player has to do, and may correct."""

    by_rounds: bool
    may_write: bool
    round: int
    written: int | None
    total: int
    rank: int | None
    """Where one stands, when it is over."""
    of: int
    over: bool
    winners: tuple[Seat, ...]
    waiting: tuple[Seat, ...]
    """Who else still has to write, once one has written oneself."""
    mine: tuple[Written, ...]
    seat: Seat
    scorer: ScorerView | None
    """For the host, where the host writes for all."""


class ScorerView(msgspec.Struct, frozen=True):
    """What a scorer needs to write for all."""

    by_rounds: bool
    round: int
    seats: tuple[Seat, ...]
    written: tuple[int | None, ...]
    """Everybody's points of the open round, if nobody but the scorer writes; else the standings tell."""
    can_correct: bool
    notes: tuple[tuple[int, Seat, str], ...]
    """The latest notes: number, seat, points with their sign."""
    over: bool
    can_close: bool
    everyone_writes: bool

    @property
    def lines(self) -> Iterator[tuple[Seat, int | None]]:
        """Everybody, with what they have in the open round."""
        return zip(self.seats, self.written, strict=True)


def latest_of(sheet: Sheet, seat: Seat) -> tuple[Written, ...]:
    """What somebody has written, newest first, as far back as the sheet is shown while it is played."""
    if not sheet.by_rounds:
        notes, me = latest_notes(sheet, ROWS), int(seat)
        return tuple(islice(((number, points) for number, whose, points in notes if whose == me), LATEST))
    found = [(sheet.round, sheet.open[seat])] if seat in sheet.open else []
    column, last = sheet.columns.index(seat), len(sheet.closed)
    for number in range(last, max(0, last - ROWS), -1):
        row = sheet.closed[number - 1]
        if column < len(row) and (points := row[column]) is not None:
            found.append((number, points))
            if len(found) == LATEST:
                break
    return tuple(found)


def latest_notes(sheet: Sheet, each: int) -> Iterator[tuple[int, int, int]]:
    """The newest notes, so many for each player: number, seat, points."""
    last = len(sheet.notes)
    for number in range(last, max(0, last - each * len(sheet.seats)), -1):
        whose, points = sheet.notes[number - 1]
        yield number, whose, points


def standings(sheet: Sheet) -> tuple[Standing, ...]:
    totals, waiting = sheet.totals(), sheet.waiting_for()
    ranks = sheet.ranks(totals)
    written = {seat: f"{points:+d}" for seat, points in sheet.open.items()}
    order = sorted(sheet.seats, key=lambda seat: ranks[seat])
    return tuple(Standing(seat, totals[seat], ranks[seat], written.get(seat), seat in waiting) for seat in order)


def goal(sheet: Sheet) -> Say | None:
    rounds, target = sheet.setup.rounds if sheet.by_rounds else None, sheet.setup.target
    if rounds and target:
        return Say("{rounds} rounds, or until somebody has {target}.", rounds=rounds, target=target)
    if rounds:
        return SayN("{n} round.", "{n} rounds.", n=rounds)
    if target:
        return Say("Until somebody has {target}.", target=target)
    return None


def table_view(sheet: Sheet) -> TableView:
    over = sheet.over
    return TableView(
        by_rounds=sheet.by_rounds,
        low_wins=sheet.setup.wins == "low",
        standings=standings(sheet),
        round=sheet.round,
        over=over,
        winners=sheet.winners() if over else (),
        goal=goal(sheet),
        rounds=sheet.setup.rounds if sheet.by_rounds else None,
        target=sheet.setup.target,
        race=race(sheet),
        waiting=sheet.waiting_for(),
        host_writes=sheet.setup.scorer == "host",
        moment=moment(sheet),
    )


def record_view(sheet: Sheet) -> RecordView:
    over = sheet.over
    return RecordView(
        by_rounds=sheet.by_rounds,
        seats=sheet.seats,
        open=tuple(sheet.open.get(seat) for seat in sheet.seats) if over and sheet.open else None,
        round=sheet.round,
        closed=Record(sheet.seats, sheet.columns, sheet.closed),
        rows=len(sheet.closed) if over else ROWS,
        older=0 if over else max(0, len(sheet.closed) - ROWS),
        over=over,
        charted=charted(sheet, over),
    )


def charted(sheet: Sheet, over: bool) -> Record:
    """What the chart shows: the open round enters it when it is complete, or all is over."""
    if sheet.by_rounds:
        return whole_record(sheet) if over else Record(sheet.seats, sheet.columns, sheet.closed)
    count = len(sheet.notes)
    if count > LONG and not over:
        # A chart that skips some entries anyway grows by as many as there are players, not with each one.
        count -= count % len(sheet.seats)
    return Record(sheet.seats, notes=sheet.notes[:count])


class ScreenView(msgspec.Struct, frozen=True):
    """The shared screen taps nothing here but what the host may."""

    host_writes: bool


def screen_view(sheet: Sheet) -> ScreenView:
    return ScreenView(sheet.setup.scorer == "host" and not sheet.over)


def host_view(sheet: Sheet) -> ScorerView:
    seats, everyone = {int(seat): seat for seat in sheet.seats}, sheet.setup.scorer == "everyone"
    return ScorerView(
        by_rounds=sheet.by_rounds,
        round=sheet.round,
        seats=sheet.seats,
        written=tuple(None if everyone else sheet.open.get(seat) for seat in sheet.seats),
        can_correct=bool(sheet.closed or sheet.open or sheet.notes),
        notes=tuple(
            (number, seats[whose], f"{points:+d}")
            for number, whose, points in latest_notes(sheet, LATEST)
            if whose in seats
        ),
        over=sheet.over,
        can_close=sheet.by_rounds and bool(sheet.open),
        everyone_writes=everyone,
    )


def seat_view(sheet: Sheet, seat: Seat) -> SeatView:
    everyone = sheet.setup.scorer == "everyone"
    over = sheet.over
    written = sheet.open.get(seat)
    return SeatView(
        by_rounds=sheet.by_rounds,
        may_write=everyone and not over and written is None,
        round=sheet.round,
        written=written,
        total=sheet.total(seat),
        # Others move a player up and down with every tap: a phone that does not show it need not be drawn again.
        rank=sheet.ranks().get(seat, 0) if over else None,
        of=len(sheet.seats),
        over=over,
        winners=sheet.winners() if over else (),
        waiting=sheet.waiting_for() if everyone and written is not None else (),
        mine=latest_of(sheet, seat) if everyone and seat in sheet.seats else (),
        seat=seat,
        scorer=None if everyone or over else host_view(sheet),
    )


def choosing(sheet: Sheet) -> tuple[Seat, ...]:
    """Players who are to write their own points now."""
    return sheet.waiting_for() if sheet.setup.scorer == "everyone" else ()
