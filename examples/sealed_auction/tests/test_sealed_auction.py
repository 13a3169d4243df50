"""The rules of the sealed auction."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from sealed_auction import GAME
from sealed_auction.rules import FINE, Auction, Bid, Decide, Offer, Setup

from companion.game import Dice, GoesAway, NotAllowed, Seat, Step, Tap
from companion.testing import Easel, Table, apply

ANN, BEN, CLEO = Seat(1), Seat(2), Seat(3)


@pytest.fixture
def auction() -> Auction:
    """Ann holds a masterpiece and a forgery; everybody has twelve coins."""
    hands = {ANN: (5, 0), BEN: (3,), CLEO: (4,)}
    return Auction(Setup(), (ANN, BEN, CLEO), dict.fromkeys(hands, 12), hands, dict.fromkeys(hands, ()), ANN)


def play(auction: Auction, *taps: tuple[Seat, Tap]) -> Auction:
    for seat, tap in taps:
        auction = apply(GAME, auction, seat, tap).state
    return auction


def test_the_highest_bid_buys_and_pays_the_seller(auction: Auction) -> None:
    after = play(auction, (ANN, Offer(5, 5)), (BEN, Bid(4)), (CLEO, Bid(6)), (CLEO, Decide(call=False)))
    assert after.coins == {ANN: 18, BEN: 12, CLEO: 6}
    assert after.bought[CLEO] == (5,)
    assert after.seller == BEN


def test_if_bids_are_equal_the_first_clockwise_from_the_seller_buys(auction: Auction) -> None:
    after = play(auction, (ANN, Offer(5, 5)), (CLEO, Bid(4)), (BEN, Bid(4)))
    assert after.lot is not None
    assert after.lot.buyer == BEN


def test_a_painting_without_bids_stays_with_the_seller(auction: Auction) -> None:
    after = play(auction, (ANN, Offer(0, 5)), (CLEO, Bid(0)), (BEN, Bid(0)))
    assert after.bought[ANN] == (0,)


def test_a_liar_who_is_called_gives_everything_back_with_a_fine(auction: Auction) -> None:
    after = play(auction, (ANN, Offer(0, 5)), (BEN, Bid(7)), (CLEO, Bid(6)), (BEN, Decide(call=True)))
    assert after.coins == {ANN: 12 - FINE, BEN: 12 + FINE, CLEO: 12}
    assert after.unmasked == (0,)
    assert after.bought[BEN] == ()


def test_calling_an_honest_seller_costs_the_fine(auction: Auction) -> None:
    after = play(auction, (ANN, Offer(5, 5)), (BEN, Bid(7)), (CLEO, Bid(6)), (BEN, Decide(call=True)))
    assert after.coins == {ANN: 12 + 7 + FINE, BEN: 12 - 7 - FINE, CLEO: 12}
    assert after.bought[BEN] == (5,)


def test_nobody_bids_more_than_they_have_or_sells_a_painting_they_lack(auction: Auction) -> None:
    with pytest.raises(NotAllowed, match="have a painting"):
        apply(GAME, auction, ANN, Offer(4, 5))
    with pytest.raises(NotAllowed, match="only"):
        play(auction, (ANN, Offer(5, 5)), (BEN, Bid(13)))


def test_nobody_waits_for_a_player_who_is_away(auction: Auction) -> None:
    bidding = play(auction, (ANN, Offer(5, 5)), (BEN, Bid(2)))
    step: Step = apply(GAME, bidding, CLEO, GoesAway())
    assert step.burn
    assert step.state.lot.buyer == BEN


@pytest.mark.parametrize("seed", range(30))
def test_money_and_paintings_are_conserved(seed: int) -> None:
    chance = random.Random(seed)
    seats = tuple(Seat(n) for n in range(1, chance.randint(3, 6) + 1))
    auction: Auction = GAME.start(Setup(coins=8, lots=3), seats, Dice(chance)).state
    while auction.phase != "over":
        seat = chance.choice(auction.waiting_for())
        match auction.phase:
            case "offering":
                tap: Tap = Offer(chance.choice(auction.hands[seat]), chance.randint(0, 5))
            case "bidding":
                tap = Bid(chance.randint(0, auction.coins[seat]))
            case _:
                tap = Decide(call=chance.random() < 0.5)
        auction = apply(GAME, auction, seat, tap, Dice(chance)).state
        assert sum(auction.coins.values()) == 8 * len(seats)
        assert min(auction.coins.values()) >= 0
        owned = sum(map(len, [*auction.hands.values(), *auction.bought.values()])) + len(auction.unmasked)
        assert owned + (auction.lot is not None) == 3 * len(seats)


def test_a_bid_is_on_nobody_elses_screen(auction: Auction, easel: Easel) -> None:
    offered = play(auction, (ANN, Offer(0, 5)))
    few, many = (play(offered, (BEN, Bid(coins))) for coins in (1, 9))
    for seat in (0, ANN, CLEO, -1):
        assert easel.draw(GAME, few, seat) == easel.draw(GAME, many, seat)


def test_an_evening_at_a_real_table(seated: Callable[..., Table]) -> None:
    table = seated("sealed_auction", players=3, lots=1)
    worth = next(n for n in range(6) if table["Ann"].page().shows(f"Which one do you sell? worth {n}"))
    table["Ann"].presses("Offer it", painting=worth, claim=(worth + 1) % 6)
    table["Ben"].presses("Bid", coins=7)
    assert table["Cleo"].shows("has bid")
    table["Cleo"].presses("Bid", coins=5)
    assert table.shared.shows("Ben buys it for 7 coins.")
    table["Ben"].presses("Call the bluff")
    assert "Ann lied and pays for it." in table.shared.lines()
