"""What a score sheet shows: everything on it is public."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, islice

import msgspec

from companion.engine.game import Say, SayN, Seat
from companion.games.score_sheet.sheet import Sheet

WIDTH, HEIGHT, EDGE, LABEL = 320, 150, 12, 14
FINEST, ROWS = 60, 30
LATEST = 8
"""So many rounds are shown at once; the rest is folded away."""


class Standing(msgspec.Struct, frozen=True):
    """One line of the ranking."""

    seat: Seat
    total: int
    rank: int
    written: int | None
    waiting: bool


class Cell(msgspec.Struct, frozen=True):
    """One written cell; `cell` is how a correction names it."""

    seat: Seat
    cell: int
    points: int


class RoundRow(msgspec.Struct, frozen=True):
    number: int
    points: tuple[int | None, ...]


class Curve(msgspec.Struct, frozen=True):
    """One player's totals over time, as points in the chart."""

    seat: Seat
    path: str
    end_x: float
    label_y: float
    last: int


class Chart(msgspec.Struct, frozen=True):
    width: int
    height: int
    zero: float
    curves: tuple[Curve, ...]


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    by_rounds: bool
    low_wins: bool
    seats: tuple[Seat, ...]
    standings: tuple[Standing, ...]
    rows: tuple[RoundRow, ...]
    older: int
    """So many rounds before these are shown again when the game is over."""
    round: int
    waiting: tuple[Seat, ...]
    over: bool
    winners: tuple[Seat, ...]
    goal: Say | None
    chart: Chart | None


class SeatView(msgspec.Struct, frozen=True):
    """What one player has to do, and may correct."""

    by_rounds: bool
    may_write: bool
    round: int
    written: int | None
    total: int
    rank: int
    of: int
    over: bool
    mine: tuple[Cell, ...]


class ScorerView(msgspec.Struct, frozen=True):
    """What a scorer needs to write for all."""

    by_rounds: bool
    round: int
    seats: tuple[tuple[Seat, int | None], ...]
    cells: tuple[Cell, ...]
    over: bool
    can_close: bool
    everyone_writes: bool


def cells(sheet: Sheet) -> Iterator[Cell]:
    """All that is written, newest first."""
    if sheet.by_rounds:
        for number in range(len(sheet.rounds), 0, -1):
            points = sheet.rounds[number - 1]
            yield from (Cell(seat, number, points[seat]) for seat in reversed(sheet.seats) if seat in points)
    else:
        for number in range(len(sheet.entries), 0, -1):
            entry = sheet.entries[number - 1]
            if entry.seat in sheet.seats:
                yield Cell(entry.seat, number, entry.points)


def standings(sheet: Sheet) -> tuple[Standing, ...]:
    totals, waiting = sheet.totals(), sheet.waiting_for()
    ranks = sheet.ranks(totals)
    order = sorted(sheet.seats, key=lambda seat: (ranks[seat], sheet.seats.index(seat)))
    return tuple(
        Standing(seat, totals[seat], ranks[seat], sheet.rounds[-1].get(seat), seat in waiting) for seat in order
    )


def goal(sheet: Sheet) -> Say | None:
    rounds, target = sheet.setup.rounds if sheet.by_rounds else None, sheet.setup.target
    if rounds and target:
        return Say("{rounds} rounds, or until somebody has {target}.", rounds=rounds, target=target)
    if rounds:
        return SayN("{n} round.", "{n} rounds.", n=rounds)
    if target:
        return Say("Until somebody has {target}.", target=target)
    return None


def series(sheet: Sheet) -> dict[Seat, list[int]]:
    """Each player's totals over time, beginning with nothing."""
    if sheet.by_rounds:
        rounds = sheet.rounds if sheet.rounds[-1] else sheet.closed
        steps = {seat: [points.get(seat, 0) for points in rounds] for seat in sheet.seats}
    else:
        steps = {seat: [entry.points if entry.seat == seat else 0 for entry in sheet.entries] for seat in sheet.seats}
    return {seat: list(accumulate(points, initial=0)) for seat, points in steps.items()}


