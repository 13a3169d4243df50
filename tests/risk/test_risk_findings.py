"""What we learnt from whole evenings at real tables (R1 to R9): a test for each finding."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from risk_talk import ANN, BEN, CLEO, DAN, Board, filled, opened, total
from selectolax.lexbor import LexborHTMLParser

from companion.engine.links import WATCHER
from companion.game import TABLE
from companion.games.risk import GAME
from companion.games.risk.battle import Attack, Lost, RollFight
from companion.games.risk.cards import AddBlade, Trade
from companion.games.risk.corrections import FixCrown
from companion.games.risk.crown import EndTurn
from companion.games.risk.missions import TurnPower, Unturned
from companion.games.risk.opening import Begin, ChooseGang, Starts
from companion.games.risk.seat_view import hand_view
from companion.games.risk.turn import Conquer, HoldRegion, LatePlaced, MoreMembers
from companion.games.risk.view import deal_words, table_view, turn_view
from companion.testing import Easel, House, Person

Flow = Callable[..., AbstractContextManager[None]]


# -------------------------------------------------------------------------------- R1 to R5: the rules


def beaten(**setup: Any) -> Board:
    return Board(3, **setup).at("attack").tap(ANN, Attack(2, 1, 3)).rolled(1, 6, 5)


def test_R1_a_player_without_attackers_cannot_go_on_with_that_attack():
    board = beaten().refuses(ANN, RollFight(1), "Nobody is fighting")
    assert turn_view(board.state).may_attack
    board.tap(ANN, Attack(3, 2, 1))


def test_R1_the_table_may_read_it_as_the_whole_turn():
    board = beaten(beaten="turn").refuses(ANN, Attack(3, 2, 1), "no more attacks").refuses(ANN, Conquer(3), "no more")
    assert not turn_view(board.state).may_attack
    board.ends().at("attack").tap(BEN, Attack(3, 2, 1))


def test_R1_set_up_and_help_say_which_reading_is_played(house: House):
    host = Person(house.url)
    page = LexborHTMLParser(host.get("/new/risk").text)
    assert page.css_first('[name="beaten"][checked]').attributes["value"] == "attack"
    assert "we end that attack and allow others" in host.get("/help/risk").text


def test_R2_one_power_card_a_turn_and_none_is_offered_when_none_is_left(easel: Easel):
    board = Board(3)
    assert "You can turn one over now" in easel.draw(GAME, board.state, ANN)
    board.tap(ANN, TurnPower("Whisky", "keep")).refuses(ANN, TurnPower("Razor", "play"), "this turn")
    page = easel.draw(GAME, board.state, ANN)
    assert "You have turned one over this turn." in page
    assert "You can turn" not in page
    assert "You have turned one over" not in easel.draw(GAME, board.ends().state, ANN)
    board.ends().ends().tap(ANN, TurnPower("Razor", "play"))
    board.ends().ends().ends()
    assert not hand_view(board.state, ANN).may_turn
    assert "You have none left to turn over." in easel.draw(GAME, board.state, ANN)
    board.tap(ANN, Unturned(1)).tap(ANN, TurnPower("A third", "keep"))


def test_R3_who_starts_is_decided_before_the_deal():
    board = Board(4, begun=False).refuses(TABLE, Begin(), "who starts")
    assert not table_view(board.state).deal
    board.tap(BEN, Starts(CLEO)).refuses(ANN, Starts(CLEO), "already has the first turn")
    assert filled(deal_words(board.state)[0]) == (
        "Deal 10 Territory cards to each player, but 11 to Ann and Ben: they are last in turn order."
    )
    board.tap(DAN, Starts(DAN)).tap(TABLE, Begin())
    assert [board.state.gang_of(seat).territories for seat in (DAN, ANN, BEN, CLEO)] == [10, 10, 11, 11]


def test_R3_a_taken_gang_keeps_its_row_and_says_who_has_it(easel: Easel):
    board = Board(3, begun=False).tap(BEN, ChooseGang(BEN, 2))
    rows = LexborHTMLParser(easel.draw(GAME, board.state, ANN)).css("#you .gang-key, .gang-keys .gang-key")
    assert ["disabled" in row.attributes for row in rows] == [False, True, False, False, False]
    assert "Ben" in rows[1].text()


def test_R4_a_region_that_may_be_lost_does_not_count_until_it_is_confirmed(easel: Easel):
    board = Board(3, bonus={1: 7}).having(10, 16, 16).tap(TABLE, HoldRegion(1, 1))
    assert total(board) == 10
    board.ends().tap(BEN, Conquer(1)).ends().ends()
    assert total(board) == 3
    card = LexborHTMLParser(easel.draw(GAME, board.state, ANN)).css_first(".doubt")
    assert "You have lost a territory. Do you still hold all of Region 1?" in " ".join(card.text().split())
    assert card.parent.tag != "details"
    assert total(board.tap(ANN, HoldRegion(1, 1))) == 10


def test_R5_trade_takes_the_ticked_cards_and_no_others(house: House):
    table = opened(house)
    ann = table["Ann"]
    for blades in (2, 2, 1):
        ann.taps("AddBlade", blades=blades)
    ann.presses("Trade the ticked cards", cards=["1", "3"])
    assert table.shared.shows("Ann trades 3 razor blades for 4 members.")
    assert ann.presses("Trade the ticked cards", cards=[]).message == "You need at least two razor blades to trade."


def test_R5_members_that_arrive_in_the_attack_must_be_placed(easel: Easel):
    board = Board(3).having(10, 16, 16).tap(ANN, AddBlade(2)).tap(ANN, AddBlade(2)).at("attack").tap(ANN, Trade())
    assert "Place 7 more members" in easel.draw(GAME, board.state, ANN)
    board.refuses(ANN, Attack(2, 3, 3), "Place the 7").refuses(ANN, EndTurn(1), "Place the 7")
    board.tap(ANN, LatePlaced()).refuses(ANN, LatePlaced(), "no more").tap(ANN, Attack(2, 3, 3))
    board.tap(ANN, MoreMembers(2)).rolled(6, 6, 6, 1, 1).rolled(6, 6, 6, 1)
    assert turn_view(board.state).late == 2
    assert turn_view(Board(3).tap(ANN, MoreMembers(2)).state).late == 0


# -------------------------------------------------------------------------------- R6: fights


def fighting(attackers: int = 5, defenders: int = 3, **things: Any) -> Board:
    return Board(3).at("attack").tap(ANN, Attack(2, attackers, defenders, **things))


def test_R6_a_fight_to_the_end_shows_every_roll(easel: Easel):
    board = fighting().rolled(*(6, 5, 1, 5, 5), *(2, 2, 1, 6, 3), *(6, 2, 1, 1), until=0)
    assert board.counts() == [15, 13, 14]
    assert board.lines == [
        "Ann takes a territory from Ben.",
        "Ann loses 3, Ben loses 3. The dice: 6·5·1 : 5·5, 2·2·1 : 6·3, 6·2 : 1·1.",
    ]
    last = turn_view(board.state).fought
    assert [(one.attackers, one.defenders) for one in last.run] == [(4, 2), (2, 2), (2, 0)]
    assert len(LexborHTMLParser(easel.draw(GAME, board.state, WATCHER)).css(".rung")) == 3
    assert len(LexborHTMLParser(easel.draw(GAME, board.state, CLEO)).css(".run .throws")) == 3


def test_R6_a_fight_can_stop_at_a_number_of_attackers():
    board = fighting(9, 9).rolled(*(1, 1, 1, 6, 6), *(1, 1, 1, 6, 6), *(6, 6, 6, 1, 1), *(1, 1, 1, 6, 6), until=4)
    fight = board.state.current.fight
    assert (fight.attackers, fight.defenders, len(fight.rounds)) == (3, 7, 4)
    board.refuses(ANN, RollFight(4, until=3), "Only 3")
    board.refuses(TABLE, RollFight(0, until=0), "already made that roll")
    assert table_view(board.state).moment.reveal > table_view(fighting().rolled(1, 1, 1, 6, 6).state).moment.reveal


def test_R6_a_fight_to_the_end_is_one_step_that_cannot_be_taken_back(house: House):
    table = opened(house)
    ann = table["Ann"]
    ann.presses("Done placing")
    ann.presses("9", loser=2, attackers=9)
    assert ann.shows("Take back")
    ann.presses("Fight to the end")
    assert not ann.shows("Take back")
    assert len([line for line in ann.lines() if "The dice:" in line]) == 1


def test_R6_dice_on_the_table_are_three_buttons(easel: Easel):
    page = LexborHTMLParser(easel.draw(GAME, fighting().state, ANN))
    assert [node.text() for node in page.css(".losses button")] == ["Ben loses 2", "Both lose 1", "Ann loses 2"]
    assert not page.css("#you select, #you input[type=number]")
    board = fighting().tap(ANN, Lost(1, 0)).refuses(ANN, Lost(1, 0), "already made that roll")
    assert (board.state.current.fight.attackers, board.state.current.fight.defenders) == (4, 2)
    board.tap(ANN, Lost(0, 1))
    assert board.lines == ["Ann takes a territory from Ben.", "Ann loses 1, Ben loses 3."]
    fighting(1, 5).refuses(ANN, Lost(2, 0), "can't cost")


def test_R6_phones_and_the_shared_screen_count_the_whole_fight(easel: Easel):
    board = fighting(4, 3).tap(ANN, Lost(1, 0)).rolled(6, 6, 6, 1, 1, until=0)
    assert "lost 1" in easel.draw(GAME, board.state, WATCHER)
    card = LexborHTMLParser(easel.draw(GAME, board.state, BEN)).css_first(".ended .quiet")
    assert " ".join(card.text().split()) == "Ann: 1 lost · Ben: 3 lost"


def test_R6_a_fight_to_the_end_is_four_taps_and_no_digit(house: House, flow: Flow):
    ann = opened(house)["Ann"]
    ann.presses("Done placing")
    with flow("Risk, a fight to the end", most=4):
        ann.presses("3", loser=2, attackers=6)
        ann.presses("Fight to the end")
    assert any("The dice:" in line for line in ann.lines())


# -------------------------------------------------------------------------------- R7 to R9


def test_R7_without_the_crown_no_screen_mentions_it(house: House):
    table = opened(house, crown=None)
    everybody = (table["Ann"], table["Ben"], table.shared)
    for press in ("Done placing", "", "End the turn"):
        for person in everybody:
            assert "Crown" not in person.page().text
        if press:
            table["Ann"].presses(press)
        else:
            table["Ann"].taps("Onward", step="finish")
    assert table["Ben"].shows("Done placing")
    assert table["Ben"].shows("No attack: end the turn")


def test_R7_without_the_crown_set_up_hides_its_fields(house: House):
    page = LexborHTMLParser(Person(house.url).get("/new/risk").text)
    crown = page.css_first("fieldset.crown-only")
    assert {node.attributes["name"] for node in crown.css("input")} == {"die_spaces", "length"}
    css = Person(house.url).get(re.search(r'[^"]*risk/game\.css[^"]*', page.html).group()).text
    assert re.search(r'name="?crown"?\]:not\(:checked\)\)\s*>\s*\.crown-only\s*{\s*display:\s*none', css)


def test_R8_words_and_counters_are_right(easel: Easel):
    board = Board(3, length=6).tap(TABLE, FixCrown(5))
    assert "Move the Crown to the Tavern" in easel.draw(GAME, board.at("attack").state, ANN)
    page = easel.draw(GAME, board.ends().state, ANN)
    assert "more turn" not in page
    assert "Make the last roll" in page
    assert not LexborHTMLParser(page).css(".badge")
    assert "turn 2" not in easel.draw(GAME, Board(3).ends().state, BEN)


def test_R9_a_turn_without_a_fight_is_at_most_two_taps(house: House, flow: Flow):
    table = opened(house, die_spaces=["2"])
    with flow("Risk, an idle turn", most=2):
        table["Ann"].presses("No attack: move the Crown")
    with flow("Risk, an idle turn with a roll for the Crown", most=2):
        table["Ben"].presses("Done placing")
        table["Ben"].presses("Roll for the Crown")
    assert table["Cleo"].shows("Done placing")


def test_R9_a_turn_without_a_fight_is_at_most_two_taps_for_two_players(house: House, flow: Flow):
    table = opened(house, players=2)
    with flow("Risk, an idle turn of two players", most=2):
        table["Ann"].presses("Solomons' gang")
        table["Ann"].presses("No attack: move the Crown")
    assert table["Ben"].shows("Place 4 new members")
