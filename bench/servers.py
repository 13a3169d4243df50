"""The servers to measure: each is a process pinned to one core; the load generator has another core."""

from __future__ import annotations

import contextlib
import os
import resource
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
from pathlib import Path

from bench.boardgame_io_client import BoardgameIoTable
from bench.companion_client import CompanionTable, open_table
from bench.load import Load
from bench.npm import fetched, node

ROOT = Path(__file__).parent.parent
PEERS = ROOT / "bench" / "node"
CORES = sorted(os.sched_getaffinity(0))
LOAD_CORE, SERVER_CORE = CORES[0], CORES[-1]
START_TIMEOUT_S = 60.0
LIMITS = (
    "--tries=10000000",
    "--taps-per-second=1000000",
    "--tables-per-day=1000000",
    "--screens=20000",
    "--screens-per-address=20000",
)
IDLE_LOOP = """
import os
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
os.sched_setaffinity(0, {%d})
while os.getppid() == %d:
    for _ in range(1_000_000):
        pass
"""


@contextlib.contextmanager
def prepared_machine() -> Iterator[Path]:
    """Pin the load generator to its core, keep the server's core awake, and yield a folder for data.

    An idle core falls asleep, and on a virtual machine it can take milliseconds to wake up, which would be most of the
    latency at light load. A loop with the lowest priority prevents that. The load generator's core may sleep, because
    virtual machines that are busy on all cores are often throttled.
    """
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.sched_setaffinity(0, {LOAD_CORE})
    loop = subprocess.Popen([sys.executable, "-c", IDLE_LOOP % (SERVER_CORE, os.getpid())])
    try:
        with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
            yield Path(folder)
    finally:
        loop.kill()
        loop.wait()


class Server:
    """A server process, and the load generator with all its open tables."""

    name = ""
    path = "/"
    """The page that is requested to measure the cold start."""
    environment: dict[str, str] = {}

    def __init__(self, folder: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.load = Load()
        with socket.create_server(("", 0)) as free:  # on every address, since each phone uses its own
            self.port: int = free.getsockname()[1]
        self._log = self.folder / "log"
        self.cold_start = self.start()

    def command(self) -> list[str]:
        raise NotImplementedError

    def open_table(self) -> None:
        """Open a table and connect its nine screens."""
        raise NotImplementedError

    def start(self) -> float:
        """Start the process on the server's core; return the seconds from the command to the first answered request."""
        command, own_cores = self.command(), os.sched_getaffinity(0)
        start = time.perf_counter()
        os.sched_setaffinity(0, {SERVER_CORE})
        try:
            with self._log.open("a") as log:
                environment = os.environ | self.environment
                self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, env=environment)
        finally:
            os.sched_setaffinity(0, own_cores)
        while not self._answers():
            if self.process.poll() is not None or time.perf_counter() > start + START_TIMEOUT_S:
                raise RuntimeError(f"{self.name} did not start:\n{self._log.read_text()}")
            time.sleep(0.005)
        return time.perf_counter() - start

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}{self.path}", timeout=START_TIMEOUT_S).close()
        except urllib.error.URLError as error:
            return isinstance(error, urllib.error.HTTPError)
        return True

    def restart(self) -> None:
        """Stop the process as Ctrl-C does, and start it again with the same data."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        self.start()

    def close(self) -> None:
        self.load.close()
        self.process.kill()
        self.process.wait()

    def cpu(self) -> float:
        """Return the CPU seconds of all threads of the process; the number is Linux' id of its CPU-time clock."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def resident_bytes(self) -> int:
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * resource.getpagesize()

    def pause(self) -> None:
        """Stop the process with SIGSTOP, so that it doesn't disturb the server being measured."""
        os.kill(self.process.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Let a paused server run until the end of the block."""
        os.kill(self.process.pid, signal.SIGCONT)
        try:
            yield
        except Exception as error:
            error.add_note(f"The log of {self.name} ends:\n{self._log.read_text()[-2_000:]}")
            raise
        finally:
            self.pause()


class Companion(Server):
    """Companion as `companion play` starts it, with the limits lifted and the tests' secret ballot installed."""

    name = "Companion"
    environment = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "plugin")]),
        "COMPANION_HEARTBEAT": "15",  # seconds, as in node/server.js
    }

    def command(self) -> list[str]:
        options = [f"--port={self.port}", f"--data-dir={self.folder / 'data'}", *LIMITS]
        return [sys.executable, "-m", "companion", "play", *options]

    def open_table(self) -> None:
        CompanionTable(self.load, self.port, open_table(self.port))


class Peer(Server):
    """A server from npm, with its own Node, since not every system's Node has SQLite."""

    environment = {"NODE_ENV": "production"}

    def run(self, script: str, *arguments: str) -> list[str]:
        home = fetched(PEERS, "bench-peers")
        return [node(home), str(home / script), *arguments]


class BoardgameIo(Peer):
    """boardgame.io's own server."""

    name = "boardgame.io"
    path = "/games"

    def command(self) -> list[str]:
        return self.run("server.js", str(self.folder / "ballot.sqlite"), str(self.port))

    def open_table(self) -> None:
        BoardgameIoTable(self.load, self.port)


class Colyseus(Peer):
    """Colyseus' own server; only phones are measured on it, and they open the table themselves."""

    name = "Colyseus"

    def command(self) -> list[str]:
        return self.run("colyseus.mjs", str(self.port))


def build_peer_pages() -> None:
    """Bundle the peers' pages for production, with Companion's style sheet."""
    home = fetched(PEERS, "bench-peers")
    pages = sorted(path.name for path in home.glob("page_*.jsx"))
    options = ["--bundle", "--minify", "--jsx=automatic", "--log-level=warning", "--outdir=page"]
    production = '--define:process.env.NODE_ENV="production"'
    subprocess.run(
        [str(home / "node_modules" / ".bin" / "esbuild"), *pages, *options, production], cwd=home, check=True
    )
    shutil.copy(ROOT / "static" / "companion.css", home / "page")
