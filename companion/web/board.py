"""What was drawn of one table, and all that went into it: a piece that would look the same is not drawn again."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from companion.engine.game import TABLE, Seat
from companion.engine.live import Region
from companion.engine.present import RECENT, Present
from companion.web.people import people_of

Things = dict[str, Any]
"""What a template gets, by name."""
PIECES_IN_MIND = 500
LINES_IN_MIND = 4 * RECENT


class Piece:
    """A piece of a screen and all that went into it: it can be drawn again if its HTML was let go."""

    __slots__ = ("_draw", "_html", "_packed", "board", "common", "digest", "key", "public", "things")

    def __init__(self, draw: Draw, board: Board, key: Key, things: Things, *, public: bool) -> None:
        self._draw = draw
        self._html: bytes | None = None
        self._packed: bytes | None = None
        self.key = key
        self.board = board
        self.common = board.common
        self.things = things
        self.public = public
        """Whether everybody may see it; what one seat saw is forgotten when something is burnt."""
        self.digest = hash(self.html)

    @property
    def html(self) -> bytes:
        if self._html is None:
            if self._packed is not None:
                return zlib.decompress(self._packed)
            self._html = self._draw(self)
        return self._html

    def let_go(self) -> None:
        """Nobody has needed the HTML for a while: a thousand open screens would mostly be this.

        A shared screen's is large and sent with every small change beside it: it is packed.
        """
        if self.public and self._html is not None:
            self._packed = zlib.compress(self._html, 1)
        self._html = None


Key = tuple[str, str, Any]
"""Template, language, and whose piece it is."""
Draw = Callable[[Piece], bytes]


class Board:
    """What is in sight at one table."""

    now: Present

    def __init__(self, now: Present) -> None:
        self.now = now
        self._faces: object = None
        self._pieces: dict[Key, Piece] = {}
        self.lines: dict[tuple[str, int, int], Markup] = {}
        """Sentences of the history: most of them will be shown again."""
        self.shared: dict[str, tuple[int, tuple[Region, Region, Region]]] = {}
        """By language: the version, and what everybody sees of it."""
        self.turn_to(now)

    def burn(self) -> list[Key]:
        """Something was burnt: nothing that one seat saw stays in mind."""
        burnt = [key for key, piece in self._pieces.items() if not piece.public]
        for key in burnt:
            del self._pieces[key]
        return burnt

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

    def known(self, key: Key, things: Things) -> Piece | None:
        """The piece as it was drawn, if nothing that goes into it has changed."""
        piece = self._pieces.get(key)
        return piece if piece is not None and piece.common is self.common and piece.things == things else None

    def keep(self, piece: Piece) -> Piece:
        if len(self._pieces) >= PIECES_IN_MIND:
            self._pieces.clear()
        self._pieces[piece.key] = piece
        return piece

    def keep_line(self, key: tuple[str, int, int], line: Markup) -> Markup:
        if len(self.lines) >= LINES_IN_MIND:
            self.lines.clear()
        self.lines[key] = line
        return line
