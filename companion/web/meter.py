"""What an operator may know: how many taps, refusals and open screens there are, and how long things take.

Nothing here knows a table, a seat, a name or a choice. Counting is adding to a number, so that it
costs next to nothing; the words around the numbers are made when somebody asks for them. Several
processes that serve on one port each have a row of numbers in memory that they share: whoever is
asked adds the rows up.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from time import perf_counter
from typing import Any, ParamSpec, TypeVar

from companion.engine.store import Row, nothing_else

Given = ParamSpec("Given")
Got = TypeVar("Got")

ANSWERS = {
    200: "accepted", 303: "accepted", 400: "unreadable", 403: "bad_link", 404: "bad_link", 413: "too_large",
    422: "not_allowed", 429: "too_often", 503: "not_kept",
}  # fmt: skip
"""What became of a tap, by the status of its reply; everything else is a bug of ours."""
STATUSES = (200, 206, 301, 303, 304, 308, 400, 403, 404, 405, 413, 414, 415, 422, 429, 431, 500, 503)
LIMITS = ("tables", "screens", "screens_per_address", "tries")
BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds."""

ORDER = [
    "screens",
    *(f"tap {answer}" for answer in (*dict.fromkeys(ANSWERS.values()), "bug")),
    *(f"status {status}" for status in (*STATUSES, "other")),
    *(f"limit {limit}" for limit in LIMITS),
    *(f"{what} {bound}" for what in ("commit", "draw") for bound in (*BOUNDS, "+Inf", "sum")),
]
"""Where each number stands in a row."""
PLACE = {name: place for place, name in enumerate(ORDER)}
ROW = 8 * len(ORDER)
"""Bytes."""
TAPS = {status: PLACE[f"tap {answer}"] for status, answer in ANSWERS.items()}
REPLIES = {status: PLACE[f"status {status}"] for status in STATUSES}
FIRST = {what: PLACE[f"{what} {BOUNDS[0]}"] for what in ("commit", "draw")}
TOTAL = {what: PLACE[f"{what} sum"] for what in ("commit", "draw")}
BUG, OTHER = PLACE["tap bug"], PLACE["status other"]


class Meter:
    """Counts for one process, which has its `place` among the rows in `memory`."""

    def __init__(self, memory: Any = None, place: int = 0) -> None:
        numbers = memoryview(bytearray(ROW) if memory is None else memory).cast("d")
        self._rows = [numbers[at : at + len(ORDER)] for at in range(0, len(numbers), len(ORDER))]
        self._row = self._rows[place]
        # Whoever had this place before has counted, and that stays; but its screens went with it.
        self._row[PLACE["screens"]] = 0

    def answered(self, method: str, path: str, status: int) -> None:
        """A request has got its reply."""
        self._row[REPLIES.get(status, OTHER)] += 1
        if method == "POST" and is_tap(path):
            self._row[TAPS.get(status, BUG)] += 1

    def turned_away(self, limit: str) -> float:
        """Somebody has met with a limit; how often that has happened."""
        self._row[PLACE[f"limit {limit}"]] += 1
        return self._row[PLACE[f"limit {limit}"]]

    def screens(self, many: int) -> None:
        """So many screens have an open stream in this process."""
        self._row[PLACE["screens"]] = many

    def draws(self, draw: Callable[Given, Got]) -> Callable[Given, Got]:
        """The same act of drawing, with its time taken."""

        @wraps(draw)
        def timed(*args: Given.args, **kwargs: Given.kwargs) -> Got:
            began = perf_counter()
            try:
                return draw(*args, **kwargs)
            finally:
                self._took("draw", perf_counter() - began)

        return timed

    def commits(self, commit: Callable[..., bool]) -> Callable[..., bool]:
        """The same commit, with the time taken until what it keeps is durable."""

        @wraps(commit)
        def timed(row: Row, *, durable: Callable[[], None] = nothing_else, **more: Any) -> bool:
            began = perf_counter()

            def is_durable() -> None:
                took = perf_counter() - began
                durable()  # first of all, people are told
                self._took("commit", took)

            return commit(row, durable=is_durable, **more)

        return timed

    def _took(self, what: str, seconds: float) -> None:
        self._row[FIRST[what] + bisect_left(BOUNDS, seconds)] += 1
        self._row[TOTAL[what]] += seconds

    # ---------------------------------------------------------------- for whoever asks

    def exposition(self) -> bytes:
        """All numbers, as Prometheus reads them."""
        # Loading this takes longer than everything else at the start, and few installations ask for it.
        from prometheus_client import PROCESS_COLLECTOR, CollectorRegistry, generate_latest

        registry = CollectorRegistry()
        registry.register(self)
        if len(self._rows) == 1:
            registry.register(PROCESS_COLLECTOR)
        return generate_latest(registry)

    def collect(self) -> Iterable[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        yield GaugeMetricFamily("companion_open_screens", "Screens with an open stream.", self._sum("screens"))
        for name, about, label, what in (
            ("companion_taps", "Taps, by what became of them.", "answer", "tap"),
            ("companion_requests", "Requests, by the status of the reply.", "status", "status"),
            ("companion_turned_away", "Limits of this installation that somebody has met with.", "limit", "limit"),
        ):
            family = CounterMetricFamily(name, about, labels=[label])
            for kind, number in self._all(what):
                family.add_metric([kind], number)
            yield family
        for name, about, what in (
            ("companion_commit_seconds", "Time until a tap was durable.", "commit"),
            ("companion_draw_seconds", "Time to draw and send the open screens of a table.", "draw"),
        ):
            yield HistogramMetricFamily(name, about, self._buckets(what), self._sum(f"{what} sum"))

    def _sum(self, name: str) -> float:
        return sum(row[PLACE[name]] for row in self._rows)

    def _all(self, what: str) -> Iterator[tuple[str, float]]:
        for name in ORDER:
            kind, _, which = name.partition(" ")
            if kind == what:
                yield which, self._sum(name)

    def _buckets(self, what: str) -> list[tuple[str, float]]:
        """As Prometheus wants them: each bucket with all the quicker ones."""
        found, so_far = [], 0.0
        for bound, number in self._all(what):
            if bound != "sum":
                so_far += number
                found.append((bound, so_far))
        return found


def is_tap(path: str) -> bool:
    """`/s/…`, `/x/…` or, on a shared screen that was handed on, `/x/…/seat/3`."""
    door, slash, rest = path[1:].partition("/")
    return bool(slash) and door in ("s", "x") and ("/" not in rest or rest.partition("/")[2].startswith("seat/"))
