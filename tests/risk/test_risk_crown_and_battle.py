"""The Crown and the fights: a test for each rule."""

from __future__ import annotations

import pytest
from risk_talk import ANN, BEN, CLEO, Board, filled

from companion.game import TABLE
from companion.games.risk import GAME
from companion.games.risk.battle import Attack, FixFight, Retreat, RollFight
from companion.games.risk.corrections import FixCrown, FixDie
from companion.games.risk.crown import EndTurn, RollCrown, TypeCrown
from companion.games.risk.turn import Conquer, Onward
from companion.games.risk.view import table_view


def test_the_crown_starts_at_parliament_and_moves_one_space_at_the_end_of_every_turn():
    board = Board(3)
    for space in (2, 3, 4, 5):
        board.ends()
        assert board.state.crown == space
    assert board.state.current.seat == BEN


def test_a_double_tap_ends_one_turn():
    board = Board(3).at("finish").tap(ANN, EndTurn(1)).refuses(TABLE, EndTurn(1), "already over")
    assert board.state.current.seat == BEN


def test_on_a_die_space_the_crown_moves_only_if_two_dice_exceed_six():
    board = Board(3, die_spaces=(2,)).ends().refuses(BEN, EndTurn(2), "Roll")
    board.rolls(3, 3, typed=False)
    assert board.state.crown == 2
    assert board.lines[1:] == ["The Crown stays on space 2."]
    assert board.state.current.seat == CLEO
    board.rolls(1, 6)
    assert board.state.crown == 3
    assert board.state.current.seat == ANN


def test_a_double_tap_rolls_once_for_the_crown_even_if_it_stays():
    board = Board(3, die_spaces=(2,)).ends().tap(BEN, RollCrown(2, 2), 1, 1)
    board.refuses(TABLE, RollCrown(2, 2), "already made that roll").refuses(
        TABLE, TypeCrown(5, 5, 2, 2), "already made that roll"
    )
    assert board.state.current.seat == CLEO


def test_a_double_six_on_a_die_space_just_moves_the_crown():
    board = Board(3, die_spaces=(2,)).ends().rolls(6, 6)
    assert (board.state.crown, board.state.ending) == (3, None)


def test_without_a_die_space_there_is_nothing_to_roll():
    Board(3).refuses(ANN, RollCrown(1, 1), "No dice").refuses(ANN, TypeCrown(5, 5, 1, 1), "No dice")


def test_the_crown_comes_last_in_a_turn():
    board = Board(3, die_spaces=(1,)).at("attack").tap(ANN, Attack(2, 3, 3))
    board.refuses(ANN, RollCrown(1, 1), "Finish the fight").refuses(ANN, EndTurn(1), "Finish the fight")
    Board(2).refuses(ANN, EndTurn(1), "neutral gang")


def at_the_tavern(**things):
    board = Board(3, **things).having(20, 12, 10, crown=23)
    return board.ends()


def test_the_player_who_brings_the_crown_to_the_tavern_makes_the_last_roll_straight_away():
    board = at_the_tavern()
    assert (board.state.crown, board.state.current.seat, board.state.final) == (24, ANN, True)
    assert board.lines == ["The Crown reaches the Garrison Tavern."]
    board.refuses(ANN, EndTurn(1), "Roll")


def test_after_a_roll_off_the_last_die_space_the_same_player_makes_the_last_roll():
    board = Board(3, die_spaces=(23,)).having(20, 12, 10, crown=23).rolls(4, 4)
    assert (board.state.crown, board.state.current.seat) == (24, ANN)
    board.refuses(TABLE, RollCrown(23, 1), "already made that roll")
    assert board.rolls(4, 4).result.winners == (ANN,)


def test_with_a_double_six_at_the_tavern_the_crown_wins_and_nobody_else():
    board = at_the_tavern().rolls(6, 6)
    assert board.result.winners == ()
    assert board.lines[-1] == "The Crown takes the Garrison Tavern. The underworld loses."


