"""What was drawn of one table, and all that went into it: a piece that would look the same is not drawn again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from companion.engine.game import TABLE, Seat
from companion.engine.live import Region
from companion.engine.present import Present, Recent
from companion.web.people import people_of
from companion.web.taps import Me

Things = dict[str, Any]
"""What a template gets, by name."""
PIECES_IN_MIND = 500


class Piece:
    """A piece of a screen and all that went into it: it can be drawn again if its HTML was let go."""

    __slots__ = ("_draw", "_html", "board", "common", "digest", "key", "public", "things")

    def __init__(self, draw: Draw, board: Board, key: Key, things: Things, *, public: bool) -> None:
        self._draw = draw
        self._html: bytes | None = None
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
            self._html = self._draw(self)
        return self._html

    def let_go(self) -> None:
        """Nobody has needed the HTML for a while: a thousand open screens would mostly be this."""
        self._html = None


Key = tuple[str, str, Any]
"""Template, language, and whose piece it is."""
Draw = Callable[[Piece], bytes]


class Shared(NamedTuple):
    """What everybody sees of one version, and what it was drawn from."""

    version: int
    recent: Recent
    common: Things
    regions: tuple[Region, Region, Region]


class Own(NamedTuple):
    """What is one viewer's alone, and all that went into it."""

    facts: object
    me: Me
    you: Region
    rights: Region


class Board:
    """What is in sight at one table."""

    now: Present

    def __init__(self, now: Present) -> None:
        self.now = now
        self._faces: object = None
        self._pieces: dict[Key, Piece] = {}
        self.shared: dict[str, Shared] = {}
        """By language."""
        self.own: dict[Hashable, Own] = {}
        """By viewer."""
        self.turn_to(now)

    def let_go(self) -> list[Key]:
        """Nothing that one seat saw stays in mind."""
        gone = [key for key, piece in self._pieces.items() if not piece.public]
        for key in gone:
            del self._pieces[key]
        self.own.clear()
        return gone

    @property
    def is_full(self) -> bool:
        return len(self._pieces) >= PIECES_IN_MIND

    def turn_to(self, now: Present) -> None:
        """Another version is the present one."""
        room = now.room
        self.now = now
        self.over = now.result is not None
        self._taps = {person.seat: person.taps for person in room.people}
        faces = [
            room.host,
            room.phase,
            self.over,
            *((p.seat, p.name, p.phone, p.moving, p.away, p.gone, p.badge) for p in room.people),
        ]
        if faces == self._faces:
            return
        self._faces = faces
        self.people = people_of(room)
        self.names = room.names
        self.common: Things = {
            "game": now.game, "code": now.code, "names": self.names, "people": self.people,
            "person_at": {person.seat: person for person in self.people}, "phase": room.phase, "over": self.over,
        }  # fmt: skip
        """What goes into every piece."""

    def taps_of(self, seat: Seat) -> int:
        return self.now.room.screen_taps if seat == TABLE else self._taps[seat]

    def known(self, key: Key, things: Things) -> Piece | None:
        """The piece as it was drawn, if nothing that goes into it has changed."""
        piece = self._pieces.get(key)
        return piece if piece is not None and piece.common is self.common and piece.things == things else None

    def keep(self, piece: Piece) -> Piece:
        self._pieces[piece.key] = piece
        return piece
