"""companion new-game: writes a small working game for an author to change."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path

from companion.app import folder
from companion.games import all_games

FILES = Path(__file__).parent / "first_game"
"""Two games, `plain` and `secret`; NAME and TITLE are placeholders, and `.txt` hides the files from tools."""


def write(name: str, into: Path, *, secret: bool = False) -> None:
    """Write the game into a new folder, and say what to do next."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,30}", name) or keyword.iskeyword(name):
        raise SystemExit(
            "A game's name begins with a letter and has lower-case letters, digits and underscores: dragon_race."
        )
    home = into / name
    if home.exists():
        raise SystemExit(f"{home} already exists. Choose another name or folder.")
    if importlib.util.find_spec(name) is not None or name in all_games():
        raise SystemExit(f"Something else is already called {name}. Choose another name.")
    for path, text in files(name, "secret" if secret else "plain").items():
        file = home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    print(f"Your game is in {home}. Install it, run its tests and play it:\n")
    print(f"  pip install -e '{home}[testing]'")
    print(f"  pytest {home}")
    print("  companion play --dev\n")
    print("Then make it your own. Every change you save shows on all screens right away. Everything is explained in")
    print(f"  {folder('docs') / 'games.md'}")


def files(name: str, kind: str) -> dict[str, str]:
    """Return the text of every file of a new game, by its path."""

    def called(text: str) -> str:
        return text.replace("NAME", name).replace("TITLE", name.replace("_", " ").capitalize())

    root = FILES / kind
    found = sorted(path for path in root.rglob("*.txt"))
    return {
        called(path.relative_to(root).as_posix().removesuffix(".txt")): called(path.read_text("utf-8"))
        for path in found
    }
