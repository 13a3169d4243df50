"""make bench-peers: the same secret vote at our tables, at boardgame.io's, at Colyseus', and at a bare echo.

    python bench/beside.py [--rounds 3] [--only ours,boardgame.io] [--quick]

A table is eight players and a screen that only looks. Eight put a word into the box, one tap opens it, and
so on without end; each tap is on the disk before anybody is told, and it counts when all nine screens
show it. All servers are open at once and have their turns, a few seconds each; of several rounds, the
medians are compared. A whole run writes bench/RESULTS.md; `--only` and `--quick` just print.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))

from awake import awake
from hosts import HOSTS, Echo, Host, Ours, Peer, bundle, keep_to_ourselves
from load import Load, Played, by_chance, evenly
from report import percentile, sync
from results import Results
from turns import Gaps, Sitting, beginning_with, in_turn

KB = 1024
TABLES = 100
EVERY = 5.0
"""At light load each of the hundred tables taps once in so many seconds."""


@dataclass(frozen=True)
class Size:
    """How long everything takes, and how many screens are opened."""

    turns: int = 6
    """How often each server has its turn at light load, first with one table and then with all."""
    seconds: float = 4.0
    """A turn."""
    steps: int = 8
    """How many paces are tried to find the highest."""
    screens: tuple[int, ...] = (1_000, 5_000)


QUICK = Size(turns=2, seconds=2.0, steps=6, screens=(1_000,))


class Run:
    """One run: every figure of every server, round by round."""

    def __init__(self, folder: Path, size: Size, results: Results) -> None:
        self.folder = folder
        self.size = size
        self.results = results

    def play(self, hosts: list[Host]) -> None:
        """The pace of a tap, first at one table, then at a hundred, and then as fast as it goes."""
        sittings: list[Sitting] = []
        try:
            for host in hosts:
                sittings.append(Sitting(host, TABLES))
                self.results.add(host.name, "cold start, s", sittings[-1].cold_start)
            self._calm(sittings, "1 table", 1, partial(evenly, 25))
            each = f"{TABLES} tables, a tap every {EVERY:.0f} s each"
            self._calm(sittings, each, TABLES, partial(by_chance, TABLES / EVERY))
            self._ramp(sittings)
        finally:
            for sitting in sittings:
                sitting.close()

    def _calm(self, sittings: list[Sitting], where: str, tables: int, gaps: Gaps) -> None:
        all_played = {sitting: Played() for sitting in sittings}
        for sitting in sittings:
            sitting.sit(tables)
        for sitting in in_turn(sittings, self.size.turns):
            all_played[sitting] += sitting.calm(gaps, self.size.seconds)
        for sitting, played in all_played.items():
            self._pace(sitting.host, where, played)

    def _pace(self, host: Host, where: str, played: Played) -> None:
        add = partial(self.results.add, host.name)
        add(f"tap to nine screens, {where}: p50, ms", median(played.times) * 1e3)
        add(f"tap to nine screens, {where}: p99, ms", percentile(played.times, 99) * 1e3)
        add(f"votes alone, {where}: p99, ms", percentile(played.votes, 99) * 1e3)
        if isinstance(host, Ours):
            add(f"and to the tapper's answer, {where}: p99, ms", percentile(played.answers, 99) * 1e3)
        self.results.count(host.name, len(played.times), played.lost)

    def _ramp(self, sittings: list[Sitting]) -> None:
        searching = list(sittings)
        while searching:
            for sitting in searching:
                played = sitting.step(by_chance, self.size.seconds, self.size.steps)
                self.results.count(sitting.host.name, len(played.times), played.lost)
                pace, verdict = played.asked / played.seconds, "" if played.sustained else " too much"
                print(f"    {sitting.host.name:<17}{pace:7,.0f}/s: p99 {played.p99 * 1e3:6.1f} ms{verdict}", flush=True)
            searching = [sitting for sitting in searching if not sitting.search.over]
        for sitting in sittings:
            add, pace = partial(self.results.add, sitting.host.name), sitting.search.held
            add(f"sustained taps/s, {TABLES} tables, p99 < 250 ms", pace)
            add("under load: the server's work for a tap, ms", sitting.work / sitting.taps * 1e3)
            if pace:
                server, load = sitting.at_pace[pace]
                add("under load: the server's core at that pace, %", server * 100)
                add("under load: the load's core at that pace, %", load * 100)

    def memory(self, host: Host) -> None:
        """What an open screen costs, its share of its table included, after everybody has seen a tap."""
        if isinstance(host, Echo):
            return
        host.hands = 1
        host.lay(self.size.screens[-1] // 9 + 3)
        self.results.add(host.name, "cold start, s", host.start())
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
                connections(host)  # what drawing their pages needs in passing is there before it counts
                each = connections(host)
                self.results.add(host.name, "memory of a phone's connection for taps, KB", each / KB)
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


def connections(host: Ours, many: int = 300) -> float:
    """Bytes for each of so many phones that have their page and keep the connection."""
    before, wires = host.memory(), [host.visit() for _ in range(many)]
    each = (host.memory() - before) / many
    for wire in wires:
        wire.close()
    return each


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
            kinds = beginning_with(n, [*chosen.values()])
            print(f"round {n + 1} of {rounds}: play", flush=True)
            run.play([host(run.folder) for host in kinds])
            for host in kinds:
                print(f"round {n + 1} of {rounds}: memory of {host.name}", flush=True)
                run.memory(host(run.folder))
            results.disk += sync(run.folder / "disk", 50)
    results.minutes = (time.perf_counter() - began) / 60
    print("\n" + results.words())
    if not asked.only and not asked.quick:
        results.write(Path(__file__).parent / "RESULTS.md")


if __name__ == "__main__":
    main()
