"""Phones: pages of a real Chromium whose main thread is slowed down through the DevTools protocol."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from bench.servers import CORES
from bench.visit import CHROMIUM

SLOWER = 6
"""How many times slower an old phone's CPU is than this machine's."""
QUIET_MS = 300
"""An update is over when the screen has not changed for this long."""
PATIENCE_MS = 2_000
"""A screen that has not changed after this long has nothing new to show."""
SHORTEST_EVENT_MS = 16
"""The browser reports only events whose first frame takes at least this long."""
PROBE = (Path(__file__).parent / "probe.js").read_text()


@contextmanager
def all_cores() -> Iterator[None]:
    """Let processes started here use every core: two phones must not share the load generator's one."""
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, CORES)
    try:
        yield
    finally:
        os.sched_setaffinity(0, own)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Update(NamedTuple):
    """One tap as measured on one phone, in seconds; all phones of a machine share one clock."""

    tapped: float
    painted: float
    main_thread: float
    """How long the page's main thread worked, from the tap until nothing changed any more."""
    pressed: float
    """From the tap to the first frame after it, which shows the pressed button; at least 16 ms."""


class Phone:
    """A page in its own browser context, and so in its own process."""

    def __init__(self, browser: Browser) -> None:
        context = browser.new_context(
            viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, device_scale_factor=2
        )
        self.page = context.new_page()
        self.page.add_init_script(PROBE)
        self._cdp = context.new_cdp_session(self.page)
        self._cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._before = 0.0

    def opens(self, url: str) -> None:
        self.page.goto(url)

    def close(self) -> None:
        self.page.context.close()

    def slow(self, rate: float) -> None:
        self._cdp.send("Emulation.setCPUThrottlingRate", {"rate": rate})

    def metrics(self) -> dict[str, float]:
        return {one["name"]: one["value"] for one in self._cdp.send("Performance.getMetrics")["metrics"]}

    def _busy(self, metrics: dict[str, float]) -> float:
        """CPU time of the main thread's tasks (script, style, layout, paint, everything), without our own measuring."""
        return metrics["TaskDuration"] - metrics["DevToolsCommandDuration"]

    def aim(self, forms: str, number: int, fields: dict[str, Any]) -> dict[str, float] | None:
        """Fill in a form; return where its button is, or nothing if it can't be tapped."""
        form = {"forms": forms, "number": number, "fields": fields}
        return self.page.evaluate("form => bench.aim(form)", form)

    def settles(self, patience_ms: float = QUIET_MS) -> dict[str, float]:
        """Wait until nothing changes any more; if nothing changes at all, stop this long after `begins`."""
        return self.page.evaluate("([quiet, patience]) => bench.settled(quiet, patience)", [QUIET_MS, patience_ms])

    def rests(self) -> None:
        """Wait until no moment plays and nothing changes; open every fold of the table, so that everything is drawn."""
        self.page.wait_for_function("!document.body.dataset.beat")
        self.page.evaluate(
            "for (const fold of document.querySelectorAll(':is(#table, #record) details')) fold.open = true"
        )
        self.settles()

    def nodes(self) -> int:
        return self.page.evaluate("document.querySelectorAll('*').length")

    def begins(self) -> None:
        """Reset the probe: the next tap is measured."""
        self.page.evaluate("bench.reset()")
        self._before = self._busy(self.metrics())

    def ends(self) -> Update | None:
        """Return the measured tap, or nothing if this phone's screen has not changed."""
        seen = self.settles(PATIENCE_MS)
        metrics = self.metrics()
        if not seen["changed"]:
            return None
        start = metrics["NavigationStart"]
        return Update(
            start + seen["tapped"] / 1_000, start + seen["painted"] / 1_000, self._busy(metrics) - self._before,
            max(seen["pressed"], SHORTEST_EVENT_MS) / 1_000,
        )  # fmt: skip


def tap(tapper: Phone, watcher: Phone, at: dict[str, float]) -> tuple[Update | None, Update | None]:
    """Tap there with both phones slowed down; return the measurements of both."""
    for phone in (tapper, watcher):
        phone.slow(SLOWER)
        phone.begins()
    tapper.page.touchscreen.tap(at["x"], at["y"])
    updates = tapper.ends(), watcher.ends()
    for phone in (tapper, watcher):
        phone.slow(1)
    return updates
