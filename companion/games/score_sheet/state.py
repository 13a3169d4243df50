"""The score sheet as a frozen state: what is written, what it adds up to, and when the game is over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, Result, Seat

MOST = 99_999
Points = Annotated[int, Meta(title=N_("Points"), ge=-MOST, le=MOST)]


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How this table counts."""

    mode: Annotated[
        Literal["rounds", "running"],
        Meta(
            title=N_("Points come in"),
            extra={"choices": {"rounds": N_("round by round"), "running": N_("one by one, at any time")}},
        ),
    ] = "rounds"
    scorer: Annotated[
        Literal["everyone", "host"],
        Meta(
            title=N_("Who writes"),
            extra={"choices": {"everyone": N_("everybody their own"), "host": N_("the host for all")}},
        ),
    ] = "everyone"
    wins: Annotated[
        Literal["high", "low"],
        Meta(title=N_("Who wins"), extra={"choices": {"high": N_("most points"), "low": N_("fewest points")}}),
    ] = "high"
    rounds: (
        Annotated[
            int, Meta(title=N_("Number of rounds"), description=N_("Leave empty to play on and on."), ge=1, le=99)
        ]
        | None
    ) = None
    target: (
        Annotated[
            int,
            Meta(
                title=N_("Target score"),
                description=N_("The game ends once somebody gets there. Leave empty for none."),
                ge=1,
                le=MOST,
            ),
        ]
        | None
    ) = None


Row = tuple[int | None, ...]
"""A round that is complete, by columns: points, or None where nothing was written. Later columns are missing."""


