"""Drawing: a table's present version as the regions of one viewer's screen.

What everybody may know is drawn once per version and language, whoever looks; only the region
`you` is drawn for one seat. Page, reply and stream are all made of these regions.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup

from companion.engine.game import TABLE, Seat, Tap
from companion.engine.links import WATCHER, BadLink, Link, Links
from companion.engine.live import Region, Screen
from companion.engine.present import Present, Told
from companion.engine.room import TABLE_TAPS
from companion.engine.table import Tables
from companion.web.board import Board, Own, Piece, Shared, Signed, Things
from companion.web.paper import Paper
from companion.web.taps import Me, Who, draw_chip
from companion.web.words import draw_say, speaking

TABLES_IN_MIND = 2_000
PIECES_KEPT = 400
OWN = ("you", "back", "rights")
"""The regions that are one viewer's own."""
NOTHING = {name: Region(name, ()) for name in (*OWN, "record")}
LOCAL = re.compile(r"https?://(127\.|localhost|\[::1\])")


class Viewer(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Who looks: through which link, in which language, from which address."""

    link: Link
    language: str
    root: str
    """The path prefix that the app lives under, or nothing."""
    base: str
    """Where phones find this companion."""


class Look(NamedTuple):
    """Somebody looks: as whom, at what, and what their forms are signed with."""

    viewer: Viewer
    who: Who
    view: msgspec.Struct | None
    here: str
    taps: str
    place: str = "f"


class Screens:
    """Draws every screen there is."""

    def __init__(self, paper: Paper, tables: Tables, links: Links, translations: str) -> None:
        self._paper = paper
        self._tables = tables
        self._links = links
        self._translations = translations
        self._boards: OrderedDict[str, Board] = OrderedDict()
        self._fresh: OrderedDict[Piece, None] = OrderedDict()
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
        *shared, history = self._shared(board, viewer.language)
        if link.seat in now.recent.private:
            history = self._history(board, viewer.language, link.seat)
        if link.seat == WATCHER:
            return Screen(now.version, (*shared, history), now.id)
        return Screen(now.version, (*self._own(board, viewer), *shared, history), now.id)

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
            self._fresh = OrderedDict.fromkeys(piece for piece in self._fresh if piece.board is not board)

    def _let_go(self, board: Board, *, public: bool = False) -> None:
        """Nothing that one seat saw stays in mind."""
        for piece in board.let_go(public=public):
            self._fresh.pop(piece, None)

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
            self._fresh.pop(gone, None)
        return piece

    def _draw_piece(self, piece: Piece) -> bytes:
        template, language, whose = piece.key

        def part(template: str, **things: Any) -> Markup:
            """A part that changes less often than what is around it: `part('go/_stones.html', stones=view.old)`."""
            if piece.me is not None and "me" in things:
                piece.me.asked = True  # it may have been, when that part was drawn
            return Markup(self._piece(piece.board, language, template, things, (whose, "part")).html.decode())

        def sentences(told: Iterable[Told]) -> Markup:
            """Lines of the history: all but the newest stand in what was drawn before."""
            names, drawn = piece.common["names"], piece.board.lines_before(piece)
            lines = [drawn.get((one.version, one.place)) or f"<li>{draw_say(one.line.say, names)}</li>" for one in told]
            return Markup(" ".join(lines))

        with speaking(language, self._translations):
            besides = {"me": piece.me, "part": part, "sentences": sentences}
            html = self._paper.draw(template, piece.common, besides, piece.things)
        if whose is not None:
            self._fresh[piece] = None
            if len(self._fresh) > PIECES_KEPT:
                self._fresh.popitem(last=False)[0].let_go()
        # A frame is one line: where somebody has typed more than one, HTML has another way to say so.
        return html.replace("\r", "").replace("\n", "&#10;").encode()

    # ---------------------------------------------------------------- what everybody sees

    def _shared(self, board: Board, language: str) -> tuple[Region, ...]:
        now, known = board.now, board.shared.get(language)
        if known is not None and known.version == now.version:
            return known.regions
        people = self._piece(board, language, "_people.html", {})
        if known is not None and known.recent is now.recent and known.common is board.common:
            history = known.regions[-1]  # nothing was said
        else:
            history = self._history(board, language, None)
        regions = (*self._table(board, language), Region("people", (people,)), history)
        board.shared[language] = Shared(now.version, now.recent, board.common, regions)
        return regions

    def _table(self, board: Board, language: str) -> tuple[Region, Region]:
        """How things stand, and what is on record."""
        now, record = board.now, NOTHING["record"]
        if now.state is None:
            least, most = now.game.players
            piece = self._piece(board, language, "_gathering.html", {"least": least, "most": most})
        else:
            things = {"view": now.game.table_view(now.state), "alarm_at": now.room.alarm_at}
            piece = self._piece(board, language, f"{now.game.name}/table.html", things)
            if now.game.record_view:
                things = {"record": now.game.record_view(now.state)}
                record = Region("record", (self._piece(board, language, f"{now.game.name}/record.html", things),))
        return Region("table", (piece,)), record

    def table_of(self, now: Present, language: str) -> str:
        """The part that everybody may see, of any table, outside its screens."""
        return "".join([region.html for region in self._table(self._board(now), language)])

    def _history(self, board: Board, language: str, seat: Seat | None) -> Region:
        told = board.now.recent.for_seat(seat)
        return Region("history", (self._piece(board, language, "_history.html", {"told": told}, seat),))

    # ---------------------------------------------------------------- the part that is one viewer's own

    def you(self, now: Present, viewer: Viewer, *, passed_to: Seat) -> str:
        """The region of a seat, drawn on the shared screen that was passed to it."""
        board = self._board(now)
        look = Look(
            viewer, (passed_to, board.names.get(passed_to, ""), False), self._view(now, passed_to),
            f"{self.address(viewer)}/seat/{int(passed_to)}", str(board.taps_of(passed_to)),
        )  # fmt: skip
        return Region("you", (self._signed(board, look, "_seat.html", self._things(board, look, goes_on=False)),)).html

    def _own(self, board: Board, viewer: Viewer) -> tuple[Region, ...]:
        """The region of one seat, or of the shared screen, what it can take back, and what its host may do."""
        now, seat, known = board.now, viewer.link.seat, board.own.get(viewer)
        is_host, taps, view = now.room.is_host(seat), board.taps_of(seat), self._view(now, seat)
        facts = None
        if not is_host and seat != TABLE:  # eight of nine screens, and most of them look as they did before
            facts = (board.common, taps, now.room.alarm_at, view, now.can_take_back(seat) and now.step_line)
            if known is not None and known.facts == facts:
                return known.regions
        here = self.address(viewer) if known is None else known.here
        look = Look(viewer, (seat, board.names.get(seat, ""), is_host), view, here, str(taps))
        pieces = (self._you(board, look), self._back(board, look), self._rights(board, look))
        if known is None or known.pieces != pieces or known.facts != facts:
            regions = [Region(name, of) if of else NOTHING[name] for name, of in zip(OWN, pieces, strict=True)]
            known = Own(facts, here, tuple(regions))
            if board.is_full:
                self._let_go(board, public=True)
            board.own[viewer] = known
        return known.regions

    def _view(self, now: Present, seat: Seat) -> msgspec.Struct | None:
        if now.state is None:
            return None
        return now.game.screen_view(now.state) if seat == TABLE else now.game.seat_view(now.state, seat)

    def _things(self, board: Board, look: Look, *, goes_on: bool) -> Things:
        now, seat = board.now, look.who[0]
        things: Things = {"root": look.viewer.root, "alarm_at": now.room.alarm_at, "goes_on": goes_on}
        if look.view is not None:
            things["view"] = look.view
        if seat != TABLE:
            things["away"] = board.common["person_at"][seat].away
        return things

    def _you(self, board: Board, look: Look) -> tuple[Signed, ...]:
        """In pieces that change at different times."""
        now, (seat, _, is_host) = board.now, look.who
        room, game = now.room, now.game
        things = self._things(board, look, goes_on=room.phase == "ended" or board.over)
        if seat == TABLE:
            offered = () if now.state is None else game.offered(now.state)
            things["handing"] = [(person, person.seat in offered) for person in board.people if not person.phone]
            if room.phase == "gathering":
                things |= self._joining(board, look.viewer)
            pieces = [self._signed(board, look, "_screen.html", things)]
        else:
            pieces = [self._signed(board, look, "_seat.html", things)]
        if is_host and game.host_view and now.state is not None and room.phase == "playing":
            hosting = {"alarm_at": room.alarm_at, "host": game.host_view(now.state)}
            pieces.append(self._signed(board, look, f"{game.name}/host.html", hosting))
        return tuple(pieces)

    def _back(self, board: Board, look: Look) -> tuple[Signed, ...]:
        """What can be taken back changes with every step, whatever else does."""
        now = board.now
        if not now.can_take_back(look.who[0]) or now.step_line is None or now.step_line.to is not None:
            return ()
        return (self._signed(board, look, "_take_back.html", {"what": now.step_line.say}),)

    def _rights(self, board: Board, look: Look) -> tuple[Signed, ...]:
        """Seats, phones, ending: what a host can do, and what the shared screen shows when somebody asks.

        These forms are named by the changes of the room, so a game that goes on leaves them as they are.
        """
        seat, _, is_host = look.who
        if not is_host and seat != TABLE:
            return ()
        look = look._replace(taps=f"r{board.now.room.changes}", place="r")
        things: Things = {"moving": self._moving(board, look.viewer)}
        pieces = []
        if is_host:
            pieces.append(self._signed(board, look, "_host.html", things))
        if seat == TABLE:
            folds = things | self._joining(board, look.viewer)
            pieces.append(self._signed(board, look, "_screen_folds.html", folds))
        return tuple(pieces)

    def _joining(self, board: Board, viewer: Viewer) -> Things:
        """How phones find this table."""
        code = board.now.code
        return {
            "join": f"{viewer.base}{viewer.root}/t/{code}?k={self._links.sign_join(code)}",
            "join_at": f"{viewer.base}{viewer.root}",
            "join_is_local": LOCAL.match(viewer.base) is not None,
        }

    def _moving(self, board: Board, viewer: Viewer) -> list[tuple[str, str]]:
        """Seats that wait for another phone, each with its new link."""
        return [
            (person.name, viewer.base + self.address(viewer, Link(board.now.id, person.seat, person.generation)))
            for person in board.now.room.people
            if person.moving and not person.gone
        ]


def as_reply(screen: Screen, message: str = "", tap: Tap | None = None) -> bytes:
    """A screen as the reply to a tap, which changes it in place; with the host's rights, if they may have changed."""
    rights = tap is None or isinstance(tap, TABLE_TAPS)
    said = f'<hx-partial hx-target="#message" hx-swap="innerHTML">{message}</hx-partial>'
    shown = [region.partial for region in screen.regions if rights or region.name != "rights"]
    return b"".join([*shown, said.encode()])
