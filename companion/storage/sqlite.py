"""The store in one SQLite file: durable after every commit, and forgetful where it must be."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import gevent
import msgspec

from companion.engine.store import StoreTrouble, Version
from companion.game import KEEP
from companion.storage.group_commit import CommitRequest, GroupCommit
from companion.storage.schema import pending_sqlite_migrations
from companion.storage.sql import VERSION_COLUMNS, Run, SqlStore

PAGE_CACHE_KB = 1_000
SYNCHRONOUS_FULL = 2
"""SQLite's number for `synchronous = FULL`: a commit returns when it is on the disk."""
OPEN_TIMEOUT_S = 5.0
WRITE_TIMEOUT_S = 5.0
"""How long a commit waits for another process that writes to the same file."""
BLOCK_S = 0.01
"""How long the whole process waits for that; after it, only the greenlet that wants to write does."""
ROOM_TO_CHECKPOINT_BYTES = 256 * 1024
APPEND = (
    f"INSERT INTO versions ({VERSION_COLUMNS}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11"
    " WHERE EXISTS (SELECT 1 FROM versions WHERE table_id = ?1)"
)
BURN = (
    "UPDATE versions SET room = NULL, state = NULL, tap = NULL WHERE table_id = ?1 AND version < ?2"
    " AND version >= coalesce((SELECT floor FROM versions WHERE table_id = ?1 AND version = ?2 - 1), 0)"
)
"""What came before the last burn is burnt already."""


class SqliteStore(SqlStore):
    """Keeps the contract of `Store` in one file.

    Burnt states are overwritten in the file by `secure_delete`, and leave the write-ahead log with a truncating
    checkpoint: after every burn, and once more when the file is opened, in case the power went in between.
    """

    shared = False
    conflict = sqlite3.IntegrityError

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._group = GroupCommit(self._write)
        self._wal_holds_burnt = True
        """Whether burnt states may still be in the write-ahead log; nobody knows what a crash has left there."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if not self._path.exists():
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        self._db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=OPEN_TIMEOUT_S)
        try:
            self._prepare()
        except sqlite3.OperationalError as trouble:
            self._db.close()
            raise StoreTrouble(str(trouble)) from trouble
        except BaseException:
            self._db.close()
            raise

    def _prepare(self) -> None:
        run = self._db.execute
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        if run("PRAGMA synchronous").fetchone() != (SYNCHRONOUS_FULL,):
            raise StoreTrouble("SQLite does not wait for the disk")
        run("PRAGMA secure_delete = ON")
        run(f"PRAGMA cache_size = -{PAGE_CACHE_KB}")
        if pending_sqlite_migrations(self._db):
            self._transaction(self._migrate)
        self.clear_burnt()
        self._data_version = self._read_data_version()
        run(f"PRAGMA busy_timeout = {int(BLOCK_S * 1000)}")

    def _migrate(self, run: Run) -> None:
        for statement in pending_sqlite_migrations(self._db):
            run(statement)

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._db.execute(query, values).fetchall()

    # ---------------------------------------------------------------- writing

    def _transaction(self, work: Callable[[Run], None]) -> None:
        try:
            self._begin()
            work(lambda statement, *values: self._db.execute(statement, values))
            self._db.execute("COMMIT")
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
                if trouble.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
            gevent.sleep(BLOCK_S)

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def commit(self, version: Version, *, alarm: float | None = KEEP) -> bool:
        return self._group.commit(CommitRequest(version, alarm))

    def _write(self, requests: list[CommitRequest]) -> None:
        """All of these in one transaction: durable together, or none of them."""
        added: list[CommitRequest] = []

        def work(run: Run) -> None:
            added.extend(request for request in requests if self._append(run, request))
            if any(request.burns for request in added):
                self._check_room_to_checkpoint()

        try:
            self._transaction(work)
        except StoreTrouble as trouble:
            for request in requests:
                request.error = trouble
            return
        for request in added:
            request.committed = True
            self._wal_holds_burnt |= request.burns

    def _append(self, run: Run, request: CommitRequest) -> bool:
        version = request.version
        try:
            if run(APPEND, *msgspec.structs.astuple(version)).rowcount != 1:
                return False  # nothing is added to a table that another process has deleted or archived
        except sqlite3.IntegrityError:
            return False
        if request.burns:
            run(BURN, version.table, version.version)
        if request.alarm is None:
            run("DELETE FROM alarms WHERE table_id = ?", version.table)
        elif request.alarm != KEEP:
            run("INSERT OR REPLACE INTO alarms VALUES (?, ?)", version.table, request.alarm)
        return True

    # ---------------------------------------------------------------- burning

    def clear_burnt(self) -> None:
        """Truncate the write-ahead log. Other processes that read it are waited for; at last, the next call does it."""
        deadline = time.monotonic() + WRITE_TIMEOUT_S
        while self._wal_holds_burnt:
            with contextlib.suppress(sqlite3.OperationalError):
                busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
                self._wal_holds_burnt = bool(busy)
            if not self._wal_holds_burnt or time.monotonic() > deadline:
                return
            gevent.sleep(BLOCK_S)

    def maintain(self) -> None:
        self.clear_burnt()

    def _check_room_to_checkpoint(self) -> None:
        """Refuse to burn on a disk with no room to move the log into the file: burnt states would stay in the log."""
        wal = Path(f"{self._path}-wal")
        if shutil.disk_usage(self._path.parent).free < wal.stat().st_size + ROOM_TO_CHECKPOINT_BYTES:
            raise StoreTrouble("the disk is full")

    def archive(self, results: Mapping[str, bytes]) -> None:
        super().archive(results)
        self._destroyed()

    def delete(self, tables: Iterable[str]) -> None:
        super().delete(tables)
        self._destroyed()

    def _destroyed(self) -> None:
        self._wal_holds_burnt = True
        self.clear_burnt()

    # ---------------------------------------------------------------- the file itself

    def backup(self, target: Path) -> None:
        """A whole copy of this file, as it stands at one moment, while others go on writing."""
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(target.name + ".new")
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_RDWR, 0o600))
        copy = sqlite3.connect(draft)
        try:
            self._db.backup(copy)
        finally:
            copy.close()
            # What was burnt meanwhile could not leave the log while we were reading.
            self._wal_holds_burnt = True
            self.clear_burnt()
        draft.replace(target)

    def changed_by_others(self) -> bool:
        """Whether another process has changed the file since this was asked last."""
        before, self._data_version = self._data_version, self._read_data_version()
        return before != self._data_version

    def _read_data_version(self) -> int:
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        self._db.close()
