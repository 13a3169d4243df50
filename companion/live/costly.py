"""Pages that take long to make: one of a kind at a time, with pauses for others, and kept while they are true."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from typing import TypeVar

import gevent
from gevent.lock import BoundedSemaphore

T = TypeVar("T")
MAX_KEPT_BYTES = 16 << 20


def breathe() -> None:
    """Pauses long computations, so that other requests are served in between."""
    gevent.sleep(0)


class CostlyPages:
    """A kept page is wrong only if it depends on something that is not in its key; a burn or a deletion drops all."""

    def __init__(self, max_bytes: int = MAX_KEPT_BYTES) -> None:
        self._max_bytes = max_bytes
        self._pages: OrderedDict[Hashable, bytes] = OrderedDict()
        self._turns: defaultdict[str, BoundedSemaphore] = defaultdict(BoundedSemaphore)
        self._dropped = 0

    def make(self, kind: str, key: Hashable, make: Callable[[], str]) -> bytes:
        """Return the page with this key from the cache, or make it. It may be made while a caller waits for a turn."""
        if (kept := self._pages.get(key)) is not None:
            return kept
        with self._turns[kind]:
            breathe()
            if (kept := self._pages.get(key)) is not None:
                return kept
            dropped, page = self._dropped, make().encode()
            if dropped == self._dropped:
                self._pages[key] = page
                while sum(map(len, self._pages.values())) > self._max_bytes:
                    self._pages.popitem(last=False)
            return page

    def compute(self, kind: str, work: Callable[..., T], *inputs: object) -> T:
        """Do what cannot pause beside everybody else, in a thread; of each kind, one thing at a time."""
        with self._turns[kind]:
            done: T = gevent.get_hub().threadpool.apply(work, inputs)
            return done

    def drop(self, _: str | None) -> None:
        """Something was burnt or deleted: nothing that was made before stays."""
        self._pages.clear()
        self._dropped += 1
