"""What happens to scenes, in whole sentences: one for each type and place, so that every language can say it well."""

from __future__ import annotations

from typing import Final

from companion.game import Hole, Say, Seat
from companion.games.big_shuffle.cards import PileName, SceneKind
from companion.games.big_shuffle.city import Place
from companion.games.big_shuffle.pieces import Verdict

TRIES: Final[dict[Place, Say]] = {
    # Translators: {name} is a person, {scene} a card's name. Uptown, midtown and downtown are places of the city.
    "uptown": Say("{name} tries to move {scene} uptown."),
    "midtown": Say("{name} tries to move {scene} to midtown."),
    "downtown": Say("{name} tries to move {scene} downtown."),
}
TRIES_TITLE: Final[dict[tuple[SceneKind, Place], Say]] = {
    ("who", "uptown"): Say("{name} tries to move the Who title card uptown."),
    ("who", "downtown"): Say("{name} tries to move the Who title card downtown."),
    ("what", "uptown"): Say("{name} tries to move the What title card uptown."),
    ("what", "downtown"): Say("{name} tries to move the What title card downtown."),
    ("where", "uptown"): Say("{name} tries to move the Where title card uptown."),
    ("where", "downtown"): Say("{name} tries to move the Where title card downtown."),
}
# A scene that nobody has read out goes by its type.
TRIES_UNREAD: Final[dict[tuple[SceneKind, Place], Say]] = {
    ("who", "uptown"): Say("{name} tries to move a Who scene uptown."),
    ("who", "midtown"): Say("{name} tries to move a Who scene to midtown."),
    ("who", "downtown"): Say("{name} tries to move a Who scene downtown."),
    ("what", "uptown"): Say("{name} tries to move a What scene uptown."),
    ("what", "midtown"): Say("{name} tries to move a What scene to midtown."),
    ("what", "downtown"): Say("{name} tries to move a What scene downtown."),
    ("where", "uptown"): Say("{name} tries to move a Where scene uptown."),
    ("where", "midtown"): Say("{name} tries to move a Where scene to midtown."),
    ("where", "downtown"): Say("{name} tries to move a Where scene downtown."),
}

QUESTION: Final[dict[Place, Say]] = {
    # Translators: Will this scene change work? {scene} is a card's name, or “Who title card”, or “Who scene”.
    "uptown": Say("{scene}: uptown?"),
    "midtown": Say("{scene}: midtown?"),
    "downtown": Say("{scene}: downtown?"),
}
TITLE_CARD: Final[dict[SceneKind, Say]] = {
    # Translators: A label. Who, What and Where are the three types of scene.
    "who": Say("Who title card"),
    "what": Say("What title card"),
    "where": Say("Where title card"),
}
UNREAD: Final[dict[SceneKind, Say]] = {
    # Translators: A label for a scene whose name nobody has read out yet.
    "who": Say("Who scene"),
    "what": Say("What scene"),
    "where": Say("Where scene"),
}

# How a scene change ends; other sentences add the full stop.
MOVES: Final[dict[Place, Say]] = {
    # Translators: How a scene change ends: the headline of the shared screen. {scene} is a card's name.
    "uptown": Say("{scene} goes uptown"),
    "midtown": Say("{scene} goes to midtown"),
    "downtown": Say("{scene} goes downtown"),
}
MOVES_UNREAD: Final[dict[tuple[SceneKind, Place], Say]] = {
    ("who", "uptown"): Say("The Who scene goes uptown"),
    ("who", "midtown"): Say("The Who scene goes to midtown"),
    ("who", "downtown"): Say("The Who scene goes downtown"),
    ("what", "uptown"): Say("The What scene goes uptown"),
    ("what", "midtown"): Say("The What scene goes to midtown"),
    ("what", "downtown"): Say("The What scene goes downtown"),
    ("where", "uptown"): Say("The Where scene goes uptown"),
    ("where", "midtown"): Say("The Where scene goes to midtown"),
    ("where", "downtown"): Say("The Where scene goes downtown"),
}
STAYS_UNREAD: Final[dict[SceneKind, Say]] = {
    "who": Say("The Who scene stays"),
    "what": Say("The What scene stays"),
    "where": Say("The Where scene stays"),
}
TITLE_LEAVES: Final[dict[SceneKind, Say]] = {
    "who": Say("The Who title card leaves the game"),
    "what": Say("The What title card leaves the game"),
    "where": Say("The Where title card leaves the game"),
}
TITLE_STAYS: Final[dict[SceneKind, Say]] = {
    "who": Say("The Who title card stays"),
    "what": Say("The What title card stays"),
    "where": Say("The Where title card stays"),
}

