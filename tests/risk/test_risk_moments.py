"""The moments on the stage: one for every public event, none for secrets."""

from __future__ import annotations

import pytest
from risk_talk import ANN, BEN, CLEO, Board, filled
from selectolax.lexbor import LexborHTMLParser

from companion.engine.links import WATCHER
from companion.game import TABLE, Moment
from companion.games.risk import GAME, cards
from companion.games.risk.battle import Attack, Retreat, RollFight
from companion.games.risk.corrections import CountUp, FixCrown, MoveOne
from companion.games.risk.missions import AddMission, Claim, HoldMission, PlayPower, TurnPower
from companion.games.risk.turn import Conquer, Onward
from companion.games.risk.view import table_view
from companion.testing import Easel


def moment(board: Board) -> Moment:
    found = table_view(board.state).moment
    assert found is not None
    return found


def said(board: Board) -> str:
    found = moment(board).headline
    assert found is not None
    return filled(found)


def in_the_dark(board: Board) -> bool:
    return moment(board).curtain > 0 and moment(board).hold > 0


def stage(easel: Easel, board: Board) -> LexborHTMLParser:
    """What a watcher sees."""
    return LexborHTMLParser(easel.draw(GAME, board.state, WATCHER))


def test_before_anything_has_happened_there_is_no_moment():
    assert table_view(Board(3).state).moment is None


def test_every_roll_of_a_fight_is_a_short_moment_of_its_own():
    board = Board(3).at("attack").tap(ANN, Attack(2, 9, 5)).tap(ANN, RollFight(0), 6, 5, 1, 5, 5)
    assert (moment(board).kind, said(board)) == ("battle", "Ann loses 1, Ben loses 1.")
    assert not in_the_dark(board)
    first = moment(board).n
    board.tap(ANN, RollFight(1), 6, 5, 1, 6, 5)
    assert (said(board), moment(board).n) == ("Ann loses 2, Ben loses 0.", first + 1)


def test_a_territory_that_is_held_and_one_that_is_taken():
    board = Board(3).at("attack").tap(ANN, Attack(2, 1, 3)).tap(ANN, RollFight(0), 2, 6, 3)
    assert (moment(board).kind, said(board)) == ("battle", "Ben holds out against Ann.")
    board.tap(ANN, Attack(2, 3, 1)).tap(ANN, RollFight(0), 6, 5, 4, 1)
    assert (moment(board).kind, said(board)) == ("conquest", "Ann takes a territory from Ben.")


def test_a_conquest_without_the_app_is_a_moment_and_two_are_told_apart():
    board = Board(3).at("attack").tap(ANN, Conquer(2))
    first = moment(board)
    assert first.kind == "conquest"
    assert moment(board.tap(ANN, Conquer(2))) != first


def test_a_retreat_plays_nothing_again():
    board = Board(3).at("attack").tap(ANN, Attack(2, 9, 5)).tap(ANN, RollFight(0), 6, 5, 1, 5, 5)
    before = moment(board)
    assert (moment(board.tap(ANN, Retreat())).kind, moment(board).n) == (before.kind, before.n)


def test_losing_the_last_territory_is_revealed_after_a_pause():
    board = Board(3).having(40, 1, 1).tap(ANN, Conquer(2))
    assert (moment(board).kind, said(board)) == ("eliminated", "Ben is out.")
    assert in_the_dark(board)


def test_a_neutral_gang_can_be_out():
    board = Board(2).having(20, 20, 1, 1, 0).tap(ANN, Conquer(3))
    assert (moment(board).kind, said(board)) == ("eliminated", "Solomons' gang is out.")


def test_the_crown_moves_in_the_light_and_is_rolled_for_in_the_dark():
    board = Board(3, die_spaces=(2,)).ends()
    assert (moment(board).kind, said(board), moment(board).figures) == ("crown", "The Crown moves on.", (1, 2))
    assert not in_the_dark(board)
    board.rolls(2, 2)
    assert (moment(board).kind, said(board), moment(board).figures) == ("crown", "The Crown stays.", (2, 2, 2, 2))
    assert in_the_dark(board)
    board.rolls(4, 3)
    assert (said(board), moment(board).who) == ("The Crown moves on.", (CLEO,))


