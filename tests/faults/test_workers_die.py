"""One of three workers on one SQLite file is killed, again and again, while people tap, look and vote."""

from __future__ import annotations

import contextlib
import random
import signal
import threading
import time

import psutil
from crowd import TROUBLE, Crowd
from tabletalk import House, Seated, Table, wait_until
from test_crash import opened, words

KILLS = 20


class Voters(threading.Thread):
    """Put two slips into the box and open it, over and over; a vote that was cut off is cast again."""

    def __init__(self, house: House) -> None:
        super().__init__(daemon=True)
        self.house = house
        self.ballots = house.opens("secret_ballot")
        for name in ("Ida", "Jo"):
            self.ballots.sits(name)
        self.ballots.starts()
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.is_set():
            with contextlib.suppress(*TROUBLE, AssertionError):
                for name, word in zip(("Ida", "Jo"), words(opened(self.fresh())), strict=True):
                    self.come_in(name).taps("Cast", word=word)
                self.come_in("Ida").taps("Open")

    def come_in(self, name: str) -> Seated:
        return Seated(self.house, self.house.visitor(), self.ballots[name].path, name)

    def fresh(self) -> Table:
        self.ballots.people["Ida"] = self.come_in("Ida")
        return self.ballots


def workers(house: House) -> list[psutil.Process]:
    return psutil.Process(house.process.pid).children()


def test_workers_that_are_killed_cost_nobody_a_tap_and_leave_no_burnt_slip(tmp_path):
    house = House(tmp_path / "data", COMPANION_TRIES="1000000", COMPANION_TABLES_PER_DAY="1000000")
    house.start("--workers=3", "--address=http://house")
    chance = random.Random(20)
    voters = Voters(house)
    with Crowd(house, tables=2) as crowd:
        voters.start()
        for _ in range(KILLS):
            chance.choice(workers(house)).send_signal(signal.SIGKILL)
            crowd.go_on()
            wait_until(lambda: len(workers(house)) == 3, "another one has come")
        voters.over.set()
        voters.join()
        crowd.rests()
        crowd.screens_are_right(time.monotonic())
        crowd.nothing_is_lost_or_doubled()
        assert not [refused for tapper in crowd.tappers for refused in tapper.refused]
    rounds = opened(voters.fresh())
    assert rounds > KILLS / 10
    burnt = [word.encode() for round in range(rounds) for word in words(round)]
    # What a dying worker left in the log is cut by the one that follows it.
    wait_until(lambda: not [word for word in burnt if word in house.database_bytes()], "every burnt slip is gone")
    house.stop()
    assert "Traceback" not in house.log.read_text()
