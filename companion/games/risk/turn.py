"""The steps of a turn: place, attack, finish. `finish` covers the rulebook's manoeuvre, draw and Crown."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from companion.game import N_, TABLE, By, Dice, NotAllowed, Say, SayN, Seat, Step, Tap, listed
from companion.games.risk.ground import forgotten, hand_over, occupied, places_in, region_lines, target, tidy
from companion.games.risk.setup import Which
from companion.games.risk.state import STEPS, HappenedKind, Turn, Underworld, replace


class Onward(Tap, frozen=True, tag="Onward"):
    """Go on to this step of the turn."""

    by: ClassVar[By] = "anybody"
    step: Literal["attack", "finish"]


class LatePlaced(Tap, frozen=True, tag="LatePlaced"):
    """The members that arrived after the first step are on the board now."""

    by: ClassVar[By] = "anybody"


class HoldRegion(Tap, frozen=True, tag="HoldRegion"):
    """Say which gang holds the whole region; 0 for none."""

    by: ClassVar[By] = "anybody"
    region: Which
    gang: Annotated[int, Meta(ge=0, le=5)] = 0


class Reinforce(Tap, frozen=True, tag="Reinforce"):
    """In a two-player game: three members for one neutral gang."""

    by: ClassVar[By] = "anybody"
    gang: Which


class Conquer(Tap, frozen=True, tag="Conquer"):
    """The current player takes a territory after a fight without the app."""

    by: ClassVar[By] = "anybody"
    loser: Which | None = None
    place: str = ""


class MoreMembers(Tap, frozen=True, tag="MoreMembers"):
    """More or fewer new members, for any other reason."""

    by: ClassVar[By] = "anybody"
    members: Annotated[int, Meta(title=N_("Members"), ge=-99, le=99)]
    why: Annotated[str, Meta(title=N_("Reason"), max_length=60)] = ""


# -------------------------------------------------------------------------------- rules


def needs_play(state: Underworld) -> None:
    if state.ending is not None:
        raise NotAllowed("The game is over. Take the last step back to play on.")
    if state.turn is None:
        raise NotAllowed("The first turn has not begun yet.")


def needs_turn(state: Underworld, seat: Seat) -> None:
    """Only the current player may act, or the shared screen for them."""
    needs_play(state)
    if seat not in (state.current.seat, TABLE):
        raise NotAllowed("It is {name}'s turn.", name=state.current.seat)


def endings(before: Underworld, after: Underworld) -> list[Say]:
    """Return the lines about players who are out and about who won."""
    lines = []
    for gang in after.playing:
        if gang.territories == 0 and before.gang(gang.number).territories > 0:
            lines.append(Say("{gang} has no territory left and is out.", gang=gang.called()))
    if after.ending is None or before.ending is not None:
        return lines
    winners = after.winners()
    if after.ending == "crown":
        lines.append(Say("The Crown takes the Garrison Tavern. The underworld loses."))
    elif after.ending == "all":
        lines.append(Say("{name} holds all 42 territories and wins.", name=winners[0]))
    elif after.ending == "rival":
        lines.append(Say("{name} eliminates everybody else and wins.", name=winners[0]))
    else:
        most = after.gang_of(winners[0]).territories
        if len(winners) == 1:
            lines.append(
                SayN("{name} wins with {n} territory.", "{name} wins with {n} territories.", n=most, name=winners[0])
            )
        else:
            lines.append(shared_win(after))
    return lines


def shared_win(state: Underworld) -> Say:
    winners = state.winners()
    return SayN(
        "{names} share the win with {n} territory each.", "{names} share the win with {n} territories each.",
        n=state.gang_of(winners[0]).territories, names=listed(winners),
    )  # fmt: skip


def needs_peace(state: Underworld, seat: Seat) -> Turn:
    """Return the turn if this player may go on: no fight is open and all members are placed."""
    needs_turn(state, seat)
    turn = state.current
    if turn.fight is not None:
        raise NotAllowed("Finish the fight first, or retreat.")
    if turn.step == "place" and not turn.reinforced and any(gang.territories for gang in state.neutrals):
        raise NotAllowed("First choose the neutral gang that gets three members.")
    if turn.late:
        words = SayN("Place the {n} new member first.", "Place the {n} new members first.", n=turn.late)
        raise NotAllowed(words)
    return turn


def needs_attack(state: Underworld) -> None:
    """After losing all attackers, a player may attack elsewhere unless the set-up ends all attacks of the turn."""
    if state.current.beaten and state.setup.beaten == "turn":
        raise NotAllowed("{name} has lost all attackers: no more attacks this turn.", name=state.current.seat)


def onward(state: Underworld, seat: Seat, tap: Onward, dice: Dice) -> Step:
    """A step is not an event, so it adds no line to the history."""
    needs_turn(state, seat)
    step = state.current.step
    if step not in STEPS or STEPS.index(tap.step) <= STEPS.index(step):
        raise NotAllowed("{name} is already past that step.", name=state.current.seat)
    needs_peace(state, seat)
    return Step(state.with_turn(step=tap.step, standing=state.standing(), fought=None))


def late_placed(state: Underworld, seat: Seat, tap: LatePlaced, dice: Dice) -> Step:
    needs_turn(state, seat)
    if not state.current.late:
        raise NotAllowed("There are no more members to place.")
    return Step(state.with_turn(late=0))


def hold_region(state: Underworld, seat: Seat, tap: HoldRegion, dice: Dice) -> Step:
    needs_play(state)
    region = state.regions[tap.region - 1]
    names = places_in(state, region.number)
    if tap.gang == 0:
        after = forgotten(state, names).with_region(replace(region, holder=0, doubt=False))
        return Step(after, Say("Nobody holds all of {region}.", region=region.name))
    gang = state.gang(tap.gang)
    if not gang.territories:
        raise NotAllowed("{gang} holds no territory. Choose another gang.", gang=gang.called())
    known = occupied(state, tap.gang, names) if state.setup.names else state
    after = tidy(known.with_region(replace(region, holder=tap.gang, doubt=False)))
    return Step(after, Say("{gang} holds all of {region}.", gang=gang.called(), region=region.name))


def reinforce(state: Underworld, seat: Seat, tap: Reinforce, dice: Dice) -> Step:
    """The three members go on one to three territories of the same neutral gang."""
    needs_turn(state, seat)
    gang = state.gang(tap.gang)
    if not gang.neutral or not gang.territories:
        raise NotAllowed("Choose a neutral gang that still holds a territory.")
    if state.current.reinforced:
        raise NotAllowed("A neutral gang already has its three members this turn.")
    return Step(state.with_turn(reinforced=tap.gang))


def taken(state: Underworld, loser: int, place: str = "", rolls: int = 0) -> Underworld:
    """Give the current player one territory. The last one of a neutral gang brings its pile of cards."""
    turn = state.current
    after = hand_over(state, state.gang_of(turn.seat).number, loser, place)
    gang = after.gang(loser)
    piles = turn.piles
    if gang.territories == 0 and gang.pile:
        piles += gang.pile
        after = after.with_gangs([replace(gang, pile=0)])
    after = after.with_turn(conquests=turn.conquests + 1, piles=piles).settle()
    kind: HappenedKind = "winner" if after.ending else "conquest" if gang.territories else "eliminated"
    return after.happens(kind, seat=turn.seat, gang=loser, place=place, rolls=rolls)


def takes(before: Underworld, after: Underworld, loser: int, place: str = "") -> list[Say]:
    """Return the lines about a conquest."""
    gang, name = before.gang(loser), before.current.seat
    lines = [
        Say("{name} takes {place} from {loser}.", name=name, place=place, loser=gang.called())
        if place
        else Say("{name} takes a territory from {loser}.", name=name, loser=gang.called())
    ]
    if place:
        lines += region_lines(before, after)
    lines += endings(before, after)
    if gang.pile and not after.gang(loser).pile:
        lines.append(Say("{name} gets the {n} cards of {gang}.", name=name, n=gang.pile, gang=gang.name))
    return lines


def conquer(state: Underworld, seat: Seat, tap: Conquer, dice: Dice) -> Step:
    needs_turn(state, seat)
    if state.current.fight is not None:
        raise NotAllowed("Finish the fight first, or retreat.")
    needs_attack(state)
    loser, _ = target(state, tap.loser, tap.place)
    after = taken(state.with_turn(fought=None), loser, tap.place)
    return Step(after, *takes(state, after, loser, tap.place))


def more_members(state: Underworld, seat: Seat, tap: MoreMembers, dice: Dice) -> Step:
    needs_turn(state, seat)
    if not tap.members:
        raise NotAllowed("Type how many members.")
    # Translators: the reason for new members, if nobody typed one; also shown in brackets
    why = Say("{name}", name=tap.why.strip()) if tap.why.strip() else Say("Other reason")
    n, name = abs(tap.members), state.current.seat
    # Translators: {why} is the reason as somebody typed it
    line = SayN(
        "{name} gets {n} more member ({why}).", "{name} gets {n} more members ({why}).", n=n, name=name, why=why
    )
    if tap.members < 0:
        # Translators: {why} is the reason as somebody typed it
        line = SayN(
            "{name} gets {n} fewer member ({why}).", "{name} gets {n} fewer members ({why}).", n=n, name=name, why=why
        )
    return Step(state.recruit(why, tap.members), line)
