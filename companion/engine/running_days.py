"""The days on which the companion ran: a machine's clock that jumps makes no night older."""

from __future__ import annotations

from companion.engine.snapshot import decode, encode
from companion.engine.store import Store

DAY_S = 24 * 3600.0
MAX_DAYS = 4_000
RUNNING_DAYS = "running_days"


class RunningDays:
    """The dates on which this companion ran, in the order in which they came.

    However far the clock jumps between two starts, that is one more date. A date that comes again is the newest one.
    """

    def __init__(self, store: Store) -> None:
        stored = store.recall(RUNNING_DAYS)
        self._dates = decode(stored, list[int]) if stored else []
        self._store = store

    def note(self, now: float) -> None:
        """The companion runs at this moment."""
        today = date_of(now)
        if self._dates[-1:] != [today]:
            self._dates = [*(date for date in self._dates if date != today), today][-MAX_DAYS:]
            self._store.remember(RUNNING_DAYS, encode(self._dates))

    def since(self, moment: float) -> int:
        """On how many days it ran after the day of this moment."""
        day = date_of(moment)
        if day in self._dates:
            return len(self._dates) - 1 - self._dates.index(day)
        return sum(date > day for date in self._dates)  # played before days were counted


def date_of(moment: float) -> int:
    return int(moment // DAY_S)
