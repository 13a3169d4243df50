"""A response that goes on: the stream of an open screen, handed to the hub."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from typing import Any

from companion.engine.live import Hub


class Live:
    """A response that goes on: our own server hands its socket to the hub, any other one iterates it."""

    def __init__(self, hub: Hub, table: str, viewer: Any, seen: str = "", address: str = "") -> None:
        self._hub = hub
        self._table = table
        self._viewer = viewer
        self._seen = seen
        self._address = address

    def take(self, sock: Any, opening: bytes) -> None:
        """Go on with a copy of this socket, beginning with the head of the response."""
        with contextlib.suppress(OSError, AttributeError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, self._hub.patience)  # where there is one
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)
        self._hub.add(os.dup(sock.fileno()), self._table, self._viewer, opening, self._seen, self._address)

    def __iter__(self) -> Iterator[bytes]:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            self._hub.add(os.dup(ours.fileno()), self._table, self._viewer, seen=self._seen, address=self._address)
            ours.close()
            while data := theirs.recv(65_536):
                yield data
