"""Group commit: taps that are ready at the same moment are made durable at once, each confirmed after that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gevent
from gevent.hub import Waiter

from companion.engine.store import Row


class Wish:
    """A version that is to be kept, and whether it was."""

    __slots__ = ("_durable", "alarm", "burn", "granted", "kept", "row", "trouble")

    def __init__(self, row: Row, burn: bool, alarm: float | None, durable: Callable[[], None]) -> None:
        self.row = row
        self.burn = burn
        self.alarm = alarm
        self._durable = durable
        self.kept = False
        self.trouble: Exception | None = None
        """Why it could not be kept; or why nobody could be told that it is."""
        self.granted: Any = None
        """Tells whoever waits while another one writes."""

    def is_durable(self) -> None:
        """Whoever has to know is told; if that breaks, it breaks for this one only."""
        self.kept = True
        try:
            self._durable()
        except Exception as bug:
            self.trouble = bug


def somebody_is_ready() -> bool:
    """Whether others are about to be served: something has come for them, or it is their turn to go on."""
    loop = gevent.get_hub().loop
    return bool(getattr(loop, "pendingcnt", True) or getattr(loop, "_callbacks", True))


class Together:
    """Gathers wishes; whoever comes first writes for all. It needs gevent's loop."""

    def __init__(self, write: Callable[[list[Wish]], None]) -> None:
        self._write = write
        self._wishes: list[Wish] = []

    def keep(self, wish: Wish) -> None:
        self._wishes.append(wish)
        if len(self._wishes) > 1:
            wish.granted = Waiter()
            wish.granted.get()
            return
        if somebody_is_ready():
            gevent.sleep(0)  # until everybody who is has come
        wishes, self._wishes = self._wishes, []
        try:
            self._write(wishes)
        finally:
            for other in wishes[1:]:
                gevent.get_hub().loop.run_callback(other.granted.switch, None)
