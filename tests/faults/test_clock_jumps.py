"""The machine's clock jumps by an hour while people play: pauses take as long as they should, and nothing else notices."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from crowd import Crowd
from tabletalk import House, Reply

FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
HOUR = 3600


class Clock:
    """The time of day as the companion reads it; how long something takes is not changed by it."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.jump(0)
        self.environment = {
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def jump(self, seconds: int) -> None:
        """From now on it is so much later than it really is."""
        draft = self._file.with_suffix(".new")
        draft.write_text(f"{seconds:+d}\n")
        draft.replace(self._file)


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    return Clock(tmp_path)


@pytest.fixture
def timed(clock: Clock, tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "data", COMPANION_TRIES="3", COMPANION_HEARTBEAT="0.2", **clock.environment).start()
    yield house
    house.kill()


def date_of(house: House) -> float:
    """What the machine's clock says, as the server reads it."""
    from email.utils import parsedate_to_datetime

    return parsedate_to_datetime(house.visitor().get("/healthz").headers["date"]).timestamp()


@pytest.mark.parametrize("hours", [1, -1])
def test_a_pause_takes_as_long_as_it_should(timed, clock, hours):
    table = timed.opens("secret_ballot")
    table.sits("Ann")
    table.sits("Ben")
    table.starts()
    stream = table["Ben"].listens()
    began = time.monotonic()
    assert table["Ann"].taps("Hurry", seconds=3).status == 200
    clock.jump(hours * HOUR)
    assert abs(date_of(timed) - time.time() - hours * HOUR) < 60  # the clock has really jumped
    assert not table["Ben"].shows("Time is up.")
    stream.until("Time is up.")
    assert time.monotonic() - began >= 3


def test_taps_and_screens_go_on_while_the_clock_jumps_to_and_fro(timed, clock):
    with Crowd(timed, tables=1) as crowd:
        for hours in (1, -1, 24, 0):
            clock.jump(hours * HOUR)
            crowd.go_on()
        crowd.rests()
        crowd.screens_are_right(since=time.monotonic())
        crowd.nothing_is_lost_or_doubled()


def test_an_idle_screen_goes_on_hearing_that_it_is_connected(timed, clock):
    stream = timed.opens("score_sheet").shared.listens()
    stream.frame()
    for hours in (1, -1, 0):
        clock.jump(hours * HOUR)
        assert [stream.raw() for _ in range(3)] == [b": beat\nevent: beat"] * 3


def test_a_break_after_too_many_tries_is_not_cut_short_by_the_clock(timed, clock):
    somebody = timed.visitor()
    while somebody.get("/t/ZZZZ").status_code == 404:
        pass
    for hours in (1, -1):
        clock.jump(hours * HOUR)
        reply = Reply(somebody.get("/t/ZZZZ"))
        assert reply.status == 429
        assert reply.shows("A short break, please")


def test_links_and_tables_outlive_a_clock_that_is_wrong_at_the_start(timed, clock):
    table = timed.opens("score_sheet")
    table.sits("Ann")
    table.sits("Ben")
    table.starts()
    for hours in (24, -24, 0):
        timed.kill()
        clock.jump(hours * HOUR)
        timed.start()
        assert table["Ann"].taps("CorrectMine", cell=1, points=3).status in (200, 422)
        assert table["Ann"].page().status == 200
        assert table.shared.page().status == 200
