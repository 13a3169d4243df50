"""A scene change: choose a scene, reveal a card, hire goons, settle it."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, Hole, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.big_shuffle.cards import Card, Name, Number, SceneKind
from companion.games.big_shuffle.city import Place, Spot, can_go
from companion.games.big_shuffle.pieces import Attempt
from companion.games.big_shuffle.piles import if_empty
from companion.games.big_shuffle.scenes import AT, TYPES, needs_play, no_attempt
from companion.games.big_shuffle.state import Noir
from companion.games.big_shuffle.turns import whose_turn

PARTS = ("base", "informant", "loot", "card", "other")
Difficulty = Annotated[int, Meta(title=N_("Difficulty"), ge=0, le=60)]


class TryScene(Tap, frozen=True, tag="TryScene"):
    """Choose a scene and where it is to go: `who.midtown.0.uptown`, or `who.title.0.downtown`."""

    by: ClassVar[By] = "anybody"
    move: Annotated[str, Meta(title=N_("The scene"), max_length=40)]
    anyway: bool = False


class RevealChange(Tap, frozen=True, tag="RevealChange"):
    """The top card of the scene-change deck, and its modifier; a correction when one is named already."""

    by: ClassVar[By] = "anybody"
    name: Name
    modifier: Number | None = None


class NoChange(Tap, frozen=True, tag="NoChange"):
    """A card says that no scene-change card is revealed."""

    by: ClassVar[By] = "anybody"


class TypeNumbers(Tap, frozen=True, tag="TypeNumbers"):
    """Type or correct the difficulty and what makes up the influence."""

    by: ClassVar[By] = "anybody"
    difficulty: Difficulty | None = None
    base: Number | None = None
    informant: Number | None = None
    loot: Number | None = None
    card: Number | None = None
    other: Number | None = None


def scene_of(table: Noir, attempt: Attempt) -> str | None:
    pile = table.city[attempt.kind].pile(attempt.spot.place)
    return None if attempt.title or attempt.spot.index >= len(pile) else pile[attempt.spot.index]


def called(table: Noir, attempt: Attempt) -> Say:
    """The scene of an attempt in a sentence."""
    name = scene_of(table, attempt)
    if attempt.title:
        return Say("the title card of {type}", type=TYPES[attempt.kind])
    return Say("{scene}", scene=name) if name else Say("the {type} scene", type=TYPES[attempt.kind])


def amounts(table: Noir, attempt: Attempt) -> dict[str, int | None]:
    """What adds up to the influence: typed numbers first, then what the cards are known to say."""
    player, kind = table.player(attempt.seat), attempt.kind
    loot = [n for name in player.loot if (n := table.number("loot", name, kind)) is not None]
    known: dict[str, int | None] = {
        "base": player.influence.get(kind),
        "informant": table.number("informant", player.informant, kind),
        "loot": sum(loot) if len(loot) == len(player.loot) else None,
        "card": 0 if attempt.no_card else table.number("scene_change", attempt.card, "modifier"),
        "other": 0,
    }
    return {part: attempt.typed.get(part, known[part]) for part in PARTS}


def difficulty(table: Noir, attempt: Attempt) -> int | None:
    if "difficulty" in attempt.typed:
        return attempt.typed["difficulty"]
    return table.number(attempt.kind, scene_of(table, attempt), attempt.difficulty_key)


def unknown(table: Noir, attempt: Attempt) -> bool:
    """A number that nobody has typed is unknown, not nothing."""
    return any(n is None for n in amounts(table, attempt).values())


def total(table: Noir, attempt: Attempt) -> int:
    """The sum of all that is known."""
    return sum(n or 0 for n in amounts(table, attempt).values()) + sum(goon.modifier for goon in attempt.goons)


def influence(table: Noir, attempt: Attempt) -> int | None:
    """The sum, as soon as there is anything to add up."""
    known = [part for part, n in amounts(table, attempt).items() if n is not None and (n or part == "base")]
    return total(table, attempt) if known or attempt.goons or not unknown(table, attempt) else None


def in_words(table: Noir, attempt: Attempt) -> Hole:
    """The sum in a sentence."""
    n = influence(table, attempt)
    if n is None:
        return "?"
    return Say("at least {n}", n=n) if unknown(table, attempt) else n


def works(table: Noir, attempt: Attempt) -> bool | None:
    """Whether it is enough; None if that cannot be counted, so that the table has to say it."""
    needed = difficulty(table, attempt)
    if not table.counts or needed is None or unknown(table, attempt):
        return None
    return total(table, attempt) >= needed


def all_passed(table: Noir, attempt: Attempt) -> bool:
    return len(attempt.passed) == len(table.seats)


def under_way(table: Noir) -> Attempt:
    needs_play(table)
    if table.attempt is None:
        raise NotAllowed("No scene change is under way.")
    return table.attempt


def parsed(table: Noir, move: str) -> tuple[SceneKind, bool, Spot, Place]:
    """One step at a time, and only scenes that lie in sight: the top of midtown, or uptown and downtown."""
    for kind, track in table.city.items():
        if track.title:
            for to in can_go("midtown"):
                if move == f"{kind}.title.0.{to}":
                    return kind, True, Spot("midtown", 0), to
        for spot, _ in track.public():
            if spot.place == "midtown" and (spot.index or track.title):
                continue
            for to in can_go(spot.place):
                if move == f"{kind}.{spot.place}.{spot.index}.{to}":
                    return kind, False, spot, to
    raise NotAllowed("That scene cannot go there. A scene moves one step, and only from where everybody sees it.")


def try_scene(table: Noir, seat: Seat, tap: TryScene, dice: Dice) -> Step:
    player = whose_turn(table)
    no_attempt(table)
    if not tap.anyway and table.rain is None:
        if table.turn.played:
            raise NotAllowed("Whoever played a card attempts no scene change. If a card allows it, say so.")
        if table.turn.attempted:
            raise NotAllowed("One scene change in a turn. If a card allows another, say so.")
    kind, title, spot, to = parsed(table, tap.move)
    attempt = Attempt(player, kind, title, spot, to, card=table.rain, next=player)
    turn = msgspec.structs.replace(table.turn, attempted=True)
    line = Say("{name} tries to move {scene} {place}.", name=player, scene=called(table, attempt), place=AT[to])
    after = msgspec.structs.replace(table, attempt=attempt, rain=None, turn=turn, verdict=None, shuffled=False)
    return Step(after, line, *((Say("A card allows it."),) if tap.anyway else ()))


def reveal_change(table: Noir, seat: Seat, tap: RevealChange, dice: Dice) -> Step:
    attempt = under_way(table)
    old = attempt.card
    numbers = {} if tap.modifier is None else {"modifier": tap.modifier}
    table = msgspec.structs.replace(table, attempt=msgspec.structs.replace(attempt, card=None, no_card=False))
    table, empty = if_empty(table, "scene_change") if old is None else (table, ())
    table, name = table.learn("scene_change", tap.name, numbers)
    table.room_for(Card("scene_change", name))
    typed = {key: n for key, n in attempt.typed.items() if key != "card"}
    attempt = msgspec.structs.replace(attempt, card=name, no_card=False, typed=typed)
    after = msgspec.structs.replace(table, attempt=attempt)
    if old is not None:
        return Step(after, Say("{who} corrects: the card is {card}.", who=seat, card=name))
    return Step(after, *empty, Say("{card} is revealed.", card=name))


def no_change(table: Noir, seat: Seat, tap: NoChange, dice: Dice) -> Step:
    attempt = under_way(table)
    if attempt.card is not None:
        raise NotAllowed("{card} is revealed already.", card=attempt.card)
    after = msgspec.structs.replace(table, attempt=msgspec.structs.replace(attempt, no_card=True))
    return Step(after, Say("No scene-change card is revealed: a card says so."))


def type_numbers(table: Noir, seat: Seat, tap: TypeNumbers, dice: Dice) -> Step:
    """What is typed here is remembered with the card it stands on: typed once, and the latest counts."""
    attempt = under_way(table)
    before = {**amounts(table, attempt), "difficulty": difficulty(table, attempt)}
    typed = {key: n for key in ("difficulty", *PARTS) if (n := getattr(tap, key)) is not None and n != before[key]}
    if not typed:
        raise NotAllowed("These numbers stand there already.")
    player = table.player(attempt.seat)
    scene = scene_of(table, attempt)
    if "base" in typed:
        table = table.with_player(attempt.seat, influence={**player.influence, attempt.kind: typed["base"]})
        if player.character:
            table, _ = table.learn("character", player.character, {attempt.kind: typed["base"]})
    if "informant" in typed and player.informant:
        table, _ = table.learn("informant", player.informant, {attempt.kind: typed["informant"]})
    if "card" in typed and attempt.card:
        table, _ = table.learn("scene_change", attempt.card, {"modifier": typed["card"]})
    if "loot" in typed and len(player.loot) == 1:
        table, _ = table.learn("loot", player.loot[0], {attempt.kind: typed["loot"]})
    if "difficulty" in typed and scene:
        table, _ = table.learn(attempt.kind, scene, {attempt.difficulty_key: typed["difficulty"]})
    attempt = msgspec.structs.replace(attempt, typed={**attempt.typed, **typed})
    after = msgspec.structs.replace(table, attempt=attempt)
    return Step(after, numbers_line(seat, in_words(after, attempt), difficulty(after, attempt)))


def numbers_line(who: Seat, reached: Hole, needed: int | None) -> Say:
    if needed is None:
        return Say("{who} sets the numbers: {total} so far.", who=who, total=reached)
    return Say(
        "{who} sets the numbers: {total} against a difficulty of {needed}.", who=who, total=reached, needed=needed
    )


RULES: dict[type[Tap], Rule] = {TryScene: try_scene}
COUNTED: dict[type[Tap], Rule] = {RevealChange: reveal_change, NoChange: no_change, TypeNumbers: type_numbers}
