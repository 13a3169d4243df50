"""Gangs, the deal, the steps of a turn, new members and territories: a test for each rule."""

from __future__ import annotations

import pytest
from risk_talk import ANN, BEN, CLEO, Board

from companion.game import TABLE, Seat
from companion.games.risk.corrections import CountUp, FixCounts, FixDraw, FixTurn, MoveOne
from companion.games.risk.opening import Begin, ChooseGang, Starts
from companion.games.risk.turn import Conquer, HoldRegion, MoreMembers, Onward, Reinforce
from companion.games.risk.view import deal_words, pieces, turn_view

BONUS = {1: 2, 2: 5, 3: 3, 4: 4, 5: 7}


@pytest.mark.parametrize(
    ("players", "counts"),
    [
        (2, [12, 12, 6, 6, 6]),
        (3, [14, 14, 14]),
        (4, [10, 10, 11, 11]),
        (5, [8, 8, 8, 9, 9]),
    ],
)
def test_the_42_territories_are_dealt_and_the_last_get_the_extra_ones(players, counts):
    board = Board(players)
    assert board.counts() == counts
    assert sum(counts) == 42


def test_turn_order_is_clockwise_from_the_first_player_and_decides_who_gets_the_extra_cards():
    board = Board(4, first=CLEO)
    assert board.state.seats == (3, 4, 1, 2)
    assert board.state.gang_of(Seat(2)).territories == 11
    assert board.state.gang_of(CLEO).territories == 10
    assert board.state.current.seat == CLEO


def test_three_or_more_players_get_two_missions_and_two_powers_two_get_one_and_three():
    assert Board(3).state.notebooks[ANN].unturned == 2
    assert Board(2).state.notebooks[ANN].unturned == 3
    words = [say.text for say in deal_words(Board(2, begun=False).state)]
    assert any("neutral" in text for text in words)
    assert any("beside the board for each neutral gang" in text for text in words)


def test_everybody_takes_a_gang_of_their_own_and_may_change_it():
    board = Board(3, begun=False).tap(ANN, ChooseGang(ANN, 4)).refuses(BEN, ChooseGang(BEN, 4), "Ann has taken")
    board.tap(ANN, ChooseGang(ANN, 5)).tap(BEN, ChooseGang(BEN, 4)).refuses(BEN, ChooseGang(CLEO, 1), "Cleo chooses")
    board.tap(TABLE, ChooseGang(CLEO, 1)).tap(BEN, Starts(BEN)).tap(BEN, Begin())
    assert [gang.number for gang in board.state.playing] == [4, 1, 5]


def test_players_who_have_not_chosen_get_the_next_free_gang():
    board = Board(3, begun=False).tap(BEN, ChooseGang(BEN, 1)).tap(ANN, Starts(ANN)).tap(TABLE, Begin())
    assert board.state.gang_of(ANN).number == 2
    assert board.state.gang_of(CLEO).number == 3


def test_in_a_game_of_two_the_other_three_gangs_are_neutral_with_three_cards_each():
    board = Board(2)
    assert [gang.pile for gang in board.state.neutrals] == [3, 3, 3]
    assert not Board(3).state.neutrals


def test_nothing_is_played_before_the_first_turn():
    Board(3, begun=False).refuses(ANN, Conquer(2), "not begun").refuses(ANN, Onward("attack"), "not begun")


# -------------------------------------------------------------------------------- new members


@pytest.mark.parametrize(
    ("territories", "members"),
    [(1, 3), (11, 3), (12, 4), (14, 4), (15, 5), (17, 5), (18, 6), (20, 6), (21, 7), (41, 13)],
)
def test_three_members_and_one_more_for_every_three_territories_from_twelve_on(territories, members):
    board = Board(2, bonus=BONUS).having(territories, 41 - territories, 1, 0, 0)
    assert sum(gain.members for gain in board.state.gains()) == members


def test_a_region_held_whole_brings_its_bonus():
    board = Board(3, bonus=BONUS).having(10, 16, 16).tap(BEN, HoldRegion(2, 1))
    assert [gain.members for gain in board.state.gains()] == [3, 5]
    board.tap(CLEO, HoldRegion(2, 0))
    assert [gain.members for gain in board.state.gains()] == [3]


def test_the_members_of_a_turn_are_those_of_its_start():
    board = Board(3).having(14, 14, 14).at("attack")
    before = board.state.gains()
    board.tap(ANN, Conquer(2))
    assert board.state.gains() == before


def test_other_members_are_added_with_a_reason():
    board = Board(3).having(10, 16, 16).tap(ANN, MoreMembers(4, "A favour"))
    assert turn_view(board.state).total == 7
    assert board.lines == ["Ann gets 4 more members (A favour)."]
    board.refuses(BEN, MoreMembers(4), "It is Ann's turn").refuses(ANN, MoreMembers(0), "how many")


def test_members_are_shown_as_pieces_of_ten_five_and_one():
    assert [pieces(n) for n in (3, 5, 9, 10, 28, 0)] == [
        (0, 0, 3), (0, 1, 0), (0, 1, 4), (1, 0, 0), (2, 1, 3), (0, 0, 0),
    ]  # fmt: skip


# -------------------------------------------------------------------------------- steps


def test_a_turn_has_three_steps_and_steps_may_be_passed_over():
    board = Board(3)
    for step in ("attack", "finish"):
        board.tap(ANN, Onward(step))
        assert board.state.current.step == step
    assert Board(3).tap(ANN, Onward("finish")).state.current.step == "finish"


def test_only_the_current_player_and_the_shared_screen_may_act():
    Board(3).refuses(BEN, Onward("attack"), "It is Ann's turn.").tap(TABLE, Onward("attack"))


