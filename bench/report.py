"""The report: every figure beside its goal, and whether it was met."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

WIDTH = 58


class Report:
    """Prints figures as they come and counts the goals that were missed."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def title(self, words: str) -> None:
        print(f"\n{words}", flush=True)

    def figure(self, what: str, value: str, goal: str = "", met: bool | None = None) -> None:
        """One line; without a goal it is there to be read beside the others."""
        verdict = "" if met is None else "ok" if met else "missed"
        print(f"  {what:<{WIDTH}} {value:>22}   {goal:<16} {verdict}".rstrip(), flush=True)
        if met is False:
            self.missed.append(what.strip())

    def note(self, words: str) -> None:
        print(f"  ({words})", flush=True)

    def close(self) -> None:
        self.title("All goals are met." if not self.missed else "Missed: " + "; ".join(self.missed) + ".")


def percentile(times: Sequence[float], percent: int) -> float:
    return quantiles(times, n=100, method="inclusive")[percent - 1]


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def both(times: Sequence[float]) -> str:
    """Median and p99 in one breath."""
    return f"{ms(median(times))} / {ms(percentile(times, 99))}"


def sync(path: Path, times: int) -> list[float]:
    """How long this disk takes to make one page of 4 KB durable."""
    took = []
    with path.open("ab", buffering=0) as file:
        for _ in range(times):
            file.write(bytes(4096))
            began = time.perf_counter()
            os.fsync(file.fileno())
            took.append(time.perf_counter() - began)
    return took
