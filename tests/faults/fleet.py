"""Three companions on one PostgreSQL, and people who go on to the next one when theirs is gone."""

from __future__ import annotations

import re
import time
from itertools import count
from pathlib import Path

import httpx
from crowd import RIGHT_AGAIN, Crowd, pairs

from companion.testing import House, Person, Stream, wait_until


class Roaming(Person):
    """A browser behind a proxy that asks the next companion when one does not answer."""

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
    """A crowd whose people come in by any door, and who look while they tap."""

    def __init__(self, fleet: Fleet, tables: int = 2) -> None:
        super().__init__(fleet, tables)
        for seat in {id(one.seat): one.seat for one in (*self.tappers, *self.watchers)}.values():
            seat.client = fleet.visitor()

    def screens_catch_up(self) -> None:
        """Every open screen shows all that was confirmed up to now, soon, while the tapping goes on."""
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
    """Somebody's points, on a phone's table or on the stage."""
    found = re.findall(rf"{name} (\d+)", shown.get("table") or shown.get("stage", ""))
    return int(found[-1]) if found else -1
