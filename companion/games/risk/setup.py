"""What is typed from the board before the game: the Crown's route, the regions, the gangs; and the deal."""

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
COLOURS: tuple[tuple[Colour, str], ...] = (
    ("gold", N_("Gold")),
    ("blue", N_("Blue")),
    ("red", N_("Red")),
    ("green", N_("Green")),
    ("violet", N_("Violet")),
    ("white", N_("White")),
    ("black", N_("Black")),
    ("orange", N_("Orange")),
    ("teal", N_("Teal")),
)
GANG_COLOURS: dict[int, Colour] = {1: "gold", 2: "blue", 3: "green", 4: "red", 5: "violet"}

Which = Annotated[int, Meta(ge=1, le=5)]
Space = Annotated[int, Meta(title=N_("Space"), ge=1, le=30)]
Words = Annotated[str, Meta(title=N_("Name"), max_length=LONGEST_NAME)]


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the board says and the rules leave to the table; kept for the next game."""

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
    """What "no further attacks" in the book means: that attack is over, or all attacks of the turn are."""
    names: Annotated[bool, Meta(title=N_("Name the territories"))] = False

    def route_dice(self) -> tuple[int, ...]:
        """The die spaces on the way: none at the Tavern, where a roll is due anyway."""
        return tuple(sorted({space for space in self.die_spaces if space < self.length}))


class Deal(msgspec.Struct, frozen=True):
    """How many cards everybody gets, in turn order."""

    territories: tuple[int, ...]
    missions: int
    powers: int
    neutral: int = 0
    """Territory cards for each neutral gang to place its members with."""
    pile: int = 0
    """Territory cards that then lie beside the board under each neutral gang."""


DEALS = {
    2: Deal((12, 12), missions=1, powers=3, neutral=6, pile=3),
    3: Deal((14, 14, 14), missions=2, powers=2),
    4: Deal((10, 10, 11, 11), missions=2, powers=2),
    5: Deal((8, 8, 8, 9, 9), missions=2, powers=2),
}
"""42 cards; the last in turn order get what is left over."""
