"""The rounds written so far: as rows, as totals over time, and as a chart, each computed only when it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, zip_longest

import msgspec

from companion.game import Chart, Curve, Say, Seat
from companion.games.score_sheet.state import Row, Sheet


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

    def chart(self) -> Chart:
        """The totals over time; no curves if nothing is written yet."""
        lines = self.series().items() if self.rows or self.notes else ()
        curves = tuple(Curve(tuple(line), seat=seat) for seat, line in lines)
        return Chart(
            Say("Totals over time"), curves, x=Say("Entries") if self.notes else Say("Rounds"), y=Say("Points")
        )


def whole_record(sheet: Sheet) -> Record:
    """Return everything written so far, the open round included."""
    open_too = (tuple(sheet.open.get(seat) for seat in sheet.columns),) if sheet.open else ()
    return Record(sheet.seats, sheet.columns, (*sheet.closed, *open_too), sheet.notes)
