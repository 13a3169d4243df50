"""The screen of one viewer: which regions it has. Page, reply and stream are all made of these regions.

A phone has `moment`, its own regions (`own_regions.py`), `table`, `record`, `people` and `history`. The stage, which is
the shared screen and every watcher, has `moment` and `stage`; the shared screen has its own regions, `record` and
`history` in the drawer.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from companion.engine.claims import open_claims
from companion.engine.links import WATCHER, BadLink, Link, Links
from companion.engine.reader import TableReader
from companion.engine.snapshot import Snapshot
from companion.game import TABLE, Say, Seat
from companion.live.screen import Region, Screen, digests_of
from companion.web.controls import Me, sign_forms
from companion.web.own_regions import OwnInputs, OwnRegions, Regions, Viewer, region
from companion.web.people import people_of, sitting_out
from companion.web.render import MAX_KEYS, NOTHING, Fragment, Inputs, Renderer, TableMemo

LAST_STEP = Say("the last step")
"""What is taken back where a step was not told."""


class SnapshotMemo(NamedTuple):
    """What was drawn of one snapshot: good for as long as it is the newest of its table."""

    now: Snapshot
    common: Inputs
    """What every template gets."""
    taps: dict[Seat, int]
    shared: dict[tuple[str, bool], Regions]
    """What everybody sees, by language, and whether it is for the stage."""
    screens: dict[Viewer, Screen]


class Screens:
    """Draws every screen there is."""

    def __init__(self, reader: TableReader, links: Links, renderer: Renderer) -> None:
        self._reader = reader
        self._links = links
        self._renderer = renderer
        self._own_regions = OwnRegions(links, renderer)

    def address(self, viewer: Viewer, link: Link | None = None) -> str:
        """The path of a link."""
        return self._own_regions.address(viewer, link)

    def draw(self, viewer: Viewer) -> Screen | None:
        """The present screen of this viewer, or None if the link is dead."""
        try:
            now = self._reader.authorize(viewer.link)
        except BadLink:
            return None
        viewer = viewer.at(now)
        table = self._renderer.memo.of(now.id)
        memo = self._memo(table, now)
        if (drawn := memo.screens.get(viewer)) is not None:
            return drawn
        regions, digests = self._regions(table, memo, viewer)
        screen = Screen(now.version, now.id, regions, digests)
        if len(memo.screens) < MAX_KEYS:
            memo.screens[viewer] = screen
        return screen

    def _regions(self, table: TableMemo, memo: SnapshotMemo, viewer: Viewer) -> Regions:
        seat = viewer.link.seat
        on_stage = seat in (TABLE, WATCHER)
        shared, shared_digests = self._shared(memo, viewer.language, on_stage=on_stage)
        if on_stage and memo.now.state is None:  # who looks decides at which address phones join
            stage = self._own_regions.gathering(memo.common, viewer)
            shared = (shared[0], region("stage", stage), *shared[2:])
            shared_digests = digests_of(shared)
        if seat in memo.now.recent.private:
            shared = (*shared[:-1], self._history(memo, viewer.language, seat))
            shared_digests = digests_of(shared)
        if seat == WATCHER:
            return shared[:2], shared_digests[:2]
        own, own_digests = self._own_regions.draw(table, self._own_inputs(memo, viewer))
        # The moment comes first: it covers a screen before anything else on it changes.
        return (shared[0], *own, *shared[1:]), (shared_digests[0], *own_digests, *shared_digests[1:])

    def _memo(self, table: TableMemo, now: Snapshot) -> SnapshotMemo:
        memo: SnapshotMemo | None = table.newest
        if memo is None or memo.now is not now:
            if table.burn_floor < now.burn_floor:  # another process may have burnt it
                self._renderer.memo.burn(now.id)
                table.burn_floor, memo = now.burn_floor, None
            if memo is None or not now.room.looks_like(memo.now.room):
                table.people, table.sitting_out = people_of(now.room), sitting_out(now.room)
            people = table.people
            common: Inputs = {
                "game": now.game, "code": now.code, "names": now.room.names, "people": people,
                "person_at": {person.seat: person for person in people}, "phase": now.room.phase,
                "over": now.result is not None, "sitting_out": table.sitting_out,
                "played_as": now.played_as,
            }  # fmt: skip
            if table.common != common:
                table.common = common
            taps = {person.seat: person.taps for person in now.room.people}
            taps[TABLE] = now.room.screen_taps
            memo = table.newest = SnapshotMemo(now, table.common, taps, {}, {})
        return memo

    # ---------------------------------------------------------------- what everybody sees

    def _shared(self, memo: SnapshotMemo, language: str, *, on_stage: bool) -> Regions:
        if (found := memo.shared.get((language, on_stage))) is None:
            now = memo.now
            view = None if now.state is None else now.game.table_view(now.state)
            # After a step was taken back, an earlier moment is here again: nobody wants to see it twice.
            late = now.step != now.version
            moment = self._draw(
                memo, language, "_moment.html", moment=getattr(view, "moment", None), late=late, tools=now.room.tools
            )
            record = region("record", self._record(memo, language))
            regions: tuple[Region, ...]
            history = self._history(memo, language, None)
            if on_stage:
                stage = NOTHING if view is None else self._table(memo, language, "stage", view)
                regions = (region("moment", moment), region("stage", stage), record, history)
            else:
                table = region("table", self._table(memo, language, "table", view))
                people = region("people", self._draw(memo, language, "_people.html"))
                regions = (region("moment", moment), table, record, people, history)
            found = memo.shared[language, on_stage] = regions, digests_of(regions)
        return found

    def _draw(self, memo: SnapshotMemo, language: str, template: str, **inputs: object) -> Fragment:
        return self._renderer.fragment(memo.now.id, template, language, memo.common, inputs)

    def _table(self, memo: SnapshotMemo, language: str, template: str, view: msgspec.Struct | None) -> Fragment:
        """The public part of a game, on the stage or on a phone."""
        game, alarm_at = memo.now.game, memo.now.room.alarm_at
        if view is None:
            return self._draw(memo, language, "_gathering.html", least=game.players[0], most=game.players[1])
        return self._draw(memo, language, f"{game.name}/{template}.html", view=view, alarm_at=alarm_at)

    def _record(self, memo: SnapshotMemo, language: str) -> Fragment:
        """The game's longer record, below the table."""
        game, state = memo.now.game, memo.now.state
        if game.record_view is None or state is None:
            return NOTHING
        return self._draw(memo, language, f"{game.name}/record.html", record=game.record_view(state))

    def table_of(self, now: Snapshot, language: str) -> str:
        """The public part of any table, for a separate page."""
        memo = self._memo(self._renderer.memo.of(now.id), now)
        view = None if now.state is None else now.game.table_view(now.state)
        fragments = self._table(memo, language, "table", view), self._record(memo, language)
        return "".join([fragment.html.decode() for fragment in fragments])

    def _history(self, memo: SnapshotMemo, language: str, seat: Seat | None) -> Region:
        now, entries = memo.now, {"entries": memo.now.recent.for_seat(seat)}
        private = seat is not None
        drawn = self._renderer.fragment(now.id, "_history.html", language, memo.common, entries, seat, private=private)
        return region("history", drawn)

    # ---------------------------------------------------------------- what belongs to one viewer

    def _own_inputs(self, memo: SnapshotMemo, viewer: Viewer) -> OwnInputs:
        now, seat = memo.now, viewer.link.seat
        room, game, state = now.room, now.game, now.state
        host, line = room.is_host(seat), now.step_line
        view = screen_view = host_view = None
        if state is not None:
            screen_view = game.screen_view(state) if host or seat == TABLE else None
            plays = seat in memo.common["person_at"]  # people who sit out see the public part
            view = screen_view if seat == TABLE else game.seat_view(state, seat) if plays else None
            if host and game.host_view and room.phase == "playing":
                host_view = game.host_view(state)
        what = LAST_STEP if line is None else line.say if line.to is None else None  # not all steps are told
        back = what if now.can_take_back(seat) else None
        inputs = OwnInputs(
            viewer, memo.common, seat, host, memo.taps[seat], room.alarm_at, view, screen_view, host_view, back
        )
        claims = open_claims(room, now.at) if room.claims and room.phase != "ended" else ()
        if not host and seat != TABLE:
            return inputs._replace(claims=tuple(claim for claim in claims if claim.seat == seat)) if claims else inputs
        lacks_phones = seat == TABLE and state is not None and not all(person.phone for person in room.here)
        offered = game.offered(state) if lacks_phones else ()
        return inputs._replace(
            changes=room.changes, offered=offered, moving=self._moving(now, viewer), claims=claims, tools=room.tools
        )

    def you(self, now: Snapshot, viewer: Viewer, *, passed_to: Seat, query: str = "") -> str:
        """The part of a seat without a phone, on the shared screen that was handed to it."""
        memo = self._memo(self._renderer.memo.of(now.id), now)
        view = None if now.state is None else now.game.seat_view(now.state, passed_to)
        taps = memo.taps[passed_to]
        inputs = OwnInputs(viewer, memo.common, passed_to, False, taps, now.room.alarm_at, view)
        me = Me(passed_to, memo.common["names"].get(passed_to, ""), False)
        here = f"{self.address(viewer)}/seat/{int(passed_to)}{query}"
        fragments = self._own_regions.seat(inputs, me, goes_on=False), self._own_regions.mine(inputs, me)
        return sign_forms(b"".join([fragment.html for fragment in fragments]), here, str(taps)).decode()

    def _moving(self, now: Snapshot, viewer: Viewer) -> tuple[tuple[str, str], ...]:
        return tuple(
            (person.name, viewer.base + self.address(viewer, Link(now.id, person.seat, person.generation)))
            for person in now.room.people
            if person.moving and not person.gone
        )


def as_reply(screen: Screen, message: str = "", *, with_rights: bool = True) -> bytes:
    """A screen as the reply to a tap; the host's rights are left out where they cannot have changed."""
    parts = [one.partial for one in screen.regions if with_rights or one.name != "rights"]
    said = f'<hx-partial hx-target="#message" hx-swap="innerHTML">{message}</hx-partial>'
    return b"".join([*parts, said.encode()])