@pytest.mark.parametrize("dice", [(1, 6), (5, 6), (4, 4), (2, 5)])
def test_with_more_than_six_at_the_tavern_the_crown_falls_and_the_most_territories_win(dice):
    board = at_the_tavern().rolls(*dice, typed=False)
    assert board.result.winners == (ANN,)
    assert board.lines[-1] == "Ann wins with 20 territories."


@pytest.mark.parametrize("dice", [(1, 1), (3, 3), (1, 5)])
def test_with_six_or_less_at_the_tavern_everybody_rolls_at_the_end_of_their_turn(dice):
    board = at_the_tavern().rolls(*dice)
    assert (board.result, board.state.current.seat, board.state.crown) == (None, BEN, 24)
    board.refuses(BEN, EndTurn(2), "Roll").rolls(3, 4)
    assert board.result.winners == (ANN,)


def test_without_the_crown_the_last_gang_wins():
    board = Board(3, crown=False)
    for _ in range(40):
        board.ends()
    assert board.state.crown == 1
    board.refuses(ANN, FixCrown(3), "without the Crown")
    seat = board.state.current.seat
    board.having(*(41 if gang.seat == seat else int(gang.seat == CLEO) for gang in board.state.playing))
    assert board.refuses(seat, RollCrown(1, 41), "No dice").tap(seat, Conquer(3)).result.winners == (seat,)


def test_where_the_crown_stands_and_which_spaces_have_a_die_can_be_corrected():
    board = Board(3).tap(BEN, FixCrown(9)).tap(BEN, FixDie(9))
    assert (board.state.crown, board.state.dice) == (9, (9,))
    assert board.tap(BEN, FixDie(9)).state.dice == ()
    board.refuses(BEN, FixCrown(9), "already").refuses(BEN, FixCrown(25), "24 spaces")
    board.refuses(BEN, FixDie(24), "anyway")


def test_die_spaces_beyond_the_route_do_not_count():
    assert Board(3, length=10, die_spaces=(3, 10, 12)).state.dice == (3,)


# -------------------------------------------------------------------------------- fights


def fighting(attackers=3, defenders=2, stronghold=False):
    return Board(3).at("attack").tap(ANN, Attack(2, attackers, defenders, stronghold))


def test_the_example_of_the_book_black_six_three_beat_red_four_two():
    board = fighting(3, 2).rolled(1, 6, 3, 2, 4)
    assert board.counts() == [15, 13, 14]
    assert board.lines == ["Ann takes a territory from Ben.", "Ann loses 0, Ben loses 2. The dice: 6·3·1 : 4·2."]
    assert board.state.current.conquests == 1


def test_had_the_second_red_die_shown_three_the_attacker_would_have_lost_one():
    fight = fighting(3, 2).rolled(6, 3, 1, 4, 3).state.current.fight
    assert (fight.attackers, fight.defenders) == (2, 1)


def test_a_stronghold_adds_one_to_the_highest_red_die_only():
    fight = fighting(3, 3, stronghold=True).rolled(5, 5, 1, 4, 4).state.current.fight
    assert (fight.attackers, fight.defenders) == (2, 2)


@pytest.mark.parametrize(
    ("attackers", "defenders", "black", "red"), [(1, 1, 1, 1), (2, 1, 2, 1), (3, 9, 3, 2), (50, 2, 3, 2)]
)
def test_up_to_three_black_dice_and_up_to_two_red_one_for_each_member(attackers, defenders, black, red):
    now = table_view(fighting(attackers, defenders).state).turn.fight
    assert (now.black, now.red) == (black, red)


def test_a_double_tap_rolls_a_fight_once():
    board = fighting(5, 5).tap(ANN, RollFight(0), 1, 1, 1, 6, 6)
    assert board.state.current.fight.attackers == 3
    board.refuses(TABLE, RollFight(0), "already made that roll")


