"""The games on the shelf: ours listed by hand, other people's found by their entry point `companion.games`."""

from __future__ import annotations

from importlib.metadata import entry_points

from companion.game import Game
from companion.games.big_shuffle import GAME as BIG_SHUFFLE
from companion.games.faster_than_truth import GAME as FASTER_THAN_TRUTH
from companion.games.risk import GAME as RISK
from companion.games.score_sheet import GAME as SCORE_SHEET
from companion.games.traitors import GAME as TRAITORS
from companion.games.trickery import GAME as TRICKERY

OURS: tuple[Game, ...] = (TRAITORS, RISK, TRICKERY, BIG_SHUFFLE, FASTER_THAN_TRUTH, SCORE_SHEET)
GAMES: dict[str, Game] = {game.name: game for game in OURS}


def all_games() -> dict[str, Game]:
    """Ours and those of other installed packages; a name that is taken stays ours."""
    theirs = {game.name: game for game in (entry.load() for entry in entry_points(group="companion.games"))}
    return GAMES | {name: game for name, game in theirs.items() if name not in GAMES}
