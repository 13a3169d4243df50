"""The Traitors, rule by rule: each test is named after the rule it proves."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from traitors_talk import GAME, Castle

from companion.engine.snapshot import decode, encode
from companion.game import ComesBack, Dice, GoesAway, NotAllowed, Seat
from companion.games.traitors.agreement import Wish
from companion.games.traitors.banishment import CastVote, OpenVote, RevealVote
from companion.games.traitors.corrections import ChangeRounds, CorrectPlayer, CorrectScore
from companion.games.traitors.events import CallOff, DrawEvent, DrawFinal, Ready, Remind, RestartVote
from companion.games.traitors.gold import AddGold, CorrectFund, EndRound, NextRound, ShareFund, ShowHand
from companion.games.traitors.murder import Answer, Fall, NoShield, PlayShield, RevealMurder
from companion.games.traitors.seat_view import choosing, host_view, seat_view
from companion.games.traitors.setup import RECOMMENDED, Setup
from companion.games.traitors.state import Evening
from companion.games.traitors.view import table_view

# -------------------------------------------------------------------------------- set-up


@pytest.mark.parametrize(("players", "rounds"), [(4, 3), (5, 2), (6, 2), (7, 1), (8, 1)])
def test_the_lower_recommended_number_of_rounds_is_preselected(players, rounds):
    assert Castle(players).now.rounds == rounds == RECOMMENDED[players][0]


def test_the_table_may_choose_another_number_of_rounds():
    assert Castle(8, rounds="4").now.rounds == 4


def test_four_to_eight_can_play():
    assert GAME.players == (4, 8)


def test_a_seat_s_number_is_its_place_clockwise_from_one():
    step = GAME.start(Setup(), (Seat(9), Seat(2), Seat(5), Seat(7)), Dice())
    assert [step.state.number_of(seat) for seat in (9, 2, 5, 7)] == [1, 2, 3, 4]


def test_the_bag_holds_three_murders_three_banishments_and_two_quiet_nights():
    assert Counter(Setup().bag()) == {"murder": 3, "banishment": 3, "quiet": 2}


def test_an_empty_bag_cannot_be_played_with():
    with pytest.raises(NotAllowed, match="The bag of events is empty"):
        GAME.start(Setup(murders=0, banishments=0, quiet_nights=0), tuple(map(Seat, range(1, 5))), Dice())


def test_a_round_begins_when_the_deck_is_set_up():
    castle = Castle(ready=False)
    assert castle.scene == "preparing"
    assert castle.refuses(1, DrawEvent()) == "Not now. Finish the current step first."
    assert castle.taps(3, Ready()).scene == "playing"
    assert castle.refuses(3, Ready()) == "The round has already started."


def test_a_state_is_kept_and_revived_as_it_was():
    for castle in (Castle(ready=False), Castle().draws("murder").answers({1: "2"}), Castle().murders(3)):
        assert decode(encode(castle.now), Evening) == castle.now


# -------------------------------------------------------------------------------- EVENT


def test_eight_events_empty_the_bag_in_the_agreed_mix():
    castle, dice = Castle(), Dice(random.Random(1))
    drawn = []
    state = castle.now
    for _ in range(8):
        before = Counter(state.bag)
        state = GAME.rules[DrawEvent](state, Seat(1), DrawEvent(), dice).state
        drawn += (before - Counter(state.bag)).elements()
        state = state.play_on("", Seat(1))
    assert Counter(drawn) == Counter(Setup().bag())
    assert state.bag == ()


def test_an_empty_bag_is_filled_again():
    castle = Castle(murders=0, banishments=0, quiet_nights=1)
    for _ in range(3):
        castle.taps(2, DrawEvent())
        assert castle.said == ["Ben draws an Event card: QUIET NIGHT. Ben draws again."]


def test_every_event_in_the_bag_is_equally_likely():
    dice, state = Dice(random.Random(7)), Castle().now
    kinds = Counter(
        type(GAME.rules[DrawEvent](state, Seat(1), DrawEvent(), dice).state.scene).__name__ for _ in range(4_000)
    )
    assert all(abs(kinds[kind] / 4_000 - share) < 0.04 for kind, share in
               (("Murder", 3 / 8), ("Talk", 3 / 8), ("Playing", 2 / 8)))  # fmt: skip


def test_the_bag_keeps_no_order_that_could_be_read():
    assert tuple(sorted(Setup().bag(), key=("murder", "banishment", "quiet").index)) == Castle().now.bag


def test_the_player_who_drew_the_card_presses_event():
    castle = Castle()
    assert castle.refuses(3, DrawEvent(drawer=Seat(2))).startswith("The player who drew the card presses the button")
    castle.draws("quiet", 3)
    assert castle.now.scene.draws == 3


def test_the_shared_screen_asks_who_drew():
    castle = Castle()
    assert castle.refuses(0, DrawEvent()) == "Choose who drew the card."
    assert castle.refuses(0, DrawEvent(drawer=Seat(9))) == "No player has that number."
    castle.taps(0, DrawEvent(drawer=Seat(4)))
    assert castle.said[0].startswith("Dan draws an Event card")


def test_somebody_who_is_out_draws_no_cards():
    castle = Castle().murders(3)
    for tap in (DrawEvent(), DrawFinal()):
        assert castle.refuses(3, tap) == "Cleo is out of the round and can't draw."
    assert castle.refuses(0, DrawEvent(drawer=Seat(3))) == "Cleo is out of the round and can't draw."


def test_on_a_quiet_night_nothing_happens_and_the_drawer_draws_again():
    castle = Castle().draws("quiet", 5)
    assert (castle.now.scene.ended, castle.now.scene.draws, castle.now.scene.moved_on) == ("quiet", 5, False)
    assert len(castle.now.living) == 6


def test_one_event_at_a_time():
    castle = Castle().draws("murder")
    assert castle.refuses(2, DrawEvent()) == "Not now. Finish the current step first."
    assert castle.refuses(2, DrawFinal()) == "Not now. Finish the current step first."


# -------------------------------------------------------------------------------- MURDER


def test_every_living_player_answers():
    castle = Castle().murders(3).draws("murder")
    assert castle.refuses(3, Answer("F")) == "You are out of this round."
    assert set(choosing(castle.now)) == {1, 2, 4, 5, 6}


def test_nobody_answers_twice():
    castle = Castle().draws("murder").answers({2: "F"})
    assert castle.refuses(2, Answer("4")) == castle.refuses(2, Answer("F")) == "You have already answered."


def test_a_traitor_cannot_press_their_own_number():
    assert Castle().draws("murder").refuses(4, Answer("4")) == "You can't choose your own number."


def test_a_number_that_is_out_or_not_at_the_table_cannot_be_pressed():
    castle = Castle().murders(3).draws("murder")
    assert castle.refuses(1, Answer("3")) == castle.refuses(1, Answer("8")) == (
        "That player is out of the round. Choose another number."
    )  # fmt: skip


def test_the_victim_is_revealed_by_number_and_name():
    castle = Castle().draws("murder", 2).answers("FF5FFF").reveals_murder(2)
    assert castle.said == ["MURDER REVEAL: number 5, Eve."]
    assert (castle.scene, castle.now.scene.victim) == ("marked", 5)


def test_if_everyone_answers_f_nobody_is_murdered():
    castle = Castle().draws("murder", 2).answers("FFFFFF").reveals_murder(2)
    assert castle.said == ["MURDER REVEAL: nobody is murdered. Ben draws again."]
    assert (castle.scene, castle.now.scene.draws) == ("playing", 2)


def test_only_the_first_number_pressed_counts():
    castle = Castle().draws("murder").answers({4: "6", 3: "5", 1: "F", 2: "F", 5: "F", 6: "F"})
    assert castle.reveals_murder().said == ["MURDER REVEAL: number 6, Fay."]


def test_a_second_traitor_s_number_is_dropped_unread():
    castle = Castle().draws("murder").answers({4: "6"})
    before = castle.now.scene
    castle.answers({3: "5"})
    assert castle.now.scene.mark == before.mark == "6"


def test_a_traitor_may_murder_the_other_traitor():
    castle = Castle().draws("murder").answers({4: "3", 3: "4", 1: "F", 2: "F", 5: "F", 6: "F"})
    assert castle.reveals_murder().now.scene.victim == 3


def test_the_player_who_drew_the_card_presses_murder_reveal():
    castle = Castle().draws("murder", 2).answers("FFFFFF")
    assert castle.refuses(1, RevealMurder()) == "Ben drew the card and presses MURDER REVEAL."
    castle.reveals_murder(0)
    assert castle.scene == "playing"


def test_a_murder_is_not_revealed_before_everybody_has_answered():
    castle = Castle().draws("murder").answers({1: "F", 2: "3"})
    assert castle.refuses(1, RevealMurder()) == "Wait until everybody has answered."


def test_an_answer_is_secret_and_its_reveal_burns():
    castle = Castle(4).draws("murder").answers({1: "F", 2: "3", 3: "F"})
    assert (castle.step.secret, castle.step.burn, castle.said) == (True, False, [])
    castle.answers({4: "F"})
    assert (castle.step.secret, castle.said) == (True, ["Everybody has answered."])
    castle.reveals_murder()
    assert castle.step.burn


def test_after_the_reveal_the_state_holds_no_answers():
    castle = Castle(4).draws("murder").answers("F3FF").reveals_murder()
    assert b"mark" not in encode(castle.now).replace(b'"scene":"marked"', b"")
    assert b"answered" not in encode(castle.now)


def test_answers_are_kept_without_their_order():
    one = Castle().draws("murder").answers({5: "F", 2: "F"})
    other = Castle().draws("murder").answers({2: "F", 5: "F"})
    assert one.now == other.now


def test_a_victim_with_a_shield_lives():
    castle = Castle().draws("murder", 2).answers("FF5FFF").reveals_murder(2)
    assert castle.refuses(1, PlayShield()) == "Only Eve or the shared screen can answer that."
    castle.taps(5, PlayShield())
    assert castle.said == ["Eve plays a Shield and lives. Ben draws again."]
    assert len(castle.now.living) == 6


def test_a_victim_without_a_shield_is_out_and_their_gold_goes_into_the_fund():
    castle = Castle().murders(5, drawer=2, role="traitor", gold=3)
    assert castle.said[0] == "Eve was a Traitor. 3 Gold goes into the prize fund."
    assert castle.now.fund == 3
    assert 5 not in castle.now.living
    assert castle.now.out[0].role == "traitor"


def test_only_the_victim_or_the_shared_screen_shows_what_the_victim_had():
    castle = Castle().draws("murder").answers("F3FFFF").reveals_murder().taps(0, NoShield())
    assert castle.refuses(1, Fall(0, "faithful")) == "Only Cleo or the shared screen can enter that."
    assert castle.taps(0, Fall(0, "faithful")).scene == "playing"


# -------------------------------------------------------------------------------- who draws next


def test_after_an_elimination_the_drawer_draws_again():
    castle = Castle().murders(5, drawer=2)
    assert (castle.now.scene.draws, castle.now.scene.moved_on) == (2, False)


def test_if_the_drawer_is_out_the_next_living_player_on_the_left_goes_on():
    castle = Castle().murders(4, drawer=1).murders(3, drawer=3)
    assert castle.said[-1] == "Eve, to the left of Cleo, is next."
    assert (castle.now.scene.draws, castle.now.scene.moved_on) == (5, True)


def test_the_left_of_the_last_player_is_the_first():
    assert Castle(5).murders(5, drawer=5).now.scene.draws == 1


# -------------------------------------------------------------------------------- BANISHMENT


@pytest.mark.parametrize(("timer", "alarm"), [("0", None), ("1", 60.0), ("3", 180.0), ("10", 600.0)])
def test_the_discussion_has_a_timer_that_can_be_switched_off(timer, alarm):
    castle = Castle(timer=timer).draws("banishment")
    assert (castle.scene, castle.step.alarm) == ("talk", alarm)


def test_when_the_time_is_up_the_vote_opens():
    castle = Castle().draws("banishment").time_is_up()
    assert (castle.scene, castle.said) == ("voting", ["Time is up. Everybody votes."])


def test_the_table_may_vote_before_the_time_is_up():
    castle = Castle().draws("banishment").taps(4, OpenVote())
    assert castle.scene == "voting"
    assert castle.refuses(4, OpenVote()) == "There is no discussion to end."


def test_every_living_player_casts_one_vote():
    castle = Castle().murders(3).draws("banishment").taps(1, OpenVote()).casts({1: 2})
    assert castle.refuses(1, CastVote("4")) == "You have already voted."
    assert castle.refuses(3, CastVote("4")) == "You are out of this round."
    assert castle.refuses(2, CastVote("3")) == "You can't vote for that player. Choose one of the numbers that are lit."


def test_voting_for_oneself_is_not_forbidden():
    castle = Castle(4).draws("banishment").votes({1: 1, 2: 1, 3: 1, 4: 2})
    assert castle.now.scene.seat == 1


def test_votes_are_revealed_in_the_order_of_casting_each_by_its_own_voter():
    castle = Castle(4).draws("banishment").taps(1, OpenVote()).casts({3: 1, 1: 3, 4: 3, 2: 3})
    assert castle.said == ["All votes are cast. Cleo voted first and reveals first."]
    assert castle.refuses(1, RevealVote()) == "Cleo reveals next."
    for voter, sentence in ((3, "Cleo votes for Ann."), (1, "Ann votes for Cleo."), (4, "Dan votes for Cleo.")):
        assert castle.taps(voter, RevealVote()).said == [sentence]
        assert castle.step.sealed
        assert not castle.step.burn
    castle.taps(2, RevealVote())
    assert castle.said == ["Ben votes for Cleo.", "Cleo is banished."]
    assert castle.step.burn


def test_the_shared_screen_reveals_for_somebody_without_a_phone():
    castle = Castle(4).draws("banishment").taps(1, OpenVote()).casts({3: 1, 1: 3, 4: 3, 2: 3})
    assert castle.taps(0, RevealVote()).said == ["Cleo votes for Ann."]


def test_most_votes_are_enough():
    castle = Castle(6).draws("banishment").votes({1: 2, 2: 3, 3: 2, 4: 5, 5: 6, 6: 1})
    assert castle.now.scene.seat == 2


def test_a_banished_player_cannot_use_a_shield():
    castle = Castle(4).draws("banishment").votes({1: 2, 2: 2, 3: 2, 4: 2})
    assert castle.refuses(2, PlayShield()) == "Nobody needs a Shield now."


def test_a_tied_vote_is_replayed_between_the_tied_players_with_everybody_voting():
    castle = Castle(4).draws("banishment").votes({1: 2, 2: 1, 3: 2, 4: 1})
    assert (castle.scene, castle.now.scene.tied) == ("tied", (1, 2))
    assert castle.step.alarm == 60.0
    castle.replays()
    assert castle.now.scene.candidates == (1, 2)
    assert castle.refuses(3, CastVote("4")) == "You can't vote for that player. Choose one of the numbers that are lit."
    assert castle.votes({1: 2, 2: 1, 3: 2, 4: 2}).now.scene.seat == 2


def test_a_vote_is_replayed_as_often_as_needed():
    castle = Castle(4).draws("banishment").votes({1: 2, 2: 1, 3: 3, 4: 4})
    assert castle.now.scene.tied == (1, 2, 3, 4)
    castle.replays().votes({1: 2, 2: 1, 3: 2, 4: 1})
    assert castle.now.scene.tied == (1, 2)
    castle.replays().votes({1: 2, 2: 1, 3: 2, 4: 1})
    assert castle.scene == "tied"
    castle.replays().votes({1: 2, 2: 1, 3: 1, 4: 1})
    assert castle.now.scene.seat == 1


def test_a_vote_is_secret_until_its_voter_reveals_it():
    castle = Castle(4).draws("banishment").taps(1, OpenVote()).casts({3: 1, 1: 3})
    assert castle.step.secret
    assert castle.said == []
    castle.casts({4: 3, 2: 3}).taps(3, RevealVote())
    view = table_view(castle.now)
    assert view.ballots is not None
    assert (len(view.ballots.shown), view.ballots.hidden, view.ballots.next) == (1, 3, 1)


# -------------------------------------------------------------------------------- all Traitors gone?


def test_after_a_banished_traitor_everybody_alive_is_asked_whether_to_end_the_round():
    castle = Castle().banishes(3, role="traitor")
    assert castle.scene == "end vote"
    assert set(choosing(castle.now)) == {1, 2, 4, 5, 6}
    assert castle.refuses(3, Wish("E")) == "You are out of this round."


def test_a_banished_faithful_asks_nothing():
    assert Castle().banishes(3, role="faithful").scene == "playing"


def test_the_round_ends_only_if_all_agree():
    assert Castle().banishes(3, role="traitor").wishes("EEEEE").scene == "ending"
    castle = Castle().banishes(3, role="traitor").wishes("EEEPE")
    assert castle.scene == "playing"
    assert castle.said == ["Not everybody agrees: the round goes on.", "Ann draws again."]


def test_nobody_learns_who_wanted_to_play_on():
    one = Castle().banishes(3, role="traitor").wishes("PEEEE")
    other = Castle().banishes(3, role="traitor").wishes("EEPPE")
    assert one.now == other.now
    assert (one.step.secret, one.step.burn) == (True, True)


def test_nobody_is_asked_when_only_two_are_left():
    castle = Castle(4).murders(4).banishes(3, role="traitor")
    assert castle.scene == "ending"


# -------------------------------------------------------------------------------- the end of a round


def test_a_round_ends_when_only_two_players_remain():
    castle = Castle(4).murders(4).murders(3)
    assert (castle.scene, castle.now.scene.why) == ("ending", "two left")


def test_a_round_ends_after_the_final_banishment():
    castle = Castle(6).draws_final(2).votes(dict.fromkeys(range(1, 7), 4)).taps(4, Fall(1, "traitor"))
    assert (castle.scene, castle.now.scene.why) == ("ending", "final")


def test_the_final_banishment_is_replayed_when_tied():
    castle = Castle(4).draws_final(2).votes({1: 2, 2: 1, 3: 2, 4: 1}).replays()
    assert castle.now.scene.final
    assert castle.votes({1: 2, 2: 2, 3: 2, 4: 1}).taps(2, Fall(0, "faithful")).scene == "ending"


def test_the_table_can_end_a_round_by_hand():
    assert Castle().taps(0, EndRound()).now.scene.why == "called"
    assert Castle().draws("murder").refuses(0, EndRound()) == "Finish the event first, or call it off."


def ended(players: int = 4, **setup: object) -> Castle:
    """Four players started, two are left."""
    castle = Castle(players, **setup)
    for victim in range(players, 2, -1):
        castle.murders(victim)
    return castle


def test_survivors_show_role_and_hand():
    castle = ended()
    assert castle.refuses(3, ShowHand(1, "faithful")) == "Only survivors show their hand now."
    assert castle.refuses(0, ShareFund(3)) == "Wait until every survivor has shown their role and hand."
    castle.taps(1, ShowHand(2, "faithful"))
    assert castle.said == ["Ann is a Faithful with 2 Gold in hand."]


def test_the_shared_screen_writes_a_hand_down_for_anybody():
    castle = ended()
    assert castle.refuses(0, ShowHand(1, "faithful")) == "Choose whose hand it is."
    assert castle.taps(0, ShowHand(1, "faithful", Seat(2))).now.scene.hands[0].seat == 2
    assert castle.refuses(1, ShowHand(1, "faithful", Seat(2))).startswith("Only Ben or the shared screen")


def test_a_hand_can_be_corrected_until_the_fund_is_shared():
    castle = ended().taps(1, ShowHand(2, "faithful")).taps(1, ShowHand(3, "traitor"))
    assert [(hand.seat, hand.gold, hand.role) for hand in castle.now.scene.hands] == [(1, 3, "traitor")]


def test_if_only_faithful_remain_they_share_the_fund():
    castle = ended().shows({1: ("faithful", 2), 2: ("faithful", 0)}, fund=6)
    assert castle.points == {1: 5, 2: 3, 3: 0, 4: 0}


def test_a_surviving_traitor_takes_the_whole_fund():
    castle = ended().shows({1: ("faithful", 2), 2: ("traitor", 1)}, fund=7)
    assert castle.points == {1: 2, 2: 8, 3: 0, 4: 0}
    assert castle.now.shares[-1].discarded == 0


def test_two_surviving_traitors_share_the_fund():
    castle = ended().shows({1: ("traitor", 2), 2: ("traitor", 1)}, fund=7)
    assert castle.points == {1: 5, 2: 4, 3: 0, 4: 0}
    assert castle.now.shares[-1].discarded == 1


def test_gold_is_discarded_one_by_one_until_the_fund_divides():
    castle = Castle(6).taps(0, EndRound()).shows(dict.fromkeys(range(1, 7), ("faithful", 0)), fund=11)
    assert castle.now.shares[-1].discarded == 5
    assert castle.points == dict.fromkeys(range(1, 7), 1)
    assert castle.said[-1] == "5 Gold is discarded."


def test_the_murdered_and_the_banished_get_nothing_in_that_round():
    castle = Castle(4).murders(4, gold=5).banishes(3, gold=2).shows({1: ("faithful", 0), 2: ("faithful", 0)}, 7)
    assert castle.points == {1: 3, 2: 3, 3: 0, 4: 0}


def test_everybody_is_told_why_they_got_what_they_got():
    view = table_view(Castle(4).murders(4).banishes(3).shows({1: ("faithful", 1), 2: ("traitor", 0)}, 4).now)
    assert [row.why.text for row in view.split.rows] == [
        "Faithful, but a Traitor survived: only the Gold in hand.",
        "A Traitor to the end: takes the whole fund.",
        "Banished: nothing in this round.",
        "Murdered: nothing in this round.",
    ]


def test_the_table_confirms_or_corrects_the_fund_before_it_is_shared():
    castle = ended().taps(1, AddGold(4)).shows({1: ("faithful", 0), 2: ("faithful", 0)}, fund=6)
    assert castle.said[0] == "The table corrects the prize fund: 6 instead of 4."
    assert castle.points[1] == 3


def test_the_gold_is_tallied_over_the_rounds_and_the_next_round_starts_afresh():
    castle = ended(rounds="2").shows({1: ("faithful", 2), 2: ("faithful", 0)}, fund=6)
    assert GAME.result(castle.now) is None
    castle.taps(1, NextRound())
    now = castle.now
    assert (castle.scene, now.number, now.fund, now.out) == ("preparing", 2, 0, ())
    assert now.bag == now.setup.bag()
    assert now.living == now.seats
    assert now.total(Seat(1)) == 5


def test_most_gold_after_the_agreed_rounds_wins():
    castle = ended(rounds="1").shows({1: ("faithful", 2), 2: ("faithful", 0)}, fund=6)
    assert GAME.result(castle.now).winners == (1,)
    assert GAME.result(castle.now).points == {1: 5, 2: 3, 3: 0, 4: 0}
    assert castle.said[-1] == "Ann has the most Gold and wins."
    assert castle.refuses(1, NextRound()) == "All rounds have been played. The host can add another one."


def test_equal_gold_shares_the_win():
    castle = ended(rounds="1").shows({1: ("faithful", 2), 2: ("faithful", 2)}, fund=6)
    assert GAME.result(castle.now).winners == (1, 2)
    assert castle.said[-1] == "Ann and Ben have the most Gold and share the win."


# -------------------------------------------------------------------------------- the prize fund, and corrections


def test_anybody_adds_to_the_prize_fund_also_who_is_out_and_the_table():
    castle = Castle().murders(3)
    for seat in (1, 3, 0):
        castle.taps(seat, AddGold(2))
    assert castle.now.fund == 6
    assert castle.said == ["The table adds 2 Gold. The prize fund is now 6."]


def test_anybody_corrects_the_prize_fund_and_the_line_says_so():
    castle = Castle().taps(1, AddGold(5)).taps(2, CorrectFund(4))
    assert castle.said == ["Ben corrects the prize fund: 4 instead of 5."]
    assert castle.refuses(2, CorrectFund(4)) == "The prize fund is already 4."


def test_the_fund_is_not_touched_outside_a_round():
    assert Castle(ready=False).refuses(1, AddGold(1)) == "The round hasn't started yet. Set it up first."
    castle = ended().shows({1: ("faithful", 2), 2: ("faithful", 2)}, fund=6)
    assert castle.refuses(1, AddGold(1)) == "The prize fund of this round is already shared out."


def test_the_fund_has_a_limit_a_person_can_understand():
    assert Castle().taps(1, AddGold(900)).refuses(1, AddGold(100)) == (
        "The prize fund can't hold more than 999 Gold."
    )  # fmt: skip


def test_gold_added_while_a_vote_or_a_timer_runs_is_corrected_not_taken_back():
    assert Castle().taps(1, AddGold(1)).step.sealed is False
    tied = Castle(4).draws("banishment").votes({1: 2, 2: 1, 3: 2, 4: 1})
    for castle in (Castle().draws("murder"), Castle().draws("banishment"), tied):
        assert castle.taps(1, AddGold(1)).step.sealed is True


def test_the_host_corrects_a_score_and_the_winner_changes():
    castle = ended(rounds="1").shows({1: ("faithful", 2), 2: ("faithful", 0)}, fund=6)
    castle.taps(0, CorrectScore(Seat(3), 1, 9))
    assert castle.said == ["The table corrects round 1 for Cleo: 9 instead of 0."]
    assert GAME.result(castle.now).winners == (3,)
    assert castle.refuses(0, CorrectScore(Seat(3), 2, 9)) == "Round 2 is not scored yet."
    assert table_view(castle.now).split.rows[2].why.text == "Corrected by the host."


def test_the_host_changes_the_number_of_rounds():
    castle = ended(rounds="1").shows({1: ("faithful", 2), 2: ("faithful", 0)}, fund=6)
    castle.taps(0, ChangeRounds(2))
    assert GAME.result(castle.now) is None
    castle.taps(1, NextRound())
    assert castle.refuses(0, ChangeRounds(1)) == "Round 2 has started. Choose at least that many rounds."
    assert castle.refuses(0, ChangeRounds(2)) == "The game already has 2 rounds."


def test_the_host_takes_a_player_out_of_the_round_or_puts_them_back_in():
    castle = Castle(4).taps(0, CorrectPlayer(Seat(2), "out"))
    assert castle.now.living == (1, 3, 4)
    assert castle.refuses(0, CorrectPlayer(Seat(2), "out")) == "Ben is already out of the round."
    assert castle.taps(0, CorrectPlayer(Seat(2), "in")).now.living == (1, 2, 3, 4)
    castle.taps(0, CorrectPlayer(Seat(2), "out")).taps(0, CorrectPlayer(Seat(3), "out"))
    assert castle.scene == "ending"


def test_if_the_next_player_is_taken_out_the_player_to_their_left_is_next():
    castle = Castle(5).draws("quiet", 2).taps(0, CorrectPlayer(Seat(2), "out"))
    assert castle.now.scene.draws == 3


# -------------------------------------------------------------------------------- the host helps


def test_who_is_missing_is_shown_to_the_host_only_after_thirty_seconds():
    castle = Castle(4).draws("murder")
    assert castle.step.alarm == 30.0
    castle.answers({1: "F", 3: "2"})
    assert host_view(castle.now).missing == ()
    castle.time_is_up()
    assert castle.step.secret
    assert host_view(castle.now).missing == (2, 4)


def test_every_secret_vote_is_overdue_after_the_same_time():
    voting = Castle(4).draws("banishment").taps(1, OpenVote())
    replayed = Castle(4).draws("banishment").votes({1: 2, 2: 1, 3: 2, 4: 1}).replays()
    wishing = Castle(5).banishes(3, role="traitor")
    for castle in (voting, replayed, wishing):
        assert castle.step.alarm == 30.0
        assert host_view(castle.now).missing == ()
        assert host_view(castle.time_is_up().now).missing


def test_a_reminder_reaches_one_phone_and_no_other():
    castle = Castle(4).draws("murder").answers({1: "F"})
    assert castle.refuses(0, Remind(Seat(2))) == "Give them a moment."
    castle.time_is_up().taps(0, Remind(Seat(2)))
    assert castle.step.secret
    assert [seat_view(castle.now, Seat(n)).reminded for n in (1, 2, 3, 4)] == [False, True, False, False]
    castle.answers({2: "F"})
    assert not seat_view(castle.now, Seat(2)).reminded


def test_reminding_somebody_who_has_answered_tells_nothing():
    castle = Castle(4).draws("murder").answers({1: "F"}).time_is_up().taps(0, Remind(Seat(1)))
    assert not seat_view(castle.now, Seat(1)).reminded


def test_nobody_waits_for_somebody_who_is_away():
    castle = Castle(4).draws("murder").answers({1: "F", 2: "F", 3: "2"}).taps(4, GoesAway())
    assert castle.said == ["Everybody has answered."]
    assert castle.reveals_murder().now.scene.victim == 2


def test_a_vote_goes_on_when_the_last_one_missing_goes_away():
    castle = Castle(4).draws("banishment").taps(1, OpenVote()).casts({1: 2, 2: 1, 3: 2}).taps(4, GoesAway())
    assert castle.scene == "revealing"
    castle = Castle(5).banishes(3, role="traitor")
    for seat in (1, 2, 4):
        castle.taps(seat, Wish("E"))
    assert castle.taps(5, GoesAway()).scene == "ending"


def test_somebody_back_from_away_is_waited_for_again():
    castle = Castle(4).taps(4, GoesAway()).taps(4, ComesBack()).draws("murder").answers({1: "F", 2: "F", 3: "F"})
    assert choosing(castle.now) == (4,)


def test_somebody_away_may_still_answer():
    castle = Castle(4).draws("murder").taps(4, GoesAway()).answers({4: "2"})
    assert table_view(castle.now).asked.answered == 1


def test_a_vote_without_a_single_answer_is_never_complete():
    castle = Castle(4).draws("murder")
    for seat in castle.seats:
        castle.taps(seat, GoesAway())
    assert castle.refuses(1, RevealMurder()) == "Wait until everybody has answered."


def test_a_restarted_vote_burns_every_answer():
    castle = Castle(4).draws("murder").answers({1: "F", 2: "3"}).taps(0, RestartVote())
    assert castle.step.burn
    assert (castle.now.scene.answered, castle.now.scene.mark) == ((), "F")
    assert castle.said == ["The table restarts the vote. All answers so far are deleted."]


def test_a_banishment_can_be_restarted_while_votes_are_revealed():
    castle = Castle(4).draws("banishment").taps(1, OpenVote()).casts({3: 1, 1: 3, 4: 3, 2: 3}).taps(3, RevealVote())
    castle.taps(0, RestartVote())
    assert (castle.scene, castle.now.scene.cast) == ("voting", ())
    assert castle.now.scene.candidates == (1, 2, 3, 4)


def test_a_replayed_vote_restarts_between_the_tied_players():
    castle = Castle(4).draws("banishment").votes({1: 2, 2: 1, 3: 2, 4: 1}).replays().taps(0, RestartVote())
    assert castle.now.scene.candidates == (1, 2)


def test_an_end_vote_can_be_restarted():
    castle = Castle().banishes(3, role="traitor").taps(1, Wish("P")).taps(0, RestartVote()).wishes("EEEEE")
    assert castle.scene == "ending"


def test_there_is_nothing_to_restart_between_events():
    assert Castle().refuses(0, RestartVote()) == "There is no vote to restart."
    assert Castle().refuses(0, CallOff()) == "There is no event to call off."


@pytest.mark.parametrize("scene", ["murder", "marked", "fallen", "talk", "voting", "revealing", "tied", "end vote"])
def test_an_event_can_be_called_off_and_leaves_nothing_behind(scene):
    castle = Castle(5)
    match scene:
        case "murder":
            castle.draws("murder").answers({1: "3"})
        case "marked":
            castle.draws("murder").answers("F3FFF").reveals_murder()
        case "fallen":
            castle.draws("banishment").votes(dict.fromkeys(range(1, 6), 2))
        case "talk":
            castle.draws("banishment")
        case "voting":
            castle.draws("banishment").taps(1, OpenVote()).casts({1: 2})
        case "revealing":
            castle.draws("banishment").taps(1, OpenVote()).casts({1: 2, 2: 1, 3: 2, 4: 1, 5: 5})
        case "tied":
            castle.draws("banishment").votes({1: 2, 2: 1, 3: 2, 4: 1, 5: 5})
        case "end vote":
            castle.banishes(5, role="traitor").taps(1, Wish("P"))
    assert castle.scene == scene
    living = castle.now.living
    castle.taps(0, CallOff())
    assert (castle.scene, castle.step.burn, castle.now.living) == ("playing", True, living)
    assert castle.now.scene.draws == 1


# -------------------------------------------------------------------------------- the same buttons for everyone


def test_the_buttons_of_a_murder_are_the_same_for_everyone_in_the_same_place():
    castle = Castle(8).murders(3).draws("murder")
    for seat in castle.now.living:
        keys = seat_view(castle.now, seat).keys
        assert [key.value for key in keys] == ["F", "1", "2", "3", "4", "5", "6", "7", "8"]
        assert {key.value for key in keys if key.off} == {"3", str(seat)}


def test_the_eliminated_have_nothing_to_decide():
    castle = Castle().murders(3).draws("murder")
    view = seat_view(castle.now, Seat(3))
    assert (view.asked, view.keys, view.can_draw) == ("", (), False)
