"""All screens of a table play a moment together, with or without reduced motion and sound."""

from __future__ import annotations

from playwright.sync_api import Page, expect

NOTES = """
document.beats = [];
document.addEventListener("companion:beat", ({ detail }) => {
  const curtain = document.querySelector(".curtain");
  const told = document.querySelector("#stage .big, #you h1, #you h2");
  document.beats.push([detail.beat, performance.timeOrigin + performance.now(), told.checkVisibility({ visibilityProperty: true }) && (!curtain || getComputedStyle(curtain).opacity !== "1")]);
});
"""


def beats(page: Page) -> dict[str, tuple[float, bool]]:
    page.locator("body:not([data-beat])").wait_for()
    return {beat: (at, seen) for beat, at, seen in page.evaluate("document.beats")}


def test_no_screen_tells_an_event_before_another_one(seated, windows):
    table = seated("traitors", players=4)
    assert table.shared.presses("We're ready").status == 200
    laptop, still = windows.wide(), windows.wide(reduced_motion="reduce")
    phones = {name: windows.phone(reduced_motion="reduce" if name == "Ben" else None) for name in ("Ann", "Ben")}
    for page, path in (
        (laptop, table.shared.path), (still, table.shared.path), *((phones[n], table[n].path) for n in phones)
    ):  # fmt: skip
        page.add_init_script(NOTES)
        page.goto(table.house.url + path)
        page.locator("body:not(.offline)").wait_for()
    for page in (laptop, still, *phones.values()):
        expect(page.locator("body")).not_to_have_attribute("data-beat", "curtain")
    assert table["Cleo"].presses("EVENT").status == 200
    for page in (laptop, still, *phones.values()):
        page.locator("body[data-beat=reveal]").wait_for()
    told = [beats(page) for page in (laptop, still, *phones.values())]
    for one in told:
        assert [*one] == ["curtain", "hold", "reveal", "rest"]
        assert not one["curtain"][1], "the answer is seen in the dark"
        assert one["rest"][1]
    # No screen shows the answer while another is still dark.
    assert min(one["reveal"][0] for one in told) > max(one["curtain"][0] for one in told)
    for one in told:
        lasts = one["reveal"][0] - one["curtain"][0]
        assert abs(lasts - (told[0]["reveal"][0] - told[0]["curtain"][0])) < lasts / 2


def test_a_screen_that_is_opened_during_a_moment_is_at_rest(seated, windows):
    table = seated("traitors", players=4)
    assert table.shared.presses("We're ready").status == 200
    assert table["Cleo"].presses("EVENT").status == 200
    late = windows.wide()
    late.goto(table.house.url + table.shared.path)
    expect(late.locator("#stage .big").first).to_be_visible()
    assert late.locator("body[data-beat]").count() == 0
