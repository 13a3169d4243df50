"""A recorded game: what every seat and the shared screen show after each tap.

Run with COMPANION_RECORD=1 to record it again; a difference is a changed rule or a changed word.
"""

from __future__ import annotations

import re
from pathlib import Path

from faster_than_truth_talk import Gang, told

from companion.engine.snapshot import as_data
from companion.game import KEEP, TABLE, Dice, Seat, Tap, TimeIsUp
from companion.games.faster_than_truth import GAME
from companion.games.faster_than_truth.challenges import Challenge, GoOn, LetPass, Wait
from companion.games.faster_than_truth.corrections import PutCard
from companion.games.faster_than_truth.counting import EnterDeal, TheyAreRight
from companion.games.faster_than_truth.effects import Flip, Gain, HaveNone, Pick, Steal
from companion.games.faster_than_truth.express import Wins
from companion.games.faster_than_truth.intrigue_cards import Declare, Done, GoesFirst, Turned
from companion.games.faster_than_truth.penalty import TakeCard
from companion.games.faster_than_truth.rules import start
from companion.games.faster_than_truth.setup import Setup
from companion.testing import NAMES, Easel, compare, text_of

RECORD = Path(__file__).with_name("playthrough.txt")
ANN, BEN, CLEO = Seat(1), Seat(2), Seat(3)

GAME_PLAYED: list[tuple[Seat, Tap]] = [
    (ANN, EnterDeal(1, {1: "coins", 2: "coins", 3: "fists"})),
    (BEN, EnterDeal(2, {1: "crown", 2: "crown", 3: "coins"})),
    # Cleo enters a wrong card: the table only learns that the sum is wrong.
    (CLEO, EnterDeal(3, {1: "fists", 2: "fists", 3: "fists"})),
    (ANN, TheyAreRight()),
    (BEN, TheyAreRight()),
    (CLEO, EnterDeal(3, {1: "fists", 2: "crown", 3: "fists"})),
    (TABLE, GoesFirst(ANN)),
    # A safe card that nobody challenges.
    (ANN, Declare("Fixed Races")),
    (BEN, Wait()),
    (BEN, GoOn()),
    # The fuse runs out.
    (TABLE, TimeIsUp()),
    (ANN, Turned("safe")),
    (ANN, Gain(ANN, "coins")),
    (ANN, Done()),
    # A safe card that Ben challenges: it works, and Ann takes a hidden card from him.
    (ANN, Declare("Robbery")),
    (BEN, Challenge()),
    (ANN, Turned("safe")),
    (ANN, Steal(CLEO, "coins")),
    (CLEO, HaveNone()),
    (ANN, Steal(CLEO, "crown")),
    (CLEO, Pick(2)),
    (ANN, Done()),
    (ANN, TakeCard(3)),
    # A gamble that Cleo sees through.
    (BEN, Declare("Fixed Races")),
    (CLEO, Challenge()),
    (BEN, Turned("gamble")),
    (CLEO, TakeCard(1)),
    # A gamble that works.
    (BEN, Declare("")),
    (CLEO, LetPass()),
    (ANN, LetPass()),
    (BEN, Turned("gamble")),
    (BEN, Flip(1)),
    (BEN, Done()),
    # The table adds a forgotten card: Ann has five of a kind.
    (CLEO, PutCard(ANN, "coins")),
    (CLEO, Declare("Alibi")),
    (ANN, LetPass()),
    (BEN, LetPass()),
    (CLEO, Turned("safe")),
    (CLEO, Done()),
    (CLEO, Declare("Alibi")),
    (ANN, LetPass()),
    (BEN, LetPass()),
    (CLEO, Turned("safe")),
    # Ann's turn starts, and she still has them.
    (CLEO, Done()),
]

EXPRESS_PLAYED: list[tuple[Seat, Tap]] = [
    (TABLE, GoesFirst(ANN)),
    (ANN, Declare("")),
    (TABLE, TimeIsUp()),
    (ANN, Turned("safe")),
    (ANN, Declare("Robbery")),
    (CLEO, Challenge()),
    (ANN, Turned("gamble")),
    (BEN, Wins()),
]


def region(html: str, name: str) -> str:
    """A part of a screen as text, without folded parts and without the suspense of a moment."""
    found = re.search(rf"<!-- {name} -->(.*?)(<!-- \w+ -->|$)", html, re.S).group(1)
    found = re.sub(r'<div class="suspense.*?</div>', "", found, flags=re.S)
    return text_of(re.sub(r"<details.*?</details>", "", found, flags=re.S))


def screens(easel: Easel, gang: Gang, alarm: float | None = None) -> list[str]:
    """The moment, the stage, its buttons, and each phone's card."""
    shared = easel.draw(GAME, gang.state, TABLE, alarm_at=alarm)
    phones = {seat: easel.draw(GAME, gang.state, seat, alarm_at=alarm) for seat in gang.state.seats}
    assert len({region(html, "table") for html in phones.values()}) == 1
    moment = re.search(r'data-moment="([^"]+)"', shared)
    return [
        f"  stage: {region(shared, 'stage')}",
        *([f"  moment: {moment[1]}"] if moment else []),
        f"  buttons: {region(shared, 'acts')}",
        *(f"  {NAMES[seat - 1]}: {region(html, 'you')}" for seat, html in phones.items()),
    ]


def recorded(easel: Easel, setup: Setup, played: list[tuple[Seat, Tap]]) -> list[str]:
    gang = Gang(start(setup, (ANN, BEN, CLEO), Dice()).state)
    story = ["\n".join(["An express game starts." if setup.express else "The game starts.", *screens(easel, gang)])]
    alarm: float | None = None
    for seat, tap in played:
        gang.taps(seat, tap)
        alarm = alarm if gang.step.alarm == KEEP else gang.step.alarm
        who = "The shared screen" if seat == TABLE else NAMES[seat - 1]
        fields = ", ".join(f"{key}={value}" for key, value in as_data(tap).items() if key != "tap" and value)
        said = [f"  > {told(line.say)}" for line in gang.step.lines]
        story.append("\n".join([f"{who}: {type(tap).__name__}({fields})", *said, *screens(easel, gang, alarm)]))
    return story


def test_the_recorded_game_is_unchanged(easel):
    story = recorded(easel, Setup(), GAME_PLAYED)
    express = recorded(easel, Setup(express=True), EXPRESS_PLAYED)
    compare(RECORD, story + express)
    assert "Ann wins" in story[-1]
    assert "Ben wins" in express[-1]