class Entry(msgspec.Struct, frozen=True):
    """Points written down one by one."""

    seat: Seat
    points: int


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is written so far.

    Every version of a table keeps its whole sheet, so what is complete lies there as bare numbers, with its sum:
    a tap writes the open round, and neither adds up nor walks through the evening before it.
    """

    setup: Setup
    seats: tuple[Seat, ...]
    rounds: tuple[dict[Seat, int], ...] = ()
    """Rounds as sheets of older evenings have them, the last one open. Read, and laid down in columns at once."""
    entries: tuple[Entry, ...] = ()
    """Entries as sheets of older evenings have them. Read, and laid down as notes at once."""
    away: tuple[Seat, ...] = ()
    finished: bool = False
    columns: tuple[int, ...] = ()
    """Whose column is which. A column stays when its player leaves."""
    closed: tuple[Row, ...] = ()
    """The rounds that are complete."""
    open: dict[int, int] = {}
    """What is written in the open round."""
    notes: tuple[tuple[int, int], ...] = ()
    """Seat and points, one by one, where points do not come in rounds."""
    sums: tuple[int, ...] = ()
    """What the complete rounds, or all notes, add up to, by columns."""
    still: bool = False
    """It was taken back to this: until another round is complete, nothing is played again."""

    def __post_init__(self) -> None:
        if self.rounds or self.entries or not self.columns:
            self._lay_down()

    def _lay_down(self) -> None:
        """Give everybody a column, and what was written in an older form its place."""
        rounds = self.rounds or ({},)
        notes = tuple((int(entry.seat), entry.points) for entry in self.entries)
        whose = (*self.seats, *(seat for points in rounds for seat in points), *(seat for seat, _ in notes))
        columns = tuple(dict.fromkeys(int(seat) for seat in whose))
        closed = tuple(tuple(points.get(Seat(seat)) for seat in columns) for points in rounds[:-1])
        sums = dict.fromkeys(columns, 0)
        for seat, points in (*notes, *(cell for row in closed for cell in zip(columns, row, strict=True))):
            sums[seat] += points or 0
        laid = {
            "rounds": (), "entries": (), "columns": columns, "closed": closed, "notes": notes,
            "open": {int(seat): points for seat, points in rounds[-1].items()}, "sums": tuple(sums.values()),
        }  # fmt: skip
        for name, value in laid.items():
            msgspec.structs.force_setattr(self, name, value)

    # ---------------------------------------------------------------- reading it

    @property
    def by_rounds(self) -> bool:
        return self.setup.mode == "rounds"

    @property
    def round(self) -> int:
        """The number of the open round."""
        return len(self.closed) + 1

    def waiting_for(self) -> tuple[Seat, ...]:
        """Who has not written their points of the open round."""
        if not self.by_rounds or self.over:
            return ()
        return tuple(seat for seat in self.seats if seat not in self.open and seat not in self.away)

    def cell(self, seat: Seat, number: int) -> int | None:
        """What somebody has written in that round."""
        if number == self.round:
            return self.open.get(seat)
        if not 0 < number < self.round or seat not in self.columns:
            return None
        row, column = self.closed[number - 1], self.columns.index(seat)
        return row[column] if column < len(row) else None

    def all_rounds(self) -> Iterator[dict[int, int]]:
        """Every round, the open one last, as who has written what."""
        for row in self.closed:
            yield {seat: points for seat, points in zip(self.columns, row, strict=False) if points is not None}
        yield self.open

    def totals(self) -> dict[Seat, int]:
        sums = dict(zip(self.columns, self.sums, strict=True))
        return {seat: sums[seat] + self.open.get(seat, 0) for seat in self.seats}

    def total(self, seat: Seat) -> int:
        return self.sums[self.columns.index(seat)] + self.open.get(seat, 0) if seat in self.seats else 0

    @property
    def over(self) -> bool:
        """Finished by hand, or the last round is complete, or somebody has reached the target."""
        if self.finished:
            return True
        if self.by_rounds and self.setup.rounds is not None and len(self.closed) >= self.setup.rounds:
            return True
        if (target := self.setup.target) is None:
            return False
        return any(total >= target for seat, total in zip(self.columns, self.sums, strict=True) if seat in self.seats)

    def ranks(self, totals: dict[Seat, int] | None = None) -> dict[Seat, int]:
        """1 for the best; equal totals share a rank, and the next one is skipped."""
        totals = self.totals() if totals is None else totals
        best_first = sorted(totals.values(), reverse=self.setup.wins == "high")
        return {seat: 1 + best_first.index(total) for seat, total in totals.items()}

    def winners(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, rank in self.ranks().items() if rank == 1)

    # ---------------------------------------------------------------- writing on it

    def write(self, seat: Seat, points: int) -> Sheet:
        if self.by_rounds:
            return msgspec.structs.replace(self, open={**self.open, int(seat): points})
        notes = (*self.notes, (int(seat), points))
        return msgspec.structs.replace(self, notes=notes, sums=self._sums_with(seat, points), still=False)

    def rewrite(self, seat: Seat, number: int, points: int) -> Sheet:
        """Other points in a cell that is written: of a round, or the note of that number."""
        if not self.by_rounds:
            notes = list(self.notes)
            old, notes[number - 1] = self.notes[number - 1][1], (int(seat), points)
            return msgspec.structs.replace(self, notes=tuple(notes), sums=self._sums_with(seat, points - old))
        if number == self.round:
            return self.write(seat, points)
        closed, row = list(self.closed), list(self.closed[number - 1])
        column = self.columns.index(seat)
        old, row[column] = row[column] or 0, points
        closed[number - 1] = tuple(row)
        return msgspec.structs.replace(self, closed=tuple(closed), sums=self._sums_with(seat, points - old))

    def _sums_with(self, seat: Seat, points: int) -> tuple[int, ...]:
        sums, column = list(self.sums), self.columns.index(seat)
        sums[column] += points
        return tuple(sums)

    def close(self) -> Sheet:
        """The open round is complete: it becomes a row of the sheet, and the next one is open."""
        row = tuple(self.open.get(seat) for seat in self.columns)
        sums = tuple(total + (points or 0) for total, points in zip(self.sums, row, strict=True))
        return msgspec.structs.replace(self, closed=(*self.closed, row), open={}, sums=sums, still=False)

    def close_if_complete(self) -> Sheet:
        return self.close() if self.by_rounds and self.open and not self.waiting_for() else self

    def seat(self, seat: Seat) -> Sheet:
        """Somebody more is on the sheet."""
        seats = (*self.seats, seat)
        if seat in self.columns:
            return msgspec.structs.replace(self, seats=seats)
        columns = (*self.columns, int(seat))
        return msgspec.structs.replace(self, seats=seats, columns=columns, sums=(*self.sums, 0))


def result(sheet: Sheet) -> Result | None:
    return Result(sheet.winners(), sheet.totals()) if sheet.over else None
