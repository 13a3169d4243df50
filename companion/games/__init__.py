"""The games on the shelf: ours listed by hand, other people's found by their entry point `companion.games`."""

from __future__ import annotations

from importlib.metadata import entry_points

from companion.authoring.check import BadGame, load
from companion.game import Game
from companion.games.big_shuffle import GAME as BIG_SHUFFLE
from companion.games.faster_than_truth import GAME as FASTER_THAN_TRUTH
from companion.games.risk import GAME as RISK
from companion.games.score_sheet import GAME as SCORE_SHEET
from companion.games.traitors import GAME as TRAITORS
from companion.games.trickery import GAME as TRICKERY

OURS: tuple[Game, ...] = (TRAITORS, RISK, TRICKERY, BIG_SHUFFLE, FASTER_THAN_TRUTH, SCORE_SHEET)
GAMES: dict[str, Game] = {game.name: game for game in OURS}


def find_games() -> tuple[dict[str, Game], list[BadGame]]:
    """Ours and those of other installed packages; and what is wrong with each of theirs that cannot be served."""
    found, bad = dict(GAMES), []
    for entry in entry_points(group="companion.games"):
        try:
            game = load(entry, found)
        except BadGame as wrong:
            bad.append(wrong)
        else:
            found[game.name] = game
    return found, bad


def all_games() -> dict[str, Game]:
    """Every game that can be served."""
    return find_games()[0]
