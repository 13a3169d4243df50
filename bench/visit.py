"""Measure a phone's first visit in Chromium."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
SETTLE_MS = 1_500
"""The live stream sends its first event within this time."""


def first_visit_bytes(url: str) -> tuple[int, int]:
    """Return how many bytes a phone with an empty cache downloads when it opens a link: fonts, and everything else.

    They are compressed and include headers.
    """
    sizes: Counter[str] = Counter()
    fonts: set[str] = set()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True).new_page()
        network = page.context.new_cdp_session(page)

        def add(event: dict, size: int) -> None:
            sizes[event["requestId"]] += size

        def finished(event: dict) -> None:
            """Use the browser's total; a stream never finishes, so the sum of its parts stays."""
            sizes[event["requestId"]] = event["encodedDataLength"]

        def received(event: dict) -> None:
            add(event, event["response"]["encodedDataLength"])
            if event["type"] == "Font":
                fonts.add(event["requestId"])

        network.on("Network.responseReceived", received)
        network.on("Network.dataReceived", lambda event: add(event, event["encodedDataLength"]))
        network.on("Network.loadingFinished", finished)
        network.send("Network.enable")
        page.goto(url)
        page.wait_for_timeout(SETTLE_MS)
        browser.close()
    of_fonts = sum(sizes[one] for one in fonts)
    return of_fonts, sizes.total() - of_fonts
