"""Fair turns: no client can keep the others waiting, however much it asks for."""

from __future__ import annotations

import time
from collections import deque

import gevent
import gevent.event

SHARE_S = 0.25
"""An address that used about this much time in the last second goes behind all others."""
MAX_TURN_WAIT_S = 0.02
"""Nobody waits longer than this for a turn while others are busy, unless there is a queue."""


class Turns:
    """Fair turns between addresses: one that has used more than its share waits until the others are idle."""

    def __init__(self) -> None:
        self._used_s: dict[str, float] = {}
        """By address: how long its requests have taken, halved once a second."""
        self.total_s = 0.0
        """All of them together: what others took while one of them waited is not its own."""
        self._halved_at = time.monotonic()
        self._queues: dict[str, deque[gevent.event.Event]] = {}
        """By address: who waits for a turn. The first address is next, and goes to the end."""

    def add(self, address: str, seconds: float) -> None:
        """Count the time that a request of this address has taken."""
        if (passed := time.monotonic() - self._halved_at) > 1:
            self._halved_at += passed
            self._used_s = {one: used / 2**passed for one, used in self._used_s.items() if used > SHARE_S / 100}
        self.total_s += seconds
        self._used_s[address] = self._used_s.get(address, 0.0) + min(seconds, 1.0)

    def enter(self, address: str, *, impatient: bool) -> gevent.event.Event | None:
        """Queue for a turn, if this address has had its share or pipelines, and return what to wait for."""
        if not impatient and self._used_s.get(address, 0.0) < SHARE_S:
            return None
        if not self._queues:
            gevent.spawn(self._serve)
        turn = gevent.event.Event()
        self._queues.setdefault(address, deque()).append(turn)
        return turn

    def _serve(self) -> None:
        """One turn whenever there is nothing else to do; then everybody else may go first again."""
        while self._queues:
            with gevent.Timeout(MAX_TURN_WAIT_S, False):
                gevent.idle()
            address = next(iter(self._queues))
            queue = self._queues.pop(address)
            while (turn := queue.popleft()).is_set() and queue:
                pass  # its connection was closed meanwhile
            turn.set()
            if queue:
                self._queues[address] = queue
