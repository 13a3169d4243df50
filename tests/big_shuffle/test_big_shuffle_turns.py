"""The turn, agendas, winning, and the beginner and expert games."""

from __future__ import annotations

import pytest
from big_shuffle_talk import ANN, BEN, CLEO, DAN, WHAT, WHERE, WHO, begun, in_the_city

from companion.game import Dice, Seat
from companion.games.big_shuffle import GAME
from companion.games.big_shuffle.agendas import NoteAgenda, ShowAndWin, ShowForPoints
from companion.games.big_shuffle.attempts import TryScene
from companion.games.big_shuffle.seat_view import MyAgenda
from companion.games.big_shuffle.setup import Setup
from companion.games.big_shuffle.turns import EndTurn, FirstPlayer, PlayCard, SetPoints, SetTurn
from companion.testing import apply


def test_the_player_who_woke_up_earliest_begins_and_play_goes_clockwise():
    game = begun(first=None)
    assert "who begins" in game.refuses(1, EndTurn(ANN))
    game = game.taps(0, FirstPlayer(CLEO))
    assert "already begun" in game.refuses(0, FirstPlayer(ANN))
    assert game.taps(0, EndTurn(CLEO)).state.turn.seat == ANN


def test_one_action_or_loot_in_a_turn():
    game = begun().taps(1, PlayCard("loot", "The Pipe"))
    assert game.state.player(ANN).loot == ("The Pipe",)
    assert "one action or loot" in game.refuses(1, PlayCard("action", "Shoot Out"))


def test_a_new_york_minute_allows_more_cards_even_those_just_drawn():
    game = begun().taps(1, PlayCard("action", "A New York Minute"), PlayCard("loot", "The Pipe", anyway=True))
    game = game.taps(1, PlayCard("loot", "The Telephone", anyway=True))
    assert game.state.player(ANN).loot == ("The Pipe", "The Telephone")
    assert "a card allows it" in game.lines[0]


def test_actions_and_reactions_go_to_the_discard():
    game = begun().taps(1, PlayCard("action", "Shoot Out")).taps(3, PlayCard("reaction", "What Happened Here?"))
    assert [card.name for card in game.state.noir] == ["What Happened Here?", "Shoot Out"]


def test_a_reaction_may_be_played_in_anybody_s_turn_an_action_may_not():
    game = begun()
    assert "turn" in game.refuses(2, PlayCard("action", "Shoot Out"))
    assert game.taps(2, PlayCard("reaction", "What Happened Here?")).state.turn.played is False


def test_after_a_scene_change_there_is_no_card_to_play():
    game = in_the_city().changes("who.midtown.0.uptown")
    assert "attempted a scene change" in game.refuses(1, PlayCard("action", "Shoot Out"))


def test_no_turn_ends_during_a_scene_change():
    game = in_the_city().taps(0, TryScene("who.midtown.0.uptown"))
    assert "under way" in game.refuses(1, EndTurn(ANN))


def test_a_turn_ends_once_even_if_two_people_say_so():
    game = begun().taps(1, EndTurn(ANN))
    assert "already over" in game.refuses(2, EndTurn(ANN))


def test_the_table_can_say_whose_turn_it_is():
    game = begun().taps(2, SetTurn(CLEO))
    assert game.state.turn.seat == CLEO
    assert "corrects" in game.lines[0]


# -------------------------------------------------------------------------------- agendas


def test_neighbours_share_an_agenda_and_both_see_it():
    game = begun(4).notes(1, "left", WHO, WHAT, WHERE)
    assert game.see(2).agendas[2] == MyAgenda("right", ANN, WHO, WHAT, WHERE, False, (), ())
    assert all(agenda.who is None for seat in (3, 4) for agenda in game.see(seat).agendas)


