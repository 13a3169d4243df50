"""The load generator: one epoll loop over raw sockets that sends taps on time and reads what every screen receives.

A table has nine screens: eight players' phones and the shared screen. A round is nine taps: eight secret votes, and
one tap that opens the ballot box. A table has one tap in progress at a time. Under load (`play`) taps fall due at
random times that do not depend on the server (open loop), and latency counts from the moment a tap was due: a tap
that waits for the one before it at its table is late, and the server cannot hide that.
"""

from __future__ import annotations

import itertools
import random
import select
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence
from statistics import quantiles
from typing import NamedTuple

PLAYERS = 8
SCREENS = TAPS_PER_ROUND = PLAYERS + 1
TAP_TIMEOUT_S = 30.0
SPIN_BEFORE_DUE_S = 0.005
PAUSE_S = 0.004
"""Wait this long before reading a tap's CPU time, for the work that the server does after its answer."""


def percentile(values: Sequence[float], percent: int) -> float:
    """Return this percentile of the values, interpolated between neighbours."""
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def votes_after(tap: int) -> int:
    """Return how many votes are in the box after the tap with this number, counted from 0."""
    return (tap + 1) % TAPS_PER_ROUND


PHONE_ADDRESSES = itertools.cycle(f"127.0.{net}.{host}" for net in range(2, 10) for host in range(1, 251))
"""Every phone has its own IP address, since a server limits connections per address."""


def connect(port: int) -> socket.socket:
    source = (next(PHONE_ADDRESSES), 0)
    sock = socket.create_connection(("127.0.0.1", port), timeout=TAP_TIMEOUT_S, source_address=source)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


class Connection:
    """A socket that the load generator reads from, and the bytes that are not yet a whole message."""

    def __init__(self, table: Table, sock: socket.socket) -> None:
        self.table = table
        self.load = table.load
        self.sock = sock
        self.buffer = b""
        self.load.watch(self)

    def received(self, data: bytes) -> None:
        raise NotImplementedError

    def ended(self) -> None:
        raise ConnectionError("The server closed a screen's connection.")


class Screen(Connection):
    """One of the nine screens of a table."""

    _shown = 0

    def message(self, message: bytes) -> None:
        """Check whether a whole message shows the tap in progress."""
        table = self.table
        if self._shown != table.taps and table.mark in message:
            self._shown = table.taps
            table.screen_shows_tap()


class Table:
    """One table of one server; a subclass knows that server's protocol."""

    answers = 0
    """How many answers a tap gets on the connection that sent it, besides the nine screens."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.taps = 0
        self.mark = b""
        """What every screen shows after the tap in progress, and none before."""
        self.due = self.shown = self.answered = 0.0
        """When the tap was due, when the last of the nine screens showed it, and when its sender was answered."""
        self.backlog: deque[float] = deque()
        """When the waiting taps were due."""
        self._left = self._screens_left = 0
        load.tables.append(self)

    @property
    def busy(self) -> bool:
        return self._left > 0

    def tap(self, due: float) -> None:
        """Send the next tap."""
        self.taps += 1
        self.due, self._screens_left, self._left = due, SCREENS, SCREENS + self.answers
        self.mark = self.send(self.taps - 1)

    def send(self, number: int) -> bytes:
        """Send the tap with this number, counted from 0, and return its mark."""
        raise NotImplementedError

    def screen_shows_tap(self) -> None:
        self._screens_left -= 1
        if not self._screens_left:
            self.shown = time.perf_counter()
        self._one_less()

    def sender_answered(self) -> None:
        self.answered = time.perf_counter()
        self._one_less()

    def _one_less(self) -> None:
        self._left -= 1
        if not self._left:
            self.load.finished.append(self)


class Sample(NamedTuple):
    """One tap on an idle server: seconds to nine screens and to the answer, and the server's CPU time."""

    opens_box: bool
    shown: float
    answered: float
    cpu: float


