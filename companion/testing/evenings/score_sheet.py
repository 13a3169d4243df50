"""The score sheet: a running total, categories, teams, then rounds with a correction, an absence and a winner."""

from __future__ import annotations

from companion.game import TABLE, Seat
from companion.games.score_sheet.rules import CorrectMine, Enter, Finish
from companion.games.score_sheet.setup import Setup
from companion.games.score_sheet.teams import JoinTeam, TeamsAreMade
from companion.testing.evenings.script import Script

ROUNDS = 12


def play(table: Script) -> None:
    table.starts(Setup(mode="running", target=500)).shows("running total, nothing written")
    for seat in table.seats:
        table.taps(seat, Enter(int(seat) * 17 - 40))
    table.shows("running total")
    plays_categories(table)
    plays_in_teams(table)
    plays_rounds(table)


def plays_categories(table: Script) -> None:
    table.starts(Setup(name="Dice evening", mode="categories")).shows("categories, nothing written")
    for row in (4, 10, 2, 14):
        for seat in table.seats:
            table.taps(seat, Enter((int(seat) * 7 + row * 3) % 30, cell=row))
    table.taps(1, Enter(-5, cell=7)).shows("categories, half written")
    table.starts(Setup(name="Birds", mode="categories", ready="birds", scorer="host")).shows(
        "categories, the host writes"
    )
    table.starts(Setup(name="Birds", mode="categories", ready="birds"))
    for row in range(1, 7):
        for seat in table.seats[: -1 if row == 6 else None]:
            table.taps(seat, Enter(int(seat) * 5 % 17 + row, cell=row))
    table.shows("categories, one cell is empty")
    table.taps(table.seats[-1], Enter(20, cell=6)).shows("categories, winner")


def plays_in_teams(table: Script) -> None:
    teams = min(4, len(table.seats))
    names = "The Night Owls, Los Ratones"
    table.starts(Setup(name="Tichu", teams=teams, team_names=names)).shows("teams, nobody has chosen")
    if len(table.seats) > 2:
        table.taps(1, JoinTeam(team=2))
    table.taps(TABLE, TeamsAreMade()).shows("teams, first round")
    for side in table.state.sides:
        table.taps(table.state.members(side)[0], Enter(side * 120 - 150))
    table.taps(table.state.members(2)[0], Enter(300)).shows("teams, second round")
    table.taps(TABLE, Finish()).shows("teams, winner")
    table.starts(Setup(mode="categories", ready="birds", teams=2))
    table.taps(TABLE, TeamsAreMade()).taps(1, Enter(12, cell=1)).shows("teams with categories")


def plays_rounds(table: Script) -> None:
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
    """Write down the points of this round: small numbers, and thousands for the second player."""
    waiting: tuple[Seat, ...] = table.state.waiting_for()
    for seat in waiting[: -1 if stop else None]:
        table.taps(seat, Enter((int(seat) * 37 + number * 53) % 90 + (1000 if seat == 2 else 0)))
