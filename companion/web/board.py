"""What was drawn of one table, and all that went into it: a piece that would look the same is not drawn again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

import msgspec

from companion.engine.game import TABLE, Seat
from companion.engine.present import Present, Recent
from companion.engine.room import Person
from companion.engine.screen import Sheet
from companion.web.people import people_of
from companion.web.taps import Me

Things = dict[str, Any]
"""What a template gets, by name."""
PIECES_IN_MIND = 500
LINE, LINE_ENDS = b"<li>", b"</li>"
HERE, TAPS = Me.here.encode(), Me.taps.encode()
ALIKE = 8
"""So many pieces of one template are borne in mind for others who see the same."""


class Piece:
    """A piece of a screen and all that went into it: it can be drawn again if its HTML was let go."""

    __slots__ = ("_draw", "_html", "board", "common", "digest", "key", "me", "public", "things")

    def __init__(
        self, draw: Draw, board: Board, key: Key, things: Things, me: Me | None = None, *, public: bool
    ) -> None:
        self._draw = draw
        self._html: bytes | None = None
        self.key = key
        self.board = board
        self.common = board.common
        self.things = things
        self.me = me
        """Whoever it is drawn for, if it has forms that tap."""
        self.public = public
        """Whether everybody may see it; what one seat saw is forgotten when something is burnt."""
        self.digest = hash(self.html)

    @property
    def html(self) -> bytes:
        if self._html is None:
            self._html = self._draw(self)
        return self._html

    @property
    def is_drawn(self) -> bool:
        return self._html is not None

    def let_go(self) -> None:
        """Nobody has needed the HTML for a while: a thousand open screens would mostly be this."""
        self._html = None


Key = tuple[str, str, Any]
"""Template, language, and whose piece it is."""
Draw = Callable[[Piece], bytes]


class Signed(NamedTuple):
    """A piece as one viewer gets it: with their own link, and how often they have tapped, in its forms."""

    piece: Piece
    here: str
    taps: str

    @property
    def digest(self) -> int:
        return hash((self.piece.digest, self.here, self.taps))

    @property
    def html(self) -> bytes:
        return self.piece.html.replace(HERE, self.here.encode()).replace(TAPS, self.taps.encode())


class Shared(NamedTuple):
    """What everybody sees of one version, and what it was drawn from."""

    version: int
    recent: Recent
    common: Things
    sheet: Sheet


class Own(NamedTuple):
    """What is one viewer's alone, and all that went into it."""

    facts: object
    here: str
    sheet: Sheet


NOTHING_OWN = Sheet()
"""Whoever only watches has nothing else; and whoever was shown what is burnt now has nothing any more."""


def same_faces(before: tuple[Person, ...], now: tuple[Person, ...]) -> bool:
    """Whether these people look as they did, however often they have tapped."""
    if len(before) != len(now):
        return False
    for old, new in zip(before, now, strict=True):
        if old is not new and msgspec.structs.replace(old, taps=new.taps) != new:
            return False
    return True


class Board:
    """What is in sight at one table."""

    now: Present

    def __init__(self, now: Present) -> None:
        self.now = now
        self.over = False
        self.common: Things = {}
        """What goes into every piece."""
        self._pieces: dict[Key, Piece] = {}
        self._alike: dict[tuple[str, str], list[Piece]] = {}
        """By template and language: drawn for somebody, without asking for whom."""
        self.shared: dict[str, Shared] = {}
        """By language."""
        self.own: dict[Hashable, Own] = {}
        """By viewer."""
        self.turn_to(now)

    def let_go(self, *, public: bool = False) -> list[Piece]:
        """Nothing that one seat saw stays in mind, nor what is `public`, if that is to go as well."""
        gone = [piece for piece in self._pieces.values() if public or not piece.public]
        for piece in gone:
            del self._pieces[piece.key]
        for alike in self._alike.values():
            gone += [piece for piece in alike if public or not piece.public]
            alike[:] = [piece for piece in alike if not public and piece.public]
        # Where somebody is found is no secret, and takes long to sign.
        self.own = {} if public else {viewer: Own(None, own.here, NOTHING_OWN) for viewer, own in self.own.items()}
        return gone

    @property
    def is_full(self) -> bool:
        """Whether more is borne in mind than people at one table could look at."""
        return len(self._pieces) + len(self.own) >= PIECES_IN_MIND

    def turn_to(self, now: Present) -> None:
        """Another version is the present one."""
        room, before = now.room, self.now.room
        over = now.result is not None
        looks_the_same = self.common and (before.host, before.phase, self.over) == (room.host, room.phase, over)
        self.now, self.over = now, over
        self._taps = {person.seat: person.taps for person in room.people}
        if looks_the_same and same_faces(before.people, room.people):
            return
        self.people = people_of(room)
        self.names = room.names
        self.lacks_phones = not all(person.phone for person in self.people)
        self.common = {
            "game": now.game, "code": now.code, "names": self.names, "people": self.people,
            "person_at": {person.seat: person for person in self.people}, "phase": room.phase, "over": self.over,
        }  # fmt: skip

    def taps_of(self, seat: Seat) -> int:
        return self.now.room.screen_taps if seat == TABLE else self._taps[seat]

    def known(self, key: Key, things: Things, me: Me | None = None) -> Piece | None:
        """The piece as it was drawn, if nothing that goes into it has changed."""
        piece = self._pieces.get(key)
        if piece is not None and piece.common is self.common and piece.things == things and piece.me == me:
            return piece
        return None

    def lines_before(self, piece: Piece) -> tuple[int, str]:
        """How many sentences of a history stand in the one that it takes the place of, and how they were drawn."""
        before = self._pieces.get(piece.key)
        if before is None or before is piece or before.common is not piece.common or not before.is_drawn:
            return 0, ""
        old, new = before.things["told"], piece.things["told"]
        if not old or old[0] not in new:
            return 0, ""
        many = len(new) - new.index(old[0])
        if new[-many:] != old[:many]:
            return 0, ""
        html = before.html
        start, end = html.find(LINE), html.rfind(LINE_ENDS) + len(LINE_ENDS)
        for _ in old[many:]:
            end = html.rfind(LINE, start, end)
        return many, html[start:end].rstrip().decode()

    def alike(self, key: Key, things: Things) -> Piece | None:
        """A piece that was drawn from the same, without asking for whom."""
        if (own := self._pieces.get(key)) is not None and own.common is self.common:
            return None  # as things stand, it asks
        for piece in self._alike.get(key[:2], ()):
            if piece.common is self.common and piece.things == things:
                return piece
        return None

    def keep(self, piece: Piece) -> list[Piece]:
        """Bear it in mind; which ones it takes the place of."""
        before = self._pieces.pop(piece.key, None)
        gone = [] if before is None else [before]
        if piece.me is None or piece.me.asked:
            self._pieces[piece.key] = piece
            return gone
        alike = self._alike.setdefault(piece.key[:2], [])
        alike.insert(0, piece)
        return [*gone, alike.pop()] if len(alike) > ALIKE else gone
