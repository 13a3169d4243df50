"""How often one address may try, and how much this installation holds."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable

import msgspec

MINUTE = 60.0
ALLOWED = {"guess": 40, "join": 600, "open": 120}
"""Tries per minute and address: forty tables sit down behind one address. A table's own code, scanned, is no guess."""
ADDRESSES_IN_MIND = 10_000


class TooOften(Exception):
    """This address has tried too often in the last minute."""


class NoRoom(Exception):
    """This installation holds no more of this."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


class Most(msgspec.Struct, frozen=True):
    """How much this installation holds: a club of forty tables behind one address is far from any of it."""

    tables: int = 2_000
    """Opened in the last day. Nobody ends a table before going home, so open ones cannot be counted."""
    screens: int = 10_000
    """With an open stream, in this process."""
    screens_per_address: int = 2_000


class Limits:
    """Counts tries per address over the last minute."""

    def __init__(
        self, tries: int | None = None, clock: Callable[[], float] = time.monotonic, most: Most | None = None
    ) -> None:
        self.most = most or Most()
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

    def room_for_table(self, opened_today: int) -> None:
        if opened_today >= self.most.tables:
            raise NoRoom("tables")

    def room_for_screen(self, everywhere: int, from_this_address: int) -> None:
        if everywhere >= self.most.screens:
            raise NoRoom("screens")
        if from_this_address >= self.most.screens_per_address:
            raise NoRoom("screens_per_address")

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
