"""Strangers don't see other people's statistics, last set-ups or remembered names, at home or on a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser

from companion.app import create_app
from companion.engine.room_rules import AddPerson, Start
from companion.engine.snapshot import as_data
from companion.engine.tables import Tables
from companion.game import TABLE, Seat
from companion.games import all_games
from companion.testing import House, Reply, form_fields, typed

HERE, WIFI, ELSEWHERE = "127.0.0.1", "192.168.1.77", "203.0.113.9"
SHEET = all_games()["score_sheet"]


class Browser:
    """A browser with cookies and a client address."""

    def __init__(self, app, address: str) -> None:
        self.client: FlaskClient = app.test_client()
        self.tables: Tables = app.extensions["companion"].tables
        self.address = {"REMOTE_ADDR": address}

    def get(self, path: str) -> Reply:
        return Reply(self.client.get(path, environ_base=self.address))

    def post(self, path: str, **fields: object) -> Reply:
        return Reply(self.client.post(path, data=fields, environ_base=self.address))

    def opens(self, game: str = "score_sheet", **setup: object) -> str:
        """Open a table and its shared screen; returns the screen's path."""
        done = self.post(f"/new/{game}", **typed(as_data(all_games()[game].setup()) | setup))
        path = done.response.headers["location"]
        assert self.get(path).status == 200
        return path

    def plays(self, *names: str, **setup: object) -> str:
        """Play a round of score sheet that the first of these people wins."""
        path = self.opens(rounds=1, **setup)
        table = path.rpartition("/")[2].split(".")[0]
        for name in names:
            self.tables.act(table, TABLE, AddPerson(name=name))
        self.tables.act(table, TABLE, Start())
        enter = SHEET.taps["Enter"]
        for seat in range(1, len(names) + 1):
            self.tables.act(table, Seat(seat), enter(points=10 - seat))
        return path

    def offered(self, game: str = "score_sheet") -> dict[str, object]:
        """Return the values in the set-up form."""
        return form_fields(LexborHTMLParser(self.get(f"/new/{game}?for=somebody+new").html).css_first("form.setup"))


@pytest.fixture
def app_of(tmp_path) -> Iterator[Callable[..., object]]:
    apps = []

    def make(**options: object) -> object:
        apps.append(create_app(tmp_path / "data", **options))
        return apps[-1]

    yield make
    for app in apps:
        app.extensions["companion"].reader.store.close()


# -------------------------------------------------------------------------------- statistics


def test_a_stranger_who_opens_a_table_reads_nobody_elses_names(app_of):
    app = app_of()
    Browser(app, HERE).plays("Rosalind", "Ben")
    stranger = Browser(app, WIFI)
    assert stranger.get("/players").shows("Open a table in this browser first. Then you can see this page.")
    stranger.opens()
    assert not stranger.get("/players").shows("Rosalind")
    stranger.plays("Mallory", "Ben")
    assert stranger.get("/players").shows("Mallory")
    assert not stranger.get("/players").shows("Rosalind")


def test_a_screen_whose_link_was_renewed_away_knows_its_night_no_more(app_of):
    app = app_of()
    browser = Browser(app, WIFI)
    path = browser.plays("Rosalind", "Ben")
    assert browser.get("/players").shows("Rosalind")
    services = app.extensions["companion"]
    services.tables.renew_screen(services.links.read(path.rpartition("/")[2]), "nonce")
    assert not browser.get("/players").shows("Rosalind")


def test_the_machine_itself_counts_all_nights(app_of):
    app = app_of()
    Browser(app, HERE).plays("Rosalind", "Ben")
    Browser(app, WIFI).plays("Ann", "Ben")
    page = Browser(app, HERE).get("/players")
    assert page.shows("Rosalind")
    assert page.shows("Ann")


def test_only_the_machine_itself_switches_statistics_for_everybody(app_of):
    app = app_of()
    laptop, stranger = Browser(app, HERE), Browser(app, WIFI)
    for browser in (laptop, stranger):
        browser.plays("Rosalind", "Ben")
    assert "Switch statistics" not in stranger.get("/players").html
    refused = stranger.post("/players", counts="off")
    assert refused.status == 422
    assert refused.shows("You can only turn statistics on or off on the machine that runs this companion.")
    assert laptop.get("/players").shows("Rosalind")
    assert laptop.post("/players", counts="off").status == 303
    for browser in (laptop, stranger):
        assert browser.get("/players").shows("Statistics are turned off.")


def test_a_request_that_came_through_a_proxy_is_not_from_the_machine_itself(app_of):
    app = app_of()
    Browser(app, HERE).plays("Rosalind", "Ben")
    asked = app.test_client().get("/players", headers={"X-Forwarded-For": ELSEWHERE})
    assert asked.status_code == 422


def test_on_a_server_statistics_are_a_browsers_own_and_nobody_switches_them(app_of):
    app = app_of(public=True, statistics=True)
    host, other = Browser(app, ELSEWHERE), Browser(app, HERE)
    host.plays("Rosalind", "Ben")
    other.plays("Ann", "Ben")
    assert host.get("/players").shows("Rosalind")
    assert not host.get("/players").shows("Ann")
    assert not other.get("/players").shows("Rosalind")
    for browser in (host, other):
        assert "Switch statistics" not in browser.get("/players").html
        assert browser.post("/players", counts="off").status == 422
    assert host.get("/").shows("Player statistics")


