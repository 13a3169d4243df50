"""Agendas are secret: whatever they are, every other screen is the same, byte for byte."""

from __future__ import annotations

import re

import msgspec
import pytest
from big_shuffle_talk import ANN, WHAT, WHERE, WHO, Played, in_the_city
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_big_shuffle_playthrough import PLAY
from test_big_shuffle_random_games import ANY_TAP, begun, guided

from companion.engine.snapshot import as_data
from companion.game import NotAllowed, Seat
from companion.games.big_shuffle import GAME
from companion.games.big_shuffle.agendas import NoteAgenda, ShowAndWin, ShowForPoints
from companion.games.big_shuffle.state import Agenda, Noir
from companion.games.big_shuffle.turns import EndTurn

SHARED, WATCHER = Seat(0), Seat(-1)


def with_other_secrets(state: Noir, seat: Seat, agenda: Agenda) -> Noir:
    """Return the same table with other agendas wherever this seat may not know them."""
    shared = state.shared
    if not state.beginner:
        shared = tuple(mine if seat in pair else agenda for pair, mine in zip(state.pairs(), state.shared, strict=True))
    personal = {owner: mine if owner == seat else agenda for owner, mine in state.personal.items()}
    return msgspec.structs.replace(state, personal=personal, shared=shared)


agendas = st.builds(
    Agenda,
    st.sampled_from([None, WHO, "The Privat Eye", "who 1", "Nobody Ever Heard"]),
    st.sampled_from([None, WHAT, "what 2", "An Unheard Affair"]),
    st.sampled_from([None, WHERE, "where 3", "A Place Unknown"]),
)


def assert_indifferent(easel, state: Noir, agenda: Agenda) -> None:
    for seat in (*state.seats, SHARED):
        other = with_other_secrets(state, seat, agenda)
        assert easel.draw(GAME, state, seat) == easel.draw(GAME, other, seat)


def test_every_screen_of_the_recorded_game_is_indifferent_to_what_it_may_not_know(easel):
    game = begun(3, first=None, keeping="remember")
    agenda = Agenda(WHO, "An Unheard Affair", WHERE)
    for who, tap in PLAY[:-1]:
        game = game.taps(who, tap)
        assert_indifferent(easel, game.state, agenda)


def test_a_screen_that_is_handed_over_and_a_watcher_see_nobody_else_s_agendas(easel):
    game = in_the_city().notes(1, "mine", WHO, WHAT, WHERE).notes(2, "mine", WHO, WHAT, WHERE)
    for seat in game.state.seats:
        other = with_other_secrets(game.state, seat, Agenda("Nobody Ever Heard"))
        assert easel.draw_passed(GAME, game.state, seat) == easel.draw_passed(GAME, other, seat)
    other = with_other_secrets(game.state, WATCHER, Agenda("Nobody Ever Heard"))
    assert easel.draw(GAME, game.state, WATCHER) == easel.draw(GAME, other, WATCHER)


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    players=st.integers(2, 4),
    mode=st.sampled_from(["normal", "beginner", "expert"]),
    keeping=st.sampled_from(["remember", "count"]),
    taps=st.lists(st.tuples(st.integers(0, 4), ANY_TAP), min_size=3, max_size=6),
    agenda=agendas,
    rng=st.randoms(use_true_random=False),
)
def test_no_screen_depends_on_an_agenda_that_its_owner_may_not_know(easel, players, mode, keeping, taps, agenda, rng):
    game = begun(players, mode, keeping=keeping)
    for who, tap in taps:
        for one in guided(game, tap, rng):
            actor = min(who, players) if one.by == "anybody" else max(1, min(who, players))
            try:
                game = game.taps(actor, one)
            except NotAllowed:
                continue
            if game.state.over:
                return
            assert_indifferent(easel, game.state, agenda)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    players=st.integers(2, 4),
    mode=st.sampled_from(["normal", "beginner", "expert"]),
    keeping=st.sampled_from(["remember", "count"]),
    taps=st.lists(st.tuples(st.integers(0, 4), ANY_TAP), max_size=15),
    probe=ANY_TAP,
    agenda=agendas,
    seat=st.integers(0, 4),
    rng=st.randoms(use_true_random=False),
)
def test_no_answer_to_a_tap_depends_on_somebody_else_s_agenda(players, mode, keeping, taps, probe, agenda, seat, rng):
    """No refusal and no history line may tell what others hold."""
    game = begun(players, mode, keeping=keeping)
    for who, tap in taps:
        for one in guided(game, tap, rng):
            try:
                game = game.taps(min(who, players) if one.by == "anybody" else max(1, min(who, players)), one)
            except NotAllowed:
                continue
    seat = Seat(min(seat, players) if probe.by == "anybody" else max(1, min(seat, players)))
    other = Played(with_other_secrets(game.state, seat, agenda))
    assert answer(game, seat, probe) == answer(other, seat, probe)


