"""The store in PostgreSQL: for any number of server processes, on any number of machines.

What is burnt is blanked in the same transaction, and no question to the database finds it any more.
But PostgreSQL writes a new row and leaves the old one as a dead one, until a vacuum; the file's pages
and the write-ahead log may hold its bytes for longer, and so do base backups. The vacuum follows
soon after a burn; the rest is said in the README, where we promise that sealed means gone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import psycopg

from companion.engine.game import KEEP
from companion.engine.pool import Line, Pool
from companion.engine.postgres_commit import COLUMNS, statement
from companion.engine.postgres_schema import bring_up_to_date
from companion.engine.store import Entry, Mark, Row, StoreTrouble, TableRow, nothing_else

log = logging.getLogger("companion")

BELL = "companion"
"""The channel on which every process hears what the others have kept."""
NO_LINES = b"[]"
TABLE_COLUMNS = "id, code, game, opened, night, next"
VALUES = ", ".join(["%s"] * 11)

INSERT = f"INSERT INTO versions ({COLUMNS}) VALUES ({VALUES})"


def plain(text: str | None) -> str | None:
    """PostgreSQL keeps every character but one, which nobody can see either."""
    return None if text is None else text.replace("\0", "\N{SYMBOL FOR NULL}")


class PostgresStore:
    """Keeps the contract of `Store`, together with any number of others who do the same."""

    shared = True

    def __init__(self, address: str) -> None:
        self.address = address
        self.pool = Pool(address)
        self.ashes = False
        """Whether something was burnt here that no vacuum has followed yet."""
        try:
            self.pool.run(bring_up_to_date)
        except BaseException:
            self.close()
            raise

    # ---------------------------------------------------------------- tables and their versions

    def open_table(self, table: TableRow, first: Row, *, after: str | None = None) -> bool:
        def work(db: Line) -> bool:
            try:
                with db.transaction():
                    db.execute(
                        f"INSERT INTO tables ({TABLE_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s)",
                        (table.id, table.code, table.game, table.opened, table.night or table.id, table.next),
                    )
                    db.execute(INSERT, astuple(first))
                    if after is not None:
                        moved = db.execute(
                            "UPDATE tables SET next = %s WHERE id = %s AND next IS NULL", (table.id, after)
                        )
                        if moved.rowcount != 1:
                            raise psycopg.IntegrityError("somebody has opened the next table already")
                        ring(db, after)
            except psycopg.IntegrityError:
                return False
            return True

        return self.pool.run(work)

    def commit(
        self, row: Row, *, burn: bool = False, alarm: float | None = KEEP, durable: Callable[[], None] = nothing_else
    ) -> bool:
        values = {
            "table": row.table, "version": row.version, "room": row.room, "state": row.state, "step": row.step,
            "parent": row.parent, "floor": row.floor, "who": row.who, "at": row.at, "tap": plain(row.tap),
            "lines": row.lines, "alarm": alarm, "bell": BELL, "message": f"{row.table} {row.version} {row.floor}",
        }  # fmt: skip
        sure = True

        def work(db: Line) -> bool:
            nonlocal sure
            try:
                done = db.execute(statement(burn=burn, alarm=alarm), values).fetchone()
            except psycopg.OperationalError:
                sure = False
                raise
            if done is None and not sure:
                # If the connection broke after the commit and before its answer, the version that is there is our own.
                there = "SELECT who, at, lines FROM versions WHERE table_id = %s AND version = %s"
                return db.execute(there, (row.table, row.version)).fetchone() == (row.who, row.at, row.lines)
            return done is not None

        done = self.pool.run(work)
        self.ashes = self.ashes or (done and burn)
        if done:
            durable()
        return done

    def table(self, table: str) -> TableRow | None:
        return self._table("id", table)

    def table_by_code(self, code: str) -> TableRow | None:
        return self._table("code", code)

    def _table(self, column: str, value: str) -> TableRow | None:
        found = self._one(f"SELECT {TABLE_COLUMNS} FROM tables WHERE {column} = %s", plain(value))
        return TableRow(*found) if found else None

    def tables(self, night: str | None = None) -> Iterable[TableRow]:
        where, values = ("WHERE night = %s", (plain(night),)) if night is not None else ("", ())
        return [
            TableRow(*row) for row in self._all(f"SELECT {TABLE_COLUMNS} FROM tables {where} ORDER BY opened", *values)
        ]

    def opened_since(self, moment: float) -> int:
        found = self._one("SELECT count(*) FROM tables WHERE opened > %s", moment)
        return int(found[0]) if found else 0

    def newest(self, table: str) -> Row | None:
        return self._row("table_id = %s ORDER BY version DESC LIMIT 1", table)

    def at(self, table: str, version: int) -> Row:
        row = self._row("table_id = %s AND version = %s", table, version)
        if row is None:
            raise LookupError(f"version {version} is not there")
        return row

    def with_tap(self, table: str, tap: str) -> Row | None:
        return self._row("table_id = %s AND tap = %s", table, plain(tap))

    def marks(self, tables: Collection[str]) -> dict[str, Mark]:
        found = self._all(
            "SELECT id, coalesce(version, 0), coalesce(floor, 0), next FROM tables LEFT JOIN LATERAL"
            " (SELECT version, floor FROM versions WHERE table_id = id ORDER BY version DESC LIMIT 1) AS newest ON true"
            " WHERE id = ANY(%s)",
            list(tables),
        )
        return {table: Mark(version, floor, following) for table, version, floor, following in found}

    def _row(self, where: str, *values: object) -> Row | None:
        found = self._one(f"SELECT {COLUMNS} FROM versions WHERE {where}", *values)
        return Row(*found) if found else None

    def history(self, table: str, before: int | None = None, limit: int = 50) -> list[Entry]:
        found = self._all(
            "SELECT version, who, at, lines FROM versions WHERE table_id = %s AND version < %s AND lines <> %s"
            " ORDER BY version DESC LIMIT %s",
            table, before if before is not None else 1 << 62, NO_LINES, limit,
        )  # fmt: skip
        return [Entry(*entry) for entry in found]

    def versions(self, table: str) -> Iterable[Row]:
        found = self._all(f"SELECT {COLUMNS} FROM versions WHERE table_id = %s ORDER BY version", table)
        return (Row(*row) for row in found)

    # ---------------------------------------------------------------- afterwards

    def archive(self, results: Mapping[str, bytes]) -> None:
        def work(db: Line) -> None:
            with db.transaction():
                for table, result in sorted(results.items()):
                    # Of several processes that tidy up at once, the first one's result counts.
                    if db.execute("UPDATE tables SET whole = false WHERE id = %s AND whole", (table,)).rowcount:
                        wipe(db, table)
                        db.execute("INSERT INTO results VALUES (%s, %s) ON CONFLICT DO NOTHING", (table, result))

        self.pool.run(work)
        self.ashes = True

    def result(self, table: str) -> bytes | None:
        found = self._one("SELECT result FROM results WHERE table_id = %s", table)
        return found[0] if found else None

    def delete(self, tables: Iterable[str]) -> None:
        tables = sorted(tables)

        def work(db: Line) -> None:
            with db.transaction():
                for table in tables:
                    # A table in the middle of a night leaves nothing but a forwarding address for its links.
                    db.execute("UPDATE tables SET game = '', opened = 0, whole = false WHERE id = %s", (table,))
                    wipe(db, table)
                    db.execute("DELETE FROM results WHERE table_id = %s", (table,))
                # The last one leaves nothing, and neither does an address that leads nowhere.
                while found := db.execute(
                    "DELETE FROM tables WHERE game = '' AND (next IS NULL OR next NOT IN (SELECT id FROM tables))"
                    " RETURNING id"
                ).fetchall():
                    for (table,) in found:
                        before = db.execute("UPDATE tables SET next = NULL WHERE next = %s RETURNING id", (table,))
                        for (one,) in before.fetchall():
                            ring(db, one)

        self.pool.run(work)
        self.ashes = True

    def tell(self, message: str) -> None:
        """To every process that listens."""
        self.pool.run(lambda db: db.execute("SELECT pg_notify(%s, %s)", (BELL, message)))

    def sweep(self) -> None:
        """What was burnt or deleted leaves the table's pages: outside any transaction, and nobody waits for it."""
        if self.ashes:
            self.ashes = False
            try:
                self.pool.run(lambda db: db.execute("VACUUM (TRUNCATE false, SKIP_LOCKED) versions"))
            except StoreTrouble:
                self.ashes = True

    # ---------------------------------------------------------------- alarms and memory

    def due_alarms(self, now: float) -> list[str]:
        return [found[0] for found in self._all("SELECT table_id FROM alarms WHERE at <= %s ORDER BY at", now)]

    def remember(self, key: str, value: bytes) -> None:
        self.pool.run(
            lambda db: db.execute(
                "INSERT INTO memory VALUES (%s, %s) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (key, value),
            )
        )

    def recall(self, key: str) -> bytes | None:
        found = self._one("SELECT value FROM memory WHERE key = %s", key)
        return found[0] if found else None

    def close(self) -> None:
        self.pool.close()

    def _one(self, question: str, *values: object) -> tuple[Any, ...] | None:
        return self.pool.run(lambda db: db.execute(question, values).fetchone())

    def _all(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        return self.pool.run(lambda db: db.execute(question, values).fetchall())


def astuple(row: Row) -> tuple[object, ...]:
    return (
        row.table, row.version, row.room, row.state, row.step, row.parent, row.floor, row.who, row.at,
        plain(row.tap), row.lines,
    )  # fmt: skip


def wipe(db: Line, table: str) -> None:
    """Nothing of a table's versions is left, and every process that bears it in mind is told."""
    db.execute("DELETE FROM versions WHERE table_id = %s", (table,))
    db.execute("DELETE FROM alarms WHERE table_id = %s", (table,))
    ring(db, table)


def ring(db: Line, table: str) -> None:
    """More than a version has changed: whoever hears this reads the table anew."""
    db.execute("SELECT pg_notify(%s, %s)", (BELL, f"{table} 0 0"))
