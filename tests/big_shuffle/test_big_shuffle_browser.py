"""Whole games in real browsers: three phones and a shared screen."""

from __future__ import annotations

import re

import pytest
from big_shuffle_talk import WHAT, WHERE, WHO
from playwright.sync_api import Locator, Page, expect

NAMES = ("Ann", "Ben", "Cleo")


class Evening:
    """A table with its windows open."""

    def __init__(self, windows, table) -> None:
        self.shared = windows.wide()
        self.shared.goto(table.house.url + table.shared.path)
        self.phones = {}
        for name in NAMES:
            self.phones[name] = windows.phone()
            self.phones[name].goto(table.house.url + table[name].path)
        self.ann, self.ben, self.cleo = self.phones.values()

    @property
    def everybody(self) -> list[Page]:
        return [self.shared, *self.phones.values()]


@pytest.fixture
def evening(windows, seated):
    return lambda **setup: Evening(windows, seated("big_shuffle", players=3, **setup))


def tap(where: Page | Locator, label: str) -> None:
    where.get_by_role("button", name=label, exact=True).first.click()


def at_rest(page: Page) -> None:
    """No moment is being played."""
    expect(page.locator("body")).not_to_have_attribute("data-beat", re.compile("."))


def turns_to(page: Page, tab: str) -> None:
    page.locator("#tabs a", has_text=tab).click()


def opens(page: Page, fold: str) -> Locator:
    """Open a fold: on a phone in the card or the Mine tab, on the shared screen in the drawer."""
    found = page.locator(fold)
    if page.locator(f"#mine {fold}").count():
        turns_to(page, "Mine")
    if page.locator(f"#table {fold}").count():
        turns_to(page, "Table")
    if page.locator(f".drawer {fold}").count() and page.locator("#drawer").get_attribute("open") is None:
        page.locator("#drawer > summary").click()
    if found.get_attribute("open") is None:
        page.locator(f"{fold} > summary").click()
    return found


def reads_out(page: Page, kind: str, question: str, name: str) -> None:
    """Answer the question on the screen: tap a known name, or type a new one."""
    ask = page.locator("#fix .read-out" if page.locator("#stage").count() else "#you .read-out")
    if page.locator("#stage").count() and page.locator("#drawer").get_attribute("open") is None:
        page.locator("#drawer > summary").click()
    if page.locator("#now-asks:not([open])").count():
        page.locator("#now-asks > summary").click()
    expect(ask).to_contain_text(f"{kind} {question}")
    known = ask.get_by_role("button", name=name, exact=True)
    if known.count():
        known.click()
    else:
        ask.get_by_label("A new name").fill(name)
        tap(ask, "Read out")


def tries(page: Page, scene: str, way: str) -> None:
    rows = page.locator("#you .moves fieldset", has_text=scene)
    rows.first.get_by_role("button", name=re.compile(way)).click()


def types(page: Page, label: str, key: str) -> None:
    """Tap a missing number, and see that the phone stops asking for it."""
    group = opens(page, "#now-missing").get_by_role("group", name=label)
    group.get_by_role("button", name=key, exact=True).click()
    expect(group).to_have_count(0)


def notes(page: Page, which: str, *scenes: str) -> Locator:
    """Choose the scenes of an agenda from the known names."""
    fold = opens(page, f"#fold-agenda-{which}")
    for label, scene in zip(("Who", "What", "Where"), scenes, strict=True):
        fold.get_by_label(label).select_option(scene)
    tap(fold, "Note it")
    expect(fold.locator("> summary .mark")).to_have_text("3 of 3 noted")
    return fold


def shows_while_held(page: Page, words: str) -> None:
    """Hold the button to see the agendas, and let go to hide them."""
    turns_to(page, "Mine")
    held = page.locator(".agendas-held")
    expect(held.locator(".covered")).to_be_hidden()
    held.focus()
    page.keyboard.down(" ")
    expect(held.locator(".covered")).to_be_visible()
    expect(held).to_contain_text(words)
    page.keyboard.up(" ")
    expect(held.locator(".covered")).to_be_hidden()


