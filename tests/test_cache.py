"""Two processes at one table: a cached snapshot may be outdated, but is never treated as current."""

from __future__ import annotations

import contextlib
import socket

import gevent
import pytest
from secret_ballot import GAME, Cast, Hurry, Knock, Open, Setup

from companion.engine.links import BadLink, Link
from companion.engine.reader import NoSuchTable, TableCache
from companion.engine.room_rules import AddPerson, Arrive, EndTable, NewLink, Start
from companion.engine.store import TableHead
from companion.engine.tables import Tables
from companion.game import TABLE, NotAllowed, Seat
from companion.live.hub import Hub
from companion.live.notify import RemoteListener
from companion.live.screen import Region, Screen
from companion.storage.postgres import PostgresStore
from companion.testing import tables_of
from companion.web.shared import without_phone

ANN, BEN = Seat(1), Seat(2)


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def two(cellar, tmp_path):
    """Two engines on one database, as in two processes."""
    address, clock = cellar.database(), Clock()
    made = [tables_of(PostgresStore(address, tmp_path / "key"), {"secret_ballot": GAME}, clock=clock) for _ in range(2)]
    yield *made, clock
    for tables in made:
        tables.store.close()


@pytest.fixture
def table(two):
    """Ann and Ben play, and both processes have it cached."""
    here, there, _ = two
    found = here.open(GAME, Setup()).id
    for name in ("Ann", "Ben"):
        here.sit(found, name)
    here.act(found, TABLE, Start())
    assert there.reader.snapshot(found).version == here.reader.snapshot(found).version
    return found


def lines(tables: Tables, table: str) -> list[str]:
    return [one.line.say.text for one in tables.reader.history(table, TABLE)]


def test_a_request_sees_what_was_confirmed_elsewhere(two, table):
    here, there, _ = two
    done = here.act(table, TABLE, Knock())
    assert there.reader.snapshot(table).version < done.version
    there.reader.catch_up(table)
    assert there.reader.snapshot(table).version == done.version


def test_a_tap_checked_against_an_old_version_is_checked_again(two, table):
    here, there, _ = two
    here.act(table, ANN, Cast(word="owl"))
    with pytest.raises(NotAllowed):
        there.act(table, ANN, Cast(word="fox"))
    there.act(table, BEN, Cast(word="fox"))
    assert there.reader.snapshot(table).state.slips == {ANN: "owl", BEN: "fox"}


def test_a_tap_with_the_same_id_counts_once_wherever_it_is_heard(two, table):
    here, there, _ = two
    here.act(table, TABLE, Knock(), "0.1")
    assert there.act(table, TABLE, Knock(), "0.1").version == here.reader.snapshot(table).version
    assert lines(there, table).count("{who} knocks.") == 1


def test_a_tap_that_was_heard_elsewhere_is_answered_with_the_table_after_it(two, table):
    """Even if the older cached snapshot would refuse it."""
    here, there, _ = two
    for seat in (ANN, BEN):
        here.act(table, seat, Cast(word="owl"))
    opened = here.act(table, ANN, Open(), "0.1")
    assert there.act(table, ANN, Open(), "0.1").version == opened.version


def test_a_link_that_died_elsewhere_taps_nothing_here(two, table):
    here, there, _ = two
    link = Link(table, ANN, 1)
    assert there.reader.authorize(link)
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
    assert without_phone(there.reader.snapshot(table), ANN)
    here.act(table, TABLE, NewLink(seat=ANN))
    here.act(table, ANN, Arrive())
    with pytest.raises(NotAllowed, match="has a phone"):
        there.act(table, ANN, Cast(word="owl"), check=lambda now: without_phone(now, ANN))
    assert here.reader.snapshot(table).state.slips == {}


def test_two_people_who_sit_down_together_get_different_seats(two):
    here, there, _ = two
    table = here.open(GAME, Setup()).id
    there.reader.snapshot(table)
    _, ann = here.sit(table, "Ann", "nonce1")
    _, ben = there.sit(table, "Ben", "nonce2")
    assert (ann, ben) == (1, 2)
    assert there.sit(table, "Ann", "nonce1")[1] == ann
    assert here.sit(table, "Ben", "nonce2")[1] == ben


def test_an_alarm_that_was_rung_elsewhere_and_set_again_is_not_rung_early(two, table):
    here, there, clock = two
    here.act(table, TABLE, Hurry())
    there.reader.catch_up(table)
    there.reader.snapshot(table)
    clock.now += 0.2
    assert here.store.due_alarms(clock()) == [table]
    here.wake(table)
    here.act(table, TABLE, Hurry())
    there.wake(table)
    assert lines(here, table).count("Time is up.") == 1
    assert there.reader.snapshot(table).room.alarm_at is not None
    clock.now += 0.2
    there.wake(table)
    here.wake(table)
    assert lines(here, table).count("Time is up.") == 2


def test_people_go_on_to_one_table_whichever_process_leads_them(two, table):
    here, there, _ = two
    here.act(table, TABLE, EndTable())
    there.reader.catch_up(table)
    assert there.reader.snapshot(table).room.phase == "ended"
    first = here.play_on(table, TABLE, GAME)
    assert there.play_on(table, TABLE, GAME).id == first.id
    assert lines(here, table).count("The next game is {game}.") == 1
    assert there.reader.follow(table) == first.id


def test_people_go_on_once_even_if_two_hosts_tap_together(two, table):
    here, there, _ = two
    here.act(table, TABLE, EndTable())
    leading = [gevent.spawn(tables.play_on, table, TABLE, GAME) for tables in (here, there, here, there)]
    gevent.joinall(leading, raise_error=True, timeout=60)
    assert len({led.value.id for led in leading}) == 1
    assert lines(here, table).count("The next game is {game}.") == 1


