"""A recorded game: every screen after each tap, compared with playthrough.txt.

A difference means that a rule or a word has changed. If you meant it, record it again:
COMPANION_RECORD=1 pytest tests/risk/test_risk_playthrough.py
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from risk_talk import ANN, BEN, Board, filled

from companion.game import TABLE, Seat, Tap
from companion.games.risk import GAME
from companion.games.risk.battle import Attack, Lost, Retreat, RollFight
from companion.games.risk.cards import AddBlade, Trade
from companion.games.risk.corrections import FixCounts, FixCrown
from companion.games.risk.crown import EndTurn, RollCrown, TypeCrown
from companion.games.risk.missions import AddMission, Claim, HoldMission, PlayPower, TurnPower
from companion.games.risk.opening import Begin, ChooseGang, Starts
from companion.games.risk.places import HoldPlaces, NamePlace
from companion.games.risk.turn import Conquer, HoldRegion, LatePlaced, MoreMembers, Onward, Reinforce
from companion.testing import Easel, text_of

RECORD = Path(__file__).with_name("playthrough.txt")
NAMES = {TABLE: "Shared screen", ANN: "Ann", BEN: "Ben"}

Move = tuple[Seat, Tap] | tuple[Seat, Tap, tuple[int, ...]]
GAME_OF_TWO: list[Move] = [
    (ANN, ChooseGang(ANN, 1)),
    (BEN, ChooseGang(BEN, 4)),
    (BEN, Starts(ANN)),
    (TABLE, Begin()),
    (BEN, NamePlace("Cork", 2, stronghold=True)),
    (BEN, HoldPlaces(4, ("Cork",))),
    (ANN, AddMission("Hold Cork", 5, 1, ("Cork",))),
    (ANN, AddMission("Hold Dublin", 3, 1)),
    (ANN, HoldMission(2)),
    (ANN, TurnPower("Borrow a die", "keep")),
    (ANN, HoldRegion(1, 1)),
    (ANN, Reinforce(2)),
    (ANN, Onward("attack")),
    (ANN, Attack(attackers=4, defenders=2, place="Cork")),
    (ANN, Lost(1, 0)),
    (ANN, RollFight(1, until=0), (3, 3, 2, 3, 6, 5, 1)),
    (ANN, Attack(3, 3, 3)),
    (ANN, Retreat()),
    (ANN, Conquer(5)),
    (ANN, Onward("finish")),
    (ANN, AddBlade(2)),
    (ANN, AddBlade(1)),
    (ANN, EndTurn(1)),
    (BEN, TurnPower("The police take two of yours", "play")),
    (BEN, MoreMembers(2, "A favour")),
    (BEN, Reinforce(3)),
    (BEN, Onward("attack")),
    (ANN, PlayPower(4)),
    (BEN, Conquer(1)),
    (TABLE, Onward("finish")),
    (BEN, RollCrown(2, 2), (2, 2)),
    (ANN, Claim(1)),
    (ANN, Reinforce(2)),
    (ANN, Onward("attack")),
    (ANN, Trade((5,), picked=True, weigh=True)),
    (ANN, Trade((5, 6), picked=True)),
    (ANN, LatePlaced()),
    (ANN, TypeCrown(4, 3, 2, 3)),
    (BEN, FixCounts({1: 12, 4: 13})),
    (BEN, FixCrown(7)),
    (BEN, Reinforce(5)),
    (BEN, EndTurn(4)),
    (BEN, TypeCrown(1, 1, 8, 4)),
    (ANN, Reinforce(5)),
    (ANN, Onward("finish")),
    (ANN, TypeCrown(5, 3, 8, 5)),
]


def parts(html: str) -> dict[str, str]:
    """Return the text of a screen by region."""
    html = re.sub(r"<select.*?</select>", "[choose]", html, flags=re.S)
    found = re.split(r"<!-- (\w+) -->\n", html)[1:]
    return {name: text_of(part) for name, part in zip(found[::2], found[1::2], strict=True)}


def told(easel: Easel) -> str:
    board = Board(2, begun=False, length=8, die_spaces=(2,), bonus={1: 4}, names=True)
    story, known = ["A game of two: 8 spaces, a die on space 2, region 1 brings 4.\n"], dict[str, str]()
    for move in GAME_OF_TWO:
        seat, tap, faces = (*move, ()) if len(move) == 2 else move
        board.tap(seat, tap, *faces)
        story.append(f"\n== {NAMES[seat]} taps {tap!r}\n")
        story += [f"   {line}\n" for line in map(filled, (line.say for line in board.last.lines))]
        screens = {"The stage": parts(easel.draw(GAME, board.state, -1))["stage"]}
        screens["Shared screen"] = parts(easel.draw(GAME, board.state, TABLE))["acts"]
        for viewer in (ANN, BEN):
            phone = parts(easel.draw(GAME, board.state, viewer))
            screens["Tab Table"] = phone["table"]
            screens[NAMES[viewer]] = phone["you"]
            screens[f"{NAMES[viewer]}, tab Mine"] = phone["mine"]
        for name, text in screens.items():
            story.append(f"-- {name}: {text if known.get(name) != text else 'as before'}\n")
        known = screens
    return "".join(story)


def test_the_game_goes_as_it_was_recorded(easel: Easel):
    story = told(easel)
    if os.environ.get("COMPANION_RECORD"):
        RECORD.write_text(story)
    assert story == RECORD.read_text()


def test_the_recorded_game_has_an_end():
    assert "wins with" in RECORD.read_text() or "share the win with" in RECORD.read_text()
