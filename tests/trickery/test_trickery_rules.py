"""A test for every rule of Trickery & Deceit, named after it."""

from __future__ import annotations

import random

import msgspec
import pytest
from trickery_talk import ANN, BEN, CLEO, DAN, after, counted, laid, plain, refused, said, shape

from companion.game import ComesBack, Dice, GoesAway, Leaves, Seat
from companion.games.trickery import GAME
from companion.games.trickery.cards import Betray, Bribe, Build, Favour, Outdo, Tribute, why_not
from companion.games.trickery.corrections import Flip, Move, MoveCard, SetTurn
from companion.games.trickery.rules import Begin, Cover, DrawLots, GoOn, Pass, Pause
from companion.games.trickery.state import CARDS, Setup
from companion.testing import apply

# ---------------------------------------------------------------- preparation


def start(players):
    return GAME.start(Setup(), tuple(Seat(n) for n in range(1, players + 1)), Dice()).state


def stops(table):
    """The same table with the set-up where the fifth seal ends the game immediately."""
    return msgspec.structs.replace(table, finish=False)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_everyone_starts_with_two_coins_six_cards_and_no_seal(players):
    table = start(players)
    assert [(player.coins, player.seals, player.hand) for player in table.players] == [(2, 0, CARDS)] * players
    assert counted(table) == (35, 36)
    assert table.pool == 35 - 2 * players


def test_the_cards_are_revealed_together_when_all_have_chosen():
    table = start(3)
    for seat, side in ((ANN, "thorn"), (CLEO, "gears")):
        step = apply(GAME, table, seat, Cover(side))
        assert step.secret
        assert step.sealed
        assert not step.lines
        table = step.state
        assert table.phase == "choosing"
        assert all(player.society is None for player in table.players)
    step = apply(GAME, table, BEN, Cover("thorn"))
    assert step.burn
    assert [player.society for player in step.state.players] == ["thorn", "thorn", "gears"]
    assert all(player.covered is None for player in step.state.players)
    assert [plain(line.say, ["Ann", "Ben", "Cleo"]) for line in step.lines] == [
        "All society cards are revealed.",
        "Thorn Society: Ann and Ben.",
        "Machine Society: Cleo.",
    ]


def test_a_choice_can_be_changed_until_everybody_has_chosen():
    table = start(3)
    for seat, side in ((ANN, "thorn"), (ANN, "gears"), (BEN, "thorn"), (CLEO, "thorn")):
        table = after(table, seat, Cover(side))
    assert table.player(ANN).society == "gears"
    assert refused(table, ANN, Cover("thorn")) == "All society cards are already revealed."


def test_everybody_may_choose_the_same_society():
    table = start(3)
    for seat in (ANN, BEN):
        table = after(table, seat, Cover("thorn"))
    assert said(table, CLEO, Cover("thorn"))[1:] == ["Thorn Society: Ann, Ben and Cleo.", "Machine Society: nobody."]


def test_nobody_acts_before_all_have_chosen():
    table = after(start(3), ANN, Cover("thorn"))
    first = "Wait until everybody has chosen a society."
    for tap in (Favour(), Pause(), Pass(), Tribute(1), Betray(BEN)):
        assert refused(table, ANN, tap) == first
    for tap in (Begin(ANN), DrawLots(), Flip(ANN), Move("coins", "pool", "1"), MoveCard(ANN, "bribe"), SetTurn(ANN)):
        assert refused(table, ANN, tap) == first


def test_the_table_says_who_starts():
    table = laid("T2", "T2", "M2", turn=None)
    assert table.phase == "starter"
    assert refused(table, ANN, Favour()) == "First choose who starts."
    assert after(table, 0, Begin(BEN)).turn == BEN
    assert refused(after(table, 0, Begin(BEN)), ANN, Begin(ANN)) == "The game has already started."
    assert refused(table, ANN, Begin(Seat(9))) == "That seat is empty. Choose somebody else."


