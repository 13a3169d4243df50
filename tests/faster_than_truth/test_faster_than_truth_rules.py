"""Faster Than Truth, rule by rule; each test is named after its rule."""

from __future__ import annotations

import random

import pytest
from faster_than_truth_talk import Gang, playing, stash, told

from companion.game import KEEP, TABLE, ComesBack, Dice, GoesAway, Seat, TimeIsUp
from companion.games.faster_than_truth import GAME
from companion.games.faster_than_truth.challenges import LAST_CALL, Challenge, GoOn, LastCall, LetPass, Wait
from companion.games.faster_than_truth.corrections import GiveTurn, MoveCard, PlayLearning, PutCard, TurnOver
from companion.games.faster_than_truth.counting import CountAgain, EnterDeal, EnterStash, StopCount, TheyAreRight
from companion.games.faster_than_truth.effects import Gain, HaveNone, Hide, Lose, NeverMind, Pick, Reveal, Steal
from companion.games.faster_than_truth.intrigue_cards import MOST_NAMES, Declare, Done, GoesFirst, Turned, offered
from companion.games.faster_than_truth.penalty import TakeCard, TakeFromReserve
from companion.games.faster_than_truth.rules import start
from companion.games.faster_than_truth.setup import Setup


def dealt(players: int = 3, **setup: object) -> Gang:
    return Gang(start(Setup(**setup), tuple(Seat(n) for n in range(1, players + 1)), Dice()).state)


def hand(kinds: str, up: int = 1) -> EnterDeal:
    return EnterDeal(up=up, cards={n: card.kind for n, card in enumerate(stash(kinds), 1)})


# -------------------------------------------------------------------------------- setting up


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_one_of_each_kind_per_player_is_dealt_and_the_rest_is_the_reserve(players):
    gang = dealt(players)
    for seat in range(1, players + 1):
        gang.taps(seat, hand("mpc", up=2))
    assert gang.state.phase == "first"
    assert gang.stash(1) == "mPc"
    assert set(gang.state.reserve.values()) == {18 - players}


def test_each_player_has_two_hidden_cards_and_one_face_up():
    assert "three" in dealt().refused(1, EnterDeal(up=1, cards={1: "fists", 2: "coins"}))
    assert "three" in dealt().refused(1, EnterDeal(up=1, cards={1: "fists", 2: "coins", 4: "crown"}))


def test_a_wrong_sum_is_told_without_naming_a_card():
    gang = dealt().taps(1, hand("mmm")).taps(2, hand("ppp"))
    assert not gang.lines
    gang.taps(3, hand("ccp"))
    assert gang.lines == ["The cards don't add up. Everybody, check your cards."]
    assert gang.state.phase == "counting"
    # The same sentence whichever kind is missing.
    other = dealt().taps(1, hand("mmm")).taps(2, hand("mpp")).taps(3, hand("ccp"))
    assert other.lines == gang.lines


def test_after_a_wrong_sum_everybody_confirms_their_cards_or_enters_them_again():
    gang = dealt().taps(1, hand("mmm")).taps(2, hand("ppp")).taps(3, hand("ccp"))
    gang.taps(1, TheyAreRight()).taps(2, TheyAreRight()).taps(3, hand("ccc", up=3))
    assert gang.lines == ["The cards add up."]
    assert [gang.stash(seat) for seat in (1, 2, 3)] == ["Mmm", "Ppp", "ccC"]


def test_nobody_is_told_who_changed_their_cards():
    gang = dealt().taps(1, hand("mmm")).taps(2, hand("ppp")).taps(3, hand("ccp"))
    stood = Gang(gang.state).taps(3, TheyAreRight())
    changed = Gang(gang.state).taps(3, hand("ccc"))
    assert stood.lines == changed.lines == []
    assert stood.step.secret
    assert changed.step.secret
    assert GAME.table_view(stood.state) == GAME.table_view(changed.state)


def test_cards_that_were_not_entered_cannot_be_confirmed():
    assert "Enter your cards" in dealt().refused(1, TheyAreRight())


