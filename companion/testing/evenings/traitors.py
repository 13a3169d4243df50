"""The Traitors in two rounds: every event, a Shield, a tie with pleas, proposals to end, the final banishment."""

from __future__ import annotations

import msgspec

from companion.game import TABLE, Seat, TimeIsUp
from companion.games.traitors.agreement import ProposeEnd, Wish
from companion.games.traitors.banishment import CastVote, MoreTime, OpenVote, ReplayTied, RevealVote
from companion.games.traitors.events import CallOff, DrawEvent, DrawFinal, Ready
from companion.games.traitors.gold import AddGold, EndRound, NextRound, ShareFund, ShowHand
from companion.games.traitors.murder import Answer, Fall, NoShield, PlayShield, RevealMurder
from companion.games.traitors.setup import Event, Setup
from companion.games.traitors.state import Revealing
from companion.testing.evenings.script import Script


def play(table: Script) -> None:
    murders(table)
    banishes(table)


def murders(table: Script) -> None:
    """A quiet night, a proposal, and murders: with no victim, with a Shield, without a Shield."""
    table.starts(Setup(rounds="2", timer="3")).shows("preparing")
    table.taps(1, Ready(first=True)).shows("between events, nothing yet")
    table.taps(2, AddGold(5))
    draws(table, "quiet", 1).shows("quiet night")
    table.taps(2, ProposeEnd()).shows("proposal to end, nobody has answered")
    wishes(table, stop=True).shows("proposal to end, all but one have answered")
    wishes(table).shows("proposal refused")
    draws(table, "murder", 1).shows("murder, nobody has answered")
    murder(table, nobody=True).taps(1, RevealMurder()).shows("nobody was marked")
    draws(table, "murder", 1)
    murder(table, stop=True).shows("murder, all but one have answered")
    table.taps(0, TimeIsUp()).shows("murder, it takes long")
    murder(table).shows("murder, all have answered")
    table.taps(1, RevealMurder()).shows("marked")
    victim = table.state.scene.victim
    table.taps(victim, PlayShield()).shows("shield")
    draws(table, "murder", 1)
    murder(table).taps(1, RevealMurder()).taps(victim, NoShield()).shows("murdered, role not shown")
    table.taps(victim, Fall(2, "faithful")).shows("murdered, was faithful")


def banishes(table: Script) -> None:
    """A tie, a Traitor banished, the final banishment, a second round."""
    draws(table, "banishment", 1).shows("banishment, discussion")
    table.taps(2, MoreTime()).shows("banishment, one more minute")
    table.taps(2, OpenVote()).shows("vote, nobody has voted")
    for seat in table.state.living:
        table.taps(seat, CastVote(str(table.state.number_of(seat))))  # type: ignore[arg-type]
    reveal(table, leave=1, name="votes turned, everybody for themselves")
    reveal(table).shows("tied, everybody").taps(0, ReplayTied())
    suspects = table.state.living[-2:]
    vote(table, tie=True, stop=True).shows("vote, all but one have voted")
    vote(table, tie=True).shows("votes face down")
    reveal(table, leave=1, name="votes turned, the last one decides")
    table.taps(table.state.scene.cast[-1].voter, RevealVote()).shows("tied, pleas")
    table.taps(0, TimeIsUp()).shows("tied, pleas are over")
    table.taps(0, ReplayTied()).shows("vote again between the tied")
    vote(table, against=suspects[0])
    reveal(table, leave=len(table.state.scene.cast) - 1, name="first vote turned")
    reveal(table).shows("banished, role not shown")
    last = len(table.state.living) <= 3
    table.taps(suspects[0], Fall(1, "traitor")).shows("banished, was a traitor")
    if not last:
        table.taps(table.state.waiting()[0], Wish("E")).shows("end the round, one has answered")
        wishes(table).shows("the round goes on")
        draws(table, "banishment", 1).taps(0, CallOff()).shows("called off")
        table.taps(1, DrawFinal()).shows("final banishment, discussion").taps(0, OpenVote())
        vote(table, against=table.state.living[-1])
        reveal(table).shows("banished last, role not shown")
        table.taps(table.state.scene.seat, Fall(0, "faithful"))
    ends(table, "survivors show")
    table.shows("fund shared")
    table.taps(1, NextRound()).shows("second round, preparing").taps(0, Ready()).taps(1, AddGold(3))
    if len(table.seats) > 4:
        table.goes_away(3).shows("one is away").comes_back()
    if last:
        second_round_of_four(table)
    else:
        table.taps(0, EndRound())
    ends(table, "last survivors show")
    table.shows("winner")


def second_round_of_four(table: Script) -> None:
    """With four players, the first round ends before the final banishment and the vote to end."""
    draws(table, "banishment", 2).taps(0, OpenVote())
    vote(table, against=Seat(4))
    reveal(table).taps(4, Fall(1, "traitor"))
    table.taps(table.state.waiting()[0], Wish("E")).shows("end the round, one has answered")
    wishes(table).shows("the round goes on")
    draws(table, "banishment", 1).taps(0, CallOff()).shows("called off")
    table.goes_away(3).shows("one is away").comes_back()
    table.taps(2, DrawFinal()).shows("final banishment, discussion").taps(0, OpenVote())
    vote(table, against=Seat(3))
    reveal(table).shows("banished last, role not shown")
    table.taps(3, Fall(0, "faithful"))


def draws(table: Script, event: Event, drawer: int) -> Script:
    """Put only this event into the bag, then draw it."""
    table.state = msgspec.structs.replace(table.state, bag=(event,))
    return table.taps(drawer, DrawEvent(), 1)


def murder(table: Script, *, nobody: bool = False, stop: bool = False) -> Script:
    """The second living player murders the last one, unless nobody is to be murdered."""
    state = table.state
    for seat in state.waiting()[: -1 if stop else None]:
        kills = seat == state.living[1] and not nobody
        table.taps(seat, Answer(str(state.number_of(state.living[-1])) if kills else "F"))  # type: ignore[arg-type]
    return table


def wishes(table: Script, *, stop: bool = False) -> Script:
    """Everybody who has not answered votes to play on."""
    for seat in table.state.waiting()[: -1 if stop else None]:
        table.taps(seat, Wish("P"))
    return table


def vote(table: Script, *, against: Seat | None = None, tie: bool = False, stop: bool = False) -> Script:
    state = table.state
    waiting, living = state.waiting(), state.living
    for seat in waiting[: -1 if stop else None]:
        target = against
        if tie:
            # Both get the same number of votes. With an odd number of voters, the first votes for themselves.
            place = living.index(seat)
            target = living[-1 - place % 2] if place or len(living) % 2 == 0 else living[0]
        table.taps(seat, CastVote(str(state.number_of(target))))  # type: ignore[arg-type]
    return table


def reveal(table: Script, *, leave: int = 0, name: str = "") -> Script:
    while isinstance(scene := table.state.scene, Revealing) and len(scene.cast) - scene.shown > leave:
        table.taps(scene.cast[scene.shown].voter, RevealVote())
    return table.shows(name) if name else table


def ends(table: Script, name: str) -> None:
    """End the round: the survivors show their hands one by one, then the fund is shared out."""
    for place, seat in enumerate(table.state.living):
        if place == 1:
            table.shows(f"{name}, one of them")
        table.taps(seat, ShowHand(2 + place, "traitor" if place == 1 else "faithful"))
    table.shows(f"{name}, all of them").taps(TABLE, ShareFund(table.state.fund))
