"""Random sheets: totals add up, every game can end, and nothing breaks."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.snapshot import decode, encode
from companion.game import ComesBack, GoesAway, Latecomer, Leaves, NotAllowed, Seat
from companion.games.score_sheet import GAME
from companion.games.score_sheet.record import whole_record
from companion.games.score_sheet.rules import (
    CloseRound,
    Correct,
    CorrectMine,
    Enter,
    EnterAll,
    Finish,
    start,
)
from companion.games.score_sheet.setup import Setup
from companion.games.score_sheet.state import Sheet
from companion.games.score_sheet.teams import JoinTeam, MixTeams, MoveToTeam, TeamsAreMade
from companion.testing import apply

points = st.integers(-50, 50)
seats = st.integers(1, 6).map(Seat)
cells = st.none() | st.integers(1, 4)
teams = st.integers(1, 4)
taps = st.one_of(
    st.builds(Enter, points=points, cell=cells),
    st.builds(EnterAll, points=st.dictionaries(seats, points, max_size=5), cell=cells),
    st.builds(Correct, cell=st.integers(1, 8), points=points, seat=seats),
    st.builds(CorrectMine, cell=st.integers(1, 8), points=points),
    st.just(CloseRound()),
    st.just(Finish()),
    st.just(Latecomer()),
    st.just(Leaves()),
    st.just(GoesAway()),
    st.just(ComesBack()),
    st.builds(JoinTeam, team=teams),
    st.builds(MoveToTeam, seat=seats, team=teams),
    st.just(MixTeams()),
    st.just(TeamsAreMade()),
)
setups = st.builds(
    Setup,
    mode=st.sampled_from(["rounds", "running", "categories"]),
    categories=st.sampled_from(["One", "One, Two, Three"]),
    teams=st.none() | st.integers(2, 4),
    team_names=st.sampled_from([None, "Owls", "Owls, Mice, Cats"]),
    scorer=st.sampled_from(["everyone", "host"]),
    wins=st.sampled_from(["high", "low"]),
    rounds=st.none() | st.integers(1, 4),
    target=st.none() | st.integers(1, 80),
)


@settings(max_examples=150, deadline=None)
@given(
    setup=setups, players=st.integers(2, 5), evening=st.lists(st.tuples(seats, taps), max_size=40), made=st.booleans()
)
def test_any_evening_adds_up(setup, players, evening, made):
    sheet: Sheet = start(setup, tuple(Seat(n) for n in range(1, players + 1)), None).state
    if made and sheet.forming:
        sheet = apply(GAME, sheet, Seat(0), TeamsAreMade()).state
    for seat, tap in evening:
        if isinstance(tap, Latecomer) == (seat in sheet.seats):
            continue  # only seated players tap, and they are no latecomers
        before = encode(sheet)
        try:
            step = apply(GAME, sheet, seat, tap)
        except NotAllowed as refusal:
            assert refusal.say.text
            assert encode(sheet) == before
            continue
        sheet = step.state
        assert decode(encode(sheet), Sheet) == sheet
        assert sum(sheet.totals().values()) == written(sheet)
        if not sheet.by_categories and not sheet.team_of:
            assert_same(sheet, decode(as_it_was_kept(sheet), Sheet))
        assert_sides(sheet, setup)
        assert min(sheet.ranks().values()) == 1
        assert len(sheet.seats) >= 2
        GAME.table_view(sheet)
        GAME.record_view(sheet)
        GAME.host_view(sheet)
        for somebody in sheet.seats:
            GAME.seat_view(sheet, somebody)
        result = GAME.result(sheet)
        assert (result is not None) == sheet.over
        if result:
            best = max(result.points.values()) if setup.wins == "high" else min(result.points.values())
            assert {result.points[winner] for winner in result.winners} == {best}
            assert set(result.winners) == {seat for seat, mine in result.points.items() if mine == best}
            assert set(result.teams) == (set(sheet.seats) if sheet.team_of else set())
            assert GAME.feats([sheet]) == GAME.feats([decode(encode(sheet), Sheet)])
            GAME.charts([sheet])
    if not sheet.over and not sheet.is_empty:
        assert apply(GAME, sheet, 1, Finish()).state.over


def written(sheet: Sheet) -> int:
    """Add up every number of the sides that still play."""
    sides = sheet.sides
    if sheet.by_categories:
        cells = (sheet.cell(side, number) for side in sides for number in range(1, len(sheet.filled) + 1))
        return sum(cell or 0 for cell in cells)
    if sheet.by_rounds:
        return sum(p for round in sheet.all_rounds() for side, p in round.items() if side in sides)
    return sum(p for side, p in sheet.notes if side in sides)


def assert_sides(sheet: Sheet, setup: Setup) -> None:
    """Check that everybody is on exactly one side, and that there are no points before the teams are set."""
    assert sorted(seat for side in sheet.sides for seat in sheet.members(side)) == sorted(sheet.seats)
    assert bool(sheet.team_of) == (setup.team_count > 0)
    assert len(sheet.sides) >= 2 or sheet.forming
    if sheet.forming:
        assert sheet.is_empty
        assert not sheet.over
    if sheet.by_categories and not sheet.finished:
        complete = all(sheet.cell(s, n + 1) is not None for s in sheet.sides for n in range(len(sheet.filled)))
        assert sheet.over == complete


def as_it_was_kept(sheet: Sheet) -> bytes:
    """The sheet in the format of older versions, without sums."""
    older = {
        "setup": sheet.setup,
        "seats": sheet.seats,
        "rounds": list(sheet.all_rounds()),
        "entries": [{"seat": seat, "points": points} for seat, points in sheet.notes],
        "away": sheet.away,
        "finished": sheet.finished,
    }
    return encode(older)


def assert_same(sheet: Sheet, other: Sheet) -> None:
    assert list(sheet.all_rounds()) == list(other.all_rounds())
    assert sheet.notes == other.notes
    assert sheet.totals() == other.totals()
    assert (sheet.over, sheet.winners()) == (other.over, other.winners())
    assert whole_record(sheet).series() == whole_record(other).series()