def test_the_table_chooses_who_goes_first():
    gang = Gang(playing("Mpc", "Mpc", "Mpc", turn=0))
    assert gang.state.phase == "first"
    assert "who goes first" in gang.refused(1, Declare("Smuggle"))
    assert gang.taps(TABLE, GoesFirst(Seat(2))).state.turn == 2
    assert "Nobody has declared a card" in gang.refused(1, GoesFirst(Seat(1)))


def test_who_goes_first_can_be_picked_at_random():
    dice = Dice(random.Random(4))
    gang = Gang(playing("Mpc", "Mpc", "Mpc", turn=0)).taps(1, GoesFirst(), dice)
    assert dice.rolled
    assert gang.state.turn in gang.state.seats


def test_an_empty_seat_cannot_go_first():
    assert Gang(playing("M", "M", "M", turn=0)).refused(1, GoesFirst(Seat(9)))


# -------------------------------------------------------------------------------- turns


def test_a_turn_is_two_cards_and_then_the_next_player_clockwise_begins():
    gang = Gang(playing("Mpc", "Mpc", "Mpc", turn=3)).plays_safe()
    assert (gang.state.turn, gang.state.done) == (3, 1)
    gang.plays_safe()
    assert (gang.state.turn, gang.state.done) == (1, 0)


def test_only_the_player_whose_turn_it_is_declares_a_card():
    assert "turn" in Gang(playing("Mpc", "Mpc", "Mpc")).refused(2, Declare("Smuggle"))


def test_a_name_is_free_text_tidied():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares("  Fixed \u202e  races\x07 ")
    assert gang.state.card.name == "Fixed races"


def test_a_name_has_at_most_forty_characters():
    gang = Gang(playing("Mpc", "Mpc", "Mpc"))
    assert "too long" in gang.refused(1, Declare("x" * 41))
    assert gang.declares(" \u200b ").state.card.name == ""


def test_known_names_are_offered_once_and_in_alphabetical_order():
    gang = Gang(playing("Mpc", "Mpc", "Mpc"))
    gang.declares("Zeal").nobody_challenges().turns("safe").is_done()
    gang.declares("Bribe").nobody_challenges().turns("safe").is_done()
    gang.declares("zeal")
    assert gang.state.names == ("Bribe", "zeal")


def test_names_typed_at_set_up_are_offered_from_the_start():
    assert dealt(names="Bribe, Arson,, bribe ").state.names == ("Arson", "bribe")


def test_the_list_of_names_is_limited_but_any_name_can_be_said():
    names = ()
    for n in range(MOST_NAMES + 5):
        names = offered(names, f"Name {n:03}")
    assert names == tuple(f"Name {n:03}" for n in range(MOST_NAMES))
    assert offered(names, "NAME 007")[7] == "NAME 007"
    gang = Gang(playing("Mpc", "Mpc", "Mpc").but(names=names)).declares("Zeal")
    assert (gang.state.card.name, gang.state.names) == ("Zeal", names)


def test_a_known_name_can_be_chosen_instead_of_typed():
    assert Gang(playing("M", "M", "M")).taps(1, Declare(known="Bribe")).state.card.name == "Bribe"


def test_the_history_does_not_list_the_cards_that_were_played():
    gang = Gang(playing("Mpc", "Mpc", "Mpc"))
    gang.declares("Smuggle")
    assert gang.lines == ["#1 declares a card."]
    gang.nobody_challenges().turns("safe").is_done()
    assert GAME.table_view(gang.state).name is None
    assert "Smuggle" not in str(gang.step.lines)


# -------------------------------------------------------------------------------- challenges


def test_only_one_player_may_challenge_a_card():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(3)
    assert gang.lines == ["#3 challenges."]
    assert gang.refused(2, Challenge()) == "{name} was faster."
    assert gang.state.card.challenger == 3


def test_a_player_with_no_resource_card_cannot_challenge():
    gang = Gang(playing("Mpc", "", "Mpc")).declares()
    assert "with a resource card" in gang.refused(2, Challenge())


