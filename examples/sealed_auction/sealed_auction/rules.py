"""The rules: sealed bids for paintings, some of them forged.

Everybody holds hidden paintings worth 0 (a forgery) to 5. Players take turns to sell one, face down, and claim what it
is worth. All others bid in secret. The highest bid buys; if bids are equal, the first clockwise from the seller. The
buyer takes the painting as it is, or calls the bluff. A liar gives the price back with a fine, and the painting is
gone. A buyer who calls an honest seller a liar pays the fine. In the end, coins and bought paintings count.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.game import N_, Dice, GoesAway, NotAllowed, Result, Rule, Say, SayN, Seat, Step, Tap

FINE = 3
Phase = Literal["offering", "bidding", "deciding", "over"]
Worth = Annotated[int, Meta(ge=0, le=5)]


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    coins: Annotated[int, Meta(title=N_("Coins for everybody"), ge=5, le=50)] = 12
    lots: Annotated[int, Meta(title=N_("Paintings for each of you to sell"), ge=1, le=4)] = 2


class Lot(msgspec.Struct, frozen=True):
    """The painting for sale, face down, and what the seller claims it is worth."""

    painting: int
    claim: int
    buyer: Seat | None = None
    price: int = 0


class Auction(msgspec.Struct, frozen=True):
    setup: Setup
    seats: tuple[Seat, ...]
    coins: dict[Seat, int]
    hands: dict[Seat, tuple[int, ...]]
    bought: dict[Seat, tuple[int, ...]]
    seller: Seat
    lot: Lot | None = None
    bids: dict[Seat, int] = {}
    unmasked: tuple[int, ...] = ()  # paintings whose seller lied and was caught: out of the game
    away: tuple[Seat, ...] = ()

    @property
    def phase(self) -> Phase:
        if self.lot is None:
            return "offering" if any(self.hands.values()) else "over"
        return "bidding" if self.lot.buyer is None else "deciding"

    def chooses(self, seat: Seat) -> bool:
        if self.lot is None:
            return seat == self.seller and bool(self.hands[seat])
        return seat == self.lot.buyer if self.lot.buyer else seat != self.seller and seat not in self.bids

    def waiting_for(self) -> tuple[Seat, ...]:
        """Everybody who has to choose now, except those who are away."""
        return tuple(seat for seat in self.seats if self.chooses(seat) and seat not in self.away)

    def clockwise(self) -> tuple[Seat, ...]:
        """Everybody, clockwise from the seller's left; the seller comes last."""
        place = self.seats.index(self.seller) + 1
        return (*self.seats[place:], *self.seats[:place])

    def pay(self, giver: Seat, taker: Seat, coins: int) -> Auction:
        """Move coins from one player to another, at most what the first one has, so that none is made or lost."""
        coins = min(coins, self.coins[giver])
        changed = {giver: self.coins[giver] - coins, taker: self.coins[taker] + coins}
        return replace(self, coins=self.coins | changed)

    def keep(self, owner: Seat, painting: int) -> Auction:
        return replace(self, bought=self.bought | {owner: (*self.bought[owner], painting)})

    def next_lot(self) -> Auction:
        """The next player with a painting sells; those who are away come last."""
        ready = sorted((seat for seat in self.clockwise() if self.hands[seat]), key=self.away.__contains__)
        return replace(self, lot=None, bids={}, seller=ready[0] if ready else self.seller)


class Offer(Tap, frozen=True):
    """Sell one of your paintings, and claim what it is worth."""

    painting: Worth
    claim: Worth


class Bid(Tap, frozen=True):
    """Bid in secret; 0 is a bid, too."""

    coins: Annotated[int, Meta(ge=0, le=1_000)]


class Decide(Tap, frozen=True):
    """Take the painting you bought as it is, or call the bluff."""

    call: bool


def start(setup: Setup, seats: tuple[Seat, ...], dice: Dice) -> Step:
    pile = dice.shuffled([worth for worth in range(6) for _ in seats])
    hands = {seat: pile[place * setup.lots :][: setup.lots] for place, seat in enumerate(seats)}
    return Step(Auction(setup, seats, dict.fromkeys(seats, setup.coins), hands, dict.fromkeys(seats, ()), seats[0]))


