"""The score sheet: a running total; then rounds of points, a correction, somebody who is away, and a winner."""

from __future__ import annotations

from companion.game import Seat
from companion.games.score_sheet.rules import CorrectMine, Enter
from companion.games.score_sheet.state import Setup
from companion.testing.evenings.script import Script

ROUNDS = 12


def play(table: Script) -> None:
    table.starts(Setup(mode="running", target=500)).shows("running total, nothing written")
    for seat in table.seats:
        table.taps(seat, Enter(int(seat) * 17 - 40))
    table.shows("running total")
    table.starts(Setup(rounds=ROUNDS)).shows("first round, nobody has written")
    writes(table, 1, stop=True)
    table.shows("first round, all but one have written")
    writes(table, 1)
    table.shows("second round")
    table.taps(1, CorrectMine(1, -120)).shows("a cell is corrected, below zero")
    for number in range(2, ROUNDS):
        writes(table, number)
    table.shows("last round, nobody has written")
    table.goes_away(int(table.seats[-1])).shows("last round, one is away").comes_back()
    writes(table, ROUNDS, stop=True)
    table.shows("last round, all but one have written")
    writes(table, ROUNDS)
    table.shows("winner")


def writes(table: Script, number: int, *, stop: bool = False) -> None:
    """Points of this round: some small, some in thousands."""
    waiting: tuple[Seat, ...] = table.state.waiting_for()
    for seat in waiting[: -1 if stop else None]:
        table.taps(seat, Enter((int(seat) * 37 + number * 53) % 90 + (1000 if seat == 2 else 0)))