def test_somebody_who_may_not_open_the_next_table_may_not_later_either(two, table):
    here, there, _ = two
    here.act(table, TABLE, EndTable())
    there.reader.catch_up(table)
    here.play_on(table, TABLE, GAME)
    here.store.delete([here.reader.follow(table)])
    for tables in (here, there):
        tables.reader.cache.clear()
        with pytest.raises(NotAllowed):
            tables.play_on(table, ANN, GAME)


def test_a_table_that_was_destroyed_elsewhere_takes_no_more_taps(two, table):
    here, there, _ = two
    here.store.delete([table])
    with pytest.raises(NoSuchTable):
        there.act(table, TABLE, Knock())


def test_everybody_taps_at_the_same_time_through_one_process(two, table):
    """A store may answer one tap while another waits; none is lost."""
    here, _, _ = two
    taps = [gevent.spawn(here.act, table, TABLE, Knock(), f"{n}.1") for n in range(20)]
    gevent.joinall(taps, raise_error=True, timeout=60)
    assert lines(here, table).count("{who} knocks.") == 20
    assert here.reader.snapshot(table).version == here.store.newest(table).version


def test_what_is_burnt_is_gone_for_everybody_who_looks_after_it(two, table):
    here, there, _ = two
    for seat, word in ((ANN, "owl"), (BEN, "fox")):
        here.act(table, seat, Cast(word=word))
    there.reader.catch_up(table)
    assert "owl" in repr(there.reader.snapshot(table))
    here.act(table, ANN, Open())
    there.reader.catch_up(table)
    assert "owl" not in repr(vars(there.reader.cache))


# -------------------------------------------------------------------------------- the cache alone


def test_an_older_snapshot_never_replaces_a_newer_one(two, table):
    here, _, _ = two
    older = here.reader.snapshot(table)
    newer = here.act(table, TABLE, Knock())
    cache = TableCache()
    cache.put(newer)
    assert cache.put(older) is newer
    assert cache.get(table) is newer


def test_what_was_read_before_another_process_wrote_is_not_cached(two, table):
    here, _, _ = two
    read = here.reader.snapshot(table)
    cache = TableCache()
    assert cache.note_remote(table, TableHead(read.version + 1, 0, None))
    assert cache.put(read) is read
    assert table not in cache
    later = here.act(table, TABLE, Knock())
    assert cache.put(later) is cache.get(table)


def test_a_known_version_is_not_announced_again(two, table):
    here, _, _ = two
    now = here.reader.snapshot(table)
    burnt = []
    cache = TableCache(burnt.append)
    cache.put(now)
    assert not cache.note_remote(table, TableHead(now.version, now.burn_floor, now.next))
    assert not cache.note_remote(table, TableHead(now.version - 1, now.burn_floor, now.next))
    assert burnt == []
    assert cache.note_remote(table, TableHead(now.version, now.burn_floor, "next"))
    cache.put(now)
    assert cache.note_remote(table, TableHead(now.version + 1, now.version + 1, None))
    assert burnt == [table]
    assert cache.note_remote(table, None)
    assert cache.put(now) is now
    assert table not in cache


# -------------------------------------------------------------------------------- notifications


@pytest.fixture
def watched(two, table):
    """An open screen in the other process; `sent()` returns what it was sent since the last call."""
    _, there, _ = two
    hub = Hub(lambda viewer: there.reader.authorize(viewer) and screen(there, there.reader.authorize(viewer).id))
    hub.start()
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    hub.add(ours, table, Link(table, TABLE, 1))

    def sent(words: bytes = b"") -> bytes:
        """Return what it was sent, after waiting for these words if any are given."""
        found = b""
        with gevent.Timeout(30):
            while True:
                gevent.sleep(0)
                with contextlib.suppress(BlockingIOError):
                    found += theirs.recv(1 << 16)
                if words in found:
                    return found

    sent(b"version")
    yield hub, sent
    hub.stop()
    theirs.close()


def screen(tables: Tables, table: str) -> Screen:
    version = tables.reader.snapshot(table).version
    return Screen(version, table, (Region("table", b"version %d" % version, version),), (version,))


def test_an_open_screen_is_shown_what_a_page_has_read_before_the_notification(two, table, watched):
    here, there, _ = two
    hub, sent = watched
    done = here.act(table, TABLE, Knock())
    there.reader.catch_up(table)  # somebody here asks for a page
    assert there.reader.snapshot(table).version == done.version
    assert sent() == b""
    RemoteListener(there.reader, hub).receive(f"{table} {done.version} {done.burn_floor}")
    assert sent(b"version %d" % done.version)


def test_an_open_screen_follows_its_people_although_a_page_has_read_of_it_before_the_notification(two, table, watched):
    here, there, _ = two
    hub, sent = watched
    listener = RemoteListener(there.reader, hub)
    listener.poll()
    assert sent() == b""
    here.act(table, TABLE, EndTable())
    there.reader.catch_up(table)
    hub.show(table)  # its state just before the next table was opened
    assert sent(b"version")
    next_table = here.play_on(table, TABLE, GAME).id
    there.reader.catch_up(table)  # somebody here asks for a page
    assert there.reader.snapshot(table).next == next_table
    listener.poll()
    assert sent(b"event: moved")


def test_a_lost_notification_is_found_by_polling(two, table, watched):
    here, there, _ = two
    hub, sent = watched
    done = here.act(table, TABLE, Knock())
    RemoteListener(there.reader, hub).poll()
    assert sent(b"version %d" % done.version)
