"""A game remembers things from one table to the next (`Game.lasting`)."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.room_rules import AddPerson, Start, TakeBack
from companion.engine.tables import Tables
from companion.game import TABLE, Game, Lasting, Say, Step, Tap
from companion.storage.sqlite import SqliteStore
from companion.testing import tables_of


class NoSetup(msgspec.Struct, frozen=True):
    pass


class Songbook(msgspec.Struct, frozen=True):
    songs: tuple[str, ...] = ()
    verse: int = 0


class Songs(msgspec.Struct, frozen=True):
    songs: tuple[str, ...]


class Sing(Tap, frozen=True, tag="Sing"):
    by = "anybody"
    song: str


class NextVerse(Tap, frozen=True, tag="NextVerse"):
    by = "anybody"


def singing(lasting: Lasting | None) -> Game:
    return Game(
        name="singing", title="Singing", about="", players=(1, 9), setup=NoSetup, state=Songbook, secrets=None,
        start=lambda setup, seats, dice: Step(Songbook()),
        rules={
            Sing: lambda book, seat, tap, dice: Step(
                msgspec.structs.replace(book, songs=(*book.songs, tap.song)), Say("They sing.")
            ),
            NextVerse: lambda book, seat, tap, dice: Step(msgspec.structs.replace(book, verse=book.verse + 1)),
        },
        table_view=lambda book: book, seat_view=lambda book, seat: book, screen_view=lambda book: book,
        result=lambda book: None, lasting=lasting,
    )  # fmt: skip


SONGS = Lasting(
    kind=Songs,
    take=lambda book: Songs(book.songs),
    give=lambda book, kept: msgspec.structs.replace(book, songs=kept.songs),
)


@pytest.fixture
def evening(tmp_path):
    stores = []

    def tables(lasting: Lasting | None = SONGS) -> Tables:
        stores.append(SqliteStore(tmp_path / "companion.db"))
        return tables_of(stores[-1], {"singing": singing(lasting)})

    yield tables
    for store in stores:
        store.close()


def opened(tables: Tables) -> str:
    table = tables.open(tables.reader.games["singing"], NoSetup()).id
    tables.act(table, TABLE, AddPerson(name="Ann"))
    tables.act(table, TABLE, Start())
    return table


def test_a_game_remembers_things_for_its_next_table_even_after_a_restart(evening):
    first = evening()
    first.act(opened(first), TABLE, Sing(song="Summertime"))
    again = evening()
    assert again.reader.snapshot(opened(again)).state == Songbook(("Summertime",))


def test_only_lasting_things_are_remembered(evening):
    tables = evening()
    table = opened(tables)
    tables.act(table, TABLE, NextVerse())
    assert tables.store.recall("lasting.singing") is None
    tables.act(table, TABLE, Sing(song="Summertime"))
    assert tables.reader.snapshot(opened(tables)).state.verse == 0


def test_what_is_taken_back_is_not_remembered(evening):
    tables = evening()
    table = opened(tables)
    tables.act(table, TABLE, Sing(song="Summertime"))
    tables.act(table, TABLE, TakeBack())
    assert tables.reader.snapshot(opened(tables)).state.songs == ()


def test_a_game_whose_lasting_type_has_changed_starts_without_memory(evening):
    tables = evening()
    tables.store.remember("lasting.singing", b'{"songs": 7}')
    assert tables.reader.snapshot(opened(tables)).state == Songbook()


def test_a_game_without_lasting_is_not_asked(evening):
    tables = evening(None)
    tables.act(opened(tables), TABLE, Sing(song="Summertime"))
    assert tables.reader.snapshot(opened(tables)).state == Songbook()
