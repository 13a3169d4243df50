"""Render everything that one seat, or everybody, can see of a table, byte for byte."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
from flask import Flask
from werkzeug.test import TestResponse

from companion.engine.links import WATCHER, Link
from companion.engine.results import tell
from companion.engine.room import Room
from companion.engine.snapshot import Snapshot
from companion.game import TABLE, Game, Seat
from companion.web import Services
from companion.web.own_regions import Viewer

BASE = "http://192.0.2.1:8000"
PAST = "/night/{table}"
EXPORTS = (
    f"{PAST}/table.json",
    f"{PAST}/history.csv",
    f"{PAST}/bgstats.json",
    "/night.csv",
    "/night.json",
    "/night.svg",
)
PAGES = ("", "/history", "/night", PAST, *EXPORTS)


class Gallery:
    """Shows any snapshot of a table as if it were the current one."""

    def __init__(self, app: Flask) -> None:
        self._client = app.test_client(use_cookies=False)
        self._services: Services = app.extensions["companion"]

    def put(self, now: Snapshot, room: Room | None = None) -> None:
        """Make this the current snapshot, and clear every cache of the earlier one."""
        cache = self._services.reader.cache
        cache.lost()
        cache.put(replace(now, room=room or now.room))

    def draws(self, now: Snapshot, seat: Seat) -> dict[str, object]:
        """Return all that this seat sees or, for TABLE, what everybody sees: pages, streams, exports, results."""
        found: dict[str, object] = {}
        self.put(now)
        if seat == TABLE:
            found |= self._pages("the shared screen's ", now, seat, PAGES) | self._pages("a watcher's ", now, WATCHER)
            self.put(now, everybody(now.room, phone=False))
            return found | self._pages("without phones, the shared screen's ", now, seat, ("", "/pass"))
        found |= self._pages("the phone's ", now, seat, ("", "/history"))
        self.put(now, msgspec.structs.replace(now.room, host=seat))
        found |= self._pages("the host's phone's ", now, seat, ("",))
        self.put(now, everybody(now.room, phone=False))
        cover, taps = f"{self._path(now, TABLE)}/pass/{int(seat)}", now.room.taps_of(seat)
        found["the cover of the shared screen"] = body(self._client.get(cover))
        found["the shared screen in this hand"] = body(self._client.post(cover, data={"taps": taps}))
        return found

    def html(self, now: Snapshot, seat: Seat) -> str:
        """Return the screen of this seat, or the shared screen."""
        screen = self._services.screens.draw(viewer(now, seat))
        assert screen is not None
        return b"".join([region.html for region in screen.regions]).decode()

    def _pages(self, whose: str, now: Snapshot, seat: Seat, pages: tuple[str, ...] = ("",)) -> dict[str, object]:
        here = self._path(now, seat)
        found: dict[str, object] = {
            f"{whose}page {page}": body(self._client.get(here + page.format(table=now.id))) for page in pages
        }
        screen = self._services.screens.draw(viewer(now, seat))
        assert screen is not None
        found[f"{whose}stream"] = screen.frame(screen.regions)
        return found

    def _path(self, now: Snapshot, seat: Seat) -> str:
        link = viewer(now, seat).link
        return f"/{link.kind}/{self._services.links.sign(link.table, link.seat, link.generation)}"


def viewer(now: Snapshot, seat: Seat) -> Viewer:
    generation = now.room.person(seat).generation if seat > TABLE else 1
    return Viewer(Link(now.id, seat, generation), "en", "", BASE)


def everybody(room: Room, *, phone: bool) -> Room:
    people = tuple(msgspec.structs.replace(person, phone=phone) for person in room.people)
    return msgspec.structs.replace(room, people=people, host=TABLE)


def body(reply: TestResponse) -> tuple[int, str, bytes]:
    return reply.status_code, str(reply.headers.get("Content-Disposition")), reply.data


def views(game: Game, state: Any, seat: Seat) -> dict[str, Any]:
    """Return all views that the pages of this seat, or of everybody, are drawn from."""
    found: dict[str, Any] = {"table view": game.table_view(state), "result": game.result(state)}
    found["offer of the shared screen"] = game.offered(state)
    if game.record_view is not None:
        found["record view"] = game.record_view(state)
    if game.host_view is not None:
        found["host view"] = game.host_view(state)
    if seat == TABLE:
        return found | {
            "screen view": game.screen_view(state),
            "feats": tell(game.feats, (state,)),
            "charts": tell(game.charts, (state,)),
        }
    return found | {"seat view": game.seat_view(state, seat), "own choice": seat in game.choosing(state)}
