"""Limits: what one household can take is bounded, everybody else goes on, and a limit is explained in a sentence."""

from __future__ import annotations

import gevent
import pytest

from companion.app import create_app
from companion.engine.links import Link
from companion.engine.nights import EmptyTables
from companion.engine.room_rules import AddPerson, EndTable
from companion.engine.snapshot import as_data
from companion.engine.tables import MAX_EMPTY_VERSIONS
from companion.game import TABLE, NotAllowed
from companion.games import all_games
from companion.storage.postgres import PostgresStore
from companion.storage.sqlite import SqliteStore
from companion.testing import Reply, tables_of, typed
from companion.web.limits import Limits, LimitSettings, TooOften, network_of

SHEET = all_games()["score_sheet"]
SETUP = typed(as_data(SHEET.setup()))
HOUR_S = 3600
BOTH = pytest.mark.store("sqlite", "postgresql")


@pytest.fixture
def app_with(tmp_path, database):
    apps = []

    def make(**limits: int):
        address = database()
        store = PostgresStore(address, tmp_path / "key") if address else None
        apps.append(create_app(tmp_path / "data", store=store, limits=LimitSettings(**limits)))
        return apps[-1]

    yield make
    gevent.wait(timeout=30)  # other processes hear about every attempt
    for app in apps:
        app.extensions["companion"].reader.store.close()


def opens(app, address: str, *, joined: bool = True) -> Reply:
    """Somebody at this address opens a table and sits down at it."""
    client = app.test_client()
    here = {"REMOTE_ADDR": address}
    reply = client.post("/new/score_sheet", data=SETUP, environ_base=here)
    if reply.status_code == 303 and joined:
        now = app.extensions["companion"].reader.snapshot(table_of(reply))
        assert client.post(f"/t/{now.code}", data={"name": "Mallory"}, environ_base=here).status_code == 303
    return Reply(reply)


def table_of(reply) -> str:
    return reply.headers["location"].rpartition("/")[2].split(".")[0]


# -------------------------------------------------------------------------------- tables


def test_a_few_addresses_do_not_shut_everybody_out_for_a_day(app_with):
    app = app_with(attempts=1_000_000, tables=200)
    attackers = [f"203.0.113.{n}" for n in range(17)]
    opened = 0
    while attackers:
        done = {address: opens(app, address) for address in attackers}
        opened += sum(reply.status == 303 for reply in done.values())
        attackers = [address for address, reply in done.items() if reply.status == 303]
        for reply in done.values():
            assert reply.status in (303, 429)
            assert reply.status == 303 or reply.shows("Your network has reached today's limit of tables.")
    assert opened < 150
    assert [opens(app, "198.51.100.1").status for _ in range(5)] == [303] * 5


@BOTH
def test_tables_that_nobody_has_joined_do_not_count(app_with):
    app = app_with(attempts=1_000_000, tables=3)
    for n in range(20):
        assert opens(app, f"203.0.113.{n}", joined=False).status == 303
    assert [opens(app, f"198.51.100.{n}").status for n in range(4)] == [303, 303, 303, 503]


@BOTH
def test_tables_that_people_went_on_to_do_not_count(app_with):
    app = app_with(attempts=1_000_000, tables=3)
    services = app.extensions["companion"]
    table = table_of(opens(app, "203.0.113.1").response)
    for n in range(9):
        services.tables.act(table, TABLE, EndTable())
        table = services.tables.play_on(table, TABLE, SHEET).id
        services.tables.sit(table, f"Friend {n}")
    assert [opens(app, f"198.51.100.{n}").status for n in range(3)] == [303, 303, 503]


def test_nobody_goes_on_from_an_empty_table(app_with):
    app = app_with()
    client, path = app.test_client(), opens(app, "203.0.113.1", joined=False).response.headers["location"]
    assert client.post(path, data={"tap": "EndTable"}).status_code == 303
    refused = [Reply(client.post(f"{path}/again")), Reply(client.post(f"{path}/next/score_sheet", data=SETUP))]
    for reply in refused:
        assert reply.status == 422
        assert reply.shows("Nobody is left at this table. Please open a new one.")
    assert len(list(app.extensions["companion"].reader.store.tables())) == 1


