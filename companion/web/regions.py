"""The screen of one viewer: which regions it has, and what each is rendered from.

`table`, `record`, `people` and `history` are the same for everybody; `you`, `back` and `rights` belong to one seat or
to the shared screen. Page, reply and stream are all made of these regions.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from companion.engine.links import WATCHER, BadLink, Link, Links
from companion.engine.reader import TableReader
from companion.engine.snapshot import Snapshot
from companion.game import TABLE, Say, Seat
from companion.live.screen import Region, Screen, digests_of
from companion.web.controls import Anybody, Me, sign_forms
from companion.web.people import people_of
from companion.web.render import ANY_SEAT, MAX_KEYS, NOTHING, Fragment, Inputs, Renderer, TableMemo

LOOPBACK = re.compile(r"https?://(127\.|localhost|\[::1\])")


class Viewer(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Who looks: through which link, in which language, from which address."""

    link: Link
    language: str
    root: str
    """The path prefix that the app lives under, or nothing."""
    base: str
    """The address at which phones reach this companion."""


Regions = tuple[tuple[Region, ...], tuple[int, ...]]
"""Some regions of a screen, and their digests."""


class SnapshotMemo(NamedTuple):
    """What was drawn of one snapshot: good for as long as it is the newest of its table."""

    now: Snapshot
    common: Inputs
    """What every template gets."""
    taps: dict[Seat, int]
    shared: dict[str, Regions]
    """What everybody sees, by language."""
    screens: dict[Viewer, Screen]


class OwnInputs(NamedTuple):
    """All that a viewer's own regions are rendered from: while it is equal, so are they."""

    viewer: Viewer
    common: Inputs
    seat: Seat
    host: bool
    taps: int
    """How often this seat has tapped."""
    alarm_at: float | None
    view: msgspec.Struct | None
    host_view: msgspec.Struct | None
    back: Say | None
    """What can be taken back."""
    changes: int = 0
    """How often the room has changed; like the following, only for the host and the shared screen."""
    offered: tuple[Seat, ...] = ()
    """To whom the shared screen is to be handed."""
    moving: tuple[tuple[str, str], ...] = ()
    """Seats that wait for another phone, each with its new link."""


