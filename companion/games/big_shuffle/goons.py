"""Hiring goons for or against a scene change, clockwise, until everybody has passed."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from companion.game import By, Dice, Hole, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.big_shuffle.attempts import all_passed, sum_so_far, under_way
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
    """Pass: hire no more goons in this scene change."""

    by: ClassVar[By] = "anybody"
    player: Seat


class NobodyHires(Tap, frozen=True, tag="NobodyHires"):
    """Everybody passes who has not passed yet."""

    by: ClassVar[By] = "anybody"


class CorrectGoon(Tap, frozen=True, tag="CorrectGoon"):
    """Correct the modifier of a hired goon; without a modifier, the goon was not hired."""

    by: ClassVar[By] = "anybody"
    index: Index
    modifier: Number | None = None


def hiring(table: Noir) -> Attempt:
    attempt = under_way(table)
    if attempt.card is None and not attempt.no_card:
        raise NotAllowed("Reveal a scene-change card first.")
    if all_passed(table, attempt):
        raise NotAllowed("Everybody has passed, so nobody can hire goons now. Finish the scene change.")
    return attempt


def next_to_hire(table: Noir, attempt: Attempt, after: Seat) -> Seat:
    """Return the next player clockwise who has not passed."""
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
            raise NotAllowed("{name} has passed. If a card lets {name} hire, use “Hire anyway”.", name=tap.player)
        if tap.player != attempt.next:
            raise NotAllowed(
                "{name} hires or passes next. If a card lets you hire now, use “Hire anyway”.", name=attempt.next
            )
    card = Card("goon", signed(tap.modifier))
    table = table.seen_coming(card, tap.player)
    table.room_for(card)
    hired = msgspec.structs.replace(attempt, goons=(*attempt.goons, Goon(tap.player, tap.modifier, card)))
    if tap.player == attempt.next:
        hired = msgspec.structs.replace(hired, next=next_to_hire(table, hired, tap.player))
    after = msgspec.structs.replace(table, attempt=hired)
    holes: dict[str, Hole] = {"name": tap.player, "goon": signed(tap.modifier), "sum": sum_so_far(after, hired)}
    if tap.anyway:
        # Translators: {goon} is a modifier: +2 or −1. {sum} is another sentence: “The influence is 4.”
        return Step(after, Say("{name} hires a goon because a card allows it: {goon}. {sum}", **holes))
    if tap.modifier < 0:
        # Translators: {goon} is a modifier: +2 or −1. {sum} is another sentence: “The influence is 4.”
        return Step(after, Say("{name} hires a goon against the scene change: {goon}. {sum}", **holes))
    # Translators: {goon} is a modifier: +2 or −1. {sum} is another sentence: “The influence is 4.”
    return Step(after, Say("{name} hires a goon for the scene change: {goon}. {sum}", **holes))


def pass_goons(table: Noir, seat: Seat, tap: PassGoons, dice: Dice) -> Step:
    attempt = hiring(table)
    if tap.player != attempt.next:
        raise NotAllowed("{name} hires or passes next.", name=attempt.next)
    passed = msgspec.structs.replace(attempt, passed=(*attempt.passed, tap.player))
    done = all_passed(table, passed)
    passed = msgspec.structs.replace(passed, next=tap.player if done else next_to_hire(table, passed, tap.player))
    # The history leaves out who passes: only the outcome matters.
    return Step(msgspec.structs.replace(table, attempt=passed))


def nobody_hires(table: Noir, seat: Seat, tap: NobodyHires, dice: Dice) -> Step:
    attempt = hiring(table)
    passed = (*attempt.passed, *(one for one in table.seats if one not in attempt.passed))
    after = msgspec.structs.replace(table, attempt=msgspec.structs.replace(attempt, passed=passed))
    return Step(after, Say("Nobody hires another goon."))


def correct_goon(table: Noir, seat: Seat, tap: CorrectGoon, dice: Dice) -> Step:
    attempt = under_way(table)
    if tap.index >= len(attempt.goons):
        raise NotAllowed("That goon is not there any more. Choose another one.")
    goon = attempt.goons[tap.index]
    new = () if tap.modifier is None else (msgspec.structs.replace(goon, modifier=tap.modifier),)
    goons = (*attempt.goons[: tap.index], *new, *attempt.goons[tap.index + 1 :])
    after = msgspec.structs.replace(table, attempt=msgspec.structs.replace(attempt, goons=goons))
    if tap.modifier is None:
        return Step(
            after,
            Say(
                "{who} corrects: {name} did not hire that goon ({goon}).", who=seat, name=goon.seat, goon=goon.card.name
            ),
        )
    line = Say(
        "{who} corrects: the goon that {name} hired counts {goon}.", who=seat, name=goon.seat, goon=signed(tap.modifier)
    )
    return Step(after, line)


RULES: dict[type[Tap], Rule] = {
    Hire: hire,
    PassGoons: pass_goons,
    NobodyHires: nobody_hires,
    CorrectGoon: correct_goon,
}
