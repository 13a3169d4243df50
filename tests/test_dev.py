"""companion play --dev: for authors of games, on this machine only."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from here import PLUGIN, ROOT, python_path
from playwright.sync_api import Page, expect

from companion.testing import House, wait_until


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A game that somebody is writing, installed where Python finds it first."""
    return Path(shutil.copytree(PLUGIN, tmp_path / "site"))


@pytest.fixture
def dev_house(tmp_path: Path, site: Path) -> Iterator[House]:
    path = os.pathsep.join([str(site), str(ROOT)])
    house = House(tmp_path / "data", PYTHONPATH=path).start("--dev")
    yield house
    house.stop()


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    write(file, text.replace(old, new))


def write(file: Path, text: str) -> None:
    """Write atomically, so that nobody reads half a file."""
    new = next(one for one in file.parents if one.name == "site").with_name("new")
    new.write_text(text)
    new.replace(file)


def open_table(page: Page, house: House, players: int) -> None:
    page.goto(f"http://localhost:{house.port}/dev/")
    page.get_by_label("Game").select_option("secret_ballot")
    page.get_by_label("Players").fill(str(players))
    page.get_by_role("button", name="Open a table").click()


def test_all_screens_of_a_table_are_live_side_by_side(dev_house, windows):
    """A browser opens at most six connections per host name, so each seat has its own."""
    page = windows.wide()
    open_table(page, dev_house, 6)
    expect(page.locator("iframe")).to_have_count(7)
    seats = [page.frame_locator("iframe").nth(place) for place in range(1, 7)]
    for seat in seats:
        expect(seat.locator("#you form").first).to_be_visible()
    seats[5].get_by_role("button", name="Knock").first.click()
    for place in range(7):
        expect(page.frame_locator("iframe").nth(place).locator("#history")).to_contain_text("knocks")
    code = page.frame_locator("iframe").first.locator("#drawer .code").text_content()
    open_table(page, dev_house, 2)
    page.get_by_role("link", name=code).click()
    expect(page.locator("iframe")).to_have_count(7)


def test_templates_and_rules_are_reloaded_and_the_table_stays(dev_house, site, windows):
    page = windows.wide()
    open_table(page, dev_house, 2)
    ann, shared = page.frame_locator("iframe").nth(1), page.frame_locator("iframe").first
    code = shared.locator("#drawer .code").text_content()
    ann.get_by_role("button", name="Knock").first.click()
    expect(shared.locator("#history")).to_contain_text("knocks")
    with page.expect_event("load"):
        change(site / "secret_ballot/templates/secret_ballot/table.html", "<", "<p>Brand new words</p><")
    expect(shared.locator("#stage")).to_contain_text("Brand new words")
    with page.expect_event("load"):
        change(site / "secret_ballot/__init__.py", " knocks", " hammers")
    ann.get_by_role("button", name="Knock").first.click()
    expect(shared.locator("#history")).to_contain_text("hammers")
    expect(shared.locator("#history")).to_contain_text("knocks")  # the history keeps the old line
    assert shared.locator("#drawer .code").text_content() == code
    (site / "secret_ballot/static/secret_ballot").mkdir(parents=True)
    (site / "secret_ballot/static/secret_ballot/game.css").write_text(".game-secret_ballot h2 { color: rgb(1, 2, 3); }")
    expect(shared.locator("h2").first).to_have_css("color", "rgb(1, 2, 3)")


def test_a_misspelt_name_is_shown_with_its_file_and_line(dev_house, site, windows):
    page = windows.wide()
    open_table(page, dev_house, 2)
    seat = site / "secret_ballot/templates/secret_ballot/seat.html"
    fine = seat.read_text()
    write(seat, "<p>one</p>\n<p>{{ view.wrods }}</p>\n" + fine)
    ann = page.frame_locator("iframe").nth(1)
    expect(ann.locator("h1")).to_contain_text("secret_ballot/seat.html, line 2: UndefinedError")
    expect(ann.locator("h1")).to_contain_text("has no attribute 'wrods'")
    expect(ann.locator("pre")).to_contain_text("Traceback")
    write(seat, fine)
    expect(ann.get_by_role("button", name="Knock").first).to_be_visible()


def test_a_bug_in_a_rule_is_told_where_it_was_tapped(dev_house):
    table = dev_house.opens("secret_ballot")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    reply = table["Ann"].taps("Stumble")
    assert reply.status == 500
    assert "secret_ballot/__init__.py, line" in reply.message
    wait_until(lambda: "Traceback (most recent call last)" in dev_house.log.read_text(), "the log has it in full")


def test_a_game_that_breaks_is_shown_in_full_and_comes_back(dev_house, site, windows):
    page = windows.wide()
    page.goto(f"http://localhost:{dev_house.port}/dev/")
    rules = site / "secret_ballot/__init__.py"
    fine = rules.read_text()
    write(rules, fine + "\nnothing_of_that_name\n")
    expect(page.locator("h1")).to_contain_text("NameError")
    expect(page.locator("pre")).to_contain_text("Traceback")
    write(rules, fine)
    expect(page.locator("h1")).to_have_count(0)
    expect(page.get_by_label("Game")).to_contain_text("ballot")


def test_it_listens_on_this_machine_alone(dev_house):
    serving = psutil.Process(dev_house.process.pid).children()
    listening = [one.laddr.ip for child in serving for one in child.net_connections() if one.status == "LISTEN"]
    assert listening == ["127.0.0.1"]
    assert "only this machine can open them" in dev_house.greeting
    assert dev_house.visitor().get("/dev/", headers={"Host": "evil.example"}).status_code == 421


@pytest.mark.parametrize("option", ["--host=192.0.2.1", "--host=::", "--proxies=1"])
def test_it_is_refused_where_others_could_reach_it(option, tmp_path):
    found = subprocess.run(
        [sys.executable, "-m", "companion", "play", "--dev", option, f"--data-dir={tmp_path}"],
        env={**os.environ, "PYTHONPATH": python_path()}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 1
    assert "only serves this machine" in found.stderr


def test_it_is_never_the_default(house):
    client = house.visitor()
    assert client.get("/dev/").status_code == 404
    assert client.get("/dev/started").status_code == 404
    shelf = client.get("/")
    assert shelf.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in shelf.headers["Content-Security-Policy"]
    assert "dev.js" not in shelf.text
    assert client.post("/dev/", data={"game": "score_sheet"}).status_code == 404


def test_it_ends_when_its_parent_process_is_gone(tmp_path):
    house = House(tmp_path / "data").start("--dev")
    serving = psutil.Process(house.process.pid).children()
    house.kill()
    wait_until(lambda: not any(child.is_running() for child in serving), "the child has ended")
