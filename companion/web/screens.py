"""Drawing: a table's present version as the regions of one viewer's screen.

What everybody may know is drawn once per version and language, whoever looks; only the region
`you` is drawn for one seat. Page, reply and stream are all made of these regions.
"""

from __future__ import annotations

import re
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from flask import Flask

from companion.engine.game import N_, TABLE, Seat
from companion.engine.links import WATCHER, BadLink, Link, Links
from companion.engine.live import Region, Screen
from companion.engine.present import Present
from companion.engine.room import Room
from companion.engine.table import Tables
from companion.web.words import speaking

SYMBOLS = "●▲■◆★✚♥♣♠♦⬟☾☀♪✿⚑⚓☂✈⌂"
"""Beside the colour, so that nobody has to tell colours apart."""
COLOURS = 10
COLOUR_NAMES = (
    N_("gold"), N_("sky blue"), N_("coral"), N_("green"), N_("violet"),
    N_("teal"), N_("pink"), N_("sand"), N_("lavender"), N_("peach"),
)  # fmt: skip
BADGES = len(COLOUR_NAMES)
"""So many colours, each with its symbol, can be chosen."""
SCREENS_IN_MIND = 2_000
REGIONS_IN_MIND = 12_000


class Viewer(msgspec.Struct, frozen=True):
    """Who looks: through which link, in which language, from which address."""

    link: Link
    language: str
    root: str
    """The path prefix that the app lives under, or nothing."""
    base: str
    """Where phones find this companion."""


class Somebody(msgspec.Struct, frozen=True):
    """A person as everybody sees them."""

    seat: Seat
    name: str
    number: int
    symbol: str
    colour: int
    phone: bool
    moving: bool
    away: bool
    host: bool
    badge: int = 0
    """Colour and symbol in one number."""

    @classmethod
    def of(cls, seat: Seat, name: str, number: int, badge: int, **more: bool) -> Somebody:
        known = {"phone": True, "moving": False, "away": False, "host": False, **more}
        return cls(seat, name, number, SYMBOLS[badge % len(SYMBOLS)], badge % COLOURS, badge=badge, **known)


class Me(msgspec.Struct, frozen=True):
    """Who taps on this screen, and where its forms go."""

    seat: Seat
    name: str
    here: str
    taps: int
    host: bool
    take_back: Any = None
    """The sentence of the step that this screen may take back."""


def badges(wished: Sequence[int | None]) -> list[int]:
    """A colour and symbol each, clockwise: the one a player has chosen, else the next that nobody has."""
    free = [badge for badge in range(max(len(SYMBOLS), len(wished) * 2)) if badge not in wished]
    # Without any wishes, everybody has the badge of their chair.
    return [free.pop(0) if wish is None else wish for wish in wished]


def people_of(room: Room) -> tuple[Somebody, ...]:
    given = badges([person.badge for person in room.here])
    return tuple(
        Somebody.of(
            person.seat, person.name, number, badge,
            phone=person.phone, moving=person.moving, away=person.away, host=room.host == person.seat,
        )
        for number, (person, badge) in enumerate(zip(room.here, given, strict=True), 1)
    )  # fmt: skip


def tap_id(me: Me, kind: str, fields: dict[str, object]) -> str:
    """Names a drawn form, the same for every drawing until this seat has tapped: a double tap counts once."""
    fixed = ",".join(f"{key}={fields[key]}" for key in sorted(fields))
    return f"{me.taps}.{zlib.crc32(f'{kind},{fixed}'.encode()):x}"


class Around(NamedTuple):
    """What everybody around a table shares, as every template gets it."""

    now: Present
    over: bool
    names: dict[Seat, str]
    people: tuple[Somebody, ...]
    person_at: dict[Seat, Somebody]


