"""Before the first turn: choose gangs, decide who starts, deal the cards."""

from __future__ import annotations

from typing import ClassVar

from companion.game import TABLE, By, Dice, NotAllowed, Say, Seat, Step, Tap
from companion.games.risk.notebook import Notebook
from companion.games.risk.setup import (
    DEALS,
    GANG_COLOURS,
    GANG_NAMES,
    GANGS,
    REGION_NAMES,
    REGIONS,
    Deal,
    Setup,
    Which,
)
from companion.games.risk.state import Gang, Region, Turn, Underworld, replace


class ChooseGang(Tap, frozen=True, tag="ChooseGang"):
    """A player takes a gang. The shared screen can do it for anybody."""

    by: ClassVar[By] = "anybody"
    player: Seat
    gang: Which


class Starts(Tap, frozen=True, tag="Starts"):
    """This player has the first turn. Decided before the deal: the last in turn order get the extra cards."""

    by: ClassVar[By] = "anybody"
    first: Seat


class Begin(Tap, frozen=True, tag="Begin"):
    """All members are placed, and the first turn begins."""

    by: ClassVar[By] = "anybody"


def start(setup: Setup, seats: tuple[Seat, ...], dice: Dice) -> Step:
    gangs = tuple(Gang(n, setup.gang.get(n) or GANG_NAMES[n], setup.colour.get(n) or GANG_COLOURS[n]) for n in GANGS)
    regions = tuple(Region(n, setup.region.get(n) or REGION_NAMES[n], setup.bonus.get(n) or 0) for n in REGIONS)
    deal = DEALS[len(seats)]
    notebooks = {seat: Notebook(unturned=deal.powers) for seat in seats}
    return Step(Underworld(setup, seats, gangs, regions, notebooks, dice=setup.route_dice()))


def deal_of(state: Underworld) -> Deal:
    return DEALS[len(state.seats)]


def needs_opening(state: Underworld) -> None:
    if state.turn is not None:
        raise NotAllowed("The first turn has begun, so that can't change any more.")


def choose_gang(state: Underworld, seat: Seat, tap: ChooseGang, dice: Dice) -> Step:
    needs_opening(state)
    if tap.player not in state.seats:
        raise NotAllowed("Nobody sits there any more.")
    if seat not in (tap.player, TABLE):
        raise NotAllowed("{name} chooses a gang on their own phone.", name=tap.player)
    gang = state.gang(tap.gang)
    if gang.seat == tap.player:
        raise NotAllowed("{name} already has that gang.", name=tap.player)
    if gang.seat is not None:
        raise NotAllowed("{name} has taken that gang. Choose another one.", name=gang.seat)
    freed = [replace(other, seat=None) for other in state.gangs if other.seat == tap.player]
    after = state.with_gangs([*freed, replace(gang, seat=tap.player)])
    return Step(after, Say("{name} leads {gang}.", name=tap.player, gang=gang.name))


def starts(state: Underworld, seat: Seat, tap: Starts, dice: Dice) -> Step:
    needs_opening(state)
    if tap.first not in state.seats:
        raise NotAllowed("Nobody sits there any more.")
    if tap.first == state.first:
        raise NotAllowed("{name} already has the first turn.", name=tap.first)
    return Step(replace(state, first=tap.first), Say("{name} starts.", name=tap.first))


def turn_order(state: Underworld) -> tuple[Seat, ...]:
    """Return the seats clockwise from the first player."""
    at = 0 if state.first is None else state.seats.index(state.first)
    return (*state.seats[at:], *state.seats[:at])


def begin(state: Underworld, seat: Seat, tap: Begin, dice: Dice) -> Step:
    """Deal, and give players without a gang the next free one."""
    needs_opening(state)
    if state.first is None:
        raise NotAllowed("First choose who starts: the last players in turn order get the extra cards.")
    order = turn_order(state)
    after = replace(state, seats=order)
    lines = []
    for player in order:
        if all(gang.seat != player for gang in after.gangs):
            free = next(gang for gang in after.gangs if gang.seat is None)
            after = after.with_gangs([replace(free, seat=player)])
            lines.append(Say("{name} leads {gang}.", name=player, gang=free.name))
    deal = deal_of(after)
    gangs = []
    for gang in after.gangs:
        if gang.seat is not None:
            cards = deal.territories[order.index(gang.seat)]
            gangs.append(replace(gang, playing=True, territories=cards))
        elif deal.neutral:
            gangs.append(replace(gang, playing=True, territories=deal.neutral, pile=deal.pile))
    after = replace(after.with_gangs(gangs), turn=Turn(state.first)).mark()
    return Step(after, *lines)


__all__ = ["Begin", "ChooseGang", "Starts", "begin", "choose_gang", "deal_of", "start", "starts", "turn_order"]