def test_nobody_challenges_their_own_card():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares()
    assert "your own" in gang.refused(1, Challenge())
    assert "your own" in gang.refused(1, LetPass())


def test_the_window_closes_when_everybody_who_could_challenge_has_passed():
    gang = Gang(playing("Mpc", "Mpc", "Mpc", "")).declares().taps(2, LetPass())
    assert gang.state.phase == "challenge"
    gang.taps(3, LetPass())
    assert gang.state.phase == "turning"
    assert gang.lines == []
    assert "Too late" in gang.refused(2, Challenge())


def test_a_player_who_passed_can_still_challenge_while_the_window_is_open():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().taps(2, LetPass())
    assert gang.refused(2, LetPass())
    assert gang.challenges(2).state.card.challenger == 2


def test_the_window_closes_immediately_if_nobody_can_challenge():
    assert Gang(playing("Mpc", "", "")).declares().state.phase == "turning"


def test_nobody_waits_for_somebody_who_is_away():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).taps(3, GoesAway()).declares().taps(2, LetPass())
    assert gang.state.phase == "turning"
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().taps(2, LetPass()).taps(3, GoesAway())
    assert gang.state.phase == "turning"
    assert gang.taps(3, ComesBack()).state.away == ()


def test_a_last_call_cuts_nobody_off_but_gives_everybody_a_few_seconds():
    gang = Gang(playing("Mpc", "Mpc", "Mpc", setup=Setup(fuse="off"))).declares()
    assert gang.step.alarm is None
    assert gang.taps(1, LastCall()).step.alarm == LAST_CALL
    assert gang.state.phase == "challenge"
    assert Gang(gang.state).challenges(2).step.alarm is None
    gang.taps(TABLE, TimeIsUp())
    assert gang.state.phase == "turning"


def test_a_player_who_thinks_stops_the_fuse_until_they_go_on():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares()
    assert gang.step.alarm == 10.0
    assert gang.taps(3, Wait()).step.alarm is None
    assert gang.refused(3, Wait())
    assert gang.refused(2, LastCall()) == "{name} is still thinking."
    assert gang.taps(TABLE, TimeIsUp()).state.phase == "challenge", "an alarm on its way closes nothing"
    assert gang.refused(2, GoOn()) == "Nobody is waiting for you."
    assert gang.taps(2, Wait()).taps(3, GoOn()).step.alarm == KEEP
    assert gang.taps(2, GoOn()).step.alarm == 10.0
    assert gang.taps(TABLE, TimeIsUp()).state.phase == "turning"


def test_an_alarm_that_comes_too_late_changes_nothing():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(2)
    before = gang.state
    assert gang.taps(TABLE, TimeIsUp()).state == before


def test_the_shared_screen_challenges_for_those_without_a_phone_and_says_for_whom():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares()
    assert "Choose a player" in gang.refused(TABLE, Challenge())
    assert gang.taps(TABLE, LetPass(Seat(2))).state.card.passed == (2,)
    assert gang.taps(TABLE, Challenge(Seat(3))).state.card.challenger == 3


def test_a_phone_challenges_only_for_its_own_seat():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().taps(2, Challenge(Seat(3)))
    assert gang.state.card.challenger == 2


def test_there_is_nothing_to_challenge_before_a_card_is_declared():
    gang = Gang(playing("Mpc", "Mpc", "Mpc"))
    for tap in (Challenge(), LetPass(), LastCall(), Turned("safe"), Done()):
        assert gang.refused(2, tap)


# -------------------------------------------------------------------------------- the four outcomes


def test_no_challenge_and_safe_resolves_the_safe_effect():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().nobody_challenges().turns("safe")
    assert (gang.state.phase, gang.lines) == ("effect", ["#1 plays it safe."])
    assert gang.is_done().state.phase == "declare"


def test_no_challenge_and_a_gamble_resolves_the_gamble_effect():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().nobody_challenges().turns("gamble")
    assert (gang.state.phase, gang.lines) == ("effect", ["#1 gambles and gets away with it."])
    assert gang.is_done().state.phase == "declare"


