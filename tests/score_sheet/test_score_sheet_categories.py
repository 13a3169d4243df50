"""Categories: filled in any order, and the game ends when the sheet is full (N7)."""

from __future__ import annotations

import pytest

from companion.game import NotAllowed, Seat
from companion.games.score_sheet import GAME
from companion.games.score_sheet.afterwards import charts, feats
from companion.games.score_sheet.rules import Correct, Enter, EnterAll, Finish, start
from companion.games.score_sheet.setup import READY, Setup
from companion.games.score_sheet.state import Sheet, result
from companion.testing import apply, pseudo
from companion.testing.monkey import Monkey
from companion.testing.test_every_game import translated

ANN, BEN = Seat(1), Seat(2)


def sheet(*taps, **setup) -> Sheet:
    now = start(Setup(mode="categories", **setup), (ANN, BEN), None).state
    for seat, tap in taps:
        now = apply(GAME, now, seat, tap).state
    return now


def test_N7_everybody_fills_in_their_categories_in_any_order(seated):
    table = seated("score_sheet", players=2, mode="categories", categories="Birds, Eggs , birds,, Food")
    table["Ann"].presses("Write down", cell=2, points=5)
    table["Ann"].presses("Write down", cell=1, points=-3)
    assert table["Ben"].lines()[:2] == ["Ann: -3 for Birds.", "Ann: 5 for Eggs."]
    assert (
        table["Ann"].taps("Enter", points=1, cell=2).message
        == "That category is already filled in. You can correct it."
    )
    assert table["Ann"].taps("Enter", points=1).message == "Choose a category first."
    assert table["Ann"].taps("Enter", points=1, cell=9).message == "Choose a category first."
    table["Ann"].presses("Correct", cell=1, points=3)
    assert table["Ann"].shows("8 so far")


def test_N7_the_sheet_knows_when_it_is_complete(seated):
    table = seated("score_sheet", players=2, mode="categories", categories="One, Two")
    for cell in (1, 2):
        table["Ann"].presses("Write down", cell=cell, points=4)
    assert table["Ann"].shows("Your sheet is full: 8")
    assert table["Ann"].shows("Waiting for Ben")
    table["Ben"].presses("Write down", cell=2, points=1)
    assert not table.shared.shows("wins")
    table["Ben"].presses("Write down", cell=1, points=9)
    assert table.shared.shows("Ben wins with 10 points.")


def test_the_host_writes_a_category_for_all(seated):
    table = seated("score_sheet", players=2, mode="categories", ready="birds", scorer="host")
    points = {f"points.{table[name].seat}": n for name, n in (("Ann", 4), ("Ben", 6))}
    table.shared.presses("Write down", {"cell": 4, **points})
    assert table["Ann"].lines()[:2] == ["Ben: 6 for Eggs.", "Ann: 4 for Eggs."]
    assert table["Ann"].shows("You have 4")


def test_the_ready_made_lists_are_those_of_dice_and_birds():
    assert (len(READY["dice"]), len(READY["birds"])) == (14, 6)
    assert len(sheet().filled) == 14
    with pytest.raises(NotAllowed, match="at most"):
        sheet(categories=",".join(str(n) for n in range(21)))


def test_a_cell_that_is_written_over_counts_once():
    now = sheet((ANN, EnterAll({ANN: 5, BEN: 6}, cell=1)), (ANN, EnterAll({ANN: 7}, cell=1)), ready="birds")
    assert now.totals() == {ANN: 7, BEN: 6}
    assert apply(GAME, now, ANN, Correct(1, 2, BEN)).state.totals() == {ANN: 7, BEN: 2}


def test_a_latecomer_fills_in_the_whole_sheet(seated):
    table = seated("score_sheet", players=2, mode="categories", categories="One")
    table["Ann"].presses("Write down", cell=1, points=4)
    table.sits("Late")
    table["Ben"].presses("Write down", cell=1, points=5)
    assert not table.shared.shows("wins")
    table["Late"].presses("Write down", cell=1, points=6)
    assert table.shared.shows("Late wins with 6 points.")


def test_the_best_of_each_category_is_a_feat_and_nothing_is_drawn_over_time():
    now = sheet(
        (ANN, Enter(5, 1)), (BEN, Enter(6, 1)), (ANN, Enter(1, 2)), (ANN, Finish()), categories="One, Two, Three"
    )
    assert [(str(feat.what.holes["category"]), feat.seats, feat.n) for feat in feats([now])] == [("One", (BEN,), 6)]
    assert charts([now]) == ()
    assert result(now).points == {ANN: 6, BEN: 6}


def test_random_taps_on_categories_in_teams_never_break_and_every_word_is_translated(pseudo_app):
    monkey = Monkey(pseudo_app, GAME, 4, 5, pseudo.PSEUDO, mode="categories", ready="birds", teams=2)
    monkey.start()
    for tap in range(60):
        monkey.tap()
        if tap % 10 == 0:
            for path in (monkey.screen, monkey.seats[0]):
                translated(monkey.look(path), monkey.code)
    assert {"JoinTeam", "Enter"} <= monkey.tapped
