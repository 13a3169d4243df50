"""Who holds what: always as a number, and by name if the table names its territories."""

from __future__ import annotations

from companion.game import NotAllowed, Say
from companion.games.risk.atlas import Holding, Place
from companion.games.risk.setup import TERRITORIES
from companion.games.risk.state import Underworld, replace


def hand_over(state: Underworld, taker: int, loser: int, place: str = "") -> Underworld:
    """Move one territory. Its name tells which region breaks; without one, every region of the loser is in doubt."""
    to, of = state.gang(taker), state.gang(loser)
    after = state.with_gangs((replace(to, territories=to.territories + 1), replace(of, territories=of.territories - 1)))
    if on_the_list(state, place):
        return tidy(occupied(after, taker, (place,)))
    for region in after.regions:
        if region.holder == loser:
            after = after.with_region(replace(region, doubt=True))
    return tidy(after)


def occupied(state: Underworld, gang: int, places: tuple[str, ...]) -> Underworld:
    """Note that this gang holds these territories, from now on or still."""
    seat = state.gang(gang).seat
    now = Holding(gang, 0 if seat is None else state.turns.get(seat, 0))
    fresh = {name: now for name in places if name not in state.held or state.held[name].gang != gang}
    return replace(state, held={**state.held, **fresh})


def forgotten(state: Underworld, places: tuple[str, ...]) -> Underworld:
    """Forget who holds these territories."""
    return replace(state, held={name: one for name, one in state.held.items() if name not in places})


def tidy(state: Underworld) -> Underworld:
    """Repair what a change of territories made impossible: regions, fights and names of gangs that hold too little."""
    for region in state.regions:
        if region.holder and not state.gang(region.holder).territories:
            state = state.with_region(replace(region, holder=0, doubt=False))
    fight = state.turn.fight if state.turn else None
    if fight is not None and not state.gang(fight.loser).territories:
        state = state.with_turn(fight=None)
    for gang in state.gangs:
        known = standing_of(state, gang.number)
        if len(known) > gang.territories:
            state = forgotten(state, known)
    return kept_by_names(state)


def kept_by_names(state: Underworld) -> Underworld:
    """Update the regions from the names: another holder breaks one, and all 42 names prove that one is whole."""
    for region in state.regions:
        names = places_in(state, region.number)
        gangs = {state.held[name].gang for name in names if name in state.held}
        proven = len(state.atlas) == TERRITORIES and names and all(name in state.held for name in names)
        if proven and len(gangs) == 1:
            state = state.with_region(replace(region, holder=min(gangs), doubt=False))
        elif region.holder and gangs - {region.holder}:
            state = state.with_region(replace(region, holder=0, doubt=False))
    return state


def standing_of(state: Underworld, gang: int) -> tuple[str, ...]:
    return tuple(name for name, one in state.held.items() if one.gang == gang)


def places_in(state: Underworld, region: int) -> tuple[str, ...]:
    return tuple(place.name for place in state.atlas if place.region == region)


def on_the_list(state: Underworld, name: str) -> bool:
    return any(place.name == name for place in state.atlas)


def spelled(state: Underworld, name: str) -> str:
    """Return a typed name as the list spells it, if it is on the list."""
    name = " ".join(name.split())
    return next((place.name for place in state.atlas if place.name.casefold() == name.casefold()), name)


def place_called(state: Underworld, name: str) -> Place:
    found = next((place for place in state.atlas if place.name == name), None)
    if found is None:
        raise NotAllowed("{place} is not on the list of territories. Name it first.", place=name)
    return found


def target(state: Underworld, loser: int | None, name: str) -> tuple[int, Place | None]:
    """Return whose territory is attacked, and which one. The list may know who holds it."""
    place = place_called(state, name) if name else None
    if loser is None and place is not None and name in state.held:
        loser = state.held[name].gang
    if loser is None:
        raise NotAllowed("Tap who holds that territory.")
    gang = state.gang(loser)
    if gang.seat == state.current.seat:
        raise NotAllowed("That's your own gang. Choose another one.")
    if not gang.territories:
        raise NotAllowed("{gang} holds no territory. Choose another gang.", gang=gang.called())
    return loser, place


def region_lines(before: Underworld, after: Underworld) -> list[Say]:
    """Return the lines about regions that a gang won or lost by a named territory."""
    lines = []
    for old, new in zip(before.regions, after.regions, strict=True):
        if new.holder and new.holder != old.holder:
            gang = after.gang(new.holder).called()
            lines.append(Say("{gang} holds all of {region}.", gang=gang, region=new.name))
        elif old.holder and not new.holder:
            gang = after.gang(old.holder).called()
            lines.append(Say("{gang} no longer holds all of {region}.", gang=gang, region=new.name))
    return lines