def test_a_player_who_is_away_cannot_start():
    table = after(laid("T2", "T2", "M2", turn=None), ANN, GoesAway())
    assert refused(table, 0, Begin(ANN)) == "Ann is away. Choose somebody who is here."
    assert {after(table, 0, DrawLots(), Dice(random.Random(n))).turn for n in range(20)} == {BEN, CLEO}


def test_who_starts_can_be_picked_at_random_and_is_final():
    table = laid("T2", "T2", "M2", turn=None)
    dice = Dice(random.Random(3))
    assert after(table, 0, DrawLots(), dice).turn in (ANN, BEN, CLEO)
    assert dice.rolled


# ---------------------------------------------------------------- turns


def test_players_take_turns_clockwise():
    table = laid("T2", "T2", "M2")
    for seat in (ANN, BEN, CLEO):
        assert table.turn == seat
        table = after(table, seat, Favour())
    assert table.turn == ANN


def test_only_the_player_whose_turn_it_is_acts():
    table = laid("T2", "T2", "M2")
    for tap in (Favour(), Pause(), Pass(), Tribute(1), Betray(ANN), Bribe(ANN), Build(ANN), Outdo(ANN)):
        assert refused(table, BEN, tap) == "It is Ann's turn."


def test_a_played_card_lies_open_until_its_player_pauses():
    table = after(laid("T2", "T2", "M2"), ANN, Favour())
    assert table.player(ANN).played == ("favour",)
    table = after(after(table, BEN, Favour()), CLEO, Favour())
    assert refused(table, ANN, Favour()) == "You have already played it. Pause to pick it up."
    table = after(table, ANN, Pause())
    assert table.player(ANN).hand == CARDS
    assert table.player(BEN).played == ("favour",)
    assert table.turn == BEN


def test_only_a_player_who_has_played_a_card_may_pause():
    assert refused(laid("T2", "T2", "M2"), ANN, Pause()) == "You haven't played a card yet."


def test_a_player_who_has_played_all_six_cards_must_pause():
    table = laid("T2", "T2", "M2", played={1: CARDS})
    assert all(why_not(table, ANN, card) for card in CARDS)
    assert after(table, ANN, Pause()).player(ANN).hand == CARDS


def test_a_player_who_can_do_nothing_passes():
    table = laid("T0", "M17", "M17")  # alone, without a coin, and one coin left in the pool
    assert all(why_not(table, ANN, card) for card in CARDS)
    assert said(table, ANN, Pass()) == ["Ann can't do anything and passes."]
    assert after(table, ANN, Pass()).turn == BEN


def test_a_player_who_can_do_something_cannot_pass():
    assert refused(laid("T0", "M2", "M2"), ANN, Pass()) == "You can't pass, because you can play “Call in a favour”."
    paused = laid("T0", "M17", "M17", played={1: ("bribe",)})
    assert refused(paused, ANN, Pass()) == "You can't pass, because you can pause."


# ---------------------------------------------------------------- Betray your allies


def test_betray_takes_a_coin_from_an_ally_and_then_changes_sides():
    table = laid("T0", "T3", "M2")
    assert shape(after(table, ANN, Betray(BEN))) == "M1 T2 M2 | 0 0 | 30"
    assert said(table, ANN, Betray(BEN)) == ["Ann betrays Ben, takes 1 coin and changes sides."]


def test_betray_needs_an_ally():
    assert refused(laid("T2", "M2", "M2"), ANN, Betray(BEN)) == "Nobody else is in the Thorn Society."


def test_betray_needs_an_ally_with_a_coin():
    nobody = laid("M2", "M0", "T2")
    assert refused(nobody, ANN, Betray(BEN)) == "Nobody else in the Machine Society has a coin."
    one = laid("T2", "T0", "T1")
    assert refused(one, ANN, Betray(BEN)) == "Ben has no coins. Choose somebody else."
    assert shape(after(one, ANN, Betray(CLEO))) == "M3 T0 T0 | 0 0 | 32"


def test_betray_takes_from_an_ally_and_from_nobody_else():
    table = laid("T2", "T2", "M2")
    assert refused(table, ANN, Betray(CLEO)) == "Cleo is not in your society."
    assert refused(table, ANN, Betray(ANN)) == "You can't choose yourself. Choose somebody else."
    assert refused(table, ANN, Betray(Seat(9))) == "That seat is empty. Choose somebody else."


