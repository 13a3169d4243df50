"""The rounds so far as rows, as totals over time, and as a chart, each computed only when it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, zip_longest

import msgspec

from companion.game import Chart, Curve, Hole, Say, Seat
from companion.games.score_sheet.state import Row, Sheet


class Record(msgspec.Struct, frozen=True):
    """Complete rounds or single entries. It stays equal while nothing is added, so the page is not drawn again."""

    sides: tuple[int, ...]
    columns: tuple[int, ...] = ()
    rows: tuple[Row, ...] = ()
    notes: tuple[tuple[int, int], ...] = ()

    def latest(self, most: int) -> Iterator[tuple[int, Row]]:
        """The newest rows first: their number, and the points in the order of the sides."""
        places = [self.columns.index(side) for side in self.sides]
        for number in range(len(self.rows), max(0, len(self.rows) - most), -1):
            row = self.rows[number - 1]
            yield number, tuple(row[place] if place < len(row) else None for place in places)

    def series(self) -> dict[int, list[int]]:
        """Each side's totals over time, starting at 0."""
        steps = self._steps()
        return {side: list(accumulate(steps.get(side, ()), initial=0)) for side in self.sides}

    def _steps(self) -> dict[int, list[int]]:
        """The points of each column, by round or by entry."""
        if not self.notes:
            written = list(zip_longest(*self.rows))
            # Latecomers have no column in earlier rounds.
            late = [(0,) * len(self.rows)] * (len(self.columns) - len(written))
            columns = zip(self.columns, (*written, *late), strict=True)
            return {side: [points or 0 for points in column] for side, column in columns}
        steps = {side: [0] * len(self.notes) for side in {side for side, _ in self.notes}.union(self.sides)}
        for place, (side, points) in enumerate(self.notes):
            steps[side][place] = points
        return steps

    def chart(self, called: dict[int, Hole] | None = None) -> Chart:
        """The totals over time. Without points there are no curves. `called` has the names of teams."""
        lines = self.series().items() if self.rows or self.notes else ()
        curves = (
            Curve(tuple(line), label=Say("{name}", name=called[side]))
            if called
            else Curve(tuple(line), seat=Seat(side))
            for side, line in lines
        )
        x = Say("Entries") if self.notes else Say("Rounds")
        return Chart(Say("Totals over time"), tuple(curves), x=x, y=Say("Points"))


def whole_record(sheet: Sheet) -> Record:
    """Return all points so far, including the open round."""
    open_too = (tuple(sheet.open.get(side) for side in sheet.columns),) if sheet.open else ()
    return Record(sheet.sides, sheet.columns, (*sheet.closed, *open_too), sheet.notes)
