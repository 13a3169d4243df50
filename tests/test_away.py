"""The engine stores who is away in a game's state; no rule needs to."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from secret_ballot import GAME, Box, Setup

from companion.app import create_app
from companion.engine.apply import with_away
from companion.engine.room import Person, Room
from companion.engine.room_rules import MarkAway, MarkBack, Start, TakeBack
from companion.engine.tables import Tables
from companion.game import TABLE, Seat

ANN, BEN = Seat(1), Seat(2)


@pytest.fixture
def tables(tmp_path) -> Tables:
    tables: Tables = create_app(tmp_path, games={GAME.name: GAME}).extensions["companion"].tables
    return tables


@pytest.fixture
def acts(tables: Tables) -> Callable[..., Box]:
    """Ann and Ben have sat down; `acts(tap)` returns the state after a tap by the host."""
    table = tables.open(GAME, Setup()).id
    for name in ("Ann", "Ben"):
        tables.sit(table, name)
    return lambda tap: tables.act(table, TABLE, tap).state


def test_a_game_without_a_rule_for_it_knows_who_is_away(acts):
    assert acts(Start()).away == ()
    assert acts(MarkAway(ANN)).missing() == (BEN,)
    assert acts(MarkBack(ANN)).missing() == (ANN, BEN)


def test_somebody_away_before_the_start_is_away_when_it_starts(acts):
    acts(MarkAway(BEN))
    assert acts(Start()).away == (BEN,)


def test_taking_back_brings_nobody_back(acts):
    acts(Start())
    knock = GAME.taps["Knock"]
    acts(knock())
    acts(MarkAway(ANN))
    assert acts(TakeBack()).away == (ANN,)
    acts(knock())
    acts(MarkBack(ANN))
    assert acts(TakeBack()).away == ()


def test_a_state_that_means_something_else_by_away_is_left_alone():
    class Match(msgspec.Struct, frozen=True):
        home: int = 0
        away: int = 2

    room = Room(people=(Person(ANN, "Ann", away=True),))
    assert with_away(Match(), room) == Match()
    assert with_away(None, room) is None