# ---------------------------------------------------------------- Build relationships


def test_build_gives_an_ally_two_coins_from_the_pool():
    table = laid("T2", "T2", "M2")
    assert shape(after(table, ANN, Build(BEN))) == "T2 T4 M2 | 0 0 | 27"
    assert said(table, ANN, Build(BEN)) == ["Ann builds a relationship: Ben gets 2 coins."]


def test_build_needs_an_ally():
    table = laid("T2", "M2", "M2")
    assert refused(table, ANN, Build(BEN)) == "Nobody else is in the Thorn Society."
    assert refused(laid("T2", "T2", "M2"), ANN, Build(ANN)) == "You can't choose yourself. Choose somebody else."
    assert refused(laid("T2", "T2", "M2"), ANN, Build(CLEO)) == "Cleo is not in your society."


@pytest.mark.parametrize(("there", "left"), [("T32", "1 is left"), ("T33", "0 are left")])
def test_build_needs_two_coins_in_the_pool(there, left):
    assert refused(laid("T2", there, "M0"), ANN, Build(BEN)) == f"You need 2 coins from the pool, but only {left}."


def test_build_takes_the_last_two_coins_of_the_pool():
    assert shape(after(laid("T2", "T31", "M0"), ANN, Build(BEN))) == "T2 T33 M0 | 0 0 | 0"


# ---------------------------------------------------------------- Bribe your enemies


def test_bribe_hands_a_rival_one_of_your_coins_and_they_change_sides():
    table = laid("T2", "T2", "M2")
    assert shape(after(table, ANN, Bribe(CLEO))) == "T1 T2 T3 | 0 0 | 29"
    assert said(table, ANN, Bribe(CLEO)) == ["Ann bribes Cleo with 1 coin: Cleo changes sides."]


def test_bribe_needs_a_rival():
    assert refused(laid("T2", "T2", "T2"), ANN, Bribe(BEN)) == "Nobody is in the Machine Society."


def test_bribe_needs_your_own_coin():
    assert refused(laid("T0", "T2", "M2"), ANN, Bribe(CLEO)) == "You have no coins."


def test_bribe_works_on_rivals_only():
    table = laid("T2", "T2", "M2")
    assert refused(table, ANN, Bribe(BEN)) == "Ben is already in your society."
    assert refused(table, ANN, Bribe(ANN)) == "Ann is already in your society."


# ---------------------------------------------------------------- Call in a favour


def test_favour_pays_a_coin_into_the_chest_and_then_takes_two():
    table = laid("M2", "T2", "M2")
    assert shape(after(table, ANN, Favour())) == "M3 T2 M2 | 0 1 | 27"


def test_favour_works_without_a_coin_too():
    table = laid("T0", "T2", "M2")
    assert shape(after(table, ANN, Favour())) == "T2 T2 M2 | 0 0 | 29"
    assert said(table, ANN, Favour()) == ["Ann calls in a favour, pays nothing and takes 2 coins."]


def test_favour_needs_two_coins_in_the_pool():
    assert refused(laid("T1", "T33", "M0"), ANN, Favour()) == "You need 2 coins from the pool, but only 1 is left."
    assert refused(laid("T0", "T34", "M0"), ANN, Favour()) == "You need 2 coins from the pool, but only 1 is left."


def test_favour_may_take_its_two_coins_from_the_chest_it_has_just_filled():
    table = laid("T1", "T30", "M0", thorn=4)
    assert table.pool == 0
    assert shape(after(table, ANN, Favour())) == "T2+2 T30+1 M0 | 0 0 | 3"


# ---------------------------------------------------------------- Pay tribute


@pytest.mark.parametrize("coins", [1, 2, 3])
def test_tribute_pays_any_number_of_your_coins_into_the_chest(coins):
    table = after(laid("T3", "T2", "M2"), ANN, Tribute(coins))
    assert table.chests == {"thorn": coins, "gears": 0}
    assert table.player(ANN).coins == 3 - coins


