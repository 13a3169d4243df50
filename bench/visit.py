"""A phone's first visit, counted in Chromium."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
SETTLE_MS = 1_500
"""The live stream sends its first event within this time."""


def first_visit_bytes(url: str) -> int:
    """Return the bytes, compressed and with headers, that a phone with an empty cache receives when it opens a link."""
    sizes: Counter[str] = Counter()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True).new_page()
        network = page.context.new_cdp_session(page)

        def add(event: dict, size: int) -> None:
            sizes[event["requestId"]] += size

        def finished(event: dict) -> None:
            """Take the browser's own total; a stream never finishes, and keeps the sum of its parts."""
            sizes[event["requestId"]] = event["encodedDataLength"]

        network.on("Network.responseReceived", lambda event: add(event, event["response"]["encodedDataLength"]))
        network.on("Network.dataReceived", lambda event: add(event, event["encodedDataLength"]))
        network.on("Network.loadingFinished", finished)
        network.send("Network.enable")
        page.goto(url)
        page.wait_for_timeout(SETTLE_MS)
        browser.close()
    return sizes.total()
