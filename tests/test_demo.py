"""companion demo: a table of invented people that plays itself, until somebody takes a seat."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from here import ROOT
from playwright.sync_api import expect

from companion.app import create_app
from companion.demo.forms import Control, Form, fill, read_forms, untouched
from companion.demo.pages import DemoOptions
from companion.demo.tastes import TASTES, taste_of
from companion.engine.room_rules import Rename
from companion.game import TABLE, Seat
from companion.games import all_games
from companion.testing import House, wait_until
from companion.testing.house import python_path
from companion.testing.monkey import form_of
from companion.testing.source import imports
from companion.testing.windows import assert_accessible
from companion.web.limits import LimitSettings

OURS = sorted(all_games())
PATIENCE = 700
"""No game of the demo takes so many taps."""


class Watched:
    """The demo without its window: the page's part is played here, tap by tap."""

    def __init__(self, folder: Path, game: str, seed: int = 1) -> None:
        self.app = create_app(
            folder, address="192.0.2.1", limits=LimitSettings(attempts=1_000_000), demo=DemoOptions(game, 1.0, seed)
        )
        self.services = self.app.extensions["companion"]
        self.client = self.app.test_client()
        self.tapped: list[str] = []

    def next(self) -> dict:
        return self.client.post("/demo/next").json

    def sends(self, tap: dict) -> None:
        fields: dict[str, list[str]] = {}
        for key, value in tap["fields"]:
            fields.setdefault(key, []).append(value)
        reply = self.client.post(tap["path"], data=fields, headers={"HX-Request": "true"})
        assert reply.status_code in (200, 204), (tap, reply.text)
        self.tapped.append(fields.get("tap", ["again"])[0])

    def goes_on(self) -> dict:
        """One more tap; where nobody has one, the table's alarm rings."""
        tap = self.next()
        if "path" in tap:
            self.sends(tap)
        else:
            tables, now = self.services.tables, self.now
            assert now.room.alarm_at is not None, "nobody can go on"
            real, tables.time = tables.time, lambda: now.room.alarm_at
            tables.wake(now.id)
            tables.time = real
        return tap

    @property
    def now(self):
        table = re.search(r'id="stage"[^>]*src="/x/([0-9a-f]+)', self.client.get("/demo/").text)[1]
        return self.services.reader.snapshot(table)

    def close(self) -> None:
        self.services.tables.store.close()


@pytest.fixture
def watched(tmp_path):
    made: list[Watched] = []

    def watch(game: str, seed: int = 1) -> Watched:
        made.append(Watched(tmp_path / f"data{len(made)}", game, seed))
        return made[-1]

    yield watch
    for one in made:
        one.close()


@pytest.mark.parametrize("game", OURS)
def test_every_game_is_played_to_its_end_and_then_again(watched, game):
    demo = watched(game)
    first = demo.now
    for _ in range(PATIENCE):
        if demo.goes_on().get("rests", 1) > 1:
            break
    assert demo.tapped[-1] == "again"
    assert first.game.result(demo.services.reader.snapshot(first.id).state) is not None
    assert demo.now.id != first.id
    assert demo.now.game is first.game
    demo.goes_on()
    assert demo.tapped[-1] == "Start"


def test_somebody_elses_game_is_played_by_its_forms_alone(watched, tmp_path):
    """The example has no taste of its own here."""
    sys.path.insert(0, str(ROOT / "examples" / "sealed_auction"))
    try:
        from sealed_auction import GAME
    finally:
        sys.path.pop(0)
    assert GAME.name not in TASTES
    app = create_app(
        tmp_path / "auction", games={GAME.name: GAME}, address="192.0.2.1", demo=DemoOptions(GAME.name, 1.0, 1)
    )
    client = app.test_client()
    for _ in range(30):
        tap = client.post("/demo/next").json
        assert tap["path"]
        assert client.post(tap["path"], data=dict(tap["fields"]), headers={"HX-Request": "true"}).status_code == 200
        if tap["rests"] > 1:
            break
    app.extensions["companion"].tables.store.close()


def test_a_seat_that_a_person_has_taken_is_left_to_them(watched):
    demo = watched("score_sheet")
    demo.client.post("/demo/", data={"seat": 1, "mine": "yes"})
    names = {demo.goes_on()["said"].partition(" ")[0] for _ in range(4)}
    assert names == {"Ben", "Cleo", "Dan", "Eve"}
    waits = demo.next()
    assert "path" not in waits
    assert waits["said"] == "It's up to you now: Ann"
    demo.client.post("/demo/", data={"seat": 1, "mine": "no"})
    assert demo.goes_on()["said"].startswith("Ann taps")


