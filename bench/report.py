"""Print figures with their budgets."""

from __future__ import annotations

import os
import platform
import time
from statistics import median

from bench.load import Sample


class Report:
    """Prints each figure with its budget, and remembers which budgets were missed."""

    def __init__(self) -> None:
        self.missed: list[str] = []
        self._start, load = time.perf_counter(), os.getloadavg()[0]
        print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load average {load:.1f} at the start")
        print(f"\n{'':<58}{'measured':>12}  budget")

    def add(self, what: str, value: float, unit: str, budget: float | None = None, detail: str = "") -> None:
        """Print one figure; a budget is the highest value that is allowed."""
        allowed, verdict = "", ""
        if budget is not None:
            allowed, verdict = f"<= {budget:g} {unit}", "met" if value <= budget else "MISSED"
        if verdict == "MISSED":
            self.missed.append(what)
        print(f"{what:<58}{f'{value:,.2f} {unit}':>12}  {allowed:<12}{verdict:<8}{detail}".rstrip(), flush=True)

    def compare(
        self, what: str, kind: str, base: list[Sample], other: list[Sample], budget: float | None = None
    ) -> None:
        """Print how many times the median of one field of the samples is larger than that of the base."""
        small, large = median_ms(base, kind), median_ms(other, kind)
        self.add(f"{what}: {LABELS[kind]}", large / small, "x", budget, f"{small:.2f} -> {large:.2f} ms")

    def end(self) -> None:
        """Print which budgets were missed."""
        print(f"\n{'Missed: ' + '; '.join(self.missed) if self.missed else 'All budgets are met'}.")
        print(f"{time.perf_counter() - self._start:.0f} s, load average {os.getloadavg()[0]:.1f} at the end.")


LABELS = {"cpu": "server CPU", "shown": "time to nine screens", "answered": "time to the answer"}


def median_ms(samples: list[Sample], kind: str) -> float:
    return median(getattr(sample, kind) for sample in samples) * 1_000
