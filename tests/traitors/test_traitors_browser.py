"""Whole games in real browsers: phones, a shared screen, no phones at all, and a mix."""

from __future__ import annotations

import io
import math
import re

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect
from traitors_browsers import CALM, Room, answer, press, three_rounds
from traitors_http_talk import opened

from companion.games.traitors import GAME
from companion.testing import NAMES, House, Table
from companion.testing.evenings import evening_of
from companion.testing.look import Looker, summed_up
from companion.testing.showing import showing


def sit_down(house: House, players: int, phones: int) -> Table:
    table = house.opens("traitors", rounds="3", timer="0", murders=1, banishments=1, quiet_nights=0)
    for place, name in enumerate(NAMES[:players]):
        if place < phones:
            table.sits(name)
        else:
            table.adds(name)
    return table.starts()


@pytest.mark.parametrize(
    ("players", "phones", "ties"),
    [(5, 5, 2), (4, 0, 1), (4, 2, 0)],
    ids=["five phones", "no phones at all", "two of four have phones"],
)
def test_three_rounds_to_their_end(house, windows, players, phones, ties):
    three_rounds(Room(house, sit_down(house, players, phones), windows), ties)


def test_a_phone_dies_in_the_middle_of_a_murder_vote_and_its_seat_moves(house, windows):
    table = opened(house, "murder", 4)
    room = Room(house, table, windows)
    press(room.phones["Ann"], "EVENT")
    answer(room.phones["Ann"], "F")
    dead = room.phones["Dan"]
    dead.locator('.ballot input[value="2"]').check()
    answer(room.phones["Ben"], "F")
    expect(dead.locator('.ballot input[value="2"]')).to_be_checked()  # taps of others don't clear a choice
    table.shared.taps("NewLink", seat=4)
    expect(dead.get_by_text("This link doesn't work any more")).to_be_visible()
    windows.complaints[:] = [words for words in windows.complaints if "status 403" not in words]  # expected
    room.screen.keyboard.press("h")
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


def test_every_screen_goes_dark_and_asks_before_anybody_knows_and_only_the_laptop_speaks(house, windows):
    table = opened(house, "murder", 4)
    page, phone = windows.wide(), windows.phone()
    page.goto(house.url + table.shared.path)
    phone.goto(house.url + table["Ann"].path)
    press(phone, "EVENT")
    expect(page.locator('body[data-beat="hold"] .suspense')).to_be_visible()
    expect(page.locator(".suspense")).to_have_text("Ann draws an Event card…")
    expect(phone.locator(".ballot")).to_be_hidden()  # no phone shows it before the laptop
    expect(page.get_by_role("heading", name="MURDER")).to_be_visible()
    expect(phone.locator(".ballot")).to_be_visible()
    expect(page.locator("body[data-beat]")).to_have_count(0)
    expect(page.locator(".suspense")).to_be_hidden()
    expect(page.locator('html[data-sound="murder"]')).to_have_count(1)
    assert phone.locator("html[data-sound]").count() == 0


def test_reduced_motion_takes_as_long_as_full_motion(house, windows):
    table = opened(house, "murder", 4)
    page, phone = windows.wide(**CALM), windows.phone(**CALM)
    page.goto(house.url + table.shared.path)
    phone.goto(house.url + table["Ann"].path)
    table["Ann"].presses("EVENT")
    for screen in (page, phone):
        expect(screen.locator('body[data-beat="hold"]')).to_have_count(1)
    expect(phone.locator(".ballot")).to_be_hidden()
    expect(phone.locator(".ballot")).to_be_visible()


def test_a_vote_turns_in_the_light_and_neither_slate_nor_counter_tells_it_before(house, windows):
    table = opened(house, "banishment", 4)
    page, phone = windows.wide(), windows.phone()
    page.goto(house.url + table.shared.path)
    phone.goto(house.url + table["Dan"].path)
    table["Ann"].presses("EVENT")
    table["Ann"].presses("Vote now")
    for name in NAMES[:4]:
        table[name].presses("CAST VOTE", choice="3")
    expect(page.locator(".slate.is-down")).to_have_count(4)
    expect(page.locator("body[data-beat]")).to_have_count(0)
    for name in NAMES[:2]:
        table[name].presses("REVEAL VOTE")
        expect(page.locator(".slate.is-turned")).to_have_count(NAMES.index(name) + 1)
        expect(page.locator("body[data-beat]")).to_have_count(0)
    table["Cleo"].presses("REVEAL VOTE")  # three of four: nobody can catch up
    expect(page.locator('body[data-moment="deciding"][data-beat="hold"]')).to_have_count(1)
    assert page.locator(".curtain").evaluate("one => getComputedStyle(one).visibility") == "hidden"
    assert "matrix3d" in page.locator(".slate.is-last").evaluate("one => getComputedStyle(one).transform")
    expect(page.locator(".tally output")).to_have_text("2")
    expect(phone.locator("#you")).to_be_hidden()
    expect(page.locator("body[data-beat]")).to_have_count(0)
    expect(page.locator(".tally output")).to_have_text("3")
    expect(phone.locator("#you")).to_be_visible()


def test_a_ballot_is_cast_with_the_keyboard_and_every_key_is_as_far_from_the_middle(house, windows):
    table = opened(house, "murder", 8)
    page = windows.phone(**CALM)
    table["Ann"].presses("EVENT")
    page.goto(house.url + table["Ben"].path)
    hub = page.locator(".dial .hub").bounding_box()
    assert hub
    middle = hub["x"] + hub["width"] / 2, hub["y"] + hub["height"] / 2
    far = []
    for key in page.locator(".dial label").all():
        box = key.bounding_box()
        assert box
        far.append(math.dist(middle, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)))
        assert min(box["width"], box["height"]) >= 48
    assert len(far) == 9
    assert max(far) - min(far) < 1
    page.locator('.dial input[value="F"]').focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator('.dial input[value="1"]')).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your answer is in")).to_be_visible()


def test_the_discussion_is_counted_down_on_every_screen(house, windows):
    table = opened(house, "banishment", 4, timer="2")
    page, phone = windows.wide(**CALM), windows.phone(**CALM)
    page.goto(house.url + table.shared.path)
    phone.goto(house.url + table["Ann"].path)
    table["Ann"].presses("EVENT")
    for screen in (page, phone):
        expect(screen.get_by_role("timer").first).to_have_text(re.compile(r"^[12]:\d\d$"))


def test_T12_six_votes_and_their_tally_fit_at_1280x800(chromium, tmp_path):
    phases = [phase for phase in evening_of(GAME, 7) if "everybody" in phase.name]
    assert [len(phase.state.living) for phase in phases] == [6, 6]
    with showing(tmp_path, {GAME.name: GAME}) as shown:
        looker = Looker(chromium, shown)
        found = [one for phase in phases for one in looker.stage("six", NAMES, phase, [(1280, 800)])]
    assert not summed_up(found)
