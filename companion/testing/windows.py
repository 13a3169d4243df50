"""Windows of a real Chromium, in phone and laptop sizes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

# Generous, because a busy machine is slow.
expect.set_options(timeout=30_000)

UNUSED = (
    # The address bar's suggestions would load two pages per window: more work than most tests.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
    # Playwright's own list, which this one replaces.
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
)  # fmt: skip
"""Parts of Chromium that no test needs."""
EXPECTED = (
    "status of 4", "status of 5", "failed with status 4", "ERR_CONNECTION", "ERR_INCOMPLETE", "ERR_CONTENT_LENGTH",
    "ERR_INTERNET", "ERR_NETWORK", "ERR_EMPTY", "Failed to fetch", "network error",
)  # fmt: skip
"""Expected network errors: a refused tap, a dead link, a server that is down."""
QUICK_EYES = """
    const wait = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => wait(act, ms === 600 ? 0 : ms, ...more);
"""
"""Controls ignore taps for 600 ms after they appear (`static/taps.js`). Tests don't need to wait: they check the screen
before they tap, and Playwright retries a tap that came too early."""


@contextmanager
def started_chromium() -> Iterator[Browser]:
    """Start the system's Chromium or, without one, that of `playwright install chromium`."""
    with sync_playwright() as playwright:
        # No GPU process: it would only emulate a graphics card in software.
        args = ["--no-sandbox", "--disable-gpu", "--in-process-gpu", f"--disable-features={','.join(UNUSED)}"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=args)
        yield browser
        browser.close()


class Windows:
    """Browser windows in phone and laptop sizes, each with its own cookies and storage."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[Any] = []
        self.complaints: list[str] = []

    def phone(self, **options: Any) -> Page:
        return self._page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, **options)

    def wide(self, **options: Any) -> Page:
        return self._page(viewport={"width": 1280, "height": 800}, **options)

    def _page(self, *, quick_eyes: bool = True, **options: Any) -> Page:
        context = self._browser.new_context(**options)
        context.set_default_timeout(15_000)
        self._contexts.append(context)
        page = context.new_page()
        if quick_eyes:
            page.add_init_script(QUICK_EYES)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._listen)
        return page

    def _listen(self, message: Any) -> None:
        if message.type == "error" and not any(words in message.text for words in EXPECTED):
            self.complaints.append(message.text)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def assert_accessible(page: Page) -> None:
    """Fail if axe-core finds a fault on this screen, or if the page is wider than the screen."""
    page.locator("body:not([data-beat])").wait_for()  # wait until no moment is playing
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), "too wide"
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