def test_without_attackers_the_territory_is_held():
    board = fighting(1, 1).rolled(3, 3)
    assert board.counts() == [14, 14, 14]
    assert board.lines[0] == "Ben holds out against Ann."
    assert board.state.current.fight is None


def test_the_attacker_may_retreat_at_any_time():
    board = fighting(4, 4).rolled(1, 1, 1, 6, 6).tap(ANN, Retreat())
    assert board.lines == [
        "Ann retreats from Ben with 2 attackers.", "Ann loses 2, Ben loses 0. The dice: 1·1·1 : 6·6."
    ]  # fmt: skip
    board.refuses(ANN, Retreat(), "Nobody is fighting")


def test_one_territory_is_attacked_at_a_time_and_only_in_the_attack():
    Board(3).refuses(ANN, Attack(2, 3, 3), "second step")
    board = fighting().refuses(ANN, Attack(3, 1, 1), "Finish").refuses(ANN, Onward("finish"), "Finish")
    board.refuses(ANN, Conquer(2), "Finish").refuses(BEN, RollFight(0), "Ann's turn")
    Board(3).at("attack").refuses(ANN, Attack(1, 3, 3), "your own").refuses(ANN, Attack(4, 3, 3), "no territory")


def test_the_numbers_of_a_fight_can_be_corrected():
    board = fighting(4, 4).tap(TABLE, FixFight(6, 2, True))
    fight = board.state.current.fight
    assert (fight.attackers, fight.defenders, fight.stronghold) == (6, 2, True)
    assert board.lines == ["The table fixes a mistake: 6 against 2, with a stronghold."]
    board.refuses(ANN, FixFight(6, 2, True), "same as before")


def test_the_deciding_roll_stays_visible_until_the_next_attack():
    board = fighting(3, 2).rolled(6, 3, 1, 4, 2)
    last = table_view(board.state).turn.fought
    assert [(one.roll.black, one.roll.red) for one in last.run] == [((6, 3, 1), (4, 2))]
    assert filled(last.words) == "Ann conquers it. 3 attackers are left."
    assert GAME.seat_view(board.state, BEN).turn.fought == GAME.screen_view(board.state).turn.fought == last
    assert table_view(board.tap(ANN, Attack(3, 1, 1)).state).turn.fought is None
    last = table_view(board.tap(ANN, RollFight(0), 3, 3).state).turn.fought
    assert (last.end, filled(last.words)) == ("held", "Cleo holds out with 1 defender.")


@pytest.mark.parametrize("tap", [Onward("finish"), Conquer(3)])
def test_the_deciding_roll_disappears_with_the_next_step_or_conquest(tap):
    board = fighting(1, 1).rolled(3, 3)
    assert board.state.current.fought
    assert board.tap(ANN, tap).state.current.fought is None


def test_after_a_retreat_the_last_roll_stays_and_without_a_roll_there_is_none():
    assert fighting().tap(ANN, Retreat()).state.current.fought is None
    board = fighting(4, 4).rolled(1, 1, 1, 6, 6).tap(ANN, Retreat())
    assert filled(table_view(board.state).turn.fought.words) == "Ann retreats with 2 attackers."


def test_every_roll_remembers_whether_it_was_against_a_stronghold():
    board = fighting(9, 9, stronghold=True).rolled(5, 5, 1, 4, 4).tap(ANN, FixFight(8, 8))
    rounds = board.rolled(5, 5, 1, 4, 4).state.current.fight.rounds
    assert [roll.stronghold for roll in rounds] == [True, False]


def test_a_fight_for_the_last_territory_ends_the_game():
    board = Board(3).having(41, 1, 0).at("attack").tap(ANN, Attack(2, 3, 1)).rolled(6, 6, 6, 1)
    assert board.result.winners == (ANN,)
    assert table_view(board.state).fought.run[-1].roll.black == (6, 6, 6)
