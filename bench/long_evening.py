"""A very long evening on one score sheet: disk space per tap, and how long others wait for its results."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlencode

from bench.companion_client import FORM_TYPE, open_table
from bench.load import PLAYERS
from bench.servers import Companion


def enter_points(server: Companion, seats: list[str], taps: int) -> None:
    with closing(HTTPConnection("localhost", server.port, timeout=60)) as http:
        for number in range(taps):
            post(http, seats[number % PLAYERS], "Enter", f"{number // PLAYERS}.abc", points=str(number * 7919 % 101))


def post(http: HTTPConnection, path: str, tap: str, tap_id: str, **typed: str) -> None:
    headers = {"HX-Request": "true", "Content-Type": FORM_TYPE, "Origin": f"http://{http.host}:{http.port}"}
    http.request("POST", path, urlencode({"tap": tap, "tap_id": tap_id, **typed}), headers)
    reply = http.getresponse()
    page = reply.read()
    if reply.status != 200:
        raise RuntimeError(f"{tap} was answered with {reply.status}: {page[:500]!r}")


def bytes_per_tap(server: Companion, seats: list[str], taps: int) -> float:
    before = stored_bytes(server)
    enter_points(server, seats, taps)
    return (stored_bytes(server) - before) / taps


def stored_bytes(server: Companion) -> int:
    """Return the database size without the write-ahead log, which doesn't grow with the evening."""
    return sum(path.stat().st_size for path in server.folder.rglob("companion.*") if not path.name.endswith("-shm"))


def longest_wait(server: Companion, shared: str) -> float:
    """Request the long table's results while somebody taps at another table; return their longest wait."""
    other = open_table(server.port, "score_sheet")
    waits: list[float] = []
    done = threading.Event()

    def tap_on() -> None:
        with closing(HTTPConnection("localhost", server.port, timeout=60)) as http:
            number = 0
            while not done.is_set():
                began = time.perf_counter()
                post(http, other[number % PLAYERS + 1], "Enter", f"{number // PLAYERS}.abc", points="1")
                waits.append(time.perf_counter() - began)
                number += 1
                time.sleep(0.005)

    tapper = threading.Thread(target=tap_on)
    with closing(HTTPConnection("localhost", server.port, timeout=600)) as http:
        post(http, shared, "Finish", "0.abc")
        tapper.start()
        try:
            for page in ("night", "night.json", "night.csv"):
                http.request("GET", f"{shared}/{page}")
                http.getresponse().read()
        finally:
            done.set()
            tapper.join()
    return max(waits)