def test_a_step_is_not_taken_twice():
    Board(3).at("attack").refuses(TABLE, Onward("attack"), "past that step")


def test_in_a_game_of_two_three_members_go_to_one_neutral_gang_each_turn():
    board = Board(2).refuses(ANN, Onward("attack"), "neutral gang")
    board.refuses(ANN, Reinforce(2), "neutral").tap(ANN, Reinforce(4)).refuses(
        ANN, Reinforce(5), "already has its three"
    )
    assert board.at("attack").ends().state.current.reinforced == 0


def test_without_neutral_gangs_nobody_reinforces_one():
    board = Board(2).having(21, 21, 0, 0, 0).refuses(ANN, Reinforce(4), "still holds")
    assert board.at("attack").state.current.step == "attack"


# -------------------------------------------------------------------------------- territories


def test_ann_takes_one_from_ben():
    board = Board(3).at("attack").tap(ANN, Conquer(2))
    assert board.counts() == [15, 13, 14]
    assert board.lines == ["Ann takes a territory from Ben."]


def test_nobody_takes_from_themselves_or_from_a_gang_without_territories():
    board = Board(3).having(20, 0, 22)
    board.refuses(ANN, Conquer(1), "your own").refuses(ANN, Conquer(2), "Ben holds no territory")
    board.refuses(ANN, Conquer(5), "holds no territory").refuses(CLEO, Conquer(1), "It is Ann's turn")


def test_one_card_is_drawn_for_each_territory_conquered():
    board = Board(3).at("attack").tap(ANN, Conquer(2)).tap(ANN, Conquer(3))
    assert turn_view(board.state).draws == 2
    assert turn_view(board.ends().state).draws == 0


def test_the_last_territory_of_a_neutral_gang_hands_over_its_three_cards():
    board = Board(2).having(12, 23, 2, 3, 2).tap(ANN, Conquer(3))
    assert board.lines == ["Ann takes a territory from Solomons' gang."]
    assert (turn_view(board.state).piles, board.state.gang(3).pile) == (0, 3)
    board.tap(ANN, Conquer(3))
    assert board.lines[-1] == "Ann gets the 3 cards of Solomons' gang."
    view = turn_view(board.state)
    assert (view.draws, view.piles) == (2, 3)
    assert board.state.gang(3).pile == 0


def test_losing_a_territory_puts_a_region_in_doubt():
    board = Board(3, bonus=BONUS).tap(TABLE, HoldRegion(1, 2)).tap(ANN, Conquer(2))
    assert board.state.regions[0].doubt
    assert not board.tap(BEN, HoldRegion(1, 2)).state.regions[0].doubt


def test_a_gang_without_territories_is_out_and_holds_no_region():
    board = Board(3).having(20, 1, 21).tap(TABLE, HoldRegion(1, 2)).tap(ANN, Conquer(2))
    assert "Ben has no territory left and is out." in board.lines
    assert board.state.regions[0].holder == 0


def test_a_player_without_territories_is_skipped():
    board = Board(3).having(20, 1, 21).tap(ANN, Conquer(2)).ends()
    assert board.state.current.seat == CLEO
    assert board.ends().state.current.seat == ANN


def test_all_42_territories_win_straight_away():
    board = Board(3).having(41, 0, 1).tap(ANN, Conquer(3))
    assert board.result.winners == (ANN,)
    assert board.lines[-1] == "Ann holds all 42 territories and wins."
    board.refuses(ANN, Conquer(2), "over")


def test_in_a_game_of_two_eliminating_the_other_player_wins():
    board = Board(2).having(20, 1, 7, 7, 7).tap(ANN, Conquer(2))
    assert board.result.winners == (ANN,)
    assert board.lines[-1] == "Ann eliminates everybody else and wins."


def test_a_neutral_gang_never_wins():
    board = Board(2).having(5, 4, 11, 11, 11).tap(TABLE, CountUp())
    assert board.result.winners == (ANN,)


# -------------------------------------------------------------------------------- corrections


def test_anybody_can_correct_the_counts_as_long_as_they_sum_to_42():
    board = Board(3).refuses(CLEO, FixCounts({1: 15}), "adds up to 43")
    board.tap(CLEO, FixCounts({1: 15, 2: 13}))
    assert board.counts() == [15, 13, 14]
    assert board.lines == [
        "Cleo fixes a mistake: Ann holds 15 territories, not 14.",
        "Cleo fixes a mistake: Ben holds 13 territories, not 14.",
    ]
    board.refuses(CLEO, FixCounts({5: 1}), "not in this game").refuses(CLEO, FixCounts({}), "same as before")


def test_a_corrected_territory_is_no_conquest():
    board = Board(3).tap(BEN, MoveOne(taker=3, loser=1))
    assert board.counts() == [13, 14, 15]
    assert turn_view(board.state).draws == 0
    board.refuses(BEN, MoveOne(taker=1, loser=1), "different").refuses(BEN, MoveOne(taker=5, loser=1), "not in this")


def test_the_turn_and_the_draw_can_be_corrected():
    board = Board(3).tap(BEN, FixDraw(3))
    assert turn_view(board.state).draws == 3
    assert board.tap(BEN, FixTurn(CLEO)).state.current.seat == CLEO
    board.refuses(BEN, FixTurn(CLEO), "already").having(21, 0, 21).refuses(ANN, FixTurn(BEN), "Ben is out")


def test_a_tie_is_a_shared_win():
    board = Board(3).having(16, 10, 16).tap(TABLE, CountUp())
    assert board.result.winners == (ANN, CLEO)
    assert board.result.points == {ANN: 16, BEN: 10, CLEO: 16}
    assert board.lines[-1] == "Ann and Cleo share the win with 16 territories each."
