"""The city: three scene decks, each uptown, midtown and downtown, known as far as the table may know them.

A pile is a tuple, top first; None is a scene whose name the app has not been told.
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
    """One type of scene: ten of them in three places, and perhaps the title card on top of midtown."""

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
        """So many midtown scenes are public: the active one and the one directly below it."""
        return 1 if self.title else 2

    @property
    def active(self) -> str | None:
        return None if self.title or not self.midtown else self.midtown[0]

    def covered(self) -> Track:
        """What lies deeper in midtown than the public may look is known to nobody, the app included."""
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
        """Public spots whose name nobody has typed yet: the active scene first, then the one below it."""
        missing = [spot for spot, name in self.public() if name is None]
        return tuple(sorted(missing, key=lambda spot: ("midtown", "uptown", "downtown").index(spot.place)))

    def spot_of(self, name: str) -> Spot | None:
        return next((spot for spot, here in self.public() if here is not None and same(here) == same(name)), None)

    def still_in_midtown(self, names: tuple[str, ...]) -> tuple[str, ...] | None:
        """The names that must lie unseen in midtown, or None as long as that does not follow."""
        seen = {same(name) for _, name in self.public() if name is not None}
        rest = tuple(name for name in names if same(name) not in seen)
        if len(names) != SCENES_OF_A_TYPE or len(rest) != max(0, len(self.midtown) - self.depth):
            return None
        return rest

    # ---------------------------------------------------------------- what happens to it

    def named(self, spot: Spot, name: str | None) -> Track:
        """Somebody reads the name of the scene that lies there."""
        pile = self.pile(spot.place)
        if spot.index >= len(pile) or (spot.place == "midtown" and spot.index >= self.depth):
            raise NotAllowed("There is no scene in that place that everybody may see.")
        return self.with_pile(spot.place, (*pile[: spot.index], name, *pile[spot.index + 1 :]))

    def without(self, spot: Spot) -> tuple[Track, str | None]:
        pile = self.pile(spot.place)
        if spot.index >= len(pile):
            raise NotAllowed("There is no scene in that place any more.")
        return self.with_pile(spot.place, (*pile[: spot.index], *pile[spot.index + 1 :])), pile[spot.index]

    def moved(self, spot: Spot, to: Place) -> Track:
        """A scene goes on top of another place; whatever goes onto a title card sends it out of the game."""
        left, name = self.without(spot)
        if to == "midtown":
            left = left.without_title()
        return left.with_pile(to, (name, *left.pile(to))).covered()

    def sunk(self, spot: Spot) -> Track:
        """A scene goes to the bottom of its midtown deck."""
        left, name = self.without(spot)
        return left.with_pile("midtown", (*left.midtown, name)).covered()

    def without_title(self) -> Track:
        """A title card that is not on top of its midtown deck is out of the game."""
        return msgspec.structs.replace(self, title=False)

    def searched(self) -> Track:
        """Midtown has been looked through and shuffled: nobody knows its order, and the title card is gone."""
        return self.without_title().with_pile("midtown", (None,) * len(self.midtown))

    def unseen(self, name: str) -> Spot:
        """Where a scene comes from that lies nowhere in sight: out of the depths of midtown."""
        if len(self.midtown) > self.depth:
            return Spot("midtown", len(self.midtown) - 1)
        for spot in self.asks():
            return spot
        raise NotAllowed("All ten scenes of this type lie in sight, and {name} is not among them.", name=name)


def shuffled_track() -> Track:
    """The Big Shuffle: one scene uptown, one downtown, the rest in midtown, and no title card."""
    return Track(False, (None,), (None,) * (SCENES_OF_A_TYPE - 2), (None,))


def can_go(place: Place) -> tuple[Place, ...]:
    """One step at a time: never from uptown straight to downtown."""
    return ("uptown", "downtown") if place == "midtown" else ("midtown",)


def direction(place: Place, to: Place) -> Literal["up", "down"]:
    """Up uses the left number of a scene, down the right one."""
    return "up" if PLACES.index(to) < PLACES.index(place) else "down"
