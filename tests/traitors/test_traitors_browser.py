"""Whole games in real browsers: phones, a shared screen, no phones at all, and a mix."""

from __future__ import annotations

import io
import re

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect
from traitors_browsers import CALM, Room, answer, press, three_rounds
from traitors_http_talk import opened

from companion.testing import NAMES, House, Table


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
