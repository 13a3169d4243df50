"""The pages around a night in a real browser: going on, sitting out, charts, players."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from companion.testing import Table

NAMES = ("Ann", "Ben", "Cleo", "Maximiliane Schmidt", "Eve", "Fay")
LARGE = "document.documentElement.style.fontSize = '200%'"


def six_have_played(house) -> Table:
    table = house.opens("score_sheet", rounds=3)
    for name in NAMES:
        table.sits(name)
    table.starts()
    for n in range(3):
        for seat in table:
            assert seat.presses("Write down", points=(seat.seat * 7 + n * 5) % 11 - 2).status == 200
    return table


def same_browser(page: Page, table: Table) -> Page:
    jar = table.shared.client.cookies.jar
    page.context.add_cookies([{"name": one.name, "value": one.value, "url": table.house.url} for one in jar])
    return page


def test_N3_the_host_says_who_sits_out_without_scripts(house, windows):
    table = six_have_played(house)
    laptop = same_browser(windows.wide(java_script_enabled=False), table)
    laptop.goto(house.url)
    laptop.get_by_role("link", name="Risk: Peaky Blinders").click()
    laptop.get_by_role("link", name="Play on with them").click()
    expect(laptop.get_by_text("At most 5 can play, and there are 6 of you. Choose who sits out.")).to_be_visible()
    laptop.get_by_role("checkbox", name="Fay").uncheck()
    laptop.get_by_role("button", name="Open the table").click()
    expect(laptop.get_by_text("5 players so far")).to_be_visible()
    phone = windows.phone(java_script_enabled=False)
    phone.goto(house.url + table["Fay"].path)
    expect(phone.get_by_role("heading", name="You're sitting this one out")).to_be_visible()


def test_N9_the_pages_of_a_night_are_readable_on_a_narrow_phone_and_with_large_letters(house, windows, accessible):
    table = six_have_played(house)
    past = table.shared.reads("night").html.split("/night/")[1].partition('"')[0]
    pages = (
        "/new/risk",
        "/players",
        *(f"{table.shared.path}/{page}" for page in ("next", "next/trickery", "night")),
    )
    narrow = same_browser(windows._page(viewport={"width": 320, "height": 640}, is_mobile=True, has_touch=True), table)
    for path in (*pages, f"{table['Ann'].path}/night/{past}"):
        narrow.goto(house.url + path)
        narrow.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
        accessible(narrow)
        narrow.evaluate(LARGE)
        assert narrow.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), path
    # Six small charts instead of one, and all text in them is large enough.
    narrow.reload()
    assert narrow.locator(".panels svg").count() == 6
    sizes = narrow.evaluate("""[...document.querySelectorAll('.panels svg text')].map((text) =>
        parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getBoundingClientRect().width
        / text.ownerSVGElement.viewBox.baseVal.width)""")
    assert min(sizes) >= 10
    # A phone opens BG Stats; a laptop says where that works.
    expect(narrow.get_by_role("link", name="Open in BG Stats")).to_be_visible()
    laptop = windows.wide()
    laptop.goto(narrow.url)
    expect(laptop.get_by_role("link", name="Open in BG Stats")).to_be_hidden()
    expect(laptop.get_by_text("To add this play to BG Stats")).to_be_visible()
    accessible(laptop)
