"""Rate limits per address, and how much this installation holds."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

import msgspec

from companion.engine.bounded import BoundedDict

WINDOW_S = 60.0
ATTEMPTS_PER_WINDOW = {"guess": 40, "join": 600, "open": 120}
"""Per address: forty tables sit down behind one address. A table's own code, scanned, is no guess."""
MAX_ADDRESSES = 10_000


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
    """Opened in the last day. Nobody ends a table before going home, so open ones cannot be counted."""
    screens: int = 10_000
    """With an open stream, in this process."""
    screens_per_address: int = 2_000


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
        if len(self._recent(what, self._alias(address or ""))) >= (
            ATTEMPTS_PER_WINDOW[what] if allowed is None else allowed
        ):
            raise TooOften

    def count(self, what: str, address: str | None) -> None:
        """One more attempt."""
        self.check(what, address)
        alias = self._alias(address or "")
        self.count_remote(what, alias)
        self._announce(what, alias)

    def count_remote(self, what: str, alias: str) -> None:
        """One more attempt, ours or announced by another process."""
        self._recent(what, alias).append(self._clock())

    def check_tables(self, opened_today: int) -> None:
        if opened_today >= self._settings.tables:
            raise LimitReached("tables")

    def check_screens(self, open_screens: int, from_this_address: int) -> None:
        if open_screens >= self._settings.screens:
            raise LimitReached("screens")
        if from_this_address >= self._settings.screens_per_address:
            raise LimitReached("screens_per_address")

    def _recent(self, what: str, alias: str) -> deque[float]:
        attempts = self._attempts[what, alias] = self._attempts.get((what, alias), deque())
        while attempts and attempts[0] <= self._clock() - WINDOW_S:
            attempts.popleft()
        return attempts
