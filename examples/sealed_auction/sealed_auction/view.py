"""What each screen may see, and what nobody may be able to tell."""

from collections.abc import Iterator
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from companion.game import Result, Seat
from sealed_auction.rules import FINE, Auction, Phase, result


class Bidder(msgspec.Struct, frozen=True):
    seat: Seat
    coins: int
    to_sell: int
    bought: int
    has_bid: bool


class TableView(msgspec.Struct, frozen=True):
    phase: Phase
    seller: Seat
    buyer: Seat | None
    claim: int | None
    bidders: tuple[Bidder, ...]
    unmasked: tuple[int, ...]
    result: Result | None


class SeatView(msgspec.Struct, frozen=True):
    phase: Phase
    chooses: bool
    coins: int
    hand: tuple[int, ...]
    bought: tuple[int, ...]
    claim: int | None
    price: int
    fine: int = FINE


def table_view(auction: Auction) -> TableView:
    bidders = tuple(
        Bidder(seat, coins, len(auction.hands[seat]), len(auction.bought[seat]), seat in auction.bids)
        for seat, coins in auction.coins.items()
    )
    buyer, claim = (auction.lot.buyer, auction.lot.claim) if auction.lot else (None, None)
    return TableView(auction.phase, auction.seller, buyer, claim, bidders, auction.unmasked, result(auction))


def seat_view(auction: Auction, seat: Seat) -> SeatView:
    hand, bought = tuple(sorted(auction.hands[seat])), tuple(sorted(auction.bought[seat]))
    claim, price = (auction.lot.claim, auction.lot.price) if auction.lot else (None, 0)
    return SeatView(auction.phase, auction.chooses(seat), auction.coins[seat], hand, bought, claim, price)


def secrets(auction: Auction, seat: Seat) -> Iterator[Auction]:
    """Somebody else has bid otherwise; or two paintings that this seat does not see have changed places."""
    for other, coins in auction.bids.items():
        if other != seat:
            yield replace(auction, bids=auction.bids | {other: (coins + 1) % (auction.coins[other] + 1)})
    hands = [other for other in auction.seats if other != seat and auction.hands[other]]
    for one, other in pairwise(hands):
        (first, *rest), (second, *others) = auction.hands[one], auction.hands[other]
        yield replace(auction, hands=auction.hands | {one: (second, *rest), other: (first, *others)})
    for other in hands:
        first, *rest = auction.hands[other]
        if auction.lot is not None and seat != auction.seller:
            swapped = auction.hands | {other: (auction.lot.painting, *rest)}
            yield replace(auction, hands=swapped, lot=replace(auction.lot, painting=first))
        for owner, (second, *others) in ((owner, all_of) for owner, all_of in auction.bought.items() if all_of):
            if owner != seat:
                bought = auction.bought | {owner: (first, *others)}
                yield replace(auction, hands=auction.hands | {other: (second, *rest)}, bought=bought)
