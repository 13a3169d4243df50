"""Problems from real evenings (PLAYTEST), on the house's own screens."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from sealed_auction import GAME as SEALED_AUCTION
from selectolax.lexbor import LexborHTMLParser

from companion.games import GAMES as OURS
from companion.testing.evenings import SHORT_NAMES, evening_of
from companion.testing.forms import first, text_of
from companion.testing.showing import showing

GAMES = OURS | {SEALED_AUCTION.name: SEALED_AUCTION}
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    with showing(tmp_path_factory.mktemp("played"), GAMES) as shown:
        yield shown


def test_S8_a_phone_that_waits_says_for_whom(shown):
    looked = 0
    for phase in evening_of(SEALED_AUCTION):
        waiting = phase.game.choosing(phase.state) if phase.state is not None and phase.room == "playing" else ()
        shown.put(phase)
        for seat in range(1, phase.players + 1) if waiting else ():
            if seat not in waiting:
                words = text_of(first(shown.html(seat), "#you").html or "")
                assert all(SHORT_NAMES[one - 1] in words for one in waiting), f"{phase.name}: {words}"
                looked += 1
    assert looked > 3


def test_S12_folds_that_were_open_in_the_lobby_close_when_the_game_starts(windows, seated):
    table = seated("score_sheet", players=2, start=False)
    laptop = windows.wide()
    laptop.goto(f"{table.house.url}{table.shared.path}")
    laptop.locator("#drawer > summary").click()
    laptop.locator(".host-people summary").first.click()
    expect(laptop.locator("details[open]")).to_have_count(2)
    table.starts()
    expect(laptop.locator("#stage .gathering")).to_have_count(0)
    expect(laptop.locator("details[open]")).to_have_count(0)


def test_what_cannot_be_undone_asks_once_and_moves_nothing(windows, seated):
    table = seated("score_sheet", players=3)
    laptop = windows.wide()
    laptop.goto(f"{table.house.url}{table.shared.path}")
    laptop.locator("[data-person='3']").first.click()
    places = (
        "[...document.querySelectorAll('#drawer summary')].map((one) => Math.round(one.getBoundingClientRect().top))"
    )
    before = laptop.evaluate(places)
    remove = laptop.locator("#fold-person-3 .ask")
    remove.locator("summary").click()
    expect(remove.get_by_text("Remove Cleo for good?")).to_be_visible()
    assert laptop.evaluate(places) == before
    assert "Cleo leaves the table." not in table.shared.lines()
    remove.get_by_role("button").click()
    expect(laptop.locator("#fold-person-3")).to_have_count(0)
    assert "Cleo leaves the table." in table.shared.lines()


def test_S16_a_neighbour_does_not_read_from_a_key_that_it_is_chosen(windows, shown):
    phase = next(one for one in evening_of(GAMES["traitors"]) if one.name == "vote, nobody has voted")
    shown.put(phase)
    phone = windows.phone()
    shown.serve(phone)
    phone.goto(shown.address(phase.acting))
    looks = """() => [...document.querySelectorAll("#you .ballot input[type=radio] + *")].map((key) => {
        const { backgroundColor, color, fontSize } = getComputedStyle(key);
        return [backgroundColor, color, fontSize].join();
    })"""
    before = phone.evaluate(looks)
    phone.locator("#you .ballot input[type=radio]").first.check(force=True)
    assert before
    assert phone.evaluate(looks) == before


def test_S17_pages_of_the_house_fit_a_narrow_phone_with_large_letters(windows, seated):
    table = seated("score_sheet", players=3)
    house, ann = table.house, table["Ann"]
    page = windows.phone()
    page.set_viewport_size({"width": 320, "height": 640})
    paths = [
        "/",
        "/new/score_sheet",
        "/help/score_sheet",
        f"/t/{table.code}",
        f"{ann.path}/history",
        f"{ann.path}/night",
    ]
    for path in [*paths, f"{table.shared.path}/phones", f"{table.shared.path}/renew"]:
        page.goto(f"{house.url}{path}")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(TOO_WIDE) <= 1, path
        small = "input:not([type=radio], [type=checkbox], [type=hidden]), select"
        sizes = page.locator(small).evaluate_all(
            "(all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
        )
        assert all(size >= 16 for size in sizes), path


def test_S17_a_number_that_may_be_negative_has_a_keyboard_with_a_minus(shown):
    for game in GAMES.values():
        for phase in evening_of(game)[2:]:
            shown.put(phase, host=phase.acting)
            for field in LexborHTMLParser(shown.html(phase.acting)).css("[inputmode=numeric]"):
                least = field.attributes.get("min")
                assert least is not None, f"{game.name}, {phase.name}: {field.html}"
                assert int(least) >= 0, f"{game.name}, {phase.name}: {field.html}"
