"""One load for every server that is compared: people who tap on time, and nine screens that have to follow.

Raw sockets on one epoll, and no more is read than it takes to find the new count of answers on a
screen. Taps are due by the clock, not when the last one is done, and a tap that had to wait counts from
the moment it was due: a server that cannot keep up cannot hide it. Only the load's own lateness is not counted.
"""

from __future__ import annotations

import itertools
import random
import select
import socket
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from crowd import PATIENCE
from report import percentile

LIMIT = 0.25
"""Seconds within which 99 of 100 taps have to be on all nine screens."""
FEW = 64
"""What is looked for is shorter than this, so no more of a frame's first half has to be kept."""
ROUND = 9
"""Eight words go into the box, and the ninth tap opens it; eight players and the shared screen look on."""
SHORTLY, DOZE = 0.001, 0.005
"""So many seconds before a tap is due, the load is awake: if it is busy, and at light load."""
heard = bytearray(1 << 18)


class Ear:
    """A socket that is listened to."""

    __slots__ = ("sock", "table")

    def __init__(self, sock: socket.socket, table: Table) -> None:
        self.sock = sock
        self.table = table

    def hear(self, size: int) -> None:
        """So many bytes have come."""


class Screen(Ear):
    """One of the nine."""

    __slots__ = ("_rest", "_shows")

    def __init__(self, sock: socket.socket, table: Table) -> None:
        super().__init__(sock, table)
        self._shows = table.taps
        self._rest = b""

    def hear(self, size: int) -> None:
        table = self.table
        if self._shows != table.taps:
            found = heard.find(table.expected, 0, size) >= 0
            if found or (self._rest and table.expected in self._rest + heard[: min(size, FEW)]):
                self._rest = b""
                self._shows = table.taps
                table.waiting -= 1
                table.blind -= 1
                if not table.blind:
                    table.seen = time.perf_counter()
            else:
                self._rest = (self._rest + heard[max(0, size - FEW) : size])[-FEW:]
        if table.beat and heard.find(table.beat, 0, size) >= 0:
            self.sock.send(table.still_here)


class Table:
    """Nine screens, and what each tap sends and shows. Each server's own kind of table knows how."""

    awaits = ROUND
    """How many have to hear of a tap before it is done: nine screens and, where there is an answer, whoever tapped."""
    beat = still_here = b""
    """What a server asks to see whether a phone is still there, and what the phone answers."""

    def __init__(self) -> None:
        self.ears: list[Ear] = []
        self.taps = 0
        self.waiting = 0
        self.blind = 0
        """Screens that do not show it yet."""
        self.expected = b""
        self.due = 0.0
        self.seen = 0.0
        """When the last of the nine screens showed it."""
        self.late: deque[float] = deque()
        """When the taps were due that have to wait for the one under way."""

    def watch(self, sock: socket.socket) -> None:
        self.ears.append(Screen(sock, self))

    def tap(self, due: float) -> None:
        n, self.due, self.waiting, self.blind = self.taps, due, self.awaits, ROUND
        self.taps += 1
        self.expected = self.shows(n)
        self.send(n)

    def shows(self, n: int) -> bytes:
        """What nobody's screen showed before the n-th tap, and all nine do after it."""
        raise NotImplementedError

    def send(self, n: int) -> None:
        raise NotImplementedError

    def close(self) -> None:
        for ear in self.ears:
            ear.sock.close()


@dataclass
class Played:
    """What became of the taps of one stretch of play."""

    seconds: float = 0.0
    asked: int = 0
    times: list[float] = field(default_factory=list)
    votes: list[float] = field(default_factory=list)
    """Those of them that put a word into the box, and did not open it."""
    answers: list[float] = field(default_factory=list)
    """How long it took until whoever tapped was answered, too."""
    lost: int = 0
    work: float = 0.0
    """Seconds of its core that the load itself needed."""

    def __iadd__(self, more: Played) -> Played:
        """One stretch after another."""
        self.seconds += more.seconds
        self.asked += more.asked
        self.times += more.times
        self.votes += more.votes
        self.answers += more.answers
        self.lost += more.lost
        self.work += more.work
        return self

    @property
    def p99(self) -> float:
        return percentile(self.times, 99) if len(self.times) > 1 else PATIENCE

    @property
    def sustained(self) -> bool:
        return not self.lost and len(self.times) == self.asked and self.p99 < LIMIT