def test_tribute_needs_a_coin():
    assert refused(laid("T0", "T2", "M2"), ANN, Tribute(1)) == "You have no coins."


def test_tribute_pays_no_more_than_you_have():
    assert refused(laid("T1", "T2", "M2"), ANN, Tribute(2)) == "You only have 1 coin."
    assert refused(laid("T2", "T2", "M2"), ANN, Tribute(3)) == "You only have 2 coins."


# ---------------------------------------------------------------- Outdo the competition


def test_outdo_pays_a_coin_and_forces_an_ally_to_the_other_side():
    table = laid("T2", "T2", "M2")
    assert shape(after(table, ANN, Outdo(BEN))) == "T1 M2 M2 | 1 0 | 29"
    assert said(table, ANN, Outdo(BEN)) == ["Ann pays 1 coin and outdoes Ben, who changes sides."]


def test_outdo_needs_a_coin_and_an_ally():
    assert refused(laid("T0", "T2", "M2"), ANN, Outdo(BEN)) == "You have no coins."
    assert refused(laid("T2", "M2", "M2"), ANN, Outdo(BEN)) == "Nobody else is in the Thorn Society."
    assert refused(laid("T2", "T2", "M2"), ANN, Outdo(CLEO)) == "Cleo is not in your society."
    assert refused(laid("T2", "T2", "M2"), ANN, Outdo(ANN)) == "You can't choose yourself. Choose somebody else."


def test_outdo_gives_the_ally_a_seal_before_they_change_sides():
    table = laid("T2", "T2", "M2", thorn=4)
    assert shape(after(table, ANN, Outdo(BEN))) == "T1+2 M2+1 M2 | 0 0 | 30"


# ---------------------------------------------------------------- a full chest


def test_the_fifth_coin_brings_its_payer_two_seals_and_every_other_member_one():
    table = laid("T2", "T2", "T0", "M2", thorn=4)
    assert shape(after(table, ANN, Tribute(1))) == "T1+2 T2+1 T0+1 M2 | 0 0 | 30"
    assert said(table, ANN, Tribute(1)) == [
        "Ann pays tribute: 1 coin.",
        "The Thorn Society's treasure chest is full: 2 seals for Ann, 1 each for Ben and Cleo.",
    ]


def test_a_full_chest_is_emptied_into_the_pool():
    before = laid("M2", "T2", "T2", gears=4)
    table = after(before, ANN, Tribute(1))
    assert table.chests["gears"] == 0
    assert table.pool == before.pool + 5


def test_a_member_alone_fills_the_chest_alone():
    table = laid("T1", "M2", "M2", thorn=4)
    assert shape(after(table, ANN, Tribute(1))) == "T0+2 M2 M2 | 0 0 | 31"
    assert said(table, ANN, Tribute(1))[1] == "The Thorn Society's treasure chest is full: 2 seals for Ann."


def test_a_larger_tribute_goes_on_into_the_empty_chest():
    assert shape(after(laid("T6", "T2", "M2", thorn=2), ANN, Tribute(6))) == "T0+2 T2+1 M2 | 3 0 | 28"


def test_a_tribute_can_fill_the_chest_twice():
    table = after(laid("T7", "T2", "M2", thorn=3), ANN, Tribute(7))
    assert shape(table) == "T0+4 T2+2 M2 | 0 0 | 31"
    assert len(table.filled) == 2


def test_the_fourth_coin_brings_nothing():
    table = after(laid("T2", "T2", "M2", thorn=3), ANN, Tribute(1))
    assert not table.filled
    assert table.phase == "turns"


def test_everybody_looks_at_a_full_chest_before_the_next_turn():
    table = after(laid("T2", "T2", "M2", thorn=4), ANN, Tribute(1))
    assert table.phase == "event"
    assert refused(table, BEN, Favour()) == "A treasure chest is full. Take the seals, then tap Go on."
    assert said(table, CLEO, GoOn()) == []
    table = after(table, 0, GoOn())
    assert (table.phase, table.turn) == ("turns", BEN)
    assert refused(table, BEN, GoOn()) == "No chest is full. Go on with the turn."


