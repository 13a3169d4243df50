"""The shelf and the pages around a game in a real browser: pictures, typeface, printing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

LOADED = "[...document.images].every((image) => image.complete && image.naturalWidth > 0)"
FONTS = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('.woff2')).map((one) => one.name.split('/').pop())"


def fonts_of(page: Page) -> list[str]:
    page.evaluate("document.fonts.ready")
    return sorted(page.evaluate(FONTS))


def test_every_game_is_seen_at_once_on_a_laptop(windows, house, accessible):
    page = windows.wide()
    page.goto(house.url)
    cards = page.locator(".game-card")
    expect(cards.first).to_be_visible()
    assert page.evaluate(LOADED)
    # Other people's games come after ours and may need a third row.
    for card in cards.all()[:6]:
        box = card.bounding_box()
        assert box["y"] + box["height"] <= 800
    accessible(page)
    page.hover(".game-risk")
    expect(page.locator(".game-risk .about")).to_be_in_viewport()
    accessible(page)


@pytest.mark.parametrize("width", [320, 390, 1024, 3840])
def test_the_shelf_fits_every_width_without_scripts(windows, house, width):
    page = windows._page(viewport={"width": width, "height": 844}, java_script_enabled=False)
    page.goto(house.url)
    for card in page.locator(".game-card").all():
        box = card.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    page.get_by_role("link", name="The Traitors").click()
    expect(page.get_by_role("heading", name="The Traitors")).to_be_visible()


def test_a_phone_loads_one_weight_of_the_typeface_and_the_stage_both(windows, house, seated):
    table = seated("score_sheet", players=2)
    phone, laptop = windows.phone(), windows.wide()
    phone.goto(house.url + table["Ann"].path)
    laptop.goto(house.url + table.shared.path)
    assert fonts_of(phone) == ["fraunces-600.woff2"]
    assert set(fonts_of(laptop)) == {"fraunces-600.woff2", "fraunces-900.woff2"}
    assert laptop.locator("link[rel=preload][as=font]").count() == 1
    assert phone.locator("link[rel=preload]").count() == 0


def test_results_are_printed_black_on_white(windows, house, seated):
    table = seated("score_sheet", players=2, rounds=1)
    table["Ann"].presses("Write down", points=5)
    table["Ben"].presses("Write down", points=3)
    paper = windows.wide()
    paper.goto(f"{house.url}{table.shared.path}/night")
    paper.emulate_media(media="print")
    colours = """[...document.querySelectorAll("main *")].filter((one) => one.checkVisibility() && one.innerText)
        .map((one) => getComputedStyle(one).color)"""
    assert set(paper.evaluate(colours)) <= {"rgb(0, 0, 0)", "rgb(51, 51, 51)"}
    assert paper.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert paper.locator("main a.button:visible, main button:visible, main .fold:visible").count() == 0
    expect(paper.get_by_text("Ann wins")).to_be_visible()