class Screens:
    """Draws every screen there is."""

    def __init__(self, app: Flask, tables: Tables, links: Links) -> None:
        self._app = app
        self._tables = tables
        self._links = links
        self._shared: OrderedDict[tuple[str, str], tuple[int, dict[str, Region]]] = OrderedDict()
        self._drawn: OrderedDict[tuple[str, str, Any], tuple[dict[str, Any], Region]] = OrderedDict()
        self._around: OrderedDict[str, Around] = OrderedDict()

    def address(self, viewer: Viewer, link: Link | None = None) -> str:
        """The path of a link, `/s/…` for a seat, `/x/…` for the shared screen, `/w/…` to watch."""
        link = link or viewer.link
        door = {TABLE: "x", WATCHER: "w"}.get(link.seat, "s")
        return f"{viewer.root}/{door}/{self._links.sign(link.table, link.seat, link.generation)}"

    def draw_alone(self, viewer: Viewer) -> Screen | None:
        """For a stream: outside any request."""
        with self._app.app_context():
            return self.draw(viewer)

    def draw(self, viewer: Viewer) -> Screen | None:
        """The present screen of this viewer, or None if the link is dead."""
        try:
            now = self._tables.admit(viewer.link)
        except BadLink:
            return None
        if now.id != viewer.link.table:
            viewer = msgspec.structs.replace(viewer, link=viewer.link.at(now.id))
        shared = self._shared_regions(now, viewer.language)
        you = () if viewer.link.seat == WATCHER else (self._you(now, viewer),)
        history = shared["history"]
        if viewer.link.seat in now.recent.private:
            history = self._history(now, viewer.language, viewer.link.seat)
        return Screen(now.version, (*you, shared["table"], shared["people"], history), now.id)

    def _shared_regions(self, now: Present, language: str) -> dict[str, Region]:
        key = (now.id, language)
        version, regions = self._shared.get(key, (0, {}))
        if version != now.version:
            regions = {
                "table": self._table(now, language),
                "people": self._region("people", now, language, "_people.html", phase=now.room.phase),
                "history": self._history(now, language, None),
            }
            self._shared[key] = (now.version, regions)
        bear_in_mind(self._shared, key, SCREENS_IN_MIND)
        return regions

    def _table(self, now: Present, language: str) -> Region:
        if now.state is None:
            least, most = now.game.players
            return self._region("table", now, language, "_gathering.html", least=least, most=most)
        return self._region(
            "table", now, language, f"{now.game.name}/table.html",
            view=now.game.table_view(now.state), alarm_at=now.room.alarm_at,
        )  # fmt: skip

    def table_of(self, now: Present, language: str) -> Region:
        """The part that everybody may see, of any table, outside its screens."""
        return self._table(now, language)

    def _history(self, now: Present, language: str, seat: Seat | None) -> Region:
        return self._region("history", now, language, "_history.html", whose=seat, lines=now.recent.for_seat(seat))

    def _region(
        self, name: str, now: Present, language: str, template: str, whose: Any = None, **things: Any
    ) -> Region:
        """A region, drawn anew only if something that goes into it has changed."""
        around = self._around_table(now)
        things |= {
            "template": template, "game": now.game, "code": now.code,
            "names": around.names, "people": around.people, "person_at": around.person_at,
        }  # fmt: skip
        key = (now.id, name, (language, whose))
        known = self._drawn.get(key)
        if known is None or known[0] != things:
            with speaking(language):
                html = self._app.jinja_env.get_template(template).render(things)
            known = self._drawn[key] = (things, Region.of(name, html))
        bear_in_mind(self._drawn, key, REGIONS_IN_MIND)
        return known[1]

    def _around_table(self, now: Present) -> Around:
        """The same things as long as they are equal, so that comparing them costs nothing."""
        known = self._around.get(now.id)
        if known is None or known.now is not now:
            if known is not None and known.now.floor != now.floor:
                self._forget_drawings(now.id)
            people, names, over = people_of(now.room), now.room.names, now.result is not None
            if known is not None and known.people == people and known.names == names:
                known = known._replace(now=now, over=over)
            else:
                known = Around(now, over, names, people, {person.seat: person for person in people})
            self._around[now.id] = known
        bear_in_mind(self._around, now.id, SCREENS_IN_MIND)
        return known

    def forget_all(self) -> None:
        """Something was deleted: nothing that was ever drawn stays in mind."""
        self._drawn.clear()
        self._shared.clear()
        self._around.clear()

    def _forget_drawings(self, table: str) -> None:
        """Something was burnt: nothing that was drawn before it stays in mind."""
        for key in [key for key in self._drawn if key[0] == table]:
            del self._drawn[key]

    # ---------------------------------------------------------------- the part that is one viewer's own

    def you(self, now: Present, viewer: Viewer, *, passed_to: Seat) -> str:
        """The region of a seat, drawn on the shared screen that was passed to it."""
        return self._you(now, viewer, passed_to).html

    def _you(self, now: Present, viewer: Viewer, passed_to: Seat | None = None) -> Region:
        """The region of one seat, or of the shared screen."""
        seat = viewer.link.seat if passed_to is None else passed_to
        here = self.address(viewer)
        me = Me(
            seat=seat,
            name=now.room.names.get(seat, ""),
            here=here if passed_to is None else f"{here}/seat/{int(seat)}",
            taps=now.room.taps_of(seat),
            host=now.room.is_host(seat) and passed_to is None,
            take_back=now.step_line.say
            if passed_to is None and now.can_take_back(seat) and now.step_line and now.step_line.to is None
            else None,
        )
        things: dict[str, Any] = {"root": viewer.root, "me": me, "phase": now.room.phase, "alarm_at": now.room.alarm_at}
        if seat == TABLE:
            things |= self._screen_things(now, viewer)
        if me.host or seat == TABLE:
            things["moving"] = self._moving(now, viewer)
        if now.state is not None:
            game = now.game
            things["view"] = game.screen_view(now.state) if seat == TABLE else game.seat_view(now.state, seat)
            things["host"] = game.host_view(now.state) if me.host and game.host_view else None
            things["over"] = self._around_table(now).over
        over = now.room.phase == "ended" or self._around_table(now).over
        things["goes_on"] = over and passed_to is None
        if me.host:
            things["host_panel"] = self._host_panel(now, viewer, me, things["moving"])
        template = "_screen.html" if seat == TABLE else "_seat.html"
        return self._region("you", now, viewer.language, template, (viewer, passed_to), **things)

    def _host_panel(self, now: Present, viewer: Viewer, me: Me, moving: list[tuple[str, str]]) -> Region:
        """The host's rights: the largest part of a screen, and most taps leave it as it is."""
        me = msgspec.structs.replace(me, take_back=None)
        return self._region(
            "host", now, viewer.language, "_host.html", viewer, me=me, phase=now.room.phase, moving=moving
        )

    def _screen_things(self, now: Present, viewer: Viewer) -> dict[str, Any]:
        join = f"{viewer.base}{viewer.root}/t/{now.code}?k={self._links.sign_join(now.code)}"
        choosing = () if now.state is None else now.game.choosing(now.state)
        return {
            "join": join,
            "join_at": f"{viewer.base}{viewer.root}",
            "join_is_local": re.match(r"https?://(127\.|localhost|\[::1\])", viewer.base) is not None,
            "handing": [
                (person, person.seat in choosing) for person in self._around_table(now).people if not person.phone
            ],
        }

    def _moving(self, now: Present, viewer: Viewer) -> list[tuple[str, str]]:
        """Seats that wait for another phone, each with its new link."""
        return [
            (person.name, viewer.base + self.address(viewer, Link(now.id, person.seat, person.generation)))
            for person in now.room.here
            if person.moving
        ]


def bear_in_mind(kept: OrderedDict[Any, Any], key: Any, most: int) -> None:
    """This was needed just now; what was not for longest is forgotten."""
    kept.move_to_end(key)
    if len(kept) > most:
        kept.popitem(last=False)
