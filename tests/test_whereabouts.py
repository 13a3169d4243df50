"""Which of our addresses goes into QR codes, and what happens when they change."""

from __future__ import annotations

from companion.app import create_app
from companion.engine.links import Link
from companion.game import TABLE, Seat
from companion.games import all_games
from companion.live.screen import Region, Screen
from companion.testing import Person
from companion.web import Address
from companion.web.whereabouts import MOVED_S, TTL_S, OwnAddresses, Viewers

WIFI, CABLE, NAME = "http://192.168.1.20:8000", "http://10.0.0.5:8000", "http://companion.local:8000"


SETUP = all_games()["score_sheet"].setup


class Laptop:
    """A machine with addresses and a clock that a test sets."""

    def __init__(self, *urls: str) -> None:
        self.urls, self.now = list(urls), 100.0
        self.own = OwnAddresses(lambda: [Address(url, "wlan0") for url in self.urls], clock=lambda: self.now)

    def listed(self) -> list[str]:
        return [one.url for one in self.own()]


def test_the_best_looking_address_comes_first_until_a_phone_has_come():
    laptop = Laptop(WIFI, CABLE)
    laptop.own.announced(NAME)
    assert laptop.listed() == [WIFI, CABLE, NAME]
    laptop.own.note_phone(CABLE, "10.0.0.9")
    assert laptop.listed() == [CABLE, WIFI, NAME]


def test_the_name_comes_first_only_if_more_phones_came_by_it():
    """A phone that comes by an address and can look up the name comes by both."""
    laptop = Laptop(WIFI)
    laptop.own.announced(NAME)
    for url in (WIFI, NAME):
        laptop.own.note_phone(url, "192.168.1.30")
    assert laptop.listed() == [WIFI, NAME]
    laptop.own.note_phone(NAME, "192.168.1.31")
    assert laptop.listed() == [NAME, WIFI]
    assert laptop.own.printed() == WIFI  # people type what every phone can open
    laptop.own.announced("")
    assert laptop.listed() == [WIFI]


def test_this_machine_itself_proves_nothing():
    laptop = Laptop(WIFI, CABLE)
    for caller in ("127.0.0.1", "::1", "192.168.1.20", "10.0.0.5", None):
        laptop.own.note_phone(CABLE, caller)
    laptop.own.note_phone("http://evil.example", "10.0.0.9")
    assert laptop.listed() == [WIFI, CABLE]


def test_an_address_that_is_only_named_proves_nothing():
    """One phone could lead all others to an address that they can't reach, before the first of them has come."""
    laptop = Laptop(WIFI, CABLE)
    laptop.own.note_phone(CABLE, "192.168.1.66", "192.168.1.20")
    assert laptop.listed() == [WIFI, CABLE]
    laptop.own.note_phone(CABLE, "10.0.0.9", "::ffff:10.0.0.5")
    assert laptop.listed() == [CABLE, WIFI]


def test_the_address_that_a_request_has_reached_is_looked_at(tmp_path):
    app = create_app(tmp_path, port=8000)
    own, told = app.extensions["companion"].addresses, []
    own.note_phone = lambda *said: told.append(said)
    tables = app.extensions["companion"].tables
    code = tables.open(app.extensions["companion"].reader.games["score_sheet"], SETUP()).code
    app.test_client().get(f"/t/{code}", environ_base={"REMOTE_ADDR": "192.168.1.66", "SERVER_ADDR": "192.168.1.20"})
    assert [said[1:] for said in told] == [("192.168.1.66", "192.168.1.20")]


def test_a_phone_counts_once():
    laptop = Laptop(WIFI, CABLE)
    for _ in range(5):
        laptop.own.note_phone(CABLE, "10.0.0.9")
    for n in (8, 9):
        laptop.own.note_phone(WIFI, f"192.168.1.{n}")
    assert laptop.listed() == [WIFI, CABLE]


