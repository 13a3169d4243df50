"""Rate limits per address, and how much this installation holds."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

import msgspec

from companion.engine.nights import DAY_S
from companion.engine.reader import BoundedDict
from companion.live.networks import network_of

WINDOW_S = 60.0
SHARE = 10
"""An address may open at most one in this many of the tables left today, so some are always left."""
ATTEMPTS_PER_WINDOW = {"guess": 40, "join": 600, "open": 120, "claim": 60}
"""Per address: forty tables sit down behind one address. A table's own code, scanned, is no guess."""
TAPS_PER_SECOND = 20
"""Of one seat, as `companion play` has it: faster than any thumb."""
MAX_ADDRESSES = 10_000
TABLE_OPENED = "table"
"""What is counted over a day, not over a minute."""


class TooOften(Exception):
    """This address has tried too often in the last minute."""


class LimitReached(Exception):
    """This installation holds no more of this."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


class LimitSettings(msgspec.Struct, frozen=True):
    """How much this installation holds: a club of forty tables behind one address is far from any of it."""

    attempts: int | None = None
    """Per address and minute, for everything that is rate limited; None: as in `ATTEMPTS_PER_WINDOW`."""
    tables: int = 2_000
    """Opened and joined in the last day, without those that people went on to.

    Nobody ends a table before going home, so open ones cannot be counted.
    """
    screens: int = 10_000
    """With an open stream, in this process."""
    screens_per_address: int = 2_000
    taps_per_second: int | None = None
    """Of one seat; None: no limit."""


class Limits:
    """Counts attempts per address over the last minute, together with other processes that serve the same tables."""

    def __init__(
        self,
        settings: LimitSettings,
        *,
        alias: Callable[[str], str] = str,
        announce: Callable[[str, str], None] = lambda what, alias: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._alias = alias
        """The name of an address in announcements."""
        self._announce = announce
        """Tells the other processes of an attempt: what, and the alias of the address."""
        self._clock = clock
        self._attempts: BoundedDict[tuple[str, str], deque[float]] = BoundedDict(MAX_ADDRESSES)

    def check(self, what: str, address: str | None) -> None:
        """Refuse if the last minute's attempts are used up; counts nothing."""
        allowed = self._settings.attempts
        if len(self._recent(what, self._alias(network_of(address)))) >= (
            ATTEMPTS_PER_WINDOW[what] if allowed is None else allowed
        ):
            raise TooOften

    def count(self, what: str, address: str | None) -> None:
        """One more attempt."""
        self.check(what, address)
        self._count(what, address)

    def _count(self, what: str, address: str | None) -> None:
        alias = self._alias(network_of(address))
        self.count_remote(what, alias)
        self._announce(what, alias)

    def count_remote(self, what: str, alias: str) -> None:
        """One more attempt, ours or announced by another process."""
        self._recent(what, alias).append(self._clock())

    def check_tables(self, joined_today: int, empty: int, address: str | None) -> None:
        """Empty tables take nobody's place, but people may still sit down there: they make the shares smaller."""
        left = self._settings.tables - joined_today
        if left <= 0:
            raise LimitReached("tables")
        if len(self._recent(TABLE_OPENED, self._alias(network_of(address)))) * SHARE >= max(left - empty, 1):
            raise LimitReached("tables_per_address")

    def count_table(self, address: str | None) -> None:
        """This address has opened a table."""
        self._count(TABLE_OPENED, address)

    def check_screens(self, open_screens: int, from_this_address: int) -> None:
        if open_screens >= self._settings.screens:
            raise LimitReached("screens")
        if from_this_address >= self._settings.screens_per_address:
            raise LimitReached("screens_per_address")

    def _recent(self, what: str, alias: str) -> deque[float]:
        attempts = self._attempts[what, alias] = self._attempts.get((what, alias), deque())
        window = DAY_S if what == TABLE_OPENED else WINDOW_S
        while attempts and attempts[0] <= self._clock() - window:
            attempts.popleft()
        return attempts
