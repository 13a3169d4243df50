"""The penalty after a challenge: one player takes a card from the other, or from the reserve if they have none."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.game import Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.sentences import NONE_LEFT, TAKES, TAKES_FROM_RESERVE, TAKES_HIDDEN
from companion.games.faster_than_truth.state import Kind, Play, Taking
from companion.games.faster_than_truth.steps import step


class TakeCard(Tap, frozen=True, tag="TakeCard"):
    """Take a card from the other player by its place, face up or hidden."""

    place: Annotated[int, Meta(ge=1, le=99)]


class TakeFromReserve(Tap, frozen=True, tag="TakeFromReserve"):
    """The other player has no cards: take any card from the reserve, or none."""

    kind: Kind | None = None


def penalty(before: Play, after: Play, taking: Taking, *lines: Say) -> Step:
    """Let a player take a card, unless the stash and the reserve are both empty."""
    if not after.stashes[taking.loser] and not any(after.reserve.values()):
        return step(before, after.finish_card(), *lines, Say("No cards are left to take."))
    return step(before, after.but(taking=taking), *lines)


def needs_taker(play: Play, seat: Seat) -> Taking:
    if play.phase != "taking" or seat != play.penalty.taker:
        raise NotAllowed("You have no card to take now.")
    return play.penalty


def take_card(play: Play, seat: Seat, tap: TakeCard, dice: Dice) -> Step:
    loser = needs_taker(play, seat).loser
    card = play.card_at(loser, tap.place)
    after = play.hand(loser, tap.place, seat).finish_card()
    line = Say((TAKES_HIDDEN if card.hidden else TAKES)[card.kind], name=seat, loser=loser)
    # Sealed if it was hidden: everybody has seen it now.
    return step(play, after, line, sealed=card.hidden)


def take_from_reserve(play: Play, seat: Seat, tap: TakeFromReserve, dice: Dice) -> Step:
    loser = needs_taker(play, seat).loser
    if play.stashes[loser]:
        raise NotAllowed("{name} has cards. Take one of those.", name=loser)
    if tap.kind is None:
        return step(play, play.finish_card(), Say("{name} takes no card.", name=seat))
    if not play.reserve[tap.kind]:
        raise NotAllowed(NONE_LEFT[tap.kind])
    line = Say(TAKES_FROM_RESERVE[tap.kind], loser=loser, name=seat)
    return step(play, play.draw(seat, tap.kind).finish_card(), line)


RULES: dict[type[Tap], Rule] = {
    TakeCard: take_card,
    TakeFromReserve: take_from_reserve,
}
