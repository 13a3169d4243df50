"""Tests that every game must pass, ours and yours: `pytest --pyargs companion.testing --game my_game`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import msgspec
import pytest
from flask import Flask
from msgspec import inspect

from companion.app import folder
from companion.engine.results import StoredStates
from companion.engine.room_rules import EndTable
from companion.game import Game
from companion.testing import pseudo
from companion.testing.forms import first, text_of
from companion.testing.monkey import WORDS, Monkey
from companion.testing.numbers import forms_of, numbers_in
from companion.testing.source import FORBIDDEN, imports
from companion.testing.tabletalk import NAMES, Reply
from companion.web import Services
from companion.web.forms import MAX_NUMBER
from companion.web.i18n import draw_say, use_locale


def translated(html: str, *data: str) -> None:
    known = {*NAMES, *WORDS, *data, "192.0.2.1", "http", "Home"}
    assert not pseudo.forgotten(html, known)


def test_its_help_is_read_in_under_a_minute(pseudo_app: Flask, game: Game) -> None:
    page = pseudo_app.test_client().get(f"/help/{game.name}")
    assert page.status_code == 200
    words = text_of(first(page.text, ".prose").html or "").split()
    assert 30 < len(words) <= 300


def test_its_first_pages_have_no_forgotten_word(pseudo_app: Flask, game: Game) -> None:
    client = pseudo_app.test_client()
    headers = {"Accept-Language": pseudo.PSEUDO}
    for path in ("/", f"/new/{game.name}", f"/help/{game.name}", "/nowhere", "/s/wrong"):
        html = client.get(path, headers=headers).text
        assert "⟦" in html
        translated(html)


@pytest.mark.parametrize("seed", [1, 2])
def test_random_taps_never_break_it_and_every_word_is_translated(pseudo_app: Flask, game: Game, seed: int) -> None:
    least, most = game.players
    players = least if seed == 1 else min(most, 5)
    monkey = Monkey(pseudo_app, game, players, seed, language=pseudo.PSEUDO)
    for path in (
        monkey.screen,
        monkey.seats[0],
        f"/t/{monkey.code}",
        f"{monkey.screen}/phones",
        f"{monkey.screen}/setup",
    ):
        translated(monkey.look(path), monkey.code)
    monkey.start()
    for tap in range(150):
        reply = monkey.tap()
        if reply is not None and tap % 3 == 0:
            translated(reply.text, monkey.code)
    for path in (monkey.screen, *monkey.seats, f"{monkey.screen}/history", f"{monkey.screen}/night"):
        translated(monkey.look(path), monkey.code)
    assert len(monkey.tapped) >= min(3, len(game.taps))


def test_what_it_tells_afterwards_is_in_words_that_can_be_translated(pseudo_app: Flask, game: Game) -> None:
    monkey = Monkey(pseudo_app, game, game.players[0], 3, language=pseudo.PSEUDO)
    monkey.start()
    for _ in range(100):
        monkey.tap()
    services = services_of(pseudo_app)
    now = services.reader.snapshot(services.reader.follow(monkey.table))
    services.tables.act(now.id, now.room.host, EndTable())
    nights = services.nights
    for one in nights.of(monkey.table):
        states = StoredStates(services.reader.snapshot(one.table), nights._store)
        for said in (*(feat.what for feat in game.feats(states)), *(chart.title for chart in game.charts(states))):
            with use_locale(services.languages.get(pseudo.PSEUDO)):
                assert not pseudo.forgotten(str(draw_say(said, one.names)), {*NAMES, *WORDS})
        for path in ("night", f"night/{one.table}", "next"):
            translated(monkey.look(f"{monkey.screen}/{path}"), monkey.code, one.table)
        assert monkey.look(f"{monkey.screen}/night/{one.table}/table.json")


def test_each_of_its_numbers_has_bounds(game: Game) -> None:
    """`Annotated[int, Meta(ge=1, le=9)]`: without bounds, a huge number could break the game."""
    for kind in forms_of(game).values():
        for name, number in numbers_in(inspect.type_info(kind), ""):
            assert number.ge is not None, f"{kind.__name__}.{name} has no bounds"
            assert number.le is not None, f"{kind.__name__}.{name} has no bounds"
            assert max(abs(number.ge), abs(number.le)) <= MAX_NUMBER, f"{kind.__name__}.{name}"


def services_of(app: Flask) -> Services:
    services: Services = app.extensions["companion"]
    return services


def test_it_imports_nothing_but_the_contract(game: Game) -> None:
    """A game must not import web, database, clock or random modules."""
    module = sys.modules[game.start.__module__]
    file = Path(module.__file__ or "")
    package = module.__name__ if file.name == "__init__.py" else module.__package__ or module.__name__
    for path in file.parent.rglob("*.py"):
        if "tests" in path.relative_to(file.parent).parts:
            continue
        for name in imports(path):
            assert name.split(".")[0] not in FORBIDDEN, f"{path} imports {name}"
            if name.startswith("companion.") and not name.startswith(package):
                assert name.startswith("companion.game"), f"{path} imports {name}"


JUNK = ("", "x", "-1", "0", "99999999999999999999", "💥", "a" * 500, "null", "1.5", "true")


def test_a_bad_tap_is_refused_with_a_sentence(pseudo_app: Flask, game: Game) -> None:
    monkey = Monkey(pseudo_app, game, game.players[0], 1)
    monkey.start()
    for kind in game.taps.values():
        names = [field.name for field in msgspec.structs.fields(kind)]
        forms: list[dict[str, str]] = [{}, {"nonsense": "1"}]
        forms += [fields for junk in JUNK for fields in (dict.fromkeys(names, junk), {f"{n}.1": junk for n in names})]
        for place, fields in enumerate(forms if names else forms[:2]):
            data = {"tap": kind.__struct_config__.tag, **fields}
            path = (monkey.seats[0], monkey.screen)[place % 3 == 0]
            reply = monkey.client.post(path, data=data, headers=monkey.headers)
            if reply.status_code != 200:
                assert reply.status_code == 422, (data, reply.status_code)
                assert Reply(reply).message


def test_it_has_its_four_shelves(game: Game) -> None:
    home = game.home or folder("templates").parent
    for name in ("table.html", "seat.html", "screen.html", "help.html"):
        assert (home / "templates" / game.name / name).exists()
    for name in ("host", "record"):
        if getattr(game, f"{name}_view") is not None:
            assert (home / "templates" / game.name / f"{name}.html").exists()


def test_its_table_part_has_no_form(game: Game) -> None:
    home = game.home or folder("templates").parent
    files = [home / "templates" / game.name / name for name in ("table.html", "record.html")]
    for text in [file.read_text("utf-8") for file in files if file.exists()]:
        assert not re.search(r"<form|\bbutton\(|\bform\(", text)