def test_a_person_who_plays_along_says_when_the_next_game_begins(watched):
    demo = watched("score_sheet")
    while not demo.now.is_over:
        demo.goes_on()
    demo.client.post("/demo/", data={"seat": 1, "mine": "yes"})
    assert demo.next() == {"said": "The game is over. Tap “Play again” on the shared screen."}
    demo.client.post("/demo/", data={"seat": 1, "mine": "no"})
    assert demo.next()["said"] == "The next game begins soon."


def test_the_shared_screen_does_not_tap_for_a_person_who_is_asked(watched):
    demo = watched("trickery")
    while "Cover" in demo.tapped or not demo.tapped:
        demo.goes_on()
        if demo.tapped[-1] == "DrawLots":
            break
    turn = demo.now.state.turn
    demo.client.post("/demo/", data={"seat": int(turn), "mine": "yes"})
    assert "path" not in demo.next()


def test_everybody_stops_and_goes_on(watched):
    demo = watched("traitors")
    demo.client.post("/demo/", data={"stop": "yes"})
    assert demo.next() == {"said": "Everybody has stopped."}
    demo.client.post("/demo/", data={"stop": "no"})
    assert "path" in demo.next()


def test_another_game_and_another_phone_are_chosen_in_the_window(watched):
    demo = watched("traitors")
    demo.client.post("/demo/", data={"game": "risk"})
    assert demo.now.game.name == "risk"
    demo.client.post("/demo/", data={"place": 1, "seat": 3})
    assert re.findall(r"http://127\.0\.0\.1:80/s/\w+\.(\d)\.", demo.client.get("/demo/").text) == ["1", "3"]
    for nonsense in ({"game": "chess"}, {"seat": 99, "mine": "yes"}, {"seat": "x"}, {}):
        assert demo.client.post("/demo/", data=nonsense).status_code == 303
    assert demo.now.game.name == "risk"


def test_no_other_name_opens_the_window(watched):
    demo = watched("traitors")
    for path in ("/demo/", "/demo/next"):
        reply = demo.client.open(path, method="GET" if path == "/demo/" else "POST", headers={"Host": "laptop.local"})
        assert reply.status_code == 404


def test_a_companion_that_plays_has_no_demo(house):
    with house.visitor() as visitor:
        assert visitor.get("/demo/").status_code == 404


def test_the_same_seed_chooses_the_same_first_tap(watched):
    taps = [watched("big_shuffle", seed=5).next() for _ in range(2)]
    assert dict(taps[0]["fields"])["tap"] == dict(taps[1]["fields"])["tap"]


def test_the_demo_needs_nothing_that_only_tests_need():
    needed = {"pytest", "playwright", "httpx", "selectolax", "axe_playwright_python"}
    for path in (ROOT / "companion" / "demo").glob("*.py"):
        for name in imports(path):
            assert name.split(".")[0] not in needed, path
            assert not name.startswith("companion.testing"), path


@pytest.mark.parametrize("game", OURS)
def test_forms_are_read_as_a_browser_reads_them(watched, game):
    """The reader of the demo and the parser of the tests find the same fields on every screen of an evening."""
    from selectolax.lexbor import LexborHTMLParser

    demo = watched(game)
    for _ in range(12):
        now = demo.now
        for person in now.room.here:
            token = demo.services.links.sign(now.id, person.seat, person.generation)
            html = demo.client.get(f"/s/{token}").text
            theirs = [form_of(node) for node in LexborHTMLParser(html).css("form[method=post]")]
            for ours, other in zip(read_forms(html), theirs, strict=True):
                assert ours.kind == other.kind
                assert untouched(ours) == untouched(other)
                assert {(one.name, one.value) for one in ours.buttons} >= {
                    (one.name, one.value) for one in other.buttons if one.name
                }
        demo.goes_on()


def test_what_is_disabled_or_folded_is_known():
    [form] = read_forms(
        '<details class="fold"><summary>More</summary><form method="post" action="/s/1">'
        '<input type="hidden" name="tap" value="Go"><fieldset disabled><input name="a" value="1"></fieldset>'
        '<select name="b"><option>One two</option><option value="2" selected>Two</option></select>'
        '<button disabled name="c" value="1">No</button><button type="button">+1</button>'
        '<button class="primary" name="c" value="2">Yes <b>please</b></button></form></details>'
    )
    assert form.kind == "Go"
    assert form.folds == ("fold",)
    assert untouched(form) == {"tap": "Go", "b": "2"}
    assert form.controls[1].options == ["One two", "2"]
    assert [(one.value, one.words, one.classes) for one in form.buttons] == [("2", "Yes please", ("primary",))]


