"""A link that was replaced in the last game of a night stays dead after that game is deleted."""

from __future__ import annotations

import pytest
from secret_ballot import GAME, Setup

from companion.engine.heirs import Heirs
from companion.engine.links import WATCHER, BadLink, Link
from companion.engine.nights import Nights
from companion.engine.reader import BoundedDict, PutAway
from companion.engine.results import played
from companion.engine.room_rules import AddPerson, EndTable, GiveHost, NewLink, OntoScreen, Remove, Start
from companion.engine.snapshot import encode
from companion.game import TABLE, Seat
from companion.storage.sqlite import SqliteStore
from companion.testing import tables_of


@pytest.fixture
def tables(tmp_path):
    return tables_of(SqliteStore(tmp_path / "file.sqlite"), {GAME.name: GAME})


@pytest.fixture
def evening(tables):
    """Ann, Ben and Cleo have played; a second game has ended, and links were replaced in it."""
    first = tables.open(GAME, Setup()).id
    for name in ("Ann", "Ben", "Cleo"):
        tables.sit(first, name)
    tables.act(first, TABLE, Start())
    tables.act(first, TABLE, EndTable())
    second = tables.play_on(first, TABLE, GAME).id
    tables.act(second, TABLE, NewLink(seat=Seat(1)))
    tables.act(second, TABLE, OntoScreen(seat=Seat(2)))
    tables.act(second, TABLE, Remove(seat=Seat(3)))
    tables.act(second, TABLE, GiveHost(seat=Seat(1)))
    tables.renew_screen(Link(second, TABLE, 1), "nonce")
    tables.act(second, Seat(1), EndTable())
    return first, second


def opened(tables, *links: Link) -> list[bool]:
    def is_open(link: Link) -> bool:
        try:
            return tables.reader.authorize(link) is not None
        except BadLink:
            return False

    return [is_open(link) for link in links]


def dead(table: str) -> list[Link]:
    """The links of the first game, all replaced in the second one."""
    return [Link(table, seat, 1) for seat in (TABLE, WATCHER, Seat(1), Seat(2), Seat(3))]


def test_a_dead_link_stays_dead_when_the_last_table_is_deleted(tables, evening):
    first, second = evening
    nights = Nights(tables, BoundedDict(1))
    assert not any(opened(tables, *dead(first)))
    nights.delete([second])
    assert tables.reader.follow(first) == first
    assert not any(opened(tables, *dead(first)))
    assert opened(tables, Link(first, TABLE, 2), Link(first, Seat(1), 2)) == [True, True]
    room = tables.reader.snapshot(first).room
    assert (room.host, [person.phone for person in room.people]) == (1, [True, False, True])
    # Somebody who left later has still played the first game.
    assert [player.name for player in nights.of(first)[0].players] == ["Ann", "Ben", "Cleo"]


def test_a_crash_before_the_deletion_revives_no_link(tables, evening):
    first, second = evening
    Heirs(tables).prepare([second])  # and no further
    assert not any(opened(tables, *dead(first), *dead(second)))
    assert opened(tables, Link(first, TABLE, 2), Link(second, Seat(1), 2)) == [True, True]
    tables.store.delete([second])  # as after the next start
    tables.reader.cache.clear()
    assert not any(opened(tables, *dead(first)))


def test_a_dead_link_stays_dead_over_a_deleted_table_in_between(tables, evening):
    first, second = evening
    third = tables.play_on(second, Seat(1), GAME).id
    nights = Nights(tables, BoundedDict(1))
    nights.delete([second])
    nights.delete([third])
    assert tables.reader.follow(first) == first
    assert not any(opened(tables, *dead(first)))


def test_a_dead_link_of_the_screen_opens_no_archived_night_when_the_last_table_is_deleted(tables, evening):
    first, second = evening
    third = tables.play_on(second, Seat(1), GAME).id
    tables.act(third, Seat(1), AddPerson(name="Dan"))
    tables.act(third, Seat(1), Start())
    tables.renew_screen(Link(third, TABLE, 2), "again")
    nights = Nights(tables, BoundedDict(1))
    tables.store.archive({one.table: encode(one) for one in nights.of(first)} | {second: encode(nights.of(first)[0])})
    tables.reader.cache.clear()
    nights.delete([third])
    assert nights.opens_archived(first, Link(first, TABLE, 3))
    assert not nights.opens_archived(first, Link(first, TABLE, 2))


def test_without_the_key_of_the_deleted_table_every_seat_needs_a_new_link(tables, evening):
    first, second = evening
    tables.store.archive({second: encode(played(tables.reader.snapshot(second)))})
    tables.reader.cache.clear()
    Nights(tables, BoundedDict(1)).delete([second])
    assert not any(opened(tables, *dead(first)))
    assert opened(tables, Link(first, TABLE, 2)) == [True]


def test_a_night_that_was_put_away_stays_so_when_its_last_table_is_deleted(tables, evening):
    first, second = evening
    tables.reader.put_away({table: tables.reader.snapshot(table).version for table in evening})
    Nights(tables, BoundedDict(1)).delete([second])
    with pytest.raises(PutAway):
        tables.reader.authorize(Link(first, TABLE, 2))
