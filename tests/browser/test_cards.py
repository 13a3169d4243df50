"""Cards to print: read back by a scanner, one sheet each, black on white, and no code for anybody who has none."""

from __future__ import annotations

import io
import re

import pytest
import zxingcpp
from PIL import Image

SHEETS = {"Show four cards on A4": 4, "Show one card on A6": 1, "Show number cards": 8, "Show stickers": 24}
A4, A6 = (595, 842), (298, 420)
"""In points."""


def pages_of(page) -> list[tuple[int, int]]:
    """The sizes of the sheets that this page is printed on."""
    page.emulate_media(media="null")
    pdf = page.pdf(prefer_css_page_size=True).decode("latin-1")
    return [tuple(round(float(side)) for side in size) for size in re.findall(r"/MediaBox \[0 0 (\S+) (\S+)\]", pdf)]


def scanned(page) -> set[str]:
    """What a phone reads from this sheet."""
    page.emulate_media(media="print")
    picture = Image.open(io.BytesIO(page.locator(".sheet").screenshot()))
    page.emulate_media(media="null")
    return {found.text for found in zxingcpp.read_barcodes(picture)}


@pytest.fixture
def card(windows, seated):
    """The page of a table's cards."""
    table = seated("score_sheet", players=2, start=False)
    page = windows.wide(device_scale_factor=2)
    page.goto(table.house.url + table.shared.path)
    page.locator("#drawer > summary").click()
    page.get_by_role("link", name="Print a table card").click()
    page.get_by_role("heading", name="Print cards").wait_for()
    return table, page


@pytest.mark.parametrize(("button", "many"), SHEETS.items())
def test_every_sheet_fits_on_one_page(card, accessible, button, many):
    _, page = card
    page.get_by_role("button", name=button).click()
    page.locator("[aria-pressed=true]").get_by_text(button).wait_for()
    assert page.locator(".sheet > *").count() == many
    assert pages_of(page) == [A6 if "A6" in button else A4]
    accessible(page)
    page.emulate_media(media="print")
    cut = "(one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1"
    assert page.evaluate(f"[...document.querySelectorAll('.sheet > *')].filter({cut}).length") == 0
    colours = "[...document.querySelectorAll('.sheet *:not(svg *)')].map((one) => getComputedStyle(one).color)"
    assert set(page.evaluate(colours)) == {"rgb(0, 0, 0)"}
    assert page.get_by_role("button").count() == 0


def test_the_card_of_a_table_leads_there_and_into_the_wifi(card):
    table, page = card
    page.get_by_label("Name of the Wi-Fi").fill("Villa; Süd")
    page.get_by_label("Password").fill("geheim")
    page.get_by_role("button", name="Show one card on A6").click()
    page.get_by_text("Join the Wi-Fi Villa; Süd: scan the small code.").wait_for()
    wifi, join = sorted(scanned(page))
    assert wifi == "WIFI:T:WPA;S:Villa\\; Süd;P:geheim;;"
    assert re.fullmatch(rf"http://\S+/t/{table.code}\?k=\S+", join)
    assert page.locator(".card-at").inner_text().strip().endswith(f"/{table.code}")
    assert page.locator(".card-how li").count() == 3
    # The next sheet keeps what was typed.
    page.get_by_role("button", name="Show four cards on A4").click()
    page.locator(".is-a4").wait_for()
    assert len(scanned(page)) == 2


def test_stickers_lead_to_the_house_and_to_no_table(card):
    table, page = card
    page.get_by_role("button", name="Show stickers").click()
    page.locator(".is-stickers").wait_for()
    (where,) = scanned(page)
    assert re.fullmatch(r"http://[^/]+/", where)
    assert table.code not in page.locator(".sheet").inner_text()


def test_the_card_of_the_house_tells_nobody_a_code(windows, seated, accessible):
    table = seated("score_sheet", players=2)
    phone = windows.phone()
    phone.goto(table.house.url)
    phone.get_by_role("link", name="Print cards").click()
    phone.get_by_role("heading", name="Print cards").wait_for()
    accessible(phone)
    assert table.code not in phone.content()
    for path in (table["Ann"].path, "/x/made.up.link"):
        assert table["Ann"].client.get(f"{path}/card").status_code in (403, 404)


def test_results_and_history_are_one_text_on_paper(windows, seated):
    """No buttons, no menus, black on white: as the cards are."""
    table = seated("score_sheet", players=2, rounds=1)
    table["Ann"].presses("Write down", points=5)
    table["Ben"].presses("Write down", points=3)
    page = windows.wide()
    for path in ("night", "history"):
        page.goto(f"{table.house.url}{table.shared.path}/{path}")
        page.emulate_media(media="print")
        assert page.locator("button:visible, a.button:visible, form:visible").count() == 0
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert pages_of(page)
