"""The picture of the night: drawn by us as SVG, made a PNG by the browser, and sent nowhere."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from here import ROOT
from playwright.sync_api import expect

from companion.testing import Table
from companion.web.night_picture import COLOURS, fit, width_of, wrapped

SVG = "{http://www.w3.org/2000/svg}"


def played(table: Table, *rounds: tuple[int, ...]) -> Table:
    """One game of the score sheet after the other."""
    for n, points in enumerate(rounds):
        if n:
            table.plays_again().starts()
        for seat, mine in zip(table, points, strict=True):
            assert seat.presses("Write down", points=mine).status == 200
    return table


def words(seat) -> list[str]:
    reply = seat.client.get(f"{seat.path}/night.svg")
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "image/svg+xml; charset=utf-8"
    return ["".join(one.itertext()) for one in ElementTree.fromstring(reply.text).iter(f"{SVG}text")]


def test_it_names_the_winner_the_games_the_best_moment_and_the_standing(seated):
    table = played(seated("score_sheet", players=3, rounds=1), (5, 3, 1), (1, 9, 2), (7, 2, 1))
    found = words(table.shared)
    assert found[:2] == ["Tonight's winner", "Ann"]
    assert found[found.index("Games won") :][1:7] == ["Ann", "2", "Ben", "1", "Cleo", "0"]
    assert found.count("Score sheet") == 3
    assert found[found.index("The best moment") :][1:4] == ["Best single round", "Ann", "7"]
    assert found[-1] == "Companion"


def test_everybody_who_may_read_the_night_has_it_and_nobody_else(seated):
    table = played(seated("score_sheet", players=2, rounds=1), (1, 2))
    assert words(table["Ann"]) == words(table.shared)
    page = table["Ann"].client.get(f"{table['Ann'].path}/night").text
    assert re.search(r'href="/s/[^"]+/night\.svg" data-picture="companion-night\.png"', page)
    forged = table.shared.path[:-3] + "abc"
    assert table.shared.client.get(f"{forged}/night.svg").status_code == 403


def test_two_winners_share_it(seated):
    table = played(seated("score_sheet", players=3, rounds=1), (5, 5, 1))
    found = words(table.shared)
    assert found[:2] == ["Tonight's winners", "Ann · Ben"]
    assert "Ann, Ben" in found


def test_before_anything_is_over_there_is_no_button_but_a_picture_all_the_same(seated):
    table = seated("score_sheet", players=2, rounds=2)
    assert "night.svg" not in table.shared.client.get(f"{table.shared.path}/night").text
    assert words(table.shared)[0] == "Tonight's results"


def test_it_changes_with_the_night(seated):
    table = played(seated("score_sheet", players=2, rounds=1), (1, 2))
    assert words(table.shared)[1] == "Ben"
    table.plays_again().starts()
    played(table, (9, 2))
    assert words(table.shared)[1] == "Ann · Ben"


def test_names_are_text_and_nothing_else(house):
    table = house.opens("score_sheet", rounds=1)
    table.sits("<b>&'\"")
    table.sits("Ben")
    played(table.starts(), (9, 1))
    assert "<b>&'\"" in words(table.shared)


def test_it_is_drawn_by_attributes_alone(seated):
    """A picture has no style sheet of ours, and the policy of our pages forbids styles inside."""
    table = played(seated("score_sheet", players=2, rounds=1), (1, 2))
    text = table.shared.client.get(f"{table.shared.path}/night.svg").text
    assert not re.search(r"<style|style=|<script|href=|url\((?!#)", text)


def test_its_colours_are_those_of_the_badges():
    css = (ROOT / "static" / "companion.css").read_text()
    assert tuple(re.search(rf"--c{n}: (#[0-9a-f]+)", css)[1] for n in range(10)) == COLOURS


@pytest.mark.parametrize("name", ["Ann", "Maximiliane-Theodora", "Ann · " * 20, "山田太郎" * 10, "👩‍👩‍👧" * 8])
def test_words_fit_their_line(name):
    line = fit(name, 128, 900)
    assert width_of(line.words, line.size) <= 900
    assert line.words == name or line.words.endswith("…")


def test_a_long_sentence_is_wrapped():
    lines = wrapped("The most coins that were ever in one chest " * 3, 40, 800)
    assert len(lines) > 1
    assert all(width_of(line, 40) <= 800 for line in lines)


@pytest.mark.parametrize("screen", ["phone", "laptop"])
def test_the_browser_makes_a_png_of_it(seated, windows, screen):
    from PIL import Image

    table = played(seated("score_sheet", players=3, rounds=1), (5, 3, 1))
    page = windows.phone() if screen == "phone" else windows.wide()
    seat = table["Ann"] if screen == "phone" else table.shared
    page.goto(f"{table.house.url}{seat.path}/night")
    page.locator("body:not([data-beat])").wait_for()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    with page.expect_download() as download:
        page.get_by_role("link", name="Picture of the night").first.click()
    assert download.value.suggested_filename == "companion-night.png"
    picture = Image.open(download.value.path())
    assert picture.format == "PNG"
    assert picture.width == 1080
    assert len(picture.convert("RGB").getcolors(1 << 24)) > 100  # something is on it
    white = sum(n for n, colour in picture.convert("RGB").getcolors(1 << 24) if min(colour) > 240)
    assert white > 2_000, "the words are drawn, too"
    assert set(sent) <= {"GET"}


def test_a_phone_that_can_share_is_asked_where_to(seated, windows):
    table = played(seated("score_sheet", players=2, rounds=1), (5, 3))
    page = windows.phone()
    page.add_init_script(
        """navigator.canShare = ({ files }) => files.length === 1;
        navigator.share = async ({ files }) => { document.title = `${files[0].name} ${files[0].type}`; };"""
    )
    page.goto(f"{table.house.url}{table['Ann'].path}/night")
    page.get_by_role("link", name="Picture of the night").click()
    expect(page).to_have_title("companion-night.png image/png")


def test_without_scripts_the_drawing_itself_opens(seated, windows):
    table = played(seated("score_sheet", players=2, rounds=1), (5, 3))
    page = windows.phone(java_script_enabled=False)
    page.goto(f"{table.house.url}{table['Ann'].path}/night")
    page.get_by_role("link", name="Picture of the night").click()
    expect(page).to_have_url(re.compile(r"/night\.svg$"))
