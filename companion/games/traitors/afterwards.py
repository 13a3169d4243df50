"""The highlights and charts of a finished evening, made only from what everybody has seen."""

from __future__ import annotations

from itertools import accumulate

from companion.game import Chart, Curve, Feat, Say, Seat, States, most
from companion.games.traitors.state import Evening


def feats(states: States) -> tuple[Feat, ...]:
    evening: Evening = states[-1]
    if not evening.shares:
        return ()
    as_traitor = {
        seat: sum(
            share.points.get(seat, 0)
            for share in evening.shares
            if any(hand.seat == seat and hand.role == "traitor" for hand in share.hands)
        )
        for seat in evening.seats
    }
    survived = {
        seat: sum(all(out.seat != seat for out in share.out) for share in evening.shares) for seat in evening.seats
    }
    best_round = {seat: max(share.points.get(seat, 0) for share in evening.shares) for seat in evening.seats}
    return (
        *most(Say("Most Gold won as a Traitor"), as_traitor),
        *most(Say("Most rounds survived"), survived),
        *most(Say("Most Gold in one round"), best_round),
        *most(Say("Most votes against one player"), suspected(evening)),
    )


def suspected(evening: Evening) -> dict[Seat, int]:
    """Count the revealed votes against each player. A vote that nobody has seen stays secret."""
    return {seat: evening.suspected.get(seat, 0) for seat in evening.seats}


def charts(states: States) -> tuple[Chart, ...]:
    """Chart everybody's Gold after each round, and the votes against each player."""
    evening: Evening = states[-1]
    found = []
    if len(evening.shares) > 1:
        curves = tuple(
            Curve(tuple(accumulate((share.points.get(seat, 0) for share in evening.shares), initial=0)), seat=seat)
            for seat in evening.seats
        )
        found.append(Chart(Say("Gold over the rounds"), curves, x=Say("Rounds"), y=Say("Gold")))
    if evening.suspected:
        bars = tuple(Curve((votes,), seat=seat) for seat, votes in suspected(evening).items())
        found.append(Chart(Say("Votes against each player"), bars, y=Say("Votes")))
    return tuple(found)
