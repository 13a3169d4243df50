"""How the stage plays what everybody has just seen, and what the narrator says."""

from __future__ import annotations

from typing import Final

from companion.game import Moment, Say
from companion.games.faster_than_truth.seen import Seen, What
from companion.games.faster_than_truth.sentences import GAINS, TAKES
from companion.games.faster_than_truth.state import NOBODY, Play

BEATS: Final[dict[What, tuple[float, float, float]]] = {
    "declared": (0, 0, 0.9),
    "challenge": (0, 0.9, 1.2),
    "true": (0.5, 2.2, 1.4),
    "gamble": (0.5, 2.2, 1.4),
    "taken": (0, 0, 1.2),
    "gained": (0, 0, 0.8),
    "five": (0.5, 1.8, 1.6),
    "winner": (0.7, 2.2, 1.8),
}
"""Seconds of curtain, hold and reveal."""
CALM: Final = 1.0
"""Seconds of hold when a card is turned over that nobody challenged."""


def moment(play: Play) -> Moment | None:
    seen = play.seen
    if seen is None or play.phase == "counting":
        return None
    curtain, hold, reveal = BEATS[seen.what]
    challenger = play.verdict.challenger if play.verdict else play.card.challenger if play.card else NOBODY
    if seen.what in ("true", "gamble") and not challenger:
        hold = CALM
    return Moment(seen.what, seen.n, seen.who, headline=headline(play, seen), curtain=curtain, hold=hold, reveal=reveal)


def headline(play: Play, seen: Seen) -> Say | None:
    """What the narrator says; a card is named only while it is in play."""
    first = seen.who[0]
    match seen.what:
        case "declared" if play.card and not play.card.name:
            return Say("{name} plays a card.", name=first)
        case "declared" if play.card:
            # Translators: {card} is the name that the player says aloud
            return Say("{name} says: “{card}”", name=first, card=play.card.name)
        case "challenge":
            return Say("{name} challenges!", name=first)
        case "true":
            return Say("It was true.")
        case "gamble":
            return Say("A gamble!")
        case "five" if first in play.declared:
            return Say("{name} has five of a kind!", name=first)
        case "winner":
            return Say("{name} wins.", name=first)
    return told(play)


def told(play: Play) -> Say | None:
    """The last card that changed hands or came from the reserve, while it still lies face up."""
    seen = play.seen
    if seen is None or not seen.card or not play.stashes[seen.who[0]] or play.stashes[seen.who[0]][-1].hidden:
        return None
    if seen.what == "gained":
        return Say(GAINS[seen.card], name=seen.who[0])  # type: ignore[index]
    return Say(TAKES[seen.card], name=seen.who[0], loser=seen.who[1])  # type: ignore[index]