def test_a_number_stays_in_its_bounds():
    import random

    form = Form(controls=[Control("n", "number", least=3, most=5)])
    found = {fill(form, random.Random(seed), lambda _: "", ())["n"] for seed in range(40)}
    assert found == {"3", "4", "5"}


class DemoHouse(House):
    """A companion that was started as `companion demo`."""

    def start(self, *options: str) -> DemoHouse:
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "companion", "demo", *options, "--no-browser", f"--port={self.port}"],
                cwd=self.data.parent, stdout=subprocess.PIPE, stderr=log, text=True,
                env={**self.environment, "PATH": "/usr/bin:/bin", "PYTHONPATH": python_path(),
                     "TMPDIR": str(self.data.parent)},
            )  # fmt: skip
        for line in self.process.stdout or ():
            self.greeting += line
            if found := re.search(r"http://localhost:(\d+)/demo/", line):
                self.port = int(found.group(1))
            if "Ctrl-C" in line:
                return self
        raise AssertionError(self.log.read_text())


@pytest.fixture
def demo_house(tmp_path) -> Iterator[DemoHouse]:
    house = DemoHouse(tmp_path / "data", 8_600)
    yield house
    if house.process and house.process.poll() is None:
        house.stop()


def test_the_window_plays_by_itself_until_somebody_plays_along(demo_house, windows):
    demo_house.start("score_sheet", "--pace", "0.4")
    page = windows.wide()
    page.goto(f"http://localhost:{demo_house.port}/demo/")
    stage, ann = page.frame_locator("iframe").nth(0), page.frame_locator("iframe").nth(1)
    expect(page.locator("iframe")).to_have_count(3)
    expect(page.locator("#said")).to_contain_text("taps “Write down”")
    expect(stage.locator("#history")).to_contain_text("Ann", timeout=30_000)
    page.get_by_role("button", name="Stop, and play as Ann").click()
    expect(page.get_by_role("button", name="Let Ann play without you")).to_be_visible()
    expect(page.locator("#said")).to_have_text("It's up to you now: Ann", timeout=30_000)
    ann.locator("#you [name=points]").fill("23")
    ann.locator("#you [name=points]").press("Enter")
    expect(stage.locator("#history")).to_contain_text("23")
    expect(page.locator("#said")).to_contain_text("taps", timeout=30_000)  # the others go on
    page.get_by_role("button", name="Stop everybody").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    expect(page.locator("#said")).to_have_text("Everybody has stopped.")
    assert_accessible(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_nobody_taps_while_the_stage_plays_a_moment(demo_house, windows):
    demo_house.start("traitors", "--pace", "0.2", "--seed", "1")
    page = windows.wide()
    page.add_init_script(
        """if (window === window.top) {
          window.early = 0; window.sent = 0;
          const real = window.fetch;
          window.fetch = (address, more) => {
            const stage = document.getElementById("stage");
            if (String(address).includes("/s/") || String(address).includes("/x/")) {
              window.sent += 1;
              if (stage.contentDocument.body.dataset.beat) window.early += 1;
            }
            return real(address, more);
          };
        }"""
    )
    page.goto(f"http://localhost:{demo_house.port}/demo/")
    wait_until(lambda: page.evaluate("window.sent") >= 9, "nine taps are sent")
    assert page.evaluate("window.early") == 0


def test_nothing_of_a_demo_is_kept(demo_house):
    demo_house.start("trickery")
    folders = list(demo_house.data.parent.glob("companion-demo-*"))
    assert len(folders) == 1
    assert demo_house.stop() == 0
    wait_until(lambda: not folders[0].exists(), "the data folder is gone")


def test_a_game_that_there_is_not_is_answered_with_those_there_are():
    done = subprocess.run(
        [sys.executable, "-m", "companion", "demo", "chess"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 1
    assert "There is no game called chess. Choose one of these: traitors, " in done.stderr


def test_every_taste_is_of_a_game_and_fits_its_set_up_and_taps():
    games = all_games()
    for name, taste in TASTES.items():
        game = games[name]
        assert {*taste.likes, *taste.notes} <= set(game.taps), name
        assert game.players[0] <= taste.players <= game.players[1]
    assert taste_of("anything").players == 4


def test_what_the_page_is_told_is_plain_text(watched):
    demo = watched("score_sheet")
    services, now = demo.services, demo.now
    services.tables.act(now.id, TABLE, Rename(Seat(1), "A & B"))
    said = {demo.goes_on()["said"] for _ in range(5)}
    assert "A & B taps “Write down”" in said
