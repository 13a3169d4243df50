"""The players' page: per game, per player, streaks, head to head, and plots."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.results import Played, Player
from companion.engine.standings import by_game, standing, wins_over_time
from companion.game import Seat
from companion.testing import House, Table, text_of
from companion.testing.windows import assert_accessible

NAMES = ("Ann", "Ben", "Cleo")


def result(n: int, *winners: int, points: tuple[int, ...] = (), game: str = "score_sheet", over: bool = True) -> Played:
    players = tuple(Player(Seat(seat), name) for seat, name in enumerate(NAMES, 1))
    return Played(
        f"table{n}", "night", "CODE", game, float(n), float(n), players, over=over,
        winners=tuple(map(Seat, winners)), points={Seat(seat): mine for seat, mine in enumerate(points, 1)},
    )  # fmt: skip


def by_name(one: Played, player: Player) -> str:
    return player.name


def test_a_streak_is_broken_by_a_game_without_a_win():
    results = [result(n, who) for n, who in enumerate((1, 1, 1, 2, 1, 1))]
    ann, ben, cleo = (next(one for one in standing(results, by_name) if one.name == name) for name in NAMES)
    assert (ann.streak, ann.longest_streak) == (2, 3)
    assert (ben.streak, ben.longest_streak) == (0, 1)
    assert (cleo.streak, cleo.longest_streak) == (0, 0)


def test_a_game_that_was_not_played_to_its_end_breaks_nothing():
    results = [result(1, 1), result(2, over=False), result(3, 1)]
    assert standing(results, by_name)[0].streak == 2


def test_a_game_knows_its_record_its_masters_and_when_it_was_played_last():
    results = [
        result(1, 1, points=(9, 4, 1)), result(2, 2, points=(1, 12, 3)), result(3, 1, points=(8, 2, 2)),
        result(4, 3, game="risk"),
    ]  # fmt: skip
    sheet, risk = by_game(results, by_name)
    assert (sheet.played, sheet.last, sheet.masters, sheet.record) == (3, 3.0, ("Ann",), ("Ben", 12))
    assert (risk.game, risk.masters, risk.record) == ("risk", ("Cleo",), None)


def test_where_fewest_win_the_record_is_the_fewest():
    assert by_game([result(1, 3, points=(9, 4, 1)), result(2, 1, points=(2, 5, 7))], by_name)[0].record == ("Cleo", 1)


@given(st.lists(st.sampled_from([(1,), (2,), (3,), (1, 2), (2, 3)]), max_size=30))
def test_the_course_of_the_wins_ends_in_the_standing(winners):
    results = [result(n, *who) for n, who in enumerate(winners)]
    tallies = standing(results, by_name)
    courses = wins_over_time(results, by_name, [tally.who for tally in tallies])
    for tally in tallies:
        course = courses[tally.who]
        assert course[0] == 0
        assert course[-1] == tally.wins
        assert len(course) == len(results) + 1
        assert tally.longest_streak <= tally.wins
        assert tally.streak <= tally.longest_streak


@pytest.fixture
def own_house(tmp_path) -> Iterator[House]:
    """A companion at which nobody else has ever played."""
    house = House(tmp_path / "data").start()
    yield house
    house.stop()


def games(house: House, *rounds: tuple[int, ...]) -> Table:
    """One game of the score sheet after the other."""
    table = house.opens("score_sheet", rounds=1)
    for name in NAMES:
        table.sits(name)
    table.starts()
    for n, points in enumerate(rounds):
        if n:
            table.plays_again().starts()
        for seat, mine in zip(table, points, strict=True):
            assert seat.presses("Write down", points=mine).status == 200
    return table


def test_the_page_has_games_streaks_and_plots(own_house):
    table = games(own_house, (5, 3, 1), (9, 2, 4), (1, 8, 2))
    html = table.shared.client.get("/players").text
    shown = text_of(html)
    assert "Score sheet 3" in shown
    assert "3 games · 2 wins · 67% won" in shown
    assert "Longest streak: 2 wins in a row." in shown
    assert "Won the last" not in shown
    assert "Wins, from game to game" in shown
    assert re.search(r'aria-label="Wins, from game to game: Ann 2, Ben 1"', html)
    assert "Games played" in shown


def test_a_streak_that_lasts_is_said(own_house):
    table = games(own_house, (5, 3, 1), (9, 2, 4), (7, 2, 2))
    assert "Longest streak: 3 wins in a row. Won the last 3 games." in text_of(table.shared.client.get("/players").text)


def test_the_page_fits_every_screen(own_house, windows):
    table = games(own_house, (5, 3, 1), (9, 2, 4), (1, 8, 2))
    jar = [{"name": one.name, "value": one.value, "url": table.house.url} for one in table.shared.client.cookies.jar]
    for page in (windows.phone(), windows.wide()):
        page.context.add_cookies(jar)
        page.goto(f"{table.house.url}/players")
        page.get_by_role("heading", name="Games").wait_for()
        assert page.locator(".plots .curve").count() == 2
        assert_accessible(page)
