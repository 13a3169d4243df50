"""A Wi-Fi that can fail: a TCP proxy between phones and the server."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Iterator

from playwright.sync_api import Page, Route


class Wifi:
    """Forwards connections to the server's port until it is switched off."""

    def __init__(self, to: int) -> None:
        self._to = to
        self.port = 0
        self._open: list[socket.socket] = []
        self._streams: set[socket.socket] = set()
        """Connections to the server that requested a live stream."""
        self._gate = threading.Condition()
        self._held = False
        self._let = 0
        self.comes_back()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def comes_back(self) -> None:
        self._ear = socket.create_server(("127.0.0.1", self.port))
        self.port = self._ear.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._ear,), daemon=True).start()

    def goes_away(self) -> None:
        """Break all connections, and refuse new ones."""
        for one in (self._ear, *self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

    def holds_streams_back(self) -> None:
        """Pass on replies, but hold back live streams."""
        self._held = True

    def lets_one_frame_through(self) -> None:
        with self._gate:
            self._let += 1
            self._gate.notify_all()

    def lets_streams_through(self) -> None:
        with self._gate:
            self._held = False
            self._gate.notify_all()

    def _accept(self, ear: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                phone, _ = ear.accept()
                server = socket.create_connection(("127.0.0.1", self._to))
                self._open += [phone, server]
                for pair in ((phone, server), (server, phone)):
                    threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if b"/live?" in data:
                    self._streams.add(sink)
                if source not in self._streams:
                    sink.sendall(data)
                    continue
                for frame in re.findall(rb".+?\n\n|.+", data, re.S):
                    with self._gate:
                        self._gate.wait_for(lambda: not self._held or self._let)
                        self._let -= self._held
                    sink.sendall(frame)
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@contextlib.contextmanager
def slow_wifi(page: Page) -> Iterator[None]:
    """Hold back everything that this page sends in this block, then send it, newest first."""
    held: list[Route] = []
    is_slow = True
    page.route("**/*", lambda route: held.append(route) if is_slow else route.continue_())
    yield
    page.evaluate("new Promise(requestAnimationFrame)")  # everything has been sent by now
    is_slow = False
    for request in reversed(held):
        request.continue_()
