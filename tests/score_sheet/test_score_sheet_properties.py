"""Whatever people write, in whatever order: totals add up, every game can end, and nothing breaks."""

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
from companion.games.score_sheet.state import Setup, Sheet
from companion.testing import apply

points = st.integers(-50, 50)
seats = st.integers(1, 6).map(Seat)
taps = st.one_of(
    st.builds(Enter, points=points),
    st.builds(EnterAll, points=st.dictionaries(seats, points, max_size=5)),
    st.builds(Correct, cell=st.integers(1, 8), points=points, seat=seats),
    st.builds(CorrectMine, cell=st.integers(1, 8), points=points),
    st.just(CloseRound()),
    st.just(Finish()),
    st.just(Latecomer()),
    st.just(Leaves()),
    st.just(GoesAway()),
    st.just(ComesBack()),
)
setups = st.builds(
    Setup,
    mode=st.sampled_from(["rounds", "running"]),
    scorer=st.sampled_from(["everyone", "host"]),
    wins=st.sampled_from(["high", "low"]),
    rounds=st.none() | st.integers(1, 4),
    target=st.none() | st.integers(1, 80),
)


@settings(max_examples=150, deadline=None)
@given(setup=setups, players=st.integers(2, 5), evening=st.lists(st.tuples(seats, taps), max_size=40))
def test_any_evening_adds_up(setup, players, evening):
    sheet: Sheet = start(setup, tuple(Seat(n) for n in range(1, players + 1)), None).state
    for seat, tap in evening:
        if isinstance(tap, Latecomer) == (seat in sheet.seats):
            continue  # who sits here is no latecomer, and only who sits here taps
        before = encode(sheet)
        try:
            step = apply(GAME, sheet, seat, tap)
        except NotAllowed as refusal:
            assert refusal.say.text
            assert encode(sheet) == before
            continue
        sheet = step.state
        assert decode(encode(sheet), Sheet) == sheet
        written = (
            sum(p for round in sheet.all_rounds() for s, p in round.items() if s in sheet.seats)
            if sheet.by_rounds
            else sum(p for s, p in sheet.notes if s in sheet.seats)
        )
        assert sum(sheet.totals().values()) == written
        assert_same(sheet, decode(as_it_was_kept(sheet), Sheet))
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
    if not sheet.over and (sheet.open or sheet.closed or sheet.notes):
        assert apply(GAME, sheet, 1, Finish()).state.over


def as_it_was_kept(sheet: Sheet) -> bytes:
    """The sheet in the form of older evenings, round by round and entry by entry, without any sum."""
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
