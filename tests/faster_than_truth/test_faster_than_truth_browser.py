"""A whole game of Faster Than Truth in a real browser: three phones and the shared screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import pytest
from playwright.sync_api import Locator, Page, expect

from companion.testing import Table

WORDS = {"m": "Muscle", "p": "Prestige", "c": "Money"}


class Phones:
    """Everybody's browser at one table."""

    def __init__(self, table: Table, windows, **options: object) -> None:
        self.table = table
        self.windows = windows
        self.options = options
        self.of: dict[str, Page] = {}

    @cached_property
    def shared(self) -> Page:
        page: Page = self.windows.wide()
        page.goto(self.table.house.url + self.table.shared.path)
        return page

    def __getitem__(self, name: str) -> Page:
        """A player's phone, opened when it is first needed."""
        if name not in self.of:
            self.of[name] = self.windows.phone(**self.options)
            self.of[name].goto(self.table.house.url + self.table[name].path)
        return self.of[name]

    def taps(self, name: str, label: str, inside: str = "#you") -> None:
        self[name].locator(inside).get_by_role("button", name=label, exact=True).click()

    def enters(self, name: str, cards: str, up: int) -> None:
        page = self[name]
        for place, letter in enumerate(cards):
            page.locator(".deal fieldset").nth(place).get_by_label(WORDS[letter]).check()
        self.taps(name, ("Left", "Middle", "Right")[up - 1])

    def declares(self, name: str, said: str) -> None:
        self[name].get_by_label("Its name (optional)").fill(said)
        self.taps(name, "Declare a card")

    def tool(self, name: str, tool: str) -> Locator:
        folded = self[name].locator("details.tool", has_text=tool).first
        folded.locator("summary").click()
        return folded


@pytest.fixture
def phones(seated, windows) -> Callable[..., Phones]:
    return lambda **options: Phones(seated("faster_than_truth", players=3, fuse="off"), windows, **options)


def heading(page: Page, words: str) -> None:
    expect(page.locator("#you h1")).to_have_text(words)


def at_rest(accessible: Callable[[Page], None], page: Page) -> None:
    """Check a screen once its moment has been played."""
    expect(page.locator("body[data-beat]")).to_have_count(0, timeout=10_000)
    accessible(page)


