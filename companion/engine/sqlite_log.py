"""The write-ahead log of an SQLite file: what was burnt is cut from it, and its room is laid out in advance."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

import gevent
from gevent.lock import BoundedSemaphore
from gevent.threadpool import ThreadPool

from companion.engine.store import StoreTrouble
from companion.engine.together import somebody_is_ready

STEP = 64 * 1024
ROOM = 4 * STEP
"""Bytes, for some fifty taps: as much as is written from one burning to the next, most of the time."""
HEAD, FRAME = 32, 24
"""So many bytes stand at the beginning of a log, and before every page in it."""
sync = getattr(os, "fdatasync", os.fsync)
"""Not every system can leave out when a file was changed."""
TOGETHER = 0.03
"""Under load, so many seconds are waited for others who burn something, too: it is cut once for all of them."""
AHEAD = 24
"""So many pages, for some seven taps, are to be free in it."""


def into_the_file(db: sqlite3.Connection) -> int:
    """What is in the log goes to its place in the file, while others read and write; how many pages that were."""
    try:
        _, pages, _ = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    except sqlite3.OperationalError:
        return 0
    return max(int(pages), 0)


class Log:
    """What a commit is made durable in, before it goes to its place in the file.

    Writing over what is there is durable sooner than making a file grow, so a log has its room in advance: zeros, in
    whole steps. They are no beginning of a log, and no page of one, so they mean nothing to whoever reads them, also
    after a crash.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._file = Path(db.execute("PRAGMA database_list").fetchone()[2])
        self._log = Path(f"{self._file}-wal")
        self._page: int = FRAME + db.execute("PRAGMA page_size").fetchone()[0]
        self._room = 0
        self._opened = -1
        self._aside: tuple[sqlite3.Connection, ThreadPool] | None = None
        self._cutting = BoundedSemaphore()
        self.holds_ashes = True
        """Whether something burnt may still be read in it: nobody knows what was left when the power went."""

    def cut(self) -> None:
        """Nothing that was burnt is left in it, unless somebody is reading it at this moment."""
        with self._cutting, contextlib.suppress(sqlite3.OperationalError):
            if not self.holds_ashes:
                return  # somebody else has cut it while we waited
            if self._aside is not None and somebody_is_ready():
                gevent.sleep(TOGETHER)
            used = self._empty()
            self.holds_ashes = bool(self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
            # From one burning to the next it will be about as much as it was the last time, or half as much again.
            needed = STEP * max(2, used * self._page * 3 // 2 // STEP + 1)
            self._room = min(needed, ROOM) if self._room else ROOM

    @property
    def is_being_cut(self) -> bool:
        return bool(self._cutting.locked())

    def _empty(self) -> int:
        if self._aside is None or somebody_is_ready():
            return into_the_file(self._db)  # under load, whoever writes meanwhile would have it done twice
        db, pool = self._aside
        pages: int = pool.apply(into_the_file, (db,))
        return pages

    def empty_aside(self) -> None:
        """From now on the disk is waited for in a thread, while it is calm, so that others are served meanwhile.

        It needs gevent's loop.
        """
        self._aside = sqlite3.connect(self._file, isolation_level=None, check_same_thread=False), ThreadPool(1)

    def close(self) -> None:
        if self._aside is not None:
            db, pool = self._aside
            pool.join()
            pool.kill()
            db.close()
        if self._opened >= 0:
            os.close(self._opened)
            self._opened = -1

    def _open(self) -> int:
        """The log itself. While somebody is connected to the file, it stays where it is.

        It stays open, too: to find it by its name takes longer than to look how long it is. When it is closed, this
        process gives up every lock that it has on it: SQLite has none on this one.
        """
        if self._opened < 0:
            self._opened = os.open(self._log, os.O_RDWR)
        return self._opened

    def _size(self) -> int:
        return os.lseek(self._open(), 0, os.SEEK_END)

    def lay_out(self) -> None:
        """Give it its room, if it is empty, or if that was not enough and it has grown by itself.

        It has to be our turn to write. Where there is no room, nothing is lost but a little time.
        """
        with contextlib.suppress(OSError):
            size = self._size()
            if size == 0:
                self._lay(0, self._room)
            elif size % STEP:
                self._lay(size, STEP - size % STEP + STEP)

    def lengthen(self) -> None:
        """Give it more room, before somebody has to wait for it. It has to be our turn to write."""
        if self.is_short():
            with contextlib.suppress(OSError):
                size = self._size()
                self._lay(size, STEP - size % STEP, durable=True)

    def _lay(self, start: int, room: int, *, durable: bool = False) -> None:
        os.pwrite(self._open(), bytes(room), start)
        if durable:
            sync(self._open())

    def is_short(self) -> bool:
        """Whether somebody will soon have to wait until it has more room."""
        try:
            page = (self._size() - HEAD) // self._page - AHEAD
            if page < 0:
                return True
            salt, frame = os.pread(self._open(), 8, 16), os.pread(self._open(), 16, HEAD + page * self._page)
        except OSError:
            return False
        # A page that was written since the log was begun has a number, and the salt that is in the log's head.
        return any(frame[:4]) and frame[8:] == salt

    def begin(self) -> None:
        """Write something that changes nothing: with that, its head and its room are durable."""
        steps = self._db.execute("PRAGMA user_version").fetchone()[0]
        self._db.execute(f"PRAGMA user_version = {steps}")

    def has_to_be_cut_next(self) -> None:
        """Refuses what burns, while it is not kept yet, if the disk has no room for what goes from the log to the file.

        The log has its room in advance, so on a full disk a ballot could be burnt and yet stay in the log. All that
        is in it may be new to the file.
        """
        disk = os.fstatvfs(self._open())
        if disk.f_bavail * disk.f_frsize < self._size() + ROOM:
            raise StoreTrouble("the disk is full")