@pytest.mark.parametrize(
    ("dice", "words"),
    [((6, 6), "The Crown wins."), ((6, 5), "The Crown falls."), ((3, 3), "The Crown holds out.")],
)
def test_the_last_roll_takes_its_time(dice, words):
    board = Board(3, length=6).tap(TABLE, FixCrown(5)).ends()
    assert said(board) == "The Crown reaches the Garrison Tavern."
    board.rolls(*dice)
    assert (moment(board).kind, said(board)) == ("lastroll", words)
    assert in_the_dark(board)


@pytest.mark.parametrize(
    ("counts", "tap", "words"),
    [
        ((41, 0, 1), Conquer(3), "Ann wins with 42 territories."),
        ((41, 0, 1), MoveOne(taker=1, loser=3), "Ann wins with 42 territories."),
        ((16, 10, 16), CountUp(), "Ann and Cleo share the win."),
    ],
)
def test_the_winner_is_a_moment_however_the_game_ended(counts, tap, words):
    board = Board(3).having(*counts).tap(TABLE, tap)
    assert (moment(board).kind, said(board)) == ("winner", words)
    assert in_the_dark(board)


def test_a_mission_and_a_power_card_are_shown_when_they_are_played_and_not_before(easel: Easel):
    board = Board(3).tap(ANN, AddMission("Hold Cork", 5, 1)).tap(ANN, HoldMission(1, turns=1))
    board.tap(ANN, TurnPower("Lend a die", "keep"))
    assert table_view(board.state).moment is None
    board.tap(ANN, Claim(1))
    assert (moment(board).kind, moment(board).figures) == ("mission", (5,))
    assert "Hold Cork" in stage(easel, board).html
    assert "Lend a die" not in stage(easel, board).html
    board.tap(ANN, PlayPower(3))
    assert (moment(board).kind, said(board)) == ("power", "Ann plays a Power card.")


def test_notes_play_no_moment():
    board = Board(3).at("attack").tap(ANN, Conquer(2))
    before = moment(board)
    board.tap(BEN, cards.AddBlade(2)).tap(CLEO, AddMission("Hold Cork", 5, 1))
    assert moment(board) == before


# -------------------------------------------------------------------------------- the picture


def test_a_fight_is_two_halves_with_the_chance_and_the_dice_between_them(easel: Easel):
    board = Board(3).at("attack").tap(ANN, Attack(2, 6, 3, True))
    page = stage(easel, board)
    assert page.css_first(".chance b").text().endswith("%")
    assert not page.css(".throw .is-lost")
    page = stage(easel, board.tap(ANN, RollFight(0), 3, 3, 1, 3, 2))
    assert [node.text() for node in page.css(".army .figure")] == ["5", "2"]
    assert [node.attributes["data-from"] for node in page.css(".army .figure")] == ["6", "3"]
    assert [node.attributes["class"] for node in page.css(".throw .is-lost")] == [
        "die black is-lost face-3", "die red is-lost face-2",
    ]  # fmt: skip
    assert page.css_first(".plus-one").text() == "+1"


def test_every_gang_has_its_figure_and_the_crown_its_route(easel: Easel):
    page = stage(easel, Board(2))
    assert [node.text() for node in page.css(".gang-bar .held")] == ["12", "12", "6", "6", "6", "23"]
    assert len(page.css(".gang-bar.is-neutral")) == 3
    assert page.css_first(".road")


def test_without_the_crown_the_stage_does_not_show_it(easel: Easel):
    page = stage(easel, Board(3, crown=False).tap(ANN, Onward("finish")))
    assert not page.css(".road, .is-crown, .last-roll")
    assert "Crown" not in page.body.text()


def test_before_the_last_roll_all_three_outcomes_are_named(easel: Easel):
    page = stage(easel, Board(3, length=6).tap(TABLE, FixCrown(5)).ends())
    assert [node.text() for node in page.css(".outcome-list .figure")] == ["56%", "42%", "3%"]
