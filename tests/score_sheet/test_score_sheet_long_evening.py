"""In a long evening a tap reads, draws and stores no more than in a short one."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from companion.engine.links import Link
from companion.engine.room_rules import Start
from companion.engine.snapshot import decode, encode
from companion.game import TABLE, Seat
from companion.games.score_sheet import GAME
from companion.games.score_sheet.rules import Correct, Enter, Finish
from companion.games.score_sheet.setup import Setup
from companion.games.score_sheet.state import Sheet
from companion.testing import NAMES, apply
from companion.web.own_regions import Viewer

SEATS = tuple(Seat(n) for n in range(1, 5))


class Watched(tuple):
    """Rows that count how often they are read."""

    looks = 0

    def __getitem__(self, place: Any) -> Any:
        Watched.looks += len(range(*place.indices(len(self)))) if isinstance(place, slice) else 1
        return super().__getitem__(place)

    def __iter__(self) -> Any:
        for row in super().__iter__():
            Watched.looks += 1
            yield row

    def index(self, *wanted: Any) -> int:
        raise AssertionError("nobody searches the whole evening")


class Evening:
    """A table after some rounds, with all its screens."""

    def __init__(self, easel, rounds: int, **setup: Any) -> None:
        self.tables, self.screens = easel.services.tables, easel.services.screens
        now = self.tables.open(GAME, Setup(**setup))
        for name in NAMES[: len(SEATS)]:
            self.tables.sit(now.id, name)
        self.now = self.tables.act(now.id, TABLE, Start())
        for n in range(rounds):
            for seat in SEATS:
                self.writes(seat, n % 40)
        self.shown = self.look()

    def writes(self, seat: Seat, points: int) -> None:
        self.now = self.tables.act(self.now.id, seat, Enter(points=points))

    def look(self) -> dict[int, str]:
        """Everybody's screen."""
        shown = {}
        for seat in (TABLE, *SEATS):
            screen = self.screens.draw(Viewer(Link(self.now.id, seat, 1), "en", "", "http://192.0.2.1:8000"))
            shown[int(seat)] = "".join(region.html.decode() for region in screen.regions)
        return shown

    def looks_of_a_tap(self) -> int:
        """How many earlier rows one tap reads, with all screens drawn."""
        state = msgspec.structs.replace(
            self.now.state, closed=Watched(self.now.state.closed), notes=Watched(self.now.state.notes)
        )
        self.tables.reader.cache.evict(self.now.id)
        self.now = self.tables.reader.cache.put(replace(self.now, state=state))
        Watched.looks = 0
        self.writes(SEATS[0], 3)
        self.look()
        return Watched.looks


def test_a_tap_looks_at_no_more_of_a_long_evening_than_of_a_short_one(easel):
    few, many = (Evening(easel, rounds).looks_of_a_tap() for rounds in (10, 250))
    assert many == few > 0


def test_complete_rounds_and_the_chart_are_drawn_again_only_when_a_round_is_complete(easel):
    evening = Evening(easel, 50)
    chart, rows = picture(evening.shown[1]), rounds(evening.shown[1])
    evening.writes(SEATS[0], 77)
    shown = evening.look()[2]
    assert picture(shown) == chart
    assert rounds(shown) == rows
    for seat in SEATS[1:]:
        evening.writes(seat, 1)
    shown = evening.look()[2]
    assert picture(shown) != chart
    assert rounds(shown)[0] == ("51", ["77", "1", "1", "1"])


def test_a_correction_of_a_complete_round_is_seen_at_once(easel):
    evening = Evening(easel, 20)
    chart = picture(evening.shown[1])
    evening.now = evening.tables.act(evening.now.id, TABLE, Correct(cell=19, points=99, seat=SEATS[1]))
    shown = evening.look()[3]
    assert picture(shown) != chart
    assert rounds(shown)[1] == ("19", ["18", "99", "18", "18"])


def test_the_chart_of_many_entries_grows_by_as_many_as_there_are_players(easel):
    evening = Evening(easel, 50, mode="running")
    chart = picture(evening.shown[1])
    for seat in SEATS:
        assert picture(evening.look()[1]) == chart
        evening.writes(seat, 50)
    assert picture(evening.look()[1]) != chart


def test_when_it_is_over_the_chart_has_all_that_was_written(easel):
    sheet = apply(GAME, laid(rounds=3), SEATS[0], Enter(points=900)).state
    assert ">903<" not in picture(easel.draw(GAME, sheet, 1))
    assert ">903<" in picture(easel.draw(GAME, apply(GAME, sheet, 1, Finish()).state, 1))


def test_a_phone_that_shows_no_rank_is_not_drawn_again_for_it():
    sheet = laid(rounds=3)
    after = apply(GAME, sheet, SEATS[0], Enter(points=900)).state
    assert sheet.ranks() != after.ranks()
    assert GAME.seat_view(sheet, SEATS[1]) == GAME.seat_view(after, SEATS[1])


def test_a_complete_round_is_kept_as_its_numbers():
    short, long = laid(rounds=100), laid(rounds=200)
    assert len(encode(long)) - len(encode(short)) < 100 * len("[1,1,1,1],") + 10
    assert decode(encode(long), Sheet) == long


@pytest.mark.parametrize(
    ("kept", "totals"),
    [
        (
            b'{"setup":{"mode":"rounds","scorer":"everyone","wins":"high","rounds":null,"target":null},"seats":[2,1],'
            b'"rounds":[{"1":5,"2":-1},{"2":7},{"1":3}],"entries":[],"away":[],"finished":false}',
            {1: 8, 2: 6},
        ),
        (
            b'{"setup":{"mode":"running","scorer":"everyone","wins":"high","rounds":null,"target":null},"seats":[1,2],'
            b'"rounds":[{}],"entries":[{"seat":1,"points":5},{"seat":9,"points":4},{"seat":1,"points":-2}],'
            b'"away":[2],"finished":false}',
            {1: 3, 2: 0},
        ),
    ],
)
def test_a_sheet_that_an_older_companion_has_kept_goes_on(easel, kept, totals):
    sheet = decode(kept, Sheet)
    assert sheet.totals() == totals
    assert decode(encode(sheet), Sheet) == sheet
    after = apply(GAME, sheet, 2, Enter(points=10)).state
    assert after.totals() == totals | {2: totals[2] + 10}
    assert "Your place" not in easel.draw(GAME, after, 1)
    fixed = apply(GAME, after, 0, Correct(cell=1, points=50, seat=SEATS[0])).state
    assert fixed.totals()[SEATS[0]] == totals[1] + 45


def laid(rounds: int) -> Sheet:
    return Sheet(Setup(), SEATS, (*(dict.fromkeys(SEATS, 1) for _ in range(rounds)), {}))


def picture(html: str) -> str:
    return re.search(r"<figure.*?</figure>", html, re.DOTALL)[0]


def rounds(html: str) -> list[tuple[str, list[str]]]:
    """The rows on the page: number and cells."""
    rows = re.findall(r'<th scope="row">(\d+)</th>(.*?)</tr>', html, re.DOTALL)
    return [(number, re.findall(r"<td>(.*?)</td>", cells)) for number, cells in rows]
