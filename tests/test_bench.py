"""The benchmark's own arithmetic, and a short run of both servers that it compares."""

from __future__ import annotations

import itertools
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from here import ROOT
from playwright.sync_api import Browser

sys.path.append(str(ROOT))

from bench.boardgame_io_client import frame
from bench.companion_client import CompanionTable, Form, find_form, open_table
from bench.load import SCREENS, Load, Screen, Table, percentile
from bench.paint import Measured
from bench.peer_phones import table
from bench.peers import FIGURES, RateSearch, Results
from bench.phones import Phone, Update, tap
from bench.servers import BoardgameIo, Companion


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    with closing(Companion(tmp_path)) as server:
        yield server


def test_a_percentile_is_interpolated_between_neighbours():
    assert percentile(range(101), 99) == 99
    assert percentile([1.0, 2.0], 50) == 1.5


@pytest.fixture
def phones(chromium: Browser) -> Iterator[tuple[Phone, Phone]]:
    phones = Phone(chromium), Phone(chromium)
    yield phones
    for phone in phones:
        phone.close()


PAGE = """data:text/html,<meta name="viewport" content="width=device-width"><section id="you"><form method="post">
<button>Tap</button></form><p></p><p data-from="1"></p></section><p></p><script>document.forms[0].onsubmit = (event) =>
{ event.preventDefault(); event.target.className = "waits"; %s }</script>"""


def test_a_tap_is_painted_when_something_in_a_region_has_changed(phones: tuple[Phone, Phone]):
    ann, ben = phones
    ann.opens(PAGE % 'document.querySelector("%23you p").textContent = "done"')
    ben.opens(PAGE % "")
    at = ann.aim("form", 0, {})
    assert at is not None
    on_anns, on_bens = tap(ann, ben, at)
    assert on_bens is None, "nothing has changed there"
    assert on_anns is not None
    assert on_anns.tapped < on_anns.painted < on_anns.tapped + 5
    assert on_anns.main_thread > 0


@pytest.mark.parametrize("place", ["body > p", "[data-from]"])
def test_messages_and_figures_that_count_are_no_paint(phones: tuple[Phone, Phone], place: str):
    ann, ben = phones
    ann.opens(PAGE % f'document.querySelector("{place}").textContent = "7"')
    ben.opens(PAGE % "")
    at = ann.aim("form", 0, {})
    assert at is not None
    assert tap(ann, ben, at) == (None, None)


def found(search: RateSearch, holds: Callable[[float], bool]) -> float:
    while not search.over:
        search.tried(holds(search.rate))
    return search.sustained


@pytest.mark.parametrize("most", [90, 100, 310, 1_000])
def test_the_highest_sustained_rate_is_found_from_a_wrong_guess(most: float):
    assert most / 1.05 < found(RateSearch(300, rates=12), lambda rate: rate <= most) <= most


def test_a_rate_that_fails_once_is_tried_again():
    stalls = itertools.cycle([True, False])
    assert found(RateSearch(300, rates=12), lambda rate: rate <= 310 and not next(stalls)) > 310 / 1.05


def test_no_rate_is_sustained_if_all_fail():
    assert found(RateSearch(300, rates=5), lambda rate: False) == 0


def test_a_form_is_read_with_its_tap_id_whatever_the_order_of_its_attributes():
    page = (
        b'<form action="/other"><input name="tap" value="Open"></form>'
        b'<form hx-post="/s/1"><input value="7.&amp;a" name="tap_id" type="hidden"><input name="tap" value="Cast">'
        b'<input type="radio" name="side" value="left"><input type="radio" name="side" value="right" checked></form>'
    )
    assert find_form(page, "/s/1", "Cast") == Form("/s/1", {"tap_id": "7.&a", "tap": "Cast", "side": "right"})
    assert find_form(page, "/s/1", "Open") == Form("/other", {"tap": "Open"})
    assert find_form(page, "/s/1", "Knock") is None


def test_a_websocket_frame_is_masked_and_has_its_length():
    assert frame(b"hi") == b"\x81\x82\0\0\0\0hi"
    assert frame(bytes(300))[:4] == b"\x81\xfe\x01\x2c"


class LoopbackScreen(Screen):
    """A screen that shows all that it receives."""

    def received(self, data: bytes) -> None:
        self.message(data)


class LoopbackTable(Table):
    """Nine screens that show a tap immediately, without a server."""

    def __init__(self, load: Load) -> None:
        super().__init__(load)
        self.servers = []
        for _ in range(SCREENS):
            ours, theirs = socket.socketpair()
            LoopbackScreen(self, ours)
            self.servers.append(theirs)

    def send(self, number: int) -> bytes:
        for server in self.servers:
            server.send(b"tap %d;" % number)
        return b"tap %d;" % number


@pytest.fixture
def load() -> Iterator[Load]:
    with closing(Load()) as load:
        yield load
        for table in load.tables:
            for server in table.servers:
                server.close()


def test_a_tap_that_waits_counts_from_when_it_was_due(load: Load):
    LoopbackTable(load)
    latencies = load.play(rate=1_000_000, seconds=0.000_02)
    assert len(latencies) > 9
    assert latencies == sorted(latencies), "all were due at once, and each one waited for those before it"


def test_after_the_warm_up_tables_are_out_of_step(load: Load):
    for _ in range(11):
        LoopbackTable(load)
    load.saturate(0)
    assert [table.taps % 9 for table in load.tables] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1]


def test_every_tap_reaches_nine_screens_and_every_ninth_opens_the_box(companion: Companion):
    companion.open_table()
    samples = companion.load.one_by_one(companion.load.tables, 27, companion.cpu)
    assert [sample.opens_box for sample in samples] == ([False] * 8 + [True]) * 3
    assert all(sample.shown > 0 and sample.answered > 0 and sample.cpu > 0 for sample in samples)


def test_tables_can_be_played_after_the_server_was_restarted(companion: Companion):
    paths = open_table(companion.port)
    companion.restart()
    CompanionTable(companion.load, companion.port, paths, senders=1)
    companion.load.saturate(0)
    assert companion.load.count() == 9


def test_a_budget_is_met_or_missed_by_the_ratio_of_the_medians():
    results = Results()
    for figure in FIGURES:
        results.values[figure, Companion.name] = [1.0, 30.0, 2.0]
        results.values[figure, BoardgameIo.name] = [1.9, 1.9, 1.9]
    table = results.table().splitlines()
    assert table[2].endswith("| 2.00 (1.00, 30.0, 2.00) | 1.90 (1.90, 1.90, 1.90) | 1.05x | <= 1.2x | met |")
    assert table[3].endswith("| 1.05x | <= 1.0x | **missed** |")
    assert table[6].endswith("| 1.05x | >= 1.0x | met |")


def test_the_phones_of_all_peers_are_compared():
    measured = {}
    for name, late in (("Companion", 0.0), ("Colyseus", 0.05)):
        measured[name] = Measured()
        for number in range(3):
            mine = Update(tapped=number, painted=number + 0.06 + late, main_thread=0.03, pressed=0.016)
            measured[name].add("vote", mine, mine._replace(main_thread=0.05))
    lines = table(measured).splitlines()
    assert lines[0] == "| two phones, CPU 6 times slower: p50 / p95, ms | Companion | Colyseus | budget | |"
    assert lines[3] == "| tap to paint, own phone | 60 / 60 | 110 / 110 | <= 100 | met |"
    assert lines[6] == "| main thread, who watches | 50 / 50 | 50 / 50 | <= 40 | **missed** |"
