"""S6: a second tap at the same place, 120 to 400 ms after the first, does nothing; in any game, on any screen.

Every button that a phase of an evening offers as its next step is tapped twice in a real browser, in real time; each kind
of them once, on the stage and on the acting phone.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest
from sealed_auction import GAME as SEALED_AUCTION
from selectolax.lexbor import LexborHTMLParser

from companion.games import GAMES as OURS
from companion.testing.evenings import SHORT_NAMES, evening_of
from companion.testing.showing import showing

GAMES = OURS | {SEALED_AUCTION.name: SEALED_AUCTION}
MAIN = ("#acts button", "#you .primary", "#you .is-now", "#you .hub", "#you .do button:not(.plain)")
PAUSES = (120, 180, 240, 320, 400)
SIZES = {"stage": (1280, 800), "phone": (390, 844)}
ARRIVED = """
    const wait = window.setTimeout;
    let arrives = true;
    window.setTimeout = (act, ms, ...more) => {
      const now = arrives && ms === 600;
      if (now) arrives = false;
      return wait(act, now ? 0 : ms, ...more);
    };
"""
"""People tap a page that they have seen for a while."""
FIND = """([main, id, label]) => {
    for (const fold of document.querySelectorAll("#you details, #acts details")) fold.open = true;
    const words = (one) => one.textContent.trim().replace(/\\s+/g, " ");
    const button = [...document.querySelectorAll(main)].find((one) =>
      one.form && (one.form.id || "") === id && words(one) === label && one.checkVisibility());
    if (!button) return null;
    for (const field of button.form.elements) {
      if (field.type === "radio" && !button.form.querySelector(`[name="${field.name}"]:checked`)) field.checked = true;
      if (field.type === "number" && field.value === "") field.value = field.min || "1";
      if (field.type === "text" && field.required && !field.value) field.value = "Something";
      if (field.tagName === "SELECT" && !field.value) field.selectedIndex = field.options.length - 1;
    }
    button.scrollIntoView({ block: "center" });
    const { left, top, width, height } = button.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
}"""
"""Fill in the form of a button, and return where to tap it."""


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    with showing(tmp_path_factory.mktemp("tapped"), GAMES) as shown:
        yield shown


def buttons(html: str):
    """Return the form's id, the label and the kind of every button that moves the game on."""
    for button in LexborHTMLParser(html).css(", ".join(MAIN)):
        form = button
        while form is not None and form.tag != "form":
            form = form.parent
        if form is None or button.attributes.get("type") == "button" or "disabled" in button.attributes:
            continue
        label, tap = " ".join(button.text().split()), form.css_first("[name=tap]")
        kind = (tap.attributes["value"] if tap else form.attributes["action"].rpartition("/")[2]) or ""
        yield form.attributes.get("id") or "", label, f"{kind} {without_names(label)}"


def without_names(label: str) -> str:
    return " ".join(re.sub(rf"\d+|\b({'|'.join(SHORT_NAMES)})\b", "", label).split())


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_S6_no_double_tap_makes_an_unintended_step(chromium, shown, game):
    sent: list[tuple[int, str]] = []
    pages = {}
    for kind, (width, height) in SIZES.items():
        page = pages[kind] = chromium.new_page(viewport={"width": width, "height": height}, has_touch=kind == "phone")
        page.add_init_script(ARRIVED)
        shown.serve(page)
        page.on("response", lambda r: r.request.method == "POST" and sent.append((r.status, r.request.post_data)))
    pauses, versions = itertools.cycle(PAUSES), itertools.count(100, 100)
    offered: set[str] = set()
    tapped: set[str] = set()
    missed: Counter[str] = Counter()
    for phase, (screen, page) in itertools.product(evening_of(game), pages.items()):
        if not phase.players or phase.room == "ended":
            continue
        seat = 0 if screen == "stage" else phase.acting
        shown.put(phase)
        for form, label, kind in buttons(shown.html(seat)):
            what = f"{screen}: {kind}"
            if what in tapped or missed[what] > 1:
                continue
            missed[what] += 1
            shown.put(phase, version=next(versions))
            page.goto(shown.address(seat), wait_until="domcontentloaded")
            page.locator("body:not([data-tap-fresh]):not([data-beat])").wait_for()
            if (at := page.evaluate(FIND, [", ".join(MAIN), form, label])) is None:
                continue  # it needs another choice first
            offered.add(what)
            tap = page.touchscreen.tap if screen == "phone" else page.mouse.click
            sent.clear()
            tap(*at)
            page.wait_for_timeout(next(pauses))
            tap(*at)
            page.wait_for_timeout(50)
            assert len(sent) < 2, f"{phase.name}, {what}: the second tap was sent, too: {sent}"
            if sent and sent[0][0] < 300:
                tapped.add(what)
    for page in pages.values():
        page.close()
    assert len(tapped) >= 0.6 * len(offered) > 0, f"these were never accepted: {sorted(offered - tapped)}"
