"""The report: every figure beside its goal, and whether it was met."""

from __future__ import annotations

from collections.abc import Sequence
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
