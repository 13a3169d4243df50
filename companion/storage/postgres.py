"""The store in PostgreSQL: for any number of server processes, on any number of machines.

A burn blanks earlier states in the same transaction, and no query finds them any more. But PostgreSQL writes new rows
and leaves the old ones dead until a vacuum; the file's pages and the write-ahead log may hold their bytes for longer,
and so do base backups. A vacuum follows soon after a burn; what PostgreSQL cannot promise is in the README.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec
import psycopg

from companion.engine.store import StoreTrouble, Version
from companion.game import KEEP
from companion.storage.pool import Connection, Pool
from companion.storage.schema import migrate_postgres
from companion.storage.sql import VERSION_COLUMNS, Run, SqlStore

CHANNEL = "companion"
"""On which every process is notified of what the others have committed."""

# One statement is one transaction and one round trip. The notification is part of it: a process that has committed has
# notified, even if it dies the next moment. PostgreSQL lets only one transaction notify at a time, its flush included;
# where 1,000 commits a second went through without it, 400 do with it. Deleting or archiving a table locks its row
# first, so nothing is added to what is being destroyed.
COMMIT = f"""
WITH there AS (SELECT FROM tables WHERE id = %(table)s AND whole FOR SHARE),
added AS (
    INSERT INTO versions ({VERSION_COLUMNS})
    SELECT %(table)s, %(version)s, %(room)s, %(state)s, %(step)s, %(parent)s, %(floor)s,
        %(who)s, %(at)s, %(tap)s, %(lines)s FROM there
    ON CONFLICT DO NOTHING RETURNING version
)"""
SET_ALARM = """,
alarm_set AS (
    INSERT INTO alarms SELECT %(table)s, %(alarm)s FROM added ON CONFLICT (table_id) DO UPDATE SET at = excluded.at
)"""
DROP_ALARM = """,
alarm_dropped AS (DELETE FROM alarms WHERE table_id = %(table)s AND EXISTS (SELECT FROM added))"""
BURN = """,
burnt AS (
    UPDATE versions SET room = NULL, state = NULL, tap = NULL
    WHERE table_id = %(table)s AND version < %(version)s AND EXISTS (SELECT FROM added)
    AND version >= (SELECT floor FROM versions WHERE table_id = %(table)s AND version = %(version)s - 1)
)"""
NOTIFY = " SELECT pg_notify(%(channel)s, %(message)s) FROM added"


def commit_statement(*, burns: bool, alarm: float | None) -> str:
    alarms = "" if alarm == KEEP else DROP_ALARM if alarm is None else SET_ALARM
    return COMMIT + alarms + (BURN if burns else "") + NOTIFY


@lru_cache(maxsize=100)
def psycopg_style(query: str) -> str:
    """Queries mark values with `?`, psycopg with `%s`."""
    return query.replace("?", "%s")


def storable(value: object) -> object:
    """PostgreSQL stores every character but NUL, which nobody can see either."""
    return value.replace("\0", "\N{SYMBOL FOR NULL}") if isinstance(value, str) else value


class PostgresStore(SqlStore):
    """Keeps the contract of `Store`, together with any number of other processes that do the same."""

    shared = True
    conflict = psycopg.IntegrityError

    def __init__(self, address: str) -> None:
        self.address = address
        self.pool = Pool(address)
        self._needs_vacuum = False
        """Whether something was burnt here that no vacuum has followed yet."""
        try:
            self.pool.run(migrate_postgres)
        except BaseException:
            self.close()
            raise

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        values = tuple(map(storable, values))
        return self.pool.run(lambda db: db.execute(psycopg_style(query), values).fetchall())

    def _transaction(self, work: Callable[[Run], None]) -> None:
        def in_transaction(db: Connection) -> None:
            with db.transaction():
                work(lambda statement, *values: db.execute(psycopg_style(statement), tuple(map(storable, values))))

        self.pool.run(in_transaction)

    def _notify(self, run: Run, table: str) -> None:
        run("SELECT pg_notify(?, ?)", CHANNEL, f"{table} 0 0")

    def _claim(self, run: Run, table: str) -> bool:
        return bool(run("UPDATE tables SET whole = false WHERE id = ? AND whole", table).rowcount)

    def commit(self, version: Version, *, alarm: float | None = KEEP) -> bool:
        message = f"{version.table} {version.version} {version.burn_floor}"
        names = ("table", *VERSION_COLUMNS.split(", ")[1:])
        values = dict(zip(names, map(storable, msgspec.structs.astuple(version)), strict=True))
        values |= {"alarm": alarm, "channel": CHANNEL, "message": message}
        burns, retried = version.burn_floor == version.version, False

        def work(db: Connection) -> bool:
            nonlocal retried
            try:
                added = db.execute(commit_statement(burns=burns, alarm=alarm), values).fetchone()
            except psycopg.OperationalError:
                retried = True
                raise
            if added is None and retried:
                # If the connection broke after the commit and before its answer, the version that is there is our own.
                there = "SELECT who, at, lines FROM versions WHERE table_id = %s AND version = %s"
                ours = (version.who, version.at, version.lines)
                return db.execute(there, (version.table, version.version)).fetchone() == ours
            return added is not None

        committed = self.pool.run(work)
        self._needs_vacuum |= committed and burns
        return committed

    # ---------------------------------------------------------------- burning, archiving, deleting

    def clear_burnt(self) -> None:
        """Nothing that a query finds is left after a burn; dead rows go with the next vacuum."""

    def maintain(self) -> None:
        """Vacuum, if something was burnt or deleted: dead rows leave the table's pages."""
        if self._needs_vacuum:
            self._needs_vacuum = False
            try:
                self.pool.run(lambda db: db.execute("VACUUM (TRUNCATE false, SKIP_LOCKED) versions"))
            except StoreTrouble:
                self._needs_vacuum = True

    def archive(self, results: Mapping[str, bytes]) -> None:
        super().archive(results)
        self._needs_vacuum = True

    def delete(self, tables: Iterable[str]) -> None:
        super().delete(tables)
        self._needs_vacuum = True

    def notify_all(self, message: str) -> None:
        """Send a message to every process that listens."""
        self.pool.run(lambda db: db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, message)))

    def close(self) -> None:
        self.pool.close()