def test_a_night_has_a_limit_of_tables_far_above_any_evening(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.engine.tables.MAX_TABLES_OF_NIGHT", 3)
    store = SqliteStore(tmp_path / "companion.sqlite")
    tables = tables_of(store, {SHEET.name: SHEET})
    table = tables.open(SHEET, SHEET.setup()).id
    tables.sit(table, "Ann")
    for _ in range(2):
        tables.act(table, TABLE, EndTable())
        table = tables.play_on(table, TABLE, SHEET).id
    ended = tables.act(table, TABLE, EndTable())
    with pytest.raises(NotAllowed, match="This night has reached its limit of games"):
        tables.play_on(table, TABLE, SHEET)
    assert (len(list(store.tables())), store.newest(table).version) == (3, ended.version)
    store.close()


@BOTH
@pytest.mark.parametrize("join", ["sit", "add"])
def test_tables_that_are_opened_first_and_joined_later_shut_nobody_out(app_with, join):
    app = app_with(attempts=1_000_000, tables=100)
    services = app.extensions["companion"]
    opened = [opens(app, f"203.0.113.{n}", joined=False) for n in range(10) for _ in range(11)]
    for table in [table_of(reply.response) for reply in opened if reply.status == 303]:
        if join == "sit":
            services.tables.sit(table, "Mallory")
        else:
            services.tables.act(table, TABLE, AddPerson(name="Mallory"))
    assert services.reader.store.opened_since(0) == len([reply for reply in opened if reply.status == 303]) < 70
    assert [opens(app, "198.51.100.1").status for _ in range(3)] == [303] * 3


@BOTH
def test_tables_that_were_only_set_up_do_not_count_and_are_closed(app_with):
    app = app_with(attempts=1_000_000, tables=3)
    services, client = app.extensions["companion"], app.test_client()
    for n in range(4):
        path = opens(app, f"203.0.113.{n}", joined=False).response.headers["location"]
        assert client.post(f"{path}/setup", data=SETUP).status_code == 303
    assert client.post(path, data={"tap": "EndTable"}).status_code == 303
    assert [opens(app, f"198.51.100.{n}").status for n in range(4)] == [303, 303, 303, 503]
    clock = [0.0]
    empty = EmptyTables(services.tables, services.nights, set, clock=lambda: clock[0])
    empty.close()
    clock[0] = HOUR_S
    empty.close()
    assert len(list(services.reader.store.tables())) == 3


def test_an_empty_table_is_not_changed_for_ever_and_still_takes_people(tmp_path):
    store = SqliteStore(tmp_path / "companion.sqlite")
    tables = tables_of(store, {SHEET.name: SHEET})
    table = tables.open(SHEET, SHEET.setup()).id
    while tables.reader.snapshot(table).version < MAX_EMPTY_VERSIONS:
        tables.change_setup(table, TABLE, SHEET.setup())
    for change in (
        lambda: tables.change_setup(table, TABLE, SHEET.setup()),
        lambda: tables.renew_screen(Link(table, TABLE, 1), "nonce"),
    ):
        with pytest.raises(NotAllowed, match="Sit down first"):
            change()
    tables.sit(table, "Ann")
    assert tables.change_setup(table, TABLE, SHEET.setup()).version == MAX_EMPTY_VERSIONS + 2
    store.close()


@BOTH
def test_a_table_that_nobody_joins_is_closed_after_an_hour(app_with):
    app = app_with()
    services = app.extensions["companion"]
    clock, looked_at = [0.0], set()
    empty = EmptyTables(services.tables, services.nights, lambda: looked_at, clock=lambda: clock[0])
    alone, watched, joined = (
        table_of(opens(app, "192.0.2.1", joined=with_people).response) for with_people in (False, False, True)
    )
    looked_at.add(watched)

    def left() -> set[str]:
        empty.close()
        return {row.id for row in services.reader.store.tables()}

    assert left() == {alone, watched, joined}
    clock[0] = HOUR_S - 1
    assert left() == {alone, watched, joined}
    clock[0] = HOUR_S
    assert left() == {watched, joined}  # a host who waits for guests keeps the table while the screen is open
    looked_at.clear()
    clock[0] = 2 * HOUR_S - 1
    assert left() == {watched, joined}
    clock[0] = 3 * HOUR_S
    assert left() == {joined}


def test_a_table_is_not_closed_under_somebody_who_sits_down_meanwhile(app_with):
    app = app_with()
    services = app.extensions["companion"]
    table = table_of(opens(app, "192.0.2.1", joined=False).response)
    clock = [0.0]

    def looked_at() -> set[str]:
        if clock[0]:
            services.tables.sit(table, "Ann")
        return set()

    empty = EmptyTables(services.tables, services.nights, looked_at, clock=lambda: clock[0])
    empty.close()
    clock[0] = HOUR_S
    empty.close()
    assert services.reader.snapshot(table).room.names == {1: "Ann"}


# -------------------------------------------------------------------------------- long nights


class Asked(SqliteStore):
    """A store that counts its queries."""

    asked = 0

    def _all(self, query: str, *values: object):
        self.asked += 1
        return super()._all(query, *values)


def test_the_end_of_a_long_night_is_found_with_few_queries(tmp_path):
    store = Asked(tmp_path / "companion.sqlite")
    app = create_app(tmp_path / "data", store=store, public=True)
    services = app.extensions["companion"]
    first = opens(app, "203.0.113.1").response.headers["location"].rpartition("/")[2]
    table = first.split(".")[0]

    while len(list(store.tables())) < 20:
        services.tables.act(table, TABLE, EndTable())
        table = services.tables.play_on(table, TABLE, SHEET).id

    def asked(copies: int) -> int:
        client, before = app.test_client(), store.asked
        services.reader.cache.clear()
        client.set_cookie("screens", "~".join([first] * copies))
        assert f"/x/{table}" in client.get("/").get_data(as_text=True)
        return store.asked - before

    assert asked(24) == asked(1)
    services.reader.cache.clear()
    store.asked = 0
    assert services.reader.follow(first.split(".")[0]) == table
    assert store.asked <= 2
    store.close()


# -------------------------------------------------------------------------------- addresses


def test_an_ipv6_household_is_one_address():
    assert network_of("2001:db8:1:2::1") == network_of("2001:db8:1:2:ffff::9") != network_of("2001:db8:1:3::1")
    assert network_of("::ffff:192.0.2.9") == network_of("192.0.2.9") != network_of("192.0.2.8")
    assert network_of("fe80::1%eth0") == network_of("fe80::2%eth0")
    assert network_of("nonsense") == "nonsense"
    assert network_of(None) == ""


def test_codes_are_not_guessed_from_a_household_full_of_addresses(app_with):
    client = app_with().test_client()

    def guesses(network: str) -> list[int]:
        base = [{"REMOTE_ADDR": f"{network}::{n:x}"} for n in range(1, 60)]
        return [client.get("/t/QQQQ", environ_base=one).status_code for one in base]

    assert guesses("2001:db8:1:2") == [404] * 40 + [429] * 19
    assert guesses("2001:db8:1:3") == [404] * 40 + [429] * 19


def test_joining_is_limited_by_household_too():
    limits = Limits(LimitSettings(attempts=2))
    limits.count("join", "2001:db8::1")
    limits.count("join", "2001:db8::2")
    with pytest.raises(TooOften):
        limits.count("join", "2001:db8::3")
    limits.count("join", "2001:db8:0:1::3")
