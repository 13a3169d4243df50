"""Taps stay quick while fifty connections request the most expensive pages again and again."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion.app import create_app
from companion.engine.room_rules import AddPerson, Start
from companion.game import TABLE, Seat
from companion.games import all_games
from companion.testing import House, Person, Seated

SHEET = all_games()["score_sheet"]
LONG = 3_000
TAPS = 100
PAGES = 10
"""A tap may take as long as this many pages; if it had to wait for all connections, it would take as long as fifty."""
MOST_SLOW = 5


@pytest.fixture(scope="module")
def long_nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, dict[str, str]]]:
    """A companion with two long tables: a finished one and a running one."""
    data = tmp_path_factory.mktemp("costly") / "data"
    app = create_app(data)
    services = app.extensions["companion"]
    paths = {}
    for name in ("over", "running"):
        setup = msgspec.structs.replace(SHEET.setup(), mode="running")
        table = services.tables.open(SHEET, setup).id
        for person in ("Mallory", "Trent"):
            services.tables.act(table, TABLE, AddPerson(name=person))
        services.tables.act(table, TABLE, Start())
        for n in range(LONG):
            services.tables.act(table, Seat(n % 2 + 1), SHEET.taps["Enter"](points=n % 9))
        if name == "over":
            services.tables.act(table, TABLE, SHEET.taps["Finish"]())
        paths[name] = f"/x/{services.links.sign(table, TABLE, 1)}"
    services.reader.store.close()
    house = House(data).start()
    yield house, paths
    house.kill()


@contextmanager
def greedy(house: House, *requests: tuple[str, str, str]) -> Iterator[None]:
    """Fifty connections in another process; each has had an answer."""
    command = [sys.executable, str(Path(__file__).parent / "greedy.py"), str(house.port), json.dumps(requests)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        for _ in range(10):
            assert process.stdout.readline().startswith(("200", "422"))
        yield
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def slow_taps(seat: Seated, most: float) -> int:
    """Count how many of a hundred taps take longer than this; stop early if there are too many."""
    slow = 0
    for n in range(TAPS):
        began = time.perf_counter()
        assert seat.taps("Enter", points=n % 9).status == 200
        slow += time.perf_counter() - began > most
        if slow > MOST_SLOW:
            break
    return slow


def takes(client: Person, method: str, path: str, body: str) -> float:
    """Return how long the first request for a page takes on an idle server."""
    began = time.perf_counter()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.request(method, path, content=body.replace("NUMBER", "x"), headers=headers).status_code == 200
    return time.perf_counter() - began


@pytest.mark.parametrize(
    ("table", "method", "page", "body"),
    [
        ("running", "GET", "/night.json", ""),
        ("over", "GET", "/night/TABLE", ""),
        ("over", "GET", "/night/TABLE/history.csv", ""),
        ("over", "POST", "/phones", f"name=NUMBER{'x' * 50}&password={'%22' * 64}"),
    ],
)
def test_taps_stay_quick_while_fifty_connections_ask_for_the_costliest_pages(long_nights, table, method, page, body):
    house, paths = long_nights
    ours = house.opens("score_sheet", mode="running")
    for person in ("Ann", "Ben"):
        ours.sits(person)
    ours.starts()
    path = paths[table]
    page = (method, path + page.replace("TABLE", path.rpartition("/")[2].split(".")[0]), body)
    alone = takes(house.visitor(), *page)
    requests = [page] * 9
    if table == "running":
        # The client that asks for it taps there, too, so that the page always changes.
        requests.append(("POST", path, "tap=Rename&seat=1&name=MNUMBER"))
    with greedy(house, *requests):
        assert slow_taps(ours["Ann"], PAGES * alone) <= MOST_SLOW
