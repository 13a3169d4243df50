"""How Faster Than Truth starts and ends, and all its rules."""

from __future__ import annotations

from companion.game import Dice, Result, Rule, Seat, Step, Tap
from companion.games.faster_than_truth import corrections, counting, effects, intrigue_cards, penalty
from companion.games.faster_than_truth.setup import Setup
from companion.games.faster_than_truth.state import KINDS, NAME_LENGTH, OF_EACH, Count, Play


def start(setup: Setup, seats: tuple[Seat, ...], dice: Dice) -> Step:
    """As many of each kind as there are players are dealt, three to each; the rest is the reserve."""
    left = OF_EACH - len(seats)
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
            count=Count(dict.fromkeys(KINDS, left), deal=True),
        )
    )


def result(play: Play) -> Result | None:
    return Result((play.winner,)) if play.winner else None


RULES: dict[type[Tap], Rule] = {
    **counting.RULES,
    **intrigue_cards.RULES,
    **penalty.RULES,
    **effects.RULES,
    **corrections.RULES,
}
