"""How often one address may try: guessing codes, joining, opening tables."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable

MINUTE = 60.0
ALLOWED = {"guess": 20, "join": 60, "open": 60}
"""Tries per minute and address; a table's own QR code is no guess."""
ADDRESSES_IN_MIND = 10_000


class TooOften(Exception):
    """This address has tried too often in the last minute."""


class Limits:
    """Counts tries per address over the last minute."""

    def __init__(self, tries: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._allowed = {what: tries if tries is not None else usual for what, usual in ALLOWED.items()}
        self._clock = clock
        self._tries: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()
        self.tell: Callable[[str, str], None] = lambda what, alias: None
        """Tells other processes that serve the same tables: all of them count together."""
        self.alias: Callable[[str], str] = str
        """The name by which they are told of an address."""

    def check(self, what: str, address: str | None) -> None:
        """Refuse if the last minute's tries are used up; counts nothing."""
        tries = self._recent(what, address)
        if len(tries) >= self._allowed[what]:
            raise TooOften

    def count(self, what: str, address: str | None) -> None:
        """One more try."""
        self.check(what, address)
        self._recent(what, address).append(self._clock())
        self.tell(what, self.alias(address or ""))

    def hear(self, what: str, alias: str) -> None:
        """One more try, counted by another process."""
        self._tries_of((what, alias)).append(self._clock())

    def _recent(self, what: str, address: str | None) -> deque[float]:
        return self._tries_of((what, self.alias(address or "")))

    def _tries_of(self, key: tuple[str, str]) -> deque[float]:
        tries = self._tries.setdefault(key, deque())
        self._tries.move_to_end(key)
        while tries and tries[0] <= self._clock() - MINUTE:
            tries.popleft()
        if len(self._tries) > ADDRESSES_IN_MIND:
            self._tries.popitem(last=False)
        return tries
