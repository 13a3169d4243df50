"""The body of a response that never ends by itself: the stream of an open screen."""

from __future__ import annotations

from typing import Any

from companion.live.hub import Hub


class StreamBody:
    """What a route returns instead of a body: our server hands the connection's socket to the hub."""

    def __init__(self, hub: Hub, table: str, viewer: Any, seen: str = "", address: str = "") -> None:
        self._hub = hub
        self._table = table
        self._viewer = viewer
        self._seen = seen
        self._address = address

    def hand_over(self, sock: Any, head: bytes) -> None:
        """Let the hub go on with this socket, beginning with the head of the response."""
        self._hub.add(sock, self._table, self._viewer, head, self._seen, self._address)
