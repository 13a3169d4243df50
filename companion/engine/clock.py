"""Time for alarms and for the history."""

from __future__ import annotations

import time

# Where there is such a clock, it also counts the time a closed laptop sleeps.
_KIND = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def _running() -> float:
    return time.monotonic() if _KIND is None else time.clock_gettime(_KIND)


class SteadyClock:
    """The time of day when this process began, and however long it has been running since.

    A machine's own clock may jump while people play: it is corrected over the network, or by hand. A pause of
    five seconds is to take five seconds all the same, not an hour and five.
    """

    def __init__(self) -> None:
        self._began = time.time() - _running()

    def __call__(self) -> float:
        return self._began + _running()