def no_sideways_scrolling(page: Page) -> None:
    width = page.viewport_size["width"]
    assert page.locator("#screen").bounding_box()["width"] <= width
    for part in page.locator("#you > *, #table > *, #mine > *").all():
        box = part.bounding_box()
        assert box is None or box["x"] + box["width"] <= width + 1


def test_three_players_change_two_scenes_and_survive_a_big_shuffle(evening, accessible):
    table = evening(keeping="count")
    tap(table.shared, "Ann")
    expect(table.ann.get_by_role("heading", name="Your turn")).to_be_visible()
    expect(table.ben.locator("#you")).to_contain_text("Ann's turn")
    accessible(table.ann)

    # Everybody may know the scenes below the title cards. Anybody reads them out.
    reads_out(table.cleo, "Who", "Which scene is below the title card?", WHO)
    reads_out(table.ben, "What", "Which scene is below the title card?", WHAT)
    reads_out(table.shared, "Where", "Which scene is below the title card?", "The Mob HQ")
    for page in table.phones.values():
        expect(page.locator("#table .track").nth(0)).to_contain_text(WHO)
        expect(page.locator("#you .read-out")).to_have_count(0)
    expect(table.shared.locator(".of-who .is-below")).to_contain_text(WHO)

    # Ann notes her own agenda and the one she shares with Ben, who sees it on his phone.
    notes(table.ann, "mine", WHO, WHAT, "The Speakeasy")
    notes(table.ann, "left", "The Dirty Cop", "The Car Chase", WHERE)
    shows_while_held(table.ann, "The Speakeasy")
    shows_while_held(table.ben, WHERE)
    accessible(table.ann)

    # The first scene change sends the Who title card out of the game.
    tries(table.ann, "Who", "Uptown")
    expect(table.ann.locator(".trying")).to_contain_text("You attempt a scene change")
    for page in (table.ben, table.cleo):
        expect(page.locator(".trying")).to_contain_text("Ann attempts a scene change")
    expect(table.shared.locator(".line")).to_contain_text("Ann attempts a scene change")
    accessible(table.ben)
    expect(table.ben.locator("#fold-for-1 > summary")).to_have_text("Tap for Ann")
    expect(table.ben.locator("#you input:visible")).to_have_count(0)
    expect(table.ann.locator(".trying .running")).to_have_text("? against ?")
    types(table.ann, "Difficulty", "2")
    expect(table.ann.locator(".trying .running")).to_have_text("? against 2")
    table.ann.locator("#you").get_by_label("A new name").fill("Fog")
    table.ann.locator("#you").get_by_label("Its modifier").fill("-1")
    tap(table.ann, "Reveal")
    types(table.ann, "Character", "3")
    expect(table.ann.locator(".trying .running")).to_have_text("at least 2 against 2")
    types(table.ann, "Informant", "+0")
    for page in table.phones.values():
        expect(page.locator(".trying .running")).to_have_text("2 against 2")
    expect(table.shared.locator(".sum")).to_contain_text("Enough")
    accessible(table.ann)
    accessible(table.shared)
    tap(table.ann, "Pass")
    tap(table.ben, "−1")
    expect(table.shared.locator(".sum")).to_contain_text("Not enough")
    tap(table.cleo, "+2")
    expect(table.ben.get_by_role("heading", name="Hire a goon or pass")).to_be_visible()
    tap(table.ben, "Pass")
    expect(table.ben.locator("#you")).to_contain_text("You have passed.")
    expect(table.shared.locator(".cast-list .is-now")).to_contain_text("Cleo hires or passes")
    opens(table.shared, "#fix-attempt")
    tap(table.shared, "Cleo passes")
    expect(table.ann.get_by_role("heading", name="Success")).to_be_visible()
    accessible(table.ann)
    tap(table.ann, "Move the scene")
    expect(table.shared.locator("body")).to_have_attribute("data-moment", "scene")
    expect(table.shared.locator(".in-the-dark")).to_be_visible()
    expect(table.shared.locator(".of-who .pane")).to_have_text(WHO)
    at_rest(table.shared)
    expect(table.shared.locator(".stamp")).to_have_text("It worked")
    for page in table.phones.values():
        expect(page.locator("#table .track .active").nth(0)).to_have_text(WHO)
        no_sideways_scrolling(page)
    tap(table.ann, "End the turn")

    # The second one moves the active scene; its card allows another attempt, which Ben declines.
    # A tap on a misspelt name leads to the form that corrects it.
    reads_out(table.ann, "Who", "Which scene is below the active one?", "The Torch Sinker")
    turns_to(table.cleo, "Table")
    table.cleo.locator("#table .fix-name", has_text="The Torch Sinker").click()
    expect(table.cleo.get_by_label("Correct name").first).to_be_focused()
    expect(table.cleo.locator(":focus")).to_have_value("The Torch Sinker")
    table.cleo.locator(":focus").fill("The Torch Singer")
    tap(table.cleo.locator("#names-who"), "Rename")
    tries(table.ben, WHO, "Downtown")
    types(table.ben, "Difficulty", "2")
    types(table.ben, "Character", "4")
    types(table.ben, "Informant", "+0")
    tap(table.ben, "Endless Rain −2")
    tap(table.ben, "Pass")
    tap(table.cleo, "Nobody hires another")
    expect(table.ben.get_by_role("heading", name="Success")).to_be_visible()
    tap(table.ben, "Move it, and try again with Endless Rain")
    tap(table.ben, "Put Endless Rain away")
    expect(table.shared.locator(".of-who .pane")).to_have_text("The Torch Singer")
    expect(table.shared.locator(".of-who .is-down b")).to_have_text("1")
    for page in table.phones.values():
        expect(page.locator("#table .track .active").nth(0)).to_have_text("The Torch Singer")
        expect(page.locator("#table .track").nth(0)).to_contain_text(f"Downtown {WHO}")
        expect(page.locator("#table [data-pile=noir] > summary")).to_contain_text("2")
    opens(table.cleo, "#table-all-piles")
    pile = opens(table.cleo, "#table-pile-noir")
    expect(pile).to_contain_text("Goons: 2 of 20 in the discard pile")
    pile.get_by_label("Search this pile").fill("+")
    expect(pile.locator(".pile li:visible")).to_have_text(["+2 Goon"])
    tap(table.ben, "End the turn")

    # A card causes the Big Shuffle: the screens ask for exactly the scenes that are public now.
    opens(table.cleo, "#fold-fix")
    asks = opens(table.cleo, "#fold-city-tools").locator(".ask")
    asks.locator("summary").click()
    tap(asks, "Start the Big Shuffle")
    expect(table.shared.locator(".headline")).to_have_text("The Big Shuffle")
    expect(table.shared.locator(".reading .number")).to_have_text("12")
    expect(table.ann.locator(".read-out")).to_contain_text("12 names are missing")
    for page in (table.shared, table.cleo):
        at_rest(page)
        accessible(page)
    for page, kind, scene in ((table.ann, "Who", WHO), (table.ben, "What", WHAT), (table.cleo, "Where", WHERE)):
        reads_out(page, kind, "Which scene is active?", scene)
    for page in table.phones.values():
        expect(page.locator("#table .track .active").nth(2)).to_have_text(WHERE)
    tap(table.cleo, "End the turn")

    # It is Ann's turn again, and only her phone tells her.
    expect(table.ann.get_by_text("You can win now")).to_be_visible()
    expect(table.shared.locator(".headline")).to_have_text("Ann's turn")
    for page in (table.shared, table.ben, table.cleo):
        assert "You can win now" not in page.content()
    accessible(table.ann)
    tap(table.ann, "Show your agendas and win")
    for page in (table.shared, table.ben, table.cleo):
        expect(page.get_by_role("heading", name="Ann wins").first).to_be_visible()
    expect(table.ann.get_by_role("heading", name="You win")).to_be_visible()
    for page in table.everybody:
        at_rest(page)
        accessible(page)


