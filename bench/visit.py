"""A phone's first visit, counted in a real browser."""

from __future__ import annotations

import gzip
import re
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from tabletalk import NAMES, House

CHROMIUM = "/usr/bin/chromium"


class Bill:
    """Requests and bytes as they came over the wire, headers included."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.paths: dict[str, str] = {}
        self._cached: set[str] = set()
        self.page = ""
        self.scripts: list[bytes] = []

    def listen(self, wire: Any) -> None:
        wire.on("Network.requestWillBeSent", self._asked)
        wire.on("Network.responseReceived", lambda event: self._add(event, event["response"]["encodedDataLength"]))
        wire.on("Network.dataReceived", lambda event: self._add(event, event["encodedDataLength"]))
        wire.on("Network.loadingFinished", self._finished)
        wire.on("Network.requestServedFromCache", lambda event: self._forget(event["requestId"]))
        wire.send("Network.enable")

    def _asked(self, event: dict[str, Any]) -> None:
        key = event["requestId"]
        if "redirectResponse" in event:
            self.paths[key + "+"], self.sizes[key + "+"] = "redirect", event["redirectResponse"]["encodedDataLength"]
        self.paths[key] = event["request"]["url"]
        self.sizes[key] = 0

    def _add(self, event: dict[str, Any], size: int) -> None:
        if event["requestId"] not in self._cached:
            self.sizes[event["requestId"]] = self.sizes.get(event["requestId"], 0) + size

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] not in self._cached:
            self.sizes[event["requestId"]] = event["encodedDataLength"]

    def _forget(self, request: str) -> None:
        """What the phone has already is not asked for again."""
        self.paths.pop(request, None)
        self.sizes.pop(request, None)
        self._cached.add(request)

    def add_icon(self, page: Any, url: str) -> None:
        """A browser without a window does not ask for the icon; a phone does."""
        if not any("icon" in path for path in self.paths.values()):
            path = page.locator("link[rel=icon]").get_attribute("href")
            request = urllib.request.Request(url + path, headers={"Accept-Encoding": "gzip"})
            with urllib.request.urlopen(request) as reply:
                self.paths["icon"] = path
                self.sizes["icon"] = len(reply.read()) + len(str(reply.headers)) + len("HTTP/1.1 200 OK\r\n")

    @property
    def requests(self) -> int:
        return len(self.paths)

    @property
    def bytes(self) -> int:
        return sum(self.sizes.values())


def first_visits(folder: Path) -> dict[str, Bill]:
    """What it costs to open one's link, and to come in by the QR code, at a score sheet after three rounds."""
    house = House(folder / "visit").start()
    try:
        table = house.opens("score_sheet")
        for name in NAMES[:8]:
            table.sits(name)
        bills = {"from scanning the code to the seat": _visit(house, f"{house.url}/t/{table.code}", sit="Ida")}
        table.starts()
        for n in range(3):
            for seat in table:
                seat.taps("Enter", tap_id=f"{n}.1", points=10 * n + seat.seat)
        bills["a seat's link"] = _visit(house, house.url + table["Ann"].path)
        return bills
    finally:
        house.kill()


def ballot_visit(folder: Path) -> Bill:
    """What it costs to open one's link at a secret ballot, with somebody's slip in the box."""
    house = House(folder / "ballot").start()
    try:
        table = house.opens("secret_ballot")
        for name in NAMES[:8]:
            table.sits(name)
        table.starts()
        table["Ben"].taps("Cast", tap_id="1.1", word="owl")
        return _visit(house, house.url + table["Ann"].path)
    finally:
        house.kill()


def bare(bill: Bill) -> int:
    """What of a visit is like the smallest page around a client: scripts, and a page with nothing but the form."""
    page = re.sub(r'(<section id="(?!you")[^>]*>).*?(</section>)', r"\1\2", bill.page, flags=re.DOTALL)
    page = re.sub(r'<link rel="(icon|stylesheet)"[^>]*>', "", page)
    return sum(len(gzip.compress(part, 9)) for part in (page.encode(), *bill.scripts))


def _visit(house: House, url: str, sit: str | None = None) -> Bill:
    bill = Bill()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
        page = context.new_page()
        bill.listen(context.new_cdp_session(page))
        page.on("response", lambda reply: bill.scripts.append(reply.body()) if ".js" in reply.url else None)
        reply = page.goto(url)
        bill.page = reply.text()
        if sit is not None:
            page.locator("input[name=name]").fill(sit)
            page.locator("form button").first.click()
        page.locator("#screen").wait_for()
        page.wait_for_timeout(1_500)
        bill.add_icon(page, house.url)
        browser.close()
    return bill
