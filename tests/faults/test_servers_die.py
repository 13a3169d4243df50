"""One of three companions on one PostgreSQL is killed again and again while people tap and watch."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
from fleet import Everywhere, Fleet

from companion.testing import House, Person, Seated

KILLS = 30


def test_thirty_kills_of_one_of_three_servers_cost_nobody_a_tap(cellar, tmp_path):
    fleet = Fleet(tmp_path / "data", cellar.database()).start()
    chance = random.Random(30)
    with Everywhere(fleet) as crowd:
        for _ in range(KILLS):
            victim = chance.choice(fleet.houses)
            victim.kill()
            crowd.go_on()
            crowd.screens_catch_up()
            victim.start()
        crowd.rests()
        crowd.screens_are_right(time.monotonic())
        crowd.nothing_is_lost_or_doubled()
        assert not [refused for tapper in crowd.tappers for refused in tapper.refused]
    fleet.stop()
    assert "Traceback" not in fleet.log.read_text()


def test_ten_companions_that_start_at_once_on_an_empty_database_are_one(cellar, tmp_path):
    database = cellar.database()
    houses = [House(tmp_path / "data", database=database, COMPANION_TRIES="1000000") for _ in range(10)]
    with ThreadPoolExecutor(10) as pool:
        list(pool.map(House.start, houses))
    table = houses[0].opens("score_sheet", mode="running")
    ann = table.sits("Ann")
    table.sits("Ben")
    table.starts()
    for n, house in enumerate(houses):
        # The same key and the same tables, whichever server answers.
        assert Seated(house, Person(house.url), ann.path).taps("Enter", tap_id=f"{n}.1", points=n + 1).status == 200
    assert table.shared.shows("Ann: +10.")
    with psycopg.connect(database) as db:
        assert db.execute("SELECT done FROM companion.steps").fetchall() == [(2,)]
    for house in houses:
        house.stop()
