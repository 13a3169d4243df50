"""Feats and charts of a finished game, made only from what everybody could see."""

from __future__ import annotations

from itertools import groupby, pairwise

from companion.game import Chart, Curve, Feat, Say, Seat, States, most
from companion.games.big_shuffle.state import Noir


def feats(states: States) -> tuple[Feat, ...]:
    """Who made the most scene changes, and who reached the highest influence."""
    last: Noir = states[-1]
    moved, mightiest = dict.fromkeys(last.seats, 0), dict.fromkeys(last.seats, 0)
    for before, after in pairwise(states):
        # An attempt clears the last verdict, so a verdict that follows belongs to that attempt.
        if before.attempt is not None and after.attempt is None and after.verdict is not None:
            seat: Seat = after.verdict.seat
            moved[seat] += after.verdict.success
            mightiest[seat] = max(mightiest[seat], after.verdict.total)
    return (*most(Say("Successful scene changes"), moved), *most(Say("Highest influence"), mightiest))


def charts(states: States) -> tuple[Chart, ...]:
    """The points of an expert game over time."""
    last: Noir = states[-1]
    if not last.expert:
        return ()
    rows = [tuple(state.players[seat].points for seat in last.seats) for state in states]
    changes = [row for row, _ in groupby(rows)]
    curves = tuple(Curve(tuple(row[place] for row in changes), seat=seat) for place, seat in enumerate(last.seats))
    return (Chart(Say("Points over time"), curves, y=Say("Points")),)
