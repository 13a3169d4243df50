"""`make gallery`: take screenshots of every phase of our games and the example; with --readme, those of the README."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import readme_pictures

from companion.game import Game
from companion.games import all_games
from companion.testing import look, pictures

ROOT = Path(__file__).parent.parent


def games() -> dict[str, Game]:
    """Return our games and the example."""
    sys.path.insert(0, str(ROOT / "examples" / "sealed_auction"))
    return all_games() | {"sealed_auction": import_module("sealed_auction").GAME}


if __name__ == "__main__":
    if "--readme" in sys.argv:
        readme_pictures.write(games(), every="--all" in sys.argv)
    elif "--look" in sys.argv:
        look.main([argument for argument in sys.argv[1:] if argument != "--look"], games())
    else:
        pictures.main(games=games())
