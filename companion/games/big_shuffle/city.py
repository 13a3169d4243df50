"""The city: three types of scene, each uptown, midtown and downtown. It holds only public knowledge.

A pile is a tuple, top first. None is a scene whose name nobody has typed.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

from companion.game import NotAllowed
from companion.games.big_shuffle.cards import same

Place = Literal["uptown", "midtown", "downtown"]
PLACES: Final[tuple[Place, ...]] = get_args(Place)
Pile = tuple[str | None, ...]
SCENES_OF_A_TYPE: Final = 10


class Spot(msgspec.Struct, frozen=True):
    """Where a scene lies: its place, and how far from the top."""

    place: Place
    index: int


class Track(msgspec.Struct, frozen=True):
    """The ten scenes of one type in their three places, and perhaps a title card on top of midtown."""

    title: bool = True
    uptown: Pile = ()
    midtown: Pile = (None,) * SCENES_OF_A_TYPE
    downtown: Pile = ()

    def pile(self, place: Place) -> Pile:
        pile: Pile = getattr(self, place)
        return pile

    def with_pile(self, place: Place, pile: Pile) -> Track:
        return msgspec.structs.replace(self, **{place: pile})

    @property
    def depth(self) -> int:
        """How many midtown scenes are public: the active one, and the one directly below it."""
        return 1 if self.title else 2

    @property
    def active(self) -> str | None:
        return None if self.title or not self.midtown else self.midtown[0]

    def covered(self) -> Track:
        """Forget the names of midtown scenes that are no longer public."""
        hidden = max(0, len(self.midtown) - self.depth)
        return self.with_pile("midtown", (*self.midtown[: self.depth], *(None,) * hidden))

    def public(self) -> tuple[tuple[Spot, str | None], ...]:
        """Every spot whose scene everybody may know."""
        return tuple(
            (Spot(place, index), name)
            for place in PLACES
            for index, name in enumerate(self.pile(place))
            if place != "midtown" or index < self.depth
        )

    def asks(self) -> tuple[Spot, ...]:
        """Public spots whose name nobody has typed yet. Midtown comes first."""
        missing = [spot for spot, name in self.public() if name is None]
        return tuple(sorted(missing, key=lambda spot: ("midtown", "uptown", "downtown").index(spot.place)))

    def spot_of(self, name: str) -> Spot | None:
        return next((spot for spot, here in self.public() if here is not None and same(here) == same(name)), None)

    def still_in_midtown(self, names: tuple[str, ...]) -> tuple[str, ...] | None:
        """The names that must be deeper in midtown, or None while that can't be worked out."""
        seen = {same(name) for _, name in self.public() if name is not None}
        rest = tuple(name for name in names if same(name) not in seen)
        if len(names) != SCENES_OF_A_TYPE or len(rest) != max(0, len(self.midtown) - self.depth):
            return None
        return rest

    # ---------------------------------------------------------------- changes

    def named(self, spot: Spot, name: str | None) -> Track:
        """Note the name of the scene in this spot."""
        pile = self.pile(spot.place)
        if spot.index >= len(pile) or (spot.place == "midtown" and spot.index >= self.depth):
            raise NotAllowed("Nobody may look at that scene. Choose one that everybody can see.")
        return self.with_pile(spot.place, (*pile[: spot.index], name, *pile[spot.index + 1 :]))

    def without(self, spot: Spot) -> tuple[Track, str | None]:
        pile = self.pile(spot.place)
        if spot.index >= len(pile):
            raise NotAllowed("That scene is not there any more. Choose another one.")
        return self.with_pile(spot.place, (*pile[: spot.index], *pile[spot.index + 1 :])), pile[spot.index]

    def moved(self, spot: Spot, to: Place) -> Track:
        """Put a scene on top of another place. A title card that gets covered leaves the game."""
        left, name = self.without(spot)
        if to == "midtown":
            left = left.without_title()
        return left.with_pile(to, (name, *left.pile(to))).covered()

    def sunk(self, spot: Spot) -> Track:
        """Put a scene on the bottom of its midtown deck."""
        left, name = self.without(spot)
        return left.with_pile("midtown", (*left.midtown, name)).covered()

    def without_title(self) -> Track:
        """Remove the title card: it leaves the game when it is not on top of its midtown deck."""
        return msgspec.structs.replace(self, title=False)

    def searched(self) -> Track:
        """Shuffle midtown after a search: nobody knows the order any more, and the title card is gone."""
        return self.without_title().with_pile("midtown", (None,) * len(self.midtown))

    def unseen(self, name: str) -> Spot:
        """Return the spot of a scene that nobody can see: deep in midtown."""
        if len(self.midtown) > self.depth:
            return Spot("midtown", len(self.midtown) - 1)
        for spot in self.asks():
            return spot
        raise NotAllowed("Everybody can see all ten scenes of this type, and {name} is not one of them.", name=name)


def shuffled_track() -> Track:
    """The Big Shuffle: one scene uptown, one downtown, the rest in midtown, and no title card."""
    return Track(False, (None,), (None,) * (SCENES_OF_A_TYPE - 2), (None,))


def can_go(place: Place) -> tuple[Place, ...]:
    """Scenes move one step at a time, never straight from uptown to downtown."""
    return ("uptown", "downtown") if place == "midtown" else ("midtown",)


def direction(place: Place, to: Place) -> Literal["up", "down"]:
    """Up uses the left number on a scene card, down the right one."""
    return "up" if PLACES.index(to) < PLACES.index(place) else "down"
