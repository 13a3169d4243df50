"""Scripted evenings reach every phase of every game with any number of people, the same way each time."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest
from sealed_auction import GAME as SEALED_AUCTION
from selectolax.lexbor import LexborHTMLParser

from companion.engine.room import NAME_LENGTH, tidy_name
from companion.engine.snapshot import decode, encode
from companion.game import TABLE
from companion.games import GAMES as OURS
from companion.games.faster_than_truth.state import Phase as FasterPhase
from companion.games.risk.state import STEPS
from companion.games.traitors.state import Evening
from companion.games.trickery.state import Phase as TrickeryPhase
from companion.testing.evenings import LONG_NAMES, SHORT_NAMES, evening_of

GAMES = OURS | {SEALED_AUCTION.name: SEALED_AUCTION}
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@every_game
def test_an_evening_goes_from_the_gathering_to_the_winner_with_any_number_of_people(game):
    for players in range(game.players[0], game.players[1] + 1):
        phases = evening_of(game, players)
        assert phases[1].players == players
        assert [phase.state for phase in phases[:2]] == [None, None]
        assert any(phase.name == "winner" and game.result(phase.state) for phase in phases)
        for phase in phases[2:]:
            assert decode(encode(phase.state), game.state) == phase.state
            assert 1 <= phase.acting <= players
            assert 1 <= phase.waiting <= players


@every_game
def test_an_evening_is_the_same_each_time(game):
    once, again = (evening_of(game, game.players[1]) for _ in range(2))
    assert [(phase.name, phase.state) for phase in once] == [(phase.name, phase.state) for phase in again]


@pytest.mark.parametrize("name", OURS)
def test_S14_no_form_is_a_direct_child_of_a_fold(easel, name):
    """If a live update moves a form there, it can end up 0 by 0 pixels large; a wrapper prevents that."""
    game = GAMES[name]
    for phase in evening_of(game, min(game.players[1], 10)):
        for seat in (TABLE, phase.acting, phase.waiting) if phase.state is not None else ():
            drawn = LexborHTMLParser(easel.draw(game, phase.state, seat, host=seat))
            assert not [form.attributes["id"] for form in drawn.css("details > form")], phase.name


def reached(name, of):
    """Return what the evenings with the fewest and the most people reach."""
    game = GAMES[name]
    for n in game.players:
        yield {of(phase.state) for phase in evening_of(game, n) if phase.state is not None}


def test_the_traitors_come_to_every_scene():
    scenes = {kind.__struct_config__.tag for kind in get_args(get_type_hints(Evening)["scene"])}
    assert len(scenes) > 10
    for seen in reached("traitors", lambda evening: type(evening.scene).__struct_config__.tag):
        assert seen == scenes


def test_the_other_games_come_to_every_phase():
    for seen in reached("trickery", lambda table: table.phase):
        assert seen == set(get_args(TrickeryPhase))
    for seen in reached("faster_than_truth", lambda play: play.phase):
        assert seen == set(get_args(FasterPhase))
    for seen in reached("risk", lambda state: state.turn and state.turn.step):
        assert seen == {None, *STEPS}
    for seen in reached("risk", lambda state: state.ending):
        assert seen >= {None, "crown", "fallen"}
    for seen in reached("big_shuffle", lambda table: (table.setup.mode, table.setup.keeping, bool(table.attempt))):
        assert seen >= {("normal", keeping, trying) for keeping in ("remember", "count") for trying in (True, False)}
        assert {mode for mode, _, _ in seen} == {"normal", "beginner", "expert"}
    for seen in reached("sealed_auction", lambda auction: auction.phase):
        assert seen == {"offering", "bidding", "deciding", "over"}


def test_long_names_are_as_long_as_names_can_be():
    assert [tidy_name(name) for name in LONG_NAMES] == list(LONG_NAMES)
    assert sum(len(name) == NAME_LENGTH for name in LONG_NAMES) >= len(LONG_NAMES) - 3
    assert len({*LONG_NAMES}) == len({*SHORT_NAMES}) == 20
