"""A fight for one territory: the app's dice or those of the table, losses by the book, retreat at any time."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Say, Seat, Step, Tap
from companion.games.risk.chances import BLACK, MOST_MEMBERS, RED, losses
from companion.games.risk.setup import Which
from companion.games.risk.state import Fight, FightEnd, Fought, Round, Underworld, replace
from companion.games.risk.turn import endings, needs_turn, taken, takes

Members = Annotated[int, Meta(title=N_("Members"), ge=1, le=MOST_MEMBERS)]
Die = Annotated[int, Meta(title=N_("Die"), ge=1, le=6)]


class Attack(Tap, frozen=True, tag="Attack"):
    """So many go in, so many defend. Whoever stays behind to guard is not counted."""

    by: ClassVar[By] = "anybody"
    loser: Which
    attackers: Members
    defenders: Members
    stronghold: bool = False


class RollFight(Tap, frozen=True, tag="RollFight"):
    """The app rolls for both sides, in front of everyone."""

    by: ClassVar[By] = "anybody"
    round: Annotated[int, Meta(ge=0, le=9_999)]
    """How many rolls there have been: two fingers roll once."""


class TypeFight(Tap, frozen=True, tag="TypeFight"):
    """Dice rolled on the table."""

    by: ClassVar[By] = "anybody"
    black: tuple[Die, ...]
    red: tuple[Die, ...]


class Retreat(Tap, frozen=True, tag="Retreat"):
    by: ClassVar[By] = "anybody"


class FixFight(Tap, frozen=True, tag="FixFight"):
    """Other numbers than the app counted: a Power card, a mistake."""

    by: ClassVar[By] = "anybody"
    attackers: Members
    defenders: Members
    stronghold: bool = False


def the_fight(state: Underworld, seat: Seat) -> Fight:
    needs_turn(state, seat)
    if state.current.fight is None:
        raise NotAllowed("Nobody is fighting now.")
    return state.current.fight


def attack(state: Underworld, seat: Seat, tap: Attack, dice: Dice) -> Step:
    needs_turn(state, seat)
    turn = state.current
    if turn.step != "attack":
        raise NotAllowed("Fights belong to the attack, the second step of a turn.")
    if turn.fight is not None:
        raise NotAllowed("Finish the fight first, or retreat.")
    loser = state.gang(tap.loser)
    if loser.seat == turn.seat:
        raise NotAllowed("That is your own gang.")
    if not loser.territories:
        raise NotAllowed("{gang} holds no territory.", gang=loser.called())
    fight = Fight(tap.loser, tap.attackers, tap.defenders, tap.stronghold)
    words = (
        N_("{name} attacks a stronghold of {loser}: {a} against {d}.")
        if tap.stronghold
        else N_("{name} attacks {loser}: {a} against {d}.")
    )
    return Step(
        state.with_turn(fight=fight, fought=None),
        Say(words, name=turn.seat, loser=loser.called(), a=tap.attackers, d=tap.defenders),
    )


def over(state: Underworld, fight: Fight, end: FightEnd) -> Underworld:
    """The fight is over, and everybody still sees the roll that decided it."""
    last = Fought(fight.loser, end, fight.attackers, fight.defenders, fight.rounds[-1]) if fight.rounds else None
    return state.with_turn(fight=None, fought=last)


def fought(state: Underworld, fight: Fight, black: tuple[int, ...], red: tuple[int, ...]) -> Step:
    """Highest against highest; the last defender gone, the territory is taken; the last attacker gone, it is held."""
    black, red = tuple(sorted(black, reverse=True)), tuple(sorted(red, reverse=True))
    lost, won = losses(black, red, fight.stronghold)
    after = replace(
        fight,
        attackers=fight.attackers - lost,
        defenders=fight.defenders - won,
        rounds=(*fight.rounds, Round(black, red, lost, won, fight.stronghold)),
    )
    turn, loser = state.current, state.gang(fight.loser)
    line = Say(
        "{name} rolls {black}, {loser} rolls {red}: {lost} and {won} lost.",
        name=turn.seat, loser=loser.called(), lost=lost, won=won,
        black="·".join(map(str, black)), red="·".join(map(str, red)),
    )  # fmt: skip
    if after.defenders == 0:
        ended = over(state, after, "conquered")
        then = taken(ended, fight.loser)
        return Step(then, line, *takes(ended, then, fight.loser))
    if after.attackers == 0:
        held = Say("{loser} holds out against {name}.", name=turn.seat, loser=loser.called())
        return Step(over(state, after, "held").happens("battle", seat=turn.seat, gang=fight.loser), line, held)
    return Step(state.with_turn(fight=after).happens("battle", seat=turn.seat, gang=fight.loser), line)


def dice_of(fight: Fight) -> tuple[int, int]:
    """One black die for each attacker, at most three; one red for each defender, at most two."""
    return min(BLACK, fight.attackers), min(RED, fight.defenders)


def roll_fight(state: Underworld, seat: Seat, tap: RollFight, dice: Dice) -> Step:
    fight = the_fight(state, seat)
    if tap.round != len(fight.rounds):
        raise NotAllowed("That roll has been made.")
    black, red = dice_of(fight)
    return fought(state, fight, tuple(dice.roll() for _ in range(black)), tuple(dice.roll() for _ in range(red)))


def type_fight(state: Underworld, seat: Seat, tap: TypeFight, dice: Dice) -> Step:
    fight = the_fight(state, seat)
    black, red = dice_of(fight)
    if (len(tap.black), len(tap.red)) != (black, red):
        raise NotAllowed("This roll takes {black} black and {red} red dice.", black=black, red=red)
    return fought(state, fight, tap.black, tap.red)


def retreat(state: Underworld, seat: Seat, tap: Retreat, dice: Dice) -> Step:
    fight = the_fight(state, seat)
    line = Say("{name} retreats with {n}.", name=state.current.seat, n=fight.attackers)
    return Step(over(state, fight, "retreated"), line)


def fix_fight(state: Underworld, seat: Seat, tap: FixFight, dice: Dice) -> Step:
    fight = the_fight(state, seat)
    after = replace(fight, attackers=tap.attackers, defenders=tap.defenders, stronghold=tap.stronghold)
    if after == fight:
        raise NotAllowed("Those are the numbers as they stand.")
    words = N_("Corrected: {a} against {d} in a stronghold.") if tap.stronghold else N_("Corrected: {a} against {d}.")
    return Step(state.with_turn(fight=after), Say(words, a=tap.attackers, d=tap.defenders))


__all__ = [
    "Attack", "FixFight", "Retreat", "RollFight", "TypeFight", "attack", "dice_of", "endings", "fix_fight", "retreat",
    "roll_fight", "type_fight",
]  # fmt: skip
