"""Group commit: taps that are ready at the same moment are made durable at once, each confirmed after that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gevent
from gevent.hub import Waiter

from companion.engine.store import Row, StoreTrouble


class Wish:
    """A version that is to be kept, and whether it was."""

    __slots__ = ("alarm", "burn", "durable", "granted", "kept", "row", "trouble")

    def __init__(self, row: Row, burn: bool, alarm: float | None, durable: Callable[[], None]) -> None:
        self.row = row
        self.burn = burn
        self.alarm = alarm
        self.durable = durable
        self.kept = False
        self.trouble: StoreTrouble | None = None
        self.granted: Any = None
        """Tells whoever waits while another one writes."""


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
