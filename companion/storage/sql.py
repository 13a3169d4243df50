"""What both stores do with SQL, written once."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Protocol, TypeVar

import gevent

from companion.engine.store import AppliedTap, StoredLines, TableHead, TableRow, Touched, Unreadable, Version
from companion.storage.schema import COLUMNS, JOIN_NEWEST, insert_into
from companion.storage.sealing import Box, SealedVersion, Sealer, Secret, VersionRow

T = TypeVar("T")
NO_LINES = b"[]"
OPENED_SINCE = "FROM tables WHERE opened > ? AND replace(code, '.', '') = code AND"
"""The tables that were opened after a moment: those that people went on to have a number behind their code."""
JOINED = (
    "(EXISTS (SELECT 1 FROM results WHERE table_id = id)"
    " OR EXISTS (SELECT 1 FROM versions WHERE table_id = id AND who > 0))"
)
"""A game that was started has a result; a version by a seat is there as soon as somebody has sat down."""
VERSIONS_PER_READ = 20
"""How many versions of a long table are read before other greenlets run."""
KEEP_RESULT = "INSERT INTO results VALUES (?, ?) ON CONFLICT (table_id) DO UPDATE SET result = excluded.result"
READ_AGAIN = 5
"""How often the newest version is read again if another process burns it in the meantime."""

WrappedKey = tuple[str, int, bytes]
"""Table, burn floor, key."""


class Run(Protocol):
    """Executes a statement in a transaction, and returns its cursor."""

    def __call__(self, statement: str, *values: object) -> Any: ...


class SqlStore(ABC):
    """Keeps the contract of `Store` with SQL that SQLite and PostgreSQL both understand; `?` stands for a value."""

    secret: Secret
    conflict: ClassVar[type[Exception]]
    """What the database raises when a unique key is taken."""

    def __init__(self) -> None:
        self._sealer = Sealer(self._find_box, lambda table, version: self._row("version = ?", table, version))

    def forget(self, table: str | None) -> None:
        self._sealer.forget(table)

    @abstractmethod
    def _find_box(self, table: str, burn_floor: int) -> Box | None:
        """The box of these versions; None if it was burnt; raises `Unreadable` if its key is lost."""

    @abstractmethod
    def reading(self) -> contextlib.AbstractContextManager[tuple[Any, dict[str, Box]]]:
        """A connection with a consistent view of the store and its keys, while others go on writing."""

    @abstractmethod
    def wrap_again(self) -> None:
        """Wrap every key with the installation's newest secret."""

    @abstractmethod
    def _add_key(self, run: Run, table: str, burn_floor: int) -> Box:
        """A first key for a new table, durable before or with this transaction."""

    @abstractmethod
    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows that a query finds."""

    @abstractmethod
    def _transaction(self, work: Callable[[Run], T]) -> T:
        """Do all of this work, durably, or none of it."""

    def _long_transaction(self, work: Callable[[Run], T]) -> T:
        """The same for work that takes long, and that cannot be done twice."""
        return self._transaction(work)

    def _notify(self, run: Run, table: str) -> None:  # noqa: B027  where there is one process, nobody has to know
        """Let other processes know that more than a version of this table has changed."""

    def _claim(self, run: Run, table: str) -> bool:
        """Whether this table's versions are still there; from now on, nothing is added to them."""
        return run("SELECT 1 FROM versions WHERE table_id = ? LIMIT 1", table).fetchone() is not None

    # ---------------------------------------------------------------- reading

    def _one(self, query: str, *values: object) -> tuple[Any, ...] | None:
        return next(iter(self._all(query, *values)), None)

    def table(self, table: str) -> TableRow | None:
        return self._table("id", table)

    def table_by_code(self, code: str) -> TableRow | None:
        return self._table("code", code)

    def _table(self, column: str, value: str) -> TableRow | None:
        found = self._one(f"SELECT {COLUMNS['tables']} FROM tables WHERE {column} = ?", value)
        return TableRow(*found) if found else None

    def tables(self, night: str | None = None) -> Iterable[TableRow]:
        where, values = ("WHERE night = ?", (night,)) if night is not None else ("", ())
        found = self._all(f"SELECT {COLUMNS['tables']} FROM tables {where} ORDER BY opened", *values)
        return [TableRow(*row) for row in found]

    def opened_since(self, moment: float) -> int:
        found = self._one(f"SELECT count(*) {OPENED_SINCE} {JOINED}", moment)
        return int(found[0]) if found else 0

    def empty_since(self, moment: float) -> list[str]:
        return [table for (table,) in self._all(f"SELECT id {OPENED_SINCE} NOT {JOINED}", moment)]

    def newest(self, table: str) -> Version | None:
        for _ in range(READ_AGAIN):
            row = self._row("true ORDER BY version DESC LIMIT 1", table)
            version = None if row is None else self._sealer.open(row, {})
            if version is None or version.room is not None:
                return version
        raise Unreadable("its key was destroyed")

    def at(self, table: str, version: int) -> Version:
        row = self._row("version = ?", table, version)
        if row is None:
            raise LookupError(f"version {version} is not there")
        return self._sealer.open(row, {})

    def with_tap(self, table: str, tap: str) -> AppliedTap | None:
        head = self.heads([table]).get(table)
        box = None if head is None or not head.version else self._sealer.box(table, head.burn_floor)
        if box is None:
            return None
        query = "SELECT version, who, at FROM versions WHERE table_id = ? AND tap = ?"
        found = self._one(query, table, box.hash_tap(tap))
        return AppliedTap(*found) if found else None

    def _row(self, where: str, table: str, *values: object) -> VersionRow | None:
        query = f"SELECT {COLUMNS['versions']} FROM versions WHERE table_id = ? AND {where}"
        found = self._one(query, table, *values)
        return VersionRow(*found) if found else None

    def heads(self, tables: Collection[str]) -> dict[str, TableHead]:
        marks = ", ".join("?" * len(tables))
        found = self._all(
            "SELECT id, coalesce(version, 0), coalesce(floor, 0), next"
            f" FROM tables LEFT {JOIN_NEWEST} WHERE id IN ({marks})",
            *tables,
        )
        return {table: TableHead(*head) for table, *head in found}

    def touched(self) -> dict[str, Touched]:
        found = self._all(f"SELECT id, version, at FROM tables {JOIN_NEWEST}")
        return {table: Touched(version, at) for table, version, at in found}

    def history(self, table: str, before: int | None = None, limit: int = 50) -> list[StoredLines]:
        found = self._all(
            "SELECT version, floor, at, lines, private FROM versions WHERE table_id = ? AND version < ?"
            " AND (lines <> ? OR private IS NOT NULL) ORDER BY version DESC LIMIT ?",
            table, before if before is not None else 1 << 62, NO_LINES, limit,
        )  # fmt: skip
        return [
            StoredLines(version, at, self._sealer.lines(table, version, floor, private) or lines)
            for version, floor, at, lines, private in found
        ]

    def steps(self, table: str) -> list[tuple[int, int]]:
        floor = "coalesce((SELECT floor FROM versions WHERE table_id = ? ORDER BY version DESC LIMIT 1), 0)"
        query = f"SELECT version, step FROM versions WHERE table_id = ? AND version >= {floor} ORDER BY version"
        return [(version, step) for version, step in self._all(query, table, table)]

    def versions(self, table: str, wanted: Sequence[int]) -> Iterator[Version]:
        bases: dict[int, bytes] = {}
        for first in range(0, len(wanted), VERSIONS_PER_READ):
            numbers = wanted[first : first + VERSIONS_PER_READ]
            marks = ", ".join("?" * len(numbers))
            where = f"table_id = ? AND version IN ({marks}) ORDER BY version"
            for row in self._all(f"SELECT {COLUMNS['versions']} FROM versions WHERE {where}", table, *numbers):
                yield self._sealer.open(VersionRow(*row), bases)
            gevent.sleep(0)

    def result(self, table: str) -> bytes | None:
        found = self._one("SELECT result FROM results WHERE table_id = ?", table)
        return found[0] if found else None

    def due_alarms(self, now: float) -> list[str]:
        return [table for (table,) in self._all("SELECT table_id FROM alarms WHERE at <= ? ORDER BY at", now)]

    def recall(self, key: str) -> bytes | None:
        found = self._one("SELECT value FROM memory WHERE key = ?", key)
        return found[0] if found else None

    # ---------------------------------------------------------------- writing

    def open_table(self, table: TableRow, first: Version, *, after: str | None = None) -> bool:
        row = (table.id, table.code, table.game, table.opened, table.night or table.id, table.next)

        def work(run: Run) -> SealedVersion:
            run(insert_into("tables"), *row)
            sealed = self._sealer.seal(first, self._add_key(run, table.id, first.burn_floor))
            run(insert_into("versions"), *sealed.row)
            if after is not None:
                if run("UPDATE tables SET next = ? WHERE id = ? AND next IS NULL", table.id, after).rowcount != 1:
                    raise self.conflict("another table follows already")
                self._notify(run, after)
            return sealed

        try:
            self._sealer.committed(self._transaction(work))
        except self.conflict:
            return False
        return True

    def join_night(self, table: str, night: str) -> None:
        self._transaction(lambda run: run("UPDATE tables SET night = ? WHERE id = ?", night, table))

    def fill(self, rows: Mapping[str, Iterable[Sequence[object]]], keys: Collection[WrappedKey]) -> None:
        """Put a backup into this empty store: the rows of each table, and the keys that open them."""

        def work(run: Run) -> None:
            for table, found in rows.items():
                run(f"DELETE FROM {table}")  # a companion that has run here has left its notes
                for row in found:
                    run(insert_into(table), *row)
            self._fill_keys(run, keys)

        self._long_transaction(work)

    @abstractmethod
    def _fill_keys(self, run: Run, keys: Collection[WrappedKey]) -> None:
        """Store these keys, wrapped with this installation's secret."""

    def archive(self, results: Mapping[str, bytes]) -> None:
        for table, result in sorted(results.items()):
            self._transaction(partial(self._archive, table, result))
            gevent.sleep(0)

    def _archive(self, table: str, result: bytes, run: Run) -> None:
        # If several processes archive together, the first result counts.
        if self._claim(run, table):
            self._wipe(run, table)
            run(KEEP_RESULT, table, result)

    def keep_result(self, table: str, result: bytes) -> None:
        self._transaction(lambda run: run(KEEP_RESULT, table, result))

    def delete(self, tables: Iterable[str]) -> None:
        def work(run: Run) -> None:
            for table in sorted(tables):
                self._claim(run, table)
                self._wipe(run, table)
                run("DELETE FROM results WHERE table_id = ?", table)
                # A table in the middle of a night leaves nothing but a forwarding address for its links.
                run("UPDATE tables SET game = '', opened = 0 WHERE id = ?", table)
            # The last one leaves nothing, and neither does an address that leads nowhere.
            while found := run(
                "SELECT id FROM tables WHERE game = '' AND (next IS NULL OR next NOT IN (SELECT id FROM tables))"
            ).fetchall():
                for (table,) in found:
                    for (before,) in run("SELECT id FROM tables WHERE next = ?", table).fetchall():
                        run("UPDATE tables SET next = NULL WHERE id = ?", before)
                        self._notify(run, before)
                    run("DELETE FROM tables WHERE id = ?", table)

        self._transaction(work)

    def _wipe(self, run: Run, table: str) -> None:
        run("DELETE FROM versions WHERE table_id = ?", table)
        run("DELETE FROM alarms WHERE table_id = ?", table)
        self._notify(run, table)

    def remember(self, key: str, value: bytes) -> None:
        upsert = "INSERT INTO memory VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        self._transaction(lambda run: run(upsert, key, value))
