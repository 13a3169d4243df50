"""The contract of a store: the versions of tables are appended, read back, and burnt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from companion.game import KEEP


class StoreTrouble(Exception):
    """The store cannot write now (disk full, database away). Nothing has changed.

    Only a database that goes away during the commit itself leaves that open: the tap may be sent again, and counts
    once.
    """


class Unreadable(Exception):
    """The state of this table cannot be read: its key is lost, or its data is damaged. Other tables go on."""


class TableRow(msgspec.Struct, frozen=True):
    """What rarely changes about a table: the next table, and the night it belongs to."""

    id: str
    code: str
    """What people type: the code of the night, with a number behind it from the second table on."""
    game: str
    """Empty if the table was deleted and only its links lead on."""
    opened: float
    night: str = ""
    """The id of the first table that was played tonight: by these people, or on this shared screen."""
    next: str | None = None
    """The table that they went on to."""


class Version(msgspec.Struct, frozen=True):
    """One version of a table as it is stored."""

    table: str
    version: int
    room: bytes | None
    """None once it was burnt; so is `state`."""
    state: bytes | None
    step: int
    """The version in which the present state of the game was made."""
    parent: int | None
    """The step before that one, if it can be taken back to."""
    burn_floor: int
    """The newest version that burnt everything before it; it may be this one."""
    who: int | None
    """Who tapped; None if nobody is to know."""
    at: float
    tap: str | None
    """The id of the tap that made it; a store keeps it as a keyed hash only."""
    lines: bytes
    """What everybody may read."""
    private: bytes | None = None
    """All lines, if some of them are for some seats only."""


class AppliedTap(NamedTuple):
    """What a tap that was applied already has made."""

    version: int
    who: int | None
    at: float


class StoredLines(msgspec.Struct, frozen=True):
    """The history lines of one version."""

    version: int
    at: float
    lines: bytes


class TableHead(NamedTuple):
    """A table's newest version number: enough to know whether a cached snapshot is up to date."""

    version: int
    burn_floor: int
    next: str | None


class Touched(NamedTuple):
    """The newest version of a table, and when it was made."""

    version: int
    at: float


class Store(Protocol):
    """What the engine asks of a store. When a method returns, what it wrote is durable.

    A store may switch to other greenlets while it waits for its database.
    """

    shared: bool
    """Whether other processes serve from it, too: then every request first asks how far its table has come."""

    def open_table(self, table: TableRow, first: Version, *, after: str | None = None) -> bool:
        """Store a new table; False if its code is taken, or if another one follows `after` already."""

    def join_night(self, table: str, night: str) -> None:
        """Move this table to that night."""

    def table(self, table: str) -> TableRow | None: ...

    def table_by_code(self, code: str) -> TableRow | None: ...

    def newest(self, table: str) -> Version | None: ...

    def at(self, table: str, version: int) -> Version:
        """A version that must be there; raises `LookupError` if it is not."""

    def commit(self, version: Version, *, alarm: float | None = KEEP, result: bytes | None = None) -> bool:
        """Append a version; False if another one took its number, or if this tap was applied already.

        A version that is its own `burn_floor` is sealed with a fresh key; `destroy_burnt` then makes earlier ones
        unreadable. `alarm` is when the table wants to be woken; None: not at all; `KEEP`: as it was.
        `result` is what everybody may know of the table without its key, if that has changed.
        """

    def destroy_burnt(self, table: str) -> None:
        """Destroy the key of what this table has burnt; returns when it is gone."""

    def forget(self, table: str | None) -> None:
        """Keep nothing of this table in memory, or (None) of any: something was burnt."""

    def recover(self) -> None:
        """Destroy keys that a crash has left and no newest version needs; a server calls this before it serves."""

    def maintain(self) -> None:
        """Finish postponed work. The server calls this regularly."""

    def with_tap(self, table: str, tap: str) -> AppliedTap | None:
        """What this tap has made, if it was applied already."""

    def heads(self, tables: Collection[str]) -> dict[str, TableHead]:
        """How far these tables have come: version 0 if only a result or a forwarding address is left of one."""

    def touched(self) -> dict[str, Touched]:
        """When each table of which more than a result is left was touched last."""

    def history(self, table: str, before: int | None = None, limit: int = 50) -> list[StoredLines]:
        """Versions with lines, newest first."""

    def due_alarms(self, now: float) -> list[str]: ...

    def tables(self, night: str | None = None) -> Iterable[TableRow]:
        """All tables, or those of one night, in the order in which they were opened."""

    def opened_since(self, moment: float) -> int:
        """How many tables were opened after this moment, without empty ones and those that people went on to."""

    def empty_since(self, moment: float) -> list[str]:
        """The tables that were opened after this moment and at which nobody has ever sat down."""

    def steps(self, table: str) -> list[tuple[int, int]]:
        """Version and step of every version that was not burnt, oldest first."""

    def versions(self, table: str, wanted: Sequence[int]) -> Iterator[Version]:
        """These versions of a table, read a few at a time: other tables' taps are served in between."""

    def archive(self, results: Mapping[str, bytes]) -> None:
        """Keep nothing of these tables but their results."""

    def keep_result(self, table: str, result: bytes) -> None:
        """Store what everybody may know of a table, in the clear."""

    def result(self, table: str) -> bytes | None:
        """What everybody may know of a table without its key: all that is left of one that was archived."""

    def delete(self, tables: Iterable[str]) -> None:
        """Destroy these tables for good; links to one in the middle of a night lead on."""

    def remember(self, key: str, value: bytes) -> None:
        """Store a value of this installation that outlives its tables."""

    def recall(self, key: str) -> bytes | None: ...

    def close(self) -> None: ...