def test_a_full_game_on_three_phones_and_the_shared_screen(phones, accessible):
    at = phones()
    heading(at["Ann"], "Look at your three cards")
    at_rest(accessible, at["Ann"])
    at_rest(accessible, at.shared)
    at.enters("Ann", "ccm", up=1)
    at.enters("Ben", "ppc", up=2)
    heading(at["Ben"], "Your cards are in")
    at.enters("Cleo", "mmm", up=3)
    for page in at.of.values():
        heading(page, "Check your cards")
    at_rest(accessible, at["Cleo"])
    at.taps("Ann", "Mine are right")
    at.taps("Ben", "Mine are right")
    at["Cleo"].get_by_text("Enter them again").click()
    at.enters("Cleo", "mpm", up=3)
    heading(at["Ann"], "Who goes first?")
    at_rest(accessible, at["Ann"])
    at.shared.get_by_role("button", name="Ann").click()

    # A safe card that nobody challenges.
    heading(at["Ann"], "Your turn: card 1 of 2")
    at_rest(accessible, at["Ann"])
    at.declares("Ann", "Fixed Races")
    expect(at.shared.locator(".said")).to_have_text("“Fixed Races”")
    at_rest(accessible, at["Ben"])
    at_rest(accessible, at.shared)
    at.taps("Ben", "Let it pass")
    expect(at["Ben"].locator(".passed")).to_be_visible()
    at.taps("Cleo", "Let it pass")
    at_rest(accessible, at["Ann"])
    at.taps("Ann", "It was true")
    at.taps("Ann", "Money")
    expect(at.shared.locator(".pile.is-coins b")).to_have_text("14")
    at_rest(accessible, at["Ann"])
    at.taps("Ann", "Done: discard the card")

    # A safe card that Ben challenges; Cleo hands over a hidden card, Ben loses one.
    heading(at["Ann"], "Your turn: card 2 of 2")
    at.declares("Ann", "Robbery")
    at.taps("Ben", "Challenge")
    heading(at["Ann"], "Ben challenges you")
    expect(at["Cleo"].locator("#table")).to_contain_text("Ben challenges")
    at.taps("Ann", "It was true")
    cleo = at.tool("Ann", "Steal").locator(".who-row", has_text="Cleo")
    cleo.get_by_role("button", name="Prestige").click()
    heading(at["Cleo"], "Ann asks you for Prestige")
    at_rest(accessible, at["Cleo"])
    heading(at["Ann"], "Ann asks Cleo for Prestige.")
    at.taps("Cleo", "1 Hand it over")
    expect(at["Cleo"].locator("#message")).to_contain_text("That card is not Prestige")
    at.taps("Cleo", "2 Hand it over")
    expect(at.shared.locator("#history")).to_contain_text("Cleo hands Ann a hidden card: Prestige.")
    at.taps("Ann", "Done: discard the card")
    heading(at["Ann"], "Take a card from Ben")
    at_rest(accessible, at["Ann"])
    heading(at["Ben"], "Ann takes a card from you")
    at_rest(accessible, at["Ben"])
    at.taps("Ann", "hidden Card 3")
    expect(at["Ben"].locator("#history")).to_contain_text("Ann takes a hidden card from Ben: Money.")

    # Ben gambles and is caught; then he says a name again, by a tap.
    at.declares("Ben", "Alibi")
    at.taps("Cleo", "Challenge")
    at.taps("Ben", "I gambled")
    heading(at["Cleo"], "Take a card from Ben")
    at.taps("Cleo", "Prestige Card 2")
    at.taps("Ben", "Robbery")
    at.taps("Cleo", "Let it pass")
    at.taps("Ann", "Let it pass")
    at.shared.get_by_role("button", name="It was a gamble").click()
    ann = at.tool("Ben", "gains, hides or reveals").locator(".who-row", has_text="Ann")
    ann.get_by_role("button", name="Money").click()
    expect(at.shared.locator(".claim .big")).to_have_text("Five of a kind!")
    expect(at.shared.locator(".stash.is-five")).to_contain_text("Ann")
    expect(at["Ann"].locator(".my-stash")).to_contain_text("five of a kind")
    at_rest(accessible, at.shared)
    at.taps("Ben", "Done: discard the card")

    # Cleo cannot stop Ann.
    for _ in range(2):
        at.taps("Cleo", "Alibi")
        at.taps("Ann", "Let it pass")
        at.taps("Ben", "Let it pass")
        at.taps("Cleo", "It was true")
        at.taps("Cleo", "Done: discard the card")
    heading(at["Ann"], "You win")
    heading(at["Ben"], "Ann wins")
    expect(at.shared.locator(".claim .big")).to_have_text("Ann wins")
    at_rest(accessible, at["Ann"])
    at_rest(accessible, at.shared)


def test_the_last_effect_is_in_sight_and_moves_nothing(phones):
    at = phones()
    for name, cards in (("Ann", "ccm"), ("Ben", "ppc"), ("Cleo", "mpm")):
        at.enters(name, cards, up=1)
    at.taps("Ann", "Ann")
    at.declares("Ann", "Alibi")
    at.taps("Ben", "Let it pass")
    at.taps("Cleo", "Let it pass")
    at.taps("Ann", "It was true")
    page = at["Ann"]
    did = page.locator(".did")
    expect(did).to_have_text("No effects yet.")
    muscle = page.locator("#you .tool-open").first.get_by_role("button", name="Muscle")
    page.evaluate("scrollTo(0, 0)")
    before = page.locator(".tools").bounding_box()["y"] - did.bounding_box()["y"]
    for times in ("1 effect so far", "2 effects so far"):
        # It stays in sight for a player who has scrolled down to the buttons.
        page.evaluate("scrollTo(0, 150)")
        muscle.click()
        expect(did).to_contain_text("Ann gains Muscle.")
        expect(did).to_contain_text(times)
        expect(did).to_be_in_viewport(ratio=1)
        page.evaluate("scrollTo(0, 0)")
        assert page.locator(".tools").bounding_box()["y"] - did.bounding_box()["y"] == before


@pytest.mark.parametrize("width", [320, 360, 390])
def test_the_longest_word_keeps_clear_of_the_border_of_its_tile(phones, width):
    at = phones()
    for name, cards in (("Ann", "pcm"), ("Ben", "ppc"), ("Cleo", "mcm")):
        at[name].set_viewport_size({"width": width, "height": 740})
        room_around(at[name], ".kinds .is-crown")
        at.enters(name, cards, up=1)
    room_around(at["Ann"], ".pile.is-crown")
    room_around(at["Ann"], "#table .res.is-crown")
    at["Ann"].get_by_role("link", name="Mine").click()
    room_around(at["Ann"], "#mine .res.is-crown")


