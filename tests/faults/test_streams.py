"""Thousands of open screens: closed ones leave nothing behind, and clients that never read delay nobody."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from companion.testing import House, Seated, Table, wait_until

MANY = 1_000
ROUNDS = 5
SLOW = 50


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "data", COMPANION_TRIES="1000000", COMPANION_HEARTBEAT="0.5").start()
    yield house
    house.kill()


def playing(house: House) -> Table:
    table = house.opens("score_sheet", mode="running")
    for name in ("Ann", "Ben"):
        table.sits(name)
    return table.starts()


def call(seat: Seated, memory: int | None = None) -> socket.socket:
    """Request a stream, but read nothing."""
    sock = socket.socket()
    sock.settimeout(30)
    if memory is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, memory)
    sock.connect(("127.0.0.1", seat.house.port))
    sock.sendall(f"GET {seat.path}/live HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return sock


def test_a_thousand_screens_come_and_go_and_leave_nothing_behind(house):
    table = playing(house)
    process = psutil.Process(house.process.pid)
    files = house.open_files()
    memory = []
    for n in range(ROUNDS):
        screens = [call(seat) for _ in range(MANY // 2) for seat in table]
        for screen in screens:
            assert screen.recv(12) == b"HTTP/1.1 200"
        assert house.open_files() >= files + MANY
        assert table["Ann"].taps("Enter", tap_id=f"{n}.1", points=1).status == 200
        for screen in screens:
            screen.close()
        wait_until(lambda: house.open_files() <= files + 2, "all files are closed")
        memory.append(process.memory_info().rss)
    # The first two rounds fill pools and queues that are reused; after that, memory must not grow.
    assert max(memory[2:]) - memory[1] < 2 << 20, [rss >> 10 for rss in memory]


def test_clients_that_never_read_delay_nobody_and_are_dropped(house):
    table = playing(house)
    process = psutil.Process(house.process.pid)
    files = house.open_files()
    reader = table.shared.listens()
    slow = [call(table["Ben"], memory=1_024) for _ in range(SLOW)]
    wait_until(lambda: house.open_files() >= files + SLOW, "all of them are connected")
    before = process.memory_info().rss
    taps = 300
    for n in range(1, taps + 1):
        assert table["Ann"].taps("Enter", tap_id=f"{n}.1", points=1).status == 200
        reader.until(f"Ann {n} ")
    # At most one unread frame is stored per client.
    assert process.memory_info().rss - before < 16 << 20
    wait_until(lambda: house.open_files() < files + SLOW // 10, "those who never read are dropped")
    assert table.shared.page().status == 200
    for one in slow:
        one.close()
