"""Three companions on one PostgreSQL, and people who switch to the next one when theirs fails."""

from __future__ import annotations

import re
import time
from itertools import count
from pathlib import Path

import httpx
from crowd import RIGHT_AGAIN, Crowd, pairs

from companion.testing import House, Person, Stream, wait_until


class Roaming(Person):
    """A browser that, like a proxy, asks the next companion when one doesn't answer."""

    def __init__(self, fleet: Fleet) -> None:
        super().__init__("http://fleet")
        self._fleet = fleet

    def send(self, request: httpx.Request, **options: object) -> httpx.Response:
        for _ in range(3 * len(self._fleet.houses)):
            request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self._fleet.port)
            request.headers["host"] = f"127.0.0.1:{request.url.port}"
            try:
                return super().send(request, **options)
            except httpx.TransportError as trouble:
                last = trouble
        raise last


class Fleet(House):
    """A house with several doors: each visitor takes the next one."""

    def __init__(self, data: Path, database: str, size: int = 3) -> None:
        self._turns = count()
        usual = {
            "COMPANION_TRIES": "1000000",
            "COMPANION_TABLES_PER_DAY": "1000000",
            "COMPANION_ADDRESS": "http://fleet",  # whichever server answers
        }
        self.houses = [House(data, database=database, **usual) for _ in range(size)]
        self.database = database
        self.data = data
        self.log = self.houses[0].log
        self.thumbs = self.houses[0].thumbs

    def start(self, *options: str) -> Fleet:
        for house in self.houses:
            house.start(*options)
        return self

    @property
    def port(self) -> int:
        return self.houses[next(self._turns) % len(self.houses)].port

    def visitor(self) -> Person:
        return Roaming(self)

    def stream(self, path: str, memory: int | None = None) -> Stream:
        return Stream(self.port, path, memory)

    def stop(self) -> None:
        for house in self.houses:
            house.stop()


class Everywhere(Crowd):
    """A crowd that uses any of the companions, and watches while it taps."""

    def __init__(self, fleet: Fleet, tables: int = 2) -> None:
        super().__init__(fleet, tables)
        for seat in {id(one.seat): one.seat for one in (*self.tappers, *self.watchers)}.values():
            seat.client = fleet.visitor()

    def screens_catch_up(self) -> None:
        """Check that every open screen soon shows all that was confirmed by now, while people keep tapping."""
        begun = time.monotonic()
        confirmed = [tapper.confirmed for tapper in self.tappers]
        for number, watcher in enumerate(self.watchers):
            two = pairs(confirmed)[number // 3]

            def is_right(watcher=watcher, two=two) -> bool:
                return all(
                    total(watcher.shown, who) >= n * (n + 1) // 2 for who, n in zip(("Ann", "Ben"), two, strict=True)
                )

            wait_until(is_right, f"{watcher.shown}")
        assert time.monotonic() - begun < RIGHT_AGAIN, "too late"


def total(shown: dict[str, str], name: str) -> int:
    """Return somebody's points, from a phone or the stage."""
    found = re.findall(rf"{name} (\d+)", shown.get("table") or shown.get("stage", ""))
    return int(found[-1]) if found else -1
