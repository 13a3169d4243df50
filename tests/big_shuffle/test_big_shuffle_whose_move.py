"""Buttons are on the phone of the player who acts and on the shared screen; others find them folded away under Mine."""

from __future__ import annotations

import pytest
from big_shuffle_talk import ANN, BEN, begun, in_the_city
from selectolax.lexbor import LexborHTMLParser, LexborNode

from companion.game import Seat
from companion.games.big_shuffle import GAME
from companion.games.big_shuffle.attempts import NoChange, RevealChange, TryScene, TypeNumbers
from companion.games.big_shuffle.scenes import NameScene
from companion.games.big_shuffle.turns import EndTurn, PlayCard
from companion.games.big_shuffle.verdicts import Settle

SCREEN = Seat(0)
UP = "who.midtown.0.uptown"


@pytest.fixture
def page(easel):
    return lambda game, seat: LexborHTMLParser(easel.draw(GAME, game.state, seat))


def folds_around(tree: LexborHTMLParser, tap: str) -> list[str]:
    """Return the folds to open before somebody can tap this."""
    found = []
    node: LexborNode | None = tree.css_first(f'input[name="tap"][value="{tap}"]')
    assert node is not None, tap
    while node is not None:
        if node.tag == "details":
            found.append(node.attributes["id"] or "")
        node = node.parent
    return found


def button_of(tree: LexborHTMLParser, tap: str) -> str:
    return tree.css_first(f'form:has(input[value="{tap}"]) button').attributes["class"] or ""


def acting():
    """It is Ann's turn, and all names have been read out."""
    game = in_the_city()
    for kind, name in (("who", "The Dirty Cop"), ("what", "The Car Chase"), ("where", "The Mob HQ")):
        game = game.taps(0, NameScene(kind, "midtown", 1, name))
    return game


def test_an_ordinary_turn_is_folded_away_on_the_other_phones(page):
    for game, tap in ((begun(), "TryScene"), (acting(), "EndTurn")):
        assert folds_around(page(game, ANN), tap) == []
        assert folds_around(page(game, SCREEN), tap) == []
        assert folds_around(page(game, BEN), tap) == ["fold-for-1"]
    assert page(acting(), BEN).css_first("#fold-for-1 > summary").text() == "Tap for Ann"


def test_an_attempt_says_whose_it_is_and_is_folded_away_on_the_other_phones(page):
    trying = in_the_city().taps(0, TryScene(UP))
    settling = trying.taps(0, TypeNumbers(difficulty=3, base=3, informant=0), NoChange()).everybody_passes()
    for game, tap in ((trying, "RevealChange"), (settling, "Settle")):
        assert "You attempt" in page(game, ANN).css_first(".trying").text()
        assert "Ann attempts" in page(game, BEN).css_first(".trying").text()
        assert "Ann attempts" in page(game, SCREEN).css_first(".line").text()
        assert folds_around(page(game, ANN), tap) == folds_around(page(game, SCREEN), tap) == []
        assert folds_around(page(game, BEN), tap) == ["fold-for-1"]
        assert page(game, ANN).css("[data-asks]")
        assert not page(game, BEN).css("[data-asks]")


def test_goons_are_hired_on_the_phone_of_the_next_player(page):
    game = in_the_city().attempt(UP)
    assert folds_around(page(game, ANN), "PassGoons") == []
    assert folds_around(page(game, BEN), "PassGoons") == ["fold-for-1"]
    game = game.hires(1, 1)
    assert folds_around(page(game, BEN), "PassGoons") == []
    assert folds_around(page(game, ANN), "PassGoons") == ["fold-for-2"]


def test_missing_numbers_are_one_tap_each_where_the_attempt_is_made(page):
    game = in_the_city().taps(0, TryScene("who.midtown.0.downtown"), RevealChange("Fog", 1))
    assert folds_around(page(game, ANN), "TypeNumbers") == ["now-missing"]
    assert folds_around(page(game, BEN), "TypeNumbers") == ["fold-attempt", "fold-fix"]
    for seat in (ANN, BEN):
        assert page(game, seat).css_first(".running").text().split() == ["at", "least", "1", "against", "?"]


def test_a_scene_change_is_one_tap_away_until_the_turn_is_used(page):
    for seat in (ANN, SCREEN):
        tree = page(acting(), seat)
        assert folds_around(tree, "TryScene") == []
        assert button_of(tree, "EndTurn") == "plain"
        for game in (
            acting().taps(1, PlayCard("action", "Shoot Out", ANN)),
            acting().attempt(UP, difficulty=9).everybody_passes().taps(0, Settle()),
        ):
            tree = page(game, seat)
            assert folds_around(tree, "TryScene") == ["now-another" if seat else "fix-another"]
            assert button_of(tree, "EndTurn") == "primary"


def test_a_card_can_be_played_once_on_every_screen_at_every_moment(page):
    for game in (begun(), acting(), acting().taps(0, TryScene(UP)), acting().taps(1, EndTurn(ANN))):
        for seat in (SCREEN, ANN, BEN):
            assert len(page(game, seat).css("#now-play, #fold-play, #fix-play")) == 1


@pytest.mark.parametrize("mode", ["normal", "beginner", "expert"])
def test_the_set_up_of_the_cards_is_listed_until_somebody_begins(page, mode):
    for seat in (SCREEN, ANN):
        text = page(begun(mode=mode, first=None), seat).css_first(".layout").text()
        assert ("a title card on top" in text) == (mode != "expert")
        assert ("face up between" in text) == (mode == "beginner")
        assert ("uptown" in text) == (mode == "expert")
        assert not page(begun(mode=mode), seat).css(".layout")
