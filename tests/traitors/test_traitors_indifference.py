"""Indifference: no byte of any page, reply, refusal or stream depends on what its seat may not know."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import get_args, get_type_hints

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from traitors_players import Players, evening, setups
from traitors_talk import GAME
from traitors_twin_evening import heard, plays, tour, twin, wished
from traitors_twin_tables import Twins

from companion.game import Dice, Game, GoesAway, Line, NotAllowed, Rule, Say, Seat, Step
from companion.games.traitors import murder
from companion.games.traitors.agreement import Wish
from companion.games.traitors.banishment import CastVote, RevealVote
from companion.games.traitors.events import DrawEvent
from companion.games.traitors.murder import Answer, RevealMurder
from companion.games.traitors.seat_view import SeatView
from companion.games.traitors.state import EndVote, Evening, Murder, Preparing, Voting


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    twins = Twins(tmp_path_factory.mktemp("twins"))
    yield twins
    twins.close()


@settings(
    max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate]
)  # shrinking a failure takes long and explains nothing more
@given(st.randoms(use_true_random=True), st.integers(4, 8), setups)
def test_no_byte_depends_on_what_its_seat_may_not_know(twins: Twins, chance, players, setup):
    twins.open(chance, players, setup)
    table = Players(chance, players, setup)
    for _ in range(28):
        table.state = twins.one.now.state
        plays(twins, chance, *wished(twins, table, chance))


def test_no_byte_does_in_any_phase_of_play(twins: Twins):
    assert tour(twins) >= set(get_args(get_type_hints(Evening)["scene"])) - {Preparing}


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@evening
def test_no_refusal_line_or_alarm_depends_on_a_secret(chance, players, setup):
    """On twin tables every tap except a reveal has the same visible consequences."""
    table = Players(chance, players, setup)
    for _ in range(80):
        if table.acts(*table.sensible()) is None or not isinstance(table.state.scene, Murder | Voting | EndVote):
            continue
        seat, tap = table.anything()
        reveals = isinstance(tap, RevealMurder | RevealVote | DrawEvent)
        decides = isinstance(tap, Wish | CastVote | GoesAway) and len(table.state.waiting()) <= 1
        if not (reveals or decides):
            assert heard(table.state, seat, tap) == heard(twin(table.state, chance), seat, tap)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@evening
def test_f_and_a_number_have_the_same_consequences(chance, players, setup):
    table = Players(chance, players, setup)
    for _ in range(80):
        if isinstance(table.state.scene, Murder) and (waiting := table.state.waiting()):
            seat = chance.choice(waiting)
            number = chance.choice([table.state.number_of(other) for other in table.state.living if other != seat])
            faithful, traitor = (heard(table.state, seat, Answer(key)) for key in ("F", str(number)))
            assert faithful == traitor
        table.acts(*table.sensible())


# -------------------------------------------------------------------------------- the proof is put to the test


def peek(state: Evening) -> bool:
    """A secret: whether a Traitor has answered."""
    return isinstance(state.scene, Murder) and state.scene.mark != "F"


def plays_on(state: Evening) -> bool:
    """Another secret: whether somebody wants to play on."""
    return isinstance(state.scene, EndVote) and state.scene.proposer is not None and state.scene.wish == "P"


def answering(leak: Rule) -> Game:
    return dataclasses.replace(GAME, rules={**GAME.rules, Answer: leak})


def curt(state: Evening, seat: Seat, tap: Answer, dice: Dice) -> Step:
    try:
        return murder.answer(state, seat, tap, dice)
    except NotAllowed:
        if peek(state):
            raise NotAllowed("Too late.") from None
        raise


def talkative(state: Evening, seat: Seat, tap: Answer, dice: Dice) -> Step:
    step = murder.answer(state, seat, tap, dice)
    if tap.choice != "F":
        step.lines += (Line(Say("A dagger is drawn.")),)
    return step


def whispering(state: Evening, seat: Seat, tap: Answer, dice: Dice) -> Step:
    step = murder.answer(state, seat, tap, dice)
    if tap.choice != "F":
        step.lines += (Line(Say("A dagger is drawn."), to=(state.seats[0], state.seats[1])),)
    return step


def seat_view(state: Evening, seat: Seat) -> SeatView:
    view = GAME.seat_view(state, seat)
    return replace(view, keys=view.keys[::-1]) if peek(state) else view


LEAKS = {
    "what everybody sees": dataclasses.replace(
        GAME, table_view=lambda state: replace(GAME.table_view(state), fund=state.fund + peek(state))
    ),
    "who wants to play on": dataclasses.replace(
        GAME, table_view=lambda state: replace(GAME.table_view(state), fund=state.fund + plays_on(state))
    ),
    "the order of the keys": dataclasses.replace(GAME, seat_view=seat_view),
    "the shared screen": dataclasses.replace(
        GAME, screen_view=lambda state: replace(GAME.screen_view(state), fund=state.fund + peek(state))
    ),
    "the host": dataclasses.replace(
        GAME, host_view=lambda state: replace(GAME.host_view(state), rounds=state.rounds + peek(state))
    ),
    "whom the screen is handed to": dataclasses.replace(GAME, taking_part=lambda state: state.waiting()),
    "a refusal": answering(curt),
    "a line": answering(talkative),
    "a line for two seats": answering(whispering),
}


@pytest.mark.parametrize("where", LEAKS)
def test_a_leak_is_found_wherever_it_is(tmp_path, where: str):
    with contextlib.closing(Twins(tmp_path, LEAKS[where])) as twins, pytest.raises(AssertionError):
        tour(twins)
