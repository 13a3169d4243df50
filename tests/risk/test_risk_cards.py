"""Each player's own cards: a test for each rule."""

from __future__ import annotations

from risk_talk import ANN, BEN, Board

from companion.games.risk.cards import AddBlade, DropNote, Trade
from companion.games.risk.missions import (
    AddMission,
    Claim,
    HoldMission,
    LoseMission,
    PlayPower,
    TurnPower,
    Unturned,
)
from companion.games.risk.seat_view import hand_view
from companion.games.risk.state import Underworld


def with_blades(*cards: int) -> Board:
    board = Board(3).having(10, 16, 16)
    for blades in cards:
        board.tap(ANN, AddBlade(blades))
    return board


def test_notes_add_no_line_to_the_history():
    board = with_blades(2)
    assert board.last.note
    assert not board.last.lines


def test_the_best_trade_of_all_cards_is_worked_out():
    view = hand_view(with_blades(1, 2, 2, 1, 1).state, ANN)
    assert (view.count, view.members, view.sets, view.stays) == (7, 17, (7,), 0)


def test_a_player_may_weigh_some_of_the_cards_and_trade_just_those():
    board = with_blades(1, 2, 2, 1)
    first, second, *_ = (card.id for card in board.state.notebooks[ANN].blades)
    board.tap(ANN, Trade((first, second), picked=True, weigh=True))
    assert hand_view(board.state, ANN).members == 4
    board.tap(ANN, Trade())
    assert board.lines == ["Ann trades 3 razor blades for 4 members."]
    assert [gain.members for gain in board.state.gains()] == [3, 4]
    left = hand_view(board.state, ANN)
    assert [card.blades for card in left.blades] == [2, 1]
    board.refuses(ANN, Trade((first,), picked=True), "don't have")
    board.refuses(ANN, Trade((), picked=True), "at least two")


def test_a_card_that_brings_nothing_stays_in_hand():
    board = with_blades(2, 2, 2, 2, 2, 1).tap(ANN, Trade())
    assert board.lines == ["Ann trades 10 razor blades for 30 members."]
    assert [card.blades for card in hand_view(board.state, ANN).blades] == [1]
    board.refuses(ANN, Trade(), "at least two")


def test_players_trade_during_their_own_turn():
    Board(3).tap(BEN, AddBlade(2)).refuses(BEN, Trade(), "your own turn")


def test_a_card_drawn_after_weighing_is_chosen_too():
    board = with_blades(2).tap(ANN, Trade((), picked=True, weigh=True)).tap(ANN, AddBlade(2))
    assert hand_view(board.state, ANN).members == 2


def test_a_mission_held_long_enough_brings_its_members_once():
    board = Board(3).having(10, 16, 16).tap(ANN, AddMission("West Midlands", 8, 3))
    card = board.state.notebooks[ANN].missions[0].id
    board.refuses(ANN, Claim(card), "0 of 3").tap(ANN, HoldMission(card))
    for held in (1, 2, 3):
        board.ends().ends().refuses(ANN, Claim(card), "first step").ends()
        assert hand_view(board.state, ANN).missions[0].held == held
        if held < 3:
            board.refuses(ANN, Claim(card), f"{held} of 3")
    board.tap(ANN, Claim(card))
    assert board.lines == ["Ann completes a mission for 8 members: West Midlands"]
    assert [gain.members for gain in board.state.gains()] == [3, 8]
    board.refuses(ANN, Claim(card), "don't have")


def test_a_mission_lost_starts_again_and_its_count_can_be_corrected():
    board = Board(3).tap(BEN, AddMission("Dublin", 5, 2))
    card = board.state.notebooks[BEN].missions[0].id
    board.tap(BEN, HoldMission(card)).ends().ends()
    assert hand_view(board.state, BEN).missions[0].held == 1
    board.tap(BEN, LoseMission(card))
    assert hand_view(board.state, BEN).missions[0].held == 0
    board.tap(BEN, HoldMission(card, turns=2))
    assert hand_view(board.state, BEN).missions[0].done


def test_players_turn_over_a_power_card_in_the_first_step_of_their_turn():
    board = Board(3).refuses(BEN, TurnPower("Whisky", "keep"), "first step").at("attack")
    board.refuses(ANN, TurnPower("Razor", "play"), "first step")


def test_a_power_card_may_be_kept_unseen_and_played_at_any_time():
    board = Board(3).tap(ANN, TurnPower("Lend a die", "keep"))
    assert board.last.note
    assert hand_view(board.state, ANN).unturned == 1
    card = board.state.notebooks[ANN].powers[0].id
    board.ends().refuses(ANN, PlayPower(card, members=3), "own turn").tap(ANN, PlayPower(card))
    assert board.lines == ["Ann plays a Power card: Lend a die"]
    board.refuses(ANN, PlayPower(card), "don't have")


def test_a_power_card_played_straight_away_may_bring_members():
    board = Board(3).having(10, 16, 16).tap(ANN, TurnPower("Cousins arrive", "play", members=4))
    assert [gain.members for gain in board.state.gains()] == [3, 4]
    board.tap(ANN, Unturned(0)).refuses(ANN, TurnPower("One more", "play"), "left to turn over")


def test_notes_can_be_removed():
    board = with_blades(1, 2).tap(ANN, DropNote(1))
    assert [card.blades for card in hand_view(board.state, ANN).blades] == [2]
    board.refuses(ANN, DropNote(1), "don't have").refuses(BEN, DropNote(2), "don't have")


def test_taking_back_a_trade_gives_the_cards_back_and_keeps_later_notes():
    board = with_blades(2, 2)
    before = board.state
    now = board.tap(ANN, Trade()).tap(BEN, AddBlade(1)).state
    again = Underworld.with_notes_of(before, now)
    assert hand_view(again, ANN).count == 4
    assert hand_view(again, BEN).count == 1


def test_taking_back_the_end_of_a_turn_takes_back_the_turn_a_mission_was_held():
    board = Board(3).tap(ANN, AddMission("Cork", 5, 2))
    board.tap(ANN, HoldMission(1)).at("finish")
    before = board.state
    assert hand_view(board.ends().state, ANN).missions[0].held == 1
    assert hand_view(Underworld.with_notes_of(before, board.state), ANN).missions[0].held == 0


def test_empty_words_are_no_card():
    Board(3).refuses(ANN, AddMission("  ", 5), "few words").refuses(ANN, TurnPower(" ", "keep"), "few words")
