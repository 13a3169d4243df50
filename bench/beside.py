"""make bench-peers: the same secret vote at our tables, at boardgame.io's, at Colyseus', and at a bare echo.

    python bench/beside.py [--rounds 3] [--only ours,boardgame.io] [--quick]

A table is eight players and a screen that only looks. Eight put a word into the box, one tap opens it, and
so on without end; each tap is on the disk before anybody is told, and it counts when all nine screens
show it. The servers are measured in turn, several rounds, and the medians are compared. A whole run
writes bench/RESULTS.md; `--only` and `--quick` just print.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))

from awake import awake
from hosts import HOSTS, Echo, Host, Ours, Peer, bundle, keep_to_ourselves
from load import Load, Played, by_chance, evenly
from report import percentile, sync
from results import Results

KB = 1024
TABLES = 100
EVERY = 5.0
"""At light load each of the hundred tables taps once in so many seconds."""


@dataclass(frozen=True)
class Size:
    """How long everything takes, and how many screens are opened."""

    one: float = 24.0
    hundred: float = 20.0
    step: float = 4.0
    steps: int = 8
    screens: tuple[int, ...] = (1_000, 5_000)


QUICK = Size(one=4.0, hundred=5.0, step=2.0, steps=6, screens=(1_000,))


def highest(sustains: Callable[[float], bool], guess: float, steps: int) -> float:
    """The highest rate that was sustained: up or down from the guess, and then between the two that are known."""
    low, high, rate = 0.0, 0.0, guess
    for _ in range(steps):
        if sustains(rate):
            low = rate
        else:
            high = rate
        if low and high:
            if high / low < 1.04:
                break
            rate = (low + high) / 2
        else:
            rate *= 1.3 if low else 0.75
    return low


class Run:
    """One run: every figure of every server, round by round."""

    def __init__(self, folder: Path, size: Size, results: Results) -> None:
        self.folder = folder
        self.size = size
        self.results = results

    def play(self, host: Host) -> None:
        """The pace of a tap, first at one table, then at a hundred, and then as fast as it goes."""
        host.lay(TABLES)
        self._start(host)
        load = Load()
        try:
            load.seat(host.table(0))
            load.rush(1)
            self._pace(host, "1 table", load.play(evenly(25), self.size.one, light=True))
            for n in range(1, TABLES):
                load.seat(host.table(n))
            guess = load.rush(1.5)  # everybody has tapped before it counts
            calm = load.play(by_chance(TABLES / EVERY), self.size.hundred, light=True)
            self._pace(host, f"{TABLES} tables, a tap every {EVERY:.0f} s each", calm)
            self._ramp(host, load, guess)
        finally:
            load.close()
            host.kill()

    def _start(self, host: Host) -> None:
        self.results.add(host.name, "cold start, s", host.start())

    def _pace(self, host: Host, where: str, played: Played) -> None:
        add = self.results.add
        add(host.name, f"tap to nine screens, {where}: p50, ms", median(played.times) * 1e3)
        add(host.name, f"tap to nine screens, {where}: p99, ms", percentile(played.times, 99) * 1e3)
        add(host.name, f"votes alone, {where}: p99, ms", percentile(played.votes, 99) * 1e3)
        if isinstance(host, Ours):
            add(host.name, f"and to the tapper's answer, {where}: p99, ms", percentile(played.answers, 99) * 1e3)
        self._count(host, played)

    def _count(self, host: Host, played: Played) -> None:
        self.results.count(host.name, len(played.times), played.lost)

    def _ramp(self, host: Host, load: Load, guess: float) -> None:
        held: dict[float, tuple[float, float]] = {}
        work = taps = 0.0

        def sustains(rate: float) -> bool:
            nonlocal work, taps
            before = host.cpu()
            played = load.play(by_chance(rate), self.size.step)
            worked = host.cpu() - before
            work, taps = work + worked, taps + len(played.times)
            self._count(host, played)
            verdict = "" if played.sustained else "  too much"
            print(f"    {rate:8,.0f}/s: p99 {played.p99 * 1e3:6.1f} ms{verdict}", flush=True)
            held[rate] = worked / played.seconds, played.busy
            return played.sustained

        rate = highest(sustains, guess, self.size.steps)
        self.results.add(host.name, f"sustained taps/s, {TABLES} tables, p99 < 250 ms", rate)
        self.results.add(host.name, "under load: the server's work for a tap, ms", work / taps * 1e3)
        if rate:
            server, ours = held[rate]
            self.results.add(host.name, "under load: the server's core at that pace, %", server * 100)
            self.results.add(host.name, "under load: the load's core at that pace, %", ours * 100)

    def memory(self, host: Host) -> None:
        """What an open screen costs, its share of its table included, after everybody has seen a tap."""
        if isinstance(host, Echo):
            return
        host.hands = 1
        host.lay(self.size.screens[-1] // 9 + 3)
        self._start(host)
        load = Load()
        try:
            load.seat(host.table(0))
            load.rush(2)
            before, n = host.memory(), 1
            for screens in self.size.screens:
                while (n - 1) * 9 < screens:
                    load.seat(host.table(n))
                    n += 1
                load.rush(0)
                each = (host.memory() - before) / ((n - 1) * 9)
                self.results.add(host.name, f"memory per open screen at {screens:,}, KB", each / KB)
            if isinstance(host, Ours):
                before, idle = host.memory(), [host.visit() for _ in range(300)]
                each = (host.memory() - before) / len(idle)
                self.results.add(host.name, "memory of a phone's connection for taps, KB", each / KB)
                for wire in idle:
                    wire.close()
        finally:
            load.close()
            host.kill()

    def first_visit(self, kind: str, host: type[Host]) -> None:
        """Bytes until a phone can vote."""
        if issubclass(host, Ours):
            from visit import ballot_visit, bare  # needs a browser, which the other figures do not

            bill = ballot_visit(self.folder)
            size, least = bill.bytes, bare(bill)
        elif issubclass(host, Peer):
            size = least = bundle(kind)
        else:
            return
        self.results.add(host.name, "first visit, KB", size / KB)
        self.results.add(host.name, "first visit, the bare page and its scripts alone, KB", least / KB)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, help="how often everything is measured (3, or 1 if quick)")
    parser.add_argument("--only", default="", help=f"some of {','.join(HOSTS)}")
    parser.add_argument("--quick", action="store_true", help="shorter, and with fewer screens")
    asked = parser.parse_args()
    chosen = {kind: HOSTS[kind] for kind in (asked.only.split(",") if asked.only else HOSTS)}
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    began, load_before = time.perf_counter(), os.getloadavg()[0]
    rounds = asked.rounds or (1 if asked.quick else 3)
    results = Results(rounds, load_before)
    with tempfile.TemporaryDirectory() as folder, awake():
        run = Run(Path(folder), QUICK if asked.quick else Size(), results)
        for kind, host in chosen.items():
            run.first_visit(kind, host)
        keep_to_ourselves()
        for n in range(rounds):
            for part in (run.play, run.memory):
                kinds = list(chosen.values())
                for host in kinds[n % len(kinds) :] + kinds[: n % len(kinds)]:
                    print(f"round {n + 1} of {rounds}, {part.__name__}: {host.name}", flush=True)
                    part(host(run.folder))
            results.disk += sync(run.folder / "disk", 50)
    results.minutes = (time.perf_counter() - began) / 60
    print("\n" + results.words())
    if not asked.only and not asked.quick:
        results.write(Path(__file__).parent / "RESULTS.md")


if __name__ == "__main__":
    main()
