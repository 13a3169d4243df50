"""The frozen state of a score sheet: the points, their totals, and when the game is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.game import N_, Hole, Result, Say, Seat
from companion.games.score_sheet.setup import LETTERS, MOST, Setup

Points = Annotated[int, Meta(title=N_("Points"), ge=-MOST, le=MOST)]

Row = tuple[int | None, ...]
"""A row of points by column, with None for an empty cell. Columns added later are missing."""


class Entry(msgspec.Struct, frozen=True):
    """One entry of a running total."""

    seat: Seat
    points: int


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """All points so far. Points belong to a side: a player or a team, by its number.

    Every version of a table stores the whole sheet, so complete rounds are kept as plain numbers with their sums.
    A tap changes the open round and does not read earlier rounds.
    """

    setup: Setup
    seats: tuple[Seat, ...]
    rounds: tuple[dict[Seat, int], ...] = ()
    """The rounds in the format of older versions, the last one open. Converted to columns when read."""
    entries: tuple[Entry, ...] = ()
    """The entries in the format of older versions. Converted to notes when read."""
    away: tuple[Seat, ...] = ()
    finished: bool = False
    columns: tuple[int, ...] = ()
    """The seat or team of each column. A column stays when its player leaves."""
    closed: tuple[Row, ...] = ()
    """The complete rounds."""
    open: dict[int, int] = {}
    """The points of the open round."""
    notes: tuple[tuple[int, int], ...] = ()
    """Side and points of each entry of a running total."""
    sums: tuple[int, ...] = ()
    """The sum of the complete rounds, entries or categories of each column."""
    still: bool = False
    """Whether a step was taken back: the stage plays no moment until the next round is complete."""
    team_of: dict[int, int] = {}
    """The team of each player. Empty if everybody plays alone."""
    forming: bool = False
    """Whether people are still choosing their teams."""
    filled: tuple[Row, ...] = ()
    """A row for each category."""
    latest: tuple[int, int] | None = None
    """The category and side of the latest entry."""

    def __post_init__(self) -> None:
        if self.rounds or self.entries or not self.columns:
            self._lay_down()

    def _lay_down(self) -> None:
        rounds = self.rounds or ({},)
        notes = tuple((int(entry.seat), entry.points) for entry in self.entries)
        first: Iterable[int] = sorted(set(self.team_of.values())) or self.seats
        whose = (*first, *(seat for points in rounds for seat in points), *(seat for seat, _ in notes))
        columns = tuple(dict.fromkeys(int(seat) for seat in whose))
        closed = tuple(tuple(points.get(Seat(seat)) for seat in columns) for points in rounds[:-1])
        sums = dict.fromkeys(columns, 0)
        for seat, points in (*notes, *(cell for row in closed for cell in zip(columns, row, strict=True))):
            sums[seat] += points or 0
        laid = {
            "rounds": (), "entries": (), "columns": columns, "closed": closed, "notes": notes,
            "open": {int(seat): points for seat, points in rounds[-1].items()}, "sums": tuple(sums.values()),
            "filled": ((None,) * len(columns),) * self.setup.rows,
        }  # fmt: skip
        for name, value in laid.items():
            msgspec.structs.force_setattr(self, name, value)

    # ---------------------------------------------------------------- whose points they are

    @property
    def sides(self) -> tuple[int, ...]:
        """Who competes: every player, or every team that still has players."""
        if not self.team_of:
            return self.seats
        return tuple(sorted({self.team_of[seat] for seat in self.seats}))

    def side_of(self, seat: Seat) -> int:
        return self.team_of.get(seat, seat)

    def members(self, side: int) -> tuple[Seat, ...]:
        if not self.team_of:
            return (Seat(side),)
        return tuple(seat for seat in self.seats if self.team_of[seat] == side)

    def called(self, side: int) -> Hole:
        """The name of a side, for use in a sentence."""
        if not self.team_of:
            return Seat(side)
        names = self.setup.named_teams
        return names[side - 1] if side <= len(names) else Say("Team {letter}", letter=LETTERS[side - 1])

    # ---------------------------------------------------------------- reading it

    @property
    def by_rounds(self) -> bool:
        return self.setup.mode == "rounds"

    @property
    def by_categories(self) -> bool:
        return self.setup.mode == "categories"

    @property
    def round(self) -> int:
        """The number of the open round."""
        return len(self.closed) + 1

    @property
    def is_empty(self) -> bool:
        return not (self.closed or self.open or self.notes or self.latest)

    def is_waited_for(self, side: int) -> bool:
        """Whether this side has no points in the open round yet, or has an empty category."""
        if self.by_categories:
            column = self.columns.index(side)
            return any(len(row) <= column or row[column] is None for row in self.filled)
        return self.by_rounds and side not in self.open

    def waiting(self) -> tuple[int, ...]:
        """The sides whose points are missing, without sides where everybody is away."""
        if self.over or self.forming:
            return ()
        present = {self.side_of(seat) for seat in self.seats if seat not in self.away}
        return tuple(side for side in self.sides if side in present and self.is_waited_for(side))

    def waiting_for(self) -> tuple[Seat, ...]:
        """The players whose points are missing. In a team, each of its players."""
        sides = self.waiting()
        return tuple(seat for seat in self.seats if self.side_of(seat) in sides and seat not in self.away)

    def cell(self, side: int, number: int) -> int | None:
        """The points of a side in that round or category."""
        if self.by_rounds and number == self.round:
            return self.open.get(side)
        rows = self.closed if self.by_rounds else self.filled
        if not 0 < number <= len(rows) or side not in self.columns:
            return None
        row, column = rows[number - 1], self.columns.index(side)
        return row[column] if column < len(row) else None

    def all_rounds(self) -> Iterator[dict[int, int]]:
        """Every round as side and points, the open one last."""
        for row in self.closed:
            yield {seat: points for seat, points in zip(self.columns, row, strict=False) if points is not None}
        yield self.open

    def totals(self) -> dict[int, int]:
        sums = dict(zip(self.columns, self.sums, strict=True))
        return {side: sums[side] + self.open.get(side, 0) for side in self.sides}

    def total(self, side: int) -> int:
        return self.sums[self.columns.index(side)] + self.open.get(side, 0) if side in self.columns else 0

    @property
    def over(self) -> bool:
        """Whether the host finished it, the last round or category is complete, or somebody reached the target."""
        if self.finished:
            return True
        if self.by_categories:
            return not any(map(self.is_waited_for, self.sides))
        if self.by_rounds and self.setup.rounds is not None and len(self.closed) >= self.setup.rounds:
            return True
        if (target := self.setup.target) is None:
            return False
        sides = self.sides
        return any(total >= target for side, total in zip(self.columns, self.sums, strict=True) if side in sides)

    def ranks(self, totals: dict[int, int] | None = None) -> dict[int, int]:
        """Rank the sides from 1. Equal totals share a rank, and the next rank is skipped."""
        totals = self.totals() if totals is None else totals
        best_first = sorted(totals.values(), reverse=self.setup.wins == "high")
        return {side: 1 + best_first.index(total) for side, total in totals.items()}

    def best(self) -> tuple[int, ...]:
        """The sides with rank 1."""
        return tuple(side for side, rank in self.ranks().items() if rank == 1)

    def winners(self) -> tuple[Seat, ...]:
        return tuple(seat for side in self.best() for seat in self.members(side))

    # ---------------------------------------------------------------- writing on it

    def write(self, side: int, points: int, number: int = 0) -> Sheet:
        """Add points to the open round, to the category of that number, or to the running total."""
        if self.by_rounds:
            return msgspec.structs.replace(self, open={**self.open, int(side): points})
        sums = self._sums_with(side, points)
        if self.by_categories:
            latest = (number, int(side))
            return msgspec.structs.replace(self._put(side, number, points), sums=sums, latest=latest, still=False)
        return msgspec.structs.replace(self, notes=(*self.notes, (int(side), points)), sums=sums, still=False)

    def rewrite(self, side: int, number: int, points: int) -> Sheet:
        """Replace the points of a round, a category or an entry."""
        if self.by_rounds and number == self.round:
            return self.write(side, points)
        if self.by_rounds or self.by_categories:
            sums = self._sums_with(side, points - (self.cell(side, number) or 0))
            return msgspec.structs.replace(self._put(side, number, points), sums=sums)
        notes = list(self.notes)
        old, notes[number - 1] = self.notes[number - 1][1], (int(side), points)
        return msgspec.structs.replace(self, notes=tuple(notes), sums=self._sums_with(side, points - old))

    def _put(self, side: int, number: int, points: int) -> Sheet:
        rows = list(self.closed if self.by_rounds else self.filled)
        row = list(rows[number - 1])
        row += [None] * (len(self.columns) - len(row))
        row[self.columns.index(side)] = points
        rows[number - 1] = tuple(row)
        if self.by_rounds:
            return msgspec.structs.replace(self, closed=tuple(rows))
        return msgspec.structs.replace(self, filled=tuple(rows))

    def _sums_with(self, side: int, points: int) -> tuple[int, ...]:
        sums, column = list(self.sums), self.columns.index(side)
        sums[column] += points
        return tuple(sums)

    def close(self) -> Sheet:
        """Turn the open round into a row of the sheet, and open the next one."""
        row = tuple(self.open.get(seat) for seat in self.columns)
        sums = tuple(total + (points or 0) for total, points in zip(self.sums, row, strict=True))
        return msgspec.structs.replace(self, closed=(*self.closed, row), open={}, sums=sums, still=False)

    def close_if_complete(self) -> Sheet:
        return self.close() if self.by_rounds and self.open and not self.waiting() else self

    def seat(self, seat: Seat) -> Sheet:
        """Add a player to the sheet, in the smallest team if there are teams."""
        seats = (*self.seats, seat)
        if self.team_of:
            smallest = min(self.columns if self.forming else self.sides, key=lambda side: len(self.members(side)))
            return msgspec.structs.replace(self, seats=seats, team_of={**self.team_of, int(seat): smallest})
        if seat in self.columns:
            return msgspec.structs.replace(self, seats=seats)
        columns = (*self.columns, int(seat))
        return msgspec.structs.replace(self, seats=seats, columns=columns, sums=(*self.sums, 0))


def result(sheet: Sheet) -> Result | None:
    if not sheet.over:
        return None
    totals, names = sheet.totals(), sheet.setup.named_teams
    teams = {
        seat: names[side - 1] if side <= len(names) else LETTERS[side - 1]
        for seat in sheet.seats
        if (side := sheet.team_of.get(seat))
    }
    return Result(sheet.winners(), {seat: totals[sheet.side_of(seat)] for seat in sheet.seats}, teams=teams)
