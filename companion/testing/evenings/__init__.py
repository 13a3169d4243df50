"""Scripted evenings: a game from the first phase to the winner, always the same, with any number of people.

`evening_of(game, players)` plays it without a server and returns every phase by its name. Each of our games has a
script in the file of its name; for other games, random play finds the phases (`anybodys.py`).
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from companion.game import Game
from companion.testing.evenings.script import Phase, Script

if TYPE_CHECKING:
    from collections.abc import Callable

USUAL = 5
"""The usual number of players."""
LONG_NAMES = (
    "Grandma Elisabeth-Jo", "Maximiliane-Theodora", "Wolfgang Wilhelm Max", "Bartholomew the Wise",
    "Konstantin-Alexander", "Mademoiselle Odaline", "Ann", "Anne-Marie Dubuisson",
    "Przemysława Kowalska", "Uncle Montgomery Lee", "Guillermo el Pequeño", "Marguerite-Joséphine",
    "Bo", "Sebastian-Maximilian", "Wilhelmina Wommworth", "Dr. Hammerschmidt-Mo",
    "Little Emma-Gwendoly", "Archibald McMillanes", "Jo", "Wilhelm Wommworth II",
)  # fmt: skip
"""Names of the greatest length and width, and two short ones."""
SHORT_NAMES = (
    "Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo", "Kit", "Lou", "Mia", "Ned", "Ola", "Pam",
    "Quin", "Rob", "Sue", "Tom",
)  # fmt: skip


def evening_of(game: Game, players: int | None = None) -> tuple[Phase, ...]:
    """Return every phase of this game, in order."""
    least, most = game.players
    players = players or max(least, min(USUAL, most))
    if find_spec(f"{__name__}.{game.name}") is None:
        from companion.testing.evenings.anybodys import wander

        return wander(game, players)
    play: Callable[[Script], None] = import_module(f"{__name__}.{game.name}").play
    script = Script(game, players)
    play(script)
    return script.finished()


__all__ = ["LONG_NAMES", "SHORT_NAMES", "Phase", "Script", "evening_of"]
