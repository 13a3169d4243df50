"""A game with a mistake is left out with a sentence that names its file; the others are served."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from here import PLUGIN, python_path

from companion.app import folder
from companion.authoring.check import troubles
from companion.games import OURS
from companion.testing import House

BEGINS = "from secret_ballot import *\nfrom secret_ballot import GAME as FINE, Cast, Open, knock\nfrom dataclasses import replace\nfrom pathlib import Path\n"
HOME = ", home=Path(__file__).parent)"

FAULTS = {
    "nothing is wrong": ("GAME = replace(FINE, name='NAME'" + HOME, None),
    "it cannot be read": ("GAME = (", "NAME/__init__.py, line 5: SyntaxError"),
    "it breaks when it is loaded": ("GAME = Game(name='NAME')", "NAME/__init__.py, line 5: TypeError"),
    "it imports what is not there": ("import no_such_thing", "NAME/__init__.py, line 5: ModuleNotFoundError"),
    "it is no game": ("GAME = {}", "NAME/__init__.py: GAME is a dict, not a Game."),
    "players is a text": ("GAME = replace(FINE, name='NAME', players='2-6'" + HOME, "NAME/__init__.py: `players` must be the smallest and the largest number"),
    "its name has a space": ("GAME = replace(FINE, name='a b'" + HOME, "NAME/__init__.py: `name` is 'a b'"),
    "its name is taken": ("GAME = replace(FINE, name='risk', home=FINE.home.parent)", None),
    "its state is a dict": ("GAME = replace(FINE, name='NAME', state=dict" + HOME, "NAME/__init__.py: `state` must be a msgspec.Struct class"),
    "its state can be changed": ("class Loose(msgspec.Struct): pass\nGAME = replace(FINE, name='NAME', state=Loose" + HOME, "NAME/__init__.py: Loose, the `state`, must be frozen"),
    "its state cannot be kept": ("class Card: pass\nclass Hand(msgspec.Struct, frozen=True):\n    cards: tuple[Card, ...]\nGAME = replace(FINE, name='NAME', state=Hand" + HOME, "NAME/__init__.py: Hand, the `state`, holds a Card"),
    "a view has the wrong arguments": ("GAME = replace(FINE, name='NAME', seat_view=lambda state: None" + HOME, "NAME/__init__.py: `seat_view` must take 2 arguments."),
    "a rule is no function": ("GAME = replace(FINE, name='NAME', rules={Cast: 7}" + HOME, "NAME/__init__.py: The rule of Cast must be a function, not 7."),
    "two taps have one name": ("class Throw(Tap, frozen=True, tag='Cast'): pass\nGAME = replace(FINE, name='NAME', rules=FINE.rules | {Throw: knock}" + HOME, "NAME/__init__.py: Two taps are called 'Cast': Cast and Throw."),
    "a tap is called like one of the table's": ("class End(Tap, frozen=True, tag='EndTable'): pass\nGAME = replace(FINE, name='NAME', rules={End: knock}" + HOME, "NAME/__init__.py: A tap is called 'EndTable'"),
    "it does not say where its templates are": ("GAME = replace(FINE, name='NAME', home=None)", "NAME/__init__.py: `home` must be the folder"),
    "a template is missing": ("GAME = replace(FINE, name='NAME'" + HOME, "NAME/templates/NAME/seat.html: this template is missing."),
    "a template cannot be read": ("GAME = replace(FINE, name='NAME'" + HOME, "NAME/templates/NAME/table.html, line 2: "),
}  # fmt: skip


def install(site: Path, what: str, code: str) -> str:
    """Put a package with this fault where Python finds it."""
    name = what.replace(" ", "_").replace("'", "")
    templates = site / name / "templates" / name
    shutil.copytree(PLUGIN / "secret_ballot" / "templates" / "secret_ballot", templates)
    (site / name / "__init__.py").write_text(BEGINS + code.replace("NAME", name) + "\n")
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[companion.games]\n{name} = {name}:GAME\n")
    if what == "a template is missing":
        (templates / "seat.html").unlink()
    if what == "a template cannot be read":
        (templates / "table.html").write_text("<p>\n{% if %}\n")
    return name


@pytest.fixture(scope="module")
def greeting(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the companion prints when all of them are installed together."""
    site = tmp_path_factory.mktemp("site")
    names = [install(site, what, code) for what, (code, _) in FAULTS.items()]
    path = os.pathsep.join([str(site), python_path()])
    house = House(site.parent / "bad" / "data", PYTHONPATH=path)
    house.data.parent.mkdir()
    house.start()
    try:
        shelf = house.visitor().get("/").text
        assert "/new/score_sheet" in shelf
        assert [name for name in names if f"/new/{name}" in shelf] == ["nothing_is_wrong"]
        table = house.visitor().get("/new/nothing_is_wrong")
        assert table.status_code == 200
    finally:
        house.kill()
    return house.greeting


@pytest.mark.parametrize("what", [what for what, (_, says) in FAULTS.items() if says])
def test_a_bad_game_is_left_out_with_a_sentence_that_names_the_file(greeting, what):
    name, says = what.replace(" ", "_").replace("'", ""), FAULTS[what][1]
    assert f"/{says.replace('NAME', name)}" in greeting.replace(f"another {name}", "")
    assert "Traceback" not in greeting


def test_a_taken_name_stays_with_the_game_that_had_it(greeting):
    assert "its_name_is_taken/__init__.py: another game is already called 'risk'." in greeting


def test_our_own_games_pass_the_check():
    from dataclasses import replace

    for game in OURS:
        assert list(troubles(replace(game, home=folder("templates").parent), game.name)) == []