# ---------------------------------------------------------------- the end


def test_five_seals_end_the_game_immediately():
    table = after(laid("T2", "T2+4", "M2", thorn=4), ANN, Tribute(1))
    assert table.phase == "over"
    assert GAME.result(table).winners == (BEN,)
    assert GAME.result(table).points == {ANN: 2, BEN: 5, CLEO: 0}
    assert refused(table, BEN, Favour()) == "The game is over. To play on, take back the last step."
    assert refused(table, BEN, GoOn()) == "No chest is full. Go on with the turn."


def test_four_seals_do_not_end_the_game():
    table = after(laid("T2+2", "T2+3", "M2", thorn=4), ANN, Tribute(1))
    assert GAME.result(table) is None


def test_coins_not_yet_paid_when_the_game_ends_stay_with_the_player():
    table = after(laid("T9+3", "T2", "M2", thorn=4), ANN, Tribute(9))
    assert shape(table) == "T8+5 T2+1 M2 | 0 0 | 23"
    assert said(laid("T9+3", "T2", "M2", thorn=4), ANN, Tribute(9)) == [
        "Ann pays tribute: 1 coin.",
        "The Thorn Society's treasure chest is full: 2 seals for Ann, 1 for Ben.",
        "Ann wins with 5 seals.",
    ]


def test_a_favour_that_ends_the_game_immediately_brings_no_coins():
    table = stops(laid("T1+3", "T2", "M2", thorn=4))
    assert shape(after(table, ANN, Favour())) == "T0+5 T2+1 M2 | 0 0 | 31"
    assert said(table, ANN, Favour())[0] == "Ann calls in a favour, and the coin ends the game."


def test_outdoing_that_ends_the_game_immediately_switches_nobody():
    table = stops(laid("T1+3", "T2", "M2", thorn=4))
    assert shape(after(table, ANN, Outdo(BEN))) == "T0+5 T2+1 M2 | 0 0 | 31"
    assert said(table, ANN, Outdo(BEN))[0] == "Ann outdoes the competition, and the coin ends the game."


def test_most_seals_win_when_several_have_five():
    table = laid("T1+4", "T9+4", "M2", thorn=4)
    assert GAME.result(after(table, ANN, Tribute(1))).winners == (ANN,)
    assert said(table, ANN, Tribute(1))[-1] == "Ann wins with 6 seals."


def test_equal_seals_are_decided_by_most_coins():
    table = laid("T1", "T3+4", "T2+4", "M9", thorn=4)
    assert GAME.result(after(table, ANN, Tribute(1))).winners == (BEN,)
    assert said(table, ANN, Tribute(1))[-1] == "Ben wins the tie: 5 seals, and the most coins."


def test_equal_seals_and_coins_share_the_win():
    table = laid("T1", "T3+4", "T3+4", "M9", thorn=4)
    assert GAME.result(after(table, ANN, Tribute(1))).winners == (BEN, CLEO)
    assert said(table, ANN, Tribute(1))[-1] == "Ben and Cleo share the win with equal seals and coins."


# ---------------------------------------------------------------- corrections


def test_coins_can_be_moved_to_fix_a_mistake():
    table = laid("T2", "T2", "M2", thorn=3)
    assert shape(after(table, ANN, Move("coins", "pool", "2", 3))) == "T2 T5 M2 | 3 0 | 23"
    assert shape(after(table, ANN, Move("coins", "1", "gears", 2))) == "T0 T2 M2 | 3 2 | 26"
    assert shape(after(table, ANN, Move("coins", "thorn", "pool"))) == "T2 T2 M2 | 2 0 | 27"
    assert said(table, BEN, Move("coins", "thorn", "1", 2)) == ["Ben fixes a mistake: 2 coins, Thorn chest → Ann."]


