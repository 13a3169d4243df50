"""The regions that belong to one viewer: what a seat or the shared screen sees and taps.

`you` is the one card of a phone, `mine` its second tab; `acts` is the row of buttons on the stage. `back` takes the
last step back. `fix` and `rights` lie in the drawer: what the table and the host may change.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from companion.engine.links import Link, Links
from companion.engine.room import Claim
from companion.engine.snapshot import Snapshot
from companion.engine.table_tools import MAX_DICE, SIDES, Tools
from companion.game import TABLE, ChairsMoved, Say, Seat
from companion.live.screen import Region, digests_of
from companion.web.controls import Anybody, Me, sign_forms
from companion.web.render import ANY_SEAT, MAX_KEYS, NOTHING, Fragment, Inputs, Renderer, TableMemo

LOOPBACK = re.compile(r"https?://(127\.|localhost|\[::1\])")


class Viewer(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """Who looks: through which link, in which language, from which address."""

    link: Link
    language: str
    root: str
    """The path prefix that the app lives under, or nothing."""
    base: str
    """The address at which phones reach this companion: it goes into QR codes."""
    is_ours: bool = False
    """Whether we chose it: then it follows our addresses when they change."""
    printed: str = ""
    """The address to type, if it is not that one."""
    has_moved: bool = False
    """Whether the network changed while this screen was open: phones look for a code to scan."""

    def at(self, now: Snapshot) -> Viewer:
        """The same viewer at the table where everybody sits now; a shared screen speaks the table's language."""
        link = self.link if self.link.table == now.id else self.link.at(now.id)
        language = now.room.language if link.seat <= TABLE and now.room.language else self.language
        if link is self.link and language == self.language:
            return self
        return msgspec.structs.replace(self, link=link, language=language)


Regions = tuple[tuple[Region, ...], tuple[int, ...]]
"""Some regions of a screen, and their digests."""


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
    screen_view: msgspec.Struct | None = None
    """For the drawer of the shared screen and of the host's phone."""
    host_view: msgspec.Struct | None = None
    back: Say | None = None
    """What can be taken back."""
    changes: int = 0
    """How often the room has changed; like the following, only for the host and the shared screen."""
    offered: tuple[Seat, ...] = ()
    """To whom the shared screen is to be handed."""
    moving: tuple[tuple[str, str], ...] = ()
    """Seats that wait for another phone, each with its new link."""
    claims: tuple[Claim, ...] = ()
    """Seats that a phone without a link has claimed: for the shared screen and the host, and for whose seat it is."""
    tools: Tools | None = None


