"""What phones bring along: old browsers, home screens, screens that stay awake."""

from __future__ import annotations

import io
import re

import httpx
import pytest
from here import ROOT
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Page, expect
from test_https import SafeHouse

STATIC = ROOT / "static"
TOO_NEW = "const screen = old?.browser ??= 1 <<< ;"
"""A script that this browser cannot read, as an old one cannot read ours."""


def without_live_script(page: Page) -> Page:
    page.route("**/companion.js", lambda route: route.fulfill(body=TOO_NEW, content_type="text/javascript"))
    return page


def test_a_browser_too_old_for_the_live_script_gets_a_button_in_plain_sight(windows, seated, accessible):
    table = seated("score_sheet", players=2, mode="running")
    phone, laptop = without_live_script(windows.phone()), without_live_script(windows.wide())
    phone.goto(table.house.url + table["Ann"].path)
    button = phone.get_by_role("link", name="Refresh")
    expect(button).to_be_in_viewport()
    assert button.bounding_box()["height"] >= 48
    accessible(phone)
    table["Ben"].presses("Write down", points=41)
    button.click()
    expect(phone.locator("#table").get_by_text("41").first).to_be_visible()
    # Forms work without any script.
    phone.get_by_label("Points to add").fill("7")
    phone.get_by_role("button", name="Write down").first.click()
    expect(phone.get_by_text("7 so far")).to_be_visible()
    laptop.goto(table.house.url + table.shared.path)
    expect(laptop.get_by_role("link", name="Refresh")).to_be_in_viewport()
    windows.complaints.clear()  # it says that it cannot read our script


def test_with_the_live_script_there_is_no_such_button(windows, seated):
    table = seated("score_sheet", players=2)
    for page, path in ((windows.phone(), table["Ann"].path), (windows.wide(), table.shared.path)):
        page.goto(table.house.url + path)
        expect(page.locator("html.is-live")).to_have_count(1)
        expect(page.locator(".refresh")).to_be_hidden()


def test_without_scripts_the_button_is_there_too(windows, seated):
    table = seated("score_sheet", players=2)
    page = windows.phone(java_script_enabled=False)
    page.goto(table.house.url + table["Ann"].path)
    expect(page.get_by_role("link", name="Refresh")).to_be_in_viewport()


CHOICES = {
    "": '<div class="badges"><label class="badge b1"><input type="radio" name="n"><i class="sym"></i></label></div>',
    "(a choice)": '<label class="choice"><input type="radio" name="n"> <span>One</span></label>',
    "traitors": '<div class="setup"><label class="key"><input type="radio" name="n"> <span class="key-face">A</span></label></div>',
    "risk": '<label class="target"><input type="radio" name="n"> 3</label>',
    "score_sheet": '<div class="pick"><label class="row"><input type="radio" name="n"> <span>Towns</span></label></div>',
    "trickery": '<div class="societies"><label class="choice x"><input type="radio" name="n"> <i class="emblem"></i> <span>Owls</span></label></div>',
    "faster_than_truth": '<div class="kinds"><label class="kind choice"><input type="radio" name="n"> <span>Crown</span></label></div>',
}


@pytest.mark.parametrize("game", CHOICES)
@pytest.mark.parametrize("lacks", [("color-mix(",), (":has(", "color-mix(")])
def test_a_choice_is_seen_without_has_and_color_mix(windows, game, lacks):
    css = (STATIC / "companion.css").read_text() + (STATIC / "phone.css").read_text()
    if (STATIC / game / "game.css").is_file() and game:
        css += (STATIC / game / "game.css").read_text()
    for word in lacks:
        css = css.replace(word, "unknown-" + word if word[0] != ":" else ":unknown(")
    page = windows.phone()
    page.set_content(f'<style>{css}</style><body class="phone game-{game}"><main class="now">{CHOICES[game]}</main>')
    before = page.locator("main").screenshot()
    page.locator("input").check(force=True)
    page.evaluate("document.activeElement.blur()")
    after = page.locator("main").screenshot()
    pictures = [Image.open(io.BytesIO(one)).convert("L") for one in (before, after)]
    changed = ImageChops.difference(*pictures).point(lambda light: 255 if light > 40 else 0)
    assert ImageStat.Stat(changed).sum[0] / 255 > 40, "nobody sees what is chosen"


