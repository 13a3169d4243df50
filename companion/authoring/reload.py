"""companion play --dev: serves, and restarts when a file of the companion or of a game changes.

The tables stay, since they are in the store; open pages reconnect by themselves.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import gevent

from companion.app import HERE, folder
from companion.server import serve, terminal

CHILD = "COMPANION_DEV_PARENT"
"""Set for the process that serves: the process id of its parent."""
LOOK_EVERY_S = 0.3
ALONE = "--dev shows every seat, so it only serves this machine. Leave out --host and --proxies."
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def play(options: argparse.Namespace, arguments: Sequence[str]) -> None:
    """Serve on this machine only, until Ctrl-C."""
    if options.proxies or options.host not in ("0.0.0.0", *LOOPBACK):
        raise SystemExit(ALONE)
    options.host = "127.0.0.1"
    if parent := os.environ.get(CHILD):
        gevent.spawn(serve.repeat, LOOK_EVERY_S, partial(end_with, int(parent)), "the parent could not be watched")
        serve.play(options)
        return
    listener, port = serve.listen(options.host, options.port)
    listener.close()
    command = [sys.executable, "-m", "companion", *arguments, f"--port={port}"]
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell may have started us with SIGINT ignored
        signal.signal(number, signal.default_int_handler)
    child = None
    try:
        while True:
            seen = dict(stamps())
            child = start(command)
            wait_for_change(seen, child)
            child.terminate()
            child.wait()
    except KeyboardInterrupt:
        if child is not None:
            child.send_signal(signal.SIGINT)
            child.wait()


def start(command: list[str]) -> subprocess.Popen[bytes]:
    """Start a process that serves. It writes no .pyc files: they could hide a change within the same second."""
    environment = {**os.environ, CHILD: str(os.getpid()), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(command, env=environment)  # noqa: S603  it is this very command


def end_with(parent: int) -> None:
    """End as after Ctrl-C when the parent process is gone."""
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)


def wait_for_change(seen: dict[Path, int], child: subprocess.Popen[bytes]) -> None:
    """Watch the files until one changes. A child that could not start may start then."""
    told = False
    while True:
        time.sleep(LOOK_EVERY_S)
        now = dict(stamps())
        if changed := {path for path, _ in seen.items() ^ now.items()}:
            terminal.say(f"  {min(changed)} has changed. Restarting.")
            return
        if child.poll() is not None and not told:
            told = True
            terminal.say("  The companion has stopped. It restarts when a file changes.")


def stamps() -> Iterator[tuple[Path, int]]:
    """Return every watched file and when it was changed."""
    for place in watched():
        for path in place.rglob("*") if place.is_dir() else (place,):
            if path.suffix != ".pyc" and path.is_file():
                yield path, path.stat().st_mtime_ns


def watched() -> set[Path]:
    """Return our own folders and the package of every installed game, even of one that can't be loaded."""
    found = {HERE, folder("templates"), folder("static")}
    for entry in entry_points(group="companion.games"):
        spec = find_spec(entry.module.partition(".")[0])
        if spec is not None:
            found |= {Path(one) for one in spec.submodule_search_locations or [spec.origin or ""]}
    return found
