"""What was measured beside the peers, as a page that can be read a year later."""

from __future__ import annotations

import datetime
import os
import platform
import re
import sqlite3
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

from hosts import PEERS, Boardgame, Colyseus, Echo, Ours, node, scratch
from report import ms

OTHERS = (Boardgame.name, Colyseus.name, Echo.name)
MORE_IS_BETTER = "taps/s"
ABOUT = PEERS / "ABOUT.md"
QUIET = 0.7
BUSY = (
    "**The machine was busy with other work when this was measured: nothing here is to be quoted. "
    "Run it again when all is quiet.**"
)


class Results:
    """Every figure of every server, round by round; what counts is its median."""

    def __init__(self, rounds: int, load_before: float) -> None:
        self.rounds = rounds
        self.load_before = load_before
        self.minutes = 0.0
        self.disk: list[float] = []
        self._figures: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        self._taps: dict[str, list[int]] = defaultdict(lambda: [0, 0])

    def add(self, host: str, what: str, value: float) -> None:
        print(f"  {what:<62} {figure(value):>10}", flush=True)
        self._figures[what][host].append(value)

    def count(self, host: str, seen: int, lost: int) -> None:
        """So many taps were seen on all nine screens, and so many were not."""
        self._taps[host][0] += seen
        self._taps[host][1] += lost

    @property
    def hosts(self) -> list[str]:
        return [name for name in (Ours.name, *OTHERS) if name in self._taps]

    def table(self) -> list[str]:
        """Medians, and ours as a multiple of each of the others."""
        others = [name for name in self.hosts if name != Ours.name and Ours.name in self.hosts]
        rows = [["", *self.hosts, *(f"ours ÷ {name}" for name in others)]]
        for what in sorted(self._figures, key=lambda what: ORDER.index(what.split(",")[0].split(":")[0])):
            values = {host: median(found) for host, found in self._figures[what].items()}
            row = [what + (" (more is better)" if MORE_IS_BETTER in what else "")]
            row += [figure(values[host]) if host in values else "-" for host in self.hosts]
            row += [ratio(values, name) if " core" not in what else "" for name in others]
            rows.append(row)
        rows.append(["taps seen on all nine screens", *(f"{self._taps[name][0]:,}" for name in self.hosts)])
        rows.append(["taps lost", *(f"{self._taps[name][1]:,}" for name in self.hosts)])
        width = len(rows[0])
        lines = ["| " + " | ".join((row + [""] * width)[:width]) + " |" for row in rows]
        return [lines[0], "|---|" + "---:|" * (width - 1), *lines[1:]]

    def in_short(self) -> str:
        """A sentence for each figure that people ask for; both peers' figures follow ours."""
        said = []
        for what, sentence in IN_SHORT.items():
            values = [self._figures.get(what, {}).get(name) for name in (Ours.name, Boardgame.name, Colyseus.name)]
            if all(values):
                ours, board, colyseus = (figure(median(found)) for found in values)
                said.append(f"{sentence.format(ours)} ({board}, {colyseus})")
        return f"Beside boardgame.io and Colyseus (their figures in brackets): {'; '.join(said)}."

    def words(self) -> str:
        """All of it, as it goes to the terminal."""
        disk = f"One page made durable on this disk: {ms(median(self.disk))} (median)."
        return "\n".join([*self.table(), "", f"{machine()} {disk} {self.minutes:.1f} minutes."])

    def write(self, path: Path) -> None:
        each = [
            f"| {what} | {host} | {', '.join(figure(value) for value in values)} |"
            for what, found in self._figures.items()
            for host, values in found.items()
            if len(values) > 1
        ]
        parts = [
            "# Beside the peers",
            f"{datetime.date.today():%d %B %Y}, `make bench-peers`, {self.rounds} rounds, {self.minutes:.0f} minutes. "
            f"{machine()} Load {self.load_before:.1f} before it began. "
            f"One page of 4 KB made durable on this disk (fsync): {ms(median(self.disk))} (median).",
            *([BUSY] if self.load_before > QUIET else []),
            "Medians of all rounds; less is better, except for taps per second.",
            "\n".join(self.table()),
            self.in_short(),
            ABOUT.read_text().strip(),
            "## Every round",
            "\n".join(["| | | |", "|---|---|---|", *each]),
        ]
        path.write_text("\n\n".join(parts) + "\n")


ORDER = (
    "tap to nine screens", "and to the tapper's answer", "votes alone", "sustained taps/s", "under load",
    "memory per open screen at 1", "memory per open screen at 5", "memory of a phone's connection for taps",
    "cold start", "first visit",
)  # fmt: skip

IN_SHORT = {
    "tap to nine screens, 100 tables, a tap every 5 s each: p50, ms": "a tap is on nine screens after {} ms",
    "tap to nine screens, 100 tables, a tap every 5 s each: p99, ms": "99 of 100 are after {} ms",
    "sustained taps/s, 100 tables, p99 < 250 ms": "one core keeps up with {} taps a second",
    "memory per open screen at 5,000, KB": "an open screen costs {} KB of memory",
    "cold start, s": "a start takes {} s",
    "first visit, KB": "a phone's first visit is {} KB",
}


def figure(value: float) -> str:
    """Three digits tell enough."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def ratio(values: dict[str, float], other: str) -> str:
    if Ours.name not in values or not values.get(other):
        return "-"
    return f"{values[Ours.name] / values[other]:.2f}×"


def whose_python() -> str:
    """A system's own Python was built with every optimisation; one that was built on the spot often was not."""
    if Path(sys.base_prefix) != Path("/usr"):
        return "not the system's own"
    return f"{platform.freedesktop_os_release()['NAME']}'s own"


def machine() -> str:
    found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    model = found[1] if found else platform.machine()
    python = f"Python {platform.python_version()} ({whose_python()})"
    words = f"{os.cpu_count()} cores ({model}), {platform.system()}, {python}"
    if node(scratch()).exists():
        said = subprocess.run([node(scratch()), "-p", "`${process.version}, its SQLite ${process.versions.sqlite}`"],
                              capture_output=True, text=True, check=True)  # fmt: skip
        words += f", Node {said.stdout.strip()}"
    return f"{words}; our SQLite {sqlite3.sqlite_version}. The server has one core, the load the other."