@pytest.mark.parametrize(("players", "shared"), [(2, 1), (3, 3), (4, 4)])
def test_there_is_one_agenda_between_each_two_neighbours(players, shared):
    game = begun(players)
    assert len(game.state.pairs()) == shared
    assert len(game.see(1).agendas) == (2 if players == 2 else 3)


def test_two_players_share_a_single_agenda():
    game = begun(2).notes(1, "left", WHO, None, None)
    assert game.see(2).agendas[1].who == WHO
    assert game.see(2).agendas[1].neighbour == ANN


def test_a_personal_agenda_is_secret():
    game = begun().notes(1, "mine", WHO, WHAT, WHERE)
    for seat in (2, 3):
        assert all(agenda.who is None for agenda in game.see(seat).agendas)


def test_noting_an_agenda_is_told_to_nobody():
    step = apply(GAME, begun().state, 1, NoteAgenda("mine", WHO, WHAT, WHERE))
    assert step.note
    assert step.lines == ()


def test_a_name_that_is_only_on_a_secret_agenda_is_offered_to_nobody():
    game = begun().notes(1, "mine", "The Torch Singer", None, None)
    assert "The Torch Singer" not in game.see(1).tools.names["who"]
    assert GAME.lasting.take(game.state) == GAME.lasting.take(begun().state)


def test_the_example_of_winning_with_a_combination_of_agendas():
    """The Private Eye and The Oldest Profession are on her own agenda, The Train Station is on a shared one."""
    game = in_the_city().notes(1, "mine", WHO, WHAT, "The Mob HQ")
    assert not game.see(1).can_win
    game = game.notes(2, "right", "The Mafia Don", "The Dirty Double Cross", WHERE)
    assert game.see(1).can_win
    game = game.taps(1, ShowAndWin())
    assert game.state.winner == ANN
    assert GAME.result(game.state).winners == (ANN,)


def test_you_can_only_win_on_your_own_turn():
    game = in_the_city().notes(2, "mine", WHO, WHAT, WHERE)
    assert not game.see(2).can_win
    assert "own turn" in game.refuses(2, ShowAndWin())
    assert game.taps(1, EndTurn(ANN)).see(2).can_win


def test_an_agenda_two_chairs_away_does_not_count():
    game = in_the_city(4).notes(3, "mine", WHO, WHAT, WHERE).notes(3, "left", WHO, WHAT, WHERE)
    assert not game.see(1).can_win


def test_a_title_card_is_no_scene_to_win_with():
    game = begun().notes(1, "mine", WHO, WHAT, WHERE).names("who", "midtown", WHO)
    assert not game.see(1).can_win


def test_the_table_may_have_seen_agendas_that_nobody_has_noted():
    game = in_the_city()
    assert "don't match" in game.refuses(1, ShowAndWin())
    game = game.taps(1, ShowAndWin(anyway=True))
    assert game.state.winner == ANN
    assert "The game is over" in game.refuses(1, EndTurn(ANN))


def test_in_a_beginner_game_shared_agendas_are_face_up_and_personal_ones_are_not():
    game = (
        begun(mode="beginner")
        .notes(1, "left", WHO, "The Big Heist", WHERE)
        .notes(1, "mine", "The Dirty Cop", None, None)
    )
    assert [(one.first, one.second) for one in game.table.open_agendas] == [(ANN, BEN), (BEN, CLEO), (CLEO, ANN)]
    assert game.table.open_agendas[0].agenda.who == WHO
    assert "The Big Heist" in game.see(3).tools.names["what"]
    assert begun().notes(1, "left", WHO, WHAT, WHERE).table.open_agendas == ()


# -------------------------------------------------------------------------------- expert


def test_the_expert_game_begins_with_a_big_shuffle_and_without_title_cards():
    for track in begun(mode="expert").state.city.values():
        assert (track.title, len(track.uptown), len(track.midtown), len(track.downtown)) == (False, 1, 8, 1)


