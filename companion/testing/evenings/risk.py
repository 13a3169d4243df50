"""A scripted game of Risk: gangs, a stronghold, an elimination, and the Crown at the Tavern."""

from __future__ import annotations

from companion.game import TABLE
from companion.games.risk.battle import Attack, Lost, Retreat, RollFight
from companion.games.risk.cards import AddBlade, Trade
from companion.games.risk.corrections import FixCounts, FixCrown, FixTurn
from companion.games.risk.crown import EndTurn, RollCrown
from companion.games.risk.missions import AddMission, Claim, HoldMission, TurnPower
from companion.games.risk.opening import Begin, ChooseGang, Starts
from companion.games.risk.places import HoldPlaces, NamePlace
from companion.games.risk.setup import Setup
from companion.games.risk.turn import Conquer, HoldRegion, LatePlaced, MoreMembers, Onward, Reinforce
from companion.testing.evenings.script import Script

LAST = 24
"""The Tavern is the last space of the Crown's route."""


def play(table: Script) -> None:
    seats = table.seats
    last = seats[-1]
    names(table)
    table.starts(Setup(length=LAST, die_spaces=(2, 7, 13, 19), bonus={1: 4, 2: 2, 3: 3}))
    table.shows("gangs, nobody has chosen")
    for seat in seats[:-1]:
        table.taps(seat, ChooseGang(seat, 6 - int(seat)))
    table.shows("gangs, all but one have chosen").taps(0, ChooseGang(last, 6 - int(last))).shows("who starts")
    table.taps(1, Starts(seats[0])).shows("the deal")
    enemy = table.state.gang_of(last).number
    table.taps(0, Begin()).shows("first turn, place")
    table.taps(1, AddMission("Hold Cork and its harbour", 5, 1)).taps(1, HoldMission(1))
    table.taps(1, TurnPower("Borrow a die", "keep")).taps(1, HoldRegion(1, table.state.gang_of(seats[0]).number))
    if len(seats) == 2:
        table.taps(1, Reinforce(2))
    table.taps(1, MoreMembers(2, "A favour of the Baker's son")).shows("place, with a region and a favour")
    fights(table, enemy)
    table.taps(1, Onward("finish")).shows("finish, with cards to draw").taps(1, AddBlade(2)).taps(1, AddBlade(1))
    table.taps(1, EndTurn(len(table.state.chart))).shows("second turn, place")
    place(table, 2)
    table.taps(2, Onward("finish")).shows("the Crown waits for dice")
    table.taps(2, RollCrown(table.state.crown, len(table.state.chart)), 1, 3).shows("the Crown stays")
    if table.state.turn.seat != 1:
        table.taps(0, FixTurn(seats[0])).shows("turn corrected")
    table.taps(1, Claim(1)).shows("a mission is claimed")
    if len(seats) > 2:
        eliminates(table, enemy)
    table.taps(0, FixCrown(LAST - 1))
    if table.state.turn.step == "place":
        place(table, 1)
        table.taps(1, Onward("attack"))
    late(table)
    table.taps(1, EndTurn(len(table.state.chart))).shows("the Crown is at the Tavern, last roll")
    table.taps(1, RollCrown(LAST, len(table.state.chart)), 1, 2).shows("the Crown holds out")
    seat = table.state.turn.seat
    place(table, int(seat))
    table.taps(seat, Onward("finish"))
    before = table.state
    table.taps(seat, RollCrown(LAST, len(table.state.chart)), 6, 6).shows("the Crown wins")
    table.state = before
    table.taps(seat, RollCrown(LAST, len(table.state.chart)), 5, 4).shows("winner")


def place(table: Script, seat: int) -> None:
    if table.state.neutrals:
        table.taps(seat, Reinforce(table.state.neutrals[0].number))


def fights(table: Script, enemy: int) -> None:
    """The first attack takes a stronghold, the second is held, the attacker retreats from the third."""
    table.taps(1, Onward("attack")).shows("attack, no fight yet")
    table.taps(1, Attack(enemy, 12, 3, True)).shows("fight, no roll yet")
    table.taps(1, RollFight(0), 6, 5, 1, 5, 2).shows("fight, one roll")
    table.taps(1, RollFight(1), 6, 6, 2, 6, 1).shows("fight, two rolls")
    while table.state.turn.fight is not None:
        table.taps(1, RollFight(len(table.state.turn.fight.rounds)), 6, 6, 2, 1, 1)
    table.shows("fight, conquered")
    table.taps(1, Attack(enemy, 1, 4)).taps(1, RollFight(0), 2, 6, 3).shows("fight, held")
    table.taps(1, Attack(enemy, 9, 4)).taps(1, RollFight(0, until=6), *(6, 5, 3, 6, 4), *(2, 2, 1, 6, 5))
    table.shows("fight, until six are left").taps(1, Lost(1, 2)).shows("fight, rolled on the table")
    table.taps(1, Retreat()).shows("fight, retreated")
    table.taps(1, Attack(enemy, 14, 12, True)).taps(1, RollFight(0, until=0)).shows("fight to the end")


def late(table: Script) -> None:
    """Blades traded after the first step bring members that must be placed."""
    table.taps(1, AddBlade(2)).taps(1, Trade()).shows("members come late").taps(1, LatePlaced())


def eliminates(table: Script, enemy: int) -> None:
    """A correction leaves the last player one territory, and they lose it."""
    counts = {gang.number: gang.territories for gang in table.state.playing}
    mine = table.state.gang_of(table.seats[0]).number
    counts[mine] += counts[enemy] - 1
    counts[enemy] = 1
    table.taps(TABLE, FixCounts(counts)).shows("counts corrected")
    table.taps(1, Onward("attack")).taps(1, Conquer(enemy)).shows("eliminated")


def names(table: Script) -> None:
    """A game with named territories and without the Crown."""
    seats = table.seats
    table.starts(Setup(crown=False, names=True, beaten="turn", region={1: "Northern Ireland"}, bonus={1: 4}))
    table.taps(1, Starts(seats[0])).taps(0, Begin())
    place(table, 1)
    for name, region, stronghold in (("Yorkshire and the Humber", 1, True), ("Dumfries and Galloway", 2, False)):
        table.taps(1, NamePlace(name, region, stronghold))
    mine, enemy = (table.state.gang_of(seat).number for seat in seats[:2])
    table.taps(2, HoldPlaces(enemy, ("Yorkshire and the Humber", "Dumfries and Galloway")))
    table.taps(1, Onward("attack")).shows("named, attack")
    table.taps(1, Attack(attackers=6, defenders=2, place="Yorkshire and the Humber")).shows("named, fight")
    table.taps(1, RollFight(0, until=0), *(6, 6, 1, 2, 1)).shows("named, conquered")
    table.taps(1, Attack(attackers=1, defenders=3, place="Dumfries and Galloway"))
    table.taps(1, RollFight(0), 1, 6, 5).shows("named, beaten for the turn")
    assert mine != enemy
    table.taps(1, Onward("finish")).shows("without the Crown, finish")
    table.taps(1, EndTurn(len(table.state.chart))).shows("without the Crown, second turn")
