"""A fight for one territory: rolled by the app, once, to the end or until so many are left; or on the table."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Say, SayN, Seat, Step, Tap
from companion.games.risk.atlas import PlaceName
from companion.games.risk.chances import BLACK, MOST_MEMBERS, RED, losses
from companion.games.risk.ground import on_the_list, spelled, target
from companion.games.risk.setup import Which
from companion.games.risk.state import Fight, FightEnd, Fought, Round, Underworld, replace
from companion.games.risk.turn import needs_attack, needs_peace, needs_turn, taken, takes

Members = Annotated[int, Meta(title=N_("Members"), ge=1, le=MOST_MEMBERS)]
RollNumber = Annotated[int, Meta(ge=0, le=9_999)]
"""How many rolls there have been: two fingers roll once."""
TOLD = 20
"""So many rolls of a fight stand in the history."""


class Attack(Tap, frozen=True, tag="Attack"):
    """So many go in, so many defend. Whoever stays behind to guard is not counted."""

    by: ClassVar[By] = "anybody"
    loser: Which | None = None
    attackers: Members | None = None
    defenders: Members | None = None
    stronghold: bool = False
    place: PlaceName = ""
    """One on the list brings its holder and its stronghold along; any other is only where it was."""
    more_attackers: Members | None = None
    more_defenders: Members | None = None
    """Typed, where there are more than the keys go up to."""


class RollFight(Tap, frozen=True, tag="RollFight"):
    """The app rolls for both sides, in front of everyone: once, or on and on."""

    by: ClassVar[By] = "anybody"
    round: RollNumber
    until: Annotated[int, Meta(title=N_("Attackers"), ge=0, le=MOST_MEMBERS)] | None = None
    """Stop when so many attackers are left; 0: fight to the end."""


class Lost(Tap, frozen=True, tag="Lost"):
    """Dice rolled on the table: so many attackers were lost, the other pairs cost defenders."""

    by: ClassVar[By] = "anybody"
    attackers: Annotated[int, Meta(title=N_("Attackers"), ge=0, le=RED)]
    round: RollNumber


class Retreat(Tap, frozen=True, tag="Retreat"):
    by: ClassVar[By] = "anybody"


class FixFight(Tap, frozen=True, tag="FixFight"):
    """Other numbers than the app counted: a Power card, a mistake."""

    by: ClassVar[By] = "anybody"
    attackers: Members
    defenders: Members
    stronghold: bool = False


def the_fight(state: Underworld, seat: Seat, rolls: int | None = None) -> Fight:
    needs_turn(state, seat)
    fight = state.current.fight
    if fight is None:
        raise NotAllowed("Nobody is fighting now.")
    if rolls is not None and rolls != len(fight.rounds):
        raise NotAllowed("That roll has been made.")
    return fight


def attack(state: Underworld, seat: Seat, tap: Attack, dice: Dice) -> Step:
    """No event yet: the history tells how it ends."""
    needs_turn(state, seat)
    if state.current.step != "attack":
        raise NotAllowed("Fights belong to the attack, the second step of a turn.")
    needs_peace(state, seat)
    needs_attack(state)
    name = spelled(state, tap.place)
    known = on_the_list(state, name) or not state.setup.names
    loser, place = target(state, tap.loser, name if known else "")
    attackers, defenders = tap.more_attackers or tap.attackers, tap.more_defenders or tap.defenders
    if attackers is None or defenders is None:
        raise NotAllowed("Say how many attack and how many defend.")
    stronghold = tap.stronghold or (place is not None and place.stronghold)
    fight = Fight(loser, attackers, defenders, stronghold, place=name)
    return Step(state.with_turn(fight=fight, fought=None))


# -------------------------------------------------------------------------------- rolls


def dice_of(fight: Fight) -> tuple[int, int]:
    """One black die for each attacker, at most three; one red for each defender, at most two."""
    return min(BLACK, fight.attackers), min(RED, fight.defenders)


def after_roll(fight: Fight, roll: Round) -> Fight:
    return replace(
        fight,
        attackers=fight.attackers - roll.attackers_lost,
        defenders=fight.defenders - roll.defenders_lost,
        rounds=(*fight.rounds, roll),
    )


def thrown(fight: Fight, dice: Dice) -> Fight:
    """Highest against highest, once."""
    black, red = (tuple(sorted((dice.roll() for _ in range(n)), reverse=True)) for n in dice_of(fight))
    return after_roll(fight, Round(black, red, *losses(black, red, fight.stronghold), fight.stronghold))


def roll_fight(state: Underworld, seat: Seat, tap: RollFight, dice: Dice) -> Step:
    """To the end or until so many are left, it is still one step that cannot be taken back, and every roll is shown."""
    before = fight = the_fight(state, seat, tap.round)
    if tap.until is not None and tap.until >= fight.attackers:
        raise NotAllowed("Only {n} attackers are left.", n=fight.attackers)
    fight = thrown(fight, dice)
    while tap.until is not None and fight.attackers > tap.until and fight.defenders:
        fight = thrown(fight, dice)
    return fought(state, fight, len(fight.rounds) - len(before.rounds))


def lost(state: Underworld, seat: Seat, tap: Lost, dice: Dice) -> Step:
    fight = the_fight(state, seat, tap.round)
    pairs = min(dice_of(fight))
    if tap.attackers > pairs:
        raise NotAllowed("One roll cannot cost that many.")
    roll = Round((), (), tap.attackers, pairs - tap.attackers, fight.stronghold)
    return fought(state, after_roll(fight, roll), 1)


def fought(state: Underworld, fight: Fight, rolls: int) -> Step:
    """The last defender gone, the territory is taken; the last attacker gone, it is held."""
    turn, loser = state.current, state.gang(fight.loser)
    if fight.defenders == 0:
        ended = over(state, fight, "conquered", rolls)
        then = taken(ended, fight.loser, fight.place, rolls)
        return Step(then, *takes(ended, then, fight.loser, fight.place), cost(state, fight))
    seen = {"seat": turn.seat, "gang": fight.loser, "place": fight.place, "rolls": rolls}
    if fight.attackers == 0:
        after = over(state, fight, "held", rolls).with_turn(beaten=True).happens("battle", **seen)
        return Step(after, held_words(turn.seat, loser.called(), fight.place), cost(state, fight))
    return Step(state.with_turn(fight=fight).happens("battle", **seen))


def over(state: Underworld, fight: Fight, end: FightEnd, rolls: int) -> Underworld:
    """The fight is over, and everybody still sees the rolls that decided it."""
    if not fight.rounds:
        return state.with_turn(fight=None, fought=None)
    last = Fought(
        fight.loser, end, fight.attackers, fight.defenders, fight.rounds[-1], fight.place, fight.rounds[-rolls:],
        lost_in(fight.rounds),
    )  # fmt: skip
    return state.with_turn(fight=None, fought=last)


def held_words(name: Seat | str, loser: Seat | str, place: str) -> Say:
    if place:
        return Say("{loser} holds {place} against {name}.", name=name, loser=loser, place=place)
    return Say("{loser} holds out against {name}.", name=name, loser=loser)


def lost_in(rolls: tuple[Round, ...]) -> tuple[int, int]:
    return sum(roll.attackers_lost for roll in rolls), sum(roll.defenders_lost for roll in rolls)


def cost(state: Underworld, fight: Fight) -> Say:
    """What a whole fight has cost, and every roll of the app, the latest if there were many."""
    thrown = [
        f"{'·'.join(map(str, roll.black))} : {'·'.join(map(str, roll.red))}" for roll in fight.rounds if roll.black
    ]
    names = {"name": state.current.seat, "loser": state.gang(fight.loser).called()}
    lost, won = lost_in(fight.rounds)
    if not thrown:
        return Say("{name} loses {lost}, {loser} loses {won}.", lost=lost, won=won, **names)
    dice = ", ".join(["…", *thrown[-TOLD:]] if len(thrown) > TOLD else thrown)
    return Say("{name} loses {lost}, {loser} loses {won}. The dice: {dice}.", lost=lost, won=won, dice=dice, **names)


def retreat(state: Underworld, seat: Seat, tap: Retreat, dice: Dice) -> Step:
    """Called off before the first roll, nothing has happened."""
    fight = the_fight(state, seat)
    after = over(state, fight, "retreated", 1)
    if not fight.rounds:
        return Step(after)
    line = SayN(
        "{name} retreats from {loser} with {n} attacker.", "{name} retreats from {loser} with {n} attackers.",
        n=fight.attackers, name=state.current.seat, loser=state.gang(fight.loser).called(),
    )  # fmt: skip
    return Step(after, line, cost(state, fight))


def fix_fight(state: Underworld, seat: Seat, tap: FixFight, dice: Dice) -> Step:
    fight = the_fight(state, seat)
    after = replace(fight, attackers=tap.attackers, defenders=tap.defenders, stronghold=tap.stronghold)
    if after == fight:
        raise NotAllowed("Those are the numbers as they stand.")
    words = N_("Corrected: {a} against {d} in a stronghold.") if tap.stronghold else N_("Corrected: {a} against {d}.")
    return Step(state.with_turn(fight=after), Say(words, a=tap.attackers, d=tap.defenders))
