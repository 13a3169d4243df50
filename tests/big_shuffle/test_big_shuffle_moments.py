"""The moments of the shared screen, and its picture of the city."""

from __future__ import annotations

import msgspec
import pytest
from big_shuffle_talk import ANN, BEN, WHAT, WHERE, WHO, begun, in_the_city
from selectolax.lexbor import LexborHTMLParser

from companion.game import Seat
from companion.games.big_shuffle import GAME
from companion.games.big_shuffle.agendas import ShowAndWin
from companion.games.big_shuffle.attempts import TryScene
from companion.games.big_shuffle.scenes import BigShuffle
from companion.games.big_shuffle.state import Agenda
from companion.games.big_shuffle.turns import EndTurn
from companion.games.big_shuffle.verdicts import Settle

UP = "who.midtown.0.uptown"
SCREEN = Seat(0)


@pytest.fixture
def stage(easel):
    return lambda game, **phones: LexborHTMLParser(easel.draw(GAME, game.state, SCREEN, **phones))


def moment(game):
    return GAME.table_view(game.state).moment


def words(tree: LexborHTMLParser, css: str) -> str:
    return " ".join(" ".join(node.text().split()) for node in tree.css(css))


def test_a_scene_change_is_played_when_it_is_settled_and_not_before():
    game = in_the_city().attempt(UP, difficulty=3, base=4).everybody_passes()
    assert moment(game) is None
    settled = moment(game.taps(0, Settle()))
    assert (settled.kind, settled.who, settled.figures) == ("scene", (ANN,), (4, 3))
    assert settled.hold > 1
    assert moment(game.taps(0, Settle()).taps(1, EndTurn(ANN))) is None


def test_two_scene_changes_in_a_row_are_two_moments():
    once = in_the_city().attempt(UP).everybody_passes().taps(0, Settle())
    again = once.taps(0, TryScene("what.midtown.0.uptown", anyway=True))
    assert moment(once).kind == "scene"
    assert moment(again) is None


def test_the_big_shuffle_is_played_each_time_it_comes_and_also_after_a_scene_change():
    first = in_the_city().taps(0, BigShuffle())
    second = first.taps(0, BigShuffle())
    assert moment(first).kind == moment(second).kind == "shuffle"
    assert moment(first).n != moment(second).n
    settled = in_the_city().attempt(UP).everybody_passes().taps(0, Settle())
    assert moment(settled.taps(0, BigShuffle())).kind == "shuffle"
    assert moment(first.taps(1, EndTurn(ANN))) is None
    assert moment(begun(mode="expert", first=None)).kind == "shuffle"


def test_the_winner_is_played():
    game = in_the_city().notes(1, "mine", WHO, WHAT, WHERE).taps(1, ShowAndWin(anyway=True))
    assert (moment(game).kind, moment(game).who) == ("winner", (ANN,))


def test_no_moment_reveals_an_agenda():
    for game in (in_the_city(), in_the_city().attempt(UP).everybody_passes().taps(0, Settle())):
        active = Agenda(*game.state.active().values())
        other = msgspec.structs.replace(game.state, personal=dict.fromkeys(game.state.seats, active))
        assert GAME.table_view(other).moment == GAME.table_view(game.state).moment


def test_the_stage_weighs_influence_against_difficulty_and_lights_one_tower(stage):
    game = in_the_city().attempt(UP, difficulty=5, base=3).hires(1, 1)
    tree = stage(game)
    assert words(tree, ".sum .number") == "4 5"
    assert "Not enough" in words(tree, ".sum")
    assert "is-lit" in tree.css_first(".of-who").attributes["class"]
    assert len(tree.css(".is-lit")) == 1
    assert words(tree, ".cast-list .is-now .name") == "Ben"
    tree = stage(game.everybody_passes().taps(0, Settle()))
    assert words(tree, ".stamp") == "It failed"
    assert "stays" in words(tree, ".headline")


def test_the_stage_says_how_many_names_are_still_to_be_read_out(stage):
    game = in_the_city().taps(0, BigShuffle())
    assert words(stage(game), ".reading .number") == "12"
    assert words(stage(game.names("who", "uptown", "The Nightclub Owner")), ".reading .number") == "11"


def test_the_table_only_taps_for_people_without_a_phone(stage):
    acting = in_the_city()
    assert "End the turn" in words(stage(acting, phones={BEN}), ".act")
    assert not stage(acting, phones={ANN, BEN}).css(".act")
    hiring = acting.attempt(UP)
    assert words(stage(hiring, phones={BEN}), ".act") == "Pass +1 +2 +3 +4 −1 −2 −3 −4"
    assert not stage(hiring.hires(1, 1), phones={BEN}).css(".act")