def test_a_correction_moves_no_more_than_lies_there():
    table = laid("T2", "T2", "M2", thorn=3)
    assert refused(table, ANN, Move("coins", "1", "2", 3)) == "There are only 2 to move."
    assert refused(table, ANN, Move("seals", "1", "2", 1)) == "There are only 0 to move."
    assert refused(table, ANN, Move("coins", "1", "1")) == "Choose two different places."
    assert refused(table, ANN, Move("coins", "1", "99")) == "That seat is empty. Choose somebody else."
    assert (
        refused(table, ANN, Move("seals", "pool", "thorn"))
        == "Seals don't go into a chest. Choose the pool or a player."
    )
    assert refused(table, ANN, Move("coins", "pool", "thorn", 2)).startswith("Five coins empty a chest.")


def test_moving_seals_can_end_the_game_and_reopen_it():
    table = laid("T2+4", "T2", "M2")
    ended = after(table, 0, Move("seals", "pool", "1"))
    assert said(table, 0, Move("seals", "pool", "1")) == [
        "The table fixes a mistake: 1 seal, pool → Ann.",
        "Ann wins with 5 seals.",
    ]
    assert GAME.result(ended).winners == (ANN,)
    assert said(ended, 0, Move("seals", "1", "pool"))[-1] == "The game goes on."
    assert after(ended, 0, Move("seals", "1", "pool")).turn == ANN


def test_after_a_wrong_end_is_fixed_the_next_player_has_the_turn():
    ended = after(laid("T2+3", "T2", "M2", thorn=4), ANN, Tribute(1))
    opened = after(ended, BEN, Move("seals", "1", "pool"))
    assert (opened.phase, opened.turn) == ("turns", BEN)


def test_a_society_card_can_be_turned_over_to_fix_a_mistake():
    table = laid("T2", "T2", "M2")
    assert shape(after(table, ANN, Flip(BEN))) == "T2 M2 M2 | 0 0 | 29"
    assert said(table, ANN, Flip(BEN)) == ["Ann fixes a mistake: Ben is in the Machine Society."]


def test_a_card_in_the_wrong_place_can_be_moved():
    table = laid("T2", "T2", "M2", played={2: ("bribe", "favour")})
    assert after(table, ANN, MoveCard(BEN, "bribe")).player(BEN).played == ("favour",)
    assert after(table, ANN, MoveCard(BEN, "build")).player(BEN).played == ("bribe", "favour", "build")
    assert said(table, ANN, MoveCard(BEN, "bribe")) == ["Ann fixes a mistake: Ben has “Bribe your enemies” in hand."]


def test_the_table_can_change_whose_turn_it_is():
    table = laid("T2", "T2", "M2")
    assert after(table, CLEO, SetTurn(BEN)).turn == BEN
    assert refused(table, CLEO, SetTurn(ANN)) == "It is already Ann's turn."


# ---------------------------------------------------------------- people come and go


def test_turns_skip_a_player_who_is_away():
    table = after(laid("T2", "T2", "M2"), BEN, GoesAway())
    assert after(table, ANN, Favour()).turn == CLEO
    back = after(table, BEN, ComesBack())
    assert after(back, ANN, Favour()).turn == BEN


def test_a_player_who_goes_away_during_their_turn_passes_it_on():
    assert after(laid("T2", "T2", "M2"), ANN, GoesAway()).turn == BEN
    alone = laid("T2", "T2", "M2")
    for seat in (BEN, CLEO, ANN):
        alone = after(alone, seat, GoesAway())
    assert alone.turn is not None


def test_a_player_who_leaves_returns_coins_and_seals():
    table = after(laid("T2", "T5+3", "M2", "M2", turn=2), BEN, Leaves())
    assert shape(table) == "T2 M2 M2 | 0 0 | 29"
    assert counted(table) == (35, 36)
    assert table.turn == CLEO


def test_three_players_have_to_stay():
    assert refused(laid("T2", "T2", "M2"), BEN, Leaves()).startswith("This game needs 3 players.")
    over = laid("T2+5", "T2", "M2", "M2")
    assert refused(over, ANN, Leaves()) == "The game is over."


def test_the_cards_are_revealed_when_the_last_player_to_choose_leaves():
    table = start(4)
    for seat in (ANN, BEN, CLEO):
        table = after(table, seat, Cover("thorn"))
    step = apply(GAME, table, DAN, Leaves())
    assert step.burn
    assert step.state.phase == "starter"