def test_three_experts_play_for_points(evening, accessible):
    table = evening(mode="expert")
    expect(table.shared.locator(".headline")).to_have_text("The Big Shuffle")
    tap(table.shared, "Ben")
    for kind, scene in (("Who", WHO), ("What", WHAT), ("Where", WHERE)):
        reads_out(table.cleo, kind, "Which scene is active?", scene)
    accessible(table.ben)

    # Two of three scenes: Ben shows the agenda, scores, and is dealt a new one.
    agenda = notes(table.ben, "mine", WHO, WHAT, "The Mob HQ")
    expect(table.ben.get_by_text("Your own agenda is worth 2 points")).to_be_visible()
    assert "worth 2 points" not in table.ann.content() + table.shared.content()
    accessible(table.ben)
    tap(table.ben, "Show it and end your turn")
    expect(table.shared.locator(".cast-list li").nth(1).locator(".points")).to_contain_text("2")
    for page in table.phones.values():
        expect(page.locator("#table .cast li").nth(1).locator(".total")).to_have_text("2")
        expect(page.locator("#table")).to_contain_text("Cleo's turn")
    expect(agenda.locator("> summary .mark")).to_have_text("not noted")

    # Cleo shares an agenda with Ben; it scores three for her, and Ben's copy of it is gone, too.
    notes(table.cleo, "right", WHO, WHAT, WHERE)
    tap(table.cleo, "Show it and end your turn")
    expect(table.shared.locator(".cast-list li").nth(2).locator(".points")).to_contain_text("3")

    # The table corrects a point, and five points win.
    points = opens(table.shared, "#fix-turn").get_by_label("Points of Ann")
    points.fill("3")
    points.press("Enter")
    expect(table.ann.locator("#history")).to_contain_text("corrects the points: Ann has 3")
    notes(table.ann, "mine", WHO, "The Car Chase", WHERE)
    tap(table.ann, "Show it and end your turn")
    for page in (table.shared, table.ben, table.cleo):
        expect(page.get_by_role("heading", name="Ann wins").first).to_be_visible()
    at_rest(table.shared)
    accessible(table.shared)


