"""axe-core checks every screen: phones, the shared screen, the host's tools, a passed screen."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from traitors_browsers import CALM, press
from traitors_http_talk import ONLY, opened, time_passes

from companion.testing import NAMES, House


class Eyes:
    """Check pages with all folds open."""

    def __init__(self, house: House, windows, accessible) -> None:
        self.house = house
        self.windows = windows
        self.accessible = accessible
        self.pages: dict[str, Page] = {}

    def look(self, *paths: str) -> None:
        for path in paths:
            shared = path.startswith("/x/")
            if path not in self.pages:
                self.pages[path] = self.windows.wide(**CALM) if shared else self.windows.phone(**CALM)
            page = self.pages[path]
            page.goto(self.house.url + path)
            page.locator("details").evaluate_all("folds => folds.forEach(fold => { fold.open = true })")
            self.accessible(page)


def test_before_the_game(house, windows, accessible):
    eyes = Eyes(house, windows, accessible)
    for page in (windows.wide(**CALM), windows.phone(**CALM)):
        for path in ("/new/traitors", "/help/traitors"):
            page.goto(house.url + path)
            accessible(page)
    table = house.opens("traitors", **ONLY["quiet"])
    for name in NAMES[:4]:
        table.sits(name)
    eyes.look(table.shared.path, table["Ann"].path)
    table.starts()
    eyes.look(table.shared.path, table["Ann"].path)
    table["Ann"].presses("We're ready")
    table["Ann"].presses("EVENT")
    eyes.look(table.shared.path, table["Ann"].path)


def test_a_murder_with_somebody_missing_a_seat_that_moves_and_a_passed_screen(own_house, windows, accessible):
    house = own_house
    eyes = Eyes(house, windows, accessible)
    table = opened(house, "murder", 5, phones=4)
    shared, ann, ben, dan = table.shared.path, table["Ann"].path, table["Ben"].path, table["Dan"].path
    eyes.look(shared, ann)
    table.shared.presses("Make host", seat=1)
    table["Ben"].presses("EVENT")
    eyes.look(shared, ben)
    for name in ("Ann", "Cleo"):
        table[name].presses("DONE", choice="F" if name == "Ann" else "4")
    table["Ben"].presses("DONE", choice="F")
    # A refusal.
    table["Ben"].taps("AddGold", gold=999)
    eyes.look(ben)
    eyes.pages[ben].reload()
    eyes.pages[ben].get_by_role("link", name="Mine").click()
    press(eyes.pages[ben], "+1")
    expect(eyes.pages[ben].locator("#message")).to_have_text("The prize fund can't hold more than 999 Gold.")
    accessible(eyes.pages[ben])
    ann_page = windows.phone(**CALM)
    ann_page.goto(house.url + ann)
    time_passes(house, table)
    ann_page.locator("#drawer > summary").click()
    expect(ann_page.get_by_role("heading", name="Still to answer")).to_be_visible()
    eyes.look(ann, shared)  # the host's phone says who is missing; the shared screen does not
    expect(eyes.pages[ann].get_by_text("Votes on the shared screen")).to_be_visible()
    expect(eyes.pages[shared].get_by_role("heading", name="Still to answer")).to_have_count(0)
    # A reminder moves nothing under a thumb.
    page = windows.phone(**CALM)
    page.goto(house.url + dan)
    before = page.locator('.ballot input[value="F"]').bounding_box()
    table["Ann"].presses("Remind", seat=4)
    expect(page.get_by_text("The table is waiting for you.")).to_be_visible()
    assert page.locator('.ballot input[value="F"]').bounding_box() == before
    accessible(page)
    table.shared.presses("Make the shared screen the host again")
    eyes.look(shared)
    expect(eyes.pages[shared].get_by_role("heading", name="Still to answer")).to_be_visible()
    # Another phone or none: the QR code, the cover, the ballot on the shared screen, and the answer.
    table.shared.presses("Move this seat to another phone", seat=4)
    eyes.look(shared, dan)
    expect(eyes.pages[dan].get_by_text("This link doesn't work any more")).to_be_visible()
    windows.complaints[:] = [words for words in windows.complaints if "status 403" not in words]  # expected
    table.shared.presses("Vote on the shared screen", seat=4)
    passed = windows.wide(**CALM)
    for seat, name, choice in ((4, "Dan", "F"), (5, "Eve", "F")):
        passed.goto(f"{house.url}{shared}/pass/{seat}")
        accessible(passed)
        press(passed, f"I'm {name}")
        passed.locator(f'.ballot input[value="{choice}"]').check()
        accessible(passed)
        press(passed, "DONE")
        expect(passed.locator(".ballot")).to_have_count(0)
    table.shared.presses("MURDER REVEAL")
    eyes.look(shared, table["Cleo"].path)


def test_from_the_reveal_of_a_murder_to_the_last_vote(house, windows, accessible):
    eyes = Eyes(house, windows, accessible)
    table = opened(house, "murder", 4, timer="3")
    shared, ann, dan = table.shared.path, table["Ann"].path, table["Dan"].path
    table["Ann"].presses("EVENT")
    for name, choice in zip(NAMES[:4], "FF4F", strict=True):
        table[name].presses("DONE", choice=choice)
    eyes.look(shared, ann)
    table["Ann"].presses("MURDER REVEAL")
    eyes.look(shared, dan)
    table["Dan"].presses("Don't play a Shield")
    eyes.look(shared, dan)
    table["Dan"].presses("Faithful", gold=1)
    eyes.look(shared, ann, dan)
    table["Ann"].presses("FINAL BANISHMENT")
    eyes.look(shared, ann)
    table["Ann"].presses("Vote now")
    eyes.look(shared, ann)
    for name, choice in zip(NAMES[:3], "123", strict=True):
        table[name].presses("CAST VOTE", choice=choice)
    table["Ann"].presses("REVEAL VOTE")
    eyes.look(shared, table["Ben"].path)
    for name in ("Ben", "Cleo"):
        table[name].presses("REVEAL VOTE")
    eyes.look(shared, ann)


def test_from_a_banished_traitor_to_the_results(house, windows, accessible):
    eyes = Eyes(house, windows, accessible)
    table = opened(house, "banishment", 4, phones=3, rounds="1")
    shared, ann = table.shared.path, table["Ann"].path
    table["Ann"].presses("EVENT")
    table["Ann"].presses("Vote now")
    for name in NAMES[:3]:
        table[name].presses("CAST VOTE", choice="2")
    table.hands_to(4).presses("CAST VOTE", choice="2")
    for _ in NAMES[:4]:
        table.shared.presses("REVEAL VOTE")
    eyes.look(shared, table["Ben"].path)
    table["Ben"].presses("Traitor", gold=1)
    eyes.look(shared, ann)
    for name in ("Ann", "Cleo"):
        table[name].presses("DONE", choice="E")
    table.hands_to(4).presses("DONE", choice="E")
    eyes.look(shared, ann)
    table.shared.presses("Faithful", player=4, gold=2)
    table["Ann"].presses("Faithful", gold=2)
    eyes.look(ann)
    table["Cleo"].presses("Traitor", gold=0)
    eyes.look(shared, ann)
    table["Ann"].presses("Share it out", gold=4)
    eyes.look(shared, ann)
    eyes.look(f"{shared}/night", f"{shared}/history")


def test_eight_votes_are_in_sight_at_once_and_long_names_push_nothing_out(house, windows, accessible):
    table = house.opens("traitors", rounds="2", timer="0", murders=1, banishments=1, quiet_nights=1)
    names = ["Bartholomew Ashburyx", *NAMES[1:8]]
    for name in names:
        table.sits(name)
    table.starts()
    table.shared.presses("We're ready")
    table.shared.presses("FINAL BANISHMENT", drawer=2)
    table.shared.presses("Vote now")
    for name in names:
        table[name].presses("CAST VOTE", choice="1")
    for name in names[:7]:
        table[name].presses("REVEAL VOTE")
    page, phone = windows.wide(**CALM), windows.phone(**CALM)
    page.goto(house.url + table.shared.path)
    expect(page.locator(".slate")).to_have_count(8)
    for vote in page.locator(".slate").all():
        expect(vote).to_be_in_viewport(ratio=1)
    accessible(page)
    table[names[7]].presses("REVEAL VOTE")
    table[names[0]].presses("Traitor", gold=1)
    for name in names[1:]:
        table[name].presses("Faithful", gold=1)
    table[names[1]].presses("Share it out", gold=9)
    phone.goto(house.url + table[names[1]].path)
    split = phone.locator(".scroll").first
    assert split.evaluate("box => box.scrollWidth <= box.clientWidth")
    accessible(phone)
