"""Whole games in real browsers: phones, a shared screen, no phones at all, and a mix."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator

import zxingcpp
from evening_talk import opened
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from tabletalk import NAMES, House, Table

CALM = {"reduced_motion": "reduce"}
expect.set_options(timeout=20_000)


class Room:
    """The shared screen and the phones of a table, in browsers."""

    def __init__(self, house: House, table: Table, windows, accessible: Callable[[Page], None] | None = None) -> None:
        self.table = table
        self.accessible = accessible
        self.seen: set[str] = set()
        self.screen = windows.wide(**CALM)
        self.screen.goto(house.url + table.shared.path)
        self.phones: dict[str, Page] = {}
        for name, seated in table.people.items():
            self.phones[name] = windows.phone(**CALM)
            self.phones[name].goto(house.url + seated.path)

    def __iter__(self) -> Iterator[tuple[str, Page]]:
        return iter(self.phones.items())

    def look(self, *names: str) -> None:
        """axe-core on the shared screen and on these phones, once for each kind of screen."""
        kind = (self.screen.locator(".stage").get_attribute("class") or "").split()[1]
        if self.accessible and kind not in self.seen:
            self.seen.add(kind)
            for page in (self.screen, *(self.phones[name] for name in names)):
                self.accessible(page)

    def living(self) -> list[str]:
        """Who is still in the round, as the shared screen has it."""
        return self.screen.locator(".player:not(.is-out) .player-name bdi").all_inner_texts()

    def sees(self, words: str) -> None:
        expect(self.screen.locator("#table")).to_contain_text(words)

    def passes(self, name: str, choice: str, button: str) -> None:
        """The shared screen is handed over: cover, "I am", choose, DONE, and the cover falls."""
        cover = self.screen.get_by_role("button", name=f"I am {name}")
        if not cover.is_visible():
            self.screen.get_by_role("link", name=f"Hand the screen to {name}").click()
        cover.click()
        ballot(self.screen, choice, button)
        expect(self.screen.locator(".ballot")).to_have_count(0)


def press(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).first.click()


def ballot(page: Page, choice: str, button: str) -> None:
    page.locator(f'.ballot input[value="{choice}"]').check()
    press(page, button)


def answer(page: Page, choice: str) -> None:
    address = page.url
    ballot(page, choice, "DONE")
    expect(page.locator(".ballot")).to_have_count(0)
    assert page.url == address


def vote(page: Page, choice: str) -> None:
    ballot(page, choice, "CAST VOTE")
    expect(page.locator(".ballot")).to_have_count(0)


def shows(page: Page, gold: int, role: str, button: str) -> None:
    fill_in(page.locator("form", has=page.get_by_role("button", name=button, exact=True)).first, gold, role, button)


def fill_in(form: Locator, gold: int, role: str, button: str) -> None:
    form.get_by_label("Gold in hand").fill(str(gold))
    form.get_by_label(role, exact=True).check()
    form.get_by_role("button", name=button, exact=True).click()


def reveal_all(room: Room, voters: list[str]) -> None:
    for name in voters:
        press(room.phones[name], "REVEAL VOTE")


def test_five_phones_and_a_shared_screen_play_three_rounds(house, windows, accessible):
    table = house.opens("traitors", rounds="3", timer="0", murders=1, banishments=1, quiet_nights=1)
    for name in NAMES[:5]:
        table.sits(name)
    table.starts()
    room = Room(house, table, windows, accessible)
    ann = room.phones["Ann"]
    room.sees("Set up round 1")
    room.look("Ann")
    press(ann, "We are ready")
    press(ann, "+3")
    expect(room.screen.locator(".fund-n")).to_have_text("3")
    for n in (1, 2, 3):  # a bag of three: each event comes once
        press(ann, "EVENT")
        stage = room.screen.locator(f'.stage[data-cue$=".{n}"]')
        expect(stage).to_be_visible()
        kind = re.search(r"stage-(\w+)", stage.get_attribute("class")).group(1)
        {"murder": murder_with_a_shield, "talk": banishment_tied_twice, "playing": quiet_night}[kind](room)
        expect(ann.get_by_role("button", name="EVENT", exact=True)).to_be_visible()
    for number in (1, 2, 3):
        final_banishment(room, "2" if number == 1 else "5")
        living = room.living()
        for name in living:
            shows(room.phones[name], 1, "Traitor" if name == "Cleo" else "Faithful", "Show it")
        expect(ann.get_by_role("button", name="Share it out")).to_be_visible()
        room.look("Ann")
        press(ann, "Share it out")
        if number < 3:
            room.sees(f"The Gold of round {number}")
            room.look("Ann")
            press(ann, "Next round")
            press(ann, "We are ready")
    room.sees("Most Gold, and the game")
    room.sees("Cleo")
    room.look("Ann")


def quiet_night(room: Room) -> None:
    room.sees("Ann draws again.")
    room.look("Ann")


def murder_with_a_shield(room: Room) -> None:
    room.look("Ben")
    living = room.living()
    victim = "Dan" if "Dan" in living else "Eve"  # Dan is out if the banishment came first
    for name in living:
        answer(room.phones[name], str(NAMES.index(victim) + 1) if name == "Cleo" else "F")
    press(room.phones["Ann"], "MURDER REVEAL")
    room.sees("The Traitors have chosen")
    room.look(victim)
    press(room.phones[victim], "I play a Shield")
    room.sees(f"{victim} lives")


def banishment_tied_twice(room: Room) -> None:
    room.look("Ann")
    press(room.phones["Ben"], "Vote now")
    expect(room.phones["Eve"].locator(".ballot")).to_be_visible()
    room.look("Ben")
    names = list(room.phones)
    for votes in ("12345", "44551", "44444"):
        for name, choice in zip(names, votes, strict=True):
            vote(room.phones[name], choice)
        reveal_all(room, names)
        if votes != "44444":
            room.sees("TIED VOTE")
            room.look("Ann")
            press(room.phones["Ann"], "TIED VOTE?")
    room.sees("Banished")
    room.look("Dan")
    shows(room.phones["Dan"], 2, "Traitor", "Leave the round")
    room.sees("The last Traitor?")
    room.look("Ann")
    for name in names:
        if name != "Dan":
            answer(room.phones[name], "P" if name == "Eve" else "E")
    room.sees("The round goes on")


def final_banishment(room: Room, target: str) -> None:
    page = room.phones["Ann"]
    page.get_by_text("The last card of the deck").click()
    press(page, "FINAL BANISHMENT")
    press(page, "Vote now")
    room.sees("of")
    expect(page.locator(".ballot")).to_be_visible()
    living = room.living()
    for name in living:
        vote(room.phones[name], target)
    reveal_all(room, living)
    fallen = room.phones[NAMES[int(target) - 1]]
    shows(fallen, 1, "Faithful", "Leave the round")
    room.sees("The round is over")
    room.look("Ann")


def score_on_the_screen(room: Room, names: list[str]) -> None:
    """The shared screen writes every hand down and shares the fund out."""
    page = room.screen
    for name in names:
        fold = page.locator("details.fold", has_text=f"Write down what {name} shows")
        if fold.get_attribute("open") is None:
            fold.locator("summary").click()
        fill_in(fold.locator("form"), 1, "Faithful", "Show it")
        expect(fold).to_have_count(0)
    press(page, "Share it out")


def end_by_hand(room: Room) -> None:
    expect(room.screen.locator(".stage-playing")).to_be_visible()
    fold = room.screen.locator("details.fold", has_text="Host: restart, call off, correct").first
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()
    press(room.screen, "End this round now")


def test_no_phones_at_all(house, windows, accessible):
    table = opened(house, "murder", 4, phones=0, rounds="3")
    room = Room(house, table, windows, accessible)
    page = room.screen
    for round_number in (1, 2, 3):
        if round_number == 1:
            page.locator('input[name="drawer"][value="2"]').first.check()
            press(page, "EVENT")
            room.sees("0 of 4 have answered")
            page.get_by_role("link", name="Hand the screen to Ann").click()
            accessible(page)
            press(page, "I am Ann")
            accessible(page)
            ballot(page, "F", "DONE")
            for name, choice in (("Ben", "F"), ("Cleo", "4"), ("Dan", "F")):
                expect(page.get_by_role("heading", name=f"Hand the screen to {name}")).to_be_visible()
                room.passes(name, choice, "DONE")
            press(page, "MURDER REVEAL")
            room.sees("The Traitors have chosen")
            press(page, "There is none")
            shows(page, 2, "Faithful", "Leave the round")
            room.sees("Dan is out of the round")
            names = ["Ann", "Ben", "Cleo"]
        else:
            names = list(NAMES[:4])
        end_by_hand(room)
        room.sees("The round is over")
        score_on_the_screen(room, names)
        if round_number < 3:
            room.sees(f"The Gold of round {round_number}")
            press(page, "Next round")
            press(page, "We are ready")
    room.sees("Most Gold, and the game")


def test_some_have_phones_and_some_do_not(house, windows):
    table = opened(house, "banishment", 4, phones=2, rounds="3")
    room = Room(house, table, windows)
    page = room.screen
    press(room.phones["Ann"], "EVENT")
    press(room.phones["Ben"], "Vote now")
    vote(room.phones["Ann"], "3")
    room.sees("1 of 4 have answered")
    page.get_by_role("link", name="Hand the screen to Cleo").click()
    room.passes("Cleo", "2", "CAST VOTE")
    room.passes("Dan", "3", "CAST VOTE")
    vote(room.phones["Ben"], "3")
    press(room.phones["Ann"], "REVEAL VOTE")
    for name in ("Cleo", "Dan"):
        room.sees(f"{name} presses REVEAL VOTE.")
        press(page, "REVEAL VOTE")
    press(room.phones["Ben"], "REVEAL VOTE")
    room.sees("Banished")
    shows(page, 1, "Traitor", "Leave the round")
    for name in ("Ann", "Ben"):
        answer(room.phones[name], "E")
    page.get_by_role("link", name="Hand the screen to Dan").click()
    room.passes("Dan", "E", "DONE")
    room.sees("Everybody agreed to end it.")
    score_on_the_screen(room, ["Ann", "Ben", "Dan"])
    for _ in (2, 3):
        press(page, "Next round")
        press(page, "We are ready")
        end_by_hand(room)
        score_on_the_screen(room, list(NAMES[:4]))
    room.sees("Most Gold, and the game")


def test_a_phone_dies_in_the_middle_of_a_murder_vote_and_its_seat_moves(house, windows):
    table = opened(house, "murder", 4)
    room = Room(house, table, windows)
    press(room.phones["Ann"], "EVENT")
    answer(room.phones["Ann"], "F")
    dead = room.phones["Dan"]
    dead.locator('.ballot input[value="2"]').check()
    answer(room.phones["Ben"], "F")
    expect(dead.locator('.ballot input[value="2"]')).to_be_checked()  # what was chosen survives what others do
    table.shared.taps("NewLink", seat=4)
    expect(dead.get_by_text("This link does not open anything here")).to_be_visible()
    windows.complaints[:] = [words for words in windows.complaints if "status 403" not in words]  # as it should
    expect(room.screen.locator(".move-qr")).to_be_visible()
    new = windows.phone(**CALM)
    new.goto(house.url + moved_link(room.screen))
    expect(new.locator(".ballot")).to_be_visible()
    expect(new.locator(".ballot input:checked")).to_have_count(0)
    answer(new, "2")
    answer(room.phones["Cleo"], "F")
    press(room.phones["Ann"], "MURDER REVEAL")
    room.sees("Ben")


def moved_link(page: Page) -> str:
    """What the QR code on the shared screen says."""
    image = Image.open(io.BytesIO(page.locator(".move-qr svg").screenshot()))
    found = zxingcpp.read_barcodes(image)
    assert found
    return "/" + found[0].text.split("/", 3)[3]


def test_the_shared_screen_pauses_and_speaks_and_phones_stay_silent(house, windows):
    table = opened(house, "murder", 4)
    page, phone = windows.wide(), windows.phone()
    page.goto(house.url + table.shared.path)
    phone.goto(house.url + table["Ann"].path)
    sound = page.get_by_role("button", name="Sound is on")
    expect(sound).to_be_visible()
    press(phone, "EVENT")
    expect(page.locator(".curtain")).to_be_visible()
    expect(phone.locator(".curtain")).to_be_visible()  # no phone tells it before the laptop does
    expect(page.locator('html[data-sound="murder"]')).to_have_count(1)
    expect(page.locator(".curtain")).to_have_count(0)  # it rises by itself
    page.get_by_role("button", name="Sound is on").click()
    expect(page.locator('html[data-sound=""]')).to_have_count(1)
    page.reload()
    expect(page.get_by_role("button", name="Sound is off")).to_be_visible()
    expect(phone.locator(".curtain")).to_have_count(0)
    assert phone.locator(".sound").count() == 0
    assert phone.locator("html[data-sound]").count() == 0


def test_whoever_wants_less_motion_gets_no_pause(house, windows):
    table = opened(house, "murder", 4)
    page = windows.wide(**CALM)
    page.goto(house.url + table.shared.path)
    expect(page.get_by_role("button", name="Sound is on")).to_be_visible()
    table["Ann"].presses("EVENT")
    expect(page.locator('html[data-sound="murder"]')).to_have_count(1)
    assert page.locator(".curtain").count() == 0


def test_the_discussion_is_counted_down_on_every_screen(house, windows):
    table = opened(house, "banishment", 4, timer="2")
    page, phone = windows.wide(**CALM), windows.phone(**CALM)
    page.goto(house.url + table.shared.path)
    phone.goto(house.url + table["Ann"].path)
    table["Ann"].presses("EVENT")
    for screen in (page, phone):
        expect(screen.get_by_role("timer")).to_have_text(re.compile(r"^[12]:\d\d$"))


def test_set_up_and_help_are_accessible(house, windows, accessible):
    for page in (windows.wide(), windows.phone()):
        for path in ("/new/traitors", "/help/traitors"):
            page.goto(house.url + path)
            accessible(page)
