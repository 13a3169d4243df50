"""The write-ahead log of an SQLite file: what was burnt is cut from it, and its room is laid out in advance."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from pathlib import Path

from companion.engine.store import StoreTrouble

STEP = 64 * 1024
ROOM = 4 * STEP
"""Bytes, for some fifty taps: as much as is written from one burning to the next, most of the time."""
FRAME = 24
"""So many bytes stand before every page in a log."""


class Log:
    """What a commit is made durable in, before it goes to its place in the file."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._file = Path(db.execute("PRAGMA database_list").fetchone()[2])
        self._page: int = db.execute("PRAGMA page_size").fetchone()[0]
        self._room = 0
        self.is_bare = False
        """Whether nobody has written anything since it was cut."""
        self.holds_ashes = True
        """Whether something burnt may still be read in it: nobody knows what was left when the power went."""

    def cut(self) -> None:
        """Nothing that was burnt is left in it, unless somebody is reading it at this moment."""
        with contextlib.suppress(sqlite3.OperationalError):
            _, used, _ = self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            self.holds_ashes = bool(busy)
            # From one burning to the next it will be about as much as it was the last time.
            needed = STEP * (used * (self._page + FRAME) // STEP + 1)
            self._room = min(needed, ROOM) if self._room else ROOM
            self.is_bare = not busy

    def lay_out(self) -> None:
        """Give an empty log its room at once: writing over it is durable sooner than making a file grow.

        Zeros are no beginning of a log, so they mean nothing to whoever reads them, also after a crash. Nobody else
        can begin one while it is our turn to write. Where there is no room, nothing is lost but a little time.
        """
        if not self.is_bare:
            return
        self.is_bare = False
        with contextlib.suppress(OSError):
            # Closing a file gives up every lock that this process has on it: SQLite has none on this one.
            log = os.open(f"{self._file}-wal", os.O_WRONLY)
            try:
                if os.fstat(log).st_size == 0:
                    os.write(log, bytes(self._room))
            finally:
                os.close(log)

    def begin(self) -> None:
        """Write something that changes nothing: only now has the log a head that is durable."""
        steps = self._db.execute("PRAGMA user_version").fetchone()[0]
        self._db.execute(f"PRAGMA user_version = {steps}")

    def has_to_be_cut_next(self) -> None:
        """Refuses what burns, while it is not kept yet, if the disk has no room for what goes from the log to the file.

        The log has its room in advance, so on a full disk a ballot could be burnt and yet stay in the log.
        """
        pages: int = self._db.execute("PRAGMA page_count").fetchone()[0]
        growth = pages * self._page - self._file.stat().st_size
        if shutil.disk_usage(self._file).free < growth + ROOM:
            raise StoreTrouble("the disk is full")
