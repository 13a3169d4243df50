"""What is kept in an SQLite file, found again."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable

from companion.engine.store import Entry, Mark, Row, TableRow

NO_LINES = b"[]"
COLUMNS = "table_id, version, room, state, step, parent, floor, who, at, tap, lines"
TABLE_COLUMNS = "id, code, game, opened, night, next"


class Reading:
    """The questions of the contract of `Store`; each is read to its end at once: who reads on holds up who burns."""

    _db: sqlite3.Connection

    def table(self, table: str) -> TableRow | None:
        return self._table("id", table)

    def table_by_code(self, code: str) -> TableRow | None:
        return self._table("code", code)

    def _table(self, column: str, value: str) -> TableRow | None:
        found = self._db.execute(f"SELECT {TABLE_COLUMNS} FROM tables WHERE {column} = ?", (value,)).fetchone()
        return TableRow(*found) if found else None

    def tables(self, night: str | None = None) -> Iterable[TableRow]:
        where, values = ("WHERE night = ?", (night,)) if night is not None else ("", ())
        found = self._db.execute(f"SELECT {TABLE_COLUMNS} FROM tables {where} ORDER BY opened", values).fetchall()
        return [TableRow(*row) for row in found]

    def opened_since(self, moment: float) -> int:
        found = self._db.execute("SELECT count(*) FROM tables WHERE opened > ?", (moment,)).fetchone()
        return int(found[0])

    def newest(self, table: str) -> Row | None:
        return self._row("table_id = ? ORDER BY version DESC LIMIT 1", table)

    def at(self, table: str, version: int) -> Row:
        row = self._row("table_id = ? AND version = ?", table, version)
        if row is None:
            raise LookupError(f"version {version} is not there")
        return row

    def with_tap(self, table: str, tap: str) -> Row | None:
        return self._row("table_id = ? AND tap = ?", table, tap)

    def marks(self, tables: Collection[str]) -> dict[str, Mark]:
        found = {}
        for table in tables:
            mark = self._db.execute(
                "SELECT coalesce(version, 0), coalesce(floor, 0), next FROM tables LEFT JOIN versions ON table_id = id"
                " WHERE id = ? ORDER BY version DESC LIMIT 1",
                (table,),
            ).fetchone()
            if mark:
                found[table] = Mark(*mark)
        return found

    def _row(self, where: str, *values: object) -> Row | None:
        found = self._db.execute(f"SELECT {COLUMNS} FROM versions WHERE {where}", values).fetchone()
        return Row(*found) if found else None

    def history(self, table: str, before: int | None = None, limit: int = 50) -> list[Entry]:
        found = self._db.execute(
            "SELECT version, who, at, lines FROM versions WHERE table_id = ? AND version < ? AND lines <> ?"
            " ORDER BY version DESC LIMIT ?",
            (table, before if before is not None else 1 << 62, NO_LINES, limit),
        ).fetchall()
        return [Entry(*entry) for entry in found]

    def versions(self, table: str) -> Iterable[Row]:
        found = self._db.execute(f"SELECT {COLUMNS} FROM versions WHERE table_id = ? ORDER BY version", (table,))
        return (Row(*row) for row in found.fetchall())

    def result(self, table: str) -> bytes | None:
        found = self._db.execute("SELECT result FROM results WHERE table_id = ?", (table,)).fetchone()
        return found[0] if found else None

    def due_alarms(self, now: float) -> list[str]:
        found = self._db.execute("SELECT table_id FROM alarms WHERE at <= ? ORDER BY at", (now,)).fetchall()
        return [table for (table,) in found]

    def recall(self, key: str) -> bytes | None:
        found = self._db.execute("SELECT value FROM memory WHERE key = ?", (key,)).fetchone()
        return found[0] if found else None
