"""Feats and charts of a finished game: how many cards each player had (public), never which ones."""

from __future__ import annotations

from itertools import groupby

from companion.game import Chart, Curve, Feat, Say, Seat, States, most
from companion.games.faster_than_truth.state import Play


def stash_sizes(states: States) -> dict[Seat, tuple[int, ...]]:
    """How many resource cards each player had, with one entry for every change."""
    play: Play = states[-1]
    rows = [tuple(len(state.stashes.get(seat, ())) for seat in play.seats) for state in states]
    changes = [row for row, _ in groupby(rows)]
    return {seat: tuple(row[place] for row in changes) for place, seat in enumerate(play.seats)}


def feats(states: States) -> tuple[Feat, ...]:
    sizes = stash_sizes(states)
    return (
        *most(Say("Most resource cards at once"), {seat: max(line) for seat, line in sizes.items()}),
        *most(Say("Most resource cards at the end"), {seat: line[-1] for seat, line in sizes.items()}),
    )


def charts(states: States) -> tuple[Chart, ...]:
    curves = tuple(Curve(line, seat=seat) for seat, line in stash_sizes(states).items())
    chart = Chart(Say("Resource cards over time"), curves, y=Say("Resource cards"))
    return (chart,) if len(curves[0].values) > 1 else ()
