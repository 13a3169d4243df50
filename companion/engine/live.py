"""The bell: tells every open screen of a table to redraw.

One hub writes to all open streams. A stream is a socket, what it shows, and a digest of what it
was sent last: it costs no greenlet and no thread while nothing happens. Only regions that have
changed are sent. A reader that is slow skips versions and never holds up another.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any

import gevent
from gevent.event import Event

from companion.engine.screen import Region, Screen, Sheet
from companion.engine.store import StoreTrouble

log = logging.getLogger("companion")

HEARTBEAT = 15.0
PATIENCE = 4
"""After so many heartbeats without taking anything in, a reader is gone or will never read."""
BEAT = b": beat\nevent: beat\n\n"
MOVED = b"event: moved\n\n"
"""The people of this table have gone on to another: the page around the screen is to be drawn anew."""
AT_A_TURN = 20
"""So many tables of which others have told are shown before anybody else has a turn."""
READ, WRITE = 1, 2


Said = dict[tuple[tuple[Region, ...], tuple[int, ...], Sheet], bytes]
"""What was sent to one screen of a table, for the next one to which the same is new: what is new of its own, and what
of all that everybody sees it has seen."""
Draw = Callable[[Any], Screen | None]
"""viewer -> the present screen, or None if this viewer may not look any more."""


class Stream:
    """An open screen."""

    __slots__ = (
        "address",
        "dirty",
        "drawing",
        "fd",
        "own",
        "pending",
        "reader",
        "shared",
        "table",
        "version",
        "viewer",
        "writer",
    )

    def __init__(self, fd: int, table: str, viewer: Any, address: str = "") -> None:
        self.fd = fd
        self.address = address
        self.table = table
        self.viewer = viewer
        self.own: tuple[int, ...] = ()
        self.shared: tuple[int, ...] = ()
        """What it was sent last."""
        self.version = 0
        self.pending = b""
        self.dirty = False
        self.drawing = False
        """Whether it is being drawn, or waits to be sent what was."""
        self.reader: Any = None
        self.writer: Any = None


class Hub:
    """Holds all open streams of this process and writes to them."""

    def __init__(self, draw: Draw, heartbeat: float = HEARTBEAT) -> None:
        self._draw = draw
        self._heartbeat = heartbeat
        self.patience = int(PATIENCE * heartbeat * 1000)
        self._streams: dict[str, dict[Stream, None]] = {}
        self._rung: dict[str, None] = {}
        self._wake = Event()
        self._greenlets: list[gevent.Greenlet] = []
        self._hears = self._hear  # every stream holds it
        self.open = 0
        self.counted: Callable[[int], None] = lambda many: None
        """Told how many screens are open, whenever that changes."""
        self.addresses: Counter[str] = Counter()
        """How many open screens each address has."""

    def start(self) -> None:
        self._greenlets = [gevent.spawn(self._paint), gevent.spawn(self._beat)]

    def ring(self, table: str) -> None:
        """Something has changed at this table: its screens are shown it soon."""
        if table in self._streams:
            self._rung[table] = None
            self._wake.set()

    def is_behind(self, table: str, version: int) -> bool:
        """Whether some open screen shows an older version of this table."""
        return any(stream.version < version for stream in self._streams.get(table, ()))

    def ring_all(self) -> None:
        """Anything may have changed."""
        for table in list(self._streams):
            self.ring(table)

    def tables(self) -> list[str]:
        """The tables that somebody looks at."""
        return list(self._streams)

    def _paint(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            while self._rung:
                for table in list(islice(self._rung, AT_A_TURN)):
                    del self._rung[table]
                    self.show(table)
                gevent.sleep(0)

    def show(self, table: str) -> None:
        """Send every open screen of this table what is new to it, now.

        All are drawn before the first is sent: whoever reads is woken once, not nine times.
        """
        said: Said = {}
        drawn = [(stream, self._draw_news(stream, said)) for stream in list(self._streams.get(table, ()))]
        for stream, news in drawn:
            self._tell(stream, news)

    def _beat(self) -> None:
        while True:
            gevent.sleep(self._heartbeat)
            for streams in list(self._streams.values()):
                for stream in list(streams):
                    if not stream.pending:
                        self._send(stream, BEAT)
                gevent.sleep(0)

    # ---------------------------------------------------------------- one stream

    def add(self, fd: int, table: str, viewer: Any, opening: bytes = b"", seen: str = "", address: str = "") -> None:
        """Take over this socket: it shows the present screen now, unless it was `seen`, and every later one."""
        os.set_blocking(fd, False)
        stream = Stream(fd, table, viewer, sys.intern(address))
        self._streams.setdefault(table, {})[stream] = None
        self.open += 1
        self.counted(self.open)
        self.addresses[stream.address] += 1
        stream.reader = gevent.get_hub().loop.io(fd, READ)
        stream.reader.start(self._hears, stream)
        self._redraw(stream, opening, seen)

    def _redraw(self, stream: Stream, opening: bytes = b"", seen: str = "") -> None:
        self._tell(stream, self._draw_news(stream, {}, opening, seen))

    def _draw_news(self, stream: Stream, said: Said, opening: bytes = b"", seen: str = "") -> bytes | None:
        """What is new to this stream, which is to be told next; None, if it is not its turn or it is gone."""
        if stream.pending or stream.drawing:
            stream.dirty = True
            return None
        stream.drawing = True
        try:
            screen = self._draw(stream.viewer)  # may wait for the store, while others draw, ring and hang up
            if screen is None:
                self._close(stream)
            return None if stream.fd < 0 or screen is None else self._news_of(stream, screen, said, opening, seen)
        except StoreTrouble:
            # What is shown stays, until the store is back and the bell rings again. A new screen asks again.
            if opening:
                self._close(stream)
            return b""
        except Exception:
            # One screen that cannot be drawn must not silence the others; it will ask again.
            log.exception("a screen cannot be drawn")
            self._close(stream)
            return None

    def _news_of(self, stream: Stream, screen: Screen, said: Said, opening: bytes, seen: str) -> bytes:
        """What is new on this screen to whoever has seen what its stream was sent; from here on, it was sent."""
        if screen.table and screen.table != stream.table:
            self._move(stream, screen.table)
            opening += MOVED
        stream.version = screen.version
        if seen and seen == screen.mark:
            opening += b"id: %d\n\n" % screen.version
        else:
            own = screen.own.since(stream.own)
            told = (own, stream.shared, screen.shared)
            if (news := said.get(told)) is None:
                changed = (*own, *screen.shared.since(stream.shared))
                news = said[told] = screen.frame(changed) if changed else b""
            opening += news
        stream.own, stream.shared = screen.own.digests, screen.shared.digests
        return opening

    def _tell(self, stream: Stream, news: bytes | None) -> None:
        """Send what was drawn; if something has happened meanwhile, it is drawn next."""
        if news is None or stream.fd < 0:
            return
        stream.drawing = False
        if news:
            self._send(stream, news)
        self._catch_up(stream)

    def _catch_up(self, stream: Stream) -> None:
        if stream.dirty and not stream.pending and stream.fd >= 0:
            stream.dirty = False
            gevent.spawn(self._redraw, stream)  # drawing may wait for the store, and the event loop may not

    def _move(self, stream: Stream, table: str) -> None:
        """From now on this stream hears the bell of the table that it shows."""
        self._forget(stream)
        stream.table = table
        self._streams.setdefault(table, {})[stream] = None

    def _forget(self, stream: Stream) -> None:
        streams = self._streams[stream.table]
        streams.pop(stream, None)
        if not streams:
            del self._streams[stream.table]

    def _send(self, stream: Stream, data: bytes) -> None:
        try:
            sent = os.write(stream.fd, data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._close(stream)
            return
        if sent < len(data):
            stream.pending = data[sent:]
            stream.writer = gevent.get_hub().loop.io(stream.fd, WRITE)
            stream.writer.start(self._go_on, stream)

    def _go_on(self, stream: Stream) -> None:
        """A slow reader has room again."""
        data, stream.pending = stream.pending, b""
        stream.writer.stop()
        stream.writer.close()
        stream.writer = None
        self._send(stream, data)
        self._catch_up(stream)

    def _hear(self, stream: Stream) -> None:
        """A phone says nothing on its stream; if it does, it is hanging up."""
        try:
            if os.read(stream.fd, 4096):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._close(stream)

    def _close(self, stream: Stream) -> None:
        if stream.fd < 0:
            return
        for watcher in (stream.reader, stream.writer):
            if watcher is not None:
                watcher.stop()
                watcher.close()
        stream.reader = stream.writer = None
        with contextlib.suppress(OSError):
            os.close(stream.fd)
        stream.fd = -1
        self.open -= 1
        self.counted(self.open)
        self.addresses[stream.address] -= 1
        if not self.addresses[stream.address]:
            del self.addresses[stream.address]
        self._forget(stream)

    def stop(self) -> None:
        """End every stream, so that phones come back to whoever serves next."""
        gevent.killall(self._greenlets)
        for streams in list(self._streams.values()):
            for stream in list(streams):
                self._close(stream)
