"""The store in one SQLite file: durable after every commit, and forgetful where it must be."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.engine.store import Entry, Row, StoreTrouble, TableRow

SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, game TEXT NOT NULL, opened REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE versions (
    n INTEGER PRIMARY KEY, table_id TEXT NOT NULL, version INTEGER NOT NULL,
    room BLOB, state BLOB, step INTEGER NOT NULL, parent INTEGER, floor INTEGER NOT NULL,
    who INTEGER, at REAL NOT NULL, tap TEXT, lines BLOB NOT NULL,
    UNIQUE (table_id, version)
);
CREATE UNIQUE INDEX taps ON versions (table_id, tap) WHERE tap IS NOT NULL;
CREATE TABLE alarms (table_id TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX due ON alarms (at);
CREATE TABLE memory (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1;
"""
NO_LINES = b"[]"
COLUMNS = "table_id, version, room, state, step, parent, floor, who, at, tap, lines"


class SqliteStore:
    """Keeps the contract of `Store` in one file.

    Versions are appended in the order of `n`, so a page of the file is never split between two
    ballots and burning can wipe them where they lie (`secure_delete`). What the write-ahead log
    still holds of them is wiped by cutting it to nothing (a truncating checkpoint), right after
    the commit, and once more whenever the file is opened, in case the power went in between.
    """

    def __init__(self, path: Path | str) -> None:
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
        self._wal_holds_ashes = False
        run = self._db.execute
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("PRAGMA secure_delete = ON")
        if run("PRAGMA user_version").fetchone()[0] == 0:
            with self._transaction():
                if run("PRAGMA user_version").fetchone()[0] == 0:
                    for statement in SCHEMA.split(";\n"):
                        if statement.strip():
                            run(statement)
        self._cut_log()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as trouble:
            self._roll_back()
            raise StoreTrouble(str(trouble)) from trouble
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _cut_log(self) -> None:
        with contextlib.suppress(sqlite3.OperationalError):
            busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            self._wal_holds_ashes = bool(busy)

    def open_table(self, table: TableRow, first: Row) -> bool:
        try:
            with self._transaction():
                self._db.execute(
                    "INSERT INTO tables VALUES (?, ?, ?, ?)", (table.id, table.code, table.game, table.opened)
                )
                self._insert(first)
        except sqlite3.IntegrityError:
            return False
        return True

    def _insert(self, row: Row) -> None:
        self._db.execute(
            f"INSERT INTO versions ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                row.table, row.version, row.room, row.state, row.step, row.parent, row.floor,
                row.who, row.at, row.tap, row.lines,
            ),
        )  # fmt: skip

    def commit(self, row: Row, *, burn: bool = False, alarm: float | None = None) -> bool:
        run = self._db.execute
        try:
            with self._transaction():
                self._insert(row)
                if burn:
                    run(
                        "UPDATE versions SET room = NULL, state = NULL, tap = NULL"
                        " WHERE table_id = ? AND version >= ? AND version < ?",
                        (row.table, self._floor_before(row), row.version),
                    )
                if alarm is not None:
                    run("INSERT OR REPLACE INTO alarms VALUES (?, ?)", (row.table, alarm))
                else:
                    run("DELETE FROM alarms WHERE table_id = ?", (row.table,))
        except sqlite3.IntegrityError:
            return False
        if burn or self._wal_holds_ashes:
            self._cut_log()
        return True

    def _floor_before(self, row: Row) -> int:
        found = self._db.execute(
            "SELECT floor FROM versions WHERE table_id = ? AND version = ?", (row.table, row.version - 1)
        ).fetchone()
        return int(found[0]) if found else 0

    def table(self, table: str) -> TableRow | None:
        return self._table("id", table)

    def table_by_code(self, code: str) -> TableRow | None:
        return self._table("code", code)

    def _table(self, column: str, value: str) -> TableRow | None:
        found = self._db.execute(f"SELECT id, code, game, opened FROM tables WHERE {column} = ?", (value,)).fetchone()
        return TableRow(*found) if found else None

    def tables(self) -> Iterable[TableRow]:
        for found in self._db.execute("SELECT id, code, game, opened FROM tables ORDER BY opened").fetchall():
            yield TableRow(*found)

    def newest(self, table: str) -> Row | None:
        return self._row("table_id = ? ORDER BY version DESC LIMIT 1", table)

    def at(self, table: str, version: int) -> Row:
        row = self._row("table_id = ? AND version = ?", table, version)
        if row is None:
            raise LookupError(f"version {version} is not there")
        return row

    def with_tap(self, table: str, tap: str) -> Row | None:
        return self._row("table_id = ? AND tap = ?", table, tap)

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

    def due_alarms(self, now: float) -> list[str]:
        return [found[0] for found in self._db.execute("SELECT table_id FROM alarms WHERE at <= ? ORDER BY at", (now,))]

    def next_alarm(self) -> float | None:
        found = self._db.execute("SELECT MIN(at) FROM alarms").fetchone()
        return found[0] if found else None

    def remember(self, key: str, value: bytes) -> None:
        with self._transaction():
            self._db.execute("INSERT OR REPLACE INTO memory VALUES (?, ?)", (key, value))

    def recall(self, key: str) -> bytes | None:
        found = self._db.execute("SELECT value FROM memory WHERE key = ?", (key,)).fetchone()
        return found[0] if found else None

    def close(self) -> None:
        self._db.close()
