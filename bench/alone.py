"""make bench: measure Companion alone, and compare every figure with its budget.

Two sizes that are compared (few and many tables, few and many versions) are measured in short turns, so that noise on
the machine affects both. Read the ratios first: milliseconds depend on the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from bench.companion_client import CompanionTable, knock, open_table
from bench.load import SCREENS, TAPS_PER_ROUND, Sample, percentile
from bench.long_evening import bytes_per_tap, longest_wait
from bench.paint import thumb_to_paint
from bench.report import Report, median_ms
from bench.servers import Companion
from bench.visit import first_visit_bytes
from companion.games import GAMES

KB = 1024
TAPS_PER_TURN = 2 * TAPS_PER_ROUND


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    starts: int = 5
    ballots: int = 400
    busy_tables: int = 100
    busy_seconds: float = 6.0
    screens: int = 5_000
    tables: int = 1_000
    versions: int = 2_000
    turns: int = 20
    entries: int = 14_000
    phone_taps: int = 40
    games: tuple[str, ...] = tuple(GAMES)


QUICK = Size(
    starts=1, ballots=10, busy_tables=5, busy_seconds=0.5, screens=90, tables=12, versions=60, turns=2, entries=80,
    phone_taps=3,
)  # fmt: skip


class WithoutHeartbeat(Companion):
    """A server without heartbeats, since those to thousands of screens would count as the cost of a tap."""

    environment = Companion.environment | {"COMPANION_HEARTBEAT": "3600"}


def cold_start(report: Report, folder: Path, size: Size) -> None:
    """Start with an empty data folder, several times."""
    times = []
    for _ in range(size.starts):
        with closing(Companion(folder)) as server:
            times.append(server.cold_start)
    report.add("cold start, command to first answered request", median(times), "s", 0.8)


def first_visit(report: Report, folder: Path, size: Size) -> None:
    """Open the link of a seat at a score sheet that is being played."""
    with closing(Companion(folder)) as server:
        seat = open_table(server.port, "score_sheet")[1]
        fonts, rest = first_visit_bytes(f"http://127.0.0.1:{server.port}{seat}")
        report.add("first visit", rest / KB, "KB", 30)
        report.add("first visit, with the typeface", (rest + fonts) / KB, "KB", 55)


def taps(report: Report, folder: Path, size: Size) -> None:
    """Compare the tap that opens the ballot box with votes, at one table; then let many tables tap together."""
    with closing(Companion(folder)) as server:
        server.open_table()
        load = server.load
        load.one_by_one(load.tables, 5 * TAPS_PER_ROUND, server.cpu)  # warm-up
        samples = load.one_by_one(load.tables, size.ballots * TAPS_PER_ROUND, server.cpu)
        votes = [sample for sample in samples if not sample.opens_box]
        openings = [sample for sample in samples if sample.opens_box]
        report.add("a vote at one table: server CPU", median_ms(votes, "cpu"), "ms")
        report.compare("opening the box beside a vote", "cpu", votes, openings, 1.5)
        report.compare("opening the box beside a vote", "answered", votes, openings, 1.5)
        p99 = percentile([sample.answered for sample in openings], 99)
        report.add("opening the box: time to the opener's answer, p99", p99 * 1_000, "ms", 4)
        while len(load.tables) < size.busy_tables:
            server.open_table()
        load.saturate(1)  # warm-up
        cpu, count = server.cpu(), load.count()
        rate = load.saturate(size.busy_seconds)
        each = (server.cpu() - cpu) / (load.count() - count)
        report.add(f"{size.busy_tables} tables, closed loop: server CPU per tap", each * 1_000, "ms")
        report.add(f"{size.busy_tables} tables, closed loop: taps per second", rate, "/s")


def memory_and_tables(report: Report, folder: Path, size: Size) -> None:
    """Measure the memory of open screens; then compare taps on a server with one table and on one with many.

    First the tables are opened and the server is restarted, so that the memory needed to open them doesn't count. All
    screens of all tables stay open.
    """
    with closing(WithoutHeartbeat(folder)) as one, closing(WithoutHeartbeat(folder)) as many:
        paths = [open_table(many.port) for _ in range(size.tables)]
        many.restart()
        connect(one, open_table(one.port))
        connect(many, paths.pop())
        for server in (one, many):
            server.load.one_by_one(server.load.tables, 5 * TAPS_PER_ROUND, server.cpu)  # warm-up
        before, screens = many.resident_bytes(), 0
        while screens < size.screens:
            connect(many, paths.pop())
            screens += SCREENS
        many.load.saturate(0)
        each = (many.resident_bytes() - before) / screens
        report.add(f"resident set per open screen, {screens:,} screens", each / KB, "KB", 10)
        while paths:
            connect(many, paths.pop())
        many.load.saturate(0)
        samples: dict[Companion, list[Sample]] = {one: [], many: []}
        one.pause()
        many.pause()
        for _ in range(size.turns):
            for server, found in samples.items():
                tables = server.load.random.sample(server.load.tables, min(TAPS_PER_TURN, len(server.load.tables)))
                with server.turn():
                    found += server.load.one_by_one(tables, TAPS_PER_TURN, server.cpu)
    report.compare(f"a tap, 1 -> {size.tables:,} tables", "cpu", samples[one], samples[many], 1.3)
    report.compare(f"a tap, 1 -> {size.tables:,} tables", "shown", samples[one], samples[many])


def connect(server: Companion, paths: list[str]) -> None:
    """Connect the screens of a table, with one connection for its taps, to save sockets."""
    CompanionTable(server.load, server.port, paths, senders=1)


def versions(report: Report, folder: Path, size: Size) -> None:
    """Compare taps at a table with many versions and at new tables, which have ten when they start."""
    with closing(Companion(folder)) as server:
        old = CompanionTable(server.load, server.port, open_table(server.port), knock)
        server.load.one_by_one([old], size.versions, server.cpu)
        few: list[Sample] = []
        many: list[Sample] = []
        for _ in range(size.turns):
            new = CompanionTable(server.load, server.port, open_table(server.port), knock)
            few += server.load.one_by_one([new], TAPS_PER_TURN, server.cpu)
            many += server.load.one_by_one([old], TAPS_PER_TURN, server.cpu)
    report.compare(f"a tap, 10 -> {size.versions:,} versions", "cpu", few, many, 1.3)
    report.compare(f"a tap, 10 -> {size.versions:,} versions", "shown", few, many)


def long_evening(report: Report, folder: Path, size: Size) -> None:
    """A score sheet with very many entries: its size on disk, and how long others wait while its results are made."""
    with closing(Companion(folder)) as server:
        shared, *seats = open_table(server.port, "score_sheet")
        each = bytes_per_tap(server, seats, size.entries)
        report.add(f"disk per tap, {size.entries:,} taps on one sheet", each / KB, "KB", 3)
        wait = longest_wait(server, shared)
        report.add("longest wait of others while its results are made", wait * 1_000, "ms", 50)


def paint(report: Report, folder: Path, size: Size) -> None:
    """Measure two slow phones in every game: tap to paint, and main thread time."""
    thumb_to_paint(report, folder, size.phone_taps, size.games)


PARTS = (cold_start, first_visit, taps, memory_and_tables, versions, long_evening, paint)


def main(folder: Path, *, quick: bool = False, only_paint: bool = False, games: Sequence[str] = ()) -> None:
    """Measure everything, or only phones, and print which budgets were missed."""
    report, size = Report(), QUICK if quick else Size()
    if games:
        size = replace(size, games=tuple(games))
    for part in [paint] if only_paint else PARTS:
        part(report, folder, size)
    report.end()
