"""What both stores do with SQL, written once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, ClassVar, Protocol

import msgspec

from companion.engine.store import StoredLines, TableHead, TableRow, Version

NO_LINES = b"[]"
TABLE_COLUMNS = "id, code, game, opened, night, next"
VERSION_COLUMNS = "table_id, version, room, state, step, parent, floor, who, at, tap, lines"
"""In the order of `Version`'s fields."""


class Run(Protocol):
    """Executes a statement in a transaction, and returns its cursor."""

    def __call__(self, statement: str, *values: object) -> Any: ...


class SqlStore(ABC):
    """Keeps the contract of `Store` with SQL that SQLite and PostgreSQL both understand; `?` stands for a value."""

    conflict: ClassVar[type[Exception]]
    """What the database raises when a unique key is taken."""

    @abstractmethod
    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows that a query finds."""

    @abstractmethod
    def _transaction(self, work: Callable[[Run], None]) -> None:
        """Do all of this work, durably, or none of it."""

    def _notify(self, run: Run, table: str) -> None:  # noqa: B027  where there is one process, nobody has to know
        """Let other processes know that more than a version of this table has changed."""

    def _claim(self, run: Run, table: str) -> bool:  # noqa: ARG002
        """Whether this table's versions are still there; from now on, nothing is added to them."""
        return True

    # ---------------------------------------------------------------- reading

    def _one(self, query: str, *values: object) -> tuple[Any, ...] | None:
        return next(iter(self._all(query, *values)), None)

    def table(self, table: str) -> TableRow | None:
        return self._table("id", table)

    def table_by_code(self, code: str) -> TableRow | None:
        return self._table("code", code)

    def _table(self, column: str, value: str) -> TableRow | None:
        found = self._one(f"SELECT {TABLE_COLUMNS} FROM tables WHERE {column} = ?", value)
        return TableRow(*found) if found else None

    def tables(self, night: str | None = None) -> Iterable[TableRow]:
        where, values = ("WHERE night = ?", (night,)) if night is not None else ("", ())
        found = self._all(f"SELECT {TABLE_COLUMNS} FROM tables {where} ORDER BY opened", *values)
        return [TableRow(*row) for row in found]

    def opened_since(self, moment: float) -> int:
        found = self._one("SELECT count(*) FROM tables WHERE opened > ?", moment)
        return int(found[0]) if found else 0

    def newest(self, table: str) -> Version | None:
        return self._version("table_id = ? ORDER BY version DESC LIMIT 1", table)

    def at(self, table: str, version: int) -> Version:
        found = self._version("table_id = ? AND version = ?", table, version)
        if found is None:
            raise LookupError(f"version {version} is not there")
        return found

    def with_tap(self, table: str, tap: str) -> Version | None:
        return self._version("table_id = ? AND tap = ?", table, tap)

    def _version(self, where: str, *values: object) -> Version | None:
        found = self._one(f"SELECT {VERSION_COLUMNS} FROM versions WHERE {where}", *values)
        return Version(*found) if found else None

    def heads(self, tables: Collection[str]) -> dict[str, TableHead]:
        marks = ", ".join("?" * len(tables))
        found = self._all(
            "SELECT id, coalesce(version, 0), coalesce(floor, 0), next FROM tables LEFT JOIN versions"
            " ON table_id = id AND version = (SELECT max(version) FROM versions WHERE table_id = id)"
            f" WHERE id IN ({marks})",
            *tables,
        )
        return {table: TableHead(*head) for table, *head in found}

    def history(self, table: str, before: int | None = None, limit: int = 50) -> list[StoredLines]:
        found = self._all(
            "SELECT version, at, lines FROM versions WHERE table_id = ? AND version < ? AND lines <> ?"
            " ORDER BY version DESC LIMIT ?",
            table, before if before is not None else 1 << 62, NO_LINES, limit,
        )  # fmt: skip
        return [StoredLines(*row) for row in found]

    def versions(self, table: str) -> Iterable[Version]:
        found = self._all(f"SELECT {VERSION_COLUMNS} FROM versions WHERE table_id = ? ORDER BY version", table)
        return (Version(*row) for row in found)

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

        def work(run: Run) -> None:
            run(f"INSERT INTO tables ({TABLE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", *row)
            values = msgspec.structs.astuple(first)
            marks = ", ".join("?" * len(values))
            run(f"INSERT INTO versions ({VERSION_COLUMNS}) VALUES ({marks})", *values)
            if after is not None:
                if run("UPDATE tables SET next = ? WHERE id = ? AND next IS NULL", table.id, after).rowcount != 1:
                    raise self.conflict("another table follows already")
                self._notify(run, after)

        try:
            self._transaction(work)
        except self.conflict:
            return False
        return True

    def archive(self, results: Mapping[str, bytes]) -> None:
        def work(run: Run) -> None:
            for table, result in sorted(results.items()):
                # Of several processes that archive at once, the first one's result counts.
                if self._claim(run, table):
                    self._wipe(run, table)
                    run("INSERT INTO results VALUES (?, ?) ON CONFLICT DO NOTHING", table, result)

        self._transaction(work)

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
