"""Make the pictures of README and docs in double resolution, and a vote in `companion demo` as an animation: `make gallery ARGS=--readme`.

It only makes those whose screens have changed; `make gallery ARGS="--readme --all"` makes all of them.
"""

from __future__ import annotations

import base64
import io
import re
import signal
import subprocess
import sys
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

DOCS = Path(__file__).parent.parent / "docs"
STAGE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PHONE_IN_A_HAND = {"width": 390, "height": 780}
MOST_BYTES, MOST_OF_A_FILM = 250_000, 2_000_000
FRAMES_PER_SECOND = 12
FILM = {"width": 1200, "height": 540}
WITHOUT_WORDS = """.demo-bar, .handset figcaption { display: none !important; }
.laptop { max-width: 46rem !important; } .handset { width: 14.5rem !important; }"""
"""The window of the demo with nothing but its devices."""
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
                vote(browser)
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
    html = Path(__file__).with_name("table_picture.html").read_text("utf-8")
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
    """Save without reducing the colours, since they identify people, in the best quality that fits."""
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


def vote(browser: Browser) -> None:
    """Film a vote of the demo on a laptop and two phones, from the first ballot to the role of the banished player."""
    with demo_window("traitors") as address:
        page = browser.new_context(viewport=FILM, color_scheme="dark", bypass_csp=True).new_page()
        page.goto(address)
        film = None
        while film is None:
            film = filmed_vote(page)
        page.context.close()
    film.save(DOCS / inputs.VOTE)


def filmed_vote(page: Page) -> Film | None:
    """The first vote of a table; None if it ends in a tie."""
    asks = page.frame_locator(".handset iframe >> nth=0").locator("#you [name=tap]")

    def asked() -> str:
        return asks.first.input_value() if asks.count() else ""

    page.get_by_role("button", name="Play this game").click()
    while asked() != "CastVote":
        if asked() == "Answer":  # a murder comes first: another table, where everybody is still alive
            page.get_by_role("button", name="Play this game").click()
        page.wait_for_timeout(200)
    page.evaluate("document.getElementById('demo').dataset.pace = 0.6")
    style = page.add_style_tag(content=WITHOUT_WORDS)
    page.evaluate("dispatchEvent(new Event('resize'))")
    film = Film(page)
    while not re.search("Faithful|Traitor", page.locator("#said").text_content() or ""):
        film.runs(0.3)
        if asked() == "ReplayTied":
            style.evaluate("style => style.remove()")
            return None
    film.runs(5.0)
    return film


@contextmanager
def demo_window(game: str) -> Iterator[str]:
    """`companion demo`, in a hurry, and the address of its window."""
    command = [sys.executable, "-m", "companion", "demo", game, "--no-browser", "--port=0", "--pace=0.1"]
    with subprocess.Popen(command, cwd=DOCS.parent, stdout=subprocess.PIPE, text=True) as process:
        lines = iter(process.stdout or ())
        try:
            yield next(found[0] for line in lines if (found := re.search(r"http://localhost:\d+/demo/", line)))
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate()  # it says good night


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
