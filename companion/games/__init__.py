"""The games on the shelf, listed by hand."""

from __future__ import annotations

from companion.engine.game import Game
from companion.games.score_sheet import GAME as SCORE_SHEET

GAMES: dict[str, Game] = {game.name: game for game in (SCORE_SHEET,)}
