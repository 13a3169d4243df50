"""Feats and charts of a finished game, from public counts only."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby, pairwise

from companion.game import Chart, Curve, Feat, Say, Seat, States, most
from companion.games.trickery.state import Player, Societies


def feats(states: States) -> tuple[Feat, ...]:
    table: Societies = states[-1]
    richest = {seat: max(line) for seat, line in over_time(states, lambda player: player.coins).items()}
    chests = dict.fromkeys((player.seat for player in table.players), 0)
    for before, after in pairwise(states):
        if after.filled != before.filled:
            for filled in after.filled:
                chests[filled.payer] = chests.get(filled.payer, 0) + 1
    return (*most(Say("Most coins at once"), richest), *most(Say("Chests filled"), chests))


def over_time(states: States, what: Callable[[Player], int]) -> dict[Seat, tuple[int, ...]]:
    """A count for each player, with one entry for every change."""
    seats = [player.seat for player in states[-1].players]
    rows = [
        tuple({player.seat: what(player) for player in state.players}.get(seat, 0) for seat in seats)
        for state in states
    ]
    changes = [row for row, _ in groupby(rows)]
    return {seat: tuple(row[place] for row in changes) for place, seat in enumerate(seats)}


def charts(states: States) -> tuple[Chart, ...]:
    return (
        chart(Say("Seals over time"), over_time(states, lambda player: player.seals), Say("Seals")),
        chart(Say("Coins over time"), over_time(states, lambda player: player.coins), Say("Coins")),
    )


def chart(title: Say, lines: dict[Seat, tuple[int, ...]], y: Say) -> Chart:
    return Chart(title, tuple(Curve(line, seat=seat) for seat, line in lines.items()), y=y)
