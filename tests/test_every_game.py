"""What every game on the shelf must do, ours and a stranger's."""

from __future__ import annotations

import itertools
import random
import re
import sys
from pathlib import Path

import msgspec
import pseudo
import pytest
from flask import Flask
from monkey import WORDS, Monkey
from selectolax.lexbor import LexborHTMLParser
from tabletalk import NAMES, ROOT, Reply, text_of
from test_house import FORBIDDEN, imports

from companion.app import create_app
from companion.engine.results import states_of
from companion.engine.room_rules import EndTable
from companion.engine.snapshot import Snapshot
from companion.game import Dice, Game, NotAllowed, Seat
from companion.games import all_games
from companion.web import Services
from companion.web.forms import read_tap
from companion.web.i18n import draw_say, use_locale
from companion.web.limits import LimitSettings

GAMES = sorted(all_games().values(), key=lambda game: game.name)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@pytest.fixture(scope="module")
def pseudo_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """A companion that speaks the pseudo-language."""
    folder = tmp_path_factory.mktemp("pseudo")
    homes = {game.home for game in GAMES if game.home is not None}
    translations = pseudo.make(folder / "translations", *homes)
    return create_app(
        folder / "data", translations=translations, address="192.0.2.1", limits=LimitSettings(attempts=1_000_000)
    )


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
    for path in (monkey.screen, *monkey.seats, f"{monkey.screen}/history", f"{monkey.screen}/night"):
        translated(monkey.look(path), monkey.code)
    assert len(monkey.tapped) >= min(3, len(game.taps))


@every_game
def test_what_it_tells_afterwards_is_in_words_that_can_be_translated(pseudo_app, game: Game):
    monkey = Monkey(pseudo_app, game, game.players[0], 3, language=pseudo.PSEUDO)
    monkey.start()
    for _ in range(100):
        monkey.tap()
    services = services_of(pseudo_app)
    now = services.reader.snapshot(services.reader.follow(monkey.table))
    services.tables.act(now.id, now.room.host, EndTable())
    nights = services.nights
    for one in nights.of(monkey.table):
        states = states_of(nights._store.versions(one.table), game)
        for said in (*(feat.what for feat in game.feats(states)), *(chart.title for chart in game.charts(states))):
            with use_locale(services.languages[pseudo.PSEUDO]):
                assert not pseudo.forgotten(str(draw_say(said, one.names)), {*NAMES, *WORDS})
        for path in ("night", f"night/{one.table}", "next"):
            translated(monkey.look(f"{monkey.screen}/{path}"), monkey.code, one.table)
        assert monkey.look(f"{monkey.screen}/night/{one.table}/table.json")


def services_of(app: Flask) -> Services:
    services: Services = app.extensions["companion"]
    return services


@every_game
def test_it_imports_nothing_but_the_contract(game: Game):
    """No web, no database, no clock, no chance of its own."""
    module = sys.modules[game.start.__module__]
    folder = Path(module.__file__).parent
    package = module.__name__ if Path(module.__file__).name == "__init__.py" else module.__package__
    for path in folder.rglob("*.py"):
        if "tests" in path.relative_to(folder).parts:
            continue
        for name in imports(path):
            assert name.split(".")[0] not in FORBIDDEN, f"{path} imports {name}"
            if name.startswith("companion.") and not name.startswith(package):
                assert name.startswith("companion.game"), f"{path} imports {name}"


@every_game
@pytest.mark.parametrize("seed", [1, 2])
def test_a_secret_tap_tells_nobody_else_anything(pseudo_app, game: Game, seed: int):
    """The same moment with two different secret choices: every other seat, and the table, sees the same."""
    monkey = Monkey(pseudo_app, game, max(game.players[0], min(3, game.players[1])), seed)
    monkey.start()
    chance = random.Random(seed)
    compared = 0
    for _ in range(60):
        reader = services_of(pseudo_app).reader
        now = reader.snapshot(reader.follow(monkey.table))
        seat = chance.choice(now.room.seats)
        if now.state is not None and now.room.phase == "playing":
            steps = secret_steps(monkey, now, seat)
            for one, other in itertools.pairwise(steps):
                for view in (game.table_view, game.screen_view, *filter(None, (game.record_view, game.host_view))):
                    assert view(one) == view(other)
                for somebody in now.room.seats:
                    if somebody != seat:
                        assert game.seat_view(one, somebody) == game.seat_view(other, somebody)
                assert game.choosing(one) == game.choosing(other)
                for hook in (game.feats, game.charts):  # what it tells afterwards is no way around it
                    assert hook((now.state, one)) == hook((now.state, other))
                compared += 1
        monkey.tap()
    assert compared or game.name not in SECRETIVE


def secret_steps(monkey: Monkey, now: Snapshot, seat: Seat) -> list[object]:
    """What becomes of the table after different fillings of the same form, as far as those are secret."""
    html = monkey.look(monkey.seats[now.room.seats.index(seat)])
    found = []
    for form in LexborHTMLParser(html).css("form"):
        if form.css_first('input[name="tap"]') is None:
            continue
        steps = []
        for _ in range(3):
            filled = monkey.fill(form).items()
            fields = {key: value if isinstance(value, list) else [value] for key, value in filled}
            try:
                tap, _ = read_tap(now.game, fields)
                step = now.game.rules[type(tap)](now.state, seat, tap, Dice(random.Random(1)))
            except (NotAllowed, KeyError):
                continue
            if step.secret and not step.lines:
                steps.append(step.state)
        found += steps if len(steps) > 1 else []
    return found


SECRETIVE = ("secret_ballot", "hidden_bid")
"""Games that are nothing without a secret: the comparison above is to have found some."""

JUNK = ("", "x", "-1", "0", "99999999999999999999", "💥", "a" * 500, "null", "1.5", "true")


@every_game
def test_a_bad_tap_is_refused_with_a_sentence(pseudo_app, game: Game):
    monkey = Monkey(pseudo_app, game, game.players[0], 1)
    monkey.start()
    for kind in game.taps.values():
        if kind.__struct_config__.tag == "Stumble":
            continue  # a bug on purpose, in the game that the tests bring along
        names = [field.name for field in msgspec.structs.fields(kind)]
        forms = [{}, {"nonsense": "1"}]
        forms += [fields for junk in JUNK for fields in (dict.fromkeys(names, junk), {f"{n}.1": junk for n in names})]
        for place, fields in enumerate(forms if names else forms[:2]):
            data = {"tap": kind.__struct_config__.tag, **fields}
            path = (monkey.seats[0], monkey.screen)[place % 3 == 0]
            reply = monkey.client.post(path, data=data, headers=monkey.headers)
            if reply.status_code != 200:
                assert reply.status_code == 422, (data, reply.status_code)
                assert Reply(Answer(reply)).message


@every_game
def test_it_has_its_four_shelves(game: Game):
    home = game.home or ROOT
    for name in ("table.html", "seat.html", "screen.html", "help.html"):
        assert (home / "templates" / game.name / name).exists()
    for name in ("host", "record"):
        if getattr(game, f"{name}_view") is not None:
            assert (home / "templates" / game.name / f"{name}.html").exists()


@every_game
def test_its_table_part_has_no_form(game: Game):
    home = game.home or ROOT
    folder = home / "templates" / game.name
    for text in [(folder / name).read_text() for name in ("table.html", "record.html") if (folder / name).exists()]:
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
