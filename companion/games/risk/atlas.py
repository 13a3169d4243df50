"""The names of territories and their regions, as people typed them from the board."""

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
    """The gang that holds a named territory."""

    gang: int
    since: int
    """How many turns its player had ended by then."""


class Atlas(msgspec.Struct, frozen=True):
    """All names, kept for the next table."""

    places: tuple[Place, ...] = ()
