"""A sheet with a row for each category and a column for each side."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.game import Hole, Seat
from companion.games.score_sheet.race import Side, side
from companion.games.score_sheet.state import Row, Sheet


class Grid(msgspec.Struct, frozen=True):
    """All cells by category. The columns are in seating order."""

    sides: tuple[Side, ...]
    categories: tuple[Hole, ...]
    cells: tuple[Row, ...]
    totals: tuple[int, ...]
    leading: tuple[int, ...]
    """The numbers of the leading sides. Empty if all are equal."""
    latest: tuple[int, int] | None
    """The category and side of the latest entry."""

    @property
    def rows(self) -> Iterator[tuple[int, Hole, Row]]:
        """Number, name and cells of each category."""
        for number, (name, cells) in enumerate(zip(self.categories, self.cells, strict=True), 1):
            yield number, name, cells


def grid(sheet: Sheet) -> Grid | None:
    if not sheet.by_categories:
        return None
    sides, totals, ranks = sheet.sides, sheet.totals(), sheet.ranks()
    numbers = range(1, len(sheet.filled) + 1)
    return Grid(
        sides=tuple(side(sheet, number) for number in sides),
        categories=tuple(sheet.setup.category(number) for number in numbers),
        cells=tuple(tuple(sheet.cell(one, number) for one in sides) for number in numbers),
        totals=tuple(totals[one] for one in sides),
        leading=tuple(one for one in sides if ranks[one] == 1) if len(set(totals.values())) > 1 else (),
        latest=None if sheet.still else sheet.latest,
    )


Line = tuple[int, Hole, int | None]
"""A category of one column: number, name, points."""


def column(sheet: Sheet, seat: Seat) -> tuple[Line, ...]:
    """The points of a player, or of their team, in each category."""
    one = sheet.side_of(seat)
    numbers = range(1, len(sheet.filled) + 1)
    return tuple((number, sheet.setup.category(number), sheet.cell(one, number)) for number in numbers)
