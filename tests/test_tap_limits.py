"""Taps are limited by link and second, and a night's versions by their number. A limit is explained in a sentence."""

from __future__ import annotations

import time

import pytest
from test_limits import SETUP, SHEET, app_with, opens

from companion.engine.links import Link
from companion.engine.room_rules import AddPerson, EndTable, Start
from companion.game import TABLE, NotAllowed, Seat
from companion.storage.sqlite import SqliteStore
from companion.testing import House, Reply, tables_of
from companion.web.limits import TAPS_PER_SECOND, LimitReached
from companion.web.taps import TapCounts

__all__ = ["app_with"]


def test_a_seat_taps_twenty_times_a_second_and_no_more():
    clock = [100.0]
    counts = TapCounts(TAPS_PER_SECOND, clock=lambda: clock[0])
    for _ in range(20):
        counts.add("table", Seat(1))
    with pytest.raises(LimitReached):
        counts.add("table", Seat(1))
    counts.add("table", Seat(2))
    counts.add("another", Seat(1))
    clock[0] = 101.0
    counts.add("table", Seat(1))


@pytest.mark.parametrize(
    "path", ["", "/seat/1", "/seat/2", "/setup", "/renew", "/again", "/next/score_sheet", "/delete", "/pass/1"]
)
def test_whatever_is_sent_by_a_link_counts_as_its_taps(app_with, path):
    app = app_with(taps_per_second=0)
    services, client = app.extensions["companion"], app.test_client()
    screen = opens(app, "192.0.2.1").response.headers["location"]
    table = screen.rpartition("/")[2].split(".")[0]
    before = services.reader.snapshot(table).version
    reply = Reply(client.post(f"{screen}{path}", data={**SETUP, "nonce": "1", "what": "night"}))
    assert (reply.status, reply.shows("Nothing has changed")) == (429, True)
    assert services.reader.snapshot(table).version == before


def test_the_seats_on_one_screen_share_its_taps(app_with):
    app = app_with(taps_per_second=1)
    client, screen = app.test_client(), opens(app, "192.0.2.1").response.headers["location"]
    began = time.monotonic()
    done = [client.post(f"{screen}/seat/{seat}", data={"tap": "Knock"}).status_code for seat in range(1, 99)]
    assert sum(status != 429 for status in done) <= time.monotonic() - began + 2


def test_a_dead_link_uses_up_nobody_s_taps(app_with):
    app = app_with(taps_per_second=2)
    client, old = app.test_client(), opens(app, "192.0.2.1").response.headers["location"]
    screen = client.post(f"{old}/renew", data={"nonce": "1"}).headers["location"]
    assert {client.post(f"{old}/again").status_code for _ in range(9)} == {403}
    assert client.post(f"{screen}/again").status_code == 422


def test_a_night_that_was_put_away_gets_no_new_link(app_with):
    app = app_with()
    services, client = app.extensions["companion"], app.test_client()
    screen = opens(app, "192.0.2.1").response.headers["location"]
    table = screen.rpartition("/")[2].split(".")[0]
    version = services.reader.snapshot(table).version
    services.reader.put_away({table: version})
    assert client.post(f"{screen}/renew", data={"nonce": "1"}).status_code == client.get(screen).status_code != 303
    assert services.reader.snapshot(table).version == version


def test_a_tap_too_many_changes_nothing_and_is_told_so(tmp_path):
    house = House(tmp_path / "data", COMPANION_TAPS_PER_SECOND="0").start()
    try:
        table = house.opens("score_sheet")
        ann = table.sits("Ann")
        for seat in (ann, table.shared):
            reply = seat.taps("AddPerson", name="Ben")
            assert reply.status == 429
            assert "Nothing has changed" in reply.message
        assert table.shared.shows("1 player so far")
    finally:
        house.kill()


def test_a_table_has_a_limit_of_versions_far_above_any_evening(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.engine.tables.MAX_VERSIONS", 5)
    store = SqliteStore(tmp_path / "companion.sqlite")
    tables = tables_of(store, {SHEET.name: SHEET})
    table = tables.open(SHEET, SHEET.setup()).id
    for name in ("Ann", "Ben"):
        tables.act(table, TABLE, AddPerson(name=name))
    tables.act(table, TABLE, Start())
    tables.act(table, Seat(1), SHEET.taps["Enter"](points=1))
    refused = (
        lambda: tables.act(table, Seat(2), SHEET.taps["Enter"](points=1)),
        lambda: tables.sit(table, "Cleo"),
        lambda: tables.renew_screen(Link(table, TABLE, 1), "nonce"),
    )
    for tap in refused:
        with pytest.raises(NotAllowed) as why:
            tap()
        assert why.value.say.text == "This night has reached its limit of taps. Please open a new table."
    assert tables.reader.snapshot(table).version == 5
    assert tables.act(table, TABLE, EndTable()).room.phase == "ended"
    store.close()
