"""The contract of a store: versions of tables are appended, found again, and burnt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, Protocol

import msgspec

from companion.engine.game import KEEP


class StoreTrouble(Exception):
    """The store cannot write just now (disk full, database away); nothing has changed.

    Only a database that goes away in the very moment of a commit leaves that open: sent again, a tap counts once.
    """


class TableRow(msgspec.Struct, frozen=True):
    """What never changes about a table; but another may follow it."""

    id: str
    code: str
    """What people type: the code of the night, with a number behind it from the second table on."""
    game: str
    """Nothing, if the table was deleted and only its links lead on."""
    opened: float
    night: str = ""
    """The id of the first table that these people played tonight."""
    next: str | None = None
    """The table that they went on to."""


class Row(msgspec.Struct, frozen=True):
    """One version of a table."""

    table: str
    version: int
    room: bytes | None
    state: bytes | None
    step: int
    """The version in which the present state of the game was made."""
    parent: int | None
    """The step before that one, if it can be returned to."""
    floor: int
    """The newest version at which something was burnt; below it nothing is left to burn."""
    who: int | None
    """Who tapped; None if nobody is to know."""
    at: float
    tap: str | None
    lines: bytes


class Entry(msgspec.Struct, frozen=True):
    """The lines of one version, as the history shows them."""

    version: int
    who: int | None
    at: float
    lines: bytes


class Mark(NamedTuple):
    """How far a table has come: enough to know whether what one bears in mind still holds."""

    version: int
    floor: int
    next: str | None


def nothing_else() -> None:
    """Nobody has to be told."""


class Store(Protocol):
    """What the engine asks of a store. Whatever a method has returned from is durable.

    While one caller waits for an answer, others may ask, and be answered first.
    """

    shared: bool
    """Whether other processes write to it, too: then what we bear in mind may be out of date."""

    def open_table(self, table: TableRow, first: Row, *, after: str | None = None) -> bool:
        """Keep a new table; False if its code is taken, or if another one follows `after` already."""

    def table(self, table: str) -> TableRow | None: ...

    def table_by_code(self, code: str) -> TableRow | None: ...

    def newest(self, table: str) -> Row | None: ...

    def at(self, table: str, version: int) -> Row:
        """A version that is there for sure; raises `LookupError` if it is not."""

    def commit(
        self, row: Row, *, burn: bool = False, alarm: float | None = KEEP, durable: Callable[[], None] = nothing_else
    ) -> bool:
        """Append a version; False if somebody was quicker or this tap is in already.

        With `burn`, the states of all earlier versions are destroyed in the same transaction.
        `alarm` is when the table wants to be woken; None: not at all; `KEEP`: as it was.
        `durable` is called as soon as the version is: before what was burnt is cleared away.
        """

    def with_tap(self, table: str, tap: str) -> Row | None:
        """The version that this tap made, if it is in already."""

    def marks(self, tables: Collection[str]) -> dict[str, Mark]:
        """How far these tables have come: version 0, if only a result or a forwarding address is left of one."""

    def history(self, table: str, before: int | None = None, limit: int = 50) -> list[Entry]:
        """Entries with lines, newest first."""

    def due_alarms(self, now: float) -> list[str]: ...

    def tables(self, night: str | None = None) -> Iterable[TableRow]:
        """All tables, or those of one night, in the order in which they were opened."""

    def opened_since(self, moment: float) -> int:
        """How many tables were opened after this moment."""

    def versions(self, table: str) -> Iterable[Row]:
        """All versions of a table, oldest first."""

    def archive(self, results: Mapping[str, bytes]) -> None:
        """Keep nothing of these tables but their results."""

    def result(self, table: str) -> bytes | None:
        """What is left of a table that was archived."""

    def delete(self, tables: Iterable[str]) -> None:
        """Destroy these tables for good; links to one in the middle of a night lead on."""

    def sweep(self) -> None:
        """Clean up after burning, where that could not be done at once; whoever serves asks now and then."""

    def remember(self, key: str, value: bytes) -> None:
        """Keep something of this installation from one table to the next."""

    def recall(self, key: str) -> bytes | None: ...

    def close(self) -> None: ...
