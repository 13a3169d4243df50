"""Does a number take longer than an F? 2,000 murder ballots of each, over real sockets, in random order.

Prints the times of both, and how often a number was slower than an F: 50% means that nobody with a
stopwatch can tell them apart. The same F ballots, split in two at random, show what chance alone does.

    python bench/ballots.py [how many of each]
"""

from __future__ import annotations

import http.client
import random
import statistics
import sys
import tempfile
import time
from bisect import bisect_left, bisect_right
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "plugin")]

from tabletalk import NAMES, House, Table, everybody_leaves  # noqa: E402 - the path comes first

PLAYERS = 8


class Phone:
    """A seat with one connection that stays open, as a browser's does."""

    def __init__(self, port: int, path: str) -> None:
        self.wire = http.client.HTTPConnection("127.0.0.1", port)
        self.path = path

    def answers(self, choice: str) -> float:
        """Seconds until the whole reply was there."""
        body = urlencode({"tap": "Answer", "choice": choice})
        headers = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        start = time.perf_counter()
        self.wire.request("POST", self.path, body, headers)
        reply = self.wire.getresponse()
        reply.read()
        taken = time.perf_counter() - start
        if reply.status != 200:
            raise SystemExit(f"an answer was refused with {reply.status}")
        return taken


def slower(ones: list[float], others: list[float]) -> float:
    """How often one of `others` is slower than one of `ones`; ties count half."""
    ranked = sorted(ones)
    wins = sum(bisect_left(ranked, t) + bisect_right(ranked, t) for t in others) / 2
    return wins / (len(ones) * len(others))


def line(name: str, times: list[float]) -> str:
    ordered = sorted(times)
    p95, p99 = (ordered[int(len(ordered) * share)] for share in (0.95, 0.99))
    return (
        f"{name:<10} {len(times):>6} {statistics.median(times) * 1e3:>9.3f} "
        f"{statistics.fmean(times) * 1e3:>9.3f} {p95 * 1e3:>9.3f} {p99 * 1e3:>9.3f}"
    )


def play(table: Table, many: int) -> dict[str, list[float]]:
    phones = [Phone(table.house.port, table[name].path) for name in NAMES[:PLAYERS]]
    times: dict[str, list[float]] = {"F": [], "number": []}
    warm_up = -5 * PLAYERS
    kinds = ["F", "number"] * many
    random.shuffle(kinds)
    turn = warm_up
    while turn < len(kinds):
        for place, phone in enumerate(phones):
            kind = kinds[turn] if 0 <= turn < len(kinds) else random.choice(("F", "number"))
            number = random.choice([n for n in range(1, PLAYERS + 1) if n != place + 1])
            taken = phone.answers("F" if kind == "F" else str(number))
            if 0 <= turn < len(kinds):
                times[kind].append(taken)
            turn += 1
        if table.shared.taps("RestartVote").status != 200:
            raise SystemExit("the vote could not be restarted")
    return times


def main() -> None:
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder) / "data", COMPANION_TRIES="1000000").start()
        try:
            table = house.opens("traitors", murders="1", banishments="0", quiet_nights="0")
            for name in NAMES[:PLAYERS]:
                table.sits(name)
            table.starts()
            table.shared.taps("Ready")
            table.shared.taps("DrawEvent", drawer=table["Ann"].seat)
            times = play(table, many)
        finally:
            everybody_leaves()
            house.kill()
    print(f"{'ballot':<10} {'count':>6} {'median':>9} {'mean':>9} {'p95':>9} {'p99':>9}   (milliseconds)")
    for kind, taken in times.items():
        print(line(kind, taken))
    halves = times["F"][:]
    random.shuffle(halves)
    middle = len(halves) // 2
    margin = 1.96 * (1 / (12 * many) * 2) ** 0.5
    print(f"a number was slower than an F in {slower(times['F'], times['number']):.1%} of all pairs")
    print(
        f"an F was slower than an F in     {slower(halves[:middle], halves[middle:]):.1%} of all pairs (chance alone)"
    )
    print(f"50% ± {margin:.1%} cannot be told apart")


if __name__ == "__main__":
    main()
