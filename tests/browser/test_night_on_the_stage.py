"""The results of a night on the shared screen: the winner is a moment, and then a picture."""

from __future__ import annotations

from playwright.sync_api import expect


def test_the_winner_of_the_night_is_a_moment_on_the_stage_once(seated, windows):
    table = seated("score_sheet", players=3, rounds=1)
    for points in ((5, 3, 1), (7, 2, 1)):
        for name, n in zip(("Ann", "Ben", "Cleo"), points, strict=True):
            assert table[name].presses("Write down", points=n).status == 200
        table.plays_again().starts()
    laptop = windows.wide()
    laptop.goto(f"{table.house.url}{table.shared.path}/night")
    laptop.locator("body[data-beat=hold]").wait_for()
    expect(laptop.locator(".night-stage .lead")).to_have_text("Tonight's winner")
    laptop.locator("body:not([data-beat])").wait_for()
    expect(laptop.locator(".night-stage .big")).to_have_text("Ann")
    expect(laptop.locator(".leaders .wins").first).to_have_text("2")
    assert laptop.locator(".race path").count() == 3
    laptop.reload()
    expect(laptop.locator(".night-stage .big")).to_be_visible()
    assert laptop.locator("body[data-beat]").count() == 0
    phone = windows.phone()
    phone.goto(f"{table.house.url}{table['Ann'].path}/night")
    expect(phone.get_by_role("heading", name="Standings")).to_be_visible()
    assert phone.locator(".night-stage").count() == 0
