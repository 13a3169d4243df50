"""How a tap's time and cost grow with what lies around it: other tables, and its own past."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from crowd import Crowd, Move, Table
from hosts import keep_to_ourselves, on_core
from houses import Laid
from report import Report, ms

FLAT = 1.2
BATCH = 10


class Side:
    """One of two sizes that are measured in turn, so that a noisy machine is noisy to both."""

    def __init__(self, house: Laid) -> None:
        self.house = house
        self.times: list[float] = []
        self.costs: list[float] = []

    def play(self, crowd: Crowd, taps: int = BATCH) -> None:
        before = self.house.cpu()
        self.times += crowd.one_by_one(taps)
        self.costs.append((self.house.cpu() - before) / taps)


def compare(report: Report, what: str, small: Side, large: Side) -> None:
    """The ratio of the medians, batch by batch, is what counts."""
    n = len(small.times) // len(small.costs)
    pairs = list(zip(_batches(small.times, n), _batches(large.times, n), strict=True))
    _say(report, f"{what}: time of a tap", median(small.times), median(large.times), median(b / a for a, b in pairs))
    costs = zip(small.costs, large.costs, strict=True)
    _say(
        report,
        f"{what}: the server's work for it",
        median(small.costs),
        median(large.costs),
        median(b / a for a, b in costs),
    )


def _batches(times: list[float], n: int) -> list[float]:
    return [median(times[i : i + n]) for i in range(0, len(times), n)]


def _say(report: Report, what: str, small: float, large: float, ratio: float) -> None:
    report.figure(what, f"{ms(small)} -> {ms(large)}", f"{ratio:.2f}x, <= {FLAT}x", ratio <= FLAT)


def by_tables(report: Report, folder: Path, move: Move, tables: int, rounds: int) -> None:
    """One table alone in its house, and a house full of tables that are tapped in turn; all screens are open."""
    alone, full = Laid(folder), Laid(folder)
    one, many = alone.lay("secret_ballot", 1), full.lay("secret_ballot", tables)
    with on_core(keep_to_ourselves()):
        alone.start()
        full.start()
    try:
        empty = full.memory()
        crowds = [
            Crowd([Table(house.port, doors, move) for doors in laid]) for house, laid in ((alone, one), (full, many))
        ]
        crowds[0].one_by_one(50)
        crowds[1].all_at_once(0)  # everybody has tapped before, here and there
        small, large = Side(alone), Side(full)
        for _ in range(rounds):
            small.play(crowds[0])
            large.play(crowds[1])
        compare(report, f"1 -> {tables:,} tables x 9 screens", small, large)
        screens = tables * 9
        report.figure(f"memory per screen at {screens:,} screens", f"{(full.memory() - empty) / screens / 1024:.1f} KB")
        for crowd in crowds:
            crowd.close()
    finally:
        alone.kill()
        full.kill()


def by_versions(
    report: Report, folder: Path, game: str, move: Move, few: int, many: int, rounds: int, **setup: object
) -> None:
    """A table with a long past, and a fresh one for every batch, since each tap is a version."""
    house = Laid(folder)
    fresh, old = house.lay(game, rounds, few, **setup), house.lay(game, 1, many, **setup)
    with on_core(keep_to_ourselves()):
        house.start()
    try:
        small, large = Side(house), Side(house)
        long_past = Crowd([Table(house.port, old[0], move)])
        long_past.one_by_one(BATCH)
        for doors in fresh:
            crowd = Crowd([Table(house.port, doors, move)])
            crowd.one_by_one(2)
            small.play(crowd)
            large.play(long_past)
            crowd.close()
        long_past.close()
        compare(report, f"{game.replace('_', ' ')}, {few} -> {many:,} versions", small, large)
    finally:
        house.kill()