def chart(sheet: Sheet) -> Chart | None:
    lines = series(sheet)
    length = max(len(line) for line in lines.values())
    if length < 2:
        return None
    if length > FINEST:
        # A long evening is drawn at fewer points: nobody sees the difference, and every tap is spared it.
        places = [i * (length - 1) // (FINEST - 1) for i in range(FINEST)]
        lines = {seat: [line[place] for place in places] for seat, line in lines.items()}
        length = FINEST
    low = min(0, *(min(line) for line in lines.values()))
    high = max(0, *(max(line) for line in lines.values()))
    span = (high - low) or 1

    def x(i: int) -> float:
        return round(EDGE + i * (WIDTH - 2 * EDGE) / (length - 1), 1)

    def y(total: int) -> float:
        return round(HEIGHT - EDGE - (total - low) * (HEIGHT - 2 * EDGE) / span, 1)

    labels = spread({seat: y(line[-1]) + 4 for seat, line in lines.items()})
    curves = tuple(
        Curve(
            seat, " ".join(f"{x(i)},{y(total)}" for i, total in enumerate(line)), x(length - 1), labels[seat], line[-1]
        )
        for seat, line in lines.items()
    )
    return Chart(WIDTH, HEIGHT, y(0), curves)


def spread(wanted: dict[Seat, float]) -> dict[Seat, float]:
    """Labels as near as possible to their curves' ends without covering one another."""
    gap = min(LABEL, (HEIGHT - 4) / max(1, len(wanted) - 1))
    placed: dict[Seat, float] = {}
    lowest = HEIGHT + gap
    for seat in sorted(wanted, key=lambda seat: -wanted[seat]):
        lowest = min(wanted[seat], lowest - gap)
        placed[seat] = lowest
    shift = max(0.0, gap - min(placed.values(), default=gap))
    return {seat: round(place + shift, 1) for seat, place in placed.items()}


def table_view(sheet: Sheet) -> TableView:
    rows = [
        RoundRow(number, tuple(points.get(seat) for seat in sheet.seats))
        for number, points in enumerate(sheet.rounds, 1)
        if points or number < len(sheet.rounds)
    ]
    return TableView(
        by_rounds=sheet.by_rounds,
        low_wins=sheet.setup.wins == "low",
        seats=sheet.seats,
        standings=standings(sheet),
        rows=tuple(reversed(rows if sheet.over else rows[-ROWS:])) if sheet.by_rounds else (),
        older=0 if sheet.over else max(0, len(rows) - ROWS),
        round=len(sheet.rounds),
        waiting=sheet.waiting_for(),
        over=sheet.over,
        winners=sheet.winners() if sheet.over else (),
        goal=goal(sheet),
        chart=chart(sheet),
    )


class ScreenView(msgspec.Struct, frozen=True):
    """The shared screen taps nothing here but what the host may."""


def screen_view(sheet: Sheet) -> ScreenView:
    return ScreenView()


def host_view(sheet: Sheet) -> ScorerView:
    return ScorerView(
        by_rounds=sheet.by_rounds,
        round=len(sheet.rounds),
        seats=tuple((seat, sheet.rounds[-1].get(seat)) for seat in sheet.seats),
        cells=tuple(islice(cells(sheet), LATEST * len(sheet.seats))),
        over=sheet.over,
        can_close=sheet.by_rounds and bool(sheet.rounds[-1]),
        everyone_writes=sheet.setup.scorer == "everyone",
    )


def seat_view(sheet: Sheet, seat: Seat) -> SeatView:
    everyone = sheet.setup.scorer == "everyone"
    written = sheet.rounds[-1].get(seat) if sheet.by_rounds else None
    totals = sheet.totals()
    return SeatView(
        by_rounds=sheet.by_rounds,
        may_write=everyone and not sheet.over and written is None,
        round=len(sheet.rounds),
        written=written,
        total=totals.get(seat, 0),
        rank=sheet.ranks(totals).get(seat, 0),
        of=len(sheet.seats),
        over=sheet.over,
        mine=tuple(islice((cell for cell in cells(sheet) if cell.seat == seat), LATEST)) if everyone else (),
    )


def choosing(sheet: Sheet) -> tuple[Seat, ...]:
    """Players who are to write their own points now."""
    return sheet.waiting_for() if sheet.setup.scorer == "everyone" else ()
