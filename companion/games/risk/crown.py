"""The Crown: it moves at the end of every turn, waits on die spaces, and ends the game at the Garrison Tavern."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Say, Seat, Step, Tap
from companion.games.risk.setup import Space
from companion.games.risk.state import Underworld, replace
from companion.games.risk.turn import endings, needs_peace, needs_play

TurnNumber = Annotated[int, Meta(ge=0, le=99_999)]
"""How many turns came before: a double tap rolls or ends a turn once."""


class RollCrown(Tap, frozen=True, tag="RollCrown"):
    """The app rolls two dice for the Crown."""

    by: ClassVar[By] = "anybody"
    space: Space
    """The Crown's space when the button was drawn."""
    turn: TurnNumber


class TypeCrown(Tap, frozen=True, tag="TypeCrown"):
    """Type a roll of two real dice."""

    by: ClassVar[By] = "anybody"
    first: Annotated[int, Meta(title=N_("First die"), ge=1, le=6)]
    second: Annotated[int, Meta(title=N_("Second die"), ge=1, le=6)]
    space: Space
    turn: TurnNumber


class EndTurn(Tap, frozen=True, tag="EndTurn"):
    """Move the Crown one space and hand on the turn. Allowed in any step."""

    by: ClassVar[By] = "anybody"
    turn: TurnNumber


def advance(state: Underworld) -> tuple[Underworld, list[Say]]:
    """Move the Crown one space. At the Tavern the same player rolls straight away."""
    after = replace(state, crown=state.crown + 1).happens("crown", seat=state.current.seat, space=state.crown)
    if after.crown == after.last_space:
        there = replace(after, final=True).with_turn(step="finish", standing=after.standing(), fought=None)
        return there, [Say("The Crown reaches the Garrison Tavern.")]
    return after.pass_turn(), [Say("The Crown moves to space {n}.", n=after.crown)]


def end_turn(state: Underworld, seat: Seat, tap: EndTurn, dice: Dice) -> Step:
    needs_play(state)
    if tap.turn != len(state.chart):
        raise NotAllowed("That turn is already over.")
    needs_peace(state, seat)
    lines: list[Say] = []
    if not state.setup.crown:
        after = state.pass_turn()
    elif state.crown_rolls:
        raise NotAllowed("Roll for the Crown first.")
    else:
        after, lines = advance(replace(state, crown_roll=None))
    return Step(after, *lines)


def judge(state: Underworld, first: int, second: int) -> Step:
    """More than 6 moves the Crown on. At the Tavern it falls instead, but wins with a double six."""
    name, total = state.current.seat, first + second
    rolled = replace(state, crown_roll=(first, second))
    line = Say("{name} rolls {a} and {b} for the Crown.", name=name, a=first, b=second)
    if state.crown == state.last_space:
        if total == 12:
            after, lines = replace(rolled, ending="crown").mark(), []
        elif total > 6:
            after, lines = replace(rolled, ending="fallen").mark(), [Say("The Crown falls.")]
        else:
            after, lines = rolled.pass_turn(), [Say("The Crown holds out at the Tavern.")]
        after = after.happens("lastroll", seat=name, space=state.crown)
    elif total > 6:
        after, lines = advance(rolled)
    else:
        after = rolled.pass_turn().happens("crown", seat=name, space=state.crown)
        lines = [Say("The Crown stays on space {n}.", n=state.crown)]
    return Step(after, line, *lines, *endings(state, after))


def needs_roll(state: Underworld, seat: Seat, tap: RollCrown | TypeCrown) -> None:
    needs_play(state)
    if (tap.space, tap.turn) != (state.crown, len(state.chart)):
        raise NotAllowed("Somebody already made that roll.")
    needs_peace(state, seat)
    if not state.setup.crown or not state.crown_rolls:
        raise NotAllowed("No dice needed here: end the turn, and the Crown moves on.")


def roll_crown(state: Underworld, seat: Seat, tap: RollCrown, dice: Dice) -> Step:
    needs_roll(state, seat, tap)
    return judge(state, dice.roll(), dice.roll())


def type_crown(state: Underworld, seat: Seat, tap: TypeCrown, dice: Dice) -> Step:
    needs_roll(state, seat, tap)
    return judge(state, tap.first, tap.second)
