"""A player's six cards: playable with their targets, or dimmed with the reason."""

from __future__ import annotations

import msgspec

from companion.game import N_, Say, SayN, Seat
from companion.games.trickery.cards import ending, targets, why_not
from companion.games.trickery.sentences import CARD_TITLES, SHORT_TITLES
from companion.games.trickery.state import PLACES, Card, Societies

EFFECTS: dict[Card, str] = {
    "betray": N_("Take 1 coin from somebody in your society, then change sides."),
    "build": N_("Give somebody in your society 2 coins from the pool."),
    "bribe": N_("Give 1 of your coins to somebody on the other side. They join your society."),
    "favour": N_("If you have a coin, pay 1 into your chest. Then take 2 from the pool."),
    "tribute": N_("Pay any number of your coins into your chest."),
    "outdo": N_("Pay 1 coin into your chest. Then somebody in your society must change sides."),
}


IN_SHORT: dict[Card, str] = {
    "betray": N_("Take an ally's coin, change sides"),
    "build": N_("An ally gets 2 coins"),
    "bribe": N_("Give a rival 1 coin, they join you"),
    "favour": N_("Pay 1 coin, take 2"),
    "tribute": N_("Pay coins into your chest"),
    "outdo": N_("Pay 1 coin, an ally changes sides"),
}
"""The effects in short, for the buttons."""


class Target(msgspec.Struct, frozen=True):
    seat: Seat
    coins: int


class Amount(msgspec.Struct, frozen=True):
    coins: int
    fills: int
    """How many times this payment fills the chest."""


class HandCard(msgspec.Struct, frozen=True):
    """One of the six cards as its owner sees it."""

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
    """A warning before the tap: it fills the chest, or ends the game."""


def fills(table: Societies, seat: Seat, coins: int) -> int:
    """How many times paying this many coins fills the player's chest."""
    return (table.chests[table.society(seat)] + coins) // PLACES


def warning(table: Societies, card: Card, end: Say) -> Say:
    """The warning before a card that ends the game."""
    if card == "favour" and table.finish:
        return Say("Your coin fills the chest and ends the game. You still take the 2 coins. {end}", end=end)
    if card == "favour":
        return Say("Your coin fills the chest and ends the game. You don't take any coins. {end}", end=end)
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
        note = SayN(
            "With all your coins in, {n} space is still empty.",
            "With all your coins in, {n} spaces are still empty.",
            n=left,
        )
    elif open_now and card == "tribute" and (end := ending(table, seat, card, me.coins)):
        note = Say("The coin for the fifth seal ends the game. You keep the coins you haven't paid. {end}", end=end)
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
