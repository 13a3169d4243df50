"""S10: if a tap can't be sent, the page says so, and sends it once when the connection is back."""

from __future__ import annotations

from playwright.sync_api import Page, expect

WORDS = "Not sent yet. It goes out by itself when you're connected again."


def phone_of(windows, somebody) -> Page:
    page = windows.phone()
    page.goto(f"{somebody.house.url}{somebody.path}")
    return page


def write(phone: Page, points: str) -> None:
    phone.locator("#you input[name=points]").fill(points)
    phone.get_by_role("button", name="Write down").click()


def test_S10_a_tap_without_a_connection_goes_out_once_when_it_is_back(windows, seated):
    table = seated("score_sheet", players=2, rounds="3")
    ann = phone_of(windows, table["Ann"])
    ann.context.set_offline(True)
    write(ann, "7")
    expect(ann.locator("#wire")).to_have_text(WORDS)
    expect(ann.locator("#you form[data-tap-unsent]")).to_have_attribute("data-tap-unsent", WORDS)
    ann.context.set_offline(False)
    expect(ann.get_by_role("heading", name="7 written")).to_be_visible()
    expect(ann.locator("#wire")).to_have_text("")
    expect(ann.locator("[data-tap-unsent]")).to_have_count(0)
    assert [line for line in table.shared.lines() if "Ann: 7" in line] == ["Ann: 7 in round 1."]


def test_S10_what_the_table_has_gone_on_from_is_not_sent(windows, seated):
    table = seated("score_sheet", players=2, rounds="3")
    ann = phone_of(windows, table["Ann"])
    ann.context.set_offline(True)
    write(ann, "7")
    expect(ann.locator("#wire")).to_have_text(WORDS)
    table["Ben"].presses("Write down", points=4)
    table.shared.presses("Close this round now")
    ann.context.set_offline(False)
    expect(ann.locator("#message")).to_have_text("The game has moved on since then. Please tap again.")
    assert not [line for line in table.shared.lines() if "Ann: 7" in line]
