"""Two processes at one table, step by step: what one bears in mind may be old, and is never taken for new."""

from __future__ import annotations

import os
import socket

import gevent
import pytest
from secret_ballot import GAME, Cast, Hurry, Knock, Open, Setup

from companion.engine.bell import Ears
from companion.engine.finding import NoSuchTable
from companion.engine.game import TABLE, NotAllowed, Seat
from companion.engine.links import BadLink, Link
from companion.engine.live import Hub
from companion.engine.mind import Mind
from companion.engine.postgres import PostgresStore
from companion.engine.room_rules import AddPerson, EndTable, NewLink, Start
from companion.engine.screen import Screen, Sheet
from companion.engine.sqlite import SqliteStore
from companion.engine.store import Mark
from companion.engine.table import Tables
from companion.web.shared import without_phone

ANN, BEN = Seat(1), Seat(2)


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(params=["sqlite", "postgresql"])
def two(request, tmp_path):
    """Here and there: two processes, as far as they know."""
    address = request.getfixturevalue("cellar").database() if request.param == "postgresql" else None
    clock = Clock()
    made = [
        Tables(
            PostgresStore(address) if address else SqliteStore(tmp_path / "db", shared=True),
            {"secret_ballot": GAME},
            clock=clock,
        )
        for _ in range(2)
    ]
    yield *made, clock
    for tables in made:
        tables.store.close()


@pytest.fixture
def table(two):
    """Ann and Ben play, and both processes bear it in mind."""
    here, there, _ = two
    found = here.open(GAME, Setup()).id
    for name in ("Ann", "Ben"):
        here.sit(found, name)
    here.act(found, TABLE, Start())
    assert there.present(found).version == here.present(found).version
    return found


def lines(tables: Tables, table: str) -> list[str]:
    return [one.line.say.text for one in tables.history(table, TABLE)]


def test_a_request_sees_what_was_confirmed_elsewhere(two, table):
    here, there, _ = two
    done = here.act(table, TABLE, Knock())
    assert there.present(table).version < done.version
    there.catch_up(table)
    assert there.present(table).version == done.version


def test_a_tap_that_was_judged_by_an_old_table_is_judged_again(two, table):
    here, there, _ = two
    here.act(table, ANN, Cast(word="owl"))
    with pytest.raises(NotAllowed):
        there.act(table, ANN, Cast(word="fox"))
    there.act(table, BEN, Cast(word="fox"))
    assert there.present(table).state.slips == {ANN: "owl", BEN: "fox"}


def test_a_tap_with_the_same_id_counts_once_wherever_it_is_heard(two, table):
    here, there, _ = two
    here.act(table, TABLE, Knock(), "0.1")
    assert there.act(table, TABLE, Knock(), "0.1").version == here.present(table).version
    assert lines(there, table).count("{who} knocks.") == 1


def test_a_tap_that_was_heard_elsewhere_is_answered_with_the_table_after_it(two, table):
    """Also if it could not be, by what we still bear in mind."""
    here, there, _ = two
    for seat in (ANN, BEN):
        here.act(table, seat, Cast(word="owl"))
    opened = here.act(table, ANN, Open(), "0.1")
    assert there.act(table, ANN, Open(), "0.1").version == opened.version


def test_a_link_that_died_elsewhere_taps_nothing_here(two, table):
    here, there, _ = two
    link = Link(table, ANN, 1)
    assert there.admit(link)
    here.act(table, TABLE, NewLink(seat=ANN))
    with pytest.raises(BadLink):
        there.act(table, ANN, Knock(), link=link)
    assert "{who} knocks." not in lines(here, table)


def test_the_shared_screen_taps_nothing_for_a_seat_that_got_a_phone_elsewhere(two):
    here, there, _ = two
    table = here.open(GAME, Setup()).id
    for name in ("Ann", "Ben"):
        here.act(table, TABLE, AddPerson(name=name))
    here.act(table, TABLE, Start())
    assert without_phone(there.present(table), ANN)
    here.act(table, TABLE, NewLink(seat=ANN))
    here.arrive(Link(table, ANN, here.present(table).room.person(ANN).generation))
    with pytest.raises(NotAllowed, match="has a phone"):
        there.act(table, ANN, Cast(word="owl"), still=lambda now: without_phone(now, ANN))
    assert here.present(table).state.slips == {}


def test_a_seat_is_taken_by_one_of_two_who_sit_down_at_once(two):
    here, there, _ = two
    table = here.open(GAME, Setup()).id
    there.present(table)
    _, ann = here.sit(table, "Ann", "nonce1")
    _, ben = there.sit(table, "Ben", "nonce2")
    assert (ann, ben) == (1, 2)
    assert there.sit(table, "Ann", "nonce1")[1] == ann
    assert here.sit(table, "Ben", "nonce2")[1] == ben


def test_an_alarm_that_was_rung_elsewhere_and_set_anew_is_not_rung_early(two, table):
    here, there, clock = two
    here.act(table, TABLE, Hurry())
    there.catch_up(table)
    there.present(table)
    clock.now += 0.2
    assert here.store.due_alarms(clock()) == [table]
    here.wake(table)
    here.act(table, TABLE, Hurry())
    there.wake(table)
    assert lines(here, table).count("Time is up.") == 1
    assert there.present(table).room.alarm_at is not None
    clock.now += 0.2
    there.wake(table)
    here.wake(table)
    assert lines(here, table).count("Time is up.") == 2


