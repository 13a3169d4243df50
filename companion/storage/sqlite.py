"""The store in one SQLite file, with its keys in a second file beside it. Durable after every commit."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import gevent

from companion.engine.store import StoreTrouble, Unreadable, Version
from companion.game import KEEP
from companion.storage.group_commit import CommitRequest, GroupCommit
from companion.storage.key_file import KeyFile
from companion.storage.migration import old_file, open_up_to_date
from companion.storage.schema import COLUMNS, NEWEST_FLOORS, connect, key_path
from companion.storage.sealing import Box, Secret, burns
from companion.storage.sql import KEEP_RESULT, Run, SqlStore, T, WrappedKey

log = logging.getLogger("companion")

WRITE_TIMEOUT_S = 5.0
"""How long a commit waits for another process that writes to the same file."""
BLOCK_S = 0.01
"""How long the whole process waits for that; after it, only the greenlet that wants to write does."""
PAGES_PER_VACUUM = 200
"""How many free pages are given back before other greenlets run."""
APPEND = (
    f"INSERT INTO versions ({COLUMNS['versions']}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12"
    " WHERE EXISTS (SELECT 1 FROM versions WHERE table_id = ?1)"
)


class SqliteStore(SqlStore):
    """Keeps the contract of `Store` in one file."""

    shared = False
    conflict = sqlite3.IntegrityError

    def __init__(self, path: Path | str, key_file: Path | None = None) -> None:
        super().__init__()
        self._path = Path(path)
        self._group = GroupCommit(self._write)
        self._burnt: dict[str, int] = {}
        """Tables with a burn that was committed, whose old key is still to be destroyed: table -> burn floor."""
        self._deleted: set[str] = set()
        """Tables that were deleted or archived, whose keys are still to be destroyed."""
        self._log_holds_deleted = True
        """Whether the write-ahead log may still hold the lines of such a table: nobody knows what a crash has left."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self.secret = Secret(key_file or self._path.with_name("key"))
        try:
            self._db = open_up_to_date(self._path, self.secret)
            try:
                self._keys = KeyFile(key_path(self._path), self.secret)
                if self._one("SELECT 1 FROM versions LIMIT 1") is None:
                    self._keys.put_aside()  # they belong to another database
                self._data_version = self._pragma("data_version")
                self._db.execute(f"PRAGMA busy_timeout = {int(BLOCK_S * 1000)}")
            except BaseException:
                self._db.close()
                raise
        except sqlite3.DatabaseError as trouble:
            raise StoreTrouble(str(trouble)) from trouble

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._db.execute(query, values).fetchall()

    # ---------------------------------------------------------------- writing

    def _transaction(self, work: Callable[[Run], T]) -> T:
        try:
            self._begin()
            done = work(lambda statement, *values: self._db.execute(statement, values))
            self._db.execute("COMMIT")
            return done
        except sqlite3.OperationalError as trouble:
            self._roll_back()
            raise StoreTrouble(str(trouble)) from trouble
        except BaseException:
            self._roll_back()
            raise

    def _begin(self) -> None:
        """Wait for other processes that write to the same file, without blocking the event loop for long."""
        deadline = time.monotonic() + WRITE_TIMEOUT_S
        while True:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as trouble:
                if trouble.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
            gevent.sleep(BLOCK_S)

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def commit(self, version: Version, *, alarm: float | None = KEEP, result: bytes | None = None) -> bool:
        try:
            box = None
            if burns(version):
                self._destroy(version.table)  # else the next key is the one that the last burn has used
                box = self._keys.box(version.table, version.version)  # its key is durable already
            sealed = self._sealer.seal(version, box)
        except Unreadable:
            self.forget(version.table)  # deleted, perhaps; the next read says why
            return False
        return self._group.commit(CommitRequest(sealed, alarm, result))

    def _write(self, requests: list[CommitRequest]) -> list[bool]:
        """All of these in one transaction: durable together, or none of them."""
        added = self._transaction(lambda run: [self._append(run, request) for request in requests])
        for (sealed, _, _), was_added in zip(requests, added, strict=True):
            if was_added:
                self._sealer.committed(sealed)
                if burns(sealed.row):
                    self._burnt[sealed.row.table] = sealed.row.version
        return added

    def _append(self, run: Run, request: CommitRequest) -> bool:
        row = request.sealed.row
        if burns(row) and not self._key_is_next(run, request.sealed.box):
            return False
        try:
            if run(APPEND, *row).rowcount != 1:
                return False  # nothing is added to a table that another process has deleted or archived
        except sqlite3.IntegrityError:
            return False
        if request.alarm is None:
            run("DELETE FROM alarms WHERE table_id = ?", row.table)
        elif request.alarm != KEEP:
            run("INSERT OR REPLACE INTO alarms VALUES (?, ?)", row.table, request.alarm)
        if request.result is not None:
            run(KEEP_RESULT, row.table, request.result)
        return True

    # ---------------------------------------------------------------- keys

    def _find_box(self, table: str, burn_floor: int) -> Box | None:
        return self._keys.box(table, burn_floor)

    def _add_key(self, run: Run, table: str, burn_floor: int) -> Box:  # noqa: ARG002
        return self._keys.add({table: burn_floor})[table]

    def _fill_keys(self, run: Run, keys: Collection[WrappedKey]) -> None:  # noqa: ARG002
        self._keys.put(Box(table, floor, self.secret.unwrap(table, floor, wrapped)) for table, floor, wrapped in keys)

    def destroy_burnt(self, table: str) -> None:
        try:
            self._destroy(table)
        except StoreTrouble:  # the burn itself is committed
            log.error("a key that was burnt cannot be destroyed just now: it will be tried again")

    def _destroy(self, table: str) -> None:
        if (burn_floor := self._burnt.get(table)) is not None:
            with contextlib.suppress(Unreadable):  # a key that cannot be read opens nothing
                self._transaction(lambda run: self._keys.destroy_old(table, burn_floor))
            if self._burnt.get(table) == burn_floor:  # nobody has burnt or destroyed meanwhile
                del self._burnt[table]

    def _key_is_next(self, run: Run, box: Box) -> bool:
        """Whether a burn may use this key: another process may have used it, and not destroyed the one before yet."""
        newest = run(
            "SELECT floor FROM versions WHERE table_id = ? ORDER BY version DESC LIMIT 1", box.table
        ).fetchone()
        try:
            if newest is not None:
                self._keys.destroy_old(box.table, newest[0])
            slot = self._keys.slot(box.table)
        except Unreadable:
            return False
        return slot is not None and slot.next_key == box.key

    def recover(self) -> None:
        def work(run: Run) -> None:
            floors = dict(run(NEWEST_FLOORS).fetchall())
            self._keys.remove([table for table in self._keys.tables() if table not in floors])
            for table, burn_floor in floors.items():
                with contextlib.suppress(Unreadable):  # the table itself will say so
                    self._keys.destroy_old(table, burn_floor)

        self._transaction(work)

    def wrap_again(self) -> None:
        self._transaction(lambda run: self._keys.wrap_again())

    # ---------------------------------------------------------------- giving space back

    def maintain(self) -> None:
        """Destroy keys that could not be destroyed earlier, and give free pages back to the disk."""
        for table in list(self._burnt):
            self._destroy(table)
        if self._deleted:
            deleted = tuple(self._deleted)
            self._transaction(lambda run: self._keys.remove(deleted))
            self._deleted.difference_update(deleted)
        try:
            while free := self._pragma("freelist_count"):
                # Python takes one step of a statement without columns, which would free a single page.
                self._db.executescript(f"PRAGMA incremental_vacuum({PAGES_PER_VACUUM})")
                if self._pragma("freelist_count") >= free:
                    break
                gevent.sleep(0)
            if self._log_holds_deleted:
                self._log_holds_deleted = bool(self._pragma("wal_checkpoint(TRUNCATE)"))
        except sqlite3.OperationalError as trouble:  # somebody reads just now, or the disk is full: next time
            raise StoreTrouble(str(trouble)) from trouble

    def _pragma(self, name: str) -> int:
        return int(self._db.execute(f"PRAGMA {name}").fetchone()[0])

    def archive(self, results: Mapping[str, bytes]) -> None:
        super().archive(results)
        self._destroyed(results)

    def delete(self, tables: Iterable[str]) -> None:
        tables = tuple(tables)
        super().delete(tables)
        self._destroyed(tables)

    def _destroyed(self, tables: Iterable[str]) -> None:
        for table in tables:
            self.forget(table)
            self._deleted.add(table)
        self._log_holds_deleted = True
        with contextlib.suppress(StoreTrouble):  # the rows are gone; the rest is tried again
            self.maintain()

    # ---------------------------------------------------------------- the file itself

    @contextlib.contextmanager
    def reading(self) -> Iterator[tuple[sqlite3.Connection, dict[str, Box]]]:
        with contextlib.closing(connect(self._path)) as db:

            def work(run: Run) -> dict[str, Box]:
                db.execute("BEGIN")
                boxes = {}
                for table, burn_floor in db.execute(NEWEST_FLOORS).fetchall():
                    with contextlib.suppress(Unreadable):
                        if (box := self._keys.box(table, burn_floor)) is not None:
                            boxes[table] = box
                return boxes

            yield db, self._transaction(work)

    def changed_by_others(self) -> bool:
        """Whether another process has changed the file since this was asked last."""
        before, self._data_version = self._data_version, self._pragma("data_version")
        return before != self._data_version

    def drop_old_file(self) -> None:
        """The companion has played with the migrated file and ended cleanly: what it was before is not needed."""
        old_file(self._path).unlink(missing_ok=True)

    def close(self) -> None:
        self._db.close()
