"""PostgreSQL restarts under load, cleanly and like a power cut; and the notification connection is cut."""

from __future__ import annotations

import time

import psycopg
import pytest
from fleet import Everywhere, Fleet

from companion.live.notify import POLL_S
from companion.testing import House, Person, Seated, wait_until

FOUND_WITHIN = 2.0
"""Seconds after which a bell that nobody heard is found out."""
SENTENCE = "We can't save right now"


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_postgresql_is_restarted_and_everything_goes_on_by_itself(cellar, tmp_path, how):
    fleet = Fleet(tmp_path / "data", cellar.database(), size=2).start()
    with Everywhere(fleet) as crowd:
        for _ in range(3):
            cellar.stop(how)
            refusals = [len(tapper.refused) for tapper in crowd.tappers]
            wait_until(
                lambda refusals=refusals: all(
                    len(tapper.refused) > before for tapper, before in zip(crowd.tappers, refusals, strict=True)
                ),
                "everybody was told",
            )
            cellar.start()
            crowd.go_on()
            crowd.screens_catch_up()
        crowd.rests()
        crowd.screens_are_right(time.monotonic())
        crowd.nothing_is_lost_or_doubled()
        for tapper in crowd.tappers:
            assert {status for status, _ in tapper.refused} == {503}
            assert all(SENTENCE in said for _, said in tapper.refused)
    fleet.stop()
    assert "Traceback" not in fleet.log.read_text()


def test_a_lost_notification_is_noticed(cellar, tmp_path):
    database = cellar.database()
    houses = [House(tmp_path / "data", database=database, COMPANION_TRIES="1000000").start() for _ in range(2)]
    table = houses[0].opens("score_sheet", mode="running")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    far = Seated(houses[1], Person(houses[1].url), table["Ben"].path).listens()
    far.frame()
    name = psycopg.conninfo.conninfo_to_dict(database)["dbname"]
    with cellar.connect() as db:
        # PostgreSQL lets nobody new in, so listeners cannot come back; open connections go on.
        db.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
        assert listeners(db, name, "pg_terminate_backend(pid)") == [(True,)] * 2
        wait_until(lambda: not listeners(db, name), "the bell's connections are cut")
        for n in range(3):
            begun = time.monotonic()
            assert table["Ann"].taps("Enter", tap_id=f"{n}.1", points=n + 11).status == 200
            far.until(f"+{n + 11}.")
            assert time.monotonic() - begun < FOUND_WITHIN
        db.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
        wait_until(lambda: len(listeners(db, name)) == 2, "they listen again")
    # Several notifications within one polling interval are received.
    begun = time.monotonic()
    for n in range(8):
        assert table["Ann"].taps("Enter", tap_id=f"{n}.2", points=n + 51).status == 200
        far.until(f"+{n + 51}.")
    assert time.monotonic() - begun < 4 * POLL_S
    for house in houses:
        house.stop()


def listeners(db: psycopg.Connection, name: str, what: str = "pid") -> list[tuple[object]]:
    return db.execute(
        f"SELECT {what} FROM pg_stat_activity WHERE datname = %s AND query LIKE 'LISTEN%%'", (name,)
    ).fetchall()
