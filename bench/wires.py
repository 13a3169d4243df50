"""How a phone speaks to each server that is compared: ours, the peers', and the bare echo."""

from __future__ import annotations

import json
import socket
from http.client import HTTPConnection

from crowd import ballot, connect, is_whole, open_screen, post
from houses import SEATS, Doors
from load import ROUND, Ear, Table, heard

WORD = "owl"


def answers(n: int) -> int:
    """How many are in the box after the n-th tap: eight cast, and the ninth opens it."""
    return (n + 1) % ROUND


# -------------------------------------------------------------------------------- ours: a stream, and taps by POST


class Answer(Ear):
    """A seat's own connection for taps; the next one waits until the last was answered."""

    __slots__ = ("_so_far",)

    def __init__(self, sock: socket.socket, table: Table) -> None:
        super().__init__(sock, table)
        self._so_far = b""

    def hear(self, size: int) -> None:
        self._so_far += heard[:size]
        if is_whole(self._so_far):
            self._so_far = b""
            self.table.waiting -= 1


class OurTable(Table):
    """Nine streams, and an answer to whoever tapped; the shared screen opens the box."""

    awaits = ROUND + 1

    def __init__(self, port: int, doors: Doors, hands: int = ROUND) -> None:
        super().__init__()
        self._doors = doors
        for door in doors:
            self.watch(open_screen(port, door))
        self._taps = [connect(port) for _ in range(hands)]
        self.ears += [Answer(sock, self) for sock in self._taps]

    def shows(self, n: int) -> bytes:
        return b"%d of 8 have answered" % answers(n)

    def send(self, n: int) -> None:
        seat, form = ballot(n)
        self._taps[seat % len(self._taps)].sendall(post(self._doors[seat], form, n))


# -------------------------------------------------------------------------------- the peers: one WebSocket each

UPGRADE = (
    "GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
TEXT, BINARY, PONG = 0x81, 0x82, 0x8A
LONG = 126


def frame(kind: int, said: bytes) -> bytes:
    """One WebSocket frame from a phone, masked with zeros, so that it can be read as it is."""
    size = bytes([0x80 | len(said)]) if len(said) < LONG else bytes([0x80 | LONG]) + len(said).to_bytes(2, "big")
    return bytes([kind]) + size + bytes(4) + said


def web_socket(port: int, path: str) -> socket.socket:
    sock = connect(port, UPGRADE.format(path).encode())
    wait_for(sock, b"\r\n\r\n")
    return sock


def wait_for(sock: socket.socket, *words: bytes) -> bytes:
    """Read until all of this was said."""
    said = b""
    while not all(word in said for word in words):
        more = sock.recv(1 << 16)
        assert more, f"closed before {words}: {said[:300]!r}"
        said += more
    return said


def asks(wire: HTTPConnection, path: str, **what: object) -> dict[str, str]:
    """Ask a peer's lobby."""
    wire.request("POST", path, json.dumps(what), {"Content-Type": "application/json"})
    reply = wire.getresponse()
    said = reply.read()
    assert reply.status == 200, said
    return json.loads(said)


class PeerTable(Table):
    """Eight players and a spectator, each with one WebSocket for everything; the first player opens the box."""

    def __init__(self) -> None:
        super().__init__()
        self._taps: list[tuple[socket.socket, bytes]] = []

    def send(self, n: int) -> None:
        sock, tap = self._taps[n % ROUND]
        sock.sendall(tap)


class BoardgameTable(PeerTable):
    """boardgame.io over socket.io, with its lobby's credentials."""

    beat, still_here = bytes([TEXT, 1]) + b"2", frame(TEXT, b"3")

    def __init__(self, port: int, lobby: HTTPConnection) -> None:
        super().__init__()
        match = asks(lobby, "/games/ballot/create", numPlayers=SEATS)["matchID"]
        keys = []
        for seat in range(SEATS):
            joined = asks(lobby, f"/games/ballot/{match}/join", playerID=str(seat), playerName=f"Player {seat}")
            keys.append(joined["playerCredentials"])
            sock = self._sync(port, match, str(seat), keys[seat])
            self._taps.append((sock, self._move(match, seat, keys[seat], "cast", WORD)))
        self._sync(port, match, None, None)
        self._taps.append((self._taps[0][0], self._move(match, 0, keys[0], "open")))

    def _sync(self, port: int, match: str, seat: str | None, key: str | None) -> socket.socket:
        sock = web_socket(port, "/socket.io/?EIO=4&transport=websocket")
        sock.sendall(frame(TEXT, b"40/ballot,"))
        wait_for(sock, b"40/ballot,")
        sock.sendall(frame(TEXT, b"42/ballot," + json.dumps(["sync", match, seat, key, SEATS]).encode()))
        # Its own arrival is told after it was synced.
        wait_for(sock, b'42/ballot,["sync"', *([b'42/ballot,["matchData"'] if seat else []))
        self.watch(sock)
        return sock

    def _move(self, match: str, seat: int, key: str, move: str, *words: str) -> bytes:
        made = {"type": move, "args": words, "playerID": str(seat), "credentials": key}
        update = ["update", {"type": "MAKE_MOVE", "payload": made}, 0, match, str(seat)]
        return frame(TEXT, b"42/ballot," + json.dumps(update).encode())

    def shows(self, n: int) -> bytes:
        return b'"answered":%d' % answers(n)


class ColyseusTable(PeerTable):
    """A Colyseus room: its state comes in patches of a few bytes."""

    beat, still_here = b"\x89\x00", frame(PONG, b"")
    JOINED, ROOM_DATA, PATCH, FIRST_FIELD = 10, 13, 15, 0x80

    def __init__(self, port: int, lobby: HTTPConnection) -> None:
        super().__init__()
        room = ""
        for seat in range(1, SEATS + 2):
            path = f"joinById/{room}" if room else "create/ballot"
            who = {"seat": seat} if seat <= SEATS else {}
            place = asks(lobby, f"/matchmake/{path}", **who)
            room = place["roomId"]
            sock = web_socket(port, f"/{place['processId']}/{room}?sessionId={place['sessionId']}")
            sock.sendall(frame(BINARY, bytes([self.JOINED])))
            self.watch(sock)
            if seat <= SEATS:
                self._taps.append((sock, self._message("cast", WORD)))
        self._taps.append((self._taps[0][0], self._message("open")))

    def _message(self, *words: str) -> bytes:
        packed = b"".join(bytes([0xA0 | len(word)]) + word.encode() for word in words)
        return frame(BINARY, bytes([self.ROOM_DATA]) + packed)

    def shows(self, n: int) -> bytes:
        return bytes([self.PATCH, self.FIRST_FIELD, answers(n)])


class EchoTable(PeerTable):
    """Whatever one says is written to all nine, and nothing else is done."""

    SIZE = 200

    def __init__(self, port: int, table: int) -> None:
        super().__init__()
        for n in range(ROUND):
            sock = connect(port, b"%d\n" % table)
            wait_for(sock, b"\n")
            self.watch(sock)
            self._taps.append((sock, self.shows(n).ljust(self.SIZE)))

    def shows(self, n: int) -> bytes:
        return b"%d of 8 have answered" % answers(n)
