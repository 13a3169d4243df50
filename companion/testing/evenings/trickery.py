"""Trickery & Deceit: covered cards, every action card, two full chests, changed sides, five seals."""

from __future__ import annotations

import msgspec

from companion.game import Seat
from companion.games.trickery import cards, rules
from companion.games.trickery.state import ENOUGH, PLACES, Setup, Societies
from companion.testing.evenings.script import Script


def play(table: Script) -> None:
    table.starts(Setup()).shows("societies, nobody has chosen")
    for seat in table.seats[:-1]:
        table.taps(seat, rules.Cover("gears" if seat == 2 else "thorn"))
    table.shows("societies, all but one have chosen")
    table.taps(table.seats[-1], rules.Cover("gears")).shows("who starts")
    table.taps(0, rules.Begin(Seat(1))).shows("first turn")
    table.taps(1, cards.Favour()).shows("favour")
    table.taps(2, cards.Bribe(next(iter(table.state.rivals(Seat(2)))).seat)).shows("bribed, a society switched")
    goes_on(table)
    table.taps(turn(table), cards.Tribute(1)).shows("tribute")
    near(table, PLACES - 1)
    seat = turn(table)
    table.taps(seat, cards.Tribute(1)).shows("a full chest")
    table.taps(0, rules.GoOn()).shows("the seals are taken")
    ally = with_ally(table)
    table.taps(turn(table), cards.Build(ally)).shows("build")
    with_ally(table)
    target = next(one.seat for one in table.state.allies(turn(table)) if one.coins)
    table.taps(turn(table), cards.Betray(target)).shows("betrayed, changed sides")
    ally = with_ally(table)
    near(table, 0)
    table.taps(turn(table), cards.Outdo(ally)).shows("outdone")
    seat = next(player.seat for player in table.state.players if player.played)
    table.state = msgspec.structs.replace(table.state, turn=seat)
    table.taps(seat, rules.Pause()).shows("pause")
    table.goes_away(int(table.seats[-1])).shows("one is away").comes_back()
    near(table, PLACES - 1)
    seat = turn(table)
    rich(table, seat, PLACES + 1)
    table.taps(seat, cards.Tribute(PLACES + 1)).shows("two full chests at once")
    while not table.state.over:
        if table.state.filled:
            table.taps(0, rules.GoOn())
        seat = turn(table)
        near(table, PLACES - 1)
        rich(table, seat, 1)
        table.taps(seat, cards.Tribute(1))
    table.shows("winner")
    assert max(player.seals for player in table.state.players) >= ENOUGH


def turn(table: Script) -> Seat:
    """The player whose turn it is, with all cards back in hand."""
    seat: Seat = table.state.turn
    table.state = table.state.pick_up(seat)
    return seat


def goes_on(table: Script) -> None:
    if table.state.filled:
        table.taps(0, rules.GoOn())


def with_ally(table: Script) -> Seat:
    """An ally of the player whose turn it is; both have a coin."""
    state: Societies = table.state
    seat = turn(table)
    if not state.allies(seat):
        other = next(player.seat for player in state.players if player.seat != seat)
        table.state = table.state.switch(other)
    ally: Seat = table.state.allies(seat)[0].seat
    for one in (seat, ally):
        rich(table, one, 1)
    return ally


def near(table: Script, coins: int) -> None:
    """Set the number of coins in the current player's chest."""
    state: Societies = table.state
    society = state.society(state.turn or Seat(1))
    pool = state.pool + state.chests[society] - coins
    table.state = msgspec.structs.replace(state, chests={**state.chests, society: coins}, pool=pool)


def rich(table: Script, seat: Seat, coins: int) -> None:
    """Give a player coins from the pool, up to at least this many."""
    missing = coins - table.state.player(seat).coins
    if missing > 0:
        table.state = table.state.take(seat, missing)
