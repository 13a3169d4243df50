"""Everybody enters their cards: after the deal, and again when the table and the app disagree."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.state import DEALT, KINDS, OF_EACH, Card, Count, Kind, Play
from companion.games.faster_than_truth.steps import needs, step

Lies = Literal["fists-up", "crown-up", "coins-up", "fists-no", "crown-no", "coins-no"]
MOST_CARDS = 54
DOES_NOT_ADD_UP = N_("The cards don't add up. Everybody, check your cards.")


class EnterDeal(Tap, frozen=True, tag="EnterDeal"):
    """Your three cards, from left to right, and which one lies face up."""

    up: Annotated[int, Meta(title=N_("The face-up card"), ge=1, le=DEALT)]
    cards: Annotated[dict[Annotated[int, Meta(ge=1, le=DEALT)], Kind], Meta(title=N_("Your cards"))] = {}


class EnterStash(Tap, frozen=True, tag="EnterStash"):
    """Your whole stash, from left to right."""

    cards: Annotated[dict[Annotated[int, Meta(ge=1, le=MOST_CARDS)], Lies], Meta(title=N_("Your cards"))] = {}


class TheyAreRight(Tap, frozen=True, tag="TheyAreRight"):
    """Confirm what you entered after a count that did not add up."""


class CountAgain(Tap, frozen=True, tag="CountAgain"):
    """Count all cards again: the table counts the reserve, and everybody enters their stash."""

    by: ClassVar[By] = "anybody"
    reserve: Annotated[dict[Kind, Annotated[int, Meta(ge=0, le=OF_EACH)]], Meta(title=N_("The reserve"))] = {}


class StopCount(Tap, frozen=True, tag="StopCount"):
    """Stop the count and keep the cards as they were."""

    by: ClassVar[By] = "anybody"


def enter_deal(play: Play, seat: Seat, tap: EnterDeal, dice: Dice) -> Step:
    if play.count is None or not play.count.deal:
        raise NotAllowed("The cards have already been dealt.")
    if set(tap.cards) != set(range(1, DEALT + 1)):
        raise NotAllowed("Enter all three of your cards.")
    cards = tuple(Card(tap.cards[place], hidden=place != tap.up) for place in range(1, DEALT + 1))
    return entered(play, play.count, seat, cards)


def enter_stash(play: Play, seat: Seat, tap: EnterStash, dice: Dice) -> Step:
    if play.count is None or play.count.deal:
        raise NotAllowed("Nobody is counting the cards. Tap Count again first.")
    cards = [tap.cards[place].split("-") for place in sorted(tap.cards)]
    return entered(play, play.count, seat, tuple(Card(kind, lies == "no") for kind, lies in cards))  # type: ignore[arg-type]


def they_are_right(play: Play, seat: Seat, tap: TheyAreRight, dice: Dice) -> Step:
    if play.count is None or seat not in play.count.entries:
        raise NotAllowed("Enter your cards first.")
    return entered(play, play.count, seat, play.count.entries[seat])


def entered(play: Play, count: Count, seat: Seat, cards: tuple[Card, ...]) -> Step:
    """Nobody is told who entered or changed what, only whether the sum is right."""
    count = msgspec.structs.replace(
        count,
        entries={**count.entries, seat: cards},
        sure=(*(other for other in count.sure if other != seat), seat),
    )
    if len(count.sure) < len(play.seats):
        return Step(play.but(count=count), secret=True)
    if not adds_up(count):
        again = msgspec.structs.replace(count, sure=(), failed=True)
        return Step(play.but(count=again), Say(DOES_NOT_ADD_UP), secret=True)
    after = play.but(count=None, reserve=count.reserve, stashes={other: count.entries[other] for other in play.seats})
    # Burnt: wrong entries on the way stay secret.
    return step(play, after.sound(), Say("The cards add up."), burn=True)


def adds_up(count: Count) -> bool:
    """Reserve and stashes together hold eighteen cards of each kind."""
    return all(
        count.reserve[kind] + sum(card.kind == kind for cards in count.entries.values() for card in cards) == OF_EACH
        for kind in KINDS
    )


def count_again(play: Play, seat: Seat, tap: CountAgain, dice: Dice) -> Step:
    if play.setup.express:
        raise NotAllowed("Express doesn't track the stashes, so there is nothing to count.")
    needs(play, "first", "declare", "challenge", "turning", "effect", "asking", "taking")
    reserve = {kind: tap.reserve.get(kind, play.reserve[kind]) for kind in KINDS}
    line = Say("{who} asks for a new count. Everybody enters their stash.", who=seat)
    return Step(play.but(count=Count(reserve)), line, alarm=None)


def stop_count(play: Play, seat: Seat, tap: StopCount, dice: Dice) -> Step:
    if play.count is None:
        raise NotAllowed("Nobody is counting the cards. Tap Count again first.")
    if play.count.deal:
        raise NotAllowed("Wait until everybody has entered their cards.")
    line = Say("{who} stops the count. The cards stay as they were.", who=seat)
    return step(play, play.but(count=None), line, burn=True)


RULES: dict[type[Tap], Rule] = {
    EnterDeal: enter_deal,
    EnterStash: enter_stash,
    TheyAreRight: they_are_right,
    CountAgain: count_again,
    StopCount: stop_count,
}
