"""Drawing: a table's present version as the regions of one viewer's screen.

What everybody may know is drawn once per version and language, whoever looks; only the region
`you` is drawn for one seat. Page, reply and stream are all made of these regions.
"""

from __future__ import annotations

import re
import zlib
from collections import OrderedDict
from typing import Any

import msgspec
from flask import Flask
from flask_babel import force_locale, gettext

from companion.engine.game import TABLE, Seat
from companion.engine.links import WATCHER, BadLink, Link, Links
from companion.engine.live import Region, Screen
from companion.engine.present import Present
from companion.engine.room import Room
from companion.engine.table import Tables
from companion.web import qr

SYMBOLS = "●▲■◆★✚♥♣♠♦⬟☾☀♪✿⚑⚓☂✈⌂"
"""Beside the colour, so that nobody has to tell colours apart."""
COLOURS = 10
SCREENS_IN_MIND = 2_000


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


class Me(msgspec.Struct, frozen=True):
    """Who taps on this screen, and where its forms go."""

    seat: Seat
    name: str
    here: str
    taps: int
    host: bool
    take_back: Any = None
    """The sentence of the step that this screen may take back."""


def people_of(room: Room) -> tuple[Somebody, ...]:
    return tuple(
        Somebody(
            person.seat, person.name, number,
            symbol=SYMBOLS[(number - 1) % len(SYMBOLS)], colour=(number - 1) % COLOURS,
            phone=person.phone, moving=person.moving, away=person.away, host=room.host == person.seat,
        )
        for number, person in enumerate(room.here, 1)
    )  # fmt: skip


def tap_id(me: Me, kind: str, fields: dict[str, object]) -> str:
    """Names a drawn form, the same for every drawing until this seat has tapped: a double tap counts once."""
    fixed = ",".join(f"{key}={fields[key]}" for key in sorted(fields))
    return f"{me.taps}.{zlib.crc32(f'{kind},{fixed}'.encode()):x}"


class Screens:
    """Draws every screen there is."""

    def __init__(self, app: Flask, tables: Tables, links: Links) -> None:
        self._app = app
        self._tables = tables
        self._links = links
        self._shared: OrderedDict[tuple[str, str], tuple[int, dict[str, Region]]] = OrderedDict()

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
        with force_locale(viewer.language):
            shared = self._shared_regions(now, viewer.language)
            you = () if viewer.link.seat == WATCHER else (Region.of("you", self.you(now, viewer)),)
            history = shared["history"]
            if viewer.link.seat in now.recent.private:
                history = Region.of("history", self._history(now, viewer.link.seat))
            return Screen(now.version, (*you, shared["table"], shared["people"], history))

    def _shared_regions(self, now: Present, language: str) -> dict[str, Region]:
        key = (now.id, language)
        version, regions = self._shared.get(key, (0, {}))
        if version != now.version:
            regions = {
                "table": Region.of("table", self._table(now)),
                "people": Region.of("people", self._render("_people.html", now, phase=now.room.phase)),
                "history": Region.of("history", self._history(now, None)),
            }
            self._shared[key] = (now.version, regions)
            if len(self._shared) > SCREENS_IN_MIND:
                self._shared.popitem(last=False)
        self._shared.move_to_end(key)
        return regions

    def _render(self, template: str, now: Present, **things: Any) -> str:
        return self._app.jinja_env.get_template(template).render(
            game=now.game,
            code=now.code,
            names=now.room.names,
            people=(people := people_of(now.room)),
            person_at={person.seat: person for person in people},
            **things,
        )

    def _table(self, now: Present) -> str:
        if now.state is None:
            return self._render("_gathering.html", now, least=now.game.players[0], most=now.game.players[1])
        return self._render(
            f"{now.game.name}/table.html", now, view=now.game.table_view(now.state), alarm_at=now.room.alarm_at
        )

    def _history(self, now: Present, seat: Seat | None) -> str:
        return self._render("_history.html", now, lines=now.recent.for_seat(seat))

    # ---------------------------------------------------------------- the part that is one viewer's own

    def you(self, now: Present, viewer: Viewer, *, passed_to: Seat | None = None) -> str:
        """The region of one seat, or of the shared screen; `passed_to` draws a seat on the shared screen."""
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
            things["over"] = now.result is not None
        return self._render("_screen.html" if seat == TABLE else "_seat.html", now, **things)

    def _screen_things(self, now: Present, viewer: Viewer) -> dict[str, Any]:
        join = f"{viewer.base}{viewer.root}/t/{now.code}?k={self._links.sign_join(now.code)}"
        choosing = () if now.state is None else now.game.choosing(now.state)
        return {
            "join_qr": qr.svg(join, gettext("QR code: scan it to join the table")),
            "join_at": f"{viewer.base}{viewer.root}",
            "join_is_local": re.match(r"https?://(127\.|localhost|\[::1\])", viewer.base) is not None,
            "handing": [(person, person.seat in choosing) for person in people_of(now.room) if not person.phone],
        }

    def _moving(self, now: Present, viewer: Viewer) -> list[tuple[str, Any]]:
        """Seats that wait for another phone, each with the QR code of its new link."""
        return [
            (
                person.name,
                qr.svg(
                    viewer.base + self.address(viewer, Link(now.id, person.seat, person.generation)),
                    gettext("QR code: scan it to take this seat"),
                ),
            )
            for person in now.room.here
            if person.moving
        ]