def test_statistics_that_are_off_are_not_on_the_shelf(app_of):
    app = app_of(statistics=False)
    laptop = Browser(app, HERE)
    laptop.plays("Rosalind", "Ben")
    assert laptop.get("/players").shows("Statistics are turned off.")
    assert laptop.get("/").shows("Your nights")
    assert not laptop.get("/").shows("Player statistics")


@pytest.mark.parametrize(("options", "shown"), [((), False), (("--statistics=on",), True)])
def test_behind_a_proxy_there_are_none_unless_they_are_asked_for(tmp_path, options, shown):
    house = House(tmp_path / "data", port=0).start("--proxies=1", *options)
    try:
        table = house.opens("score_sheet", rounds=1)
        assert len(table.code) == 6
        for name in ("Ann", "Ben"):
            table.sits(name)
        for seat in table.starts():
            seat.presses("Write down", points=seat.seat)
        assert Reply(table.shared.client.get("/players")).shows("Ann") == shown
    finally:
        house.kill()


# -------------------------------------------------------------------------------- set-ups


def test_a_stranger_neither_sees_nor_changes_the_last_set_up(app_of):
    app = app_of()
    laptop, stranger = Browser(app, HERE), Browser(app, WIFI)
    usual = laptop.offered()["wins"]
    laptop.opens(wins="low")
    assert stranger.offered()["wins"] == usual
    stranger.opens(target=77)
    assert laptop.offered()["wins"] == "low"
    assert laptop.offered()["target"] != "77"
    assert stranger.offered()["target"] == "77"  # your own last set-up is offered again


def test_a_changed_set_up_stays_with_the_browser_that_opened_the_table(app_of):
    app = app_of()
    laptop, stranger = Browser(app, HERE), Browser(app, WIFI)
    path = stranger.opens()
    assert stranger.post(f"{path}/setup", **typed(as_data(SHEET.setup()) | {"wins": "low"})).status == 303
    assert stranger.offered()["wins"] == "low"
    assert laptop.offered()["wins"] == "high"


def test_the_next_game_is_offered_as_these_people_had_it_last(app_of):
    app = app_of(public=True)
    Browser(app, ELSEWHERE).opens(wins="low", target=55)
    host = Browser(app, ELSEWHERE)
    host.opens(wins="low", target=66)
    path = host.plays("Ann", "Ben", wins="high")
    form = LexborHTMLParser(host.get(f"{path}/next/score_sheet").html).css_first("form.setup")
    assert form_fields(form)["rounds"] == "1"
    host.plays("Ann", "Ben", target=77)
    assert host.offered()["target"] == "77"


# -------------------------------------------------------------------------------- what a game learns


def test_learnt_names_are_known_to_the_browsers_that_played_only(app_of):
    app = app_of(games={"singing": songs()})
    laptop, stranger = Browser(app, HERE), Browser(app, WIFI)
    sings(laptop, "Summertime")
    assert sings(stranger, "Nightingale") == ("Nightingale",)
    assert sings(laptop, "Yesterday") == ("Summertime", "Yesterday")
    assert sings(stranger, "Over the rainbow") == ("Nightingale", "Over the rainbow")


def songs():
    from test_lasting import SONGS, singing

    return singing(SONGS)


def sings(browser: Browser, song: str) -> tuple[str, ...]:
    """Return what a new table knows after these people have also sung this."""
    from test_lasting import Sing

    path = browser.post("/new/singing").response.headers["location"]
    table = path.rpartition("/")[2].split(".")[0]
    browser.tables.act(table, TABLE, AddPerson(name="Ann"))
    browser.tables.act(table, TABLE, Start())
    browser.tables.act(table, TABLE, Sing(song=song))
    remembers(browser, path)
    return browser.tables.reader.snapshot(table).state.songs


def remembers(browser: Browser, path: str) -> None:
    """Store the link in the browser's cookie by hand, since a game without templates has no page."""
    kept = browser.client.get_cookie("screens")
    token = path.rpartition("/")[2]
    browser.client.set_cookie("screens", "~".join([token, *([kept.value] if kept else [])]))


# -------------------------------------------------------------------------------- one night


def test_N2_after_six_quiet_hours_the_evening_is_over(app_of, monkeypatch):
    app = app_of()
    laptop = Browser(app, "127.0.0.1")
    for _ in range(2):
        laptop.plays("Ann", "Ben")
    laptop.opens()  # nobody sits there yet, so the question is about the table before
    assert laptop.get("/new/risk").shows("Ann Ben")
    assert laptop.get("/").html.count("night-link") == 1
    monkeypatch.setattr("companion.web.seat.EVENING_S", 0)
    assert not laptop.get("/new/risk").shows("tonight")
    laptop.plays("Ann", "Ben")
    assert laptop.get("/").html.count("night-link") == 2


def test_a_name_that_others_can_lead_here_opens_nothing_on_the_host_s_own_machine(tmp_path):
    """In the same Wi-Fi, `evil.local` can be first their machine and then 127.0.0.1: their page would read along."""
    app = create_app(tmp_path)
    for host, status in (
        ("localhost:8000", 303), ("127.0.0.1:8000", 303), ("[::1]:8000", 303), ("seat1.localhost:8000", 303),
        ("evil.local:8000", 422), ("companion.local:8000", 422),
    ):  # fmt: skip
        reply = app.test_client().post(
            "/players", data={"counts": "on"}, headers={"Host": host}, environ_base={"REMOTE_ADDR": HERE}
        )
        assert reply.status_code == status, host
