"""What each screen may see, and what is secret."""

from collections.abc import Iterator
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from companion.game import Moment, Result, Seat
from sealed_auction.rules import Auction, Phase, result


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
    moment: Moment | None


class SeatView(msgspec.Struct, frozen=True):
    chooses: bool
    waiting: tuple[Seat, ...]
    coins: int
    hand: tuple[int, ...]
    bought: tuple[int, ...]
    claim: int | None
    price: int


def table_view(auction: Auction) -> TableView:
    bidders = tuple(
        Bidder(seat, coins, len(auction.hands[seat]), len(auction.bought[seat]), seat in auction.bids)
        for seat, coins in auction.coins.items()
    )
    buyer, claim = (auction.lot.buyer, auction.lot.claim) if auction.lot else (None, None)
    kind = {"deciding": "deciding", "over": "winner"}.get(auction.phase)
    moment = Moment(kind, auction.seller, curtain=0.5, hold=1.6) if kind else None
    return TableView(auction.phase, auction.seller, buyer, claim, bidders, auction.unmasked, result(auction), moment)


def seat_view(auction: Auction, seat: Seat) -> SeatView:
    hand, bought = tuple(sorted(auction.hands[seat])), tuple(sorted(auction.bought[seat]))
    claim, price = (auction.lot.claim, auction.lot.price) if auction.lot else (None, 0)
    return SeatView(auction.chooses(seat), auction.waiting_for(), auction.coins[seat], hand, bought, claim, price)


def secrets(auction: Auction, seat: Seat) -> Iterator[Auction]:
    """States that must look the same to this seat: another bid of somebody else, or two hidden paintings swapped."""
    for other in auction.bids.keys() - {seat}:
        yield replace(auction, bids=auction.bids | {other: (auction.bids[other] + 1) % (auction.coins[other] + 1)})
    hands = [other for other in auction.seats if other != seat and auction.hands[other]]
    for one, other in pairwise(hands):
        (first, *rest), (second, *others) = auction.hands[one], auction.hands[other]
        yield replace(auction, hands=auction.hands | {one: (second, *rest), other: (first, *others)})
    for other in hands:
        first, *rest = auction.hands[other]
        if auction.lot is not None and seat != auction.seller:
            swapped = auction.hands | {other: (auction.lot.painting, *rest)}
            yield replace(auction, hands=swapped, lot=replace(auction.lot, painting=first))
        for who, (second, *others) in ((who, own) for who, own in auction.bought.items() if own and who != seat):
            bought = auction.bought | {who: (first, *others)}
            yield replace(auction, hands=auction.hands | {other: (second, *rest)}, bought=bought)
