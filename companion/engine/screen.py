"""What one viewer sees of a table, in regions that are sent when they change."""

from __future__ import annotations

import zlib
from functools import cache
from typing import Protocol

import msgspec

TAIL = b"</hx-partial>"


@cache
def head(name: str) -> bytes:
    """The beginning of a part that changes a screen in place."""
    return f'<hx-partial hx-target="#{name}" hx-swap="innerMorph">'.encode()


class Piece(Protocol):
    """A piece of a region: its HTML, and what tells it from any other."""

    @property
    def digest(self) -> int: ...

    @property
    def html(self) -> bytes: ...


class Region:
    """A part of a screen: where it goes, and its HTML in pieces that change at different times."""

    __slots__ = ("digest", "name", "pieces")

    def __init__(self, name: str, pieces: tuple[Piece, ...]) -> None:
        self.name = name
        self.pieces = pieces
        self.digest = hash(tuple([piece.digest for piece in pieces]))

    @property
    def partial(self) -> list[bytes]:
        """As part of a reply that changes a screen in place."""
        return [head(self.name), *[piece.html for piece in self.pieces], TAIL]

    @property
    def html(self) -> str:
        """As part of a page."""
        return b"".join([piece.html for piece in self.pieces]).decode()


class Sheet:
    """Regions that belong together: what everybody sees, or what is one viewer's own."""

    __slots__ = ("digests", "regions")

    def __init__(self, regions: tuple[Region, ...] = ()) -> None:
        self.regions = regions
        self.digests = tuple([region.digest for region in regions])

    def since(self, seen: tuple[int, ...]) -> tuple[Region, ...]:
        """What is new to whoever has seen regions with these digests."""
        if seen is self.digests:
            return ()
        if len(seen) != len(self.digests):
            return self.regions
        return tuple([region for region, old in zip(self.regions, seen, strict=True) if region.digest != old])


class Screen(msgspec.Struct, frozen=True, gc=False):
    """What one viewer sees of a table at one version."""

    version: int
    own: Sheet
    shared: Sheet
    table: str = ""

    @property
    def regions(self) -> tuple[Region, ...]:
        return (*self.own.regions, *self.shared.regions)

    def frame(self, regions: tuple[Region, ...]) -> bytes:
        """These of its regions, as a stream sends them."""
        lines = [part for region in regions for part in (b"data: ", *region.partial, b"\n")]
        return b"".join([b"id: %d\n" % self.version, *lines, b"\n"])

    @property
    def mark(self) -> str:
        """Tells this screen from every other one: a page that carries it shows it already."""
        return f"{self.version}.{zlib.crc32(self.frame(self.regions)):x}"
