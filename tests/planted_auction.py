"""Typical leaks, planted in the example game with its hidden hands and sealed bids."""

from __future__ import annotations

from typing import Any

from planted_faults import Fault, but, rule, step, without
from sealed_auction import GAME

from companion.game import Chart, Curve, NotAllowed, Say, Seat, Step


def secrets_of(auction: Any, seat: Seat, *, bids: bool) -> list[Any]:
    """Return only the secrets about bids, or only those about paintings."""
    return [other for other in GAME.secrets(auction, seat) if (other.bids != auction.bids) == bids]  # type: ignore[misc]


def not_twice(old: Step, auction: Any, seat: Seat, tap: Any) -> Step:
    if tap.coins in auction.bids.values():
        raise NotAllowed("Somebody has bid that already.")
    return old


def no_forgeries(old: Step, auction: Any, seat: Seat, tap: Any) -> Step:
    if auction.lot.painting == 0:
        raise NotAllowed("Look again.")
    return old


def nervous(old: Step, auction: Any, seat: Seat, tap: Any) -> Step:
    """Add a line if the seller lies."""
    return old if tap.painting == tap.claim else step(old, Say("Hm."))


def too_much(old: Step, auction: Any, seat: Seat, tap: Any) -> Step:
    """Let the reveal of the bids also tell something that stays hidden."""
    return step(old, Say("It is worth {n}.", n=auction.lot.painting)) if old.burn else old


AUCTION: dict[str, tuple[Fault, str]] = {
    "bids that are not burnt": (rule(GAME, "Bid", without("burn")), "burn it|says or does"),
    "a bid that is not secret": (rule(GAME, "Bid", without("secret", "sealed")), "must be secret"),
    "an offer that can be taken back": (rule(GAME, "Offer", without("sealed")), "must be secret"),
    "a bid that is refused because of another": (rule(GAME, "Bid", not_twice), "is answered with"),
    "a forgery that cannot be bid for": (rule(GAME, "Bid", no_forgeries), "is answered with"),
    "a forgery that cannot be called": (rule(GAME, "Decide", no_forgeries), "is answered with"),
    "a line about the best bid so far": (
        rule(GAME, "Bid", lambda old, auction, _, tap: step(old, Say("{n}", n=max([*auction.bids.values(), tap.coins])))),
        "from the lines",
    ),
    "a line about a lie": (rule(GAME, "Offer", nervous), "from the lines"),
    "a clock that knows the painting": (
        rule(GAME, "Offer", lambda old, auction, _, tap: step(old, alarm=float(tap.painting))), "from the lines"
    ),
    "a reveal that tells too much": (rule(GAME, "Bid", too_much), "says or does"),
    "a chart of sealed bids": (
        but(GAME, charts=lambda states: (Chart(Say("Bids"), (Curve(tuple(sum(one.bids.values()) for one in states)),)),)),
        "can tell",
    ),
    "a screen that is offered to the rich": (
        but(GAME, choosing=lambda auction: tuple(s for s in auction.seats if sum(auction.hands[s]) > 4)), "without phones"
    ),
    "bids that are not declared": (but(GAME, secrets=lambda one, seat: secrets_of(one, seat, bids=False)), "does not declare"),
    "hands that are not declared": (but(GAME, secrets=lambda one, seat: secrets_of(one, seat, bids=True)), "does not declare"),
    "a phase that is not declared": (
        but(GAME, secrets=lambda one, seat: () if one.phase == "deciding" else GAME.secrets(one, seat)), "never compared"  # type: ignore[misc]
    ),
}  # fmt: skip
