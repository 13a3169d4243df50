"""People who keep tapping and watching while the server fails, and remember what it confirmed."""

from __future__ import annotations

import contextlib
import re
import ssl
import threading
import time
from collections.abc import Iterable

import httpx
from selectolax.lexbor import LexborHTMLParser

from companion.testing import House, Seated, Table, text_of

RIGHT_AGAIN = 5.0
"""Every open screen must be up to date this many seconds after a fault."""
A_MOMENT = 0.02
"""The pause between two taps, so that the test doesn't use all of the machine."""
MEMORY = 65_536
"""A small receive buffer, so that a slow screen doesn't have to read megabytes of old frames first."""
TROUBLE = (httpx.HTTPError, OSError, ssl.SSLError, EOFError)
PARTIAL = re.compile(r'<hx-partial hx-target="#(\w+)"[^>]*>(.*?)</hx-partial>', re.S)


class Tapper(threading.Thread):
    """Enters 1, 2, 3 …; an unconfirmed tap is sent again with the same form."""

    def __init__(self, seat: Seated) -> None:
        super().__init__(daemon=True)
        self.seat = seat
        self.confirmed = 0
        self.refused: list[tuple[int, str]] = []
        self.heard = threading.Event()
        self.over = threading.Event()

    def run(self) -> None:
        client = self.seat.house.visitor()
        while not self.over.is_set():
            fields = {"tap": "Enter", "tap_id": f"{self.confirmed + 1}.1", "points": str(self.confirmed + 1)}
            try:
                reply = client.post(self.seat.path, data=fields, headers={"HX-Request": "true"})
            except TROUBLE:
                self.over.wait(0.1)
                continue
            if reply.status_code == 200:
                self.confirmed += 1
                self.heard.set()
                self.over.wait(A_MOMENT)
            else:
                self.refused.append((reply.status_code, text_of(reply.text)))
                self.over.wait(0.1)

    def goes_on(self) -> None:
        """Wait until something is confirmed."""
        self.heard.clear()
        assert self.heard.wait(60), f"{self.seat.name} cannot tap any more: {self.refused[-1:]}"


class Watcher(threading.Thread):
    """An open screen that shows what its stream sends, and reconnects when it ends, as a phone does."""

    def __init__(self, seat: Seated) -> None:
        super().__init__(daemon=True)
        self.seat = seat
        self._html: dict[str, str] = {}
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.is_set():
            with contextlib.suppress(*TROUBLE, ValueError):
                stream = self.seat.listens(memory=MEMORY)
                while stream.status == 200 and not self.over.is_set():
                    for name, html in PARTIAL.findall(re.sub(r"^data: ?", "", stream.frame(), flags=re.M)):
                        self._html[name] = html
            self.over.wait(0.25)

    @property
    def shown(self) -> dict[str, str]:
        """Return its text by region; parsed only on demand, so that it doesn't slow down the taps."""
        return {name: text_of(html) for name, html in list(self._html.items())}

    def is_right(self, page: str) -> bool:
        """Return whether it shows the same as a newly opened page."""
        present = {
            node.attributes["id"]: text_of(node.inner_html)
            for node in LexborHTMLParser(page).css("section.region, #moment")
        }
        return self.shown == present


class Crowd:
    """Some tables with two people each who tap, and three open screens each."""

    def __init__(self, house: House, tables: int = 4) -> None:
        self.tables: list[Table] = []
        for _ in range(tables):
            table = house.opens("score_sheet", mode="running")
            for name in ("Ann", "Ben"):
                table.sits(name)
            self.tables.append(table.starts())
        self.tappers = [Tapper(seat) for table in self.tables for seat in table]
        self.watchers = [Watcher(seat) for table in self.tables for seat in (table.shared, *table)]

    def __enter__(self) -> Crowd:
        for thread in (*self.watchers, *self.tappers):
            thread.start()
        self.go_on()
        return self

    def __exit__(self, *_: object) -> None:
        for thread in (*self.tappers, *self.watchers):
            thread.over.set()
        for tapper in self.tappers:
            tapper.join()

    def go_on(self) -> None:
        """Wait until everybody got something confirmed."""
        for tapper in self.tappers:
            tapper.goes_on()

    def rests(self) -> None:
        """Stop all taps."""
        for tapper in self.tappers:
            tapper.over.set()
        for tapper in self.tappers:
            tapper.join()

    def screens_are_right(self, since: float) -> None:
        """Check that every open screen is up to date soon after the fault ended (`since`) and all taps stopped."""
        pages = {watcher: watcher.seat.page().html for watcher in self.watchers}
        waiting = list(self.watchers)
        while waiting:
            took = time.monotonic() - since
            waiting = [one for one in waiting if not one.is_right(pages[one])]
            assert took < 60 or not waiting, f"{len(waiting)} screens stay wrong: {waiting[0].shown}"
            threading.Event().wait(0.02)
        assert took < RIGHT_AGAIN, f"every screen is right again, but only after {took:.1f} seconds"

    def nothing_is_lost_or_doubled(self) -> None:
        for table, (ann, ben) in zip(self.tables, pairs(self.tappers), strict=True):
            told = entries(table.shared)
            for tapper in (ann, ben):
                # There may be one more than was confirmed, if its answer was lost.
                assert told[tapper.seat.name] in ([*range(1, tapper.confirmed + 1)], [*range(1, tapper.confirmed + 2)])


def pairs(tappers: Iterable[Tapper]) -> list[tuple[Tapper, Tapper]]:
    one = iter(tappers)
    return list(zip(one, one, strict=True))


def entries(screen: Seated) -> dict[str, list[int]]:
    """Return the entries in the whole history by person, oldest first."""
    found: dict[str, list[int]] = {"Ann": [], "Ben": []}
    page = f"{screen.path}/history"
    while page:
        html = screen.client.get(page).text
        for name, points in re.findall(r"<bdi>(\w+)</bdi>: <bdi>\+(\d+)</bdi>", html):
            found[name].insert(0, int(points))
        older = re.search(r'href="([^"]+before=\d+)"', html)
        page = older.group(1) if older else ""
    return found
