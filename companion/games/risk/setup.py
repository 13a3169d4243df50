"""The set-up that the host copies from the board: the Crown's route, the regions and the gangs. Also the deal."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_

TERRITORIES = 42
LONGEST_NAME = 24
GANGS = (1, 2, 3, 4, 5)
REGIONS = (1, 2, 3, 4, 5)
GANG_NAMES = {1: "Peaky Blinders", 2: "Birmingham Boys", 3: "Solomons' gang", 4: "Sabinis", 5: "IRA"}
REGION_NAMES = {1: "Region 1", 2: "Region 2", 3: "Region 3", 4: "Region 4", 5: "Region 5"}

Colour = Literal["gold", "blue", "red", "green", "violet", "white", "black", "orange", "teal"]
GANG_COLOURS: dict[int, Colour] = {1: "gold", 2: "blue", 3: "green", 4: "red", 5: "violet"}

Which = Annotated[int, Meta(ge=1, le=5)]
Space = Annotated[int, Meta(title=N_("Space"), ge=1, le=30)]
Words = Annotated[str, Meta(title=N_("Name"), max_length=LONGEST_NAME)]


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What differs between boards, and what the rules leave open. Kept for the next game."""

    crown: Annotated[bool, Meta(title=N_("Play with the Crown"))] = True
    length: Annotated[int, Meta(title=N_("Spaces on the Crown's route"), ge=6, le=30)] = 24
    die_spaces: tuple[Space, ...] = ()
    gang: Annotated[dict[Which, Words], Meta(title=N_("Gang"))] = msgspec.field(
        default_factory=lambda: dict(GANG_NAMES)
    )
    colour: Annotated[dict[Which, Colour], Meta(title=N_("Colour"))] = msgspec.field(
        default_factory=lambda: dict(GANG_COLOURS)
    )
    region: Annotated[dict[Which, Words], Meta(title=N_("Region"))] = msgspec.field(
        default_factory=lambda: dict(REGION_NAMES)
    )
    bonus: Annotated[dict[Which, Annotated[int, Meta(ge=0, le=20)]], Meta(title=N_("Bonus"))] = msgspec.field(
        default_factory=lambda: dict.fromkeys(REGIONS, 0)
    )

    beaten: Annotated[Literal["attack", "turn"], Meta(title=N_("When all attackers are lost"))] = "attack"
    """What "no further attacks" in the rulebook ends: that attack, or all attacks of the turn."""
    names: Annotated[bool, Meta(title=N_("Name the territories"))] = False

    def route_dice(self) -> tuple[int, ...]:
        """Return the die spaces before the Tavern, where players roll anyway."""
        return tuple(sorted({space for space in self.die_spaces if space < self.length}))


class Deal(msgspec.Struct, frozen=True):
    """How many cards each player gets, in turn order."""

    territories: tuple[int, ...]
    missions: int
    powers: int
    neutral: int = 0
    """Territory cards dealt to each neutral gang to place its members."""
    pile: int = 0
    """Territory cards in the pile of each neutral gang beside the board."""


DEALS = {
    2: Deal((12, 12), missions=1, powers=3, neutral=6, pile=3),
    3: Deal((14, 14, 14), missions=2, powers=2),
    4: Deal((10, 10, 11, 11), missions=2, powers=2),
    5: Deal((8, 8, 8, 9, 9), missions=2, powers=2),
}
"""All 42 cards by number of players. The last in turn order get the extra cards."""
