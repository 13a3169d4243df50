"""The first steps of a scene change: choose a scene, reveal a card, and type the numbers."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.big_shuffle.cards import Card, Name, Number, SceneKind
from companion.games.big_shuffle.city import Place, Spot, can_go
from companion.games.big_shuffle.pieces import Attempt
from companion.games.big_shuffle.piles import if_empty
from companion.games.big_shuffle.scenes import needs_play, no_attempt
from companion.games.big_shuffle.sentences import tries
from companion.games.big_shuffle.state import Noir
from companion.games.big_shuffle.turns import whose_turn

PARTS = ("base", "informant", "loot", "card", "other")
Difficulty = Annotated[int, Meta(title=N_("Difficulty"), ge=0, le=60)]


class TryScene(Tap, frozen=True, tag="TryScene"):
    """Choose a scene and its destination: `who.midtown.0.uptown`, or `who.title.0.downtown`."""

    by: ClassVar[By] = "anybody"
    move: Annotated[str, Meta(title=N_("The scene"), max_length=40)]
    anyway: bool = False


class RevealChange(Tap, frozen=True, tag="RevealChange"):
    """Name the card revealed from the scene-change deck and its modifier, or correct the one named before."""

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


def amounts(table: Noir, attempt: Attempt) -> dict[str, int | None]:
    """The parts of the influence: typed numbers first, then the numbers known from the cards."""
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
    """Whether a number is missing: one that nobody has typed is unknown, not zero."""
    return any(n is None for n in amounts(table, attempt).values())


def total(table: Noir, attempt: Attempt) -> int:
    """The sum of every number that is known."""
    return sum(n or 0 for n in amounts(table, attempt).values()) + sum(goon.modifier for goon in attempt.goons)


def influence(table: Noir, attempt: Attempt) -> int | None:
    """The sum, or None while there is nothing to add up."""
    known = [part for part, n in amounts(table, attempt).items() if n is not None and (n or part == "base")]
    return total(table, attempt) if known or attempt.goons or not unknown(table, attempt) else None


def sum_so_far(table: Noir, attempt: Attempt) -> Say:
    n = influence(table, attempt)
    if n is None:
        return Say("The influence is unknown.")
    if unknown(table, attempt):
        return Say("The influence is at least {n}.", n=n)
    return Say("The influence is {n}.", n=n)


def works(table: Noir, attempt: Attempt) -> bool | None:
    """Whether the influence is enough; None if a number is missing and the table has to say it."""
    needed = difficulty(table, attempt)
    if not table.counts or needed is None or unknown(table, attempt):
        return None
    return total(table, attempt) >= needed


def all_passed(table: Noir, attempt: Attempt) -> bool:
    return len(attempt.passed) == len(table.seats)


def under_way(table: Noir) -> Attempt:
    needs_play(table)
    if table.attempt is None:
        raise NotAllowed("No scene change is under way. Choose a scene first.")
    return table.attempt


def parsed(table: Noir, move: str) -> tuple[SceneKind, bool, Spot, Place]:
    """Read a move. Scenes move one step at a time, and only from the top of midtown, from uptown or from downtown."""
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
    raise NotAllowed("That scene can't go there. Choose a scene that everybody can see, and move it one step.")


def try_scene(table: Noir, seat: Seat, tap: TryScene, dice: Dice) -> Step:
    player = whose_turn(table)
    no_attempt(table)
    if not tap.anyway and table.rain is None:
        if table.turn.played:
            raise NotAllowed(
                "You have played a card this turn. If a card still lets you, use “A card allows a scene change”."
            )
        if table.turn.attempted:
            raise NotAllowed(
                "You get one scene change per turn. If a card gives you another, use “A card allows a scene change”."
            )
    kind, title, spot, to = parsed(table, tap.move)
    attempt = Attempt(player, kind, title, spot, to, card=table.rain, next=player)
    turn = msgspec.structs.replace(table.turn, attempted=True)
    line = tries(player, kind, scene_of(table, attempt), to, title=title)
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
        raise NotAllowed("{card} is already revealed. Correct the card instead.", card=attempt.card)
    after = msgspec.structs.replace(table, attempt=msgspec.structs.replace(attempt, no_card=True))
    return Step(after, Say("A card says so: no scene-change card is revealed."))


def type_numbers(table: Noir, seat: Seat, tap: TypeNumbers, dice: Dice) -> Step:
    """Set the numbers, and remember each one with its card, so that nobody has to type it again."""
    attempt = under_way(table)
    before = {**amounts(table, attempt), "difficulty": difficulty(table, attempt)}
    typed = {key: n for key in ("difficulty", *PARTS) if (n := getattr(tap, key)) is not None and n != before[key]}
    if not typed:
        raise NotAllowed("These numbers are already set. Change one, or go on.")
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
    return Step(after, numbers_line(seat, sum_so_far(after, attempt), difficulty(after, attempt)))


def numbers_line(who: Seat, reached: Say, needed: int | None) -> Say:
    if needed is None:
        # Translators: {sum} is another sentence: “The influence is 4.”
        return Say("{who} sets the numbers. {sum}", who=who, sum=reached)
    # Translators: {sum} is another sentence: “The influence is 4.”
    return Say("{who} sets the numbers. {sum} The difficulty is {needed}.", who=who, sum=reached, needed=needed)


RULES: dict[type[Tap], Rule] = {TryScene: try_scene}
COUNTED: dict[type[Tap], Rule] = {RevealChange: reveal_change, NoChange: no_change, TypeNumbers: type_numbers}
