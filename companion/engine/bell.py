"""The bell across processes: what others have kept reaches the open screens of this one."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterable

import gevent

from companion.engine.live import READ, Hub
from companion.engine.store import Mark
from companion.engine.table import Tables

log = logging.getLogger("companion")

TRIED = "try"
LOOK_EVERY = 1.5
"""Seconds after which a bell that nobody heard is found out."""


class Ears:
    """Hears of other processes' versions, and rings the bell here if they are news."""

    def __init__(self, tables: Tables, hub: Hub, tried: Callable[[str, str], None] = lambda what, who: None) -> None:
        self._tables = tables
        self._hub = hub
        self._tried = tried

    def hear(self, message: str) -> None:
        """A table, its version and its floor; version 0: more than that has changed, so have a look.

        Or that somebody has tried something that can be tried only so often.
        """
        try:
            table, version, floor = message.split()
            if table == TRIED:
                self._tried(version, floor)
                return
            known = self._tables.mind.get(table)
            mark: Mark | None = Mark(int(version), int(floor), known.next if known else None)
            if version == "0":
                mark = self._tables.store.marks([table]).get(table)
        except Exception:
            # Not one of ours, or the store is away just now: whoever looks again will find it.
            log.warning("a bell was not understood")
            return
        self._tell(table, mark)

    def look_again(self) -> None:
        """Compare every table that somebody looks at with what is kept: one cheap question for all of them."""
        tables = self._hub.tables()
        marks = self._tables.store.marks(tables) if tables else {}
        for table in tables:
            self._tell(table, marks.get(table))

    def _tell(self, table: str, mark: Mark | None) -> None:
        # We may know of it already, from a tap or a page; but the screens that are open do not. One that has followed
        # its people to their next table is no longer at this one.
        behind = mark is not None and (mark.next is not None or self._hub.is_behind(table, mark.version))
        if self._tables.mind.hear(table, mark) or behind:
            self._hub.ring(table)

    def missed(self) -> None:
        """Nobody listened for a while: nothing that we bear in mind is sure, and nothing drawn may stay."""
        for table in self._tables.mind.tables():
            self._tables.mind.purge(table)
        self._tables.forget_all()
        self._hub.ring_all()

    def keep_looking(self, changed: Callable[[], bool] = lambda: True, every: float = LOOK_EVERY) -> None:
        """Again and again; a store that is away now will be asked again."""
        while True:
            gevent.sleep(every)
            with contextlib.suppress(Exception):
                if changed():
                    self.look_again()


class Pipes:
    """The bell of processes that share one SQLite file: each has an ear, and a pipe to everybody else's."""

    def __init__(self, ear: int, others: Iterable[int]) -> None:
        self._ear = ear
        self._others = tuple(others)
        self._rest = b""
        for fd in (ear, *self._others):
            os.set_blocking(fd, False)

    def tell(self, message: str) -> None:
        """So short a message is written whole or not at all. A full pipe is no harm: who is so busy will look again."""
        for fd in self._others:
            with contextlib.suppress(OSError):
                os.write(fd, f"{message}\n".encode())

    def parent_is_gone(self, stop: Callable[[], None]) -> None:
        """Whoever started us holds the other end of our standard input: when it ends, so do we."""
        gevent.get_hub().wait(gevent.get_hub().loop.io(0, READ))
        stop()

    def listen(self, heard: Callable[[str], None]) -> None:
        watcher = gevent.get_hub().loop.io(self._ear, READ)
        while True:
            gevent.get_hub().wait(watcher)
            *whole, self._rest = (self._rest + os.read(self._ear, 65_536)).split(b"\n")
            for message in whole:
                heard(message.decode())
