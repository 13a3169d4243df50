"""Drawing: a table's present version as the regions of one viewer's screen.

What everybody may know is drawn once per version and language, whoever looks; only the region
`you` is drawn for one seat. Page, reply and stream are all made of these regions.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any

import msgspec
from markupsafe import Markup

from companion.engine.game import TABLE, Seat
from companion.engine.links import WATCHER, BadLink, Link, Links
from companion.engine.live import Region, Screen
from companion.engine.present import Present
from companion.engine.table import Tables
from companion.web.board import Board, Key, Piece, Things
from companion.web.paper import Paper
from companion.web.taps import Me
from companion.web.words import draw_say, speaking

TABLES_IN_MIND = 2_000
PIECES_KEPT = 400
LOCAL = re.compile(r"https?://(127\.|localhost|\[::1\])")


class Viewer(msgspec.Struct, frozen=True, cache_hash=True):
    """Who looks: through which link, in which language, from which address."""

    link: Link
    language: str
    root: str
    """The path prefix that the app lives under, or nothing."""
    base: str
    """Where phones find this companion."""


class Screens:
    """Draws every screen there is."""

    def __init__(self, paper: Paper, tables: Tables, links: Links, translations: str) -> None:
        self._paper = paper
        self._tables = tables
        self._links = links
        self._translations = translations
        self._boards: OrderedDict[str, Board] = OrderedDict()
        self._fresh: OrderedDict[tuple[str, Key], Piece] = OrderedDict()
        """One seat's pieces that still have their HTML, the oldest first."""
        self._draw = self._draw_piece  # every piece holds it

    def address(self, viewer: Viewer, link: Link | None = None) -> str:
        """The path of a link."""
        link = link or viewer.link
        return f"{viewer.root}/{link.door}/{self._links.sign(link.table, link.seat, link.generation)}"

    def draw(self, viewer: Viewer) -> Screen | None:
        """The present screen of this viewer, or None if the link is dead."""
        try:
            now = self._tables.admit(viewer.link)
        except BadLink:
            return None
        link = viewer.link
        if now.id != link.table:
            viewer = msgspec.structs.replace(viewer, link=link.at(now.id))
        board = self._board(now)
        table, people, history = self._shared(board, viewer.language)
        if link.seat in now.recent.private:
            history = self._history(board, viewer.language, link.seat)
        if link.seat == WATCHER:
            return Screen(now.version, (table, people, history), now.id)
        you = Region("you", self._you(board, viewer))
        return Screen(now.version, (you, table, people, history), now.id)

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
            self._boards.popitem(last=False)
        return board

    def forget_all(self) -> None:
        """Something was deleted: nothing that was ever drawn stays in mind."""
        self._boards.clear()
        self._fresh.clear()

    def forget(self, table: str) -> None:
        """Something of this table was burnt or destroyed: nothing that was drawn of it before stays in mind.

        If we know how the table stands after it, what everybody may see stays: there was no secret in it.
        """
        board, now = self._boards.get(table), self._tables.mind.get(table)
        if board is None:
            return
        if now is not None and now.floor > board.now.floor:
            self._let_go(board)
            board.turn_to(now)
        else:
            del self._boards[table]
        gone = table not in self._boards
        for key in [key for key, piece in self._fresh.items() if key[0] == table and (gone or not piece.public)]:
            del self._fresh[key]

    def _let_go(self, board: Board) -> None:
        """Nothing that one seat saw stays in mind."""
        for key in board.burn():
            self._fresh.pop((board.now.id, key), None)

    def _piece(self, board: Board, language: str, template: str, things: Things, whose: Any = None) -> Piece:
        """A piece of a screen, drawn anew only if something that goes into it has changed."""
        key = (template, language, whose)
        if (known := board.known(key, things)) is not None:
            return known
        public = whose is None or (isinstance(whose, Viewer) and whose.link.seat == TABLE)
        return board.keep(Piece(self._draw, board, key, things, public=public))

    def _draw_piece(self, piece: Piece) -> bytes:
        template, language, whose = piece.key

        def part(template: str, **things: Any) -> Markup:
            """A part that changes less often than what is around it: `part('go/_stones.html', stones=view.old)`."""
            return Markup(self._piece(piece.board, language, template, things, (whose, "part")).html.decode())

        with speaking(language, self._translations):
            html = self._paper.draw(template, {**piece.common, **piece.things, "part": part})
        if whose is not None:
            self._fresh[piece.board.now.id, piece.key] = piece
            if len(self._fresh) > PIECES_KEPT:
                self._fresh.popitem(last=False)[1].let_go()
        # A frame is one line: where somebody has typed more than one, HTML has another way to say so.
        return html.replace("\r", "").replace("\n", "&#10;").encode()

    # ---------------------------------------------------------------- what everybody sees

    def _shared(self, board: Board, language: str) -> tuple[Region, Region, Region]:
        version, regions = board.shared.get(language, (0, None))
        if regions is None or version != board.now.version:
            phase = board.now.room.phase
            regions = (
                self._table(board, language),
                Region("people", (self._piece(board, language, "_people.html", {"phase": phase}),)),
                self._history(board, language, None),
            )
            board.shared[language] = (board.now.version, regions)
        return regions

    def _table(self, board: Board, language: str) -> Region:
        now = board.now
        if now.state is None:
            least, most = now.game.players
            piece = self._piece(board, language, "_gathering.html", {"least": least, "most": most})
        else:
            things = {"view": now.game.table_view(now.state), "alarm_at": now.room.alarm_at}
            piece = self._piece(board, language, f"{now.game.name}/table.html", things)
        return Region("table", (piece,))

    def table_of(self, now: Present, language: str) -> Region:
        """The part that everybody may see, of any table, outside its screens."""
        return self._table(self._board(now), language)

    def _history(self, board: Board, language: str, seat: Seat | None) -> Region:
        lines = []
        with speaking(language, self._translations):
            for told in board.now.recent.for_seat(seat):
                key = (language, told.version, told.place)
                if (line := board.lines.get(key)) is None:
                    line = board.keep_line(key, draw_say(told.line.say, board.names))
                lines.append(line)
        return Region("history", (self._piece(board, language, "_history.html", {"lines": lines}, seat),))

    # ---------------------------------------------------------------- the part that is one viewer's own

    def you(self, now: Present, viewer: Viewer, *, passed_to: Seat) -> str:
        """The region of a seat, drawn on the shared screen that was passed to it."""
        return Region("you", self._you(self._board(now), viewer, passed_to)).html

    def _you(self, board: Board, viewer: Viewer, passed_to: Seat | None = None) -> tuple[Piece, ...]:
        """The region of one seat, or of the shared screen, in pieces that change at different times."""
        now, language = board.now, viewer.language
        room, game = now.room, now.game
        seat = viewer.link.seat if passed_to is None else passed_to
        here = self.address(viewer)
        is_host = passed_to is None and room.is_host(seat)
        me = Me(
            seat, board.names.get(seat, ""), here if passed_to is None else f"{here}/seat/{int(seat)}",
            board.taps_of(seat), is_host,
        )  # fmt: skip
        over = room.phase == "ended" or board.over
        things: Things = {
            "root": viewer.root, "me": me, "phase": room.phase, "alarm_at": room.alarm_at,
            "over": board.over, "goes_on": over and passed_to is None,
        }  # fmt: skip
        whose = viewer if passed_to is None else (viewer, passed_to)
        if seat == TABLE:
            things |= self._screen_things(board, viewer)
            if now.state is not None:
                things["view"] = game.screen_view(now.state)
            pieces = [self._piece(board, language, "_screen.html", things, whose)]
        else:
            if now.state is not None:
                things["view"] = game.seat_view(now.state, seat)
            pieces = [self._piece(board, language, "_seat.html", things, whose)]
        if is_host and game.host_view and now.state is not None and room.phase == "playing":
            hosting = {"me": me, "alarm_at": room.alarm_at, "host": game.host_view(now.state)}
            pieces.append(self._piece(board, language, f"{game.name}/host.html", hosting, whose))
        if passed_to is None and now.can_take_back(seat) and now.step_line and now.step_line.to is None:
            back = {"me": me, "what": now.step_line.say}
            pieces.append(self._piece(board, language, "_take_back.html", back, whose))
        if is_host:
            rights = {"me": me, "phase": room.phase, "moving": self._moving(board, viewer)}
            pieces.append(self._piece(board, language, "_host.html", rights, whose))
        if seat == TABLE:
            pieces.append(self._piece(board, language, "_screen_folds.html", things, whose))
        return tuple(pieces)

    def _screen_things(self, board: Board, viewer: Viewer) -> Things:
        now = board.now
        offered = () if now.state is None else now.game.offered(now.state)
        return {
            "join": f"{viewer.base}{viewer.root}/t/{now.code}?k={self._links.sign_join(now.code)}",
            "join_at": f"{viewer.base}{viewer.root}",
            "join_is_local": LOCAL.match(viewer.base) is not None,
            "handing": [(person, person.seat in offered) for person in board.people if not person.phone],
            "moving": self._moving(board, viewer),
        }

    def _moving(self, board: Board, viewer: Viewer) -> list[tuple[str, str]]:
        """Seats that wait for another phone, each with its new link."""
        return [
            (person.name, viewer.base + self.address(viewer, Link(board.now.id, person.seat, person.generation)))
            for person in board.now.room.people
            if person.moving and not person.gone
        ]


def as_reply(screen: Screen, message: str = "") -> bytes:
    """A screen as the reply to a tap, which changes it in place."""
    said = f'<hx-partial hx-target="#message" hx-swap="innerHTML">{message}</hx-partial>'
    return b"".join([*[region.partial for region in screen.regions], said.encode()])
