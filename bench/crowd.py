"""People who tap: raw sockets on one epoll, reading no more than it takes to know that a screen has changed.

Each table has one tap under way. The next one goes out when all its screens have shown the last
one and its answer has come, so every accepted tap is seen on every screen.
"""

from __future__ import annotations

import itertools
import re
import select
import socket
import time
from collections.abc import Callable

from houses import SEATS, Doors

Move = Callable[[int], tuple[int, str]]
"""The n-th tap of a table: the seat that taps (0 is the shared screen), and the form."""
FRAME_ENDS = b"\n\n"
PATIENCE = 30.0
PHONE = (
    "Host: 192.0.2.7:8000\r\nUser-Agent: Mozilla/5.0 (Linux; Android 14) Chrome/126.0 Mobile Safari/537.36\r\n"
    "Accept: text/html\r\nAccept-Language: en-GB,en;q=0.9\r\nAccept-Encoding: gzip, deflate\r\n"
)


def knock(n: int) -> tuple[int, str]:
    return n % SEATS + 1, "tap=Knock"


def ballot(n: int) -> tuple[int, str]:
    """Eight secret slips, then the box is opened and they are burnt."""
    place = n % (SEATS + 1)
    return (0, "tap=Open") if place == SEATS else (place + 1, "tap=Cast&word=owl")


def points(n: int) -> tuple[int, str]:
    return n % SEATS + 1, f"tap=Enter&points={n % 40}"


def connect(port: int, hello: bytes = b"") -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.sendall(hello)
    return sock


def open_screen(port: int, door: str) -> socket.socket:
    """A stream that has shown its first screen."""
    sock = connect(port, f"GET {door}/live HTTP/1.1\r\n{PHONE}Accept: text/event-stream\r\n\r\n".encode())
    seen = sock.recv(1 << 18)
    assert seen.startswith(b"HTTP/1.1 200"), seen[:200]
    while not seen.endswith(FRAME_ENDS) or b"\r\n\r\n" not in seen or seen.endswith(b"\r\n\r\n"):
        seen += sock.recv(1 << 18)
    return sock


def post(door: str, form: str, n: int) -> bytes:
    """A phone's tap, the n-th of its table."""
    form += f"&tap_id={n}.1"
    return (
        f"POST {door} HTTP/1.1\r\n{PHONE}HX-Request: true\r\nOrigin: http://192.0.2.7:8000\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n{form}"
    ).encode()


def is_whole(answer: bytes) -> bool:
    """Whether an answer is there to its last byte; anything but 200 is a mistake of this bench."""
    head, found, body = answer.partition(b"\r\n\r\n")
    if not found or len(body) < int(re.search(rb"(?i)content-length: (\d+)", head)[1]):
        return False
    assert head.startswith(b"HTTP/1.1 200"), answer
    return True


class Table:
    """One table's open screens and the connection that taps."""

    def __init__(self, port: int, doors: Doors, move: Move) -> None:
        self.tapper = connect(port)
        self.screens = [open_screen(port, door) for door in doors]
        self._doors = doors
        self._move = move
        self._numbers = itertools.count()
        self.waiting = 0
        self.answered = True
        self.sent = self.seen = 0.0
        self.bytes = 0

    def request(self) -> bytes:
        n = next(self._numbers)
        seat, form = self._move(n)
        return post(self._doors[seat], form, n)

    def tap(self) -> None:
        request = self.request()
        self.waiting, self.answered, self._answer = len(self.screens), False, b""
        self.sent = time.perf_counter()
        self.tapper.sendall(request)

    def hear_answer(self, data: bytes) -> None:
        """The answer to the tap; anything but 200 is a mistake of this bench."""
        self._answer += data
        self.answered = is_whole(self._answer)

    def close(self) -> None:
        for sock in (self.tapper, *self.screens):
            sock.close()


class EchoTable(Table):
    """The same people at the bare echo server."""

    def __init__(self, port: int, request: bytes) -> None:
        super().__init__(port, [], knock)
        self.tapper.sendall(b"t")
        self.screens = [connect(port, b"s") for _ in range(SEATS + 1)]
        self._request = request

    def request(self) -> bytes:
        return self._request


class Crowd:
    """Tables that are played at the same time."""

    def __init__(self, tables: list[Table]) -> None:
        self.tables = tables
        self._poll = select.epoll()
        self._tappers = {table.tapper.fileno(): table for table in tables}
        self._screens = {screen.fileno(): (screen, table) for table in tables for screen in table.screens}
        for fd in (*self._screens, *self._tappers):
            self._poll.register(fd, select.EPOLLIN)
        self._turn = itertools.cycle(tables)

    def one_by_one(self, taps: int) -> list[float]:
        """So many taps, one after the other, around the tables; each one's time until all its screens had it."""
        return [took for _ in range(taps) for took in self._play([next(self._turn)])]

    def all_at_once(self, seconds: float) -> list[float]:
        """Every table taps as fast as its screens follow."""
        return self._play(self.tables, until=time.perf_counter() + seconds)

    def _play(self, tables: list[Table], until: float = 0.0) -> list[float]:
        took = []
        for table in tables:
            table.tap()
        under_way = len(tables)
        while under_way:
            events = self._poll.poll(PATIENCE)
            assert events, "a tap did not reach its screens"
            for fd, _ in events:
                table = self._read(fd)
                if table.waiting or not table.answered:
                    continue
                took.append(table.seen - table.sent)
                if time.perf_counter() < until:
                    table.tap()
                else:
                    under_way -= 1
        return took

    def _read(self, fd: int) -> Table:
        if (table := self._tappers.get(fd)) is not None:
            table.hear_answer(table.tapper.recv(1 << 18))
            return table
        screen, table = self._screens[fd]
        data = screen.recv(1 << 18)
        assert data, "a screen was closed"
        table.bytes += len(data)
        if data.endswith(FRAME_ENDS):
            table.waiting -= 1
            if not table.waiting:
                table.seen = time.perf_counter()
        return table

    def close(self) -> None:
        self._poll.close()
        for table in self.tables:
            table.close()
