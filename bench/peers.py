"""make bench-peers: the same secret vote on Companion and on boardgame.io, in turns of a few seconds.

Finally on phones, with Colyseus as well (peer_phones.py).
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
import sqlite3
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench import peer_phones
from bench.load import percentile
from bench.servers import PEERS, BoardgameIo, Companion, Server

HERE = Path(__file__).parent
LATENCY_LIMIT_S = 0.25
"""A rate is sustained if 99 of 100 taps reach all nine screens within this time."""
ONE_TABLE_RATE = 25.0
LIGHT_RATE = 20.0
"""Taps per second of 100 tables at light load: each one taps every five seconds."""
QUIET_LOAD_AVERAGE = 0.7


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    rounds: int = 3
    turns: int = 5
    seconds: float = 4.0
    tables: int = 100
    rates: int = 7
    """How many rates are tried in one round to find the highest one that is sustained."""
    phone_taps: int = 40


QUICK = Size(rounds=1, turns=2, seconds=2.0, rates=5, phone_taps=5)
FIGURES = {
    "1: p50": ("tap to nine screens, 1 table: p50, ms", "<=", 1.2),
    "1: p99": ("tap to nine screens, 1 table: p99, ms", "<=", 1.0),
    "100: p50": ("tap to nine screens, 100 tables at light load: p50, ms", "<=", 1.2),
    "100: p99": ("tap to nine screens, 100 tables at light load: p99, ms", "<=", 1.0),
    "sustained": ("sustained taps/s on one core, 100 tables, p99 < 250 ms (goal: 1.2x)", ">=", 1.0),
    "cpu": ("server CPU per tap under load, ms", "", 0.0),
}
"""What each figure is, and the budget for Companion's value divided by boardgame.io's."""


class RateSearch:
    """Finds the highest sustained rate: up or down from a first guess, then by bisection."""

    CLOSE_ENOUGH = 1.04

    def __init__(self, guess: float, rates: int) -> None:
        self.rate = guess
        """The rate to try next."""
        self.sustained = 0.0
        self._too_high = 0.0
        self._rates_left = rates
        self._failed_once = False

    @property
    def over(self) -> bool:
        return not self._rates_left or 0 < self._too_high < self.sustained * self.CLOSE_ENOUGH

    def tried(self, sustained: bool) -> None:
        """Record whether the rate was sustained; try a failed one once more, since the machine may have stalled."""
        self._failed_once = not sustained and not self._failed_once
        if self._failed_once:
            return
        self._rates_left -= 1
        if sustained:
            self.sustained = self.rate
        else:
            self._too_high = self.rate
        if self.sustained and self._too_high:
            self.rate = (self.sustained + self._too_high) / 2
        else:
            self.rate *= 1.3 if self.sustained else 0.75


class Results:
    """The figures of both servers, one value per round; medians are compared."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], list[float]] = defaultdict(list)

    def add(self, figure: str, server: Server, value: float) -> None:
        self.values[figure, server.name].append(value)
        print(f"  {server.name:<14}{FIGURES[figure][0]:<72}{number(value):>8}", flush=True)

    def table(self) -> str:
        """Return a Markdown table: medians, all rounds in brackets, the ratio, and whether it is within its budget."""
        lines = ["| | Companion | boardgame.io | ratio | budget | |", "|---|---:|---:|---:|---:|---|"]
        for figure, (what, sign, budget) in FIGURES.items():
            both = [self.values[figure, kind.name] for kind in (Companion, BoardgameIo)]
            ours, theirs = map(median, both)
            ratio = ours / theirs if theirs else float("nan")
            cells = [f"{number(median(rounds))} ({', '.join(map(number, rounds))})" for rounds in both]
            verdict = ""
            if sign:
                verdict = "met" if (ratio <= budget if sign == "<=" else ratio >= budget) else "**missed**"
            limit = f"{sign} {budget:.1f}x" if sign else ""
            lines.append(f"| {what} | {' | '.join(cells)} | {ratio:.2f}x | {limit} | {verdict} |")
        return "\n".join(lines)


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def one_round(results: Results, folder: Path, size: Size) -> None:
    """Start both servers and measure them in turns: one table, 100 tables at light load, and the sustained rate."""
    servers: list[Server] = []
    try:
        for kind in (Companion, BoardgameIo):
            servers.append(kind(folder))
            servers[-1].pause()
        light_load(results, servers, size, "1", 1, ONE_TABLE_RATE)
        light_load(results, servers, size, "100", size.tables, LIGHT_RATE)
        sustained_rate(results, servers, size)
    finally:
        for server in servers:
            server.close()


