"""A fight as everybody sees it: both sides, the exact odds, the rolls of the last tap."""

from __future__ import annotations

import msgspec

from companion.game import Say, SayN
from companion.games.risk.battle import dice_of, lost_in
from companion.games.risk.chances import fight as odds_of
from companion.games.risk.state import FightEnd, Round, Underworld

ROWS = 6
"""Most rolls drawn; earlier ones are only counted."""
MOST_KEPT = 9
"""Largest number of attackers to keep that has a button."""


class RollView(msgspec.Struct, frozen=True):
    """One roll, and the members left after it."""

    roll: Round
    attackers: int
    defenders: int


class FightView(msgspec.Struct, frozen=True):
    """An open fight with its exact odds."""

    attacker: int
    loser: int
    attackers: int
    defenders: int
    stronghold: bool
    place: str
    conquer: float
    """The attacker's chance to win the territory."""
    width: float
    attackers_lost: float
    defenders_lost: float
    black: int
    red: int
    so_far: int
    lost: tuple[int, int]
    """Members that the attacker and the defender lost in the whole fight."""
    run: tuple[RollView, ...]
    """The rolls of the last tap, in order."""
    earlier: int
    """Rolls of the last tap that are not drawn."""
    came: tuple[int, int]
    """Members on both sides before the last tap."""
    keeps: tuple[int, ...]
    """Numbers of attackers at which the app can stop."""
    table_losses: tuple[int, ...]
    """Numbers of attackers that one roll of real dice can cost."""


class FoughtView(msgspec.Struct, frozen=True):
    """How the last fight ended, and the rolls that decided it."""

    attacker: int
    loser: int
    end: FightEnd
    words: Say
    place: str
    attackers: int
    defenders: int
    stronghold: bool
    lost: tuple[int, int]
    """Members that the attacker and the defender lost in the whole fight."""
    run: tuple[RollView, ...]
    earlier: int
    came: tuple[int, int]


def run_of(rolls: tuple[Round, ...], attackers: int, defenders: int) -> tuple[RollView, ...]:
    """Return each roll with the members left after it, counted back from the end."""
    found = []
    for roll in reversed(rolls):
        found.append(RollView(roll, attackers, defenders))
        attackers, defenders = attackers + roll.attackers_lost, defenders + roll.defenders_lost
    return tuple(reversed(found))


def fight_view(state: Underworld) -> FightView | None:
    now = state.current.fight
    if now is None:
        return None
    odds = odds_of(now.attackers, now.defenders, now.stronghold)
    black, red = dice_of(now)
    rolls = state.happened.rolls if now.rounds and state.happened else 0
    last = now.rounds[len(now.rounds) - max(rolls, 1) :]
    run, gone = run_of(last, now.attackers, now.defenders), lost_in(last)
    pairs = min(black, red)
    return FightView(
        state.gang_of(state.current.seat).number, now.loser, now.attackers, now.defenders, now.stronghold, now.place,
        conquer=odds.conquer, width=round(100 * odds.conquer, 1),
        attackers_lost=odds.attackers_lost, defenders_lost=odds.defenders_lost,
        black=black, red=red, so_far=len(now.rounds), lost=lost_in(now.rounds),
        run=run[-ROWS:], earlier=max(0, len(run) - ROWS), came=(now.attackers + gone[0], now.defenders + gone[1]),
        keeps=tuple(range(1, min(now.attackers, MOST_KEPT + 1))), table_losses=tuple(range(pairs + 1)),
    )  # fmt: skip


def fought_view(state: Underworld) -> FoughtView | None:
    last = None if state.turn is None else state.turn.fought
    if last is None:
        return None
    name, loser = state.current.seat, state.gang(last.loser).called()
    if last.end == "conquered":
        words: Say = SayN(
            "{name} conquers it. {n} attacker is left.",
            "{name} conquers it. {n} attackers are left.",
            n=last.attackers,
            name=name,
        )
    elif last.end == "held":
        words = SayN(
            "{loser} holds out with {n} defender.",
            "{loser} holds out with {n} defenders.",
            n=last.defenders,
            loser=loser,
        )
    else:
        words = SayN(
            "{name} retreats with {n} attacker.", "{name} retreats with {n} attackers.", n=last.attackers, name=name
        )
    rolls = last.run or (last.roll,)
    run, gone = run_of(rolls, last.attackers, last.defenders), lost_in(rolls)
    return FoughtView(
        state.gang_of(name).number, last.loser, last.end, words, last.place, last.attackers, last.defenders,
        last.roll.stronghold, last.lost if last.run else gone, run[-ROWS:], max(0, len(run) - ROWS),
        (last.attackers + gone[0], last.defenders + gone[1]),
    )  # fmt: skip
