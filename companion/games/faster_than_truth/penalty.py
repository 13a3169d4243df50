"""After a challenge: one of the two takes a card from the other, or from the reserve if there is none."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.game import N_, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.state import Kind, Play, Taking
from companion.games.faster_than_truth.steps import step, word


class TakeCard(Tap, frozen=True, tag="TakeCard"):
    """Take a card by its place, face up or hidden."""

    place: Annotated[int, Meta(ge=1, le=99)]


class TakeFromReserve(Tap, frozen=True, tag="TakeFromReserve"):
    """There is nothing to take from the rival: any card from the reserve, or none."""

    kind: Kind | None = None


def penalty(before: Play, after: Play, taking: Taking, *lines: Say) -> Step:
    """Somebody may take a card, unless there is none in the world to take."""
    if not after.stashes[taking.loser] and not any(after.reserve.values()):
        return step(before, after.finish_card(), *lines, Say("There is no card to take."))
    return step(before, after.but(taking=taking), *lines)


def needs_taker(play: Play, seat: Seat) -> Taking:
    if play.phase != "taking" or seat != play.penalty.taker:
        raise NotAllowed("It is not for you to take a card now.")
    return play.penalty


def take_card(play: Play, seat: Seat, tap: TakeCard, dice: Dice) -> Step:
    loser = needs_taker(play, seat).loser
    card = play.card_at(loser, tap.place)
    after = play.hand(loser, tap.place, seat).finish_card()
    text = N_("{name} takes a hidden card from {loser}: {kind}.")
    if not card.hidden:
        text = N_("{name} takes {kind} from {loser}.")
    line = Say(text, name=seat, loser=loser, kind=word(card.kind))
    # What was hidden has been seen by all: that cannot be taken back.
    return step(play, after, line, sealed=card.hidden)


def take_from_reserve(play: Play, seat: Seat, tap: TakeFromReserve, dice: Dice) -> Step:
    loser = needs_taker(play, seat).loser
    if play.stashes[loser]:
        raise NotAllowed("{name} has cards: take one of those.", name=loser)
    if tap.kind is None:
        return step(play, play.finish_card(), Say("{name} takes no card.", name=seat))
    if not play.reserve[tap.kind]:
        raise NotAllowed("There is no {kind} left in the reserve.", kind=word(tap.kind))
    line = Say("{loser} has no card to take; {name} takes {kind} from the reserve.",
               loser=loser, name=seat, kind=word(tap.kind))  # fmt: skip
    return step(play, play.draw(seat, tap.kind).finish_card(), line)


RULES: dict[type[Tap], Rule] = {
    TakeCard: take_card,
    TakeFromReserve: take_from_reserve,
}
