"""A browser keeps no trace of a ballot: no address, no history entry, nothing behind Back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error, Page, expect
from traitors_browsers import CALM, ballot, press
from traitors_http_talk import in_murder, opened

from companion.testing import House, Table

SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["scripts on", "scripts off"])


def trail(page: Page, table: Table) -> list[str]:
    """The addresses and titles in this window's history up to the current page, without seat links."""
    devtools = page.context.new_cdp_session(page)
    history = devtools.send("Page.getNavigationHistory")
    devtools.detach()
    entries = history["entries"][: history["currentIndex"] + 1]
    return [f"{plainly(entry['url'], table)} {plainly(entry['title'], table)}" for entry in entries]


def plainly(text: str, table: Table) -> str:
    for name, seated in table.people.items():
        text = text.replace(seated.path, "/seat").replace(name, "NAME")
    return text.replace(table.shared.path, "/screen").replace(table.code, "CODE")


def remembered(page: Page) -> str:
    """The HTML of this page, and what is chosen or typed in it."""
    chosen = page.locator("input:checked")
    return page.content() if not chosen.count() else f"CHOSEN {chosen.first.input_value()}"


def on_a_phone(house: House, windows, scripts: bool, choice: str) -> tuple[list[str], list[str], str]:
    table = in_murder(house)
    page = windows.phone(java_script_enabled=scripts, **CALM)
    page.goto(f"{house.url}/help/traitors")
    page.goto(house.url + table["Ann"].path)
    before = trail(page, table)
    ballot(page, choice, "DONE")
    expect(page.get_by_role("heading", name="Your answer is in")).to_be_visible()
    assert page.url == house.url + table["Ann"].path
    after = trail(page, table)
    assert goes_back(page)
    assert "CHOSEN" not in remembered(page)
    page.go_forward()
    expect(page.get_by_role("heading", name="Your answer is in")).to_be_visible()
    assert "CHOSEN" not in remembered(page)
    return before, after, plainly(page.locator("#you").inner_html(), table)


@SCRIPTS
def test_a_ballot_leaves_no_trace_on_a_phone(house, windows, scripts):
    faithful = on_a_phone(house, windows, scripts, "F")
    before, after, _ = faithful
    # No new history entry. Without scripts, every choice adds the same entry: the address of the seat.
    assert after == (before if scripts else [*before, before[-1]])
    for number in ("2", "5"):
        assert on_a_phone(house, windows, scripts, number) == faithful


def on_a_passed_screen(house: House, windows, scripts: bool, choice: str) -> tuple[list[str], list[str]]:
    table = opened(house, "murder", 4, phones=0)
    table.shared.presses("EVENT", drawer=1)
    page = windows.wide(java_script_enabled=scripts, **CALM)
    page.goto(house.url + table.shared.path)
    page.get_by_role("link", name="Hand over the screen").click()
    press(page, "I'm Ann")
    expect(page.locator(".ballot")).to_be_visible()
    before = trail(page, table)
    ballot(page, choice, "DONE")
    expect(page.get_by_role("heading", name="Hand over the screen")).to_be_visible()
    after = trail(page, table)
    # Back leads to covers, never to a ballot or a choice.
    for _ in range(len(after) - 2):
        if not goes_back(page):
            break
        assert "CHOSEN" not in remembered(page)
        expect(page.locator(".ballot")).to_have_count(0)
    return before, after


def goes_back(page: Page) -> bool:
    """Go back. False if the browser would send the form again, which only opens a cover."""
    try:
        page.go_back()
    except Error as nothing_kept:
        assert "ERR_CACHE_MISS" in str(nothing_kept)
        return False
    return True


@SCRIPTS
def test_a_ballot_leaves_no_trace_on_a_screen_that_is_passed_on(house, windows, scripts):
    faithful = on_a_passed_screen(house, windows, scripts, "F")
    if scripts:  # each cover replaces the last one; its address only says who has held the screen
        assert faithful[1] == [*faithful[0][:-1], faithful[0][-1].replace("/pass ", "/pass?held=1 ")]
    for number in ("2", "4"):
        assert on_a_passed_screen(house, windows, scripts, number) == faithful
