"""The store in PostgreSQL: for any number of server processes, on any number of machines.

A burn replaces the table's key in the transaction that commits it. PostgreSQL leaves the old row dead until it vacuums
that small table, and its write-ahead log and base backups may hold it for longer: what follows is in the README.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import gevent
import psycopg

from companion.engine.store import StoreTrouble, Unreadable, Version
from companion.game import KEEP
from companion.storage.migration import migrate_postgres
from companion.storage.pool import Connection, Pool, connected
from companion.storage.schema import COLUMNS, insert_into
from companion.storage.sealing import Box, Secret, burns, fresh_key
from companion.storage.sql import Run, SqlStore, T, WrappedKey

log = logging.getLogger("companion")

CHANNEL = "companion"
"""On which every process is notified of what the others have committed."""
RECONNECT_S = 0.25

# One statement is one transaction and one round trip. The notification is part of it: a process that has committed has
# notified, even if it dies the next moment. PostgreSQL lets only one transaction notify at a time, its flush included;
# where 1,000 commits a second went through without it, 400 do with it. Deleting or archiving a table locks its row
# first, so nothing is added to what is being destroyed.
VERSION_COLUMNS = COLUMNS["versions"]
VALUES = ", ".join(f"%({name})s" for name in VERSION_COLUMNS.split(", "))
COMMIT = f"""
WITH there AS (SELECT FROM tables WHERE id = %(table_id)s AND whole FOR SHARE),
added AS (
    INSERT INTO versions ({VERSION_COLUMNS}) SELECT {VALUES} FROM there ON CONFLICT DO NOTHING RETURNING version
),
alarm_set AS (
    INSERT INTO alarms SELECT %(table_id)s, %(alarm)s::float8 FROM added WHERE %(sets_alarm)s
    ON CONFLICT (table_id) DO UPDATE SET at = excluded.at
),
alarm_dropped AS (
    DELETE FROM alarms WHERE table_id = %(table_id)s AND %(drops_alarm)s AND EXISTS (SELECT FROM added)
),
result_kept AS (
    INSERT INTO results SELECT %(table_id)s, %(result)s::bytea FROM added WHERE %(result)s::bytea IS NOT NULL
    ON CONFLICT (table_id) DO UPDATE SET result = excluded.result
),
burnt AS (
    UPDATE keys SET floor = %(version)s, key = %(key)s::bytea
    WHERE table_id = %(table_id)s AND %(key)s::bytea IS NOT NULL AND EXISTS (SELECT FROM added)
)
SELECT pg_notify(%(channel)s, %(message)s) FROM added"""


@lru_cache(maxsize=100)
def psycopg_style(query: str) -> str:
    """Queries mark values with `?`, psycopg with `%s`."""
    return query.replace("?", "%s")


def storable(value: object) -> object:
    """PostgreSQL stores every character but NUL, which nobody can see either."""
    return value.replace("\0", "\N{SYMBOL FOR NULL}") if isinstance(value, str) else value


def in_transaction(work: Callable[[Run], T], db: Connection) -> T:
    with db.transaction():
        return work(lambda statement, *values: db.execute(psycopg_style(statement), tuple(map(storable, values))))


class PostgresStore(SqlStore):
    """Keeps the contract of `Store`, together with any number of other processes that do the same."""

    shared = True
    conflict = psycopg.IntegrityError

    def __init__(self, address: str, key_file: Path) -> None:
        super().__init__()
        self.address = address
        self.secret = Secret(key_file)
        self.pool = Pool(address)
        try:
            self.pool.run(lambda db: db.execute("SELECT"))  # is it there?
            with connected(address) as db:  # sealing old data takes longer than the pool waits
                migrate_postgres(db, self.secret)
        except BaseException:
            self.close()
            raise

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        values = tuple(map(storable, values))
        return self.pool.run(lambda db: db.execute(psycopg_style(query), values).fetchall())

    def _transaction(self, work: Callable[[Run], T]) -> T:
        return self.pool.run(partial(in_transaction, work))

    def _long_transaction(self, work: Callable[[Run], T]) -> T:
        with connected(self.address) as db:
            return in_transaction(work, db)

    def _notify(self, run: Run, table: str) -> None:
        run("SELECT pg_notify(?, ?)", CHANNEL, f"{table} 0 0")

    def _claim(self, run: Run, table: str) -> bool:
        return bool(run("UPDATE tables SET whole = false WHERE id = ? AND whole", table).rowcount)

    def commit(self, version: Version, *, alarm: float | None = KEEP, result: bytes | None = None) -> bool:
        table = version.table
        box = Box(table, version.version, fresh_key()) if burns(version) else None
        try:
            sealed = self._sealer.seal(version, box)
        except Unreadable:
            self.forget(table)  # burnt or deleted by another process; the next read says why
            return False
        values = dict(zip(VERSION_COLUMNS.split(", "), sealed.row, strict=True))
        values |= {
            "alarm": alarm, "sets_alarm": alarm not in (None, KEEP), "drops_alarm": alarm is None,
            "result": result, "channel": CHANNEL,
            "message": f"{table} {version.version} {version.burn_floor}",
            "key": self.secret.wrap(table, box.burn_floor, box.key) if box else None,
        }  # fmt: skip
        retried = False

        def work(db: Connection) -> bool:
            nonlocal retried
            try:
                added = db.execute(COMMIT, values).fetchone()
            except psycopg.OperationalError:
                retried = True
                raise
            if added is None and retried:
                # If the connection broke after the commit and before its answer, the version that is there is our own.
                there = "SELECT sealed FROM versions WHERE table_id = %s AND version = %s"
                return db.execute(there, (table, version.version)).fetchone() == (sealed.row.sealed,)
            return added is not None

        committed = self.pool.run(work)
        if committed:
            self._sealer.committed(sealed)
        return committed

    # ---------------------------------------------------------------- keys

    def _find_box(self, table: str, burn_floor: int) -> Box | None:
        found = self._one("SELECT floor, key FROM keys WHERE table_id = ?", table)
        if found is None:
            raise Unreadable("the key is lost")
        floor, wrapped = found
        if burn_floor < floor:
            return None
        return Box(table, burn_floor, self.secret.unwrap(table, floor, wrapped))

    def _add_key(self, run: Run, table: str, burn_floor: int) -> Box:
        box = Box(table, burn_floor, fresh_key())
        run(insert_into("keys"), table, burn_floor, self.secret.wrap(table, burn_floor, box.key))
        return box

    def destroy_burnt(self, table: str) -> None:
        """The transaction that burnt has replaced the key."""

    def recover(self) -> None:
        """No crash leaves a key behind."""

    def maintain(self) -> None:
        """PostgreSQL vacuums by itself."""

    def wrap_again(self) -> None:
        def work(run: Run) -> None:
            for table, floor, wrapped in run("SELECT table_id, floor, key FROM keys FOR UPDATE").fetchall():
                with contextlib.suppress(Unreadable):  # a key of another installation stays what it is
                    key = self.secret.wrap(table, floor, self.secret.unwrap(table, floor, wrapped))
                    run("UPDATE keys SET key = ? WHERE table_id = ?", key, table)

        self._transaction(work)

    def _fill_keys(self, run: Run, keys: Collection[WrappedKey]) -> None:
        for key in keys:
            run(insert_into("keys"), *key)

    def _wipe(self, run: Run, table: str) -> None:
        super()._wipe(run, table)
        run("DELETE FROM keys WHERE table_id = ?", table)

    @contextlib.contextmanager
    def reading(self) -> Iterator[tuple[Connection, dict[str, Box]]]:
        with connected(self.address) as db, db.transaction():
            db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            boxes = {}
            for table, floor, wrapped in db.execute("SELECT table_id, floor, key FROM keys").fetchall():
                with contextlib.suppress(Unreadable):
                    boxes[table] = Box(table, floor, self.secret.unwrap(table, floor, wrapped))
            yield db, boxes

    def notify_all(self, message: str) -> None:
        """Send a message to every process that listens."""
        self.pool.run(lambda db: db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, message)))

    def listen(self, receive: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Receive the messages of other processes, for good; `missed` is called when a broken connection is back."""
        broken = False
        while True:
            with contextlib.suppress(StoreTrouble, psycopg.Error, OSError), connected(self.address) as db:
                db.execute(f"LISTEN {CHANNEL}")
                if broken:
                    log.info("notifications of other processes arrive again")
                    missed()
                broken = False
                for message in db.notifies():
                    if message.pid not in self.pool.backend_pids:
                        receive(message.payload)
            if not broken:
                log.warning("notifications of other processes do not arrive: PostgreSQL has closed the connection")
            broken = True
            gevent.sleep(RECONNECT_S)

    def close(self) -> None:
        self.pool.close()
