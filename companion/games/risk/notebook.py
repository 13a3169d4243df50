"""The cards that only their owner knows, as they noted them: razor blades, missions and Power cards."""

from __future__ import annotations

from typing import Any

import msgspec

replace = msgspec.structs.replace


class Blade(msgspec.Struct, frozen=True):
    """A Territory card in hand: one or two razor blades."""

    id: int
    blades: int


class Mission(msgspec.Struct, frozen=True):
    id: int
    text: str
    reward: int
    turns: int
    since: int | None = None
    """How many own turns had ended when it began to hold, or None while it does not."""
    places: tuple[str, ...] = ()
    """The named territories that it asks for: then it counts by itself."""


class Power(msgspec.Struct, frozen=True):
    """A Power card turned over and kept."""

    id: int
    text: str


class Notebook(msgspec.Struct, frozen=True):
    """What one player alone knows. Nothing is crossed out here by playing: `played` says what is gone."""

    unturned: int = 0
    blades: tuple[Blade, ...] = ()
    missions: tuple[Mission, ...] = ()
    powers: tuple[Power, ...] = ()
    chosen: tuple[int, ...] | None = None
    """The cards weighed for a trade; None means all."""
    written: int = 0
    turned: int = 0
    """In which turn of the game a Power card was last turned over."""

    def write(self, **things: Any) -> Notebook:
        return replace(self, written=self.written + 1, **things)

    def renamed(self, old: str, new: str) -> Notebook:
        """A territory has another name now."""
        missions = (
            replace(card, places=tuple(new if name == old else name for name in card.places)) for card in self.missions
        )
        return replace(self, missions=tuple(missions))
