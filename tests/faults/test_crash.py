"""Nothing is lost: a server under taps is killed again and again."""

from __future__ import annotations

import contextlib
import os
import random
import re
import threading

import httpx

from companion.testing import House, Person, Seated, Table
from companion.testing.tabletalk import TRUSTED

KILLS = int(os.environ.get("COMPANION_KILLS", "50"))
KILLS_AT_A_BURN = int(os.environ.get("COMPANION_KILLS_AT_A_BURN", "20"))
"""`make test-long` kills more often."""
HEARD = threading.Semaphore(0)
"""Counts answers, so that the server is killed after some taps, at any point of its work."""


class Tapper:
    """Somebody who keeps tapping, and remembers what the server confirmed."""

    def __init__(self, house: House, seat: Seated) -> None:
        self.url = house.url
        self.path = seat.path
        self.name = seat.name
        self.n = 0
        self.confirmed: set[int] = set()

    def tap_on(self) -> None:
        """Tap until the server is gone. An unconfirmed tap is sent again after the crash, with its old id."""
        with (
            contextlib.suppress(httpx.HTTPError),
            httpx.Client(base_url=self.url, timeout=10, verify=TRUSTED) as client,
        ):
            while True:
                if self.n in self.confirmed or self.n == 0:
                    self.n += 1
                data = {"tap": "Enter", "tap_id": f"{self.n}.1", "points": str(self.n)}
                reply = client.post(self.path, data=data, headers={"HX-Request": "true"})
                if reply.status_code == 200:
                    self.confirmed.add(self.n)
                    HEARD.release()


def entries(house: House, path: str) -> dict[str, list[int]]:
    """Return the entries in the whole history by person."""
    client = Person(house.url)
    found: dict[str, list[int]] = {}
    page = f"{path}/history"
    while page:
        html = client.get(page).text
        for name, points in re.findall(r"<bdi>(\w+)</bdi>: <bdi>\+(\d+)</bdi>", html):
            found.setdefault(name, []).append(int(points))
        older = re.search(r'href="([^"]+before=\d+)"', html)
        page = older.group(1) if older else ""
    return found


class Voter(threading.Thread):
    """Puts two slips into the box and opens it, again and again; each round has its own words."""

    def __init__(self, ballots: Table) -> None:
        super().__init__(daemon=True)
        self.ballots = ballots

    def run(self) -> None:
        with contextlib.suppress(httpx.HTTPError):
            while True:
                for name, word in zip(("Ida", "Jo"), words(opened(self.ballots)), strict=True):
                    self.ballots[name].taps("Cast", word=word)
                    HEARD.release()
                self.ballots["Ida"].taps("Open")
                HEARD.release()


def words(round: int) -> tuple[str, str]:
    return f"heron-{round:05d}", f"stork-{round:05d}"


def opened(ballots: Table) -> int:
    return int(re.search(r"Opened: (\d+)", ballots["Ida"].page().text).group(1))


SLIP = re.compile(rb"(heron|stork)-\d{5}")


def readable_slips(ballots: Table) -> set[str]:
    """Return all slips that somebody with the data folder could read."""
    with ballots.house.reads_the_store() as store:
        numbers = range(1, store.heads([ballots.id])[ballots.id].version + 1)
        states = [store.at(ballots.id, number).state or b"" for number in numbers]
    return {found.group().decode() for state in states for found in SLIP.finditer(state)}


def test_killed_around_a_burn_it_happened_or_not_and_what_was_confirmed_did(own_house):
    chance = random.Random(100)
    ballots = own_house.opens("secret_ballot", rounds=KILLS_AT_A_BURN + 1)
    for name in ("Ida", "Jo"):
        ballots.sits(name)
    ballots.starts()
    for _ in range(KILLS_AT_A_BURN):
        round = opened(ballots)
        for name, word in zip(("Ida", "Jo"), words(round), strict=True):
            assert ballots[name].taps("Cast", word=word).status == 200
        confirmed = threading.Event()

        def opens(confirmed: threading.Event = confirmed) -> None:
            with contextlib.suppress(httpx.HTTPError):
                if ballots["Ida"].taps("Open").status == 200:
                    confirmed.set()

        opening = threading.Thread(target=opens)
        opening.start()
        confirmed.wait(chance.uniform(0, 0.012))  # the burn takes some milliseconds: killed at any of them
        own_house.kill()
        opening.join()
        own_house.start()
        assert opened(ballots) in ({round + 1} if confirmed.is_set() else {round, round + 1})
        assert readable_slips(ballots) == (set() if opened(ballots) > round else set(words(round)))
        if opened(ballots) == round:
            assert ballots["Ida"].taps("Open").status == 200
            assert readable_slips(ballots) == set()
    assert not SLIP.search(own_house.database_bytes())


def test_fifty_kills_lose_nothing_count_nothing_twice_and_leave_no_burnt_slip(own_house):
    house = own_house
    chance = random.Random(50)
    table = house.opens("score_sheet", mode="running")
    for name in ("Ann", "Ben", "Cleo"):
        table.sits(name)
    table.starts()
    ballots = house.opens("secret_ballot")
    for name in ("Ida", "Jo"):
        ballots.sits(name)
    ballots.starts()
    port = house.port
    tappers = [Tapper(house, seat) for seat in table]
    for _ in range(KILLS):
        threads = [threading.Thread(target=tapper.tap_on, daemon=True) for tapper in tappers] + [Voter(ballots)]
        for thread in threads:
            thread.start()
        for _ in range(chance.randint(1, 30)):
            assert HEARD.acquire(timeout=60), house.log.read_text()[-2000:]
        house.kill()
        for thread in threads:
            thread.join()
        house.start()
        assert house.port == port
        assert not SLIP.search(house.database_bytes()), "no slip is ever readable"
        assert readable_slips(ballots) <= set(words(opened(ballots))), "nobody can open what was burnt"
    assert opened(ballots) > 10
    found = entries(house, table.shared.path)
    for tapper in tappers:
        counted = found.get(tapper.name, [])
        assert len(counted) == len(set(counted)), f"{tapper.name} was counted twice"
        assert tapper.confirmed <= set(counted), f"{tapper.name} lost {tapper.confirmed - set(counted)}"
        assert set(counted) <= set(range(1, tapper.n + 1))
        assert len(tapper.confirmed) > 10
