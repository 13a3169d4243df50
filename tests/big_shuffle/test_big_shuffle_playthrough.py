"""One recorded game: the changes on every screen after each tap. COMPANION_RECORD=1 records it again."""

from __future__ import annotations

import difflib
import os
import re
from pathlib import Path

from big_shuffle_talk import ANN, BEN, CLEO, WHAT, WHERE, WHO, begun
from selectolax.lexbor import LexborHTMLParser

from companion.game import Seat
from companion.games.big_shuffle import GAME
from companion.games.big_shuffle.agendas import NoteAgenda, NoteScene, ShowAndWin
from companion.games.big_shuffle.attempts import RevealChange, TryScene, TypeNumbers
from companion.games.big_shuffle.card_names import RespellName
from companion.games.big_shuffle.goons import CorrectGoon, Hire, NobodyHires, PassGoons
from companion.games.big_shuffle.loot_and_informants import MeetInformant, ReplaceInformant, TrashLoot
from companion.games.big_shuffle.piles import FileCard, Reshuffle, ReturnCard
from companion.games.big_shuffle.scenes import BigShuffle, NameScene
from companion.games.big_shuffle.turns import CountOn, EndTurn, FirstPlayer, PlayCard, SetCharacter
from companion.games.big_shuffle.verdicts import PutRainAway, Settle
from companion.testing import apply

FILE = Path(__file__).with_name("playthrough.txt")
SCREEN = Seat(0)
PLAY = [
    (SCREEN, FirstPlayer(ANN)),
    (ANN, TryScene("what.title.0.uptown")),
    (ANN, Settle("success")),
    (BEN, NameScene("what", "midtown", 0, "The Car Chse")),
    (CLEO, RespellName("what", "The Car Chse", "The Car Chase")),
    (CLEO, NoteScene("mine", "who", "The Crooked Mayor")),
    (SCREEN, CountOn(True)),
    (ANN, SetCharacter(ANN, "The Femme Fatale", {"who": 3, "what": 2, "where": 2})),
    (ANN, MeetInformant(ANN, "The Bookie")),
    (BEN, MeetInformant(BEN, "The Fat Man")),
    (ANN, NoteAgenda("mine", WHO, WHAT, "The Mob HQ")),
    (BEN, NoteAgenda("right", "The Mafia Don", "The Dirty Double Cross", WHERE)),
    (CLEO, NameScene("who", "midtown", 0, "The Dirty Cop")),
    (ANN, TryScene("who.title.0.uptown", anyway=True)),
    (ANN, TypeNumbers(difficulty=2)),
    (ANN, RevealChange("Fog", -1)),
    (ANN, TypeNumbers(informant=1, loot=0)),
    (ANN, PassGoons(ANN)),
    (BEN, Hire(BEN, -2)),
    (ANN, CorrectGoon(0, -1)),
    (CLEO, PassGoons(CLEO)),
    (BEN, PassGoons(BEN)),
    (ANN, Settle()),
    (CLEO, NameScene("who", "midtown", 1, "The Trch Singer")),
    (BEN, RespellName("who", "The Trch Singer", "The Torch Singer")),
    (ANN, EndTurn(ANN)),
    (BEN, PlayCard("loot", "The Pipe")),
    (BEN, PlayCard("loot", "The Telephone", anyway=True)),
    (BEN, PlayCard("loot", "The Timepiece", anyway=True)),
    (BEN, PlayCard("loot", "The Disguise Kit", anyway=True)),
    (BEN, TrashLoot(BEN, 0)),
    (BEN, ReplaceInformant(ANN, "The Coroner", killed=True)),
    (BEN, EndTurn(BEN)),
    (CLEO, FileCard("action", "Shoot Out")),
    (CLEO, ReturnCard("noir", 0, CLEO)),
    (CLEO, PlayCard("action", "Shoot Out")),
    (SCREEN, Reshuffle("noir")),
    (SCREEN, BigShuffle()),
    (SCREEN, NameScene("who", "midtown", 0, WHO)),
    (SCREEN, NameScene("what", "midtown", 0, WHAT)),
    (SCREEN, NameScene("where", "midtown", 0, "The Speakeasy")),
    (SCREEN, NameScene("where", "uptown", 0, WHERE)),
    (CLEO, EndTurn(CLEO)),
    (ANN, TryScene("where.uptown.0.midtown")),
    (ANN, TypeNumbers(difficulty=0)),
    (ANN, RevealChange("Endless Rain", -2)),
    (ANN, TypeNumbers(informant=0)),
    (SCREEN, PassGoons(ANN)),
    (SCREEN, NobodyHires()),
    (ANN, Settle(again=True)),
    (ANN, PutRainAway()),
    (ANN, ShowAndWin()),
]


def words(html: str) -> list[str]:
    """Turn a screen into lines of text, with fields and buttons marked."""
    html = re.sub(r"<datalist.*?</datalist>|<svg.*?</svg>|<option.*?</option>", "", html, flags=re.S)
    html = re.sub(r"<(p|li|h\d|div|section|summary|label|legend|dt|form|fieldset|details|ul|ol|dl)\b", r"\n<\1", html)
    html = re.sub(r"<button[^>]*>(.*?)</button>", r"\n[\1]\n", html, flags=re.S)
    html = re.sub(r'<input(?=[^>]*type="hidden")[^>]*>', "", html)
    html = re.sub(r'<input[^>]*value="([^"]+)"[^>]*>', r" = \1", html)
    lines = (" ".join(part.split()) for part in split_lines(html))
    return [line for line in lines if line]


def split_lines(html: str) -> list[str]:
    marked = html.replace("\n<", "¶<").replace("\n[", "¶[").replace("]\n", "]¶")
    return LexborHTMLParser(f"<body>{marked}</body>").body.text().split("¶")


def test_the_recorded_game(easel):
    game, told = begun(3, first=None, keeping="remember"), ()
    screens: dict[Seat, list[str]] = {seat: [] for seat in (SCREEN, ANN, BEN, CLEO)}
    names = {SCREEN: "the shared screen", ANN: "Ann", BEN: "Ben", CLEO: "Cleo"}
    record = []
    for who, tap in [(SCREEN, None), *PLAY]:
        if tap is not None:
            step = apply(GAME, game.state, who, tap)
            game.state = step.state
            told = (*told, *step.lines)[-12:]
        record.append(f"\n== {names[who]}: {'The game starts.' if tap is None else tap!r}")
        for seat, before in screens.items():
            after = words(easel.draw(GAME, game.state, seat, lines=told))
            changes = [
                f"{line[0]} {line[1:]}"
                for line in difflib.unified_diff(before, after, n=0, lineterm="")
                if line[:1] in "+-" and line[:3] not in ("+++", "---")
            ]
            record.append(f"-- {names[seat]}{'' if changes else ': as before'}")
            record += changes
            screens[seat] = after
    assert game.state.winner == ANN
    text = "\n".join(record).lstrip() + "\n"
    if os.environ.get("COMPANION_RECORD"):
        FILE.write_text(text)
    assert text == FILE.read_text()