def test_people_go_on_to_one_table_whoever_leads_them(two, table):
    here, there, _ = two
    here.act(table, TABLE, EndTable())
    there.catch_up(table)
    assert there.present(table).room.phase == "ended"
    first = here.play_on(table, TABLE, GAME)
    assert there.play_on(table, TABLE, GAME).id == first.id
    assert lines(here, table).count("The night goes on: {game}.") == 1
    assert there.follow(table) == first.id


def test_people_go_on_once_also_if_two_lead_them_at_the_same_instant(two, table):
    here, there, _ = two
    here.act(table, TABLE, EndTable())
    leading = [gevent.spawn(tables.play_on, table, TABLE, GAME) for tables in (here, there, here, there)]
    gevent.joinall(leading, raise_error=True, timeout=60)
    assert len({led.value.id for led in leading}) == 1
    assert lines(here, table).count("The night goes on: {game}.") == 1


def test_who_may_not_lead_them_on_may_not_afterwards_either(two, table):
    here, there, _ = two
    here.act(table, TABLE, EndTable())
    there.catch_up(table)
    here.play_on(table, TABLE, GAME)
    here.store.delete([here.follow(table)])
    for tables in (here, there):
        tables.forget_all()
        with pytest.raises(NotAllowed):
            tables.play_on(table, ANN, GAME)


def test_a_table_that_was_destroyed_elsewhere_takes_no_more_taps(two, table):
    here, there, _ = two
    here.store.delete([table])
    with pytest.raises(NoSuchTable):
        there.act(table, TABLE, Knock())


def test_everybody_taps_at_once_through_one_process(two, table):
    """A store may answer one while another waits: no tap is lost between them."""
    here, _, _ = two
    taps = [gevent.spawn(here.act, table, TABLE, Knock(), f"{n}.1") for n in range(20)]
    gevent.joinall(taps, raise_error=True, timeout=60)
    assert lines(here, table).count("{who} knocks.") == 20
    assert here.present(table).version == here.store.newest(table).version


def test_what_is_burnt_is_gone_for_everybody_who_looks_after_it(two, table):
    here, there, _ = two
    for seat, word in ((ANN, "owl"), (BEN, "fox")):
        here.act(table, seat, Cast(word=word))
    there.catch_up(table)
    assert "owl" in repr(there.present(table))
    here.act(table, ANN, Open())
    there.catch_up(table)
    assert "owl" not in repr(vars(there.mind))


# -------------------------------------------------------------------------------- the mind alone


def test_an_older_table_never_takes_the_place_of_a_newer_one(two, table):
    here, _, _ = two
    older = here.present(table)
    newer = here.act(table, TABLE, Knock())
    mind = Mind()
    mind.bear(newer)
    assert mind.bear(older) is newer
    assert mind.get(table) is newer


def test_what_was_read_before_somebody_went_on_is_not_borne_in_mind(two, table):
    here, _, _ = two
    read = here.present(table)
    mind = Mind()
    assert mind.hear(table, Mark(read.version + 1, 0, None))
    assert mind.bear(read) is read
    assert table not in mind
    later = here.act(table, TABLE, Knock())
    assert mind.bear(later) is mind.get(table)


def test_what_is_known_is_no_news(two, table):
    here, _, _ = two
    now = here.present(table)
    mind = Mind()
    mind.bear(now)
    purged = []
    mind.purge = purged.append
    assert not mind.hear(table, Mark(now.version, now.floor, now.next))
    assert not mind.hear(table, Mark(now.version - 1, now.floor, now.next))
    assert purged == []
    assert mind.hear(table, Mark(now.version, now.floor, "next"))
    mind.bear(now)
    assert mind.hear(table, Mark(now.version + 1, now.version + 1, None))
    assert purged == [table]
    assert mind.hear(table, None)
    assert mind.bear(now) is now
    assert table not in mind


def test_an_open_screen_is_drawn_anew_although_a_page_has_told_us_before_the_bell(two, table):
    here, there, _ = two
    hub = Hub(lambda viewer: Screen(there.present(table).version, Sheet(), Sheet(), table))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        hub.add(os.dup(ours.fileno()), table, None)
        done = here.act(table, TABLE, Knock())
        there.catch_up(table)  # somebody here asks for a page
        assert there.present(table).version == done.version
        assert hub.is_behind(table, done.version)
        Ears(there, hub).hear(f"{table} {done.version} {done.floor}")
        assert table in hub._rung
        hub.stop()


def test_a_screen_follows_its_people_although_a_page_has_told_us_of_their_next_table_before_the_bell(two, table):
    here, there, _ = two
    hub = Hub(lambda viewer: Screen(there.present(table).version, Sheet(), Sheet(), table))
    ears = Ears(there, hub)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        hub.add(os.dup(ours.fileno()), table, None)
        ears.look_again()
        assert table not in hub._rung
        here.act(table, TABLE, EndTable())
        next_table = here.play_on(table, TABLE, GAME).id
        there.catch_up(table)  # somebody here asks for a page
        assert there.present(table).next == next_table
        hub.show(table)  # as it was closed, just before the next one was opened
        assert not hub.is_behind(table, there.present(table).version)
        ears.look_again()
        assert table in hub._rung
        hub.stop()
