"""Drawing: a table's present version as the regions of one viewer's screen.

What everybody may know is drawn once per version and language, whoever looks; only the region
`you` is drawn for one seat. Page, reply and stream are all made of these regions.
"""

from __future__ import annotations

import re

import msgspec

from companion.engine.game import TABLE, Seat, Tap
from companion.engine.links import WATCHER, BadLink, Link, Links
from companion.engine.present import Present
from companion.engine.room_rules import TABLE_TAPS
from companion.engine.screen import Region, Screen, Sheet
from companion.engine.table import Tables
from companion.web.board import NOTHING_OWN, Board, Own, Shared, Signed, Things
from companion.web.paper import Paper
from companion.web.pieces import TAKE_BACK, Host, Look, Pieces, Viewer

OWN = ("you", "back", "rights")
"""The regions that are one viewer's own."""
NOTHING = {name: Region(name, ()) for name in (*OWN, "record")}
LOCAL = re.compile(r"https?://(127\.|localhost|\[::1\])")


class Screens(Pieces):
    """Draws every screen there is."""

    def __init__(self, paper: Paper, tables: Tables, links: Links, translations: str) -> None:
        super().__init__(paper, tables.mind, translations)
        self._tables = tables
        self._links = links

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
        shared = self._shared(board, viewer.language)
        if link.seat in now.recent.private:
            shared = Sheet((*shared.regions[:-1], self._history(board, viewer.language, link.seat)))
        own = NOTHING_OWN if link.seat == WATCHER else self._own(board, viewer)
        return Screen(now.version, own, shared, now.id)

    # ---------------------------------------------------------------- what everybody sees

    def _shared(self, board: Board, language: str) -> Sheet:
        now, known = board.now, board.shared.get(language)
        if known is not None and known.version == now.version:
            return known.sheet
        people = self._piece(board, language, "_people.html", {})
        if known is not None and known.recent is now.recent and known.common is board.common:
            history = known.sheet.regions[-1]  # nothing was said
        else:
            history = self._history(board, language, None)
        sheet = Sheet((*self._table(board, language), Region("people", (people,)), history))
        board.shared[language] = Shared(now.version, now.recent, board.common, sheet)
        return sheet

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
            f"{self.address(viewer)}/seat/{int(passed_to)}", str(board.taps_of(passed_to)), None,
        )  # fmt: skip
        return Region("you", (self._signed(board, look, "_seat.html", self._things(board, look, goes_on=False)),)).html

    def _own(self, board: Board, viewer: Viewer) -> Sheet:
        """The region of one seat, or of the shared screen, what it can take back, and what its host may do."""
        now, seat, known = board.now, viewer.link.seat, board.own.get(viewer)
        taps, view, host = board.taps_of(seat), self._view(now, seat), self._host(board, seat)
        facts = (board.common, taps, now.room.alarm_at, view, now.can_take_back(seat) and now.step_line, host)
        if known is not None and known.facts == facts:
            return known.sheet  # most screens look as they did before
        here = self.address(viewer) if known is None else known.here
        look = Look(viewer, (seat, board.names.get(seat, ""), now.room.is_host(seat)), view, here, str(taps), host)
        pieces = (self._you(board, look), self._back(board, look), self._rights(board, look))
        regions = [Region(name, of) if of else NOTHING[name] for name, of in zip(OWN, pieces, strict=True)]
        if board.is_full:
            self._let_go(board, public=True)
        known = board.own[viewer] = Own(facts, here, Sheet(tuple(regions)))
        return known.sheet

    def _host(self, board: Board, seat: Seat) -> Host | None:
        """What only the host and the shared screen see."""
        now, is_host = board.now, board.now.room.is_host(seat)
        if not is_host and seat != TABLE:
            return None
        offered: tuple[Seat, ...] = ()
        view = None
        if now.state is not None:
            if seat == TABLE and board.lacks_phones:
                offered = now.game.offered(now.state)
            if is_host and now.game.host_view and now.room.phase == "playing":
                view = now.game.host_view(now.state)
        return Host(now.room.changes, view, offered)

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
        phase, host = board.now.room.phase, look.host
        things = self._things(board, look, goes_on=phase == "ended" or board.over)
        if look.who[0] == TABLE:
            offered = host.offered if host else ()
            things["handing"] = [(person, person.seat in offered) for person in board.people if not person.phone]
            if phase == "gathering":
                things |= self._joining(board, look.viewer)
            pieces = [self._signed(board, look, "_screen.html", things)]
        else:
            pieces = [self._signed(board, look, "_seat.html", things)]
        if host is not None and host.view is not None:
            hosting = {"alarm_at": board.now.room.alarm_at, "host": host.view}
            pieces.append(self._signed(board, look, f"{board.now.game.name}/host.html", hosting))
        return tuple(pieces)

    def _back(self, board: Board, look: Look) -> tuple[Signed, ...]:
        """What can be taken back changes with every step, whatever else does."""
        now = board.now
        if not now.can_take_back(look.who[0]) or now.step_line is None or now.step_line.to is not None:
            return ()
        return (self._signed(board, look, TAKE_BACK, {"what": now.step_line.say}),)

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
    shown = [part for region in screen.regions if rights or region.name != "rights" for part in region.partial]
    return b"".join([*shown, said.encode()])
