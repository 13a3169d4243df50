"""The README's pictures at twice their size, and a vote as a short animation: `make gallery ARGS=--readme`."""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page

from companion.game import TABLE, Game
from companion.testing import House, Table
from companion.testing.evenings import evening_of
from companion.testing.showing import showing
from companion.testing.windows import started_chromium

DOCS = Path(__file__).parent
STAGE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
NIGHT = "night.webp"
PICTURES = {
    "shared-gathering.webp": ("traitors", "gathering, all are here", "stage"),
    "phone-seat.webp": ("score_sheet", "second round", "phone"),
    "traitors-ballot.webp": ("traitors", "murder, nobody has answered", "phone"),
    "traitors-votes.webp": ("traitors", "votes turned, the last one decides", "stage"),
    "risk-fight-shared-screen.webp": ("risk", "fight, two rolls", "stage"),
    "trickery-table.webp": ("trickery", "a full chest", "stage"),
    "big_shuffle-screen.webp": ("big_shuffle", "the city, all read out", "stage"),
    "faster_than_truth-table.webp": ("faster_than_truth", "challenge, all may", "stage"),
    "shared-table.webp": ("score_sheet", "last round, nobody has written", "stage"),
}
"""Which phase of which game each picture shows, and on what."""
VOTE = "vote.webp"
MOST_BYTES = 2_000_000
FRAMES_PER_SECOND = 12
PATIENT = {"COMPANION_TRIES": "1000000", "COMPANION_TABLES_PER_DAY": "1000000"}


def write(games: Mapping[str, Game]) -> None:
    with started_chromium() as browser:
        phases(browser, games)
        with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as place:
            night(browser, place)
            vote(browser, place)


def phases(browser: Browser, games: Mapping[str, Game]) -> None:
    evenings = {name: evening_of(games[name]) for name, _, _ in PICTURES.values()}
    with tempfile.TemporaryDirectory() as folder, showing(Path(folder), games) as shown:
        stage = browser.new_page(viewport=STAGE, device_scale_factor=2, color_scheme="dark")
        phone = browser.new_page(
            viewport=PHONE, device_scale_factor=2, is_mobile=True, has_touch=True, color_scheme="dark"
        )
        for page in (stage, phone):
            shown.serve(page)
        for file, (game, name, screen) in PICTURES.items():
            phase = next(phase for phase in evenings[game] if phase.name == name)
            shown.put(phase)
            page = stage if screen == "stage" else phone
            page.goto(shown.address(TABLE if screen == "stage" else phase.acting))
            save(page, file)


def save(page: Page, file: str) -> None:
    """Every colour as it is: a person is known by it."""
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    picture.save(DOCS / file, quality=90, method=6)
    print(f"docs/{file}: {(DOCS / file).stat().st_size // 1000} KB")


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """A companion that runs, as at a host's."""
    place = House(folder / "data", **PATIENT).start()
    try:
        yield place
    finally:
        place.kill()


def sits(place: House, game: str, **setup: object) -> Table:
    table = place.opens(game, **setup)
    for name in ("Ann", "Ben", "Cleo", "Dan", "Eve"):
        table.sits(name)
    return table.starts()


def night(browser: Browser, place: House) -> None:
    """Two games, and what is told of them."""
    table = sits(place, "score_sheet", rounds=2)
    for points in ((12, 7, 9, 14, 3), (8, 15, 11, 10, 2)):
        for person, n in zip(table, points, strict=True):
            person.taps("Enter", points=n)
    table.plays("score_sheet", rounds=1)
    table.starts()
    for person, n in zip(table, (31, 12, 28, 40, 22), strict=True):
        person.taps("Enter", points=n)
    page = browser.new_page(viewport=STAGE, device_scale_factor=2, color_scheme="dark")
    page.goto(f"{place.url}{table.shared.path}/night")
    page.locator("body:not([data-beat])").wait_for()
    save(page, NIGHT)
    page.close()


def vote(browser: Browser, place: House) -> None:
    """Five votes are turned over, one by one, and somebody shows who they were."""
    table = sits(place, "traitors", timer="0", murders="0", banishments="1", quiet_nights="0", rounds="1")
    table.shared.taps("Ready")
    table["Ann"].taps("DrawEvent")
    table.shared.taps("OpenVote")
    page = browser.new_page(viewport={"width": 960, "height": 600}, color_scheme="dark")
    page.goto(f"{place.url}{table.shared.path}")
    page.wait_for_timeout(500)
    film = Film(page)
    for name, against in (("Ann", 4), ("Ben", 1), ("Cleo", 4), ("Dan", 1), ("Eve", 4)):
        table[name].taps("CastVote", choice=against)
        film.runs(0.3)
    film.rests()
    for name in ("Ann", "Ben", "Cleo", "Dan", "Eve"):
        table[name].taps("RevealVote")
        film.runs(0.3)
        film.rests()
    film.runs(1.5)
    table["Dan"].taps("Fall", gold=2, role="traitor")
    film.runs(0.3)
    film.rests()
    film.runs(2.5)
    page.close()
    film.save(DOCS / VOTE)


class Film:
    """What a window shows, picture after picture."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._frames: list[tuple[float, bytes]] = []

    def runs(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (now := time.monotonic()) < until:
            self._frames.append((now, self._page.screenshot(type="jpeg", quality=95)))
            self._page.wait_for_timeout(max(0.0, 1000 * (now + 1 / FRAMES_PER_SECOND - time.monotonic())))

    def rests(self) -> None:
        """On to the end of a moment."""
        patience = time.monotonic() + 20
        while self._page.evaluate("'beat' in document.body.dataset") and time.monotonic() < patience:
            self.runs(0.2)
        self.runs(0.6)

    def save(self, path: Path) -> None:
        """As good as fits."""
        times = [at for at, _ in self._frames] + [time.monotonic()]
        kept: list[tuple[Any, int]] = []
        for place, (at, data) in enumerate(self._frames):
            lasts = round(1000 * (times[place + 1] - at))
            if place and data == self._frames[place - 1][1]:
                kept[-1] = (kept[-1][0], kept[-1][1] + lasts)
            else:
                kept.append((Image.open(io.BytesIO(data)), lasts))
        first, *rest = [picture for picture, _ in kept]
        for quality in (75, 60, 45, 30):
            first.save(
                path, save_all=True, append_images=rest, duration=[lasts for _, lasts in kept], loop=0,
                quality=quality, method=4, minimize_size=True,
            )  # fmt: skip
            if path.stat().st_size < MOST_BYTES:
                break
        size = path.stat().st_size
        assert size < MOST_BYTES, f"{size} bytes are too many"
        print(f"docs/{path.name}: {size // 1000} KB, {len(kept)} pictures, {times[-1] - times[0]:.0f} s")