def test_a_challenge_to_a_safe_card_resolves_it_and_then_the_player_takes_a_card_from_the_rival():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(2).turns("safe")
    assert gang.state.phase == "effect"
    gang.is_done()
    assert gang.state.phase == "taking"
    assert "no card to take" in gang.refused(2, TakeCard(1))
    gang.taps(1, TakeCard(1))
    assert (gang.stash(1), gang.stash(2)) == ("MpcM", "pc")
    assert gang.state.done == 1


def test_a_challenge_to_a_gamble_discards_it_and_the_rival_takes_a_card_from_the_player():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(3).turns("gamble")
    assert gang.state.phase == "taking"
    assert "has taken a card" in gang.refused(1, Gain(Seat(1), "coins"))
    gang.taps(3, TakeCard(1))
    assert (gang.stash(1), gang.stash(3)) == ("pc", "MpcM")


def test_a_hidden_card_is_taken_by_its_place_and_lands_face_up():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(2).turns("gamble").taps(2, TakeCard(3))
    assert (gang.stash(1), gang.stash(2)) == ("Mp", "MpcC")
    assert gang.lines[0] == "#2 takes a hidden card from #1: Money."
    assert gang.step.sealed


def test_a_face_up_card_that_was_taken_can_be_taken_back():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(2).turns("gamble").taps(2, TakeCard(1))
    assert not gang.step.sealed


def test_no_card_is_taken_from_a_place_where_none_lies():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(2).turns("gamble")
    assert gang.refused(2, TakeCard(4)) == "That card is gone. Choose another one."


def test_if_the_rival_has_no_card_any_card_comes_from_the_reserve():
    gang = Gang(playing("", "Mpc", "Mpc")).declares().challenges(2).turns("gamble")
    assert gang.taps(2, TakeFromReserve("coins")).stash(2) == "MpcC"


def test_taking_from_the_reserve_is_optional():
    gang = Gang(playing("", "Mpc", "Mpc")).declares().challenges(2).turns("gamble").taps(2, TakeFromReserve())
    assert gang.stash(2) == "Mpc"
    assert gang.state.done == 1


def test_nothing_comes_from_the_reserve_while_the_rival_has_cards_or_the_pile_is_empty():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(2).turns("gamble")
    assert "has cards" in gang.refused(2, TakeFromReserve("coins"))
    gang = Gang(playing("", "Mpc", "C" * 17)).declares().challenges(2).turns("gamble")
    assert "no Money left" in gang.refused(2, TakeFromReserve("coins"))


def test_if_no_card_is_left_to_take_play_goes_on():
    everything = "M" * 18 + "P" * 18 + "C" * 18
    gang = Gang(playing("", everything, "")).declares().challenges(2).turns("gamble")
    assert gang.lines[-1] == "No cards are left to take."
    assert gang.state.done == 1


def test_the_player_or_the_shared_screen_says_whether_it_was_a_gamble():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().nobody_challenges()
    assert gang.refused(2, Turned("gamble"))
    assert gang.taps(TABLE, Turned("gamble")).state.card.turned == "gamble"


# -------------------------------------------------------------------------------- keywords


def test_to_gain_is_to_take_the_named_card_from_the_reserve_face_up():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).effect().taps(1, Gain(Seat(1), "coins"))
    assert gang.stash(1) == "MpcC"
    assert gang.state.reserve["coins"] == 14


def test_a_gain_is_ignored_if_the_reserve_has_none():
    gang = Gang(playing("Mp", "Mp", "C" * 18)).effect().taps(1, Gain(Seat(1), "coins"))
    assert gang.stash(1) == "Mp"
    assert "no Money left" in gang.lines[0]


def test_to_lose_is_to_return_the_named_card_and_its_owner_chooses_which():
    gang = Gang(playing("Mpc", "CpcM", "Mpc")).effect().taps(1, Lose(Seat(2), "coins"))
    assert gang.lines == ["#2 must lose Money, or say they have none."]
    assert "has chosen a card" in gang.refused(1, Done())
    assert "don't have to choose" in gang.refused(1, Pick(1))
    assert "is not Money" in gang.refused(2, Pick(2))
    gang.taps(2, Pick(3))
    assert (gang.stash(2), gang.state.reserve["coins"]) == ("CpM", 15)
    assert gang.lines == ["#2 loses a hidden card: Money."]


