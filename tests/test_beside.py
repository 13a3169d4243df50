"""The load that compares us with the peers: it counts every screen, and it cannot be fooled by waiting."""

from __future__ import annotations

import itertools
import socket
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest
from tabletalk import ROOT

sys.path.append(str(ROOT / "bench"))

from hosts import Echo, Host, Ours
from load import DOZE, Load, Table, by_chance, evenly, heard, nap
from results import Results
from turns import Search, Sitting, in_turn
from wires import EchoTable, frame

PATIENCE = 1.0


@pytest.fixture(params=[Echo, Ours], ids=lambda host: host.__name__)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Host]:
    yield from started(request.param(tmp_path))


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[Host]:
    yield from started(Echo(tmp_path))


@pytest.fixture
def load() -> Iterator[Load]:
    people = Load(PATIENCE)
    yield people
    people.close()


def started(host: Host) -> Iterator[Host]:
    host.lay(3)
    host.start()
    yield host
    host.kill()


def test_a_tap_counts_when_nine_screens_have_shown_it(host: Host, load: Load):
    load.patience = 30
    for n in range(3):
        load.seat(host.table(n))
    played = load.play(by_chance(40, load.dice), seconds=1, light=True)
    assert played.asked > 20
    assert len(played.times) == played.asked
    assert not played.lost
    assert sum(table.taps for table in load.tables) == played.asked
    assert len(played.votes) == played.asked - sum(table.taps // 9 for table in load.tables)


def test_tables_that_are_apart_do_not_open_their_boxes_at_the_same_moment(echo: Host, load: Load):
    for n in range(11):
        load.seat(echo.table(n))
    load.rush(0.1, apart=True)
    assert [table.taps % 9 for table in load.tables] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1]


def test_when_something_breaks_the_bench_says_whose_turn_it_was(host: Host, load: Load):
    load.seat(host.table(0))
    (host.folder / "log" if isinstance(host, Echo) else host._house.log).write_text("a crow on the line")
    load.tables[0].ears[0].sock.shutdown(socket.SHUT_RDWR)
    with pytest.raises(ConnectionError) as broken, host.turn():
        load.listen(PATIENCE)
    assert broken.value.__notes__ == [f"It was the turn of {host.name}. Its log ends:\na crow on the line"]


def test_a_screen_that_misses_a_tap_makes_it_a_lost_one(echo: Host, load: Load):
    table = EchoTable(echo.port, 1)
    elsewhere = EchoTable(echo.port, 2)
    table.ears[4].sock.close()
    table.ears[4] = elsewhere.ears[4]
    table.ears[4].table = table
    load.seat(table)
    played = load.play(evenly(20, load.dice), seconds=0.2, light=True)
    assert played.lost == played.asked > 1
    assert not played.sustained
    elsewhere.close()


def test_a_tap_that_had_to_wait_counts_from_when_it_was_due(echo: Host, load: Load):
    load.seat(echo.table(0))
    nine_at_once = iter([0.0] * 9 + [PATIENCE])
    played = load.play(nine_at_once, seconds=PATIENCE)
    assert len(played.times) == 9
    assert played.times == sorted(played.times), "each one waited for those before it"


def found(search: Search, holds: Callable[[float], bool]) -> float:
    while not search.over:
        search.tried(holds(search.pace))
    return search.held


def test_at_light_load_the_load_may_be_late_itself(echo: Host, load: Load, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("load.nap", lambda *_: 0.3)  # it oversleeps
    load.seat(echo.table(0))
    for light in (True, False):
        began = time.perf_counter()
        played = load.play(iter([0.1, PATIENCE]), seconds=PATIENCE, light=light)
        assert len(played.times) == 1
        counts_from_when_it_was_sent = load.tables[0].due > began + 0.3
        assert counts_from_when_it_was_sent == light


def test_also_at_light_load_whoever_had_to_wait_counts_from_when_it_was_due(echo: Host, load: Load):
    load.seat(echo.table(0))
    played = load.play(iter([0.0] * 9 + [PATIENCE]), seconds=PATIENCE, light=True)
    assert played.times == sorted(played.times)


@pytest.mark.parametrize("most", [90, 100, 310, 1_000])
def test_the_highest_pace_is_found_from_a_wrong_guess(most: float):
    tried = []

    def holds(pace: float) -> bool:
        tried.append(pace)
        return pace <= most

    assert most / 1.05 < (held := found(Search(300, steps=12), holds)) <= most
    assert held in tried


def test_whoever_stumbles_once_may_try_again():
    stumbles = itertools.cycle([True, False])
    assert found(Search(300, steps=12), lambda pace: pace <= 310 and not next(stumbles)) > 310 / 1.05


def test_a_pace_that_is_never_held_is_none():
    assert found(Search(300, steps=5), lambda pace: False) == 0


def test_who_is_first_changes_from_turn_to_turn():
    assert list(in_turn(["ours", "theirs", "echo"], 3)) == [
        "ours", "theirs", "echo", "theirs", "echo", "ours", "echo", "ours", "theirs",
    ]  # fmt: skip


def test_a_server_stands_still_until_its_turn_comes(tmp_path: Path):
    """And goes on where it was: the same people tap at the same tables."""
    sittings = [Sitting(Echo(tmp_path), 2), Sitting(Ours(tmp_path), 2)]
    try:
        for sitting in sittings:
            sitting.sit(2)
        for sitting in in_turn(sittings, 3):
            played = sitting.calm(partial(by_chance, 40), 0.5)
            assert len(played.times) == played.asked > 5
            assert all(psutil.Process(one.host.process.pid).status() == psutil.STATUS_STOPPED for one in sittings)
    finally:
        for sitting in sittings:
            sitting.close()


def test_at_light_load_nobody_sleeps_while_a_tap_is_under_way_nor_shortly_before_the_next():
    assert nap(1.0, light=True, under_way=1) == 0
    assert nap(1.0, light=True, under_way=0) == pytest.approx(1.0 - DOZE)
    assert nap(DOZE / 2, light=True, under_way=0) == 0
    assert nap(1.0, light=False, under_way=1) > 0


def test_what_is_looked_for_is_found_across_two_pieces(echo: Host):
    table = EchoTable(echo.port, 1)
    word = table.shows(0)
    assert heard_by(table, [word[:5], word[5:]])
    assert not heard_by(table, [word[:5], b" ", word[5:]])
    table.close()


def heard_by(table: Table, pieces: list[bytes]) -> bool:
    """Whether the first screen has seen a tap that was sent to it like this."""
    table.expected, table.taps, table.waiting = table.shows(0), table.taps + 1, 9
    for piece in pieces:
        heard[: len(piece)] = piece
        table.ears[0].hear(len(piece))
    return table.waiting == 8


def test_a_phone_speaks_web_socket():
    assert frame(0x81, b"hi") == b"\x81\x82\0\0\0\0hi"
    assert frame(0x82, bytes(300))[:4] == b"\x82\xfe\x01\x2c"


def test_the_page_has_medians_and_says_how_we_compare(capsys: pytest.CaptureFixture[str]):
    results = Results(rounds=3, load_before=0)
    for value in (1, 30, 2):
        results.add("Companion", "cold start, s", value)
        results.add("Colyseus", "cold start, s", value * 2)
    for name in ("Companion", "Colyseus"):
        results.count(name, seen=1_200, lost=0)
    head, _, row, seen, lost = results.table()
    assert head == "|  | Companion | Colyseus | ours ÷ Colyseus |"
    assert row == "| cold start, s | 2.00 | 4.00 | 0.50× |"
    assert "1,200" in seen
    assert lost.startswith("| taps lost | 0 | 0 |")
