"""Feats and charts of a finished game, from public things only."""

from __future__ import annotations

from itertools import groupby

from companion.game import Chart, Curve, Feat, Say, States, most
from companion.games.risk.charts import territories
from companion.games.risk.state import Underworld


def feats(states: States) -> tuple[Feat, ...]:
    state: Underworld = states[-1]
    raids = dict.fromkeys(state.seats, 0)
    for moment in states:
        if moment.turn is not None and moment.turn.seat in raids:
            raids[moment.turn.seat] = max(raids[moment.turn.seat], moment.turn.conquests)
    largest = {
        gang.seat: max((row[place] for row in state.chart if place < len(row)), default=gang.territories)
        for place, gang in enumerate(state.playing)
        if gang.seat is not None
    }
    return (
        *most(Say("Most conquests in one turn"), raids),
        *most(Say("Most territories at once"), largest),
    )


def charts(states: States) -> tuple[Chart, ...]:
    """Return the charts of territories and of the Crown's space after each turn."""
    state: Underworld = states[-1]
    found = []
    if len(state.chart) > 1:
        found.append(territories(state))
    turns = [(sum(moment.turns.values()), moment.crown) for moment in states]
    crown = tuple(list(moments)[-1][1] for _, moments in groupby(turns, key=lambda moment: moment[0]))
    if len(set(crown)) > 1:
        curve = Curve(crown, label=Say("The Crown"))
        found.append(Chart(Say("The Crown's space after each turn"), (curve,), x=Say("Turns"), y=Say("Space")))
    return tuple(found)
