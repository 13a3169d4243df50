"""The companion opens the browser at the start, if there is a desktop and nobody has switched it off."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from here import python_path

from companion.server.browser import somebody_sits_here
from companion.testing import Person, wait_until

BROWSER = """#!/bin/sh
echo "$@" >> "{told}"
cat "{window}"
"""
"""A browser that doesn't return until its window is closed, as many don't."""
AT_A_DESK = {"DISPLAY": ":7"}


class Desk:
    """Starts the companion with a fake browser that records what it is told to open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told, self.window, self.data = folder / "told", folder / "window", folder / "data"
        os.mkfifo(self.window)
        self.browser = folder / "browser"
        self.browser.write_text(BROWSER.format(told=self.told, window=self.window))
        self.browser.chmod(0o700)
        self.process: subprocess.Popen[bytes] | None = None
        self.terminal = -1

    def starts(self, *arguments: str, terminal: bool = True, **environment: str) -> str:
        """Start the companion; return what it prints until it is ready."""
        usual = {
            name: value for name, value in os.environ.items() if not name.startswith(("SSH_", "DISPLAY", "WAYLAND"))
        }
        self.terminal, theirs = os.openpty() if terminal else os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *arguments, "--port=0", f"--data-dir={self.data}"],
            stdout=theirs, stderr=subprocess.DEVNULL, cwd=self.folder,
            env=usual | {"PYTHONPATH": python_path(), "BROWSER": str(self.browser)} | environment,
        )  # fmt: skip
        os.close(theirs)
        said = b""
        while b"Ctrl-C" not in said:
            said += os.read(self.terminal, 65536)
        return said.decode()

    def opened(self) -> str:
        """Return what the browser was told to open, or nothing if the companion started no other program."""
        if not psutil.Process(self.process.pid).children():
            return ""
        wait_until(lambda: self.told.exists() and bool(self.told.read_text()), "the browser opens")
        return self.told.read_text().strip()

    def ends(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait()

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            os.close(self.terminal)
        if self.told.exists():
            os.close(os.open(self.window, os.O_WRONLY))


@pytest.fixture
def desk(tmp_path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.close()


@pytest.mark.parametrize("command", [(), ("play",)])
def test_the_companion_alone_plays_and_opens_the_browser(desk, command):
    said = desk.starts(*command, **AT_A_DESK)
    address = re.search(r"On this laptop:  (http://localhost:\d+)", said).group(1)
    assert desk.opened() == address
    # Its window is still open, and everybody is served meanwhile.
    assert Person(address).get("/").status_code == 200
    assert desk.ends() == 0
    assert said.count("Ctrl-C") == 1


@pytest.mark.parametrize(
    ("arguments", "environment", "terminal"),
    [
        (["--no-browser"], AT_A_DESK, True),
        ([], AT_A_DESK | {"COMPANION_NO_BROWSER": "1"}, True),
        ([], {}, True),
        ([], AT_A_DESK | {"SSH_CONNECTION": "192.0.2.1 5 192.0.2.2 22"}, True),
        ([], AT_A_DESK | {"INVOCATION_ID": "0f"}, False),
        (["--proxies=1"], AT_A_DESK, True),
    ],
    ids=["option", "environment", "no display", "ssh", "service", "server"],
)
def test_it_opens_nothing(desk, arguments, environment, terminal):
    desk.starts(*arguments, terminal=terminal, **environment)
    assert not desk.opened()


@pytest.mark.parametrize(
    ("system", "environment", "expected"),
    [
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"WAYLAND_DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0", "INVOCATION_ID": "0f"}, True),
        ("win32", {}, True),
        ("darwin", {}, True),
        ("darwin", {"SSH_TTY": "/dev/ttys001"}, False),
    ],
)
def test_on_every_system_it_looks_for_somebody_who_would_see_it(system, environment, expected):
    assert somebody_sits_here(environment, on_a_terminal=True, system=system) is expected
    assert not somebody_sits_here(environment, on_a_terminal=False, system=system)


def test_a_file_in_the_folder_it_was_started_in_is_not_run(desk):
    (desk.folder / "webbrowser.py").write_text(f"open({str(desk.told)!r}, 'w').write('not the browser')")
    desk.starts(**AT_A_DESK)
    assert desk.opened().startswith("http://localhost:")
