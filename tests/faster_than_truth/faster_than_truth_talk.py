"""Table talk for Faster Than Truth: stashes written as letters, taps as sentences.

A stash is written from left to right: M, P, C for Muscle, Prestige and Money (coins) face up, m, p, c for hidden ones.
"""

from __future__ import annotations

from typing import Any

from companion.game import Dice, NotAllowed, Seat, Step, Tap
from companion.games.faster_than_truth import GAME
from companion.games.faster_than_truth.challenges import Challenge, LetPass
from companion.games.faster_than_truth.intrigue_cards import Declare, Done, Turned
from companion.games.faster_than_truth.setup import Setup
from companion.games.faster_than_truth.state import KINDS, OF_EACH, Card, Kind, Play
from companion.testing import apply

LETTERS: dict[str, Kind] = {"m": "fists", "p": "crown", "c": "coins"}


def stash(letters: str) -> tuple[Card, ...]:
    return tuple(Card(LETTERS[letter.lower()], hidden=letter.islower()) for letter in letters)


def letters(cards: tuple[Card, ...]) -> str:
    names = {kind: letter for letter, kind in LETTERS.items()}
    return "".join(names[card.kind] if card.hidden else names[card.kind].upper() for card in cards)


def playing(
    *stashes: str, turn: int = 1, learning: bool = False, setup: Setup | None = None, **changes: object
) -> Play:
    """A game under way, with these stashes clockwise and the rest of the 54 cards in the reserve."""
    seats = tuple(Seat(n) for n in range(1, len(stashes) + 1))
    lying = {seat: stash(text) for seat, text in zip(seats, stashes, strict=True)}
    reserve = {kind: OF_EACH - sum(c.kind == kind for cards in lying.values() for c in cards) for kind in KINDS}
    return Play(setup or Setup(), seats, reserve, lying, turn=Seat(turn), learning=learning).but(**changes)


class Gang:
    """A group of players: each method is a tap and keeps the last step."""

    def __init__(self, state: Play) -> None:
        self.state = state
        self.step: Step | None = None

    def taps(self, seat: int, tap: Tap, dice: Dice | None = None) -> Gang:
        self.step = apply(GAME, self.state, seat, tap, dice)
        self.state = self.step.state
        return self

    def refused(self, seat: int, tap: Tap) -> str:
        """The sentence of the refusal, with its holes."""
        try:
            apply(GAME, self.state, seat, tap)
        except NotAllowed as why:
            return why.say.text
        raise AssertionError(f"{tap} was allowed")

    def declares(self, name: str = "Smuggle") -> Gang:
        return self.taps(self.state.turn, Declare(name))

    def nobody_challenges(self) -> Gang:
        for rival in self.state.undecided():
            self.taps(rival, LetPass())
        return self

    def challenges(self, seat: int) -> Gang:
        return self.taps(seat, Challenge())

    def turns(self, how: str) -> Gang:
        return self.taps(self.state.turn, Turned(how))

    def is_done(self) -> Gang:
        return self.taps(self.state.turn, Done())

    def plays_safe(self) -> Gang:
        """A whole card without any effect."""
        return self.declares().nobody_challenges().turns("safe").is_done()

    def effect(self) -> Gang:
        """A card turned over, with its effect still to resolve."""
        return self.declares().nobody_challenges().turns("safe")

    def stash(self, seat: int) -> str:
        return letters(self.state.stashes[Seat(seat)])

    @property
    def lines(self) -> list[str]:
        return [] if self.step is None else [told(line.say) for line in self.step.lines]


def told(say: Any) -> str:
    """A sentence as text, seats as #1, #2 …"""
    holes = {
        key: f"#{int(hole)}" if isinstance(hole, Seat) else hole if isinstance(hole, int | str) else told(hole)
        for key, hole in say.holes.items()
    }
    return say.text.format(**holes)
