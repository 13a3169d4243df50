"""The hub: all screens of a table are updated together, and never from a newer version to an older one."""

from __future__ import annotations

import contextlib
import re
import socket

import gevent
import gevent.event
import pytest

from companion.live import hub
from companion.live.hub import Hub
from companion.live.screen import Region, Screen, digests_of


class Table:
    """A table whose screens show its version and their viewer; rendering can be paused."""

    def __init__(self) -> None:
        self.version = 1
        self.held_up: dict[str, gevent.event.Event] = {}
        self.drawn: list[str] = []
        self.hub = Hub(self.draw)
        self.ends: dict[str, socket.socket] = {}

    def draw(self, viewer: str) -> Screen:
        version = self.version
        self.drawn.append(viewer)
        if viewer in self.held_up:
            self.held_up[viewer].wait()
        regions = (region("you", f"{viewer} at {version}"), region("table", f"version {version}"))
        return Screen(version, "table", regions, digests_of(regions))

    def sits(self, *viewers: str) -> None:
        for viewer in viewers:
            ours, theirs = socket.socketpair()
            theirs.setblocking(False)
            self.ends[viewer] = theirs
            self.hub.add(ours, "table", viewer)
            self.reads(viewer)

    def reads(self, viewer: str) -> list[int]:
        """Return the versions that this screen was sent since the last call."""
        try:
            return [int(found) for found in re.findall(rb"id: (\d+)", self.ends[viewer].recv(1 << 16))]
        except BlockingIOError:
            return []


def region(name: str, words: str) -> Region:
    return Region(name, words.encode(), hash(words))


@pytest.fixture
def table():
    table = Table()
    yield table
    table.hub.stop()
    for end in table.ends.values():
        end.close()


def test_all_screens_of_a_table_are_drawn_before_the_first_is_told(table):
    table.sits("Ann", "Ben", "Cleo")
    table.version, table.held_up["Cleo"] = 2, gevent.event.Event()
    showing = gevent.spawn(table.hub.show, "table")
    gevent.sleep(0)
    assert table.drawn[-3:] == ["Ann", "Ben", "Cleo"]
    assert [table.reads(viewer) for viewer in table.ends] == [[], [], []]
    table.held_up.pop("Cleo").set()
    showing.join()
    assert [table.reads(viewer) for viewer in table.ends] == [[2], [2], [2]]


def test_nobody_is_told_something_older_because_another_screen_took_long_to_draw(table):
    table.sits("Ann", "Ben")
    table.version, slow = 2, gevent.event.Event()
    table.held_up["Ben"] = slow
    first = gevent.spawn(table.hub.show, "table")
    gevent.sleep(0)  # Ann's screen is drawn at version 2, and waits for Ben's
    table.version = 3
    del table.held_up["Ben"]
    second = gevent.spawn(table.hub.show, "table")  # this one is not paused
    gevent.sleep(0)
    slow.set()
    gevent.joinall([first, second])
    for viewer in ("Ann", "Ben"):
        told = []
        with gevent.Timeout(30):
            while 3 not in told:  # a screen that missed something is drawn again by itself
                told += table.reads(viewer)
                gevent.sleep(0)
        assert told == [2, 3]


def test_hanging_up_while_others_are_drawn_delays_nobody(table):
    table.sits("Ann", "Ben")
    table.version, slow = 2, gevent.event.Event()
    table.held_up["Ben"] = slow
    showing = gevent.spawn(table.hub.show, "table")
    gevent.sleep(0)
    table.ends["Ann"].close()
    with gevent.Timeout(30):
        while table.hub.open > 1:
            gevent.sleep(0)
    del table.held_up["Ben"]
    slow.set()
    showing.join()
    assert table.hub.open == 1
    assert table.reads("Ben") == [2]


def test_a_table_with_many_screens_lets_others_have_their_turn_while_it_is_drawn(table, monkeypatch):
    monkeypatch.setattr(hub, "TURN_S", 0)
    table.sits("Ann", "Ben", "Cleo")
    table.version, table.drawn = 2, []
    showing = gevent.spawn(table.hub.show, "table")
    gevent.sleep(0)
    assert len(table.drawn) == 1  # and we had our turn
    table.version = 3
    gevent.joinall([showing, gevent.spawn(table.hub.show, "table")])
    told = {viewer: [] for viewer in table.ends}
    with gevent.Timeout(30):
        while not all(3 in versions for versions in told.values()):
            for viewer, versions in told.items():
                versions += table.reads(viewer)
            gevent.sleep(0)
    assert told == {"Ann": [2, 3], "Ben": [3], "Cleo": [3]}


def test_a_client_that_talks_on_a_stream_is_hung_up_on(table):
    table.sits("Ann", "Ben")
    for _ in range(100):
        table.ends["Ann"].send(b"x" * 10)
        gevent.sleep(0.001)
    assert table.hub.open == 2
    with gevent.Timeout(30), contextlib.suppress(BrokenPipeError, ConnectionResetError):
        while table.hub.open == 2:
            table.ends["Ann"].send(b"x" * 10)
            gevent.sleep(0.001)
    assert table.hub.open == 1
    assert table.hub.tables() == ["table"]
