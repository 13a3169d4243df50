"""The six action cards: when each may be played, and what it does.

A card may be played only if everything on it can be done in full, including what comes from the pool.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from companion.game import N_, Dice, NotAllowed, Say, SayN, Seat, Step, Tap
from companion.games.trickery.sentences import NO_ALLY, NO_ALLY_WITH_A_COIN, NOBODY_IN, about_filled, told, verdict
from companion.games.trickery.state import COINS, Card, Deed, Player, Societies, opposite


class Betray(Tap, frozen=True, tag="Betray"):
    """Take a coin from an ally, then change sides yourself."""

    target: Seat


class Build(Tap, frozen=True, tag="Build"):
    """Give an ally two coins from the pool."""

    target: Seat


class Bribe(Tap, frozen=True, tag="Bribe"):
    """Give a rival one of your coins, so that they join your society."""

    target: Seat


class Favour(Tap, frozen=True, tag="Favour"):
    """Pay a coin into your chest if you have one, then take two from the pool."""


class Tribute(Tap, frozen=True, tag="Tribute"):
    """Pay any number of your coins into your chest."""

    coins: Annotated[int, Meta(title=N_("Coins"), ge=1, le=COINS)]


class Outdo(Tap, frozen=True, tag="Outdo"):
    """Pay a coin into your chest and force an ally to the other side."""

    target: Seat


# -------------------------------------------------------------------------------- when a card may be played


def too_few_in_pool(table: Societies) -> Say:
    return SayN(
        "You need 2 coins from the pool, but only {n} is left.",
        "You need 2 coins from the pool, but only {n} are left.",
        n=table.pool,
    )


def why_not(table: Societies, seat: Seat, card: Card) -> Say | None:
    """Why this card cannot be played in full now; None if it can."""
    me = table.player(seat)
    if card in me.played:
        return Say("You have already played it. Pause to pick it up.")
    if card in ("betray", "build", "outdo") and not table.allies(seat):
        return Say(NO_ALLY[table.society(seat)])
    if card in ("tribute", "outdo", "bribe") and not me.coins:
        return Say("You have no coins.")
    match card:
        case "betray" if not any(ally.coins for ally in table.allies(seat)):
            return Say(NO_ALLY_WITH_A_COIN[table.society(seat)])
        case "build" if table.pool < 2:
            return too_few_in_pool(table)
        case "bribe" if not table.rivals(seat):
            return Say(NOBODY_IN[opposite(table.society(seat))])
        case "favour":
            # The coin is paid first: if it fills the chest, its five coins are back in the pool by then.
            paid = table.pay(seat, min(me.coins, 1))
            if not paid.over and paid.pool < 2:
                return too_few_in_pool(paid)
    return None


def targets(table: Societies, seat: Seat, card: Card) -> tuple[Player, ...]:
    """The players this card can be played on."""
    match card:
        case "betray":
            return tuple(ally for ally in table.allies(seat) if ally.coins)
        case "build" | "outdo":
            return table.allies(seat)
        case "bribe":
            return table.rivals(seat)
        case _:
            return ()


def needs_turn(table: Societies, seat: Seat) -> None:
    """Refuse a tap out of turn, or while a full chest is on show."""
    table.player(seat)
    match table.phase:
        case "choosing":
            raise NotAllowed("Wait until everybody has chosen a society.")
        case "starter":
            raise NotAllowed("First choose who starts.")
        case "event":
            raise NotAllowed("A treasure chest is full. Take the seals, then tap Go on.")
        case "over":
            raise NotAllowed("The game is over. To play on, take back the last step.")
    if table.turn is not None and table.turn != seat:
        raise NotAllowed("It is {name}'s turn.", name=table.turn)


def needs_card(table: Societies, seat: Seat, card: Card) -> None:
    needs_turn(table, seat)
    if (reason := why_not(table, seat, card)) is not None:
        raise NotAllowed(reason)


def ally(table: Societies, seat: Seat, target: Seat) -> Seat:
    if target == seat:
        raise NotAllowed("You can't choose yourself. Choose somebody else.")
    if table.society(target) != table.society(seat):
        raise NotAllowed("{name} is not in your society.", name=target)
    return target


# -------------------------------------------------------------------------------- what a card does


def betray(table: Societies, seat: Seat, tap: Betray, dice: Dice) -> Step:
    needs_card(table, seat, "betray")
    target = ally(table, seat, tap.target)
    if not table.player(target).coins:
        raise NotAllowed("{name} has no coins. Choose somebody else.", name=target)
    after = table.lay(seat, "betray").hand_over(target, seat).switch(seat)
    return done(after, Deed(seat, "betray", target))


def build(table: Societies, seat: Seat, tap: Build, dice: Dice) -> Step:
    needs_card(table, seat, "build")
    target = ally(table, seat, tap.target)
    return done(table.lay(seat, "build").take(target, 2), Deed(seat, "build", target))


def bribe(table: Societies, seat: Seat, tap: Bribe, dice: Dice) -> Step:
    needs_card(table, seat, "bribe")
    if table.society(tap.target) == table.society(seat):
        raise NotAllowed("{name} is already in your society.", name=tap.target)
    after = table.lay(seat, "bribe").hand_over(seat, tap.target).switch(tap.target)
    return done(after, Deed(seat, "bribe", tap.target))


def favour(table: Societies, seat: Seat, tap: Favour, dice: Dice) -> Step:
    """A player with a coin must pay it; if that ends the game, the set-up decides whether the two coins follow."""
    needs_card(table, seat, "favour")
    coins = min(table.player(seat).coins, 1)
    paid = table.lay(seat, "favour").pay(seat, coins)
    cut = paid.over and not table.finish
    return done(paid if cut else paid.take(seat, 2), Deed(seat, "favour", coins=coins, cut=cut))


def tribute(table: Societies, seat: Seat, tap: Tribute, dice: Dice) -> Step:
    needs_card(table, seat, "tribute")
    before = table.player(seat).coins
    if tap.coins > before:
        raise NotAllowed(SayN("You only have {n} coin.", "You only have {n} coins.", n=before))
    after = table.lay(seat, "tribute").pay(seat, tap.coins)
    paid = before - after.player(seat).coins
    return done(after, Deed(seat, "tribute", coins=paid, cut=paid < tap.coins))


def outdo(table: Societies, seat: Seat, tap: Outdo, dice: Dice) -> Step:
    """Pay the coin and share out a full chest first; then the ally changes sides."""
    needs_card(table, seat, "outdo")
    target = ally(table, seat, tap.target)
    paid = table.lay(seat, "outdo").pay(seat, 1)
    cut = paid.over and not table.finish
    return done(paid if cut else paid.switch(target), Deed(seat, "outdo", target, coins=1, cut=cut))


def ending(table: Societies, seat: Seat, card: Card, coins: int = 1) -> Say | None:
    """Who wins if this card ends the game now; None if it does not. Nothing here is secret."""
    paid = table.pay(seat, coins) if card in ("favour", "outdo", "tribute") else table
    if not paid.over:
        return None
    return verdict(paid.take(seat, 2) if card == "favour" and table.finish else paid)


def done(after: Societies, deed: Deed) -> Step:
    """End the turn and tell what happened, full chests, and the winner."""
    after = msgspec.structs.replace(after.next_turn(), deed=deed, moves=after.moves + 1, still=False)
    lines = [told(deed), *(about_filled(filled) for filled in after.filled)]
    if after.over:
        lines.append(verdict(after))
    return Step(after, *lines)
