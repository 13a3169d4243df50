"""Hiring goons for or against a scene change, clockwise, until everybody has passed."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from companion.game import By, Dice, Hole, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.big_shuffle.attempts import all_passed, in_words, under_way
from companion.games.big_shuffle.cards import Card, Number
from companion.games.big_shuffle.pieces import Attempt, Goon
from companion.games.big_shuffle.scenes import Index
from companion.games.big_shuffle.state import Noir


class Hire(Tap, frozen=True, tag="Hire"):
    """Hire a goon: above zero for the attempt, below zero against it."""

    by: ClassVar[By] = "anybody"
    player: Seat
    modifier: Number
    anyway: bool = False


class PassGoons(Tap, frozen=True, tag="PassGoons"):
    """Whoever passes hires no more goons in this scene change."""

    by: ClassVar[By] = "anybody"
    player: Seat


class NobodyHires(Tap, frozen=True, tag="NobodyHires"):
    """Everybody who has not passed yet passes."""

    by: ClassVar[By] = "anybody"


class CorrectGoon(Tap, frozen=True, tag="CorrectGoon"):
    """The modifier of a hired goon counts differently, or was misread; without one, the goon was not hired."""

    by: ClassVar[By] = "anybody"
    index: Index
    modifier: Number | None = None


def hiring(table: Noir) -> Attempt:
    attempt = under_way(table)
    if attempt.card is None and not attempt.no_card:
        raise NotAllowed("First a scene-change card is revealed.")
    if all_passed(table, attempt):
        raise NotAllowed("Everybody has passed: no more goons.")
    return attempt


def next_to_hire(table: Noir, attempt: Attempt, after: Seat) -> Seat:
    """Clockwise to the next player who has not passed."""
    seat = table.after(after)
    while seat in attempt.passed and seat != after:
        seat = table.after(seat)
    return seat


def signed(modifier: int) -> str:
    return f"−{-modifier}" if modifier < 0 else f"+{modifier}"


def hire(table: Noir, seat: Seat, tap: Hire, dice: Dice) -> Step:
    attempt = hiring(table)
    table.player(tap.player)
    if not tap.anyway:
        if tap.player in attempt.passed:
            raise NotAllowed("{name} has passed. If a card allows it, say so.", name=tap.player)
        if tap.player != attempt.next:
            raise NotAllowed("It is for {name} to hire or pass. If a card allows it, say so.", name=attempt.next)
    card = Card("goon", signed(tap.modifier))
    table = table.seen_coming(card, tap.player)
    table.room_for(card)
    hired = msgspec.structs.replace(attempt, goons=(*attempt.goons, Goon(tap.player, tap.modifier, card)))
    if tap.player == attempt.next:
        hired = msgspec.structs.replace(hired, next=next_to_hire(table, hired, tap.player))
    after = msgspec.structs.replace(table, attempt=hired)
    now = in_words(after, hired)
    holes: dict[str, Hole] = {"name": tap.player, "goon": signed(tap.modifier), "total": now}
    if tap.anyway:
        return Step(after, Say("{name} hires a goon, {goon}, because a card allows it: {total} now.", **holes))
    if tap.modifier < 0:
        return Step(after, Say("{name} hires a goon against it, {goon}: {total} now.", **holes))
    return Step(after, Say("{name} hires a goon for it, {goon}: {total} now.", **holes))


def pass_goons(table: Noir, seat: Seat, tap: PassGoons, dice: Dice) -> Step:
    attempt = hiring(table)
    if tap.player != attempt.next:
        raise NotAllowed("It is for {name} to hire or pass.", name=attempt.next)
    passed = msgspec.structs.replace(attempt, passed=(*attempt.passed, tap.player))
    done = all_passed(table, passed)
    passed = msgspec.structs.replace(passed, next=tap.player if done else next_to_hire(table, passed, tap.player))
    # Passing is no event: how it ended is.
    return Step(msgspec.structs.replace(table, attempt=passed))


def nobody_hires(table: Noir, seat: Seat, tap: NobodyHires, dice: Dice) -> Step:
    attempt = hiring(table)
    passed = (*attempt.passed, *(one for one in table.seats if one not in attempt.passed))
    after = msgspec.structs.replace(table, attempt=msgspec.structs.replace(attempt, passed=passed))
    return Step(after, Say("Nobody hires another goon."))


def correct_goon(table: Noir, seat: Seat, tap: CorrectGoon, dice: Dice) -> Step:
    attempt = under_way(table)
    if tap.index >= len(attempt.goons):
        raise NotAllowed("That goon is not there any more.")
    goon = attempt.goons[tap.index]
    new = () if tap.modifier is None else (msgspec.structs.replace(goon, modifier=tap.modifier),)
    goons = (*attempt.goons[: tap.index], *new, *attempt.goons[tap.index + 1 :])
    after = msgspec.structs.replace(table, attempt=msgspec.structs.replace(attempt, goons=goons))
    if tap.modifier is None:
        return Step(
            after, Say("{who} corrects: {name} did not hire {goon}.", who=seat, name=goon.seat, goon=goon.card.name)
        )
    line = Say("{who} corrects: the goon of {name} counts {goon}.", who=seat, name=goon.seat, goon=signed(tap.modifier))
    return Step(after, line)


RULES: dict[type[Tap], Rule] = {
    Hire: hire,
    PassGoons: pass_goons,
    NobodyHires: nobody_hires,
    CorrectGoon: correct_goon,
}