def test_a_loss_is_ignored_if_there_is_none_of_the_named_card():
    gang = Gang(playing("Mpc", "Mp", "Mpc")).effect().taps(1, Lose(Seat(2), "coins")).taps(2, HaveNone())
    assert gang.lines == ["#2 has no Money."]
    assert gang.state.phase == "effect"
    assert gang.step.sealed


def test_a_rival_must_hand_over_a_stolen_card_even_a_hidden_one_and_it_lies_face_up():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).effect().taps(1, Steal(Seat(2), "crown"))
    assert gang.state.phase == "asking"
    gang.taps(2, Pick(2))
    assert (gang.stash(1), gang.stash(2)) == ("MpcP", "Mc")
    assert gang.lines == ["#2 hands #1 a hidden card: Prestige."]


def test_the_rival_picks_which_copy_to_hand_over():
    gang = Gang(playing("Mpc", "MpcC", "Mpc")).effect().taps(1, Steal(Seat(2), "coins")).taps(2, Pick(4))
    assert gang.stash(2) == "Mpc"
    assert gang.lines == ["#2 hands Money to #1."]


def test_a_steal_is_ignored_if_the_rival_has_none_of_the_named_card():
    gang = Gang(playing("Mpc", "Mp", "Mpc")).effect().taps(1, Steal(Seat(2), "coins"))
    assert gang.lines == ["#1 asks #2 for Money."]
    assert gang.refused(3, HaveNone()) == "You don't have to choose a card now."
    assert gang.taps(2, HaveNone()).lines == ["#2 has no Money."]
    assert (gang.state.phase, gang.stash(2)) == ("effect", "Mp")


def test_nobody_steals_from_themselves():
    assert "rival" in Gang(playing("Mpc", "Mpc", "Mpc")).effect().refused(1, Steal(Seat(1), "coins"))


def test_what_a_steal_or_a_loss_told_the_table_cannot_be_taken_back():
    gang = Gang(playing("Mpc", "Mp", "Mpc")).effect()
    for tap in (Steal(Seat(2), "coins"), Lose(Seat(2), "coins")):
        assert Gang(gang.state).taps(1, tap).taps(2, HaveNone()).step.sealed
    for tap in (Steal(Seat(2), "crown"), Lose(Seat(2), "crown")):
        assert Gang(gang.state).taps(1, tap).taps(2, Pick(2)).step.sealed


def test_to_hide_is_to_flip_your_own_card_face_down():
    gang = Gang(playing("MpC", "Mpc", "Mpc")).effect().taps(1, Hide(Seat(1)))
    assert "already hidden" in gang.refused(1, Pick(2))
    gang.taps(1, Pick(3))
    assert gang.stash(1) == "Mpc"
    assert gang.lines == ["#1 hides a card."]


def test_to_reveal_is_to_flip_your_own_hidden_card_face_up():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).effect().taps(1, Reveal(Seat(2)))
    assert "already face up" in gang.refused(2, Pick(1))
    gang.taps(2, Pick(2))
    assert (gang.stash(2), gang.lines, gang.step.sealed) == ("MPc", ["#2 reveals Prestige."], True)


def test_hiding_or_revealing_needs_a_card_that_can_be_flipped_that_way():
    gang = Gang(playing("mpc", "MPC", "Mpc")).effect()
    assert gang.taps(1, Hide(Seat(1))).lines == ["#1 has no face-up card to hide."]
    assert gang.taps(1, Reveal(Seat(2))).lines == ["#2 has no hidden card to reveal."]


def test_only_the_player_of_the_card_says_what_it_does():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).effect()
    for tap in (Gain(Seat(2), "coins"), Lose(Seat(1), "coins"), Steal(Seat(1), "coins"), Hide(Seat(1)), Done()):
        assert gang.refused(2, tap) == "{name} played this card. Only {name} can do that."
    assert gang.refused(1, Gain(Seat(8), "coins")) == "Choose a player."


