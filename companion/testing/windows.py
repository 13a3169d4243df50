"""Windows of a real Chromium, of a phone's size and of a laptop's."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

# A busy machine is slow, not wrong.
expect.set_options(timeout=30_000)

UNUSED = (
    # Nobody types an address here, yet every window would load two pages for that: more work than most tests are.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
    # What Playwright does without, whose list this one replaces.
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
"""A refused tap, a dead link and a server that is away are answers, not mistakes of the page."""
QUICK_EYES = """
    const wait = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => wait(act, ms === 600 ? 0 : ms, ...more);
"""
"""What has just come under the finger does not count for 600 ms (`static/taps.js`). A test looks before it taps, and in
no time; what it taps too early, Playwright taps again."""


@contextmanager
def started_chromium() -> Iterator[Browser]:
    """The system's Chromium; without one, the one that `playwright install chromium` has fetched."""
    with sync_playwright() as playwright:
        # There is no graphics card here: Chromium draws by itself, without a process that pretends to be one.
        args = ["--no-sandbox", "--disable-gpu", "--in-process-gpu", f"--disable-features={','.join(UNUSED)}"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=args)
        yield browser
        browser.close()


class Windows:
    """Browser windows of phone size and of screen size, each with a memory of its own."""

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
    """axe-core finds nothing to object to on this screen, and nothing is wider than it."""
    page.locator("body:not([data-beat])").wait_for()  # a moment is over when everybody has seen it
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), "too wide"
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
