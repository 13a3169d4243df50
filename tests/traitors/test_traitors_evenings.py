"""Whole random evenings: any number of players and Traitors, Shields, ties, corrections, taps in any order."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from traitors_players import Players, evening
from traitors_talk import GAME


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@evening
def test_whatever_people_tap_the_rules_hold(chance, players, setup):
    table = Players(chance, players, setup)
    for _ in range(120):
        table.acts(*(table.sensible() if chance.random() < 0.7 else table.anything()))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@evening
def test_every_round_ends_and_so_does_every_evening(chance, players, setup):
    table = Players(chance, players, setup)
    for _ in range(4_000):
        if GAME.result(table.state) is not None:
            break
        table.acts(*table.sensible())
    result = GAME.result(table.state)
    assert result is not None
    assert len(table.state.shares) == table.state.rounds
    assert max(result.points.values()) == result.points[result.winners[0]]
