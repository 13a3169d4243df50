"""Entering the cards: the deal, and a count of all cards when the table and the app disagree."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.state import DEALT, KINDS, OF_EACH, Card, Count, Kind, Play
from companion.games.faster_than_truth.steps import needs, step

Lies = Literal["fists-up", "crown-up", "coins-up", "fists-no", "crown-no", "coins-no"]
MOST_CARDS = 54
NOT_IN_SUM = N_("The cards do not add up. Everybody looks at theirs again.")


class EnterDeal(Tap, frozen=True, tag="EnterDeal"):
    """Your three cards, from left to right, and which one lies face up."""

    up: Annotated[int, Meta(title=N_("The card that lies face up"), ge=1, le=DEALT)]
    cards: Annotated[dict[Annotated[int, Meta(ge=1, le=DEALT)], Kind], Meta(title=N_("Your cards"))] = {}


class EnterStash(Tap, frozen=True, tag="EnterStash"):
    """Your whole stash, from left to right."""

    cards: Annotated[dict[Annotated[int, Meta(ge=1, le=MOST_CARDS)], Lies], Meta(title=N_("Your cards"))] = {}


class TheyAreRight(Tap, frozen=True, tag="TheyAreRight"):
    """You have looked again, and stand by what you entered."""


class CountAnew(Tap, frozen=True, tag="CountAnew"):
    """The table and the app disagree: the reserve is counted by all, and everybody enters their stash."""

    by: ClassVar[By] = "anybody"
    reserve: Annotated[dict[Kind, Annotated[int, Meta(ge=0, le=OF_EACH)]], Meta(title=N_("The reserve"))] = {}


class StopCount(Tap, frozen=True, tag="StopCount"):
    """Leave the cards as they were."""

    by: ClassVar[By] = "anybody"


def enter_deal(play: Play, seat: Seat, tap: EnterDeal, dice: Dice) -> Step:
    if play.count is None or not play.count.deal:
        raise NotAllowed("The cards are dealt already.")
    if set(tap.cards) != set(range(1, DEALT + 1)):
        raise NotAllowed("Enter all three of your cards.")
    cards = tuple(Card(tap.cards[place], hidden=place != tap.up) for place in range(1, DEALT + 1))
    return entered(play, play.count, seat, cards)


def enter_stash(play: Play, seat: Seat, tap: EnterStash, dice: Dice) -> Step:
    if play.count is None or play.count.deal:
        raise NotAllowed("The cards are not being counted.")
    cards = [tap.cards[place].split("-") for place in sorted(tap.cards)]
    return entered(play, play.count, seat, tuple(Card(kind, lies == "no") for kind, lies in cards))  # type: ignore[arg-type]


def they_are_right(play: Play, seat: Seat, tap: TheyAreRight, dice: Dice) -> Step:
    if play.count is None or seat not in play.count.entries:
        raise NotAllowed("Enter your cards first.")
    return entered(play, play.count, seat, play.count.entries[seat])


def entered(play: Play, count: Count, seat: Seat, cards: tuple[Card, ...]) -> Step:
    """Nobody is told who entered what, nor who changed what; only that it adds up, or does not."""
    count = msgspec.structs.replace(
        count,
        entries={**count.entries, seat: cards},
        sure=(*(other for other in count.sure if other != seat), seat),
    )
    if len(count.sure) < len(play.seats):
        return Step(play.but(count=count), secret=True)
    if not adds_up(count):
        again = msgspec.structs.replace(count, sure=(), failed=True)
        return Step(play.but(count=again), Say(NOT_IN_SUM), secret=True)
    after = play.but(count=None, reserve=count.reserve, stashes={other: count.entries[other] for other in play.seats})
    # What was entered wrongly on the way is nobody's business.
    return step(play, after.sound(), Say("The cards add up."), burn=True)


def adds_up(count: Count) -> bool:
    """Eighteen of each kind, in the reserve and in all stashes together."""
    return all(
        count.reserve[kind] + sum(card.kind == kind for cards in count.entries.values() for card in cards) == OF_EACH
        for kind in KINDS
    )


def count_anew(play: Play, seat: Seat, tap: CountAnew, dice: Dice) -> Step:
    if play.setup.express:
        raise NotAllowed("Express keeps no stashes: there is nothing to count.")
    needs(play, "first", "declare", "challenge", "turning", "effect", "asking", "taking")
    reserve = {kind: tap.reserve.get(kind, play.reserve[kind]) for kind in KINDS}
    line = Say("{who} calls for a count: everybody enters their stash.", who=seat)
    return Step(play.but(count=Count(reserve)), line, alarm=None)


def stop_count(play: Play, seat: Seat, tap: StopCount, dice: Dice) -> Step:
    if play.count is None:
        raise NotAllowed("The cards are not being counted.")
    if play.count.deal:
        raise NotAllowed("First everybody enters their cards.")
    line = Say("{who} stops the count: the cards stay as they were.", who=seat)
    return step(play, play.but(count=None), line, burn=True)


RULES: dict[type[Tap], Rule] = {
    EnterDeal: enter_deal,
    EnterStash: enter_stash,
    TheyAreRight: they_are_right,
    CountAnew: count_anew,
    StopCount: stop_count,
}
