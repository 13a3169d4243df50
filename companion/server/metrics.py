"""Metrics for an operator: how many taps, refusals and open screens there are, and how long things take.

Nothing here knows a table, a seat, a name or a choice.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from companion.web.taps import Metrics

ANSWERS = {
    200: "accepted", 303: "accepted", 400: "unreadable", 403: "bad_link", 404: "bad_link", 413: "too_large",
    422: "not_allowed", 429: "too_often", 503: "not_kept",
}  # fmt: skip
"""What became of a tap, by the status of its reply; everything else is a bug."""
BUCKETS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class PrometheusMetrics(Metrics):
    """The metrics of one process."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._screens = Gauge("companion_open_screens", "Screens with an open stream.", registry=registry)
        taps = Counter("companion_taps", "Taps, by what became of them.", ["answer"], registry=registry)
        self._taps = {answer: taps.labels(answer) for answer in (*ANSWERS.values(), "bug")}
        self._requests = Counter(
            "companion_requests", "Requests, by the status of the reply.", ["status"], registry=registry
        )
        self._limits = Counter(
            "companion_turned_away", "Limits of this installation that somebody has met.", ["limit"], registry=registry
        )
        self._commits = Histogram(
            "companion_commit_seconds", "Time until a tap was durable.", buckets=BUCKETS_S, registry=registry
        )
        self._draws = Histogram(
            "companion_draw_seconds", "Time to draw and send the open screens of a table.", buckets=BUCKETS_S,
            registry=registry,
        )  # fmt: skip

    def tap(self, status: int) -> None:
        self._taps[ANSWERS.get(status, "bug")].inc()

    def request(self, status: int) -> None:
        self._requests.labels(status).inc()

    def limit_reached(self, limit: str) -> None:
        self._limits.labels(limit).inc()

    def observe_commit(self, seconds: float) -> None:
        self._commits.observe(seconds)

    def observe_draw(self, seconds: float) -> None:
        self._draws.observe(seconds)

    def exposition(self, open_screens: int) -> bytes:
        self._screens.set(open_screens)
        return generate_latest(self._registry)
