"""A Wi-Fi that can go away: everything between a phone and the server passes through it."""

from __future__ import annotations

import contextlib
import socket
import threading


class Wifi:
    """Forwards connections to the server's port until it goes away."""

    def __init__(self, to: int) -> None:
        self._to = to
        self.port = 0
        self._open: list[socket.socket] = []
        self.comes_back()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def comes_back(self) -> None:
        self._ear = socket.create_server(("127.0.0.1", self.port))
        self.port = self._ear.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._ear,), daemon=True).start()

    def goes_away(self) -> None:
        """All connections break, and no new one comes through."""
        for one in (self._ear, *self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

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
                sink.sendall(data)
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
