"""What one viewer sees of a table: regions of HTML, of which only the changed ones are sent."""

from __future__ import annotations

import zlib
from typing import NamedTuple


class Region:
    """A part of a screen that is replaced as a whole."""

    __slots__ = ("_html", "digest", "name")

    def __init__(self, name: str, html: bytes, digest: int) -> None:
        self.name = name
        """The id of the element that holds it."""
        self._html = html
        self.digest = digest

    @property
    def html(self) -> bytes:
        """One line, as an SSE `data:` field needs it."""
        return self._html

    @property
    def partial(self) -> bytes:
        """The element that makes htmx put this region in its place."""
        return b'<hx-partial hx-target="#%s" hx-swap="innerMorph">%s</hx-partial>' % (self.name.encode(), self.html)


def digests_of(regions: tuple[Region, ...]) -> tuple[int, ...]:
    return tuple([region.digest for region in regions])


class Screen(NamedTuple):
    """What one viewer sees of a table at one version."""

    version: int
    table: str
    regions: tuple[Region, ...]
    digests: tuple[int, ...]
    """Of its regions."""

    def changed_since(self, digests: tuple[int, ...]) -> tuple[Region, ...]:
        """The regions that differ from those with these digests."""
        if digests == self.digests:
            return ()
        if len(digests) != len(self.digests):
            return self.regions
        return tuple([region for region, seen in zip(self.regions, digests, strict=True) if region.digest != seen])

    def frame(self, regions: tuple[Region, ...], *, numbered: bool = True) -> bytes:
        """These of its regions as one server-sent event, with the version as its id."""
        number = b"id: %d\n" % self.version if numbered else b""
        return b"".join([number, *[b"data: %s\n" % region.partial for region in regions], b"\n"])

    @property
    def mark(self) -> str:
        """Names exactly this screen: a page that carries it needs no first frame."""
        return f"{self.version}.{zlib.crc32(self.frame(self.regions)):x}"
