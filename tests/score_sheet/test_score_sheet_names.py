"""A sheet can have the name of a game. Named games are presets that open with one tap (N7)."""

from __future__ import annotations

import pytest

from companion.app import create_app
from companion.engine.lasting import MAX_PRESETS, presets
from companion.games.score_sheet import GAME
from companion.games.score_sheet.setup import Setup, bgg_id, played_as
from companion.testing import Person, Reply, find_form, form_fields

HERE, WIFI = "127.0.0.1", "192.168.1.77"


def starts(house, **setup):
    table = house.opens("score_sheet", **setup)
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    return table


def test_N7_every_screen_says_the_name_of_the_game(house):
    table = starts(house, name="  Sky   Team ", rounds=1)
    for screen in (table.shared, table["Ann"]):
        assert screen.shows("Sky Team")
        assert not screen.shows("Score sheet")
    assert table.shared.reads("history").shows("Sky Team")
    assert "Sky Team" in Person(house.url).get(f"/t/{table.code}").text
    assert f"Sky Team · {table.code}" in table.shared.client.get("/").text
    for name in ("Ann", "Ben"):
        table[name].presses("Write down", points=3)
    assert '"Sky Team"' in table.shared.reads("night.json").html


def test_a_name_is_one_line_of_plain_letters():
    assert played_as(Setup(name=" Sky\u202e\n Team ")) == "Sky Team"
    assert played_as(Setup()) == ""
    assert bgg_id(Setup(bgg=266192)) == 266192


class Browser:
    """A browser with its own address and cookies."""

    def __init__(self, app, address: str) -> None:
        self.client, self.address = app.test_client(), {"REMOTE_ADDR": address}

    def get(self, path: str) -> Reply:
        return Reply(self.client.get(path, environ_base=self.address))

    def opens(self, **setup: object) -> None:
        self.sends("/new/score_sheet", setup)

    def sends(self, path: str, data: dict[str, object]) -> Reply:
        done = self.client.post(path, data=data, environ_base=self.address)
        assert done.status_code == 303, done.text
        return self.get(done.headers["location"])

    def presses(self, page: str, label: str, **fields: object) -> Reply:
        form = find_form(self.get(page).html, label, fields)
        return self.sends(form.attributes.get("action") or page, form_fields(form))


@pytest.fixture
def app(tmp_path):
    app = create_app(tmp_path / "data")
    yield app
    app.extensions["companion"].reader.store.close()


def test_N7_a_named_game_is_one_tap_on_the_shelf_and_on_the_set_up_page(app):
    host = Browser(app, HERE)
    host.opens(name="Wingspan", mode="categories", ready="birds", bgg=266192)
    host.opens(name="Tichu", teams=2, target=1000)
    for page in ("/", "/new/score_sheet"):
        assert host.get(page).shows("Wingspan by categories")
        assert host.presses(page, "Wingspan").shows("Wingspan")
    store = app.extensions["companion"].tables.store
    assert presets(store, GAME, None) == [
        Setup(name="Wingspan", mode="categories", ready="birds", bgg=266192),
        Setup(name="Tichu", teams=2, target=1000),
    ]


def test_N7_a_preset_is_renewed_bounded_and_can_be_removed(app):
    host = Browser(app, HERE)
    for n in range(MAX_PRESETS + 2):
        host.opens(name=f"Game {n}")
    host.opens(name="game 9", wins="low")
    host.opens()
    kept = presets(app.extensions["companion"].tables.store, GAME, None)
    assert (len(kept), kept[0]) == (MAX_PRESETS, Setup(name="game 9", wins="low"))
    host.sends("/new/score_sheet/forget", {"preset": "game 9"})
    assert not host.get("/new/score_sheet").shows("game 9")
    assert host.get("/new/score_sheet").shows("Game 13")


def test_N7_from_elsewhere_a_browser_is_offered_the_games_of_its_own_nights_only(app):
    Browser(app, HERE).opens(name="Tichu")
    guest, stranger = Browser(app, WIFI), Browser(app, WIFI)
    guest.opens(name="Azul")
    assert guest.get("/").shows("Azul")
    assert not guest.get("/new/score_sheet").shows("Tichu")
    assert "Played before" not in stranger.get("/").text
    assert guest.client.post("/new/score_sheet/forget", environ_base=guest.address).status_code == 404


def test_a_named_game_is_a_preset_and_does_not_fill_the_form_of_another_game(app):
    for host in (Browser(app, HERE), Browser(app, WIFI)):
        host.opens(rounds=3)
        host.opens(name="Tichu", rounds=9)
        fields = form_fields(find_form(host.get("/new/score_sheet").html, "Open the table", {}))
        assert (fields.get("name"), fields["rounds"]) in ((None, "3"), ("", "3"))


def test_a_preset_of_another_time_that_no_longer_fits_is_left_out(app):
    store = app.extensions["companion"].tables.store
    store.remember("presets.score_sheet", b'[{"name": "Old", "wheels": 4}, {"name": "Azul"}]')
    assert presets(store, GAME, None) == [Setup(name="Azul")]