def answer(game: Played, seat: Seat, tap: object) -> object:
    try:
        after = game.taps(seat, tap)
    except NotAllowed as refusal:
        return as_data(refusal.say)
    return after.lines, as_data(after.table), as_data(GAME.screen_view(after.state))


def test_you_can_win_now_is_said_on_that_phone_alone(easel):
    game = in_the_city().notes(1, "mine", WHO, WHAT, WHERE)
    for seat in (ANN, *game.state.seats[1:], SHARED, WATCHER):
        assert ("You can win now" in easel.draw(GAME, game.state, seat)) == (seat == ANN)
    game = game.taps(1, EndTurn(ANN))
    assert "You can win now" not in easel.draw(GAME, game.state, ANN)


def test_an_agenda_worth_points_is_said_on_that_phone_alone(easel):
    game = in_the_city(mode="expert").notes(1, "mine", WHO, WHAT, "The Mob HQ")
    for seat in (*game.state.seats, SHARED, WATCHER):
        assert ("worth 2 points" in easel.draw(GAME, game.state, seat)) == (seat == ANN)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_shared_agenda_is_on_the_phones_of_its_two_neighbours_only(easel, players):
    game = begun(players).notes(1, "left", "Nobody Ever Heard", None, None)
    for seat in (*game.state.seats, SHARED, WATCHER):
        assert ("Nobody Ever Heard" in easel.draw(GAME, game.state, seat)) == (seat in (1, 2))


def test_a_win_shows_the_winning_agendas_and_nothing_else(easel):
    game = in_the_city(4, keeping="remember").notes(1, "mine", WHO, WHAT, WHERE)
    game = game.notes(1, "left", "Not Active", None, None).notes(3, "mine", "Not Shown", WHAT, WHERE)
    game = game.taps(1, ShowAndWin())
    for seat in (*game.state.seats, SHARED, WATCHER):
        html = easel.draw(GAME, game.state, seat)
        assert ("Not Active" in html) == (seat in (1, 2))
        assert ("Not Shown" in html) == (seat == 3)
        other = with_other_secrets(game.state, seat, Agenda("Nobody Ever Heard", WHAT))
        assert html == easel.draw(GAME, other, seat)


def test_a_beginner_s_shared_agenda_is_open_to_all_and_the_personal_one_is_not(easel):
    game = begun(3, "beginner").notes(1, "left", "Open To All", None, None).notes(1, "mine", "Not Open", None, None)
    for seat in (*game.state.seats, SHARED, WATCHER):
        html = easel.draw(GAME, game.state, seat)
        assert ("Open To All" in html) == (seat != WATCHER)  # a watcher only has the stage
        assert ("Not Open" in html) == (seat == ANN)


def test_whether_somebody_has_noted_an_agenda_shows_nowhere_else(seated):
    table = seated("big_shuffle", players=3)
    others = [table["Ben"], table["Cleo"], table.shared]
    before = [without_version(one.screen()) for one in others]
    reply = table["Ann"].presses("Note it", which="mine", what=WHAT, where=WHERE)
    assert reply.status == 200
    reply = table["Ann"].presses("Note this scene", which="mine", kind="who", name="The Secret Sister")
    assert reply.status == 200
    assert "The Secret Sister" in table["Ann"].page().html
    assert [without_version(one.screen()) for one in others] == before
    for one in others:
        assert "Secret Sister" not in one.client.get(f"{one.path}/history").text


def test_a_step_can_be_taken_back_although_somebody_has_noted_an_agenda_since(seated):
    table = seated("big_shuffle", players=2)
    table["Ann"].presses("Ben", player=2)
    table["Ben"].presses("Note this scene", which="mine", kind="who", name="The Secret Sister")
    reply = table["Ann"].presses("Take back")
    assert reply.status == 200
    assert table["Ann"].shows("Who woke up earliest?")
    assert "The Secret Sister" in table["Ben"].page().html


def without_version(html: str) -> str:
    return re.sub(r'data-version="\d+"|(?<=\?seen=)\d+', "", html)


def test_a_seat_without_a_phone_notes_its_agenda_on_the_screen_that_is_handed_over(house):
    table = house.opens("big_shuffle")
    table.sits("Ann")
    table.adds("Ben")
    table.starts()
    assert table.hands_to(2).presses("Note it", which="mine", who=WHO).status == 200
    assert WHO in table.hands_to(2).html
    assert f'value="{WHO}"><' not in re.sub(
        r"<datalist.*?</datalist>|<div class=\"chips\">.*?</div>", "", table.shared.screen(), flags=re.S
    )


def test_what_only_an_owner_may_do_is_refused_to_the_shared_screen(seated):
    table = seated("big_shuffle", players=2)
    for tap in (NoteAgenda, ShowAndWin, ShowForPoints):
        assert table.shared.taps(tap.__struct_config__.tag, which="mine").status == 422
