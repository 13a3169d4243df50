"""The hub: writes to every open stream of this process.

A stream is a socket, its viewer, and the digests of the regions it was sent last. It costs no greenlet and no thread
while nothing happens. Only regions that have changed are sent. A slow reader skips versions and never holds up another.
"""

from __future__ import annotations

import contextlib
import logging
import socket
from collections import Counter
from collections.abc import Callable
from itertools import islice
from time import perf_counter
from typing import Any

import gevent
from gevent.event import Event

from companion.engine.store import StoreTrouble, Unreadable
from companion.live.open_stream import Stream
from companion.live.screen import Screen

log = logging.getLogger("companion")

HEARTBEAT_S = 15.0
MISSED_HEARTBEATS = 4
"""After this many unacknowledged heartbeats, the connection is dead."""
HEARTBEAT = b": beat\nevent: beat\n\n"
MOVED = b"event: moved\n\n"
"""The people of this table have gone on to another one: the page is to be loaded again."""
TABLES_PER_TURN = 20
"""How many tables changed by other processes are shown before other greenlets run."""
TURN_S = 0.02
"""How long the screens of a table are drawn before other greenlets run."""
MAX_HEARD_BYTES = 1_024  # a phone sends nothing on a stream
SEND_BUFFER_BYTES = 65_536
READ, WRITE = 1, 2
"""libev's names for what a socket may be ready for."""

Frames = dict[tuple[int, ...], bytes]
"""By the digests of its regions: streams to which the same is new get the same frame."""
Draw = Callable[[Any], Screen | None]
"""Viewer -> the present screen, or None if this viewer may not look any more."""


