"""The names of territories, each in a region: what the board knows and the app learns."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from companion.game import N_

PlaceName = Annotated[str, Meta(title=N_("Territory"), max_length=30)]


class Place(msgspec.Struct, frozen=True):
    """A territory that somebody has named."""

    name: str
    region: int
    stronghold: bool = False


class Holding(msgspec.Struct, frozen=True):
    """The gang on a named territory."""

    gang: int
    since: int
    """How many turns of its own it had ended by then."""


class Atlas(msgspec.Struct, frozen=True):
    """What the next table knows: every name that was ever learnt."""

    places: tuple[Place, ...] = ()
