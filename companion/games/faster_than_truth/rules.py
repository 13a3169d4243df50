"""How Faster Than Truth starts and ends, and the table of all its rules."""

from __future__ import annotations

from companion.game import Dice, Result, Rule, Seat, Step, Tap
from companion.games.faster_than_truth import (
    challenges,
    corrections,
    counting,
    effects,
    express,
    intrigue_cards,
    penalty,
)
from companion.games.faster_than_truth.setup import Setup
from companion.games.faster_than_truth.state import KINDS, NAME_LENGTH, OF_EACH, Count, Play


def start(setup: Setup, seats: tuple[Seat, ...], dice: Dice) -> Step:
    """Deal one card of each kind per player, three cards each; an express game tracks no cards."""
    left = OF_EACH - len(seats) if not setup.express else OF_EACH
    names: tuple[str, ...] = ()
    for name in (setup.names or "").split(","):
        if tidied := intrigue_cards.tidy(name)[:NAME_LENGTH].strip():
            names = intrigue_cards.offered(names, tidied)
    return Step(
        Play(
            setup,
            seats,
            reserve=dict.fromkeys(KINDS, left),
            stashes=dict.fromkeys(seats, ()),
            learning=setup.learning,
            names=names,
            count=None if setup.express else Count(dict.fromkeys(KINDS, left), deal=True),
        )
    )


def result(play: Play) -> Result | None:
    return Result((play.winner,), starter=play.first or None) if play.winner else None


RULES: dict[type[Tap], Rule] = {
    **counting.RULES,
    **intrigue_cards.RULES,
    **challenges.RULES,
    **express.RULES,
    **penalty.RULES,
    **effects.RULES,
    **corrections.RULES,
}
