"""What an operator may know: how many taps, refusals and open screens there are, and how long things take.

Nothing here knows a table, a seat, a name or a choice. Counting is adding to a number, so that it
costs next to nothing; the words around the numbers are made when somebody asks for them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from functools import wraps
from time import perf_counter
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Got = TypeVar("Got")

ANSWERS = {
    200: "accepted", 303: "accepted", 400: "unreadable", 403: "bad_link", 404: "bad_link", 413: "too_large",
    422: "not_allowed", 429: "too_often", 503: "not_kept",
}  # fmt: skip
"""What became of a tap, by the status of its reply; everything else is a bug of ours."""
BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds."""


class Durations:
    """How long something took, as counts per bound."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def of(self, act: Callable[Given, Got]) -> Callable[Given, Got]:
        """The same act, with its time taken."""

        @wraps(act)
        def timed(*args: Given.args, **kwargs: Given.kwargs) -> Got:
            began = perf_counter()
            try:
                return act(*args, **kwargs)
            finally:
                self.add(perf_counter() - began)

        return timed

    def buckets(self) -> list[tuple[str, float]]:
        """As Prometheus wants them: each bucket with all the quicker ones."""
        found, sum_so_far = [], 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            sum_so_far += count
            found.append((bound, float(sum_so_far)))
        return found


class Meter:
    """Counts for one process."""

    def __init__(self, open_screens: Callable[[], int] = lambda: 0) -> None:
        self.open_screens = open_screens
        self.requests: Counter[int] = Counter()
        self.taps: Counter[str] = Counter()
        self.turned_away: Counter[str] = Counter()
        self.commits = Durations()
        self.drawings = Durations()

    def answered(self, method: str, path: str, status: int) -> None:
        """A request has got its reply."""
        self.requests[status] += 1
        if method == "POST" and is_tap(path):
            self.taps[ANSWERS.get(status, "bug")] += 1

    def exposition(self) -> bytes:
        """All numbers, as Prometheus reads them."""
        # Loading this takes longer than everything else at the start, and few installations ask for it.
        from prometheus_client import PROCESS_COLLECTOR, CollectorRegistry, generate_latest

        registry = CollectorRegistry()
        registry.register(self)
        registry.register(PROCESS_COLLECTOR)
        return generate_latest(registry)

    def collect(self) -> Iterable[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        taps = CounterMetricFamily("companion_taps", "Taps, by what became of them.", labels=["answer"])
        for answer in (*dict.fromkeys(ANSWERS.values()), "bug"):
            taps.add_metric([answer], self.taps[answer])
        yield taps
        requests = CounterMetricFamily("companion_requests", "Requests, by the status of the reply.", labels=["status"])
        for status, count in sorted(self.requests.items()):
            requests.add_metric([str(status)], count)
        yield requests
        away = CounterMetricFamily("companion_turned_away", "Reached limits of this installation.", labels=["limit"])
        for limit, count in sorted(self.turned_away.items()):
            away.add_metric([limit], count)
        yield away
        yield GaugeMetricFamily("companion_open_screens", "Screens with an open stream.", self.open_screens())
        for name, about, durations in (
            ("companion_commit_seconds", "Time until a tap was durable.", self.commits),
            ("companion_draw_seconds", "Time to draw one open screen.", self.drawings),
        ):
            yield HistogramMetricFamily(name, about, durations.buckets(), durations.total)


def is_tap(path: str) -> bool:
    """`/s/…`, `/x/…` or, on a shared screen that was handed on, `/x/…/seat/3`."""
    door, slash, rest = path[1:].partition("/")
    return bool(slash) and door in ("s", "x") and ("/" not in rest or rest.partition("/")[2].startswith("seat/"))
