"""Opens the browser of the person who started the companion, if somebody sits at this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

HAVE_A_DISPLAY = ("win32", "darwin", "cygwin")
"""Systems on which everybody who has a terminal has a desktop, too."""
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
REMOTE = ("SSH_CONNECTION", "SSH_TTY")


def somebody_sits_here(environment: Mapping[str, str], *, on_a_terminal: bool, system: str = sys.platform) -> bool:
    """Whether a window that opens now would be seen.

    A service has no terminal. systemd's INVOCATION_ID does not count alone: terminals of a desktop inherit it, too.
    """
    if not on_a_terminal or any(environment.get(name) for name in REMOTE):
        return False
    return system in HAVE_A_DISPLAY or any(environment.get(name) for name in DISPLAYS)


def open_page(url: str) -> bool:
    """Open this page if somebody sits here; say whether it was tried.

    Another process does it: some browsers return only when they are closed, and all screens would wait for them.
    It imports nothing from the folder that we were started in, which may be one of downloads.
    """
    if not somebody_sits_here(os.environ, on_a_terminal=sys.stdout is not None and sys.stdout.isatty()):
        return False
    quiet = subprocess.DEVNULL
    try:
        subprocess.Popen(  # noqa: S603  Python's own module; `url` is our own address
            [sys.executable, "-I", "-m", "webbrowser", "-t", url],
            stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True,
        )  # fmt: skip
    except OSError:
        return False
    return True