def test_addresses_are_looked_up_again_after_a_while():
    laptop = Laptop(WIFI)
    assert (laptop.listed(), laptop.own.has_moved()) == ([WIFI], False)
    before = laptop.own.generation
    laptop.urls = [CABLE]
    assert laptop.listed() == [WIFI]
    laptop.now += TTL_S
    assert laptop.listed() == [CABLE]
    assert laptop.own.generation > before
    assert laptop.own.has_moved()
    laptop.now += MOVED_S
    assert not laptop.own.has_moved()


def test_one_more_address_is_no_move():
    laptop = Laptop(WIFI)
    laptop.listed()
    laptop.urls = [WIFI, CABLE]
    laptop.own.refresh()
    assert not laptop.own.has_moved()


def test_a_page_knows_where_else_we_are_but_not_on_this_machine():
    laptop = Laptop(WIFI, CABLE, "http://[fd00::7]:8000")
    laptop.own.announced(NAME)
    assert laptop.own.others(WIFI) == f"{NAME} {CABLE}"
    assert laptop.own.others(NAME) == f"{WIFI} {CABLE}"
    assert laptop.own.others(WIFI, by_name=True) == NAME
    assert laptop.own.others(NAME, by_name=True) == ""
    assert laptop.own.others("http://localhost:8000") == ""


def test_only_screens_whose_address_we_chose_follow_a_change(tmp_path):
    languages = create_app(tmp_path / "data").extensions["companion"].languages
    laptop = Laptop(WIFI, CABLE)
    viewers = Viewers(laptop.own, languages, own_name="http://laptop.local:8000", fixed=False, behind_proxy=False)
    link = Link("table", TABLE, 1)

    def comes_by(host: str):
        return viewers(link, {"wsgi.url_scheme": "http", "HTTP_HOST": host})

    at_home, by_cable, by_wifi, by_name = map(
        comes_by, ("localhost:8000", "10.0.0.5:8000", "192.168.1.20:8000", "laptop.local:8000")
    )
    assert [one.base for one in (at_home, by_cable, by_wifi)] == [WIFI, CABLE, WIFI]
    laptop.urls = ["http://10.9.9.9:8000", CABLE]
    laptop.own.refresh()
    assert viewers.again(at_home).base == "http://10.9.9.9:8000"
    assert viewers.again(by_cable).base == CABLE
    assert viewers.again(by_wifi).base == "http://10.9.9.9:8000"
    assert viewers.again(by_name).base == by_name.base
    assert viewers.again(by_name).has_moved
    laptop.now += MOVED_S
    assert viewers.again(by_name) == by_name


def test_the_name_in_the_code_leaves_the_address_in_print(tmp_path):
    languages = create_app(tmp_path / "data").extensions["companion"].languages
    laptop = Laptop(WIFI)
    laptop.own.announced(NAME)
    viewers = Viewers(laptop.own, languages, own_name="", fixed=False, behind_proxy=False)
    environ = {"wsgi.url_scheme": "http", "HTTP_HOST": "companion.local:8000"}
    assert viewers(Link("table", Seat(1), 1), environ).base == WIFI  # not every phone can look the name up
    laptop.own.note_phone(NAME, "192.168.1.31")
    viewer = viewers(Link("table", Seat(1), 1), environ)
    assert (viewer.base, viewer.printed) == (NAME, WIFI)


def test_what_is_new_without_a_new_version_carries_no_number():
    """A page draws each version once (`static/companion.js`), and would leave out an address that has changed."""
    region = Region("stage", b"here", 1)
    screen = Screen(7, "table", (region,), (1,))
    assert screen.frame((region,)).startswith(b"id: 7\n")
    assert screen.frame((region,), numbered=False).startswith(b"data: ")


def test_the_picture_that_shows_that_it_is_us_is_never_kept(house):
    reply = Person(house.url).get("/here")
    assert reply.headers["content-type"] == "image/gif"
    assert reply.headers["cache-control"] == "no-store"
    assert len(reply.content) < 50


def test_a_page_on_this_machine_loads_nothing_from_elsewhere(seated):
    table = seated("score_sheet")
    for path in (table.shared.path, table["Ann"].path, f"/t/{table.code}"):
        reply = table.house.visitor().get(path)
        assert "data-also" not in reply.text
        assert "img-src 'self' data:;" in reply.headers["content-security-policy"]
