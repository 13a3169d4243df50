"""The end of a scene change: compare influence and difficulty, move the scene, discard the cards."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from companion.game import By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.big_shuffle.attempts import all_passed, difficulty, scene_of, total, under_way, works
from companion.games.big_shuffle.cards import Card
from companion.games.big_shuffle.pieces import Attempt, Verdict
from companion.games.big_shuffle.scenes import needs_play, shuffled_if_empty
from companion.games.big_shuffle.sentences import outcome
from companion.games.big_shuffle.state import Noir


class Settle(Tap, frozen=True, tag="Settle"):
    """Compare influence and difficulty, move the scene, discard the cards."""

    by: ClassVar[By] = "anybody"
    outcome: Literal["count", "success", "failure"] = "count"
    again: bool = False


class CallOff(Tap, frozen=True, tag="CallOff"):
    """Cancel the scene change: no scene moves, and the cards played are discarded."""

    by: ClassVar[By] = "anybody"


class PutRainAway(Tap, frozen=True, tag="PutRainAway"):
    """Make no further attempt, and discard the card that allowed it."""

    by: ClassVar[By] = "anybody"


def filed(table: Noir, attempt: Attempt, *, keep_card: bool = False) -> Noir:
    """Discard the hired goons and the revealed card, whatever the outcome."""
    table = msgspec.structs.replace(table, attempt=None).discard(*(goon.card for goon in attempt.goons))
    if attempt.card is None:
        return table
    if keep_card:
        return msgspec.structs.replace(table, rain=attempt.card)
    return table.discard(Card("scene_change", attempt.card))


def settle(table: Noir, seat: Seat, tap: Settle, dice: Dice) -> Step:
    attempt = under_way(table)
    if table.counts and not all_passed(table, attempt):
        raise NotAllowed("Not everybody has passed yet. Wait, or tap “Nobody hires another”.")
    counted = works(table, attempt)
    if tap.outcome == "count" and counted is None:
        raise NotAllowed("A number is missing. Type it, or say whether it worked.")
    success = bool(counted) if tap.outcome == "count" else tap.outcome == "success"
    asked = counted is None
    verdict = Verdict(
        attempt.seat, attempt.kind, attempt.title, scene_of(table, attempt), attempt.to,
        total=0 if asked else total(table, attempt), difficulty=0 if asked else difficulty(table, attempt) or 0,
        success=success, overruled=not asked and success != counted, asked=asked,
    )  # fmt: skip
    after = msgspec.structs.replace(filed(table, attempt, keep_card=success and tap.again), verdict=verdict)
    lines = [verdict_line(verdict)]
    if success:
        track = after.city[attempt.kind]
        if attempt.title:
            track = track.without_title()
        else:
            title = track.title
            track = track.moved(attempt.spot, attempt.to)
            if title and not track.title:
                lines.append(Say("The title card leaves the game."))
        after, shuffle = shuffled_if_empty(after.with_track(attempt.kind, track))
        lines.extend(shuffle)
    if after.rain is not None:
        lines.append(
            Say("{card} stays revealed. {name} may attempt another scene change.", card=after.rain, name=attempt.seat)
        )
    return Step(after, *lines)


def verdict_line(verdict: Verdict) -> Say:
    end = outcome(verdict)
    if verdict.asked:
        # Translators: {outcome} is another sentence: “The Private Eye goes uptown”.
        return Say("It works: {outcome}.", outcome=end) if verdict.success else Say("It fails: {outcome}.", outcome=end)
    if verdict.overruled:
        # Translators: {outcome} is another sentence: “The Private Eye goes uptown”.
        return Say("A card decides: {outcome}.", outcome=end)
    # Translators: Influence against difficulty. {outcome} is another sentence: “The Private Eye goes uptown”.
    return Say("{total} against {needed}: {outcome}.", total=verdict.total, needed=verdict.difficulty, outcome=end)


def call_off(table: Noir, seat: Seat, tap: CallOff, dice: Dice) -> Step:
    attempt = under_way(table)
    after = filed(table, attempt)
    if attempt.card is None and not attempt.goons:
        after = msgspec.structs.replace(after, turn=msgspec.structs.replace(after.turn, attempted=False))
    return Step(after, Say("{who} cancels the scene change.", who=seat))


def put_rain_away(table: Noir, seat: Seat, tap: PutRainAway, dice: Dice) -> Step:
    needs_play(table)
    if table.rain is None:
        raise NotAllowed("The scene-change card has already been put away.")
    card = Card("scene_change", table.rain)
    after = msgspec.structs.replace(table, rain=None).discard(card)
    return Step(after, Say("{card} goes to its discard pile.", card=card.name))


RULES: dict[type[Tap], Rule] = {Settle: settle, CallOff: call_off}
COUNTED: dict[type[Tap], Rule] = {PutRainAway: put_rain_away}