def test_a_question_asked_by_mistake_can_be_cancelled():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).effect().taps(1, Hide(Seat(2)))
    assert gang.refused(2, NeverMind())
    assert gang.taps(1, NeverMind()).state.phase == "effect"
    assert gang.refused(1, NeverMind())


# -------------------------------------------------------------------------------- learning, winning


def test_in_learning_mode_nobody_gambles_so_nobody_challenges():
    gang = Gang(playing("Mpc", "Mpc", "Mpc", learning=True)).declares()
    assert gang.state.phase == "effect"
    assert gang.is_done().state.done == 1


def test_gambles_can_be_switched_on_later():
    gang = Gang(playing("Mpc", "Mpc", "Mpc", learning=True)).taps(2, PlayLearning(on=False))
    assert gang.declares().state.phase == "challenge"
    assert gang.refused(2, PlayLearning(on=True))


def test_five_of_a_kind_is_announced_immediately_but_not_which_kind():
    gang = Gang(playing("CCcc", "Mpc", "Mpc")).effect().taps(1, Gain(Seat(1), "coins"))
    assert gang.lines == ["#1 gains Money.", "#1 has five of a kind!"]
    assert not gang.state.winner
    assert gang.step.sealed, "what it tells about hidden cards cannot be taken back"
    view = GAME.table_view(gang.state)
    assert [one.seat for one in view.stashes if one.declared] == [1]


def test_five_of_a_kind_at_the_start_of_the_turn_wins():
    gang = Gang(playing("CCccC", "Mpc", "Mpc", turn=3)).plays_safe().plays_safe()
    assert gang.state.winner == 1
    assert GAME.result(gang.state).winners == (1,)
    assert "over" in gang.refused(1, Declare("Smuggle"))


def test_hidden_and_face_up_cards_count_alike_and_more_than_five_do_too():
    assert Gang(playing("cccccc", "Mpc", "Mpc", turn=3)).plays_safe().plays_safe().state.winner == 1
    assert not Gang(playing("ccccMMMM", "Mpc", "Mpc", turn=3)).plays_safe().plays_safe().state.winner


def test_losing_one_of_five_before_the_turn_prevents_the_win():
    gang = Gang(playing("CCccmM", "Mpc", "Mpc")).effect().taps(1, Gain(Seat(1), "coins")).is_done().plays_safe()
    gang.effect().taps(2, Steal(Seat(1), "coins")).taps(1, Pick(3)).is_done().plays_safe()
    # Nobody is told that the fifth is gone: there could have been six.
    assert [one.seat for one in GAME.table_view(gang.state).stashes if one.declared] == [1]
    gang.plays_safe().plays_safe()
    assert (gang.state.turn, gang.state.winner, gang.state.declared) == (1, TABLE, ())


def test_a_card_taken_after_a_challenge_can_win_if_the_takers_turn_starts_next():
    gang = Gang(playing("Cpc", "CCcc", "Mpc")).plays_safe()
    gang.declares().challenges(2).turns("gamble").taps(2, TakeCard(1))
    assert gang.state.winner == 2
    assert gang.lines[1:] == [
        "#2 has five of a kind!",
        "#2 still has five of a kind and wins.",
    ]


# -------------------------------------------------------------------------------- the table is always right


def test_a_card_face_up_can_be_put_moved_and_returned_by_anybody_with_a_line():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).taps(3, PutCard(Seat(1), "coins"))
    assert (gang.stash(1), gang.lines) == ("MpcC", ["#3 fixes a mistake: #1 gets Money from the reserve."])
    gang.taps(2, MoveCard("1-4", Seat(2)))
    assert (gang.stash(2), gang.lines) == ("MpcC", ["#2 fixes a mistake: #1 gives Money to #2."])
    gang.taps(TABLE, MoveCard("2-4"))
    assert (gang.stash(2), gang.state.reserve["coins"]) == ("Mpc", 15)


