"""Named territories, an option of the set-up. The next table knows the names, too."""

from __future__ import annotations

from typing import ClassVar

from companion.game import By, Dice, NotAllowed, Say, SayN, Seat, Step, Tap, listed
from companion.games.risk.atlas import Atlas, Place, PlaceName
from companion.games.risk.ground import forgotten, occupied, place_called, region_lines, standing_of, tidy
from companion.games.risk.setup import TERRITORIES, Which
from companion.games.risk.state import Underworld, replace
from companion.games.risk.turn import needs_play


class NamePlace(Tap, frozen=True, tag="NamePlace"):
    """Add a territory to the list, or correct the one called `was`."""

    by: ClassVar[By] = "anybody"
    name: PlaceName
    region: Which
    stronghold: bool = False
    was: PlaceName = ""


class ForgetPlace(Tap, frozen=True, tag="ForgetPlace"):
    """Take a wrong name off the list."""

    by: ClassVar[By] = "anybody"
    name: PlaceName


class HoldPlaces(Tap, frozen=True, tag="HoldPlaces"):
    """Set all named territories that a gang holds."""

    by: ClassVar[By] = "anybody"
    gang: Which
    places: tuple[PlaceName, ...] = ()


def needs_names(state: Underworld) -> None:
    if not state.setup.names:
        raise NotAllowed("This game is played without territory names.")


def name_place(state: Underworld, seat: Seat, tap: NamePlace, dice: Dice) -> Step:
    needs_names(state)
    name = " ".join(tap.name.split())
    if not name:
        raise NotAllowed("Type the name of a territory.")
    place = Place(name, tap.region, tap.stronghold)
    others = [one for one in state.atlas if one.name != tap.was]
    if any(one.name.casefold() == name.casefold() for one in others):
        raise NotAllowed("{place} is already on the list.", place=name)
    if not tap.was:
        if len(others) >= TERRITORIES:
            raise NotAllowed("All 42 territories already have a name. Correct one instead.")
        return Step(tidy(replace(state, atlas=(*others, place))))
    place_called(state, tap.was)
    held = {name if old == tap.was else old: one for old, one in state.held.items()}
    atlas = tuple(place if one.name == tap.was else one for one in state.atlas)
    notebooks = {owner: notes.renamed(tap.was, name) for owner, notes in state.notebooks.items()}
    after = tidy(replace(state, atlas=atlas, held=held, notebooks=notebooks))
    return Step(after, Say("{who} fixes a name: {old} is now {new}.", who=seat, old=tap.was, new=name))


def forget_place(state: Underworld, seat: Seat, tap: ForgetPlace, dice: Dice) -> Step:
    needs_names(state)
    place = place_called(state, tap.name)
    fight = state.turn.fight if state.turn else None
    if fight is not None and fight.place == tap.name:
        raise NotAllowed("Finish the fight first, or retreat.")
    after = replace(forgotten(state, (tap.name,)), atlas=tuple(one for one in state.atlas if one != place))
    return Step(after, Say("{who} takes {place} off the list.", who=seat, place=tap.name))


def hold_places(state: Underworld, seat: Seat, tap: HoldPlaces, dice: Dice) -> Step:
    """Optional: with the names, regions and missions count without further taps."""
    needs_names(state)
    needs_play(state)
    gang = state.gang(tap.gang)
    places = tuple(place_called(state, name).name for name in dict.fromkeys(tap.places))
    if len(places) > gang.territories:
        words = SayN(
            "{gang} holds only {n} territory. Tick fewer.", "{gang} holds only {n} territories. Tick fewer.",
            n=gang.territories, gang=gang.called(),
        )  # fmt: skip
        raise NotAllowed(words)
    gone = tuple(name for name in standing_of(state, tap.gang) if name not in places)
    after = tidy(occupied(forgotten(state, gone), tap.gang, places))
    line = Say("{gang} holds no named territory.", gang=gang.called())
    if places:
        # Translators: {places} are names of territories
        line = Say("{gang} holds {places}.", gang=gang.called(), places=listed(places))
    return Step(after, line, *region_lines(state, after))


# -------------------------------------------------------------------------------- kept for the next table


def learnt(state: Underworld) -> Atlas:
    return Atlas(state.atlas)


def remembering(state: Underworld, atlas: Atlas) -> Underworld:
    return replace(state, atlas=atlas.places)