class Screens:
    """Draws every screen there is."""

    def __init__(self, reader: TableReader, links: Links, renderer: Renderer) -> None:
        self._reader = reader
        self._links = links
        self._renderer = renderer

    def address(self, viewer: Viewer, link: Link | None = None) -> str:
        """The path of a link."""
        link = link or viewer.link
        return f"{viewer.root}/{link.kind}/{self._links.sign(link.table, link.seat, link.generation)}"

    def draw(self, viewer: Viewer) -> Screen | None:
        """The present screen of this viewer, or None if the link is dead."""
        try:
            now = self._reader.authorize(viewer.link)
        except BadLink:
            return None
        if now.id != viewer.link.table:
            viewer = msgspec.structs.replace(viewer, link=viewer.link.at(now.id))
        table = self._renderer.memo.of(now.id)
        memo = self._memo(table, now)
        if (drawn := memo.screens.get(viewer)) is not None:
            return drawn
        seat, (shared, shared_digests) = viewer.link.seat, self._shared(memo, viewer.language)
        if seat in now.recent.private:
            shared = (*shared[:-1], self._history(memo, viewer.language, seat))
            shared_digests = digests_of(shared)
        own, own_digests = ((), ()) if seat == WATCHER else self._own(table, self._own_inputs(memo, viewer))
        screen = Screen(now.version, now.id, own + shared, own_digests + shared_digests)
        if len(memo.screens) < MAX_KEYS:
            memo.screens[viewer] = screen
        return screen

    def _memo(self, table: TableMemo, now: Snapshot) -> SnapshotMemo:
        memo: SnapshotMemo | None = table.newest
        if memo is None or memo.now is not now:
            if table.burn_floor < now.burn_floor:  # another process may have burnt it
                self._renderer.memo.burn(now.id)
                table.burn_floor, memo = now.burn_floor, None
            if memo is None or not now.room.looks_like(memo.now.room):
                table.people = people_of(now.room)
            people = table.people
            common: Inputs = {
                "game": now.game, "code": now.code, "names": now.room.names, "people": people,
                "person_at": {person.seat: person for person in people}, "phase": now.room.phase,
                "over": now.result is not None,
            }  # fmt: skip
            if table.common != common:
                table.common = common
            taps = {person.seat: person.taps for person in now.room.people}
            taps[TABLE] = now.room.screen_taps
            memo = table.newest = SnapshotMemo(now, table.common, taps, {}, {})
        return memo

    # ---------------------------------------------------------------- what everybody sees

    def _shared(self, memo: SnapshotMemo, language: str) -> Regions:
        if (found := memo.shared.get(language)) is None:
            table, record = self._table(memo, language)
            people = self._renderer.fragment(memo.now.id, "_people.html", language, memo.common, {})
            history = self._history(memo, language, None)
            regions = (region("table", table), region("record", record), region("people", people), history)
            found = memo.shared[language] = regions, digests_of(regions)
        return found

    def _table(self, memo: SnapshotMemo, language: str) -> tuple[Fragment, Fragment]:
        """How things stand, and the longer record below."""
        now, game = memo.now, memo.now.game

        def draw(template: str, **inputs: object) -> Fragment:
            return self._renderer.fragment(now.id, template, language, memo.common, inputs)

        if now.state is None:
            return draw("_gathering.html", least=game.players[0], most=game.players[1]), NOTHING
        table = draw(f"{game.name}/table.html", view=game.table_view(now.state), alarm_at=now.room.alarm_at)
        if game.record_view is None:
            return table, NOTHING
        return table, draw(f"{game.name}/record.html", record=game.record_view(now.state))

    def table_of(self, now: Snapshot, language: str) -> str:
        """The part that everybody may see, of any table, for a page of its own."""
        memo = self._memo(self._renderer.memo.of(now.id), now)
        return "".join([fragment.html.decode() for fragment in self._table(memo, language)])

    def _history(self, memo: SnapshotMemo, language: str, seat: Seat | None) -> Region:
        now, entries = memo.now, {"entries": memo.now.recent.for_seat(seat)}
        private = seat is not None
        drawn = self._renderer.fragment(now.id, "_history.html", language, memo.common, entries, seat, private=private)
        return region("history", drawn)

    # ---------------------------------------------------------------- what belongs to one viewer

    def _own_inputs(self, memo: SnapshotMemo, viewer: Viewer) -> OwnInputs:
        now, seat = memo.now, viewer.link.seat
        room, game, state = now.room, now.game, now.state
        host, view, host_view, line = room.is_host(seat), None, None, now.step_line
        if state is not None:
            view = game.screen_view(state) if seat == TABLE else game.seat_view(state, seat)
            if host and game.host_view and room.phase == "playing":
                host_view = game.host_view(state)
        back = line.say if line is not None and line.to is None and now.can_take_back(seat) else None
        inputs = OwnInputs(viewer, memo.common, seat, host, memo.taps[seat], room.alarm_at, view, host_view, back)
        if not host and seat != TABLE:
            return inputs
        lacks_phones = seat == TABLE and state is not None and not all(person.phone for person in room.here)
        offered = game.offered(state) if lacks_phones else ()
        return inputs._replace(changes=room.changes, offered=offered, moving=self._moving(now, viewer))

    def _own(self, table: TableMemo, inputs: OwnInputs) -> Regions:
        known, regions, digests = table.own.get(inputs.viewer, (None, (), ()))
        if known != inputs:
            regions = self._draw_own_regions(inputs)
            digests = digests_of(regions)
            if len(table.own) >= MAX_KEYS:
                table.own.clear()
            table.own[inputs.viewer] = (inputs, regions, digests)
        return regions, digests

    def _draw_own_regions(self, inputs: OwnInputs) -> tuple[Region, ...]:
        common, here, taps = inputs.common, self.address(inputs.viewer), str(inputs.taps)
        me = Me(inputs.seat, common["names"].get(inputs.seat, ""), inputs.host)
        you = [self._screen(inputs, me) if inputs.seat == TABLE else self._seat(inputs, me)]
        if inputs.host_view is not None:
            hosting = {"alarm_at": inputs.alarm_at, "host": inputs.host_view}
            you.append(self._draw_own(inputs, me, f"{common['game'].name}/host.html", hosting))
        back = [self._draw_own(inputs, me, "_back.html", {"what": inputs.back})] if inputs.back else []
        # The rights count changes of the room, not taps, so a game that goes on leaves their forms as they are.
        rights = self._rights(inputs, me._replace(place="r"))
        return (
            SignedRegion("you", you, here, taps), SignedRegion("back", back, here, taps),
            SignedRegion("rights", rights, here, f"r{inputs.changes}"),
        )  # fmt: skip

    def _draw_own(self, inputs: OwnInputs, me: Anybody | Me, template: str, more: Inputs) -> Fragment:
        viewer = inputs.viewer
        owner = ANY_SEAT if isinstance(me, Anybody) else (viewer, me.seat)
        return self._renderer.fragment(
            viewer.link.table, template, viewer.language, inputs.common, {"me": me, **more}, owner,
            private=inputs.seat != TABLE,
        )  # fmt: skip

    def _seat(self, inputs: OwnInputs, me: Me, *, goes_on: bool | None = None) -> Fragment:
        """What one seat sees and taps: while a game is played, the same for all seats with the same view."""
        over, person = inputs.common["over"], inputs.common["person_at"][inputs.seat]
        more: Inputs = {"root": inputs.viewer.root, "alarm_at": inputs.alarm_at, "away": person.away}
        more["arriving"] = person.moving and inputs.common["phase"] != "ended"
        more["goes_on"] = over or inputs.common["phase"] == "ended" if goes_on is None else goes_on
        if inputs.view is not None:
            more["view"] = inputs.view
        knows_seat = inputs.view is None or person.away
        return self._draw_own(inputs, me if knows_seat else Anybody(me.host), "_seat.html", more)

    def _screen(self, inputs: OwnInputs, me: Me) -> Fragment:
        """What the shared screen taps for the table, and to whom it is to be handed."""
        common = inputs.common
        handing = [(person, person.seat in inputs.offered) for person in common["people"] if not person.phone]
        more: Inputs = {"root": inputs.viewer.root, "alarm_at": inputs.alarm_at, "handing": handing}
        more["goes_on"] = common["over"] or (common["phase"] == "ended" and bool(common["people"]))
        if common["phase"] == "gathering":
            more |= self._joining(common["code"], inputs.viewer)
        if inputs.view is not None:
            more["view"] = inputs.view
        return self._draw_own(inputs, me, "_screen.html", more)

    def _rights(self, inputs: OwnInputs, me: Me) -> list[Fragment]:
        """Seats, phones, ending: what a host can do, and what the shared screen shows when somebody asks."""
        fragments, moving = [], {"moving": inputs.moving}
        if me.host:
            fragments.append(self._draw_own(inputs, me, "_host.html", moving))
        if me.seat == TABLE:
            folds = moving | self._joining(inputs.common["code"], inputs.viewer)
            fragments.append(self._draw_own(inputs, me, "_screen_folds.html", folds))
        return fragments

    def you(self, now: Snapshot, viewer: Viewer, *, passed_to: Seat) -> str:
        """The part of a seat without a phone, on the shared screen that was handed to it."""
        memo = self._memo(self._renderer.memo.of(now.id), now)
        view = None if now.state is None else now.game.seat_view(now.state, passed_to)
        taps = memo.taps[passed_to]
        inputs = OwnInputs(viewer, memo.common, passed_to, False, taps, now.room.alarm_at, view, None, None)
        me = Me(passed_to, memo.common["names"].get(passed_to, ""), False)
        here = f"{self.address(viewer)}/seat/{int(passed_to)}"
        return sign_forms(self._seat(inputs, me, goes_on=False).html, here, str(taps)).decode()

    def _joining(self, code: str, viewer: Viewer) -> Inputs:
        """How phones find this table."""
        return {
            "join": f"{viewer.base}{viewer.root}/t/{code}?k={self._links.sign_join(code)}",
            "join_at": f"{viewer.base}{viewer.root}",
            "join_is_local": LOOPBACK.match(viewer.base) is not None,
        }

    def _moving(self, now: Snapshot, viewer: Viewer) -> tuple[tuple[str, str], ...]:
        return tuple(
            (person.name, viewer.base + self.address(viewer, Link(now.id, person.seat, person.generation)))
            for person in now.room.people
            if person.moving and not person.gone
        )


def region(name: str, fragment: Fragment) -> Region:
    return Region(name, fragment.html, fragment.digest)


class SignedRegion(Region):
    """A region of fragments that several viewers share; its HTML, with this viewer's forms, is made when it is sent."""

    __slots__ = ("_fragments", "_here", "_taps")

    def __init__(self, name: str, fragments: list[Fragment], here: str, taps: str) -> None:
        super().__init__(name, b"", hash((here, taps, *[fragment.digest for fragment in fragments])))
        self._fragments = fragments
        self._here, self._taps = here, taps

    @property
    def html(self) -> bytes:
        return sign_forms(b"".join([fragment.html for fragment in self._fragments]), self._here, self._taps)


def as_reply(screen: Screen, message: str = "", *, with_rights: bool = True) -> bytes:
    """A screen as the reply to a tap; the host's rights are left out where they cannot have changed."""
    parts = [one.partial for one in screen.regions if with_rights or one.name != "rights"]
    said = f'<hx-partial hx-target="#message" hx-swap="innerHTML">{message}</hx-partial>'
    return b"".join([*parts, said.encode()])
