"""The time at every table."""

from __future__ import annotations

import time

# Where there is such a clock, it also counts the time a closed laptop sleeps.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


class SteadyClock:
    """The time of day when this process began, plus how long it has been running: it does not jump.

    A machine's own clock is corrected while people play, by the network or by hand. A pause of five seconds has to
    take five seconds all the same.
    """

    def __init__(self) -> None:
        self._began = time.time() - self._running()

    def __call__(self) -> float:
        return self._began + self._running()

    def _running(self) -> float:
        return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)
