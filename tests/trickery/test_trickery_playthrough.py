"""A recorded game: every seat's screen after each tap. A difference is a changed rule or screen."""

from __future__ import annotations

import os
import re
from html import unescape
from pathlib import Path

from trickery_game import GAME_OF_THREE, NAMES

from companion.engine.snapshot import as_data
from companion.game import Dice, Seat
from companion.games.trickery import GAME
from companion.games.trickery.state import Setup
from companion.testing import Easel, apply

RECORD = Path(__file__).parent / "playthrough.txt"
BLOCKS = re.compile(
    r"</?(p|li|h\d|div|section|figure|form|button|label|legend|summary|ul|ol|details|option|select)\b[^>]*>"
)


def words(html: str) -> list[str]:
    """A screen as lines of text; a picture becomes its label."""
    html = re.sub(r'<div[^>]*role="img"[^>]*aria-label="([^"]*)"[^>]*>.*?</div>', r"[\1] ", html, flags=re.S)
    html = re.sub(r"<svg.*?</svg>", "", html, flags=re.S)
    html = re.sub(r"\s+", " ", html)
    text = unescape(re.sub(r"<[^>]+>", "", BLOCKS.sub("\n", html)))
    return [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]


def play(easel: Easel) -> str:
    """The whole game as text."""
    state = GAME.start(Setup(), (Seat(1), Seat(2), Seat(3)), Dice()).state
    told: tuple[object, ...] = ()
    pages = []
    for number, (seat, tap) in enumerate(GAME_OF_THREE, 1):
        step = apply(GAME, state, seat, tap)
        state, told = step.state, (*told, *step.lines)[-12:]
        fields = ", ".join(f"{key}={value}" for key, value in as_data(tap).items() if key != "tap")
        pages.append(f"{'=' * 80}\n{number}. {NAMES[seat]}: {type(tap).__name__}({fields})")
        shared = set()
        for viewer in (1, 2, 3, 0):
            html = easel.draw(GAME, state, viewer, lines=told)
            regions = dict(zip(*[iter(re.split(r"<!-- (\w+) -->", html)[1:])] * 2, strict=True))
            if viewer:
                shared.add(regions["table"] + regions["history"])
            mine = regions["you"] if viewer else regions["stage"] + regions["acts"]
            pages.append(f"--- {NAMES[Seat(viewer)]}")
            pages += [f"    {line}" for line in words(mine)]
            pages += [f"    (moment {name})" for name in re.findall(r'data-moment="(.*?)"', regions["moment"])]
        assert len(shared) == 1, "what everybody may know is the same for everybody"
        pages.append("--- everybody")
        pages += [f"    {line}" for line in words(shared.pop())]
    assert GAME.result(state) is not None
    return "\n".join(pages) + "\n"


def test_the_recorded_game_is_unchanged(easel):
    played = play(easel)
    if os.environ.get("COMPANION_RECORD"):
        RECORD.write_text(played)
    assert played == RECORD.read_text(), "run it with COMPANION_RECORD=1 and read the difference"
