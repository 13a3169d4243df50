"""The moments that the stage plays: rolls, conquests, the Crown, eliminations, cards, the winner."""

from __future__ import annotations

import msgspec

from companion.game import Moment, Say, SayN, Seat, listed
from companion.games.risk.battle import held_words, lost_in
from companion.games.risk.fight_view import ROWS
from companion.games.risk.state import Happened, HappenedKind, Underworld

# Seconds. Three numbers are curtain, hold and reveal.
SHORT = {"battle": 1.0, "conquest": 1.6, "crown": 1.4, "mission": 2.6, "power": 2.6}
"""Reveal only: everybody has already seen these happen."""
DICE = (0.5, 1.5, 2.0)
LAST = (0.7, 2.6, 3.2)
"""The last roll decides the game, so it takes longest."""
OUT = (0.5, 1.3, 2.0)
WON = (0.7, 1.5, 2.2)
BEAT = 0.5
"""Between two rolls of one tap."""


class Staged(msgspec.Struct, frozen=True):
    """What the stage shows only while a moment plays."""

    kind: HappenedKind
    headline: Say
    by: int
    """The gang of the player who did it, or 0."""
    gang: int
    """The gang it happened to, or 0."""
    space: int
    roll: tuple[int, int] | None
    text: str
    members: int


def staged(state: Underworld) -> Staged | None:
    seen = state.happened
    if seen is None:
        return None
    by = 0 if seen.seat is None else state.gang_of(seen.seat).number
    roll = state.crown_roll if seen.kind in ("crown", "lastroll") else None
    return Staged(seen.kind, headline(state, seen), by, seen.gang, seen.space, roll, seen.text, seen.members)


def moment_of(state: Underworld) -> Moment | None:
    """Return the moment for the last event. Rolls for the Crown have a curtain, fights don't."""
    seen = state.happened
    if seen is None:
        return None
    who: tuple[Seat, ...] = () if seen.seat is None else (seen.seat,)
    curtain, hold, reveal = 0.0, 0.0, SHORT.get(seen.kind, 1.0) + BEAT * max(0, min(seen.rolls, ROWS) - 1)
    if seen.kind == "crown" and state.crown_roll is not None:
        curtain, hold, reveal = DICE
    elif seen.kind == "lastroll":
        curtain, hold, reveal = LAST
    elif seen.kind == "eliminated":
        curtain, hold, reveal = OUT
    elif seen.kind == "winner":
        curtain, hold, reveal = WON
        who = state.winners()
    return Moment(
        seen.kind, seen.n, who, figures(state, seen), headline(state, seen),
        curtain=curtain, hold=hold, reveal=reveal,
    )  # fmt: skip


def figures(state: Underworld, seen: Happened) -> tuple[int, ...]:
    """Return the numbers of the event. All of them are public."""
    if seen.kind in ("crown", "lastroll"):
        return (seen.space, state.crown, *(state.crown_roll or ()))
    if seen.kind in ("mission", "power"):
        return (seen.members,)
    return ()


def headline(state: Underworld, seen: Happened) -> Say:
    name: Seat | str = "" if seen.seat is None else seen.seat
    loser = state.gang(seen.gang).called() if seen.gang else ""
    if seen.kind == "conquest" and seen.place:
        return Say("{name} takes {place} from {loser}.", name=name, place=seen.place, loser=loser)
    if seen.kind == "conquest":
        return Say("{name} takes a territory from {loser}.", name=name, loser=loser)
    if seen.kind == "eliminated":
        return Say("{gang} is out.", gang=loser)
    if seen.kind == "mission":
        return Say("{name} completes a mission.", name=name)
    if seen.kind == "power":
        return Say("{name} plays a Power card.", name=name)
    if seen.kind in ("crown", "lastroll"):
        return crowned(state, seen)
    if seen.kind == "winner":
        return won(state)
    return after_the_roll(state, seen, name, loser)


def after_the_roll(state: Underworld, seen: Happened, name: Seat | str, loser: Seat | str) -> Say:
    """Return what the last rolls cost, or who held out."""
    turn = state.turn
    if turn is not None and turn.fight is not None and turn.fight.rounds:
        lost, won = lost_in(turn.fight.rounds[-max(seen.rolls, 1) :])
        # Translators: {lost} and {won} are numbers of gang members
        return Say("{name} loses {lost}, {loser} loses {won}.", name=name, loser=loser, lost=lost, won=won)
    return held_words(name, loser, seen.place)


def crowned(state: Underworld, seen: Happened) -> Say:
    if state.ending == "crown":
        return Say("The Crown wins.")
    if state.ending == "fallen":
        return Say("The Crown falls.")
    if seen.kind == "lastroll":
        return Say("The Crown holds out.")
    if seen.space == state.crown:
        return Say("The Crown stays.")
    if state.crown == state.last_space:
        return Say("The Crown reaches the Garrison Tavern.")
    return Say("The Crown moves on.")


def won(state: Underworld) -> Say:
    winners = state.winners()
    if not winners:
        return Say("The Crown wins.")
    if len(winners) > 1:
        return Say("{names} share the win.", names=listed(winners))
    most = state.gang_of(winners[0]).territories
    return SayN("{name} wins with {n} territory.", "{name} wins with {n} territories.", n=most, name=winners[0])
