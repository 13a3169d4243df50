"""The ring of chairs in a real browser: by pointer, by touch, by keyboard and without scripts; and claiming a seat."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from companion.testing.windows import assert_accessible


def is_order(page: Page, *names: str) -> None:
    expect(page.locator("[data-place] .grip")).to_have_text(list(names))


def drags(page: Page, name: str, onto: str) -> None:
    page.locator(".grip", has_text=name).hover()
    page.mouse.down()
    page.mouse.move(300, 300, steps=3)
    page.locator("[data-place], [data-gap]", has_text=onto).locator(".sym").last.hover()
    page.mouse.up()


def touches(page: Page, name: str, onto: str) -> None:
    """Drag one finger from here to there."""
    finger = page.context.new_cdp_session(page)
    start, end = (page.locator(".grip", has_text=one).bounding_box() for one in (name, onto))
    ends = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2} for box in (start, end)]
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [ends[0]]})
    for share in (0.2, 0.6, 1):
        at = {key: ends[0][key] + (ends[1][key] - ends[0][key]) * share for key in "xy"}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_N1_the_shared_screen_moves_people_by_pointer_and_by_keyboard(seated, windows):
    table = seated("score_sheet", players=4, start=False)
    page = windows.wide()
    page.goto(f"{table.house.url}{table.shared.path}")
    is_order(page, "Ann", "Ben", "Cleo", "Dan")
    assert_accessible(page)
    drags(page, "Dan", onto="Ben")
    is_order(page, "Ann", "Dan", "Ben", "Cleo")
    expect(page.locator("#drawer")).not_to_have_attribute("open", "")
    expect(page.locator("#acts")).to_contain_text("clockwise")
    drags(page, "Ann", onto="free")
    is_order(page, "Dan", "Ben", "Cleo", "Ann")
    # Three quick key presses move three chairs, and the chair keeps the focus.
    page.locator(".grip", has_text="Dan").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    is_order(page, "Ben", "Cleo", "Ann", "Dan")
    page.keyboard.press("ArrowLeft")
    is_order(page, "Ben", "Cleo", "Dan", "Ann")
    expect(page.locator(".grip", has_text="Dan")).to_be_focused()
    # A click is not a drag: it opens that person's menu.
    page.locator(".grip", has_text="Ben").click()
    expect(page.get_by_role("button", name="Rename").first).to_be_visible()


def test_N1_the_host_s_phone_moves_people_by_touch(seated, windows):
    table = seated("score_sheet", players=4, start=False)
    page = windows.phone()
    page.goto(f"{table.house.url}{table['Ann'].path}")
    # Somebody who becomes host while the page is open can drag right away.
    table.shared.taps("GiveHost", seat=table["Ann"].seat)
    expect(page.locator("a.grip")).to_have_count(4)
    page.wait_for_function("performance.getEntriesByType('resource').some((one) => one.name.includes('chairs'))")
    is_order(page, "Ann", "Ben", "Cleo", "Dan")
    touches(page, "Dan", onto="Ben")
    is_order(page, "Ann", "Dan", "Ben", "Cleo")
    assert_accessible(page)
    page.get_by_role("button", name="Sit between Ben and Cleo").click()
    is_order(page, "Dan", "Ben", "Ann", "Cleo")


def test_N1_without_scripts_a_form_and_buttons_do_the_same(seated, windows):
    table = seated("score_sheet", players=4, start=False)
    page = windows.wide(java_script_enabled=False)
    page.goto(f"{table.house.url}{table.shared.path}")
    page.locator("#drawer > summary").click()
    page.get_by_text("Change chairs").click()
    page.locator("select[name=seat]").select_option("Dan")
    page.locator("select[name=place]").select_option("1")
    page.get_by_role("button", name="Move", exact=True).click()
    is_order(page, "Dan", "Ann", "Ben", "Cleo")
    phone = windows.phone(java_script_enabled=False)
    phone.goto(f"{table.house.url}{table['Cleo'].path}")
    phone.get_by_role("button", name="Sit between Dan and Ann").click()
    is_order(phone, "Dan", "Cleo", "Ann", "Ben")


def test_N5_a_claim_waits_without_scripts_and_is_seen_by_everybody_it_concerns(seated, windows):
    table = seated("score_sheet", players=3)
    claimer = windows.phone(java_script_enabled=False)
    claimer.goto(f"{table.house.url}/{table.code.lower()}")
    claimer.get_by_role("button", name="That's me: Ann").click()
    expect(claimer.get_by_role("status")).to_contain_text("Then your seat moves to this phone.")
    shared, own = windows.wide(), windows.phone()
    for address in (f"{table.house.url}/t/{table.code}", claimer.url):
        own.goto(address)
        assert_accessible(own)
    shared.goto(f"{table.house.url}{table.shared.path}")
    own.goto(f"{table.house.url}{table['Ann'].path}")
    expect(own.locator("#you")).to_contain_text("Somebody on another phone says they are you.")
    expect(shared.locator("#acts .nod")).to_be_in_viewport(ratio=1)
    assert_accessible(own)
    assert_accessible(shared)
    shared.get_by_role("button", name="Yes, it is").click()
    # The page reloads itself.
    expect(claimer.locator("#you")).to_be_visible(timeout=15_000)
    expect(own.get_by_role("heading")).to_contain_text("link")
