"""Fuzzing: a hundred thousand random requests get a sentence each; no error, hang, memory leak or changed table."""

from __future__ import annotations

import socket
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from requests_at_random import RequestsAtRandom

from companion.app import create_app
from companion.games import all_games
from companion.testing import NAMES, House, Table

REQUESTS = {"sqlite": 90_000, "postgresql": 15_000}
SOCKETS = 12
NOISE_SHARE = 0.2
MAX_GROWTH = 24 << 20
"""How much the server's memory may grow in the last two thirds."""


@pytest.fixture
def house(tmp_path: Path, database) -> Iterator[House]:
    house = House(
        tmp_path / "data", database=database(), COMPANION_TRIES="1000000", COMPANION_TABLES_PER_DAY="1000000"
    ).start()
    yield house
    house.kill()


class Sender:
    """A connection that is made again when the server has closed it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._sock: socket.socket | None = None
        self._buffer = b""
        self.sent = b""

    def send(self, request: bytes, *, last: bool) -> None:
        """Send a request; `last` also closes our side, so that the server doesn't wait for more."""
        self.sent = request
        for fresh in (False, True):
            try:
                if self._sock is None or fresh:
                    self.close()
                    self._sock = socket.create_connection(("127.0.0.1", self._port), timeout=120)
                self._sock.sendall(request)
                if last:
                    self._sock.shutdown(socket.SHUT_WR)
            except ConnectionError:
                continue
            return

    def answer(self) -> tuple[int, dict[str, str]]:
        """Return the status and the headers, or (0, {}) if the server closed the connection."""
        try:
            while (end := self._buffer.find(b"\r\n\r\n")) < 0:
                self._more()
            head, self._buffer = self._buffer[:end].decode("latin-1"), self._buffer[end + 4 :]
            first, *lines = head.split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            status = int(first.split()[1])
            if status == 100:
                return self.answer()
            if "event-stream" in headers.get("content-type", "") or headers.get("connection") == "close":
                self.close()
            elif not self.sent.startswith(b"HEAD "):
                length = int(headers.get("content-length", 0))
                while len(self._buffer) < length:
                    self._more()
                self._buffer = self._buffer[length:]
            return status, headers
        except ConnectionError:
            self.close()
            return 0, {}

    def _more(self) -> None:
        if self._sock is None:
            raise ConnectionError
        try:
            data = self._sock.recv(65_536)
        except TimeoutError:
            raise AssertionError(f"no answer to {self.sent[:3_000]!r}") from None
        if not data:
            raise ConnectionError
        self._buffer += data

    def close(self) -> None:
        if self._sock is not None:
            self._sock.close()
        self._sock, self._buffer = None, b""


def table_of(house: House, game: str) -> Table:
    """Return a started table with enough people for this game."""
    table = house.opens(game)
    for name in NAMES[: max(2, all_games()[game].players[0])]:
        table.sits(name)
    return table.starts()


@pytest.mark.store("sqlite", "postgresql")
def test_whatever_is_sent_gets_an_answer_and_changes_nobody_else_s_table(house, seed, tmp_path):
    guarded = {game: table_of(house, game) for game in all_games()}
    theirs = [seat for table in guarded.values() for seat in (table.shared, *table)]
    before = [seat.screen() for seat in theirs]
    chance = RequestsAtRandom(seed, create_app(tmp_path / "routes"), all_games(), f"127.0.0.1:{house.port}")
    chance.guarded += [seat.path[1:] for seat in theirs]
    for game in (*all_games(), "score_sheet"):
        ours = table_of(house, game)
        chance.codes.append(ours.code)
        for seat in (ours.shared, *ours):
            chance.learn(seat.path)
    many = REQUESTS["postgresql" if house.database else "sqlite"]
    process = psutil.Process(house.process.pid)
    waiting: deque[Sender] = deque(Sender(house.port) for _ in range(SOCKETS))
    answers: Counter[int] = Counter()
    broken, memory = [], 0
    for number in range(many + SOCKETS):
        sender = waiting.popleft()
        if sender.sent:
            status, headers = sender.answer()
            answers[status] += 1
            chance.learn(headers.get("location", ""))
            if status >= 500:
                broken.append((status, sender.sent))
            sender.sent = b""
        if number < many:
            last = chance.dice.random() < NOISE_SHARE
            sender.send(chance.noise() if last else chance.request(), last=last)
        if number == many // 3:
            memory = process.memory_info().rss
        waiting.append(sender)
    grown = process.memory_info().rss - memory
    for sender in waiting:
        sender.close()
    print(f"{many} requests, {dict(sorted(answers.items()))}, memory {memory >> 20} MB and {grown >> 10} KB more")
    assert not broken, f"{len(broken)}, {broken[:3]}"
    said = house.log.read_text()
    assert "a bug, not a refusal" not in said, said[-3_000:]
    assert "failed" not in said, said[-3_000:]
    assert grown < MAX_GROWTH
    assert answers[0] < many / 5
    for seat, was in zip(theirs, before, strict=True):
        assert seat.screen() == was, seat.path
