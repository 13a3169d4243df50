"""Naming the territories, for tables that like to: the list is learnt once and known at the next table."""

from __future__ import annotations

from typing import ClassVar

from companion.game import By, Dice, NotAllowed, Say, Seat, Step, Tap
from companion.games.risk.atlas import Atlas, Place, PlaceName
from companion.games.risk.ground import forgotten, occupied, place_called, region_lines, standing_of, tidy
from companion.games.risk.setup import TERRITORIES, Which
from companion.games.risk.state import Underworld, replace
from companion.games.risk.turn import needs_play


class NamePlace(Tap, frozen=True, tag="NamePlace"):
    """A territory's name, its region, and whether it has a stronghold; or what was wrong about one."""

    by: ClassVar[By] = "anybody"
    name: PlaceName
    region: Which
    stronghold: bool = False
    was: PlaceName = ""


class ForgetPlace(Tap, frozen=True, tag="ForgetPlace"):
    """There is no territory of this name."""

    by: ClassVar[By] = "anybody"
    name: PlaceName


class HoldPlaces(Tap, frozen=True, tag="HoldPlaces"):
    """The named territories that a gang stands on, all of them."""

    by: ClassVar[By] = "anybody"
    gang: Which
    places: tuple[PlaceName, ...] = ()


def needs_names(state: Underworld) -> None:
    if not state.setup.names:
        raise NotAllowed("This game is played without names of territories.")


def name_place(state: Underworld, seat: Seat, tap: NamePlace, dice: Dice) -> Step:
    needs_names(state)
    name = " ".join(tap.name.split())
    if not name:
        raise NotAllowed("Type the name of a territory.")
    place = Place(name, tap.region, tap.stronghold)
    others = [one for one in state.atlas if one.name != tap.was]
    if any(one.name.casefold() == name.casefold() for one in others):
        raise NotAllowed("{place} is on the list already.", place=name)
    if not tap.was:
        if len(others) >= TERRITORIES:
            raise NotAllowed("The board has 42 territories, and all of them have a name.")
        return Step(tidy(replace(state, atlas=(*others, place))))
    place_called(state, tap.was)
    held = {name if old == tap.was else old: one for old, one in state.held.items()}
    atlas = tuple(place if one.name == tap.was else one for one in state.atlas)
    notebooks = {owner: notes.renamed(tap.was, name) for owner, notes in state.notebooks.items()}
    after = tidy(replace(state, atlas=atlas, held=held, notebooks=notebooks))
    return Step(after, Say("{who} corrects the name {old}: {new}.", who=seat, old=tap.was, new=name))


def forget_place(state: Underworld, seat: Seat, tap: ForgetPlace, dice: Dice) -> Step:
    needs_names(state)
    place = place_called(state, tap.name)
    fight = state.turn.fight if state.turn else None
    if fight is not None and fight.place == tap.name:
        raise NotAllowed("Finish the fight first, or retreat.")
    after = replace(forgotten(state, (tap.name,)), atlas=tuple(one for one in state.atlas if one != place))
    return Step(after, Say("{who} takes {place} off the list.", who=seat, place=tap.name))


def hold_places(state: Underworld, seat: Seat, tap: HoldPlaces, dice: Dice) -> Step:
    """Nobody has to, but then regions and missions keep themselves."""
    needs_names(state)
    needs_play(state)
    gang = state.gang(tap.gang)
    places = tuple(place_called(state, name).name for name in dict.fromkeys(tap.places))
    if len(places) > gang.territories:
        raise NotAllowed("{gang} holds {n} territories, not more.", gang=gang.called(), n=gang.territories)
    gone = tuple(name for name in standing_of(state, tap.gang) if name not in places)
    after = tidy(occupied(forgotten(state, gone), tap.gang, places))
    line = Say("{gang} holds no territory by name.", gang=gang.called())
    if places:
        line = Say("{gang} holds {places}.", gang=gang.called(), places=", ".join(places))
    return Step(after, line, *region_lines(state, after))


# -------------------------------------------------------------------------------- what lasts


def learnt(state: Underworld) -> Atlas:
    return Atlas(state.atlas)


def remembering(state: Underworld, atlas: Atlas) -> Underworld:
    return replace(state, atlas=atlas.places)
