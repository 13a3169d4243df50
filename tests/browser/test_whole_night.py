"""A night in a real browser: phones move on by themselves, and everybody can see the results."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from test_evening import code_of, open_table, sit, write


def play_a_round(phones, *points: int) -> None:
    for phone, mine in zip(phones.values(), points, strict=True):
        write(phone, 1, mine)


def test_nobody_scans_twice_in_an_evening(windows, own_house, accessible):
    laptop = open_table(windows, own_house, **{"Number of rounds": "1"})
    phones = {name: sit(windows, own_house, laptop, name) for name in ("Ann", "Ben", "Cleo")}
    code = code_of(laptop)
    laptop.get_by_role("button", name="Start the game").click()
    play_a_round(phones, 5, 3, 1)
    expect(laptop.locator(".is-over .leader .big")).to_have_text("Ann")
    accessible(laptop)
    accessible(phones["Ann"])

    # Play again: every phone moves on by itself.
    laptop.get_by_role("button", name="Play again").click()
    for phone in phones.values():
        expect(phone.get_by_role("heading", name="You have a seat")).to_be_visible()
    assert code_of(laptop) == code
    laptop.get_by_role("button", name="Start the game").click()
    play_a_round(phones, 1, 2, 9)
    expect(laptop.locator(".is-over .leader .big")).to_have_text("Cleo")

    # Another game: every open page has its title and colours.
    laptop.get_by_role("link", name="Another game").click()
    accessible(laptop)
    laptop.get_by_role("button", name="Secret ballot").click()
    laptop.get_by_role("button", name="Open the table").click()
    for phone in phones.values():
        expect(phone.get_by_role("heading", name="Secret ballot")).to_be_visible()
    laptop.get_by_role("button", name="Start the game").click()
    phones["Ben"].get_by_label("Your word").fill("owl")
    phones["Ben"].get_by_role("button", name="DONE").click()
    expect(laptop.get_by_text("1 of 3 have answered")).to_be_visible()

    # The results so far, on a phone and on the laptop.
    for page in (phones["Ann"], laptop):
        page.locator("#drawer > summary").click()
        page.get_by_role("link", name="Tonight's results").last.click()
        expect(page.get_by_role("heading", name="Standings")).to_be_visible()
        expect(page.locator(".played", has_text="Cleo wins")).to_be_visible()
        accessible(page)
    laptop.get_by_role("link", name="See how it went").last.click()
    expect(laptop.get_by_text("Ann: 5 in round 1.")).to_be_visible()
    accessible(laptop)

    # The shelf shows the night, and the players of all nights.
    laptop.goto(own_house.url)
    accessible(laptop)
    laptop.get_by_role("link", name="Player statistics").click()
    expect(laptop.get_by_role("heading", name="Cleo")).to_be_visible()
    accessible(laptop)
    laptop.get_by_role("button", name="Turn statistics off").click()
    expect(laptop.get_by_text("Statistics are turned off.")).to_be_visible()


def test_a_night_without_scripts(windows, own_house):
    laptop = windows.wide(java_script_enabled=False)
    laptop.goto(f"{own_house.url}/new/score_sheet")
    laptop.get_by_label("Number of rounds").fill("1")
    laptop.get_by_role("button", name="Open the table").click()
    phones = {name: sit(windows, own_house, laptop, name, java_script_enabled=False) for name in ("Ann", "Ben")}
    laptop.get_by_role("button", name="Start the game").click()
    for phone, points in zip(phones.values(), (2, 1), strict=True):
        phone.get_by_role("link", name="Refresh").click()
        write(phone, 1, points)
    laptop.get_by_role("link", name="Refresh").click()
    laptop.get_by_role("button", name="Play again").click()
    expect(laptop.locator(".join-code")).to_be_visible()
    phones["Ann"].get_by_role("link", name="Refresh").click()
    expect(phones["Ann"].get_by_role("heading", name="You have a seat")).to_be_visible()


@pytest.mark.store("sqlite", "postgresql")
def test_the_host_deletes_a_night_and_open_phones_say_so(windows, own_house):
    laptop = open_table(windows, own_house, **{"Number of rounds": "1"})
    phones = {name: sit(windows, own_house, laptop, name) for name in ("Ann", "Ben")}
    laptop.get_by_role("button", name="Start the game").click()
    play_a_round(phones, 5, 3)
    laptop.get_by_role("link", name="Tonight's results").first.click()
    laptop.get_by_text("Delete this night").click()
    laptop.get_by_role("button", name="Yes, delete the whole night").click()
    expect(laptop.get_by_role("heading", name="What are you playing?")).to_be_visible()
    expect(laptop.get_by_text("Your nights")).to_have_count(0)
    for phone in phones.values():
        expect(phone.get_by_role("heading", name="This link doesn't work any more")).to_be_visible()
    assert b"Cleo" not in own_house.database_bytes()
    assert b"Ann" not in own_house.database_bytes()
