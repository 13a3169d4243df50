"""A player's notes on their secret cards: razor blades, missions and Power cards."""

from __future__ import annotations

from typing import Any

import msgspec

replace = msgspec.structs.replace


class Blade(msgspec.Struct, frozen=True):
    """A Territory card in hand, with one or two razor blades."""

    id: int
    blades: int


class Mission(msgspec.Struct, frozen=True):
    id: int
    text: str
    reward: int
    turns: int
    since: int | None = None
    """How many turns the player had ended when they began to hold it, or None."""
    places: tuple[str, ...] = ()
    """The named territories it asks for. With these, the app counts the turns."""


class Power(msgspec.Struct, frozen=True):
    """A Power card that was turned over and kept."""

    id: int
    text: str


class Notebook(msgspec.Struct, frozen=True):
    """What only one player knows. Played cards stay here; `Underworld.played` says which are gone."""

    unturned: int = 0
    blades: tuple[Blade, ...] = ()
    missions: tuple[Mission, ...] = ()
    powers: tuple[Power, ...] = ()
    chosen: tuple[int, ...] | None = None
    """The cards ticked for a trade; None means all."""
    written: int = 0
    turned: int = 0
    """The turn of the game in which a Power card was last turned over."""

    def write(self, **things: Any) -> Notebook:
        return replace(self, written=self.written + 1, **things)

    def renamed(self, old: str, new: str) -> Notebook:
        """Return the notes with another name for a territory."""
        missions = (
            replace(card, places=tuple(new if name == old else name for name in card.places)) for card in self.missions
        )
        return replace(self, missions=tuple(missions))