def test_a_known_name_is_two_taps_and_a_new_one_is_offered_everywhere_and_next_time(windows, own_house, accessible):
    table = own_house.opens("big_shuffle", keeping="count")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    ann, ben = windows.phone(), windows.phone()
    ann.goto(own_house.url + table["Ann"].path)
    ben.goto(own_house.url + table["Ben"].path)
    loot = (opens(ann, "#fold-fix"), opens(ann, "#fold-discard"))[1].locator("form.pick").nth(1)
    loot.get_by_label("Another name").fill("The Silver Revolver")
    tap(loot, "Discard")
    expect(ben.locator("#table [data-pile=noir] > summary")).to_contain_text("The Silver Revolver")
    offered = (opens(ben, "#fold-fix"), opens(ben, "#fold-discard"))[1].get_by_role(
        "button", name="The Silver Revolver"
    )
    offered.click()
    expect(ann.locator("#table [data-pile=noir] > summary")).to_contain_text("Noir discard pile 2")
    # Typed letters only filter the list; the tapped name counts.
    loot = ben.locator("#fold-discard form.pick").nth(1)
    loot.get_by_label("Another name").press_sequentially("silv")
    expect(loot.locator(".chip-button:visible")).to_have_count(1)
    loot.locator(".chip-button:visible").click()
    expect(ann.locator("#table [data-pile=noir] > summary")).to_contain_text("Noir discard pile 3")
    accessible(ben)
    again = own_house.opens("big_shuffle", keeping="count")
    for name in ("Ann", "Ben"):
        again.sits(name)
    again.starts()
    assert "The Silver Revolver" in again["Ben"].page().html


def test_everything_works_without_scripts(windows, seated):
    table = seated("big_shuffle", players=2)
    phone = windows.phone(java_script_enabled=False)
    phone.goto(table.house.url + table["Ann"].path)
    tap(phone, "Ben")
    expect(phone.locator("#table")).to_contain_text("Ben's turn")
    tap(phone.locator(".read-out"), "The Private Eye")
    expect(phone.locator("#table .track").first).to_contain_text("The Private Eye")


def test_the_help_page_is_accessible(windows, house, accessible):
    page = windows.wide()
    page.goto(f"{house.url}/help/big_shuffle")
    expect(page.get_by_role("heading", name="Two ways to play")).to_be_visible()
    accessible(page)
