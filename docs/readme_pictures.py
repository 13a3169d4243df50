"""The pictures of README and docs at twice their size, and a vote as a short animation: `make gallery ARGS=--readme`.

Only those are taken that show an older screen; `make gallery ARGS="--readme --all"` takes every one again.
"""

from __future__ import annotations

import base64
import io
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import picture_inputs as inputs
from PIL import Image
from playwright.sync_api import Browser, Page

from companion.game import TABLE, Game
from companion.testing import House, Table
from companion.testing.showing import Showing, showing
from companion.testing.windows import started_chromium

DOCS = Path(__file__).parent
STAGE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PHONE_IN_A_HAND = {"width": 390, "height": 780}
MOST_BYTES, MOST_OF_A_FILM = 250_000, 2_000_000
FRAMES_PER_SECOND = 12
PATIENT = {"COMPANION_TRIES": "1000000", "COMPANION_TABLES_PER_DAY": "1000000"}


def write(games: Mapping[str, Game], *, every: bool = False) -> None:
    """Take the pictures that show an older screen, or all of them."""
    now = inputs.digests(games)
    due = list(now) if every else inputs.outdated(now)
    if due:
        with started_chromium() as browser:
            of_phases(browser, games, due)
            with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as place:
                if inputs.NIGHT in due:
                    night(browser, place)
                if inputs.VOTE in due:
                    vote(browser, place)
    inputs.store(now)
    print(f"{len(due)} of {len(now)} pictures were taken again.")


def of_phases(browser: Browser, games: Mapping[str, Game], due: Sequence[str]) -> None:
    evenings = inputs.evenings(games)
    with tempfile.TemporaryDirectory() as folder, showing(Path(folder), games) as shown:
        stage, phone = pages(browser, shown)
        for file, (game, name, screen) in inputs.PICTURES.items():
            if file not in due:
                continue
            phase = inputs.phase_of(evenings, game, name)
            shown.put(phase)
            page = stage if screen == "stage" else phone
            page.goto(shown.address(TABLE if screen == "stage" else phase.acting))
            save(page, file)
        if inputs.TABLE_PICTURE in due:
            shown.put(inputs.phase_of(evenings, *inputs.AROUND))
            around(browser, stage, phone, shown)


def pages(browser: Browser, shown: Showing) -> tuple[Page, Page]:
    """A laptop's and a phone's, at twice their size."""
    stage = browser.new_page(viewport=STAGE, device_scale_factor=2, color_scheme="dark")
    phone = browser.new_page(viewport=PHONE, device_scale_factor=2, is_mobile=True, has_touch=True, color_scheme="dark")
    for page in (stage, phone):
        shown.serve(page)
    return stage, phone


def around(browser: Browser, stage: Page, phone: Page, shown: Showing) -> None:
    """A laptop with four phones around it, all at the same moment."""
    stage.goto(shown.address(TABLE))
    phone.set_viewport_size(PHONE_IN_A_HAND)
    screens = [stage.screenshot(animations="disabled")]
    for seat in range(1, 5):
        phone.goto(shown.address(seat))
        screens.append(phone.screenshot(animations="disabled"))
    html = (DOCS / "table_picture.html").read_text("utf-8")
    style = (DOCS.parent / "static" / "demo.css").read_text("utf-8")
    html = html.replace("<style>", f"<style>{style}</style><style>", 1)
    for screen in screens:
        data = base64.b64encode(screen).decode()
        html = html.replace('src=""', f'src="data:image/png;base64,{data}"', 1)
    page = browser.new_page(viewport={"width": 1200, "height": 680}, device_scale_factor=2)
    page.set_content(html)
    save(page, inputs.TABLE_PICTURE)
    page.close()


def save(page: Page, file: str) -> None:
    """Every colour as it is: a person is known by it. As good as fits."""
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    for quality in (90, 82, 74):
        picture.save(DOCS / file, quality=quality, method=4)
        if (DOCS / file).stat().st_size < MOST_BYTES:
            break
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
    save(page, inputs.NIGHT)
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
    film.save(DOCS / inputs.VOTE)


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
            if path.stat().st_size < MOST_OF_A_FILM:
                break
        size = path.stat().st_size
        assert size < MOST_OF_A_FILM, f"{size} bytes are too many"
        print(f"docs/{path.name}: {size // 1000} KB, {len(kept)} pictures, {times[-1] - times[0]:.0f} s")
