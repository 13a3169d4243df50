"""make bench: every figure that we promise, measured on this machine beside its goal.

Nothing leaves the machine. Figures that are compared with each other are measured in turn, so
that a noisy machine is noisy to both; read the ratios before the milliseconds. Where a tap is timed, the server
has one core, and whoever taps another.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))

import growth
import visit
from awake import awake
from crowd import Crowd, EchoTable, Move, Table, ballot, connect, knock, open_screen, points
from hosts import keep_to_ourselves, on_core
from houses import Laid, cpu_of
from report import Report, both, ms, sync

KB = 1024
GOAL_BYTES, GOAL_REQUESTS, GOAL_MEMORY, GOAL_ECHO = 30 * KB, 6, 30 * KB, 10
PLAYED: list[tuple[str, str, Move]] = [
    ("a knock (public, can be taken back)", "secret_ballot", knock),
    ("a ballot (secret; one tap in nine burns)", "secret_ballot", ballot),
    ("points on the score sheet", "score_sheet", points),
]


def start(report: Report, folder: Path) -> None:
    report.title("1. From `companion play` to the first page")
    first, again, bare = [], [], []
    for _ in range(3):
        house = Laid(folder)
        first.append(_first_page(house))
        again.append(_first_page(house))
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import flask, gevent"], check=True)
        bare.append(time.perf_counter() - began)
    report.figure("a new data folder", f"{median(first):.2f} s")
    report.figure("an existing data folder", f"{median(again):.2f} s")
    report.figure("beside it, python that only imports flask and gevent", f"{median(bare):.2f} s")


def _first_page(house: Laid) -> float:
    began = time.perf_counter()
    house.start()
    with urllib.request.urlopen(house.url) as reply:
        reply.read()
    took = time.perf_counter() - began
    house.stop()
    return took


def first_visit(report: Report, folder: Path) -> None:
    report.title("2. A phone's first visit (compressed, headers included, the stream's opening included)")
    bills = visit.first_visits(folder)
    bill = bills.pop("a seat's link")
    report.figure(
        "a seat's link, bytes", f"{bill.bytes / KB:.1f} KB", f"<= {GOAL_BYTES // KB} KB", bill.bytes <= GOAL_BYTES
    )
    report.figure("a seat's link, requests", f"{bill.requests}", f"<= {GOAL_REQUESTS}", bill.requests <= GOAL_REQUESTS)
    for what, other in bills.items():
        report.figure(what, f"{other.bytes / KB:.1f} KB, {other.requests} requests")


def latency(report: Report, folder: Path, rounds: int = 12, batch: int = 15) -> None:
    report.title("3. From a tap to all 9 screens of a table (median / p99)")
    house = Laid(folder)
    laid = {what: house.lay(game, 1)[0] for what, game, _ in PLAYED}
    bare = [sys.executable, str(Path(__file__).parent / "echo.py")]
    with on_core(keep_to_ourselves()):
        house.start()
        echo = subprocess.Popen(bare, stdout=subprocess.PIPE, text=True)
    try:
        port = int(echo.stdout.readline())
        crowds = {what: Crowd([Table(house.port, laid[what], move)]) for what, _, move in PLAYED}
        nine = Crowd([EchoTable(port, next(iter(crowds.values())).tables[0].request())])
        one = connect(port, b"e")
        times: dict[str, list[float]] = {what: [] for what in (*crowds, "nine", "one", "disk")}
        work: dict[str, list[float]] = {what: [] for what in (*crowds, "nine")}
        for crowd in (*crowds.values(), nine):
            crowd.one_by_one(18)
        for _ in range(rounds):
            for what, crowd in crowds.items():
                for name, played, pid in ((what, crowd, house.process.pid), ("nine", nine, echo.pid)):
                    before = cpu_of(pid)
                    times[name] += played.one_by_one(batch)
                    work[name].append((cpu_of(pid) - before) / batch)
            times["one"] += [_echo(one) for _ in range(batch)]
            times["disk"] += sync(folder / "disk", batch)
        nine_screens = median(times["nine"])
        for what in crowds:
            report.figure(what, both(times[what]))
            ratio = median(times[what]) / nine_screens
            met = ratio <= GOAL_ECHO
            report.figure(
                f"  {what.partition(' (')[0]}, beside the bare echo", f"{ratio:.1f}x", f"<= {GOAL_ECHO}x", met
            )
            report.note(
                f"the server's work for it {ms(median(work[what]))}, the bare echo's {ms(median(work['nine']))}"
            )
        report.figure("bare echo, one tap in, nine screens written and read", both(times["nine"]))
        report.figure("bare echo, one socket", both(times["one"]))
        report.figure("one 4 KB write made durable on this disk (fsync)", both(times["disk"]))
    finally:
        house.kill()
        echo.kill()


def _echo(sock: object, size: int = 400) -> float:
    began = time.perf_counter()
    sock.sendall(b"x" * size)
    left = size
    while left:
        left -= len(sock.recv(left))
    return time.perf_counter() - began


def memory(report: Report, folder: Path, screens: int = 1_000) -> None:
    report.title(f"4. Memory per open screen, {screens:,} screens (9 to a table)")
    house = Laid(folder)
    doors = [door for table in house.lay("score_sheet", screens // 9 + 2, 40) for door in table]
    house.start()
    try:
        warm = [open_screen(house.port, door) for door in doors[:9]]
        before = house.memory()
        opened = [open_screen(house.port, door) for door in doors[9 : 9 + screens]]
        each = (house.memory() - before) / screens
        report.figure(
            "a screen, its table included", f"{each / KB:.1f} KB", f"<= {GOAL_MEMORY // KB} KB", each <= GOAL_MEMORY
        )
        for sock in (*warm, *opened):
            sock.close()
    finally:
        house.kill()


def throughput(report: Report, folder: Path, tables: int = 100, seconds: float = 4.0) -> None:
    report.title(f"5. Taps per second, {tables} tables x 9 screens, every tap durable and seen on nine screens")
    house = Laid(folder)
    laid = {what: house.lay(game, tables) for what, game, _ in PLAYED}
    with on_core(keep_to_ourselves()):
        house.start()
    try:
        for what, _, move in PLAYED:
            crowd = Crowd([Table(house.port, doors, move) for doors in laid[what]])
            crowd.all_at_once(0.5)
            server, ours, began = house.cpu(), time.process_time(), time.perf_counter()
            times = crowd.all_at_once(seconds)
            took = time.perf_counter() - began
            server, ours = (house.cpu() - server) / took, (time.process_time() - ours) / took
            report.figure(what, f"{len(times) / took:,.0f} taps/s")
            report.note(f"server {server:.0%} of a core, generator {ours:.0%}; median {ms(median(times))} in the queue")
            crowd.close()
    finally:
        house.kill()


def grow(report: Report, folder: Path) -> None:
    report.title("6. How a tap grows (ratio of medians, measured in turn)")
    growth.by_tables(report, folder, knock, tables=1_000, rounds=60)
    growth.by_versions(report, folder, "secret_ballot", knock, few=10, many=2_000, rounds=15)
    growth.by_versions(report, folder, "score_sheet", points, few=10, many=2_000, rounds=10)


def main() -> None:
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    began = time.perf_counter()
    report = Report()
    report.title(
        f"Companion on {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"{platform.system()}, load {os.getloadavg()[0]:.1f} before we began"
    )
    with tempfile.TemporaryDirectory() as folder, awake():
        for part in (start, first_visit, latency, memory, throughput, grow):
            if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
                part(report, Path(folder))
    report.close()
    print(f"{time.perf_counter() - began:.0f} s, load {os.getloadavg()[0]:.1f} at the end.")


if __name__ == "__main__":
    main()
