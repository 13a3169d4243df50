"""companion play --workers N: several processes that serve on one port of this machine.

The parent binds the port, starts them, and starts one again that has died; it serves nobody itself.
They are new processes, not forks: a fork would share an event loop that can only be one's own.
"""

from __future__ import annotations

import argparse
import json
import logging
import mmap
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion import logs
from companion.keeping import open_store
from companion.web.meter import ROW, Meter

log = logging.getLogger("companion")

WATCHED = {signal.SIGINT, signal.SIGTERM, signal.SIGCHLD} if hasattr(signal, "SIGCHLD") else set()
LONG_ENOUGH = 1.0
"""Seconds; one that died sooner is not started again at once."""
FAREWELL = 10.0
"""Seconds in which a worker has to say good night."""


class Team:
    """The workers, each in its place."""

    def __init__(self, options: argparse.Namespace, listener: socket.socket, port: int) -> None:
        self._options = {**vars(options), "data_dir": str(options.data_dir), "workers": 1}
        self._listener = listener
        self._port = port
        # They stay open here, so that a worker that is started again finds the same ears.
        self._pipes = [os.pipe() for _ in range(options.workers)]
        self._begun = [0.0] * options.workers
        # A row of numbers each: whoever is asked for them adds them up.
        self._numbers = tempfile.TemporaryFile()  # noqa: SIM115
        self._numbers.truncate(options.workers * ROW)
        self._workers: list[Any] = []

    def start(self) -> None:
        self._workers = [self._start(place) for place in range(len(self._pipes))]
        for worker in self._workers:
            if not worker.stdout.readline():
                self.stop()  # it has said itself why it cannot serve
                raise SystemExit(1)

    def _start(self, place: int) -> Any:
        ear = self._pipes[place][0]
        others = [pipe[1] for n, pipe in enumerate(self._pipes) if n != place]
        self._begun[place] = time.monotonic()
        worker: Any = subprocess.Popen(
            [sys.executable, "-m", "companion.workers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[self._listener.fileno(), self._numbers.fileno(), ear, *others],
        )
        # Not on the command line, where everybody on this machine could read the address of the database.
        told = {"options": self._options, "listener": self._listener.fileno(), "port": self._port, "place": place}
        told["numbers"] = self._numbers.fileno()
        worker.stdin.write(json.dumps({**told, "ear": ear, "others": others}).encode() + b"\n")
        worker.stdin.flush()
        return worker

    def start_again(self) -> None:
        """Whoever has died is followed by another one."""
        for place, worker in enumerate(self._workers):
            if worker.poll() is None:
                continue
            log.warning("a worker has ended and is started again")
            if time.monotonic() - self._begun[place] < LONG_ENOUGH:
                time.sleep(LONG_ENOUGH)
            hang_up(worker)
            self._workers[place] = self._start(place)

    def stop(self) -> None:
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            try:
                worker.wait(FAREWELL)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
            hang_up(worker)


def hang_up(worker: Any) -> None:
    for end in (worker.stdin, worker.stdout):
        end.close()


def play(options: argparse.Namespace, listener: socket.socket, port: int, *, ready: Callable[[], None]) -> None:
    """Until Ctrl-C."""
    if not WATCHED:
        raise SystemExit("--workers needs a system like Linux or macOS. Here, one process serves: leave it out.")
    signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    open_store(options, shared=True).close()  # brings it up to date, or says what is wrong, once for all of them
    team = Team(options, listener, port)
    team.start()
    ready()
    while signal.sigwait(WATCHED) == signal.SIGCHLD:
        team.start_again()
    team.stop()


def main() -> None:
    """One worker: what it has to know comes in one line on its standard input."""
    from companion.engine.bell import Pipes
    from companion.serve import serve

    if WATCHED:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
    told: dict[str, Any] = json.loads(sys.stdin.buffer.readline())
    options = argparse.Namespace(**{**told["options"], "data_dir": Path(told["options"]["data_dir"])})
    logs.begin(options.log)
    serve(
        options,
        socket.socket(fileno=told["listener"]),
        told["port"],
        ready=lambda: print("ready", flush=True),
        pipes=Pipes(told["ear"], told["others"]),
        tidies_up=told["place"] == 0,
        meter=Meter(mmap.mmap(told["numbers"], 0), told["place"]),
    )


if __name__ == "__main__":
    main()
