"""The arithmetic of results: ranks, standings, colours, charts, and the states that count."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import itertools
import re
import sys
import tempfile
import unicodedata
from pathlib import Path

import msgspec
import pytest
from here import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.reader import TableCache, TableReader
from companion.engine.results import Played, Player, StoredStates, played
from companion.engine.room import SHAPES, badges, same_name
from companion.engine.snapshot import HistoryEntry, encode
from companion.engine.standings import of_one_night, standing
from companion.engine.store import TableRow, Version
from companion.game import Chart, Curve, Feat, Line, Say, Seat, most
from companion.games import GAMES
from companion.games.score_sheet.setup import Setup
from companion.games.score_sheet.state import Entry, Sheet
from companion.storage.sqlite import SqliteStore
from companion.web.charts import FINEST, HEIGHT, WIDTH, panelled, picture, round_levels, spread
from companion.web.exports import as_csv, harmless, history_csv

SEATS = [Seat(n) for n in range(1, 9)]
points = st.dictionaries(st.sampled_from(SEATS), st.integers(-999, 999), min_size=2)


def table(totals: dict[Seat, int], *, low: bool = False, over: bool = True) -> Played:
    best = (min if low else max)(totals.values())
    players = tuple(Player(seat, f"Player {int(seat)}") for seat in totals)
    winners = tuple(seat for seat, total in totals.items() if total == best)
    return Played("t", "n", "CODE", "game", 0.0, 60.0, players, over, winners=winners if over else (), points=totals)


@given(points, st.booleans())
def test_ranks_follow_the_points_and_equals_share(totals, low):
    one = table(totals, low=low)
    sign = -1 if one.highest_wins else 1
    if len(set(totals.values())) > 1:
        assert one.highest_wins is not low
    for seat, total in totals.items():
        assert one.rank(seat) == 1 + sum(sign * other < sign * total for other in totals.values())
    assert [one.rank(player.seat) for player in one.ranked] == sorted(one.rank(seat) for seat in totals)


@given(st.lists(points, max_size=6))
def test_a_standing_counts_every_game_and_every_win_once(nights):
    results = [table(totals) for totals in nights] + [table({Seat(1): 1, Seat(2): 2}, over=False)]
    tallies = standing(results, of_one_night(results))
    assert sum(tally.games for tally in tallies) == sum(len(totals) for totals in nights)
    assert sum(tally.wins for tally in tallies) == sum(len(one.winners) for one in results)
    assert [tally.wins for tally in tallies] == sorted((tally.wins for tally in tallies), reverse=True)
    assert standing(results, lambda one, player: same_name(player.name)) == tallies


@given(points)
def test_the_most_is_shared_by_equals_and_is_no_feat_if_all_are_equal(amounts):
    found = most(Say("Most"), amounts)
    if len(set(amounts.values())) == 1:
        assert not found
    else:
        best = max(amounts.values())
        assert found == (Feat(Say("Most"), tuple(seat for seat, n in amounts.items() if n == best), best),)
    assert most(Say("Fewest"), {seat: -n for seat, n in amounts.items()}, fewest=True) == tuple(
        Feat(Say("Fewest"), feat.seats, -feat.n) for feat in found
    )


@given(st.lists(st.none() | st.integers(0, 9), max_size=20))
def test_everybody_has_their_own_badge(wishes):
    unique = [None if wish in wishes[:i] else wish for i, wish in enumerate(wishes)]
    given = badges({Seat(n): wish for n, wish in enumerate(unique, 1)})
    assert len(set(given.values())) == len(given) == len(unique)
    assert all(wish in (None, given[Seat(n)]) for n, wish in enumerate(unique, 1))
    if not any(wish is not None for wish in unique):
        assert [given[Seat(n)] for n in range(1, len(given) + 1)] == list(range(len(given)))


def test_a_badge_is_the_same_shape_in_the_style_sheet_and_in_a_drawing():
    css = (ROOT / "static" / "companion.css").read_text("utf-8")
    drawn = re.findall(r"\.b(\d+) \{ --sym: url\(.*?%3Cpath d='([^']+)'", css)
    shapes = re.findall(r"'(M[^']+)'", (ROOT / "templates" / "_shapes.html").read_text("utf-8"))
    assert [(int(badge), shape) for badge, shape in drawn] == list(enumerate(shapes))
    assert len(set(shapes)) == SHAPES


@given(st.lists(st.lists(st.integers(-500, 500), min_size=2, max_size=30), min_size=1, max_size=8))
def test_a_chart_stays_inside_its_picture(lines):
    drawn = picture(Chart(Say("x"), tuple(Curve(tuple(line), seat=Seat(1)) for line in lines)))
    for curve, line in zip(drawn.curves, lines, strict=True):
        spots = [tuple(map(float, spot.split(","))) for spot in curve.path.split()]
        assert len(spots) == len(line)
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in spots)
        # More is higher up.
        assert all(
            (a[1] > b[1]) == (n < m) or abs(a[1] - b[1]) < 0.2
            for a, b, n, m in zip(spots, spots[1:], line, line[1:], strict=False)
        )


@given(st.lists(st.integers(2, 300), min_size=1, max_size=4))
def test_a_long_curve_is_drawn_at_a_few_of_its_own_points(lengths):
    """Each curve rises by one per point, so the height gives the number."""
    drawn = picture(Chart(Say("x"), tuple(Curve(tuple(range(length))) for length in lengths)))
    left, top, right, bottom = drawn.box
    last = max(lengths) - 1
    for curve, length in zip(drawn.curves, lengths, strict=True):
        spots = [tuple(map(float, spot.split(","))) for spot in curve.path.split()]
        assert len(spots) == length if max(lengths) <= FINEST else len(spots) <= FINEST
        assert all(abs((x - left) / (right - left) - (bottom - y) / (bottom - top)) < 0.001 for x, y in spots)
        assert spots[0] == (left, bottom)
        assert spots[-1][0] == curve.end_x
        assert abs(curve.end_x - (left + (length - 1) * (right - left) / last)) < 0.06, "it is rounded to a tenth"
        assert curve.last == length - 1


@given(st.integers(-99_999, 0), st.integers(0, 99_999))
def test_levels_are_a_few_round_numbers_that_the_curves_reach(low, high):
    levels = round_levels(low, high)
    assert 0 in levels
    assert low <= min(levels) <= max(levels) <= high
    assert 2 <= len(levels) <= 4 or low == high
    step = levels.step
    assert str(step).rstrip("0") in ("1", "2", "4", "5")
    drawn = picture(Chart(Say("x"), (Curve((low, high)),)))
    assert [n for n, _ in drawn.levels] == list(levels)
    heights = dict(zip((low, high), (float(spot.split(",")[1]) for spot in drawn.curves[0].path.split()), strict=True))
    assert all(heights[n] == y for n, y in drawn.levels if n in heights)


@given(st.lists(st.floats(0, HEIGHT), min_size=1, max_size=11))
def test_labels_never_cover_one_another(wanted):
    placed = sorted(spread(wanted))
    assert all(below - above >= 13.9 for above, below in itertools.pairwise(placed))


def test_N9_many_curves_get_a_small_picture_each_in_one_scale():
    lines = [(0, n, 3 * n) for n in range(1, 7)]
    chart = Chart(Say("Coins"), tuple(Curve(line, seat=Seat(n)) for n, line in enumerate(lines, 1)), y=Say("Coins"))
    drawn = panelled(chart)
    assert [panel.curves[0].seat for panel in drawn.panels] == SEATS[:6]
    assert len({(panel.box, panel.levels, panel.steps) for panel in drawn.panels}) == 1
    few = panelled(Chart(Say("Coins"), chart.curves[:4], x=Say("Turns")))
    assert not few.panels
    assert few.steps == 2
    assert few.box[2] < 200, "there is room for names at the ends"


def test_one_number_each_makes_bars():
    drawn = picture(Chart(Say("Votes"), (Curve((4,), seat=Seat(1)), Curve((1,), label=Say("the Crown")))))
    assert [bar.share for bar in drawn.bars] == [100, 25]
    assert picture(Chart(Say("Nothing"), ())) is None


# -------------------------------------------------------------------------------- the states that count


def sheet(total: int) -> Sheet:
    return Sheet(Setup(mode="running"), (Seat(1), Seat(2)), entries=(Entry(Seat(1), total),))


@given(st.lists(st.integers(1, 9) | st.just("back"), max_size=20))
def test_taken_back_states_do_not_count(taps):
    """A tap adds a state; taking back returns to the one before, as a new version."""
    rows, path = [], [(1, 0)]
    rows.append(version(1, 0, step=1))
    for tap in taps:
        number = len(rows) + 1
        if tap == "back":
            if len(path) > 1:
                path.pop()
            rows.append(version(number, path[-1][1], step=path[-1][0]))
        else:
            path.append((number, tap))
            rows.append(version(number, tap, step=number))
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(SqliteStore(Path(folder, "x.sqlite"))) as store:
        assert store.open_table(TableRow("t", "ABCD", "score_sheet", 0.0), rows[0])
        assert all(store.commit(row) for row in rows[1:])
        now = TableReader(store, GAMES, TableCache()).snapshot("t")
        assert list(StoredStates(now, store)) == [sheet(total) for _, total in path]


def version(number: int, total: int, step: int) -> Version:
    return Version("t", number, b"{}", encode(sheet(total)), step, None, 0, 1, 0.0, None, b"[]")


def test_a_game_whose_feats_raise_an_error_still_has_a_result(easel):
    def stumble(states):
        raise ZeroDivisionError

    game = dataclasses.replace(GAMES["score_sheet"], feats=stumble)
    easel.draw(game, msgspec.structs.replace(sheet(5), finished=True), 0)
    one = played(easel.services.reader.snapshot("easel"), [sheet(5)])
    assert one.winners == (Seat(1),)
    assert one.feats == ()


NASTY = st.text("=+-@＝;,|\t\r\n\"' x1", max_size=8)


def cells(text: str, separator: str) -> list[str]:
    """Return the cells of a CSV file, as a spreadsheet with this separator reads it."""
    return [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) for cell in row]


@settings(max_examples=1_000)
@given(NASTY, st.sampled_from(",;\t|"))
def test_no_cell_is_a_formula_with_any_separator(words, separator):
    one = table({Seat(1): -5, Seat(2): 3})
    players = Player(Seat(1), words), Player(Seat(2), f"x{words}")
    one = msgspec.structs.replace(one, players=players, played_as=words, teams={Seat(1): words})
    lines = [HistoryEntry(1, 0.0, Line(Say("{a}", a=words)))]
    for text in (as_csv([one], {}), history_csv(one, lines)):
        for cell in cells(text, separator):
            assert not re.match(r"[=+\-@＝\t\r\n]", cell) or re.fullmatch(r"-?\d+", cell), text


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("=1+1", "'=1+1"),
        ("a;=1", "a;'=1"),
        ("a,-2", "a,'-2"),
        ("@x", "'@x"),
        ("\u200b=1+1", "'\u200b=1+1"),
        ("a;\u2060 \ufeff=1", "a;'\u2060 \ufeff=1"),
        ("\u200e\t=1", "'\u200e\t'=1"),
        ("👩\u200d👧 = b", "👩\u200d👧 = b"),
        ("Zoe-Lou", "Zoe-Lou"),
        ("a = b", "a = b"),
    ],
)
def test_a_cell_like_a_formula_gets_an_apostrophe(name, written):
    assert harmless(name) == written


def test_no_invisible_character_hides_a_formula():
    unseen = [chr(n) for n in range(sys.maxunicode + 1) if unicodedata.category(chr(n)) == "Cf"]
    assert len(unseen) > 100
    assert [one for one in unseen if harmless(f"{one}=1") != f"'{one}=1"] == []
