"""What a score sheet shows: everything on it is public."""

from __future__ import annotations

from itertools import islice

import msgspec

from companion.game import Moment, Say, SayN, Seat
from companion.games.score_sheet.grid import Grid, Line, column, grid
from companion.games.score_sheet.race import Lane, Side, moment, race, side
from companion.games.score_sheet.record import Record, whole_record
from companion.games.score_sheet.scorer import LATEST, ScorerView, host_view, latest_notes, sides_of
from companion.games.score_sheet.state import Sheet

ROWS = 30
"""How many complete rounds are shown during the game."""
LONG = 38
"""With more entries than this, the chart is no longer drawn again for each one."""


class Standing(msgspec.Struct, frozen=True):
    """One line of the standings."""

    side: Side
    total: int
    rank: int
    written: str | None
    """The points of the open round, with their sign."""
    waiting: bool


Written = tuple[int, int]
"""The number of a cell, and its points."""


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    mode: str
    low_wins: bool
    standings: tuple[Standing, ...]
    round: int
    over: bool
    best: tuple[Side, ...]
    """The winners."""
    goal: Say | None
    rounds: int | None
    """How many rounds are played, if there is a limit."""
    target: int | None
    race: tuple[Lane, ...]
    waiting: tuple[Side, ...]
    """The sides whose points are missing."""
    host_writes: bool
    moment: Moment | None
    forming: tuple[Side, ...]
    """The teams, while people choose them."""
    grid: Grid | None


class RecordView(msgspec.Struct, frozen=True):
    """The earlier rounds that everybody sees. It changes when a round is complete."""

    mode: str
    sides: tuple[Side, ...]
    open: tuple[int | None, ...] | None
    """The points of an incomplete round, when the game is over."""
    round: int
    closed: Record
    rows: int
    """How many complete rounds are shown at most."""
    older: int
    """How many earlier rounds are hidden until the game is over."""
    over: bool
    charted: Record
    grid: Grid | None


class SeatView(msgspec.Struct, frozen=True):
    """What one player can write down and correct."""

    mode: str
    may_write: bool
    round: int
    written: int | None
    total: int
    rank: int | None
    """The player's rank, when the game is over."""
    of: int
    over: bool
    best: tuple[Side, ...]
    waiting: tuple[Side, ...]
    """The sides whose points are missing, when this player's points are in."""
    mine: tuple[Written, ...]
    seat: Seat
    side: Side
    forming: tuple[Side, ...]
    """The teams to choose from, before the first points."""
    column: tuple[Line, ...]
    """The player's own categories."""
    scorer: ScorerView | None
    """For the host, if the host keeps score for everybody."""


def latest_of(sheet: Sheet, seat: Seat) -> tuple[Written, ...]:
    """A player's latest points, newest first. Rounds that are no longer shown are left out."""
    me = sheet.side_of(seat)
    if sheet.by_categories:
        cells = ((number, sheet.cell(me, number)) for number in range(1, len(sheet.filled) + 1))
        return tuple((number, points) for number, points in cells if points is not None)
    if not sheet.by_rounds:
        notes = latest_notes(sheet, ROWS)
        return tuple(islice(((number, points) for number, whose, points in notes if whose == me), LATEST))
    found = [(sheet.round, sheet.open[me])] if me in sheet.open else []
    place, last = sheet.columns.index(me), len(sheet.closed)
    for number in range(last, max(0, last - ROWS), -1):
        row = sheet.closed[number - 1]
        if place < len(row) and (points := row[place]) is not None:
            found.append((number, points))
            if len(found) == LATEST:
                break
    return tuple(found)


def forming(sheet: Sheet) -> tuple[Side, ...]:
    """All teams, including empty ones."""
    return sides_of(sheet, sheet.columns) if sheet.forming else ()


def standings(sheet: Sheet) -> tuple[Standing, ...]:
    totals, waiting = sheet.totals(), sheet.waiting()
    ranks = sheet.ranks(totals)
    written = {number: f"{points:+d}" for number, points in sheet.open.items()}
    return tuple(
        Standing(side(sheet, one), totals[one], ranks[one], written.get(one), one in waiting)
        for one in sorted(sheet.sides, key=lambda one: ranks[one])
    )


