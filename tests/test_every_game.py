"""What every game on the shelf must do, ours and a stranger's."""

from __future__ import annotations

import re

import pseudo
import pytest
from flask import Flask
from monkey import WORDS, Monkey
from selectolax.lexbor import LexborHTMLParser
from tabletalk import NAMES, ROOT, Reply, text_of

from companion import create_app
from companion.engine.game import Game
from companion.games import all_games

GAMES = sorted(all_games().values(), key=lambda game: game.name)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@pytest.fixture(scope="module")
def pseudo_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """A companion that speaks the pseudo-language."""
    folder = tmp_path_factory.mktemp("pseudo")
    translations = pseudo.make(folder / "translations", ROOT / "tests" / "plugin")
    return create_app(folder / "data", translations=translations, address="192.0.2.1", tries=1_000_000)


def translated(html: str, *data: str) -> None:
    known = {*NAMES, *WORDS, *data, "192.0.2.1", "http", "Home"}
    assert not pseudo.forgotten(html, known)


@every_game
def test_its_help_is_read_in_under_a_minute(pseudo_app, game: Game):
    page = pseudo_app.test_client().get(f"/help/{game.name}")
    assert page.status_code == 200
    words = text_of(LexborHTMLParser(page.text).css_first(".prose").html).split()
    assert 30 < len(words) <= 300


@every_game
def test_its_first_pages_have_no_forgotten_word(pseudo_app, game: Game):
    client = pseudo_app.test_client()
    headers = {"Accept-Language": pseudo.PSEUDO}
    for path in ("/", f"/new/{game.name}", f"/help/{game.name}", "/nowhere", "/s/wrong"):
        html = client.get(path, headers=headers).text
        assert "⟦" in html
        translated(html)


@every_game
@pytest.mark.parametrize("seed", [1, 2])
def test_random_taps_never_break_it_and_every_word_is_translated(pseudo_app, game: Game, seed: int):
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
    for path in (monkey.screen, *monkey.seats, f"{monkey.screen}/history"):
        translated(monkey.look(path), monkey.code)
    assert len(monkey.tapped) > 2


@every_game
def test_it_has_its_four_shelves(game: Game):
    home = game.home or ROOT
    for name in ("table.html", "seat.html", "screen.html", "help.html"):
        assert (home / "templates" / game.name / name).exists()
    if game.host_view is not None:
        assert (home / "templates" / game.name / "host.html").exists()


@every_game
def test_its_table_part_has_no_form(game: Game):
    home = game.home or ROOT
    text = (home / "templates" / game.name / "table.html").read_text()
    assert not re.search(r"<form|\bbutton\(|\bform\(", text)


@every_game
def test_its_first_screens_are_accessible(windows, house, accessible, game: Game):
    table = house.opens(game.name)
    for name in NAMES[: game.players[0]]:
        table.sits(name)
    laptop = windows.wide()
    laptop.goto(f"{house.url}/new/{game.name}")
    accessible(laptop)
    table.starts()
    laptop.goto(house.url + table.shared.path)
    accessible(laptop)
    phone = windows.phone()
    phone.goto(house.url + table["Ann"].path)
    accessible(phone)


def test_a_refusal_and_a_wrong_form_are_translated(pseudo_app):
    monkey = Monkey(pseudo_app, all_games()["score_sheet"], 2, 1, language=pseudo.PSEUDO)
    monkey.start()
    for data in ({"tap": "Enter", "points": "x"}, {"tap": "Enter"}, {"tap": "Fly"}, {"tap": "EndTable"}):
        reply = Reply(Answer(monkey.client.post(monkey.seats[0], data=data, headers=monkey.headers)))
        assert reply.status == 422
        assert reply.message.startswith("⟦")
        assert not pseudo.forgotten(reply.message, set())


class Answer:
    """A reply of the test client, as httpx would give it."""

    def __init__(self, reply) -> None:
        self.status_code, self.text, self.headers = reply.status_code, reply.text, reply.headers


def test_the_pseudo_language_finds_a_forgotten_word():
    assert pseudo.forgotten("<p>⟦Ann ⟦sits⟧ down⟧ and</p>", set()) == ["and"]
    assert not pseudo.forgotten("<p>⟦Take back⟧: <span>⟦<bdi>Ann</bdi> sits⟧</span> 7</p>", set())