def test_two_active_scenes_of_one_agenda_score_two_and_a_new_one_is_dealt():
    game = in_the_city(mode="expert").notes(1, "mine", WHO, WHAT, "The Mob HQ")
    assert game.see(1).can_score == ("mine",)
    game = game.taps(1, ShowForPoints("mine"))
    assert game.state.player(ANN).points == 2
    assert game.state.personal[ANN].who is None
    assert game.table.aside[0].agenda.where == "The Mob HQ"
    assert game.state.turn.seat == BEN


def test_scenes_of_two_agendas_do_not_add_up_to_points():
    game = in_the_city(mode="expert").notes(1, "mine", WHO, None, None).notes(1, "left", None, WHAT, None)
    assert game.see(1).can_score == ()
    assert "two scenes" in game.refuses(1, ShowForPoints("mine"))


def test_a_shared_agenda_scores_for_the_neighbour_who_shows_it_first():
    game = in_the_city(mode="expert").notes(1, "left", WHO, WHAT, WHERE).taps(1, ShowForPoints("left"))
    assert game.state.player(ANN).points == 3
    assert game.see(2).agendas[2].who is None


def test_you_can_only_score_on_your_own_turn():
    game = in_the_city(mode="expert").notes(2, "mine", WHO, WHAT, WHERE)
    assert game.see(2).can_score == ()
    assert "own turn" in game.refuses(2, ShowForPoints("mine"))


def test_five_points_win_the_expert_game():
    game = in_the_city(mode="expert").taps(1, SetPoints(ANN, 3)).notes(1, "mine", WHO, WHAT, None)
    assert not game.see(1).can_win
    game = game.taps(1, ShowForPoints("mine"))
    assert game.state.winner == ANN
    assert GAME.result(game.state).points == {ANN: 5, BEN: 0, CLEO: 0}


def test_the_active_scenes_alone_do_not_win_the_expert_game():
    game = in_the_city(mode="expert").notes(1, "mine", WHO, WHAT, WHERE)
    assert "five points" in game.refuses(1, ShowAndWin())


def test_points_can_be_corrected_and_the_line_says_so():
    game = begun(mode="expert").taps(2, SetPoints(BEN, 4))
    assert "corrects the points" in game.lines[0]
    assert "no points" in begun().refuses(2, SetPoints(BEN, 4))


def test_agendas_score_only_in_the_expert_game():
    assert "expert" in in_the_city().notes(1, "mine", WHO, WHAT, WHERE).refuses(1, ShowForPoints("mine"))


def test_taking_back_leaves_notes_alone():
    earlier = in_the_city().notes(1, "mine", WHO, None, None)
    now = earlier.taps(1, EndTurn(ANN)).notes(1, "mine", WHO, WHAT, None).notes(2, "left", None, None, WHERE)
    kept = GAME.keeps(earlier.state, now.state)
    assert kept.turn.seat == ANN
    assert kept.personal[ANN].what == WHAT
    assert kept.shared[1].where == WHERE


def test_taking_back_points_returns_the_agenda():
    earlier = in_the_city(mode="expert").notes(1, "left", WHO, WHAT, None).notes(2, "mine", WHO, None, None)
    now = earlier.taps(1, ShowForPoints("left")).notes(2, "right", None, None, "The Mob HQ")
    kept = GAME.keeps(earlier.state, now.state)
    assert kept.shared[0].what == WHAT
    assert kept.player(ANN).points == 0
    assert kept.personal[BEN].who == WHO


def test_an_open_agenda_of_a_beginner_game_can_be_taken_back():
    earlier = begun(mode="beginner")
    now = earlier.notes(1, "left", WHO, WHAT, WHERE)
    assert GAME.keeps(earlier.state, now.state).shared == earlier.state.shared


def test_a_table_has_two_to_four_players():
    assert GAME.players == (2, 4)
    seats = (ANN, BEN, CLEO, DAN)
    assert GAME.start(Setup(), seats, Dice()).state.seats == seats
    assert isinstance(seats[0], Seat)
