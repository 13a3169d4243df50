"""The five steps of a turn: place, attack, manoeuvre, draw, and the Crown."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from companion.game import N_, TABLE, By, Dice, NotAllowed, Say, SayN, Seat, Step, Tap, listed
from companion.games.risk.setup import Which
from companion.games.risk.state import STEPS, HappenedKind, StepName, Underworld, replace

DOING: dict[StepName, str] = {
    "place": N_("places members"),
    "attack": N_("attacks"),
    "manoeuvre": N_("manoeuvres"),
    "draw": N_("draws cards"),
    "crown": N_("comes to the Crown"),
}


class Onward(Tap, frozen=True, tag="Onward"):
    """Go on to this step of the turn."""

    by: ClassVar[By] = "anybody"
    step: StepName


class HoldRegion(Tap, frozen=True, tag="HoldRegion"):
    """Say which gang holds a region whole; 0 for none."""

    by: ClassVar[By] = "anybody"
    region: Which
    gang: Annotated[int, Meta(ge=0, le=5)] = 0


class Reinforce(Tap, frozen=True, tag="Reinforce"):
    """In a two-player game: three members for one neutral gang."""

    by: ClassVar[By] = "anybody"
    gang: Which


class Conquer(Tap, frozen=True, tag="Conquer"):
    """The player whose turn it is takes one territory."""

    by: ClassVar[By] = "anybody"
    loser: Which


class MoreMembers(Tap, frozen=True, tag="MoreMembers"):
    """New members for any other reason, or fewer."""

    by: ClassVar[By] = "anybody"
    members: Annotated[int, Meta(title=N_("Members"), ge=-99, le=99)]
    why: Annotated[str, Meta(title=N_("What for"), max_length=60)] = ""


# -------------------------------------------------------------------------------- rules


def needs_play(state: Underworld) -> None:
    if state.ending is not None:
        raise NotAllowed("The game is over. Take the last step back to play on.")
    if state.turn is None:
        raise NotAllowed("The first turn has not begun yet.")


def needs_turn(state: Underworld, seat: Seat) -> None:
    """A turn is tapped by its player, or by the shared screen for them."""
    needs_play(state)
    if seat not in (state.current.seat, TABLE):
        raise NotAllowed("It is {name}'s turn.", name=state.current.seat)


def endings(before: Underworld, after: Underworld) -> list[Say]:
    """Who is out, and who has won."""
    lines = []
    for gang in after.playing:
        if gang.territories == 0 and before.gang(gang.number).territories > 0:
            lines.append(Say("{gang} is out: no territory left.", gang=gang.called()))
    if after.ending is None or before.ending is not None:
        return lines
    winners = after.winners()
    if after.ending == "crown":
        lines.append(Say("The Crown takes the Garrison Tavern. Nobody wins."))
    elif after.ending == "all":
        lines.append(Say("{name} holds all 42 territories and wins.", name=winners[0]))
    elif after.ending == "rival":
        lines.append(Say("{name} has thrown out every rival and wins.", name=winners[0]))
    else:
        most = after.gang_of(winners[0]).territories
        if len(winners) == 1:
            lines.append(
                SayN("{name} wins with {n} territory.", "{name} wins with {n} territories.", n=most, name=winners[0])
            )
        else:
            lines.append(Say("Shared win with {n} territories each: {names}.", n=most, names=listed(winners)))
    return lines


def onward(state: Underworld, seat: Seat, tap: Onward, dice: Dice) -> Step:
    needs_turn(state, seat)
    turn = state.current
    if STEPS.index(tap.step) <= STEPS.index(turn.step):
        raise NotAllowed("{name} is past that step.", name=turn.seat)
    if turn.fight is not None:
        raise NotAllowed("Finish the fight first, or retreat.")
    if turn.step == "place" and not turn.reinforced and any(gang.territories for gang in state.neutrals):
        raise NotAllowed("First three members go to a neutral gang: say which.")
    after = state.with_turn(step=tap.step, standing=state.standing(), fought=None)
    if tap.step == "crown" and not state.setup.crown:
        return Step(after, Say("{name} is about to end the turn.", name=turn.seat))
    return Step(after, Say("{name} {does}.", name=turn.seat, does=Say(DOING[tap.step])))


def hold_region(state: Underworld, seat: Seat, tap: HoldRegion, dice: Dice) -> Step:
    needs_play(state)
    region = state.regions[tap.region - 1]
    if tap.gang == 0:
        after = state.with_region(replace(region, holder=0, doubt=False))
        return Step(after, Say("Nobody holds all of {region}.", region=region.name))
    gang = state.gang(tap.gang)
    if not gang.territories:
        raise NotAllowed("{gang} holds no territory.", gang=gang.called())
    after = state.with_region(replace(region, holder=tap.gang, doubt=False))
    return Step(after, Say("{gang} holds all of {region}.", gang=gang.called(), region=region.name))


def reinforce(state: Underworld, seat: Seat, tap: Reinforce, dice: Dice) -> Step:
    """On one, two or three territories, but all of one neutral gang."""
    needs_turn(state, seat)
    gang = state.gang(tap.gang)
    if not gang.neutral or not gang.territories:
        raise NotAllowed("Choose a neutral gang that still holds something.")
    if state.current.reinforced:
        raise NotAllowed("A neutral gang has had its three members in this turn.")
    return Step(state.with_turn(reinforced=tap.gang), Say("3 members for {gang}.", gang=gang.name))


def taken(state: Underworld, loser: int) -> Underworld:
    """The player whose turn it is takes one territory, and with the last one what lies under a neutral gang."""
    turn = state.current
    after = state.hand_over(state.gang_of(turn.seat).number, loser)
    gang = after.gang(loser)
    piles = turn.piles
    if gang.territories == 0 and gang.pile:
        piles += gang.pile
        after = after.with_gangs([replace(gang, pile=0)])
    after = after.with_turn(conquests=turn.conquests + 1, piles=piles).settle()
    kind: HappenedKind = "winner" if after.ending else "conquest" if gang.territories else "eliminated"
    return after.happens(kind, seat=turn.seat, gang=loser)


def takes(before: Underworld, after: Underworld, loser: int) -> list[Say]:
    """The sentences about it."""
    gang, name = before.gang(loser), before.current.seat
    lines = [Say("{name} takes one from {loser}.", name=name, loser=gang.called()), *endings(before, after)]
    if gang.pile and not after.gang(loser).pile:
        lines.append(Say("{name} gets the {n} cards of {gang}.", name=name, n=gang.pile, gang=gang.name))
    return lines


def conquer(state: Underworld, seat: Seat, tap: Conquer, dice: Dice) -> Step:
    needs_turn(state, seat)
    if state.current.fight is not None:
        raise NotAllowed("Finish the fight first, or retreat.")
    loser = state.gang(tap.loser)
    if loser.seat == state.current.seat:
        raise NotAllowed("That is your own gang.")
    if not loser.territories:
        raise NotAllowed("{gang} holds no territory.", gang=loser.called())
    after = taken(state.with_turn(fought=None), tap.loser)
    return Step(after, *takes(state, after, tap.loser))


def more_members(state: Underworld, seat: Seat, tap: MoreMembers, dice: Dice) -> Step:
    needs_turn(state, seat)
    if not tap.members:
        raise NotAllowed("Type how many.")
    why = Say("{what}", what=tap.why.strip()) if tap.why.strip() else Say("Other")
    after = state.recruit(why, tap.members)
    line = Say("{name}: {n} members ({why}).", name=state.current.seat, n=f"{tap.members:+d}", why=why)
    return Step(after, line)