def test_a_phone_that_plays_stays_awake_over_https(windows, tmp_path):
    """Browsers allow it there only; on plain http nothing is tried, and nothing complains."""
    asks = "window.asked = 0; Object.defineProperty(navigator, 'wakeLock', {value: {request: async () => { window.asked += 1; return {released: false, release() { this.released = true; }}; }}});"
    house = SafeHouse(tmp_path / "data", COMPANION_TRIES="1000000")
    house.start("--https")
    try:
        table = house.opens("score_sheet", mode="running")
        ann = table.sits("Ann")
        table.sits("Ben")
        page = windows.phone(ignore_https_errors=True)
        page.add_init_script(asks)
        page.goto(house.url + ann.path)
        expect(page.locator("html.is-live")).to_have_count(1)
        assert page.evaluate("isSecureContext && window.asked") == 0
        table.starts()
        page.wait_for_function("window.asked === 1")
        assert ann.presses("Write down", points=31).status == 200
        expect(page.get_by_text("31 so far")).to_be_visible()  # live, over TLS
        assert page.evaluate("window.asked") == 1
    finally:
        house.kill()


def test_icons_and_manifest_are_there(house, windows):
    page = httpx.get(house.url).text
    assert re.search(r'<meta name="description" content="[^"]{20,}">', page)
    for path in ("/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"):
        reply = httpx.get(house.url + path, follow_redirects=True)
        assert (reply.status_code, reply.headers["content-type"]) == (200, "image/png")
    manifest = httpx.get(house.url + re.search(r'rel="manifest" href="([^"]+)"', page)[1])
    assert manifest.headers["content-type"] == "application/manifest+json"
    about = manifest.json()
    assert (about["name"], about["display"], about["scope"]) == ("Companion", "standalone", "/")
    assert "start_url" not in about  # the page that was added is the one that opens
    for icon in about["icons"]:
        assert httpx.get(house.url + icon["src"]).status_code == 200
    touch = re.search(r'rel="apple-touch-icon" href="([^"]+)"', page)[1]
    assert Image.open(io.BytesIO(httpx.get(house.url + touch).content)).size == (180, 180)


@pytest.mark.parametrize(("name", "size", "part"), [("favicon", 32, 1), ("touch", 180, 1), ("512", 512, 0.86)])
def test_the_icons_are_drawn_from_the_drawing_as_it_is(windows, name, size, part):
    """If this fails: `make icons`."""
    page = windows._page(viewport={"width": size, "height": size})
    edge, drawing = size * (1 - part) / 2, (STATIC / "icon.svg").read_text()
    page.set_content(
        f"<style>body {{ margin: 0; background: #1b1916 }} svg {{ position: absolute; left: {edge}px; top: {edge}px; width: {size * part}px }}</style>{drawing}"
    )
    fresh = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    stored = Image.open(STATIC / "icons" / f"{name}.png").convert("RGB")
    assert stored.size == fresh.size
    assert max(ImageStat.Stat(ImageChops.difference(stored, fresh)).mean) < 4


def test_the_home_screen_is_no_matter_during_a_game(tmp_path):
    from companion.testing import House

    house = House(tmp_path / "data").start("--address", "127.0.0.1")
    try:
        table = house.opens("score_sheet", rounds=1)
        ann, ben = table.sits("Ann"), table.sits("Ben")
        table.starts()
        hint = "Add this page to your home screen"
        night = lambda who: who.client.get(f"{who.path}/night").text  # noqa: E731
        assert hint not in night(ann)
        ann.presses("Write down", points=5)
        ben.presses("Write down", points=3)
        assert hint in night(ann)
        assert hint not in night(table.shared)
    finally:
        house.kill()


def test_nobody_is_told_to_keep_an_address_that_does_not_last(seated):
    table = seated("score_sheet", players=2, rounds=1)
    for who in table:
        who.presses("Write down", points=5)
    assert "home screen" not in table["Ann"].client.get(f"{table['Ann'].path}/night").text
