"""A fight for one territory. The app rolls once, to the end or down to a number of attackers; or real dice do."""

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
"""How many rolls came before: a double tap rolls once."""
TOLD = 20
"""The history shows at most this many rolls of a fight."""


class Attack(Tap, frozen=True, tag="Attack"):
    """Start a fight. Members who stay behind as guards are not counted."""

    by: ClassVar[By] = "anybody"
    loser: Which | None = None
    attackers: Members | None = None
    defenders: Members | None = None
    stronghold: bool = False
    place: PlaceName = ""
    """A name on the list sets its holder and its stronghold; any other name is only shown."""
    more_attackers: Members | None = None
    more_defenders: Members | None = None
    """Typed numbers, above what the buttons offer."""


class RollFight(Tap, frozen=True, tag="RollFight"):
    """The app rolls for both sides, once or several times."""

    by: ClassVar[By] = "anybody"
    round: RollNumber
    until: Annotated[int, Meta(title=N_("Attackers"), ge=0, le=MOST_MEMBERS)] | None = None
    """Stop when this many attackers are left; 0 fights to the end."""


class Lost(Tap, frozen=True, tag="Lost"):
    """Real dice: this many pairs cost an attacker, the other pairs a defender."""

    by: ClassVar[By] = "anybody"
    attackers: Annotated[int, Meta(title=N_("Attackers"), ge=0, le=RED)]
    round: RollNumber


class Retreat(Tap, frozen=True, tag="Retreat"):
    by: ClassVar[By] = "anybody"


class FixFight(Tap, frozen=True, tag="FixFight"):
    """Correct the numbers of a fight, after a Power card or a mistake."""

    by: ClassVar[By] = "anybody"
    attackers: Members
    defenders: Members
    stronghold: bool = False


def the_fight(state: Underworld, seat: Seat, rolls: int | None = None) -> Fight:
    needs_turn(state, seat)
    fight = state.current.fight
    if fight is None:
        raise NotAllowed("Nobody is fighting now. Start an attack first.")
    if rolls is not None and rolls != len(fight.rounds):
        raise NotAllowed("Somebody already made that roll.")
    return fight


def attack(state: Underworld, seat: Seat, tap: Attack, dice: Dice) -> Step:
    """A fight is an event only once it ends, so the history has no line yet."""
    needs_turn(state, seat)
    if state.current.step != "attack":
        raise NotAllowed("You can only fight in the second step of a turn, the attack.")
    needs_peace(state, seat)
    needs_attack(state)
    name = spelled(state, tap.place)
    known = on_the_list(state, name) or not state.setup.names
    loser, place = target(state, tap.loser, name if known else "")
    attackers, defenders = tap.more_attackers or tap.attackers, tap.more_defenders or tap.defenders
    if attackers is None or defenders is None:
        raise NotAllowed("Tap how many attack and how many defend.")
    stronghold = tap.stronghold or (place is not None and place.stronghold)
    fight = Fight(loser, attackers, defenders, stronghold, place=name)
    return Step(state.with_turn(fight=fight, fought=None))


# -------------------------------------------------------------------------------- rolls


def dice_of(fight: Fight) -> tuple[int, int]:
    """One black die for each attacker, at most three; one red die for each defender, at most two."""
    return min(BLACK, fight.attackers), min(RED, fight.defenders)


def after_roll(fight: Fight, roll: Round) -> Fight:
    return replace(
        fight,
        attackers=fight.attackers - roll.attackers_lost,
        defenders=fight.defenders - roll.defenders_lost,
        rounds=(*fight.rounds, roll),
    )


def thrown(fight: Fight, dice: Dice) -> Fight:
    """Roll once and compare the dice, highest against highest."""
    black, red = (tuple(sorted((dice.roll() for _ in range(n)), reverse=True)) for n in dice_of(fight))
    return after_roll(fight, Round(black, red, *losses(black, red, fight.stronghold), fight.stronghold))


def roll_fight(state: Underworld, seat: Seat, tap: RollFight, dice: Dice) -> Step:
    """Roll once or until the limit. Either way it is one step that nobody can take back, and every roll is shown."""
    before = fight = the_fight(state, seat, tap.round)
    if tap.until is not None and tap.until >= fight.attackers:
        words = SayN(
            "Only {n} attacker is left. Choose a smaller number.",
            "Only {n} attackers are left. Choose a smaller number.",
            n=fight.attackers,
        )  # fmt: skip
        raise NotAllowed(words)
    fight = thrown(fight, dice)
    while tap.until is not None and fight.attackers > tap.until and fight.defenders:
        fight = thrown(fight, dice)
    return fought(state, fight, len(fight.rounds) - len(before.rounds))


def lost(state: Underworld, seat: Seat, tap: Lost, dice: Dice) -> Step:
    fight = the_fight(state, seat, tap.round)
    pairs = min(dice_of(fight))
    if tap.attackers > pairs:
        raise NotAllowed("One roll can't cost that many members.")
    roll = Round((), (), tap.attackers, pairs - tap.attackers, fight.stronghold)
    return fought(state, after_roll(fight, roll), 1)


def fought(state: Underworld, fight: Fight, rolls: int) -> Step:
    """Without defenders the territory is taken; without attackers it is held; otherwise the fight goes on."""
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
    """End the fight, but keep the rolls that decided it visible."""
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
    """Return the line about the losses of a whole fight and the app's rolls, at most the latest `TOLD`."""
    thrown = [
        f"{'·'.join(map(str, roll.black))} : {'·'.join(map(str, roll.red))}" for roll in fight.rounds if roll.black
    ]
    names = {"name": state.current.seat, "loser": state.gang(fight.loser).called()}
    lost, won = lost_in(fight.rounds)
    if not thrown:
        # Translators: {lost} and {won} are numbers of gang members
        return Say("{name} loses {lost}, {loser} loses {won}.", lost=lost, won=won, **names)
    dice = ", ".join(["…", *thrown[-TOLD:]] if len(thrown) > TOLD else thrown)
    # Translators: {dice} is like 6·5·1 : 4·2, the attack dice and the defence dice of each roll
    return Say("{name} loses {lost}, {loser} loses {won}. The dice: {dice}.", lost=lost, won=won, dice=dice, **names)


def retreat(state: Underworld, seat: Seat, tap: Retreat, dice: Dice) -> Step:
    """Before the first roll nothing has happened, so the history has no line."""
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
        raise NotAllowed("These numbers are the same as before. Change at least one.")
    # Translators: {a} and {d} are the numbers of attackers and defenders
    words = N_("{who} fixes a mistake: {a} against {d}.")
    if tap.stronghold:
        # Translators: {a} and {d} are the numbers of attackers and defenders
        words = N_("{who} fixes a mistake: {a} against {d}, with a stronghold.")
    return Step(state.with_turn(fight=after), Say(words, who=seat, a=tap.attackers, d=tap.defenders))
