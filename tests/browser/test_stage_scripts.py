"""Sound, narrator, keys and the drawer of the shared screen, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from small_pages import BEGAN, beats, brings, moment, show

KINDS = (
    "murder", "banishment", "final", "quiet", "marked", "nobody", "shield", "murdered", "banished", "faithful", "traitor",
    "vote", "deciding", "tied", "survivor", "fund", "challenge", "true", "gamble", "five", "chest", "switch", "battle",
    "crown", "lastroll", "eliminated", "shuffle", "scene", "winner", "night", "gold",
)  # fmt: skip

COUNTS = """
    window.made = { audio: 0, locks: [], said: [] };
    window.AudioContext = class extends window.AudioContext { constructor() { super(); window.made.audio += 1; } };
    navigator.wakeLock.request = async (kind) => {
      const lock = { kind, released: false };
      window.made.locks.push(lock);
      return lock;
    };
    speechSynthesis.speak = (words) => { window.made.said.push([words.text, words.lang, words.volume]); };
"""
LACKS = """
    delete window.AudioContext;
    delete window.SpeechSynthesisUtterance;
    delete Window.prototype.speechSynthesis;
    delete window.speechSynthesis;
    delete Navigator.prototype.wakeLock;
    delete Element.prototype.requestFullscreen;
    Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });
"""


def sound(page: Page) -> str | None:
    return page.evaluate("document.documentElement.dataset.sound ?? null")


def is_open(page: Page, name: str = "drawer") -> bool:
    return page.evaluate("name => document.getElementById(name).open", name)


# ---- sound


def test_the_laptop_sounds_and_nobody_else_does(windows):
    pages = {kind: show(windows.wide(), kind, before=COUNTS) for kind in ("kind-x", "kind-w", "kind-s")}
    heard = {}
    for kind, page in pages.items():
        assert page.evaluate("window.made.audio") == 0  # a browser wants a gesture first
        page.mouse.click(5, 5)
        brings(page, moment=moment("murder.1"), stage="<p data-bed></p>")
        heard[kind] = [sound(page)]
        page.clock.run_for(3100)
        heard[kind] += [sound(page), page.evaluate("window.made.audio")]
    assert heard == {"kind-x": ["curtain", "murder", 1], "kind-w": [None, None, 0], "kind-s": [None, None, 0]}


def test_a_kind_that_nobody_knows_gets_the_plain_sound(windows):
    page = show(windows.wide(), "kind-x")
    heard = []
    for name in ("five.1", "curious.2", "gold.3", "constructor.4", "gold.5", "tick.6"):
        brings(page, moment=moment(name, curtain=0, hold=0))
        heard.append(sound(page))
    assert heard == ["five", "reveal", "gold", "reveal", "gold", "reveal"]


def test_off_is_remembered(windows):
    page = show(windows.wide(), "kind-x", stage="<p data-bed></p>")
    volume, bed = page.locator("#volume"), page.locator("html")
    expect(volume).to_have_value("0.7")
    expect(bed).to_have_attribute("data-sound-bed", "on")
    page.keyboard.press("h")
    volume.fill("0")
    expect(bed).to_have_attribute("data-sound-bed", "off")
    for _ in range(2):
        brings(page, moment=moment("murder.1", curtain=0, hold=0))
        assert sound(page) == ""
        page.reload()
        expect(volume).to_have_value("0")
        brings(page, moment=moment("murder.2"))
    assert page.evaluate("localStorage.getItem('companion.volume')") == "0"
    page.keyboard.press("h")
    volume.fill("0.4")
    assert sound(page) == "volume"  # one hears how loud it is
    page.reload()
    expect(volume).to_have_value("0.4")


def test_a_bed_lies_under_an_open_vote_and_stops_for_a_moment(windows):
    page = show(windows.wide(), "kind-x")
    bed = page.locator("html")
    expect(bed).to_have_attribute("data-sound-bed", "off")
    brings(page, stage="<p data-bed>Vote</p>")
    expect(bed).to_have_attribute("data-sound-bed", "on")
    brings(page, moment=moment("tied.1"))
    expect(bed).to_have_attribute("data-sound-bed", "off")
    page.clock.run_for(4500)
    expect(bed).to_have_attribute("data-sound-bed", "on")
    brings(page, stage="<p>Votes</p>")
    expect(bed).to_have_attribute("data-sound-bed", "off")


def test_the_last_ten_seconds_tick(windows):
    seen = f'<time data-until="{BEGAN + 60 + 13}">20:15</time>'
    unseen = f'<time data-until="{BEGAN + 63}" hidden>20:15</time>'
    page = show(windows.wide(), "kind-x", stage=seen + unseen)
    page.evaluate("""
        window.ticks = 0;
        new MutationObserver((all) => { window.ticks += all.length; })
          .observe(document.documentElement, { attributeFilter: ["data-sound"] });
    """)
    page.clock.run_for(2250)
    assert sound(page) is None  # a hidden clock doesn't tick
    page.clock.run_for(5000)
    # The clock is written again, but it is the same second.
    brings(page, stage=seen + unseen + "<p>Somebody has joined</p>")
    page.clock.run_for(15_000)
    assert sound(page) == "tick"
    assert page.evaluate("window.ticks") == 10


def test_the_narrator_speaks_when_asked_to(windows):
    page = show(windows.wide(), "kind-x", before=COUNTS)
    brings(page, moment=moment("murder.1", says="MEURTRE"))
    page.clock.run_for(5000)
    assert page.evaluate("window.made.said") == []
    page.keyboard.press("h")
    page.get_by_label("Narrator").check()
    page.reload()
    expect(page.locator("#narrator")).to_be_checked()
    brings(page, moment=moment("murder.2", says="MEURTRE"))
    page.clock.run_for(3000)
    assert page.evaluate("window.made.said") == []  # not before the reveal
    page.clock.run_for(100)
    assert page.evaluate("window.made.said") == [["MEURTRE", "fr", pytest.approx(0.7)]]


OFFLINE = """
    localStorage.setItem("companion.volume", "1");
    window.AudioContext = function () {
      window.offline = new OfflineAudioContext(2, 22050 * 8, 22050);
      Object.defineProperty(window.offline, "state", { value: "running" });
      Object.defineProperty(window.offline, "currentTime", { get: () => window.second || 0 });
      return window.offline;
    };
