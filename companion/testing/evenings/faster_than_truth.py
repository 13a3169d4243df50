"""Faster Than Truth: learning, express, a miscounted deal, challenges, gambles, five of a kind."""

from __future__ import annotations

from companion.game import Seat
from companion.games.faster_than_truth.challenges import Challenge, GoOn, LastCall, LetPass, Wait
from companion.games.faster_than_truth.corrections import PutCard
from companion.games.faster_than_truth.counting import CountAgain, EnterDeal, StopCount, TheyAreRight
from companion.games.faster_than_truth.effects import Flip, Gain, Hide, Lose, Pick, Reveal, Steal
from companion.games.faster_than_truth.express import Wins
from companion.games.faster_than_truth.intrigue_cards import Declare, Done, GoesFirst, Turned
from companion.games.faster_than_truth.penalty import TakeCard
from companion.games.faster_than_truth.setup import Setup
from companion.games.faster_than_truth.state import KINDS, Kind
from companion.testing.evenings.script import Script

DEAL: dict[int, Kind] = dict(enumerate(KINDS, 1))


def play(table: Script) -> None:
    learning(table)
    express(table)
    last = table.seats[-1]
    table.starts(Setup()).shows("deal, nobody has counted")
    for seat in table.seats[:-1]:
        table.taps(seat, EnterDeal(1 + int(seat) % 3, DEAL))
    table.shows("deal, all but one have counted")
    table.taps(last, EnterDeal(1, dict.fromkeys((1, 2, 3), "fists"))).shows("deal, it does not add up")
    for seat in table.seats[:-1]:
        table.taps(seat, TheyAreRight())
    table.taps(last, EnterDeal(1, DEAL)).shows("who goes first")
    table.taps(0, GoesFirst(Seat(1))).shows("declare, nothing yet")
    safe_card(table)
    robbery(table)
    gambles(table)
    five_of_a_kind(table)


def safe_card(table: Script) -> None:
    table.taps(1, Declare("Fixed Races at Cheltenham")).shows("challenge, all may")
    table.taps(2, Wait()).taps(0, Wait()).shows("challenge, somebody thinks").taps(0, GoOn()).taps(1, LastCall())
    table.shows("challenge, the fuse burns again")
    passes(table, stop=True)
    table.shows("challenge, all but one let it pass")
    passes(table)
    table.shows("turning, nobody challenges").taps(1, Turned("safe")).shows("effect, played it safe")
    table.taps(1, Gain(Seat(1), "coins")).shows("effect, a card gained").taps(1, Hide(Seat(1))).shows("asked to hide")
    table.taps(1, Pick(place_of(table, 1, hidden=False))).taps(1, Flip(1)).shows("effect, own cards flipped")
    table.taps(1, Reveal(Seat(2))).shows("asked to reveal").taps(2, Pick(place_of(table, 2, hidden=True)))
    table.taps(1, Done()).shows("declare, the second card")


def robbery(table: Script) -> None:
    """A challenge to a card that was played safe."""
    table.taps(1, Declare("Robbery")).taps(2, Challenge()).shows("turning, challenged")
    table.taps(1, Turned("safe")).shows("challenged, it was true")
    table.taps(1, Steal(Seat(3), "coins")).shows("asked to give").taps(3, Pick(place_of(table, 3, kind="coins")))
    table.taps(1, Lose(Seat(3), "crown")).shows("asked to lose").taps(3, Pick(place_of(table, 3, kind="crown")))
    table.taps(1, Done()).shows("taking after a true card").taps(1, TakeCard(1)).shows("second player's turn")


def gambles(table: Script) -> None:
    table.taps(2, Declare("Cover Up")).taps(3, Challenge()).taps(2, Turned("gamble")).shows(
        "challenged, it was a gamble"
    )
    table.taps(3, TakeCard(1))
    table.taps(2, Declare("Alibi"))
    passes(table)
    table.taps(2, Turned("gamble")).shows("a gamble that works").taps(2, Done())


def five_of_a_kind(table: Script) -> None:
    table.taps(0, CountAgain({})).shows("counting again").taps(0, StopCount())
    while not table.state.enough(Seat(1)):
        table.taps(0, PutCard(Seat(1), "coins"))
    table.shows("five of a kind")
    while not table.state.winner:
        seat = table.state.turn
        table.taps(seat, Declare("Alibi"))
        passes(table)
        table.taps(seat, Turned("safe")).taps(seat, Done())
    table.shows("winner")


def express(table: Script) -> None:
    """Challenges only: no deal, no stashes, four outcomes in words."""
    table.starts(Setup(express=True)).taps(0, GoesFirst(Seat(1))).shows("express, the first card")
    table.taps(1, Declare()).shows("express, challenge")
    passes(table)
    table.taps(1, Turned("gamble")).shows("express, nobody challenged a gamble").taps(1, Declare("Alibi"))
    passes(table)
    table.taps(1, Turned("safe")).taps(2, Declare()).taps(3, Challenge()).shows("express, challenged")
    table.taps(2, Turned("gamble")).shows("express, challenged and a gamble")
    table.taps(2, Declare()).taps(1, Challenge()).taps(2, Turned("safe")).shows("express, challenged and true")
    table.taps(3, Wins()).shows("express, winner")


def learning(table: Script) -> None:
    table.starts(Setup(learning=True)).shows("learning, deal")
    for seat in table.seats:
        table.taps(seat, EnterDeal(1, DEAL))
    table.taps(0, GoesFirst(Seat(1))).shows("learning, declare").taps(1, Declare("")).shows("learning, effect")


def passes(table: Script, *, stop: bool = False) -> None:
    for seat in table.state.undecided()[: -1 if stop else None]:
        table.taps(seat, LetPass())


def place_of(table: Script, seat: int, *, kind: Kind | None = None, hidden: bool | None = None) -> int:
    """The place of a matching card."""
    return next(
        place
        for place, card in enumerate(table.state.stashes[Seat(seat)], 1)
        if kind in (None, card.kind) and hidden in (None, card.hidden)
    )