def offer(auction: Auction, seat: Seat, tap: Offer, dice: Dice) -> Step:
    if auction.phase != "offering" or seat != auction.seller:
        raise NotAllowed("It is not your turn to sell.")
    hand = list(auction.hands[seat])
    if tap.painting not in hand:
        raise NotAllowed("You don't have a painting worth {n}.", n=tap.painting)
    hand.remove(tap.painting)
    after = replace(auction, hands=auction.hands | {seat: tuple(hand)}, lot=Lot(tap.painting, tap.claim))
    # Sealed: everybody has heard the claim, so it can't be taken back.
    return Step(after, Say("{name} sells a painting: “It is worth {n}.”", name=seat, n=tap.claim), sealed=True)


def bid(auction: Auction, seat: Seat, tap: Bid, dice: Dice) -> Step:
    if auction.lot is None or seat == auction.seller or seat in auction.bids or auction.lot.buyer:
        raise NotAllowed("You can't bid now.")
    if tap.coins > auction.coins[seat]:
        raise NotAllowed(SayN("You have only {n} coin.", "You have only {n} coins.", n=auction.coins[seat]))
    after = replace(auction, bids=auction.bids | {seat: tap.coins})
    # Bids stay secret until all are in.
    return Step(after, secret=True) if after.waiting_for() else reveal(after, auction.lot)


def reveal(auction: Auction, lot: Lot) -> Step:
    """Tell all bids, and destroy the earlier states that held them."""
    bidders = [seat for seat in auction.clockwise() if seat in auction.bids]
    lines = [Say("{name} bids {n}.", name=seat, n=auction.bids[seat]) for seat in bidders]
    buyer = max(bidders, key=auction.bids.__getitem__, default=auction.seller)
    price = auction.bids.get(buyer, 0)
    if price == 0:
        lines.append(Say("Nobody buys: {name} keeps the painting.", name=auction.seller))
        return Step(auction.keep(auction.seller, lot.painting).next_lot(), *lines, burn=True)
    sold = replace(auction, bids={}, lot=replace(lot, buyer=buyer, price=price)).pay(buyer, auction.seller, price)
    lines.append(SayN("{name} buys it for {n} coin.", "{name} buys it for {n} coins.", name=buyer, n=price))
    return Step(sold, *lines, burn=True)


def decide(auction: Auction, seat: Seat, tap: Decide, dice: Dice) -> Step:
    lot, seller = auction.lot, auction.seller
    if lot is None or seat != lot.buyer:
        raise NotAllowed("You haven't bought this painting.")
    taken = auction.keep(seat, lot.painting)
    if not tap.call:
        return Step(taken.next_lot(), Say("{name} takes it as it is.", name=seat), sealed=True)
    said = Say("{name} calls the bluff: it is worth {n}.", name=seat, n=lot.painting)
    if lot.painting == lot.claim:
        paid = taken.pay(seat, seller, FINE)
        return Step(paid.next_lot(), said, Say("{name} was honest and gets the fine.", name=seller), sealed=True)
    gone = replace(auction, unmasked=(*auction.unmasked, lot.painting)).pay(seller, seat, lot.price + FINE)
    return Step(gone.next_lot(), said, Say("{name} lied and pays for it.", name=seller), sealed=True)


def goes_away(auction: Auction, seat: Seat, tap: GoesAway, dice: Dice) -> Step:
    """Nobody waits for a player who is away: they don't bid, they sell later, and they take what they have bought."""
    if auction.lot is None:
        return Step(auction.next_lot() if seat == auction.seller else auction)
    if auction.lot.buyer == seat:
        return decide(auction, seat, Decide(call=False), dice)
    return Step(auction) if auction.waiting_for() or auction.lot.buyer else reveal(auction, auction.lot)


def result(auction: Auction) -> Result | None:
    points = {seat: auction.coins[seat] + sum(auction.bought[seat]) for seat in auction.seats}
    winners = tuple(seat for seat in auction.seats if points[seat] == max(points.values()))
    return Result(winners, points) if auction.phase == "over" else None


RULES: dict[type[Tap], Rule] = {Offer: offer, Bid: bid, Decide: decide, GoesAway: goes_away}
