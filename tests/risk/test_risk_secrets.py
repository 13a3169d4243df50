"""Blades, missions and Power cards stay secret: screens drawn for other cards are equal, byte for byte."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from risk_talk import ANN, BEN, Board, filled
from test_risk_games import any_tap

from companion.engine.links import WATCHER
from companion.game import TABLE, Dice, NotAllowed, Seat
from companion.games.risk import GAME, cards, missions
from companion.games.risk.notebook import Blade, Mission, Notebook, Power
from companion.games.risk.state import Underworld
from companion.testing import Easel, Table

PLACES = ((), ("Cork",), ("Cork", "Place 2"))
"""Named territories of a mission. Only its owner sees its count."""


def another_notebook(chance: random.Random, state: Underworld, seat: Seat) -> Notebook:
    """Return a notebook with other cards; only the played ones are the same."""
    old, gone = state.notebooks[seat], state.played.get(seat, ())
    first = old.written + 1
    return Notebook(
        unturned=chance.randint(0, 3),
        blades=(
            *(card for card in old.blades if card.id in gone),
            *(Blade(first + n, chance.choice((1, 2))) for n in range(chance.randint(0, 5))),
        ),
        missions=(
            *(card for card in old.missions if card.id in gone),
            *(
                Mission(first + 10 + n, f"secret {n}", 7, 2, chance.choice((None, -3)), chance.choice(PLACES))
                for n in range(2)
            ),
        ),
        powers=(*(card for card in old.powers if card.id in gone), Power(first + 20, "secret power")),
        chosen=chance.choice((None, ())),
        turned=chance.randint(0, 3),
        written=first + 30,
    )


def outcome(state: Underworld, seat: Seat, tap: Any, seed: int) -> Any:
    """Return everything that comes back from a tap except the new state."""
    try:
        step = GAME.rules[type(tap)](state, seat, tap, Dice(random.Random(seed)))
    except NotAllowed as refusal:
        return filled(refusal.say)
    return [filled(line.say) for line in step.lines], step.sealed, step.note, step.secret


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(players=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_no_seat_and_no_shared_screen_can_tell_what_another_has_noted(easel: Easel, players: int, seed: int):
    chance = random.Random(seed)
    state = Board(players, die_spaces=(2, 3), bonus={1: 4}, names=True).state
    for turn in range(40):
        owner = Seat(chance.randint(1, players))
        twin = state.with_notebook(owner, another_notebook(chance, state, owner))
        assert twin != state
        others = [seat for seat in state.seats if seat != owner]
        if turn % 8 == 0:
            for viewer in (*others, TABLE, Seat(WATCHER)):
                assert easel.draw(GAME, state, viewer) == easel.draw(GAME, twin, viewer)
            assert easel.draw(GAME, state, owner) != easel.draw(GAME, twin, owner)
        tap = any_tap(chance, state)
        somebody = chance.choice((*others, TABLE)) if tap.by != "seat" else chance.choice(others)
        assert outcome(state, somebody, tap, seed) == outcome(twin, somebody, tap, seed)
        who = state.current.seat if chance.random() < 0.8 else somebody
        if tap.by == "seat" and who == TABLE:
            who = state.current.seat
        try:
            state = GAME.rules[type(tap)](state, who, tap, Dice(chance)).state
        except NotAllowed:
            continue
        if state.ending:
            break


def test_the_host_and_a_player_with_the_shared_screen_see_no_more(easel: Easel):
    state = Board(3).tap(ANN, missions.AddMission("West Midlands", 8, 3)).state
    twin = Board(3).state
    assert easel.draw(GAME, state, BEN, host=int(BEN)) == easel.draw(GAME, twin, BEN, host=int(BEN))
    assert easel.draw_passed(GAME, state, BEN) == easel.draw_passed(GAME, twin, BEN)
    assert "West Midlands" in easel.draw_passed(GAME, state, ANN)


def test_the_shared_screen_and_strangers_are_given_no_hand_to_draw():
    state = Board(3).tap(ANN, cards.AddBlade(2)).state
    assert GAME.screen_view(state).hand is None
    assert GAME.seat_view(state, BEN).hand.count == 0
    assert GAME.seat_view(state, Seat(9)).hand is None


def test_what_is_played_is_public_and_nothing_else(easel: Easel):
    board = Board(3)
    for text in ("Lend a die", "Burn the docks"):
        board.tap(ANN, missions.TurnPower(text, "keep")).tap(ANN, missions.Unturned(1))
    board.tap(ANN, missions.PlayPower(1))
    lines = tuple(board.last.lines)
    seen = easel.draw(GAME, board.state, BEN, lines=lines)
    assert "Lend a die" in seen
    assert "Burn the docks" not in seen


# -------------------------------------------------------------------------------- over the wire


def without_version(html: str) -> str:
    return re.sub(r'data-version="\d+"', "", html)


def test_a_note_changes_no_other_screen_and_does_not_stop_take_back(seated: Callable[..., Table]):
    table = seated("risk", players=3)
    table.shared.taps("Starts", first=1)
    table.shared.taps("Begin")
    table["Ann"].taps("Onward", step="attack")
    everybody_else = (table["Ann"], table["Cleo"], table.shared)
    before = [without_version(screen.screen()) for screen in everybody_else]
    assert table["Ben"].taps("AddMission", text="Hold Cork", reward=5, turns=2).shows("Hold Cork")
    assert table["Ben"].taps("AddBlade", blades=2).status == 200
    assert table["Ben"].taps("Trade").message == "You can only trade during your own turn."
    assert [without_version(screen.screen()) for screen in everybody_else] == before
    assert table["Ann"].presses("Take back").shows("takes back: the last step")
    assert table["Ben"].shows("Hold Cork")
    assert not table["Ann"].shows("Cork")
    assert not table.shared.shows("Cork")


def test_the_whole_history_does_not_show_notes(seated: Callable[..., Table]):
    table = seated("risk", players=2)
    table.shared.taps("Starts", first=1)
    table.shared.taps("Begin")
    table["Ann"].taps("AddMission", text="Hold Cork", reward=5, turns=2)
    for person in (table["Ann"], table["Ben"], table.shared):
        history = person.client.get(f"{person.path}/history").text
        assert "Cork" not in history
        assert "starts." in history


def test_the_same_state_is_drawn_the_same(easel: Easel):
    """The tests above rely on this."""
    state = Board(3).tap(ANN, cards.AddBlade(2)).state
    again = msgspec.structs.replace(state)
    for viewer in (ANN, BEN, TABLE, Seat(WATCHER)):
        assert easel.draw(GAME, state, viewer) == easel.draw(GAME, again, viewer)
