"""What was drawn of one table, and all that went into it: a piece that would look the same is not drawn again."""

from __future__ import annotations

from typing import Any, NamedTuple

from markupsafe import Markup

from companion.engine.game import TABLE, Seat
from companion.engine.live import Region
from companion.engine.present import RECENT, Present
from companion.web.people import people_of

Things = dict[str, Any]
"""What a template gets, by name."""
PIECES_IN_MIND = 500
LINES_IN_MIND = 4 * RECENT


class Drawn(NamedTuple):
    """A piece of a screen, and all that went into it."""

    common: Things
    things: Things
    html: bytes


class Board:
    """What is in sight at one table."""

    def __init__(self, now: Present) -> None:
        self._faces: object = None
        self._pieces: dict[Any, Drawn] = {}
        self.lines: dict[tuple[str, int, int], Markup] = {}
        """Sentences of the history: most of them will be shown again."""
        self.shared: dict[str, tuple[int, tuple[Region, Region, Region]]] = {}
        """By language: the version, and what everybody sees of it."""
        self.turn_to(now)

    def turn_to(self, now: Present) -> None:
        """Another version is the present one."""
        room = now.room
        self.now = now
        self.over = now.result is not None
        self._taps = {person.seat: person.taps for person in room.people}
        faces = [room.host, *((p.seat, p.name, p.phone, p.moving, p.away, p.gone, p.badge) for p in room.people)]
        if faces == self._faces:
            return
        self._faces = faces
        self.people = people_of(room)
        self.names = room.names
        self.common: Things = {
            "game": now.game, "code": now.code, "names": self.names, "people": self.people,
            "person_at": {person.seat: person for person in self.people},
        }  # fmt: skip
        """What goes into every piece."""
        self.lines.clear()

    def taps_of(self, seat: Seat) -> int:
        return self.now.room.screen_taps if seat == TABLE else self._taps[seat]

    def known(self, key: Any, things: Things) -> bytes | None:
        """The piece as it was drawn, if nothing that goes into it has changed."""
        drawn = self._pieces.get(key)
        return drawn.html if drawn is not None and drawn.common is self.common and drawn.things == things else None

    def keep(self, key: Any, things: Things, html: bytes) -> bytes:
        if len(self._pieces) >= PIECES_IN_MIND:
            self._pieces.clear()
        self._pieces[key] = Drawn(self.common, things, html)
        return html

    def keep_line(self, key: tuple[str, int, int], line: Markup) -> Markup:
        if len(self.lines) >= LINES_IN_MIND:
            self.lines.clear()
        self.lines[key] = line
        return line
