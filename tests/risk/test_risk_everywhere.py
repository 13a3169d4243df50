"""Promises that every game keeps, tested for Risk (N9, S8, S11, S12), and the result of a game."""

from __future__ import annotations

import re

from risk_talk import ANN, BEN, CLEO, Board, filled, opened
from selectolax.lexbor import LexborHTMLParser

from companion.game import TABLE
from companion.games.risk import GAME
from companion.games.risk.battle import Attack, Retreat
from companion.games.risk.corrections import CountUp
from companion.games.risk.opening import Begin, ChooseGang, Starts
from companion.games.risk.state import Underworld
from companion.games.risk.turn import Onward
from companion.games.risk.view import turn_view
from companion.testing import Easel, House


def test_N9_history_has_events_and_no_steps(house: House):
    table = opened(house)
    ann = table["Ann"]
    before = len(ann.lines())
    ann.presses("Done placing")
    ann.presses("3", loser=2, attackers=4)
    ann.presses("Call it off")
    assert len(ann.lines()) == before
    ann.presses("Take one from Ben")
    ann.presses("Stop attacking")
    ann.presses("Move the Crown and end the turn")
    assert ann.lines()[: len(ann.lines()) - before] == [
        "The Crown moves to space 2.",
        "Ann takes a territory from Ben.",
    ]


def test_N9_a_fight_adds_history_lines_only_when_it_is_over():
    board = Board(3).at("attack").tap(ANN, Attack(2, 9, 9)).rolled(1, 1, 1, 6, 6)
    assert not board.lines
    assert board.tap(ANN, Retreat()).lines[0] == "Ann retreats from Ben with 7 attackers."


def test_a_step_without_a_history_line_can_be_taken_back(house: House):
    ann = opened(house)["Ann"]
    ann.presses("Done placing")
    assert ann.presses("Take back: the last step").shows("takes back: the last step")
    assert ann.shows("Done placing")


def test_S8_waiting_phones_name_who_has_to_act(house: House):
    table = house.opens("risk")
    for name in ("Ann", "Ben", "Cleo"):
        table.sits(name)
    table.starts()["Ann"].presses("IRA")
    assert table["Ann"].shows("Still without a gang: Ben and Cleo.")
    table["Ann"].presses("Ben", tap="Starts")
    table["Ann"].presses("Everything is placed")
    assert table["Cleo"].shows("Ben places members")
    table["Ben"].presses("Done placing")
    assert table["Ann"].shows("Ben attacks")
    table["Ben"].presses("3", loser=2, attackers=4)
    assert table["Ann"].shows("Ben attacks")
    assert table["Ann"].shows("Ben rolls.")
    table["Ben"].presses("Call it off")
    table["Ben"].taps("Onward", step="finish")
    assert table["Ann"].shows("Ben finishes the turn")


def test_S11_one_person_has_one_symbol_everywhere(house: House):
    table = opened(house)
    seen = set()
    for person in (table["Ben"], table.shared):
        for node in LexborHTMLParser(person.page().html).css(".gangs li, .gang-bar"):
            if "Ann" in node.text():
                seen.add(re.search(r"\bb\d+\b", node.attributes["class"]).group())
    table.shared.taps("CountUp")
    chips = LexborHTMLParser(table["Ben"].reads("night").html).css(".chip")
    seen |= {re.search(r"\bb\d+\b", chip.attributes["class"]).group() for chip in chips if "Ann" in chip.text()}
    assert len(seen) == 1


def test_S12_the_crown_comes_first_on_the_tab_and_a_fight_moves_nothing(easel: Easel):
    board = Board(3)
    for state in (
        board.state,
        board.at("attack").state,
        board.tap(ANN, Attack(2, 5, 3)).state,
        board.rolled(*[6] * 5).state,
    ):
        tab = LexborHTMLParser(easel.draw(GAME, state, CLEO).partition("<!-- table -->")[2].partition("<!--")[0])
        assert [node.text() for node in tab.css("h2")] == ["The Crown", "Territories"]


def test_the_result_has_everybodys_gang_and_who_started():
    board = Board(3, begun=False).tap(ANN, ChooseGang(ANN, 5)).tap(ANN, Starts(BEN)).tap(ANN, Begin())
    result = board.tap(TABLE, CountUp()).result
    assert result.starter == BEN
    assert {seat: filled(role) for seat, role in result.roles.items()}[ANN] == "IRA"


def test_a_table_stored_in_the_middle_of_an_old_step_plays_on():
    board = Board(3)
    board.state = Underworld.with_turn(board.state, step="draw")
    assert turn_view(board.state).step == "finish"
    board.refuses(ANN, Onward("finish"), "past that step").ends()
