"""The rounds written so far: as rows, as totals over time, and as a chart, each computed only when it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate, zip_longest

import msgspec

from companion.engine.game import Seat
from companion.games.score_sheet.state import Row, Sheet

WIDTH, HEIGHT, EDGE, LABEL = 320, 150, 12, 14
FINEST = 38
"""A longer evening is drawn at so many points: they are 8 apart, and nobody sees the difference."""


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


class Record(msgspec.Struct, frozen=True):
    """Complete rounds, or single entries; it compares equal from tap to tap, so that it is not drawn again."""

    seats: tuple[Seat, ...]
    columns: tuple[int, ...] = ()
    rows: tuple[Row, ...] = ()
    notes: tuple[tuple[int, int], ...] = ()

    def latest(self, most: int) -> Iterator[tuple[int, Row]]:
        """The newest rows first: number, and points in the order of the seats."""
        places = [self.columns.index(seat) for seat in self.seats]
        for number in range(len(self.rows), max(0, len(self.rows) - most), -1):
            row = self.rows[number - 1]
            yield number, tuple(row[place] if place < len(row) else None for place in places)

    def series(self) -> dict[Seat, list[int]]:
        """Each player's totals over time, beginning with nothing."""
        steps = self._steps()
        return {seat: list(accumulate(steps.get(seat, ()), initial=0)) for seat in self.seats}

    def _steps(self) -> dict[int, list[int]]:
        """What each column grows by, round by round or note by note."""
        if not self.notes:
            written = list(zip_longest(*self.rows))
            # Who came last has no column in the rounds before.
            late = [(0,) * len(self.rows)] * (len(self.columns) - len(written))
            columns = zip(self.columns, (*written, *late), strict=True)
            return {seat: [points or 0 for points in column] for seat, column in columns}
        steps = {seat: [0] * len(self.notes) for seat in {seat for seat, _ in self.notes}.union(self.seats)}
        for place, (seat, points) in enumerate(self.notes):
            steps[seat][place] = points
        return steps

    def chart(self) -> Chart | None:
        """The totals as curves, unless nothing is written yet."""
        lines = self.series()
        length = max(len(line) for line in lines.values())
        if length < 2:
            return None
        if length > FINEST:
            places = [i * (length - 1) // (FINEST - 1) for i in range(FINEST)]
            lines = {seat: [line[place] for place in places] for seat, line in lines.items()}
            length = FINEST
        low = min(0, *(min(line) for line in lines.values()))
        high = max(0, *(max(line) for line in lines.values()))
        scale = (HEIGHT - 2 * EDGE) / ((high - low) or 1)

        def y(total: int) -> float:
            return round(HEIGHT - EDGE - (total - low) * scale, 1)

        labels = spread({seat: y(line[-1]) + 4 for seat, line in lines.items()})
        curves = tuple(
            Curve(
                seat,
                across(length) % tuple([HEIGHT - EDGE - (total - low) * scale for total in line]),
                WIDTH - EDGE,
                labels[seat],
                line[-1],
            )
            for seat, line in lines.items()
        )
        return Chart(WIDTH, HEIGHT, y(0), curves)


@cache
def across(length: int) -> str:
    """The points of a curve from left to right, each with a gap for its height."""
    return " ".join(f"{round(EDGE + i * (WIDTH - 2 * EDGE) / (length - 1), 1):g},%.1f" for i in range(length))


def whole_record(sheet: Sheet) -> Record:
    """Return everything written so far, the open round included."""
    open_too = (tuple(sheet.open.get(seat) for seat in sheet.columns),) if sheet.open else ()
    return Record(sheet.seats, sheet.columns, (*sheet.closed, *open_too), sheet.notes)


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