def evenly(rate: float, dice: random.Random) -> Iterator[float]:
    """One table: its people tap in turn, about as often as this, and never quite on the beat."""
    return itertools.accumulate(dice.uniform(0.5, 1.5) / rate for _ in itertools.repeat(None))


def by_chance(rate: float, dice: random.Random) -> Iterator[float]:
    """Many tables: nobody knows of the others."""
    return itertools.accumulate(dice.expovariate(rate) for _ in itertools.repeat(None))


def nap(wait: float, light: bool, under_way: int) -> float:
    """How long to listen, if nothing is to be done for so many seconds.

    Whoever falls asleep may wake late. So at light load nobody sleeps while a tap is under way, nor shortly before one.
    """
    if not light:
        return max(wait - SHORTLY, SHORTLY)
    return 0 if under_way else max(wait - DOZE, 0)


class Load:
    """Everybody who taps and looks."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self.dice = random.Random(9)
        """The same luck for every server."""
        self.tables: list[Table] = []
        self._poll = select.epoll()
        self._ears: dict[int, Ear] = {}

    def seat(self, table: Table) -> None:
        """Listen to all that this table has open."""
        self.tables.append(table)
        for ear in table.ears:
            self._ears[ear.sock.fileno()] = ear
            self._poll.register(ear.sock.fileno(), select.EPOLLIN)
        self.listen(0)

    def listen(self, seconds: float) -> list[Table]:
        """Hear what has come, or comes next; the tables that have just seen the last of their tap."""
        done = []
        for fd, _ in self._poll.poll(seconds):
            ear = self._ears[fd]
            size = ear.sock.recv_into(heard)
            if not size:
                raise ConnectionError("a screen was closed")
            table = ear.table
            waited = table.waiting
            ear.hear(size)
            if waited and not table.waiting:
                done.append(table)
        return done

    def play(self, gaps: Iterator[float], seconds: float, *, light: bool = False) -> Played:
        """Taps as they fall due, for so long, and then until each one was seen by all.

        If the load is light, a tap that had to wait for nobody counts from when it was sent: should it be late, it is
        the load that was. Else it counts from when it was due, and what is hopelessly late ends it early.
        """
        turn = list(self.tables)
        self.dice.shuffle(turn)
        turns = itertools.cycle(turn)
        played, under_way, too_late = Played(), 0, 0
        worked, began = time.process_time(), time.perf_counter()
        end = began + seconds
        due, now, patient = began + next(gaps), began, began + seconds + self.patience
        while due < end or under_way:
            while due <= now and due < end:
                table = next(turns)
                played.asked += 1
                if table.waiting:
                    table.late.append(due)
                else:
                    table.tap(now if light else due)
                    under_way += 1
                due = began + next(gaps)
            wait = (due if due < end else patient) - now
            for table in self.listen(nap(wait, light, under_way)):
                played.times.append(took := table.seen - table.due)
                played.answers.append(time.perf_counter() - table.due)
                if table.taps % ROUND:
                    played.votes.append(took)
                too_late += took > LIMIT
                if table.late:
                    table.tap(table.late.popleft())
                else:
                    under_way -= 1
            now = time.perf_counter()
            if not light and too_late > max(30, played.asked * 0.02) and due < end:
                end = now
                for table in turn:
                    table.late.clear()
            if now > patient:
                break
        played.lost = sum(1 + len(table.late) for table in turn if table.waiting)
        played.seconds = now - began
        played.work = time.process_time() - worked
        return played

    def rush(self, seconds: float, *, apart: bool = False) -> float:
        """Taps per second if every table taps as soon as its screens have followed: the first guess.

        Afterwards the tables may be `apart`, each at another point of its round: in a hall, they are not opened in one
        moment.
        """
        began = now = time.perf_counter()
        end, count, under_way = began + seconds, 0, len(self.tables)
        ends_at = {table: n % ROUND for n, table in enumerate(self.tables)} if apart else {}
        for table in self.tables:
            table.tap(now)
        while under_way:
            done = self.listen(self.patience)
            if not done and time.perf_counter() > end + self.patience:
                raise TimeoutError("a tap did not reach its screens")
            now = time.perf_counter()
            for table in done:
                count += 1
                if now < end or table.taps % ROUND != ends_at.get(table, table.taps % ROUND):
                    table.tap(now)
                else:
                    under_way -= 1
        return count / (now - began)

    def close(self) -> None:
        for table in self.tables:
            table.close()
        self._poll.close()