READ_OUT: Final[dict[Place, Say]] = {
    # Translators: Somebody has read out where this card lies.
    "uptown": Say("{scene} is uptown."),
    "downtown": Say("{scene} is downtown."),
}
READ_OUT_NEXT: Final[dict[SceneKind, Say]] = {
    "who": Say("{scene} is the next Who in midtown."),
    "what": Say("{scene} is the next What in midtown."),
    "where": Say("{scene} is the next Where in midtown."),
}
PUT: Final[dict[Place, Say]] = {
    # Translators: {who} is a person, or “The table”.
    "uptown": Say("{who} moves {scene} uptown."),
    "midtown": Say("{who} moves {scene} to midtown."),
    "downtown": Say("{who} moves {scene} downtown."),
}
REMOVES_TITLE: Final[dict[SceneKind, Say]] = {
    "who": Say("{who} removes the Who title card from the game."),
    "what": Say("{who} removes the What title card from the game."),
    "where": Say("{who} removes the Where title card from the game."),
}
SEARCHES_MIDTOWN: Final[dict[SceneKind, Say]] = {
    "who": Say("{who} searches the Who scenes in midtown and shuffles them."),
    "what": Say("{who} searches the What scenes in midtown and shuffles them."),
    "where": Say("{who} searches the Where scenes in midtown and shuffles them."),
}
NONE_LEFT: Final[dict[SceneKind, Say]] = {
    "who": Say("No Who is left in midtown: the Big Shuffle! One scene of each type goes uptown, one downtown."),
    "what": Say("No What is left in midtown: the Big Shuffle! One scene of each type goes uptown, one downtown."),
    "where": Say("No Where is left in midtown: the Big Shuffle! One scene of each type goes uptown, one downtown."),
}

FILES: Final[dict[PileName, Say]] = {
    # Translators: {who} is a person, or “The table”; {card} the name of a card.
    "noir": Say("{who} puts {card} on the noir discard pile."),
    "informant": Say("{who} puts {card} on the informant discard pile."),
    "scene_change": Say("{who} puts {card} on the scene-change discard pile."),
}
NOT_FILED: Final[dict[PileName, Say]] = {
    "noir": Say("{who} corrects: {card} is not in the noir discard pile."),
    "informant": Say("{who} corrects: {card} is not in the informant discard pile."),
    "scene_change": Say("{who} corrects: {card} is not in the scene-change discard pile."),
}
DECK_EMPTY: Final[dict[PileName, Say]] = {
    "noir": Say("The noir deck is empty, so its discard pile becomes the new deck."),
    "informant": Say("The informant deck is empty, so its discard pile becomes the new deck."),
    "scene_change": Say("The scene-change deck is empty, so its discard pile becomes the new deck."),
}
SEARCHES: Final[dict[PileName, Say]] = {
    "noir": Say("{who} searches the noir deck and shuffles it."),
    "informant": Say("{who} searches the informant deck and shuffles it."),
    "scene_change": Say("{who} searches the scene-change deck and shuffles it."),
}


def filled(sentence: Say, **holes: Hole) -> Say:
    """One of the sentences above, with its holes filled."""
    return Say(sentence.text, **holes)


def tries(name: Seat, kind: SceneKind, scene: str | None, to: Place, *, title: bool) -> Say:
    if title:
        return filled(TRIES_TITLE[kind, to], name=name)
    return filled(TRIES[to], name=name, scene=scene) if scene else filled(TRIES_UNREAD[kind, to], name=name)


def question(kind: SceneKind, scene: str | None, to: Place, *, title: bool) -> Say:
    """Will it work?"""
    return filled(QUESTION[to], scene=TITLE_CARD[kind] if title else scene or UNREAD[kind])


def outcome(verdict: Verdict) -> Say:
    """How a scene change ended. A title card that moves leaves the game."""
    kind, scene = verdict.kind, verdict.scene
    if verdict.title:
        return TITLE_LEAVES[kind] if verdict.success else TITLE_STAYS[kind]
    if scene is None:
        return MOVES_UNREAD[kind, verdict.to] if verdict.success else STAYS_UNREAD[kind]
    return filled(MOVES[verdict.to], scene=scene) if verdict.success else Say("{scene} stays", scene=scene)
