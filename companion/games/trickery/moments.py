"""The moments of the game, and what the last card moved. Nothing here is secret."""

from __future__ import annotations

import msgspec

from companion.game import Moment, Say, Seat
from companion.games.trickery.sentences import CHEST_IS_FULL, told, verdict
from companion.games.trickery.state import Deed, Societies


class Change(msgspec.Struct, frozen=True):
    """What the last card did to a player."""

    coins: int = 0
    seals: int = 0
    crossed: bool = False
    """This player has just changed sides."""


NOTHING = Change()


def changes(table: Societies) -> dict[Seat, Change]:
    """What the last card moved for each player."""
    coins: dict[Seat, int] = {}
    if table.deed is not None:
        coins = moved(table.deed)
    crossed = switched(table.deed)
    seals: dict[Seat, int] = {}
    for filled in table.filled:
        for seat, n in ((filled.payer, 2), *((other, 1) for other in filled.others)):
            seals[seat] = seals.get(seat, 0) + n
    return {
        seat: Change(coins.get(seat, 0), seals.get(seat, 0), seat == crossed)
        for seat in table.seats
        if seat in coins or seat in seals or seat == crossed
    }


def moved(deed: Deed) -> dict[Seat, int]:
    """How many coins each player gained or lost with this card."""
    me, target = deed.seat, deed.target if deed.target is not None else deed.seat
    match deed.what:
        case "betray":
            return {me: 1, target: -1}
        case "build":
            return {target: 2}
        case "bribe":
            return {me: -1, target: 1}
        case "favour":
            return {me: (0 if deed.cut else 2) - deed.coins}
        case "tribute" | "outdo":
            return {me: -deed.coins}
        case _:
            return {}


def switched(deed: Deed | None) -> Seat | None:
    """Who changed sides with this card."""
    match deed:
        case Deed(what="betray"):
            return deed.seat
        case Deed(what="bribe") | Deed(what="outdo", cut=False):
            return deed.target
        case _:
            return None


def moment(table: Societies) -> Moment | None:
    """The moment to play now; one that everybody has seen is not played again."""
    if table.phase == "choosing" or table.still:
        return None
    if table.over:
        winners = table.best()
        figures = tuple(table.player(seat).seals for seat in winners)
        n = ".".join(map(str, (table.moves, *winners)))  # a correction may change the winner
        return Moment("winner", n, winners, figures, verdict(table), curtain=0.7, hold=2.4, reveal=1.6)
    if table.phase == "starter":
        says = Say("All society cards are revealed.")
        return Moment("societies", "turned", table.seats, headline=says, curtain=0.7, hold=2.0, reveal=1.6)
    deed = table.deed
    if table.filled:
        last = table.filled[-1]
        says = Say(CHEST_IS_FULL[last.society])
        return Moment("chest", table.moves, (last.payer, *last.others), (2, 1), says, curtain=0.6, hold=1.9, reveal=1.6)
    if deed is None or not moved(deed):
        return None
    if (who := switched(deed)) is not None:
        return Moment("switch", table.moves, (who,), headline=told(deed), reveal=1.6)
    return Moment("gold", table.moves, tuple(moved(deed)), tuple(moved(deed).values()), told(deed), reveal=0.9)
