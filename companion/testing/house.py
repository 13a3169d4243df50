"""A companion in its own process, as a host would run it."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.engine.reader import TableCache, TableReader
from companion.engine.snapshot import as_data
from companion.engine.store import Store
from companion.engine.tables import Tables
from companion.game import Game
from companion.games import all_games
from companion.storage.factory import open_store
from companion.testing.forms import first, typed
from companion.testing.stream import Stream
from companion.testing.tabletalk import Person, Table
from companion.testing.thumbs import Thumbs


def wait_until(happens: Callable[[], bool], what: str) -> None:
    """Poll until this is true, for a minute at most."""
    patience = time.monotonic() + 60
    while not happens():
        assert time.monotonic() < patience, f"still not: {what}"
        threading.Event().wait(0.02)


class House:
    """A running companion that tests can start, stop and kill."""

    prefix = ""
    """The URL prefix, which goes before every path."""
    inside: tuple[str, ...] = ()
    """A command in front of ours, to run it in another environment."""

    def __init__(self, data: Path, port: int = 0, database: str | None = None, **environment: str) -> None:
        self.data = data
        self.database = database
        """The URL of a PostgreSQL database; without one, an SQLite file in the data folder."""
        if database:
            environment["COMPANION_DATABASE"] = database
        self.port = port
        # A test taps faster than any thumb.
        # Houses that are tested side by side announce no name, unless a test is about that.
        self.environment = {"COMPANION_TAPS_PER_SECOND": "1000000", "COMPANION_NO_MDNS": "1", **environment}
        self.process: subprocess.Popen[str] | None = None
        self.log = data.parent / f"{data.name}.log"
        self.greeting = ""
        """What it printed while it started."""
        self.thumbs = Thumbs()
        """Counts what everybody in this house taps and types."""

    def start(self, *options: str) -> House:
        place = (f"--port={self.port}", f"--data-dir={self.data}")
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*self.inside, sys.executable, "-m", "companion", "play", *place, *options],
                cwd=self.data.parent, stdout=subprocess.PIPE, stderr=log, text=True,
                env={**os.environ, "PYTHONPATH": python_path(), **self.environment},
            )  # fmt: skip
        self.greeting = ""
        for line in self.process.stdout or ():
            self.greeting += line
            if found := re.search(r"https?://localhost:(\d+)", line):
                self.port = int(found.group(1))
            if "Ctrl-C" in line:
                return self
        self._ends()
        raise AssertionError(f"the companion did not start: {self.log.read_text()}")

    def kill(self) -> None:
        """Kill the process, like a power cut."""
        self._ends(signal.SIGKILL)

    def stop(self) -> int:
        """Stop the process, like Ctrl-C."""
        return self._ends(signal.SIGINT)

    def _ends(self, by: signal.Signals | None = None) -> int:
        assert self.process is not None, "it was never started"
        if by is not None:
            self.process.send_signal(by)
        code = self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def visitor(self) -> Person:
        """Return a new browser without cookies."""
        return Person(self.url)

    def stream(self, path: str, memory: int | None = None) -> Stream:
        return Stream(self.port, path, memory)

    def open_files(self) -> int:
        """Return how many files and sockets the process has open, by its own metrics."""
        with self.visitor() as visitor:
            reply = visitor.get("/metrics")
        found = re.search(r"^process_open_fds (\S+)", reply.text, re.M)
        assert found, reply.text
        return int(float(found.group(1)))

    def command(self, command: str, *arguments: str) -> str:
        """Return what this companion command prints for the data of this house."""
        done = subprocess.run(
            [sys.executable, "-m", "companion", command, f"--data-dir={self.data}", *arguments],
            cwd=self.data.parent, env={**os.environ, "PYTHONPATH": python_path(), **self.environment},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextlib.contextmanager
    def reads_the_store(self) -> Iterator[Store]:
        """Open the store with this data folder's keys, as somebody who has the folder could."""
        options = argparse.Namespace(database=self.database, data_dir=self.data)
        with contextlib.closing(open_store(options)) as store:
            yield store

    def can_read(self, table: Table) -> bool:
        """Return whether somebody with this data folder could read the table's state before its last tap."""
        with self.reads_the_store() as store:
            newest = store.heads([table.id])[table.id].version
            return any(store.at(table.id, version).state for version in range(1, newest))

    def database_bytes(self) -> bytes:
        """Return every byte of the store on disk, with the write-ahead log; for PostgreSQL, every row."""
        if self.database:
            return every_row(self.database)
        return b"".join(path.read_bytes() for path in sorted(self.data.iterdir()) if path.name.startswith("companion."))

    def opens(self, game: str, **setup: object) -> Table:
        """The host opens a table in their browser; `setup` is typed into the form, everything else is the default."""
        client = self.visitor()
        fields = typed(as_data(all_games()[game].setup()) | setup)
        reply = client.post(f"{self.prefix}/new/{game}", data=fields)
        assert reply.status_code == 303, first(reply.text, "#message, main").text()
        return Table(self, client, reply.headers["location"])


def python_path() -> str:
    """Return a PYTHONPATH with which another process finds the same games as this test run."""
    return os.pathsep.join(filter(None, sys.path))


def tables_of(store: Store, games: Mapping[str, Game], **more: Any) -> Tables:
    """Return the engine over this store, without screens."""
    return Tables(TableReader(store, games, TableCache()), **more)


def every_row(database: str) -> bytes:
    """Return every row of ours in PostgreSQL. Its raw files keep more for a while: docs/privacy.md explains it."""
    import psycopg  # comes with the extra `server`

    with psycopg.connect(database) as db:
        return b"\n".join(
            part.encode() if isinstance(part, str) else part
            for table in ("tables", "versions", "keys", "alarms", "memory", "results")
            for row in db.execute(f"SELECT * FROM companion.{table}").fetchall()
            for part in row
            if isinstance(part, bytes | str)
        )
