"""The system clock jumps by an hour while people play: pauses last as long as they should, and nothing breaks."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from crowd import Crowd
from here import python_path

from companion.testing import House, Reply, Table, wait_until

FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
HOUR = 3600
DAY = 24 * HOUR


class Clock:
    """The companion's wall clock; its monotonic clock is not affected."""

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
        """Set the clock this much later than the real time."""
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
    """Return the time of day as the server reads it."""
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
        assert reply.shows("Slow down, please")


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


BOTH = pytest.mark.store("sqlite", "postgresql")


@pytest.fixture
def dated(clock: Clock, tmp_path: Path, database: Callable[[], str | None]) -> Iterator[House]:
    """A companion on either store whose clock can be set to another day."""
    house = House(tmp_path / "data", database=database(), **clock.environment)
    yield house
    house.kill()


def played(house: House) -> Table:
    table = house.opens("score_sheet", rounds=1)
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    for seat in table:
        assert seat.presses("Write down", points=seat.seat).status == 200
    return table


def comes_up(house: House, clock: Clock, day: int, *options: str) -> None:
    """Start it this many days from today."""
    clock.jump(day * DAY)
    house.start(*options)


@BOTH
def test_an_evening_played_with_the_clock_far_behind_goes_on_when_it_is_put_right(dated, clock):
    comes_up(dated, clock, -40)
    table = played(dated)
    dated.kill()
    for day in (0, -40, 400, 0):
        comes_up(dated, clock, day)
        assert table["Ann"].shows("Ben wins")
        assert table.shared.reads("night").shows("Ben wins")
        dated.kill()
    comes_up(dated, clock, 0)
    assert table.plays_again().starts()["Ann"].presses("Write down", points=7).status == 200


@BOTH
def test_a_night_is_put_away_after_days_on_which_the_companion_ran_and_brought_back(dated, clock):
    comes_up(dated, clock, 0)
    table = played(dated)
    for day in (400, 401, 800):  # a companion that is off counts no days
        dated.kill()
        comes_up(dated, clock, day, "--archive-after=4")
        assert table["Ann"].shows("Ben wins")
    dated.kill()
    comes_up(dated, clock, 801, "--archive-after=0")
    assert table["Ann"].shows("Ben wins")
    dated.kill()
    comes_up(dated, clock, 801, "--archive-after=4")
    wait_until(lambda: table["Ann"].client.get(table["Ann"].path).status_code == 403, "the night is put away")
    for seat in (table["Ann"], table.shared):
        reply = Reply(seat.client.get(seat.path))
        assert reply.status == 403
        assert reply.shows(f"companion tables restore {table.code}")
    assert table["Ann"].taps("CorrectMine", cell=1, points=3).status == 403
    assert Reply(dated.visitor().get(f"/t/{table.code}")).shows("This night is in the archive")
    assert table.shared.reads("night").shows("Ben wins")
    assert restores(dated, table.code) == f"The night of table {table.code} is back.\n"
    wait_until(lambda: table["Ann"].client.get(table["Ann"].path).status_code == 200, "the night is back")
    dated.kill()
    comes_up(dated, clock, 802, "--archive-after=4")
    assert table["Ann"].shows("This night is back from the archive.")
    for day in range(803, 814):
        dated.kill()
        comes_up(dated, clock, day, "--archive-after=4")
    # After eleven days of running (four and a week), only the results are left.
    wait_until(lambda: not dated.database_bytes().count(b"in round"), "only the results are left")
    assert table.shared.reads("night").shows("Ben wins")
    assert "Only its results are left." in restores(dated, table.code)


def restores(house: House, code: str) -> str:
    command = [sys.executable, "-m", "companion", "tables", f"--data-dir={house.data}", "restore", code]
    environment = {**os.environ, "PYTHONPATH": python_path(), **house.environment}
    done = subprocess.run(command, cwd=house.data.parent, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