def light_load(results: Results, servers: list[Server], size: Size, name: str, tables: int, rate: float) -> None:
    """Measure latency at a rate where taps seldom overlap."""
    latencies: dict[Server, list[float]] = {server: [] for server in servers}
    for server in servers:
        with server.turn():
            while len(server.load.tables) < tables:
                server.open_table()
    for turn in range(size.turns):
        for server in servers[:: -1 if turn % 2 else 1]:  # they take turns in going first
            with server.turn():
                server.load.saturate(0.3)  # warm-up
                latencies[server] += server.load.play(rate, size.seconds, spin=True)
    for server, found in latencies.items():
        results.add(f"{name}: p50", server, median(found) * 1_000)
        results.add(f"{name}: p99", server, percentile(found, 99) * 1_000)


def sustained_rate(results: Results, servers: list[Server], size: Size) -> None:
    """Find the highest sustained rate of each server; a paused one uses no CPU, so its clock counts only its turns."""
    before = {server: (server.cpu(), server.load.count()) for server in servers}
    searches: dict[Server, RateSearch] = {}
    while searching := [server for server in servers if server not in searches or not searches[server].over]:
        for server in searching:
            with server.turn():
                guess = server.load.saturate(0.5)  # warm-up
                search = searches.setdefault(server, RateSearch(guess, size.rates))
                start, own_cpu = time.perf_counter(), time.process_time()
                p99 = percentile(server.load.play(search.rate, size.seconds), 99)
                share = (time.process_time() - own_cpu) / (time.perf_counter() - start)
            rate = f"{search.rate:,.0f} taps/s: p99 {p99 * 1_000:.1f} ms"
            print(f"    {server.name:<14}{rate:<36} load generator: {share:.0%} of its core", flush=True)
            search.tried(p99 < LATENCY_LIMIT_S)
    for server, (cpu, count) in before.items():
        results.add("sustained", server, searches[server].sustained)
        results.add("cpu", server, (server.cpu() - cpu) / (server.load.count() - count) * 1_000)


def machine() -> str:
    """Return two sentences about the machine and the versions."""
    cpu = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    peer = json.loads((PEERS / "package.json").read_text())["dependencies"]
    whose = "the system's own" if sys.base_prefix == "/usr" else "not the system's own"
    return (
        f"{os.cpu_count()} cores ({cpu[1] if cpu else platform.machine()}), {platform.system()}. "
        f"Companion on Python {platform.python_version()} ({whose}) with SQLite {sqlite3.sqlite_version}; "
        f"boardgame.io {peer['boardgame.io']} and Colyseus {peer['@colyseus/core']} on Node {peer['node']}, "
        f"both with React {peer['react']} on the phone."
    )


def main(folder: Path, *, quick: bool = False) -> None:
    """Measure all rounds and print the results; a run that is not quick writes bench/RESULTS.md."""
    start, load_before = time.perf_counter(), os.getloadavg()[0]
    size, results = QUICK if quick else Size(), Results()
    for round_number in range(size.rounds):
        print(f"round {round_number + 1} of {size.rounds}", flush=True)
        one_round(results, folder, size)
    tables = f"{results.table()}\n\n{peer_phones.table(peer_phones.measure(folder, size.phone_taps))}"
    about = (
        f"{machine()} {(time.perf_counter() - start) / 60:.0f} minutes, load average {load_before:.1f} at the start."
    )
    if load_before > QUIET_LOAD_AVERAGE:
        about += " **The machine was busy with other work: do not quote these figures.**"
    print(f"\n{tables}\n\n{about}")
    if not quick:
        title = f"# Companion beside boardgame.io\n\n{datetime.date.today():%d %B %Y}, `make bench-peers`."
        page = f"{title} {about}\n\n{tables}\n\n{(HERE / 'METHOD.md').read_text()}"
        (HERE / "RESULTS.md").write_text(page)
