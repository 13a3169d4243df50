"""Keeps the server's core awake: a loop of the lowest priority, which gives way to everybody else at once.

A core that has nothing to do for some milliseconds falls asleep, and on a rented machine it takes a millisecond or
more, sometimes fifty, to wake it: at light load that would be most of what is measured, whoever serves. The load's
core is left alone: a rented machine that is busy on all of its cores is stopped, for 100 ms at a time.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

SPIN = """
import os
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
os.sched_setaffinity(0, {%d})
while os.getppid() == %d:
    for _ in range(1_000_000):
        pass
"""


@contextlib.contextmanager
def awake() -> Iterator[None]:
    """Until the end of this block, where the system knows such a priority."""
    if not hasattr(os, "SCHED_IDLE"):
        yield
        return
    loop = subprocess.Popen([sys.executable, "-c", SPIN % (max(os.sched_getaffinity(0)), os.getpid())])
    try:
        yield
    finally:
        loop.kill()
        loop.wait()