"""
"""Renders eight seconds of sound offline at full volume, instead of playing it."""


def peaks(page: Page, beats: list[tuple[float, str, str, int]], spans: list[tuple[float, float]]) -> list[float]:
    """Return the peak volume within these spans of seconds, for these beats (when, kind, beat, ms)."""
    page.reload()
    return page.evaluate(
        """async ([beats, spans]) => {
            dispatchEvent(new Event("pointerdown"));
            for (const [at, kind, beat, ms] of beats) {
              window.second = at;
              document.dispatchEvent(new CustomEvent("companion:beat", { detail: { kind, beat, ms, says: "" } }));
            }
            const samples = (await window.offline.startRendering()).getChannelData(0);
            const loudest = (most, one) => Math.max(most, Math.abs(one));
            return spans.map(([from, to]) => samples.slice(from * 22050, to * 22050).reduce(loudest, 0));
        }""",
        [beats, spans],
    )


@pytest.mark.parametrize("share", range(4))
def test_every_kind_is_heard_and_none_is_distorted(windows, share):
    page = show(windows.wide(), "kind-x", before=OFFLINE)
    for kind in (*KINDS, "reveal")[share::4]:
        beats = [(0.1, kind, "curtain", 700), (0.8, kind, "hold", 1200), (2, kind, "reveal", 1400)]
        curtain, hold, reveal, after = peaks(page, beats, [(0, 0.8), (1.6, 2), (2, 8), (7.9, 8)])
        assert sound(page) == kind  # it has its own sound
        assert 0.1 < curtain < 1, kind
        assert hold < 0.02, kind
        assert 0.15 < reveal < 1, kind
        assert after < 0.15, kind


def test_a_hold_silences_what_still_rings(windows):
    page = show(windows.wide(), "kind-x", before=OFFLINE)
    rings, silent = peaks(page, [(0.1, "final", "reveal", 800), (1, "deciding", "hold", 2000)], [(0, 1), (1.9, 8)])
    assert rings > 0.2
    assert silent < 0.02


# ---- drawer, keys, people


def test_keys_open_and_close_the_drawer(windows):
    page = show(windows.wide(), "kind-x")
    keys = page.keyboard
    opened = []
    for key in ("h", "h", "h", "Escape", "Escape", "Control+h", "Shift+H", "Alt+h"):
        keys.press(key)
        opened.append(is_open(page))
    assert opened == [True, False, True, False, False, False, False, False]
    keys.press("h")
    expect(page.locator("#drawer > summary")).to_be_focused()
    page.get_by_label("Name").focus()
    keys.type("half")
    keys.press("Escape")
    expect(page.get_by_label("Name")).to_have_value("half")
    assert is_open(page)
    assert page.evaluate("document.fullscreenElement") is None
    page.locator("#volume").focus()  # it is not a text field
    keys.press("Escape")
    assert not is_open(page)
    expect(page.locator("#drawer > summary")).to_be_focused()  # the focus is not inside the closed drawer


def test_full_screen_by_key_and_by_button(windows):
    page = show(windows.wide(), "kind-w")
    full = "() => document.fullscreenElement === document.documentElement"
    page.keyboard.press("f")
    page.wait_for_function(full)
    page.keyboard.press("f")
    page.wait_for_function("() => !document.fullscreenElement")
    page.keyboard.press("h")
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function(full)
    assert is_open(page)


def test_a_click_beside_the_drawer_closes_it(windows):
    page = show(windows.wide(), "kind-x", stage="<h1>MURDER</h1>")
    page.locator("#drawer > summary").click()
    page.locator("#narrator").click()
    assert is_open(page)
    page.locator("h1").click()
    assert not is_open(page)


def test_a_tap_on_a_person_opens_what_can_be_done_with_them(windows):
    people = '<p data-person="3"><b>Ann</b></p><p data-person="9">Nobody knows</p>'
    laptop, watcher = show(windows.wide(), "kind-x", stage=people), show(windows.wide(), "kind-w", stage=people)
    for page in (laptop, watcher):
        page.get_by_text("Nobody knows").click()
        assert not is_open(page)
        page.locator("#stage").get_by_text("Ann").click()
    assert [is_open(laptop, name) for name in ("drawer", "fold-people", "fold-person-3")] == [True] * 3
    expect(laptop.locator("#fold-person-3 > summary")).to_be_focused()
    expect(laptop.get_by_text("Move her seat")).to_be_in_viewport()
    assert not is_open(watcher)


# ---- the room


@pytest.mark.parametrize("kind", ["kind-x", "kind-w"])
def test_the_stage_stays_awake(windows, kind):
    page = show(windows.wide(), kind, before=COUNTS)
    asked = "window.made.locks.map((lock) => lock.kind)"
    page.mouse.click(5, 5)
    assert page.evaluate(asked) == ["screen"]  # it has one
    # A browser releases the lock of a hidden page; the stage requests it again when visible.
    turns = """(hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        window.made.locks[0].released = true;
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(turns, True)
    assert page.evaluate(asked) == ["screen"]
    page.evaluate(turns, False)
    assert page.evaluate(asked) == ["screen"] * 2


def test_the_cursor_hides_until_it_is_moved(windows):
    page = show(windows.wide(), "kind-x")
    page.mouse.move(50, 50)
    still = "document.body.classList.contains('still')"
    page.clock.run_for(2999)
    assert not page.evaluate(still)
    page.clock.run_for(1)
    assert page.evaluate(still)
    page.mouse.move(60, 50)
    assert not page.evaluate(still)


@pytest.mark.parametrize("kind", ["kind-x", "kind-w"])
def test_nothing_breaks_where_a_browser_lacks_something(windows, kind):
    page = show(windows.wide(), kind, stage='<p data-bed data-person="3">Ann</p>', before=LACKS)
    assert page.evaluate("[window.AudioContext, window.speechSynthesis, navigator.wakeLock]") == [None, None, None]
    page.keyboard.press("f")
    page.locator("#stage").get_by_text("Ann").click()
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.locator("#narrator").check()
    page.locator("#volume").fill("0.2")
    brings(page, moment=moment("murder.1", says="MURDER"))
    page.clock.run_for(10_000)
    assert [name for _, name, _ in beats(page)] == ["curtain", "hold", "reveal", "rest"]
    # The fixture fails if the page has logged an error.
