"""One open screen, as the hub keeps it."""

from __future__ import annotations

import socket
import sys
from typing import Any


class Stream:
    """An open screen."""

    __slots__ = (
        "address", "closed", "digests", "dirty", "drawing", "heard", "pending", "read_watcher", "socket", "table",
        "version", "viewer", "write_watcher",
    )  # fmt: skip

    def __init__(self, sock: socket.socket, table: str, viewer: Any, address: str) -> None:
        self.socket = sock
        self.closed = False
        self.address = sys.intern(address)
        self.table = table
        self.viewer = viewer
        self.digests: tuple[int, ...] = ()
        """Of the regions that it was sent last."""
        self.version = self.heard = 0
        self.pending = b""
        """What the socket had no room for yet."""
        self.dirty = False
        """Whether something changed while it could not be drawn."""
        self.drawing = False
        """Whether it is being drawn, or waits to be sent what was drawn."""
        self.read_watcher: Any = None
        self.write_watcher: Any = None