class Hub:
    """Holds all open streams of this process and writes to them."""

    def __init__(
        self,
        draw: Draw,
        heartbeat_s: float = HEARTBEAT_S,
        observe_draw: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self._draw = draw
        self._heartbeat_s = heartbeat_s
        self._observe_draw = observe_draw
        self._streams: dict[str, dict[Stream, None]] = {}
        self._changed: dict[str, None] = {}
        """Tables whose screens are to be shown soon."""
        self._wake = Event()
        self._greenlets: list[gevent.Greenlet] = []
        self.open = 0
        self.open_by_address: Counter[str] = Counter()

    def start(self) -> None:
        self._greenlets = [gevent.spawn(self._show_changed), gevent.spawn(self._beat)]

    def stop(self) -> None:
        """End every stream, so that phones reconnect to whichever process serves next."""
        gevent.killall(self._greenlets)
        for streams in list(self._streams.values()):
            for stream in list(streams):
                self._close(stream)

    def tables(self) -> list[str]:
        """The tables that somebody looks at."""
        return list(self._streams)

    def is_behind(self, table: str, version: int) -> bool:
        """Whether an open screen shows an older version of this table."""
        return any(stream.version < version for stream in self._streams.get(table, ()))

    def show(self, table: str) -> None:
        """Send every open screen of this table what is new to it, now.

        All are drawn before the first is sent, so that a reader of several streams wakes once.
        """
        began = turn = perf_counter()
        frames: Frames = {}
        drawn = []
        for stream in list(self._streams.get(table, ())):
            drawn.append((stream, self._draw_news(stream, frames)))
            if perf_counter() - turn > TURN_S:
                gevent.sleep(0)
                turn = perf_counter()
        for stream, news in drawn:
            self._deliver(stream, news)
        self._observe_draw(perf_counter() - began)

    def show_soon(self, table: str) -> None:
        """The same after other greenlets had a turn."""
        if table in self._streams:
            self._changed[table] = None
            self._wake.set()

    def show_all_soon(self) -> None:
        """Show every table soon: anything may have changed."""
        for table in list(self._streams):
            self.show_soon(table)

    def readdress(self, change: Callable[[Any], Any]) -> None:
        """Give each stream the viewer that `change` makes of its own; those that get another one are shown soon."""
        for table, streams in list(self._streams.items()):
            for stream in streams:
                if (viewer := change(stream.viewer)) != stream.viewer:
                    stream.viewer = viewer
                    self.show_soon(table)

    def _show_changed(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            while self._changed:
                for table in list(islice(self._changed, TABLES_PER_TURN)):
                    del self._changed[table]
                    self.show(table)
                gevent.sleep(0)

    def _beat(self) -> None:
        while True:
            gevent.sleep(self._heartbeat_s)
            for streams in list(self._streams.values()):
                for stream in list(streams):
                    if not stream.pending and not stream.drawing:
                        self._send(stream, HEARTBEAT)
                gevent.sleep(0)

    # ---------------------------------------------------------------- one stream

    def add(
        self, sock: socket.socket, table: str, viewer: Any, opening: bytes = b"", seen: str = "", address: str = ""
    ) -> None:
        """Take over this socket: send the present screen now, unless it is the one with the mark `seen`."""
        sock.setblocking(False)
        with contextlib.suppress(OSError, AttributeError):  # not every system, and not every socket, has these
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            dead_after_ms = int(MISSED_HEARTBEATS * self._heartbeat_s * 1000)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, dead_after_ms)
        stream = Stream(sock, table, viewer, address)
        self._streams.setdefault(table, {})[stream] = None
        self.open += 1
        self.open_by_address[stream.address] += 1
        stream.read_watcher = gevent.get_hub().loop.io(sock.fileno(), READ)
        stream.read_watcher.start(self._on_readable, stream)
        self._redraw(stream, opening, seen)

    def _redraw(self, stream: Stream, opening: bytes = b"", seen: str = "") -> None:
        self._deliver(stream, self._draw_news(stream, {}, opening, seen))

    def _draw_news(self, stream: Stream, frames: Frames, opening: bytes = b"", seen: str = "") -> bytes | None:
        """What is new to this stream; None if it cannot be drawn now, or is closed."""
        if stream.pending or stream.drawing:
            stream.dirty = True
            return None
        stream.drawing = True
        try:
            screen = self._draw(stream.viewer)  # may wait for the store, while other greenlets draw or close streams
            if screen is None:
                self._close(stream)
            return None if stream.closed or screen is None else self._news(stream, screen, frames, opening, seen)
        except StoreTrouble:
            # What is shown stays until the store is back. A stream that was just opened is closed and comes again.
            if opening:
                self._close(stream)
            return b""
        except Unreadable:
            log.error("a table cannot be opened: its key is lost, or its data is damaged")
            self._close(stream)
            return None
        except Exception:
            # One screen that cannot be drawn must not silence the others; it will connect again.
            log.exception("a screen cannot be drawn")
            self._close(stream)
            return None

    def _news(self, stream: Stream, screen: Screen, frames: Frames, opening: bytes, seen: str) -> bytes:
        """Return the regions that changed since this stream's last frame, and remember them as sent."""
        if screen.table != stream.table:
            self._move(stream, screen.table)
            opening += MOVED
        # A page draws each version once, so what is new without a new version (an address) goes out without its number.
        is_same, stream.version = screen.version == stream.version, screen.version
        if seen and seen == screen.mark:
            opening += b"id: %d\n\n" % screen.version
        elif changed := screen.changed_since(stream.digests):
            key = (is_same, *[region.digest for region in changed])
            if (frame := frames.get(key)) is None:
                frame = frames[key] = screen.frame(changed, numbered=not is_same)
            opening += frame
        stream.digests = screen.digests
        return opening

    def _deliver(self, stream: Stream, news: bytes | None) -> None:
        """Send what was drawn; if something has changed meanwhile, draw again."""
        if news is None or stream.closed:
            return
        stream.drawing = False
        if news:
            self._send(stream, news)
        self._catch_up(stream)

    def _catch_up(self, stream: Stream) -> None:
        if stream.dirty and not stream.pending and not stream.closed:
            stream.dirty = False
            gevent.spawn(self._redraw, stream)  # drawing may wait for the store, and the event loop may not

    def _move(self, stream: Stream, table: str) -> None:
        """Move this stream to another table."""
        self._remove(stream)
        stream.table = table
        self._streams.setdefault(table, {})[stream] = None

    def _remove(self, stream: Stream) -> None:
        streams = self._streams[stream.table]
        streams.pop(stream, None)
        if not streams:
            del self._streams[stream.table]

    def _send(self, stream: Stream, data: bytes) -> None:
        try:
            sent = stream.socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._close(stream)
            return
        if sent < len(data):
            stream.pending = data[sent:]
            stream.write_watcher = gevent.get_hub().loop.io(stream.socket.fileno(), WRITE)
            stream.write_watcher.start(self._on_writable, stream)

    def _on_writable(self, stream: Stream) -> None:
        """Write more to a slow reader that has room again."""
        data, stream.pending = stream.pending, b""
        stream.write_watcher.stop()
        stream.write_watcher.close()
        stream.write_watcher = None
        self._send(stream, data)
        self._catch_up(stream)

    def _on_readable(self, stream: Stream) -> None:
        """A phone says nothing on its stream, so there is nothing to read unless it hangs up."""
        try:
            stream.heard += (said := len(stream.socket.recv(4096)))
            if said and stream.heard <= MAX_HEARD_BYTES:
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._close(stream)

    def _close(self, stream: Stream) -> None:
        if stream.closed:
            return
        stream.closed = True
        for watcher in (stream.read_watcher, stream.write_watcher):
            if watcher is not None:
                watcher.stop()
                watcher.close()
        stream.read_watcher = stream.write_watcher = None
        with contextlib.suppress(OSError):
            stream.socket.close()
        self.open -= 1
        self.open_by_address[stream.address] -= 1
        if not self.open_by_address[stream.address]:
            del self.open_by_address[stream.address]
        self._remove(stream)