class Load:
    """All tables of one server, and the epoll loop that reads their connections."""

    def __init__(self) -> None:
        self.random = random.Random(1)
        self.tables: list[Table] = []
        self.finished: list[Table] = []
        """Tables whose tap has just been shown on nine screens and answered."""
        self._epoll = select.epoll()
        self._connections: dict[int, Connection] = {}

    def watch(self, connection: Connection) -> None:
        self._connections[connection.sock.fileno()] = connection
        self._epoll.register(connection.sock, select.EPOLLIN)

    def forget(self, connection: Connection) -> None:
        self._epoll.unregister(connection.sock)
        del self._connections[connection.sock.fileno()]
        connection.sock.close()

    def close(self) -> None:
        for connection in list(self._connections.values()):
            self.forget(connection)
        self._epoll.close()

    def count(self) -> int:
        """Return how many taps were sent so far."""
        return sum(table.taps for table in self.tables)

    def poll(self, timeout: float, lost_at: float = float("inf")) -> list[Table]:
        """Read what has arrived, waiting at most this long, and return the tables whose tap is finished."""
        for fd, _ in self._epoll.poll(timeout):
            connection = self._connections[fd]
            if data := connection.sock.recv(1 << 18):
                connection.received(data)
            else:
                connection.ended()
        if time.perf_counter() > lost_at:
            raise TimeoutError("A tap was lost.")
        finished, self.finished = self.finished, []
        return finished

    def play(self, rate: float, seconds: float, *, spin: bool = False) -> list[float]:
        """Send taps at this mean rate for this long; return each tap's latency, from due to shown on nine screens.

        With `spin` the generator does not sleep while a tap is in progress or about to be due, so that at light load
        its own wake-up time is not measured.
        """
        latencies: list[float] = []
        order = itertools.cycle(self.random.sample(self.tables, len(self.tables)))
        in_progress, now = 0, time.perf_counter()
        end, due = now + seconds, now + self._gap(rate)
        while due < end or in_progress:
            while due <= now and due < end:
                table = next(order)
                if table.busy:
                    table.backlog.append(due)
                else:
                    table.tap(due)
                    in_progress += 1
                due += self._gap(rate)
            wait = min(due, end) - now  # epoll rounds it up to milliseconds
            sleep = max(wait - 0.001, 0.001) if not spin else 0 if in_progress else max(wait - SPIN_BEFORE_DUE_S, 0)
            for table in self.poll(sleep, end + TAP_TIMEOUT_S):
                latencies.append(table.shown - table.due)
                if table.backlog:
                    table.tap(table.backlog.popleft())
                else:
                    in_progress -= 1
            now = time.perf_counter()
        return latencies

    def _gap(self, rate: float) -> float:
        """Return the time to the next tap: people at one table take turns, different tables do not wait."""
        return self.random.uniform(0.5, 1.5) / rate if len(self.tables) == 1 else self.random.expovariate(rate)

    def saturate(self, seconds: float) -> float:
        """Let each table send its next tap as soon as the last one is finished (closed loop); return taps per second.

        Afterwards the tables are out of step: each one stops at a different tap of its round.
        """
        stop_at = {table: index % TAPS_PER_ROUND for index, table in enumerate(self.tables)}
        in_progress, count, start = len(self.tables), 0, time.perf_counter()
        now = start
        for table in self.tables:
            table.tap(now)
        while in_progress:
            for table in self.poll(TAP_TIMEOUT_S, now + TAP_TIMEOUT_S):
                count += 1
                if now < start + seconds or table.taps % TAPS_PER_ROUND != stop_at[table]:
                    table.tap(now)
                else:
                    in_progress -= 1
            now = time.perf_counter()
        return count / (now - start)

    def one_by_one(self, tables: Sequence[Table], taps: int, cpu: Callable[[], float]) -> list[Sample]:
        """Send this many taps, one at a time, to these tables in turn, and read the server's CPU time for each."""
        samples = []
        for table in itertools.islice(itertools.cycle(tables), taps):
            before, sent = cpu(), time.perf_counter()
            table.tap(sent)
            while not self.poll(0, sent + TAP_TIMEOUT_S):
                pass
            self.poll(PAUSE_S)
            opens_box = table.taps % TAPS_PER_ROUND == 0
            samples.append(Sample(opens_box, table.shown - sent, table.answered - sent, cpu() - before))
        return samples