def test_nobody_can_move_a_hidden_card_because_the_reserve_would_show_its_kind():
    gang = Gang(playing("Mpc", "Mpc", "Mpc"))
    assert gang.refused(3, MoveCard("1-2")) == gang.refused(3, MoveCard("1-3", Seat(3)))


def test_a_wrong_place_a_wrong_seat_and_an_empty_pile_are_refused():
    gang = Gang(playing("Mpc", "M", "C" * 17))
    assert gang.refused(1, MoveCard("2-2"))
    assert gang.refused(1, MoveCard("7-1"))
    assert gang.refused(1, MoveCard("2-1", Seat(2)))
    assert gang.refused(1, MoveCard("2-1", Seat(7)))
    assert gang.refused(1, PutCard(Seat(1), "coins"))


def test_owners_can_turn_their_own_cards_over():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).taps(2, TurnOver(2))
    assert (gang.stash(2), gang.step.sealed) == ("MPc", True)
    assert gang.taps(2, TurnOver(2)).stash(2) == "Mpc"
    assert gang.lines == ["#2 fixes a mistake: a card is now face down."]


def test_the_turn_can_be_given_to_somebody_else_which_cancels_the_card_in_play():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().taps(2, GiveTurn(Seat(3)))
    assert (gang.state.turn, gang.state.card, gang.step.alarm) == (3, None, None)


def test_a_choice_that_a_correction_made_impossible_is_dropped():
    gang = Gang(playing("Mpc", "Mp", "Mpc")).effect().taps(1, Lose(Seat(2), "fists")).taps(3, MoveCard("2-1"))
    assert gang.state.phase == "effect"


def test_when_hidden_cards_are_wrong_all_cards_are_counted_again_and_must_add_up():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).taps(2, CountAgain({"fists": 14}))
    assert "entered their cards" in gang.refused(1, Declare("Smuggle"))
    gang.taps(1, EnterStash({1: "fists-up", 2: "fists-no", 5: "crown-no"}))
    gang.taps(2, EnterStash({1: "crown-no", 2: "coins-up", 3: "fists-no"}))
    gang.taps(3, EnterStash({1: "coins-no", 2: "coins-up"}))
    assert gang.state.count.failed
    gang.taps(1, TheyAreRight()).taps(2, TheyAreRight())
    gang.taps(3, EnterStash({1: "coins-no", 2: "coins-up", 3: "crown-no", 4: "fists-no"}))
    assert [gang.stash(seat) for seat in (1, 2, 3)] == ["Mmp", "pCm", "cCpm"]
    assert gang.state.reserve == {"fists": 14, "crown": 15, "coins": 15}
    assert gang.state.phase == "declare"


def test_a_count_can_be_stopped_and_the_cards_stay_as_they_were():
    gang = Gang(playing("Mpc", "Mpc", "Mpc"))
    before = gang.state
    gang.taps(2, CountAgain()).taps(1, EnterStash({1: "fists-up"}))
    assert gang.taps(3, StopCount()).state == before
    assert gang.refused(3, StopCount())


def test_the_deal_itself_cannot_be_stopped():
    assert dealt().refused(1, StopCount())
    assert dealt().refused(1, EnterStash({}))
    assert Gang(playing("Mpc", "Mpc", "Mpc")).refused(1, hand("mpc"))


def test_a_stash_may_be_empty_and_has_no_limit():
    gang = Gang(playing("", "M" * 18 + "P" * 18 + "C" * 18, ""))
    gang.taps(1, CountAgain()).taps(1, EnterStash()).taps(3, EnterStash())
    every = ["fists-no"] * 18 + ["crown-no"] * 18 + ["coins-no"] * 18
    assert gang.taps(2, EnterStash(dict(enumerate(every, 1)))).lines[0] == "The cards add up."


def test_every_sentence_of_the_game_has_all_its_holes_filled():
    gang = Gang(playing("CCcc", "Mpc", "Mpc")).declares().challenges(2).turns("safe").taps(1, Gain(Seat(1), "coins"))
    assert all(told(line.say) for line in gang.step.lines)