def goal(sheet: Sheet) -> Say | None:
    rounds = sheet.setup.rounds if sheet.by_rounds else None
    target = None if sheet.by_categories else sheet.setup.target
    if rounds and target:
        return SayN(
            "{n} round, or until somebody reaches {target}.", "{n} rounds, or until somebody reaches {target}.",
            n=rounds, target=target,
        )  # fmt: skip
    if rounds:
        return SayN("{n} round.", "{n} rounds.", n=rounds)
    if target:
        return Say("Until somebody reaches {target}.", target=target)
    return None


def table_view(sheet: Sheet) -> TableView:
    over = sheet.over
    return TableView(
        mode=sheet.setup.mode,
        low_wins=sheet.setup.wins == "low",
        standings=standings(sheet),
        round=sheet.round,
        over=over,
        best=sides_of(sheet, sheet.best()) if over else (),
        goal=goal(sheet),
        rounds=sheet.setup.rounds if sheet.by_rounds else None,
        target=None if sheet.by_categories else sheet.setup.target,
        race=race(sheet),
        waiting=sides_of(sheet, sheet.waiting()),
        host_writes=sheet.setup.scorer == "host",
        moment=moment(sheet),
        forming=forming(sheet),
        grid=grid(sheet),
    )


def record_view(sheet: Sheet) -> RecordView:
    over, sides = sheet.over, sheet.sides
    return RecordView(
        mode=sheet.setup.mode,
        sides=sides_of(sheet, sides),
        open=tuple(sheet.open.get(one) for one in sides) if over and sheet.open else None,
        round=sheet.round,
        closed=Record(sides, sheet.columns, sheet.closed),
        rows=len(sheet.closed) if over else ROWS,
        older=0 if over else max(0, len(sheet.closed) - ROWS),
        over=over,
        charted=charted(sheet, over),
        grid=grid(sheet),
    )


def charted(sheet: Sheet, over: bool) -> Record:
    """What the chart shows: complete rounds, and everything when the game is over."""
    if sheet.by_rounds:
        return whole_record(sheet) if over else Record(sheet.sides, sheet.columns, sheet.closed)
    count = len(sheet.notes)
    if count > LONG and not over:
        # A long chart is drawn again once per turn around the table, not for each entry.
        count -= count % len(sheet.sides)
    return Record(sheet.sides, notes=sheet.notes[:count])


class ScreenView(msgspec.Struct, frozen=True):
    """What the shared screen shows to a host."""

    host_writes: bool
    forming: bool


def screen_view(sheet: Sheet) -> ScreenView:
    return ScreenView(sheet.setup.scorer == "host" and not sheet.over and not sheet.forming, sheet.forming)


def seat_view(sheet: Sheet, seat: Seat) -> SeatView:
    everyone, me, over = sheet.setup.scorer == "everyone", sheet.side_of(seat), sheet.over
    written = sheet.open.get(me)
    has_written = sheet.setup.mode != "running" and me in sheet.columns and not sheet.is_waited_for(me)
    return SeatView(
        mode=sheet.setup.mode,
        may_write=everyone and not over and not has_written,
        round=sheet.round,
        written=written,
        total=sheet.total(me),
        # The rank changes with every tap of others, so it is left out until the phone shows it.
        rank=sheet.ranks().get(me, 0) if over else None,
        of=len(sheet.sides),
        over=over,
        best=sides_of(sheet, sheet.best()) if over else (),
        waiting=sides_of(sheet, sheet.waiting()) if everyone and has_written else (),
        mine=latest_of(sheet, seat) if everyone and seat in sheet.seats else (),
        seat=seat,
        side=side(sheet, me),
        forming=forming(sheet),
        column=column(sheet, seat) if sheet.by_categories and not sheet.forming else (),
        scorer=None if everyone or over else host_view(sheet),
    )


def choosing(sheet: Sheet) -> tuple[Seat, ...]:
    """Players who have to write down their own points now."""
    return sheet.waiting_for() if sheet.setup.scorer == "everyone" else ()
