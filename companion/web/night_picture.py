"""The night as a picture to take along: who won, what was played, the best moment, the standing.

The server draws it as SVG with attributes and system fonts only, so that a browser can turn it into a PNG by itself.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from companion.engine.results import Played
from companion.engine.standings import Tally
from companion.game import Feat, Game
from companion.web.i18n import draw_say, gettext
from companion.web.people import Somebody

WIDTH, EDGE = 1080, 72
COLOURS = (
    "#f0c46c", "#7fc8f8", "#f79a8b", "#a5d982", "#d3a8f5", "#62d6c4", "#f5a9cf", "#d9d08a", "#a9b8ff", "#e8b08d",
)  # fmt: skip
"""Of the badges, as companion.css has them."""
MOST_WINNERS, MOST_RANKED, MOST_GAMES = 3, 6, 6
ROW, GAP = 66, 60
LETTER, WIDE_LETTER = 0.6, 1.05
"""How wide a letter is at most, on average, in parts of its height; and one of East Asia or an emoji."""


class Text(NamedTuple):
    """A line of words at a size that fits."""

    words: str
    size: int


class Row(NamedTuple):
    """A line of the standing, or a game of the night."""

    y: int
    left: Text
    right: Text
    badge: int | None = None
    colour: str = ""


class NightPicture(msgspec.Struct, frozen=True):
    """Everything on the picture, in its place."""

    height: int
    winners: tuple[Somebody, ...]
    winner: Text
    standing: tuple[Row, ...]
    games: tuple[Row, ...]
    more_games: int
    moment: tuple[Row, ...]
    moment_y: int
    """Where the box of the best moment begins; 0 without one."""


def night_picture(
    results: Sequence[Played], standing: Sequence[Tally], faces: Mapping[str, Somebody], games: Mapping[str, Game]
) -> NightPicture:
    """The picture of these games; `results` are in the order in which they were played."""
    over = [one for one in results if one.over]
    first = [tally for tally in standing if tally.wins and tally.wins == standing[0].wins]
    winners = tuple(faces[tally.who] for tally in first)
    y = 620
    ranked = []
    for tally in standing[:MOST_RANKED]:
        person = faces[tally.who]
        left, right = fit(person.name, 44, 700), Text(str(tally.wins), 48)
        ranked.append(Row(y, left, right, person.badge, COLOURS[person.badge % len(COLOURS)]))
        y += ROW
    y += GAP
    played = []
    for one in over[-MOST_GAMES:]:
        names = ", ".join(one.names[seat] for seat in one.winners if seat in one.names)
        played.append(Row(y, fit(title_of(one, games), 36, 500), fit(names, 36, 400)))
        y += ROW - 8
    if more := max(0, len(over) - MOST_GAMES):
        y += 44
    moment_y, moment = 0, []
    if (best := best_moment(over)) is not None:
        one, feat = best
        moment_y = y + 6
        y += 118
        for line in wrapped(str(draw_say(feat.what, one.names).striptags()), 40, WIDTH - 2 * EDGE - 80)[:2]:
            moment.append(Row(y, Text(line, 40), Text("", 0)))
            y += 52
        names = ", ".join(one.names[seat] for seat in feat.seats if seat in one.names)
        moment.append(Row(y + 8, fit(names, 44, 600), Text(str(feat.n), 56)))
        y += 40
    return NightPicture(
        y + 130, winners[:MOST_WINNERS], fit(" · ".join(one.name for one in winners), 128, WIDTH - 2 * EDGE),
        tuple(ranked), tuple(played), more, tuple(moment), moment_y,
    )  # fmt: skip


def title_of(one: Played, games: Mapping[str, Game]) -> str:
    """What the game is called on the table."""
    if one.played_as or one.game not in games:
        return one.played_as or one.game
    return str(gettext(games[one.game].title).unescape())


def best_moment(over: Sequence[Played]) -> tuple[Played, Feat] | None:
    """A feat of the newest game that has one: a winner's if there is one."""
    for one in reversed(over):
        if one.feats:
            return one, next((feat for feat in one.feats if set(feat.seats) & set(one.winners)), one.feats[0])
    return None


def width_of(words: str, size: int) -> float:
    """How wide these words are at most, in whatever font there is."""
    return size * sum(WIDE_LETTER if unicodedata.east_asian_width(one) in "WF" else LETTER for one in words)


def fit(words: str, size: int, width: int) -> Text:
    """The words in one line: smaller if they are too long, and cut if they still are."""
    smallest = max(22, size // 2)
    while size > smallest and width_of(words, size) > width:
        size -= 2
    if width_of(words, size) > width:
        while words and width_of(f"{words}…", size) > width:
            words = words[:-1]
        words = f"{words.rstrip()}…"
    return Text(words, size)


def wrapped(words: str, size: int, width: int) -> list[str]:
    """The words in as many lines as they need."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [fit(line, size, width).words for line in lines]
