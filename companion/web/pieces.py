"""Pieces of screens: each is drawn when something that goes into it has changed, and let go when nobody needs it."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup

from companion.engine.game import TABLE, Seat
from companion.engine.links import Link
from companion.engine.mind import Mind
from companion.engine.present import Present, Told
from companion.web.board import Board, Piece, Signed, Things
from companion.web.paper import Paper, as_html
from companion.web.taps import Me, Who, draw_chip, draw_take_back
from companion.web.words import draw_say, speaking

TABLES_IN_MIND = 2_000
TAKE_BACK = "take back"
"""A piece that is no template: it changes with every step, so it is drawn by hand."""
LARGE = 4_000
"""Bytes. Larger pieces, such as what a host may do with the room, are seldom needed again."""
KEPT, LARGE_KEPT = 3_000_000, 200_000
"""Bytes of HTML that one seat's pieces keep: a piece that is tapped at goes out again with the next tap."""


class Viewer(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Who looks: through which link, in which language, from which address."""

    link: Link
    language: str
    root: str
    """The path prefix that the app lives under, or nothing."""
    base: str
    """Where phones find this companion."""


class Host(NamedTuple):
    """What only the host and the shared screen see."""

    changes: int
    """Of the room."""
    view: msgspec.Struct | None
    offered: tuple[Seat, ...]
    """To whom the shared screen is to be handed, as far as they have no phone."""


class Look(NamedTuple):
    """Somebody looks: as whom, at what, and what their forms are signed with."""

    viewer: Viewer
    who: Who
    view: msgspec.Struct | None
    here: str
    taps: str
    host: Host | None
    place: str = "f"


class Fresh:
    """Pieces that still have their HTML, so many bytes of it at most: the oldest let go first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pieces: OrderedDict[Piece, int] = OrderedDict()
        self._size = 0

    def add(self, piece: Piece, size: int) -> None:
        self.drop(piece)
        self._pieces[piece] = size
        self._size += size
        while self._size > self._most:
            oldest, size = self._pieces.popitem(last=False)
            self._size -= size
            oldest.let_go()

    def drop(self, piece: Piece) -> None:
        self._size -= self._pieces.pop(piece, 0)

    def drop_all_of(self, board: Board) -> None:
        for piece in [piece for piece in self._pieces if piece.board is board]:
            self.drop(piece)

    def clear(self) -> None:
        self._pieces.clear()
        self._size = 0


class Pieces:
    """Draws pieces, and bears in mind what was drawn."""

    def __init__(self, paper: Paper, mind: Mind, translations: str) -> None:
        self._paper = paper
        self._mind = mind
        self._translations = translations
        self._boards: OrderedDict[str, Board] = OrderedDict()
        self._fresh = (Fresh(KEPT), Fresh(LARGE_KEPT))
        self._draw = self._draw_piece  # every piece holds it

    def _board(self, now: Present) -> Board:
        """What was drawn of this table, turned to its present version."""
        board = self._boards.get(now.id)
        if board is None:
            board = self._boards[now.id] = Board(now)
        elif board.now is not now:
            if board.now.floor != now.floor:
                self._let_go(board)
            board.turn_to(now)
        self._boards.move_to_end(now.id)
        if len(self._boards) > TABLES_IN_MIND:
            self._let_go(self._boards.popitem(last=False)[1], public=True)
        return board

    def forget_all(self) -> None:
        """Something was deleted: nothing that was ever drawn stays in mind."""
        draw_chip.cache_clear()
        self._boards.clear()
        for fresh in self._fresh:
            fresh.clear()

    def forget(self, table: str) -> None:
        """Something of this table was burnt or destroyed: nothing that was drawn of it before stays in mind.

        If we know how the table stands after it, what everybody may see stays: there was no secret in it.
        """
        board, now = self._boards.get(table), self._mind.get(table)
        if board is None:
            return
        if now is not None and now.floor > board.now.floor:
            self._let_go(board)
            board.turn_to(now)
        else:
            del self._boards[table]
            for fresh in self._fresh:
                fresh.drop_all_of(board)

    def _let_go(self, board: Board, *, public: bool = False) -> None:
        """Nothing that one seat saw stays in mind."""
        for piece in board.let_go(public=public):
            self._forget_html(piece)

    def _forget_html(self, piece: Piece) -> None:
        for fresh in self._fresh:
            fresh.drop(piece)

    def _piece(self, board: Board, language: str, template: str, things: Things, whose: Any = None) -> Piece:
        """A piece of a screen, drawn anew only if something that goes into it has changed."""
        key = (template, language, whose)
        if (known := board.known(key, things)) is not None:
            return known
        return self._keep(Piece(self._draw, board, key, things, public=whose is None))

    def _signed(self, board: Board, look: Look, template: str, things: Things) -> Signed:
        """A piece with forms that tap, drawn anew only if nobody sees the same already."""
        key, me = (template, look.viewer.language, (look.viewer, look.who[0])), Me(look.who, look.place)
        piece = board.known(key, things, me) or board.alike(key, things)
        if piece is None:
            piece = self._keep(Piece(self._draw, board, key, things, me, public=look.who[0] == TABLE))
        return Signed(piece, look.here, look.taps)

    def _keep(self, piece: Piece) -> Piece:
        if piece.board.is_full:
            self._let_go(piece.board, public=True)
        for gone in piece.board.keep(piece):
            self._forget_html(gone)
        return piece

    def _draw_piece(self, piece: Piece) -> bytes:
        template, language, whose = piece.key

        def part(template: str, **things: Any) -> Markup:
            """A part that changes less often than what is around it: `part('go/_stones.html', stones=view.old)`."""
            if piece.me is not None and "me" in things:
                piece.me.asked = True  # it may have been, when that part was drawn
            return as_html(self._piece(piece.board, language, template, things, (whose, "part")).html.decode())

        def sentences(told: tuple[Told, ...]) -> Markup:
            """Lines of the history: all but the newest stand in what was drawn before."""
            many, before = piece.board.lines_before(piece)
            new = [f"<li>{draw_say(one.line.say, piece.common['names'])}</li>" for one in told[: len(told) - many]]
            return as_html(" ".join([*new, before] if many else new))

        with speaking(language, self._translations):
            if template == TAKE_BACK and piece.me is not None:
                html = draw_take_back(piece.me, piece.things["what"], piece.common["names"])
            else:
                besides = {"me": piece.me, "part": part, "sentences": sentences}
                html = self._paper.draw(template, piece.common, besides, piece.things)
        if whose is not None:
            self._fresh[len(html) > LARGE].add(piece, len(html))
        # A frame is one line: where somebody has typed more than one, HTML has another way to say so.
        return html.replace("\r", "").replace("\n", "&#10;").encode()