class OwnRegions:
    """Draws what belongs to one viewer."""

    def __init__(self, links: Links, renderer: Renderer) -> None:
        self._links = links
        self._renderer = renderer

    def address(self, viewer: Viewer, link: Link | None = None) -> str:
        """The path of a link."""
        link = link or viewer.link
        return f"{viewer.root}/{link.kind}/{self._links.sign(link.table, link.seat, link.generation)}"

    def draw(self, table: TableMemo, inputs: OwnInputs) -> Regions:
        known, regions, digests = table.own.get(inputs.viewer, (None, (), ()))
        if known != inputs:
            regions = self._draw_all(inputs)
            digests = digests_of(regions)
            if len(table.own) >= MAX_KEYS:
                table.own.clear()
            table.own[inputs.viewer] = (inputs, regions, digests)
        return regions, digests

    def _draw_all(self, inputs: OwnInputs) -> tuple[Region, ...]:
        here, taps = self.address(inputs.viewer), str(inputs.taps)
        me = Me(inputs.seat, inputs.common["names"].get(inputs.seat, ""), inputs.host)

        def signed(name: str, fragments: list[Fragment]) -> SignedRegion:
            return SignedRegion(name, fragments, here, taps)

        back = [self._fragment(inputs, me, "_back.html", {"what": inputs.back})] if inputs.back else []
        # The rights count changes of the room, not taps, so a game that goes on leaves their forms as they are.
        rights = SignedRegion("rights", self._rights(inputs, me._replace(place="r")), here, f"r{inputs.changes}")
        drawer = signed("back", back), signed("fix", self._fix(inputs, me._replace(place="d"))), rights
        if inputs.seat == TABLE:
            return (signed("acts", [self._screen(inputs, me)]), *drawer)
        if inputs.seat not in inputs.common["person_at"]:
            return signed("you", [self._fragment(inputs, me, "_out.html", {})]), signed("mine", []), *drawer
        return signed("you", [self.seat(inputs, me)]), signed("mine", [self.mine(inputs, me)]), *drawer

    def _fragment(self, inputs: OwnInputs, me: Anybody | Me, template: str, more: Inputs) -> Fragment:
        viewer = inputs.viewer
        owner = ANY_SEAT if isinstance(me, Anybody) else (viewer, me.seat)
        return self._renderer.fragment(
            viewer.link.table, template, viewer.language, inputs.common, {"me": me, **more}, owner,
            private=inputs.seat != TABLE,
        )  # fmt: skip

    def seat(self, inputs: OwnInputs, me: Me, *, goes_on: bool | None = None) -> Fragment:
        """What one seat does now: while a game is played, the same for all seats with the same view."""
        over, person = inputs.common["over"], inputs.common["person_at"][inputs.seat]
        more: Inputs = {"root": inputs.viewer.root, "alarm_at": inputs.alarm_at, "away": person.away}
        more["arriving"] = person.moving and inputs.common["phase"] != "ended"
        more["goes_on"] = over or inputs.common["phase"] == "ended" if goes_on is None else goes_on
        if inputs.view is not None:
            more["view"] = inputs.view
        more["claims"] = inputs.claims
        if inputs.view is None and inputs.host:
            more |= self._joining(inputs.common["code"], inputs.viewer)
        knows_seat = inputs.view is None or person.away or bool(inputs.claims)
        return self._fragment(inputs, me if knows_seat else Anybody(me.host), "_seat.html", more)

    def mine(self, inputs: OwnInputs, me: Me) -> Fragment:
        """What one seat has, and may look at or change at any time."""
        if inputs.view is None:
            return self._fragment(inputs, me, "_mine.html", {})
        more: Inputs = {"view": inputs.view, "alarm_at": inputs.alarm_at}
        return self._fragment(inputs, Anybody(me.host, "m"), f"{inputs.common['game'].name}/mine.html", more)

    def _screen(self, inputs: OwnInputs, me: Me) -> Fragment:
        """What the table has to tap on the stage now, and to whom the screen is to be handed."""
        common = inputs.common
        more: Inputs = {"root": inputs.viewer.root, "alarm_at": inputs.alarm_at, "handing": self._handing(inputs)}
        more["claims"] = inputs.claims
        more["has_moved"] = inputs.viewer.has_moved
        if inputs.viewer.has_moved:
            more |= self._joining(common["code"], inputs.viewer)
        more["goes_on"] = common["over"] or (common["phase"] == "ended" and bool(common["people"]))
        if inputs.view is not None:
            more["view"] = inputs.view
        return self._fragment(inputs, me, "_screen.html", more)

    def _handing(self, inputs: OwnInputs) -> list[tuple[object, bool]]:
        """Seats without a phone, and whether each is offered the screen."""
        people = inputs.common["people"]
        return [(person, person.seat in inputs.offered) for person in people if not person.phone]

    def _fix(self, inputs: OwnInputs, me: Me) -> list[Fragment]:
        """What the table may put right or do now and then; what only the host may do in this game."""
        game, fragments = inputs.common["game"].name, []
        if inputs.screen_view is not None:
            more: Inputs = {"view": inputs.screen_view, "alarm_at": inputs.alarm_at}
            fragments.append(self._fragment(inputs, me, f"{game}/drawer.html", more))
        if inputs.host_view is not None:
            hosting = {"alarm_at": inputs.alarm_at, "host": inputs.host_view}
            fragments.append(self._fragment(inputs, me, f"{game}/host.html", hosting))
        return fragments

    def _rights(self, inputs: OwnInputs, me: Me) -> list[Fragment]:
        """Seats, phones, joining, ending."""
        if not inputs.host and inputs.seat != TABLE:
            return [self._fragment(inputs, Anybody(False), "_guest.html", {})]
        phase, rules = inputs.common["phase"], inputs.common["game"].rules
        chairs = phase == "gathering" or (phase == "playing" and ChairsMoved in rules)
        more: Inputs = {"moving": inputs.moving, "chairs": chairs}
        if inputs.seat == TABLE:
            more |= {"handing": self._handing(inputs), **self._joining(inputs.common["code"], inputs.viewer)}
        tools = {"tools": inputs.tools, "sides": SIDES, "most": MAX_DICE}
        return [self._fragment(inputs, me, "_tools.html", tools), self._fragment(inputs, me, "_host.html", more)]

    def gathering(self, common: Inputs, viewer: Viewer) -> Fragment:
        """The stage while people sit down: the code to scan, and who is here."""
        more = {"root": viewer.root, "movable": viewer.link.seat == TABLE, **self._joining(common["code"], viewer)}
        owner = (viewer.root, viewer.base, viewer.printed, viewer.link.seat)
        return self._renderer.fragment(viewer.link.table, "_stage_gathering.html", viewer.language, common, more, owner)

    def _joining(self, code: str, viewer: Viewer) -> Inputs:
        """How phones find this table."""
        return {
            "join": f"{viewer.base}{viewer.root}/t/{code}?k={self._links.sign_join(code)}",
            "join_at": f"{viewer.printed or viewer.base}{viewer.root}/{code}",
            "join_is_local": LOOPBACK.match(viewer.base) is not None,
        }


def region(name: str, fragment: Fragment) -> Region:
    return Region(name, fragment.html, fragment.digest)


class SignedRegion(Region):
    """A region of fragments that several viewers share; its HTML, with this viewer's forms, is made when it is sent."""

    __slots__ = ("_fragments", "_here", "_taps")

    def __init__(self, name: str, fragments: list[Fragment], here: str, taps: str) -> None:
        self._fragments = [fragment for fragment in fragments if fragment.digest != NOTHING.digest]
        digests = [fragment.digest for fragment in self._fragments]
        super().__init__(name, b"", hash((here, taps, *digests)) if digests else NOTHING.digest)
        self._here, self._taps = here, taps

    @property
    def html(self) -> bytes:
        return sign_forms(b"".join([fragment.html for fragment in self._fragments]), self._here, self._taps)
