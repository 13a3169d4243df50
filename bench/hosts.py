"""The servers that are compared, each started in the same way, on a core of its own."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import psutil
from houses import Laid
from load import Table
from wires import BoardgameTable, ColyseusTable, EchoTable, OurTable

PEERS = Path(__file__).parent / "peers"
HEARTBEAT = "15"
"""Seconds between two signs of life; the same for ours and for both peers."""
CORES = sorted(os.sched_getaffinity(0))


@contextlib.contextmanager
def on_core(core: int) -> Iterator[None]:
    """What is started in here runs on this core only; the load stays where it is."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def keep_to_ourselves() -> int:
    """The load takes the first core; the last one is the server's."""
    os.sched_setaffinity(0, {CORES[0]})
    return CORES[-1]


class Host:
    """A server that can be started, sat down at, and stopped."""

    name = ""
    knocks_at = "/"
    hands = 9
    """Connections for taps at each table, where screens do not tap themselves."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def lay(self, tables: int) -> None:
        """Prepare so many tables before the start, if this server needs it."""

    def start(self) -> float:
        """Seconds from the command to the first answered request."""
        began = time.perf_counter()
        with on_core(CORES[-1]):
            self._spawn()
        self._knock()
        return time.perf_counter() - began

    def _spawn(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        with (self.folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                self._command(),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | {"NODE_ENV": "production"},
            )
        for line in self.process.stdout:
            if line.strip() == "ready":
                return
        raise SystemExit(f"{self.name} did not start: {(self.folder / 'log').read_text()}")

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _knock(self) -> None:
        with contextlib.suppress(urllib.error.HTTPError):  # an answer is an answer
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}{self.knocks_at}").read()

    def table(self, n: int) -> Table:
        """Sit down at the n-th table, all nine of us."""
        raise NotImplementedError

    def last_words(self) -> str:
        """The end of its log."""
        return (self.folder / "log").read_text()[-2_000:]

    def memory(self) -> int:
        return int(psutil.Process(self.process.pid).memory_info().rss)

    def cpu(self) -> float:
        return sum(psutil.Process(self.process.pid).cpu_times()[:2])

    def rest(self) -> None:
        """Stand still, and take nothing from whoever serves now."""
        os.kill(self.process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Its turn to serve."""
        os.kill(self.process.pid, signal.SIGCONT)
        try:
            yield
        except OSError as trouble:
            trouble.add_note(f"It was the turn of {self.name}. Its log ends:\n{self.last_words()}")
            raise
        finally:
            self.rest()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Ours(Host):
    """Companion, as `companion play` starts it, with its tables laid while it was closed."""

    name = "Companion"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._house = Laid(self.folder)
        self._house.environment["COMPANION_HEARTBEAT"] = HEARTBEAT
        self._laid: list[list[str]] = []

    def lay(self, tables: int) -> None:
        self._laid = self._house.lay("secret_ballot", tables, rounds=1_000_000)

    def _spawn(self) -> None:
        self._house.start()
        self.port, self.process = self._house.port, self._house.process

    def table(self, n: int) -> Table:
        return OurTable(self.port, self._laid[n], self.hands)

    def last_words(self) -> str:
        return self._house.log.read_text()[-2_000:]

    def visit(self) -> HTTPConnection:
        """A phone that has its page, and keeps the connection for its next tap."""
        wire = HTTPConnection("127.0.0.1", self.port)
        wire.request("GET", self._laid[0][1])
        reply = wire.getresponse()
        reply.read()
        assert reply.status == 200, reply.status
        return wire


class Peer(Host):
    """A Node server from the scratch folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._home = installed()

    def _command(self) -> list[str]:
        script = self._home / self.name.lower() / "server.js"
        return [str(node(self._home)), "--expose-gc", str(script), str(self.folder / "db"), str(self.port)]

    def table(self, n: int) -> Table:
        """A new one, whatever its number."""
        with contextlib.closing(HTTPConnection("127.0.0.1", self.port)) as lobby:
            return self._sit(lobby)

    def _sit(self, lobby: HTTPConnection) -> Table:
        raise NotImplementedError

    def memory(self) -> int:
        """Without what nobody needs any more: Node is asked to sweep first, and an answer means that it has."""
        os.kill(self.process.pid, signal.SIGURG)
        self._knock()
        self._knock()
        return super().memory()


class Boardgame(Peer):
    name = "boardgame.io"
    knocks_at = "/games"

    def _sit(self, lobby: HTTPConnection) -> Table:
        return BoardgameTable(self.port, lobby)


class Colyseus(Peer):
    name = "Colyseus"

    def _sit(self, lobby: HTTPConnection) -> Table:
        return ColyseusTable(self.port, lobby)


class Echo(Host):
    name = "bare uvloop echo"

    def _command(self) -> list[str]:
        return [sys.executable, str(PEERS / "echo.py"), str(self.port)]

    def _knock(self) -> None:
        EchoTable(self.port, -1).close()

    def table(self, n: int) -> Table:
        return EchoTable(self.port, n)


HOSTS: dict[str, type[Host]] = {"ours": Ours, "boardgame.io": Boardgame, "colyseus": Colyseus, "echo": Echo}


# -------------------------------------------------------------------------------- what npm brings


def scratch() -> Path:
    """Beside the Python packages that the bench needs, so never in the repository."""
    return Path(sys.prefix if sys.prefix != sys.base_prefix else tempfile.gettempdir()) / "bench-peers"


def node(home: Path) -> Path:
    """A Node of its own, since not every system's has SQLite."""
    return home / "node_modules" / "node" / "bin" / "node"


def installed() -> Path:
    """The peers' files with everything they need, fetched once for each state of these files."""
    home = scratch()
    files = sorted(path for path in PEERS.rglob("*") if path.suffix in {".js", ".json", ".html"})
    wanted = (PEERS / "package.json").read_bytes()
    mark, stamp = home / "installed", hashlib.sha256(wanted).hexdigest()
    for path in files:
        copy = home / path.relative_to(PEERS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    if not mark.exists() or mark.read_text() != stamp:
        if shutil.which("npm") is None:
            raise SystemExit("The peers come from npm, which is not here. `--only ours,echo` does without it.")
        print("Fetching the peers from npm, once ...", flush=True)
        subprocess.run(
            ["npm", "install", "--silent", "--no-package-lock", "--no-fund", "--no-audit"], cwd=home, check=True
        )
        mark.write_text(stamp)
    return home


def bundle(peer: str) -> int:
    """Bytes of a peer's smallest page that plays: its official client, minified and compressed, without any headers."""
    home = installed()
    source, target = home / peer / "client.js", home / peer / "bundle.js"
    options = [
        "--bundle",
        "--minify",
        "--format=esm",
        "--log-level=error",
        '--define:process.env.NODE_ENV="production"',
    ]
    subprocess.run([home / "node_modules" / ".bin" / "esbuild", source, *options, f"--outfile={target}"], check=True)
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in (target, home / "page.html"))
