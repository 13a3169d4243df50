"""The same vote on two slow phones with Companion, boardgame.io and Colyseus, which all draw the same table.

Ann votes with a tap that is measured on her phone and on Ben's, as in paint.py; then the others vote
and the box is opened. The servers take turns, as in all benchmarks here.
"""

from __future__ import annotations

import urllib.request
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from bench.load import TAPS_PER_ROUND, percentile
from bench.paint import Measured
from bench.phones import SLOWER, Phone, all_cores, chromium, tap
from bench.servers import BoardgameIo, Colyseus, Companion, Server, build_peer_pages

FORMS = "#you form"
WARM_UP = 3
TURN = 5
"""Rounds on one server before the next one's turn."""


class Vote:
    """One table with two phones."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.server = server
        self.measured = Measured()
        self._rounds = 0
        if isinstance(server, Colyseus):
            pages = [f"/page/colyseus.html?seat={seat}" for seat in (0, 1)]
        else:
            server.open_table()
            pages = server.load.tables[0].pages
        self.ann, self.ben = Phone(browser), Phone(browser)
        for phone, path in zip((self.ann, self.ben), pages, strict=False):
            phone.opens(f"http://localhost:{server.port}{path}")
            phone.page.wait_for_selector(FORMS)

    def round(self) -> None:
        """Ann votes, then everybody else does, and the box is opened."""
        for phone in (self.ann, self.ben):
            phone.rests()
        at = self.ann.aim(FORMS, 0, {"word": "owl"})
        if at is None:
            raise RuntimeError(f"Ann cannot vote at {self.server.name}.")
        on_anns, on_bens = tap(self.ann, self.ben, at)
        self._rounds += 1
        if self._rounds > WARM_UP:
            self.measured.nodes = self.ann.nodes()
            self.measured.add("vote", on_anns, on_bens)
        self._rest()

    def _rest(self) -> None:
        if isinstance(self.server, Colyseus):
            urllib.request.urlopen(f"http://localhost:{self.server.port}/rest").close()
            return
        table = self.server.load.tables[0]
        table.taps += 1  # Ann's
        self.server.load.one_by_one([table], TAPS_PER_ROUND - 1, self.server.cpu)


def measure(folder: Path, taps: int) -> dict[str, Measured]:
    """Measure this many votes on two phones; return the results by the server's name."""
    build_peer_pages()
    with ExitStack() as stack:
        servers = [stack.enter_context(closing(kind(folder))) for kind in (Companion, BoardgameIo, Colyseus)]
        stack.enter_context(all_cores())
        browser = stack.enter_context(chromium())
        votes = [Vote(browser, server) for server in servers]
        for server in servers:
            server.pause()
        while any(len(vote.measured.own) < taps for vote in votes):
            for vote in votes:
                with vote.server.turn():
                    for _ in range(TURN):
                        vote.round()
    return {vote.server.name: vote.measured for vote in votes}


def table(measured: dict[str, Measured]) -> str:
    """Return a Markdown table: p50 and p95 of every figure, and whether Companion is within its budget."""
    lines = [f"| two phones, CPU {SLOWER} times slower: p50 / p95, ms | {' | '.join(measured)} | budget | |"]
    lines.append(f"|---|{'---:|' * len(measured)}---:|---|")
    for row in zip(*(one.figures() for one in measured.values()), strict=True):
        cells = [f"{median(values):.0f} / {percentile(values, 95):.0f}" for _, values, _ in row]
        what, ours, budget = row[0]
        limit, verdict = "", ""
        if budget:
            limit, verdict = f"<= {budget:g}", "met" if percentile(ours, 95) <= budget else "**missed**"
        lines.append(f"| {what} | {' | '.join(cells)} | {limit} | {verdict} |")
    nodes = " | ".join(str(one.nodes) for one in measured.values())
    return "\n".join([*lines, f"| elements of the page | {nodes} |  |  |"])
