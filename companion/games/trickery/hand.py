"""A player's six cards as their owner sees them: playable with its targets, or dimmed with the reason."""

from __future__ import annotations

import msgspec

from companion.game import N_, Say, SayN, Seat
from companion.games.trickery.cards import ending, targets, why_not
from companion.games.trickery.sentences import CARD_TITLES, SHORT_TITLES
from companion.games.trickery.state import PLACES, Card, Societies

EFFECTS: dict[Card, str] = {
    "betray": N_("Take 1 coin from somebody in your society, then change sides yourself."),
    "build": N_("Somebody else in your society gets 2 coins from the pool."),
    "bribe": N_("Hand 1 of your coins to somebody on the other side: they join your society."),
    "favour": N_("If you have a coin, 1 goes into your chest. Then take 2 from the pool."),
    "tribute": N_("As many of your coins as you like go into your chest."),
    "outdo": N_("1 of your coins goes into your chest, and somebody else in your society must change sides."),
}


IN_SHORT: dict[Card, str] = {
    "betray": N_("Take an ally's coin, change sides"),
    "build": N_("An ally gets 2 coins"),
    "bribe": N_("1 coin to a rival: they join you"),
    "favour": N_("1 coin into the chest, take 2"),
    "tribute": N_("Your coins into the chest"),
    "outdo": N_("1 coin in, an ally changes sides"),
}
"""The same on a key."""


class Target(msgspec.Struct, frozen=True):
    seat: Seat
    coins: int


class Amount(msgspec.Struct, frozen=True):
    coins: int
    fills: int
    """So many times the chest is filled on the way."""


class HandCard(msgspec.Struct, frozen=True):
    """One of the six cards as its owner sees it: playable, or dimmed with the reason."""

    card: Card
    tap: str
    title: str
    verb: str
    short: str
    effect: str
    played: bool
    reason: Say | None
    targets: tuple[Target, ...]
    amounts: tuple[Amount, ...]
    note: Say | None
    """What playing it brings besides: a full chest."""


def fills(table: Societies, seat: Seat, coins: int) -> int:
    """How often paying so many coins fills the own chest."""
    return (table.chests[table.society(seat)] + coins) // PLACES


def warning(table: Societies, card: Card, end: Say) -> Say:
    """What everybody should know before this card ends the game."""
    if card == "favour" and table.finish:
        return Say("Your coin fills the chest and ends the game; you still take the 2 coins. {end}", end=end)
    if card == "favour":
        return Say("Your coin fills the chest and ends the game; you take no coins. {end}", end=end)
    return Say("Your coin fills the chest and ends the game. {end}", end=end)


def hand_card(table: Societies, seat: Seat, card: Card, *, mine: bool) -> HandCard:
    me = table.player(seat)
    reason = why_not(table, seat, card) if mine else None
    open_now = mine and reason is None
    pays = card == "outdo" or (card == "favour" and me.coins > 0)
    note = Say("Your coin fills the chest.") if open_now and pays and fills(table, seat, 1) else None
    if open_now and pays and (end := ending(table, seat, card)):
        note = warning(table, card, end)
    if open_now and card == "tribute" and not fills(table, seat, me.coins):
        left = PLACES - table.chests[table.society(seat)] - me.coins
        note = SayN("Even all of them leave {n} place empty.", "Even all of them leave {n} places empty.", n=left)
    elif open_now and card == "tribute" and (end := ending(table, seat, card, me.coins)):
        note = Say(
            "The coin that brings the fifth seal ends the game; what is not yet paid stays yours. {end}", end=end
        )
    return HandCard(
        card=card,
        tap=card.capitalize(),
        title=CARD_TITLES[card],
        verb=SHORT_TITLES[card],
        short=IN_SHORT[card],
        effect=EFFECTS[card],
        played=card in me.played,
        reason=reason,
        targets=tuple(Target(player.seat, player.coins) for player in targets(table, seat, card)) if open_now else (),
        amounts=tuple(Amount(n, fills(table, seat, n)) for n in range(1, me.coins + 1))
        if open_now and card == "tribute"
        else (),
        note=note,
    )
