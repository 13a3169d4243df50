"""Tap to paint on slow phones: how long after a tap two phones show it, and how long their main threads work.

Two phones at one table are pages in a real Chromium with its CPU slowed down six times: Ann's, which taps, and Ben's,
which only watches. `probe.js` defines what a tap and a paint are. Everybody else taps at random over HTTP until Ann has
something to tap on one of the largest screens of the evening. That tap is measured; budgets are for its p95.
A tap that changes nothing on a phone (a refusal, a secret) does not count there.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from bench.evening import OWN_FORMS, Evening, elements
from bench.load import percentile
from bench.phones import SLOWER, Phone, Update, all_cores, chromium, tap
from bench.report import Report
from companion.game import Game
from companion.games import all_games
from companion.testing.house import House
from companion.testing.stream import everybody_leaves

PAINT_BUDGET_MS = 100
TAPPER_BUDGET_MS, WATCHER_BUDGET_MS = 100, 40
SCOUTED_TAPS = 300
LARGEST = 50
"""A screen of Ann's counts if this percentage of her screens in a whole evening are smaller."""
TAPS_BETWEEN = 4
"""How often others tap between two of Ann's taps, to move the game on."""
SECONDS_PER_GAME = 240
"""Give up on a game after this time, if Ann seldom has something to tap."""


class Measured:
    """The taps of one game."""

    def __init__(self) -> None:
        self.own: list[float] = []
        self.others: list[float] = []
        self.tapper: list[float] = []
        self.watcher: list[float] = []
        self.pressed: list[float] = []
        self.nodes = 0
        self.taps: Counter[str] = Counter()

    def add(self, tap: str, tapper: Update | None, watcher: Update | None) -> None:
        if tapper is None:
            return
        self.taps[tap] += 1
        self.own.append((tapper.painted - tapper.tapped) * 1_000)
        self.tapper.append(tapper.main_thread * 1_000)
        self.pressed.append(tapper.pressed * 1_000)
        if watcher is not None:
            self.others.append((watcher.painted - tapper.tapped) * 1_000)
            self.watcher.append(watcher.main_thread * 1_000)

    def figures(self) -> list[tuple[str, list[float], float | None]]:
        """Return the measured times in ms, and the budget for their 95th percentile."""
        return [
            ("tap to first frame, own phone", self.pressed, None),
            ("tap to paint, own phone", self.own, PAINT_BUDGET_MS),
            ("tap to paint, another phone", self.others, PAINT_BUDGET_MS),
            ("main thread, who tapped", self.tapper, TAPPER_BUDGET_MS),
            ("main thread, who watches", self.watcher, WATCHER_BUDGET_MS),
        ]

    def print(self, report: Report, title: str) -> None:
        kinds = ", ".join(f"{kind} {count}" for kind, count in self.taps.most_common())
        print(f"{title}: up to {self.nodes:,} nodes; {kinds}", flush=True)
        for what, values, budget in self.figures():
            if len(values) < 2:
                print(f"{title}: {what}: too few taps", flush=True)
                continue
            detail = f"p50 {median(values):.0f} ms, {len(values)} taps"
            report.add(f"{title}: {what}, p95", percentile(values, 95), "ms", budget, detail)


def large(house: House, game: Game) -> float:
    """Play an evening without phones; return how many elements a page of Ann's needs to count as large."""
    evening, sizes = Evening(house, game, seed=1), []
    for _ in range(SCOUTED_TAPS):
        if html := evening.asks_ann():
            sizes.append(elements(html))
        evening.somebody_taps()
        if evening.over:
            break
    return percentile(sizes, LARGEST) if len(sizes) > 1 else 0


@contextmanager
def two_phones(browser: Browser, house: House, evening: Evening) -> Iterator[tuple[Phone, Phone]]:
    phones = Phone(browser), Phone(browser)
    for phone, person in zip(phones, (evening.ann, evening.ben), strict=True):
        phone.opens(house.url + person.path)
    yield phones
    for phone in phones:
        phone.close()


def play(browser: Browser, house: House, game: Game, taps: int) -> Measured:
    """Play evenings until this many of Ann's taps are measured."""
    measured, least, seed = Measured(), large(house, game), 1
    end = time.monotonic() + SECONDS_PER_GAME
    while len(measured.own) < taps and time.monotonic() < end:
        seed += 1
        evening = Evening(house, game, seed)
        with two_phones(browser, house, evening) as (ann, ben):
            while len(measured.own) < taps and not evening.over and time.monotonic() < end:
                html = evening.asks_ann()
                if html and elements(html) >= least:
                    ann_taps(measured, taps, evening, ann, ben)
                for _ in range(TAPS_BETWEEN):
                    evening.somebody_taps()
        everybody_leaves()
    return measured


def ann_taps(measured: Measured, taps: int, evening: Evening, ann: Phone, ben: Phone) -> None:
    """Ann taps something on her phone, and both phones are measured."""
    for phone in (ann, ben):
        phone.rests()
    choice = evening.choose(ann.page.content(), OWN_FORMS)
    if choice and evening.chance.random() < measured.taps[choice.tap] / taps:
        return  # there are enough of these: measure other taps
    if choice and (at := ann.aim(OWN_FORMS, choice.number, choice.fields)):
        measured.nodes = max(measured.nodes, ann.nodes())
        for phone in (ann, ben):
            phone.settles()
        on_anns, on_bens = tap(ann, ben, at)
        evening.done(choice, accepted=on_anns is not None)
        measured.add(choice.tap, on_anns, on_bens)


def thumb_to_paint(report: Report, folder: Path, taps: int, names: Sequence[str]) -> None:
    """Measure these games, each on its own server."""
    games = all_games()
    with all_cores(), chromium() as browser:
        print(f"\nTwo phones, each {SLOWER} times slower than this machine:", flush=True)
        for name in names:
            house = House(
                Path(tempfile.mkdtemp(dir=folder)) / "data", COMPANION_TRIES="1000000", COMPANION_TABLES_PER_DAY="1000"
            ).start()
            try:
                play(browser, house, games[name], taps).print(report, name)
            finally:
                house.kill()