def room_around(page: Page, tile: str) -> None:
    """At least four pixels on either side of the word."""
    expect(page.locator(tile).first).to_be_visible()
    found = page.evaluate(
        """tile => [...document.querySelectorAll(tile)].map((box) => {
          const range = document.createRange();
          range.selectNodeContents([...box.querySelectorAll("span")].find((span) => span.textContent.trim() === "Prestige"));
          const outer = box.getBoundingClientRect(), inner = range.getBoundingClientRect();
          return Math.min(inner.left - outer.left, outer.right - inner.right);
        })""",
        tile,
    )
    assert min(found) >= 4, (tile, found)


def test_a_hidden_card_is_covered_on_its_owners_phone_and_shown_while_it_is_held(phones):
    at = phones()
    at.enters("Ann", "cpm", up=3)
    page = at["Ann"]
    page.get_by_role("link", name="Mine").click()
    card = page.locator(".res.hold").first
    face, cover = card.locator(".covered"), card.locator(".cover-word")
    expect(cover).to_be_visible()
    expect(face).not_to_be_visible()
    hidden = page.locator(".res.hold")
    places = [hidden.nth(n).bounding_box() for n in range(2)]
    assert places[0]["width"] == places[1]["width"] >= 48
    assert places[0]["height"] == places[1]["height"] >= 48

    box = places[0]
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    expect(face).to_be_visible()
    expect(face).to_have_text("Money")
    expect(cover).not_to_be_visible()
    page.mouse.up()
    expect(face).not_to_be_visible()

    finger = page.context.new_cdp_session(page)
    touch = {"touchPoints": [{"x": box["x"] + 20, "y": box["y"] + 20}]}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", **touch})
    expect(face).to_be_visible()
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(face).not_to_be_visible()

    for key in ("Space", "Enter"):
        card.focus()
        page.keyboard.down(key)
        expect(face).to_be_visible()
        assert [hidden.nth(n).bounding_box() for n in range(2)] == places, "nothing moves under a finger"
        page.keyboard.up(key)
        expect(face).not_to_be_visible()

    # Losing focus covers it again.
    page.keyboard.down("Space")
    expect(face).to_be_visible()
    page.locator("summary").first.focus()
    expect(face).not_to_be_visible()
    page.keyboard.up("Space")


def test_without_scripts_plain_forms_and_holding_still_work(phones):
    at = phones(java_script_enabled=False)
    at.enters("Ann", "ccm", up=1)
    page = at["Ann"]
    card = page.locator(".res.hold").first
    card.scroll_into_view_if_needed()
    box = card.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    expect(card.locator(".covered")).to_be_visible()
    page.mouse.up()
    expect(card.locator(".covered")).not_to_be_visible()
    at.enters("Ben", "ppc", up=2)
    at.enters("Cleo", "mpm", up=3)
    at.taps("Cleo", "Ann")
    page.reload()
    at.declares("Ann", "Alibi")
    at["Ben"].reload()
    at.taps("Ben", "Challenge")
    heading(at["Ben"], "Ann turns the card over.")
    page.reload()
    at.taps("Ann", "I gambled")
    at["Ben"].reload()
    at.taps("Ben", "hidden Card 2")
    expect(at["Ben"].locator("#history")).to_contain_text("Ben takes a hidden card from Ann: Money.")
    page.reload()
    at.taps("Ann", "Alibi")
    expect(page.locator("#you .said")).to_have_text("“Alibi”")


def test_the_verdict_is_held_back_on_every_screen_and_then_stamped(phones):
    at = phones()
    for name, cards in (("Ann", "ccm"), ("Ben", "ppc"), ("Cleo", "mpm")):
        at.enters(name, cards, up=1)
    at.taps("Ann", "Ann")
    at.declares("Ann", "Alibi")
    shared, stamp, ben = at.shared, at.shared.locator(".stamp"), at["Ben"]
    at.taps("Ben", "Challenge")
    expect(shared.locator(".claim .big")).to_have_text("Ben challenges")
    expect(shared.locator("body[data-beat]")).to_have_count(0)
    at.taps("Ann", "I gambled")
    expect(shared.locator(".suspense .doubted")).to_be_visible()
    expect(stamp).to_be_hidden()
    expect(ben.locator("#you")).to_be_hidden()
    expect(stamp).to_be_visible()
    expect(stamp).to_have_text("A gamble")
    heading(ben, "Take a card from Ann")
    expect(shared.locator(".suspense")).to_be_hidden()
