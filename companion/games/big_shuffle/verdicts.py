"""The end of a scene change: influence against difficulty, the move, and the cards filed."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from companion.game import By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.big_shuffle.attempts import all_passed, called, difficulty, scene_of, total, under_way, works
from companion.games.big_shuffle.cards import Card
from companion.games.big_shuffle.pieces import Attempt, Verdict
from companion.games.big_shuffle.scenes import AT, needs_play, shuffled_if_empty
from companion.games.big_shuffle.state import Noir


class Settle(Tap, frozen=True, tag="Settle"):
    """Compare influence and difficulty, move the scene, file the cards."""

    by: ClassVar[By] = "anybody"
    outcome: Literal["count", "success", "failure"] = "count"
    again: bool = False


class CallOff(Tap, frozen=True, tag="CallOff"):
    """This scene change does not take place: what was played is filed, no scene moves."""

    by: ClassVar[By] = "anybody"


class PutRainAway(Tap, frozen=True, tag="PutRainAway"):
    """No further attempt: the card that allowed it goes to its discard pile."""

    by: ClassVar[By] = "anybody"


def filed(table: Noir, attempt: Attempt, *, keep_card: bool = False) -> Noir:
    """Hired goons and the revealed card go to their discard piles, whatever the outcome."""
    table = msgspec.structs.replace(table, attempt=None).discard(*(goon.card for goon in attempt.goons))
    if attempt.card is None:
        return table
    if keep_card:
        return msgspec.structs.replace(table, rain=attempt.card)
    return table.discard(Card("scene_change", attempt.card))


def settle(table: Noir, seat: Seat, tap: Settle, dice: Dice) -> Step:
    attempt = under_way(table)
    if table.counts and not all_passed(table, attempt):
        raise NotAllowed("Not everybody has passed yet.")
    counted = works(table, attempt)
    if tap.outcome == "count" and counted is None:
        raise NotAllowed("Not every number is known. Say whether it worked.")
    success = bool(counted) if tap.outcome == "count" else tap.outcome == "success"
    asked = counted is None
    verdict = Verdict(
        attempt.seat, attempt.kind, attempt.title, scene_of(table, attempt), attempt.to,
        total=0 if asked else total(table, attempt), difficulty=0 if asked else difficulty(table, attempt) or 0,
        success=success, overruled=not asked and success != counted, asked=asked,
    )  # fmt: skip
    scene = called(table, attempt)
    after = msgspec.structs.replace(filed(table, attempt, keep_card=success and tap.again), verdict=verdict)
    lines = [verdict_line(verdict, scene)]
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
            Say("{card} stays revealed: {name} may attempt another scene change.", card=after.rain, name=attempt.seat)
        )
    return Step(after, *lines)


def verdict_line(verdict: Verdict, scene: Say) -> Say:
    """A title card goes nowhere in the city: it is out of the game."""
    if verdict.asked:
        if verdict.success and verdict.title:
            return Say("It works: {scene} leaves the game.", scene=scene)
        if verdict.success:
            return Say("It works: {scene} goes {place}.", scene=scene, place=AT[verdict.to])
        return Say("It fails: {scene} stays.", scene=scene)
    if verdict.overruled:
        if verdict.success and verdict.title:
            return Say("A card decides: {scene} leaves the game.", scene=scene)
        if verdict.success:
            return Say("A card decides: {scene} goes {place}.", scene=scene, place=AT[verdict.to])
        return Say("A card decides: {scene} stays.", scene=scene)
    if verdict.success and verdict.title:
        return Say(
            "{total} against {needed}: {scene} leaves the game.",
            total=verdict.total, needed=verdict.difficulty, scene=scene,
        )  # fmt: skip
    if verdict.success:
        return Say(
            "{total} against {needed}: {scene} goes {place}.",
            total=verdict.total, needed=verdict.difficulty, scene=scene, place=AT[verdict.to],
        )  # fmt: skip
    return Say("{total} against {needed}: {scene} stays.", total=verdict.total, needed=verdict.difficulty, scene=scene)


def call_off(table: Noir, seat: Seat, tap: CallOff, dice: Dice) -> Step:
    attempt = under_way(table)
    after = filed(table, attempt)
    if attempt.card is None and not attempt.goons:
        after = msgspec.structs.replace(after, turn=msgspec.structs.replace(after.turn, attempted=False))
    return Step(after, Say("{who} calls the scene change off.", who=seat))


def put_rain_away(table: Noir, seat: Seat, tap: PutRainAway, dice: Dice) -> Step:
    needs_play(table)
    if table.rain is None:
        raise NotAllowed("No scene-change card is waiting.")
    card = Card("scene_change", table.rain)
    after = msgspec.structs.replace(table, rain=None).discard(card)
    return Step(after, Say("{card} goes to its discard pile.", card=card.name))


RULES: dict[type[Tap], Rule] = {Settle: settle, CallOff: call_off}
COUNTED: dict[type[Tap], Rule] = {PutRainAway: put_rain_away}
