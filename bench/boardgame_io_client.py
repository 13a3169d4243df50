"""The load generator's client for boardgame.io: the lobby over HTTP, screens and taps over socket.io."""

from __future__ import annotations

import json
import time
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlencode

from bench.load import PLAYERS, TAP_TIMEOUT_S, TAPS_PER_ROUND, Load, Screen, Table, connect, votes_after

UPGRADE = (
    b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
    b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
TEXT_FRAME, MASKED = 0x81, 0x80
OPEN, PING, PONG, CONNECT, EVENT = b"0", b"2", b"3", b"40/ballot,", b"42/ballot,"


def frame(text: bytes) -> bytes:
    """Return a WebSocket text frame, masked with zeros, which doesn't change the text."""
    size = bytes([MASKED | len(text)]) if len(text) < 126 else bytes([MASKED | 126]) + len(text).to_bytes(2, "big")
    return bytes([TEXT_FRAME]) + size + bytes(4) + text


def event(*arguments: object) -> bytes:
    return frame(EVENT + json.dumps(arguments).encode())


class WebSocket(Screen):
    """A client of boardgame.io that is synchronised with its match; it receives every update and sends moves."""

    def __init__(self, table: Table, port: int, match: str, seat: str | None, key: str | None) -> None:
        super().__init__(table, connect(port))
        self._upgraded = False
        self._last = b""
        self._send_and_wait(UPGRADE, OPEN)
        self._send_and_wait(frame(CONNECT), CONNECT)
        # A player's own arrival is announced after the answer to "sync"; a spectator's is not.
        self._send_and_wait(event("sync", match, seat, key, PLAYERS), EVENT + (b'["matchData"' if seat else b'["sync"'))

    def _send_and_wait(self, request: bytes, start: bytes) -> None:
        """Send a request, and read until the last message starts like this."""
        self.sock.sendall(request)
        end = time.perf_counter() + TAP_TIMEOUT_S
        while not self._last.startswith(start):
            self.load.poll(1, end)

    def received(self, data: bytes) -> None:
        """Split the bytes into WebSocket messages; a server's frames are not masked."""
        buffer = self.buffer + data
        if not self._upgraded and b"\r\n\r\n" in buffer:
            self._upgraded, buffer = True, buffer.partition(b"\r\n\r\n")[2]
        while self._upgraded and len(buffer) >= 2:
            size, start = buffer[1], 2
            if size >= 126:
                start = 4 if size == 126 else 10
                size = int.from_bytes(buffer[2:start], "big")
            if len(buffer) < start + size:
                break
            self._last, buffer = buffer[start : start + size], buffer[start + size :]
            if self._last == PING:
                self.sock.sendall(frame(PONG))
            self.message(self._last)
        self.buffer = buffer


class BoardgameIoTable(Table):
    """Eight players and a spectator with a WebSocket each; the first player opens the box."""

    def __init__(self, load: Load, port: int) -> None:
        super().__init__(load)
        self._taps = []
        self.pages: list[str] = []
        """The URLs for the players' phones."""
        with closing(HTTPConnection("localhost", port, timeout=60)) as lobby:
            match = _ask(lobby, "create", numPlayers=PLAYERS)["matchID"]
            for seat in map(str, range(PLAYERS)):
                key = _ask(lobby, f"{match}/join", playerID=seat, playerName=f"Player {seat}")["playerCredentials"]
                self.pages.append(f"/page/boardgame_io.html?{urlencode({'match': match, 'seat': seat, 'key': key})}")
                sock = WebSocket(self, port, match, seat, key).sock
                self._taps.append((sock, _move(match, seat, key, "cast", "owl")))
                if seat == "0":
                    opening = sock, _move(match, seat, key, "open")
        WebSocket(self, port, match, None, None)
        self._taps.append(opening)

    def send(self, number: int) -> bytes:
        sock, move = self._taps[number % TAPS_PER_ROUND]
        sock.sendall(move)
        return b'"answered":%d' % votes_after(number)


def _ask(lobby: HTTPConnection, path: str, **request: object) -> dict[str, str]:
    lobby.request("POST", f"/games/ballot/{path}", json.dumps(request), {"Content-Type": "application/json"})
    with lobby.getresponse() as reply:
        return json.load(reply)


def _move(match: str, seat: str, key: str, name: str, *arguments: str) -> bytes:
    payload = {"type": name, "args": arguments, "playerID": seat, "credentials": key}
    return event("update", {"type": "MAKE_MOVE", "payload": payload}, 0, match, seat)
