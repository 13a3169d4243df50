"""N6: the laptop has a name in its network, and changes its network while people play. In network namespaces, as root."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from networks import LaptopHouse, Machine, NameService, switched
from playwright.sync_api import Browser, Page, expect
from test_claims import Stranger

from companion.server.network import POLL_S
from companion.testing import Person, wait_until
from companion.testing.tabletalk import Table

Connect = Callable[[str], Machine]


@pytest.fixture
def connect() -> Iterator[Connect]:
    with switched() as connect:
        yield connect


def start(machine: Machine, data: Path, *options: str, **environment: str) -> LaptopHouse:
    house = LaptopHouse(machine, data, **environment)
    house.start(*options)
    return house


def playing(machine: Machine, house: LaptopHouse) -> Table:
    def sit() -> Table:
        table = house.opens("score_sheet", mode="running")
        for name in ("Ann", "Ben"):
            table.sits(name)
        return table

    return machine.does(sit)


def name_of(house: LaptopHouse) -> str:
    """The newest name that its terminal shows."""
    return ["", *re.findall(r"http://([\w-]+)\.local", house.terminal)][-1]


def test_a_phone_finds_the_laptop_by_name_until_it_leaves(connect, tmp_path):
    laptop, phone = connect("10.77.1.2"), connect("10.77.1.3")
    house = start(laptop, tmp_path / "data")
    try:
        wait_until(lambda: "http://companion.local:8000" in house.terminal, "the terminal says the name")
        assert phone.finds("companion.local") == ["10.77.1.2"]
        page = phone.does(lambda: Person("http://10.77.1.2:8000").get("/", headers={"Host": "companion.local:8000"}))
        assert page.status_code == 200
        table = playing(laptop, house)
        shared = laptop.does(lambda: house.visitor().get(f"{table.shared.path}/phones").text)
        assert "http://companion.local:8000" in shared
    finally:
        assert house.stop() == 0
    assert phone.finds("companion.local") == []


def test_the_next_companion_in_a_network_takes_the_next_name(connect, tmp_path):
    first, second, phone = connect("10.77.1.2"), connect("10.77.1.4"), connect("10.77.1.3")
    houses = [start(first, tmp_path / "first")]
    try:
        wait_until(lambda: "companion.local" in houses[0].terminal, "the first has its name")
        houses.append(start(second, tmp_path / "second"))
        wait_until(lambda: "companion-2.local" in houses[1].terminal, "the second has another one")
        assert phone.finds("companion.local") == ["10.77.1.2"]
        assert phone.finds("companion-2.local") == ["10.77.1.4"]
    finally:
        for house in houses:
            house.kill()


def test_two_that_start_at_the_same_moment_end_up_with_two_names(connect, tmp_path):
    machines = connect("10.77.1.2"), connect("10.77.1.4")
    houses = [LaptopHouse(machine, tmp_path / machine.address) for machine in machines]
    try:
        for house in houses:
            house.start()
        wait_until(
            lambda: {name_of(house) for house in houses} == {"companion", "companion-2"}, "each has its own name"
        )
    finally:
        for house in houses:
            house.kill()


@pytest.mark.parametrize("options", [("--no-mdns",), ("--proxies", "1")])
def test_nothing_is_announced_if_nobody_wants_it(connect, tmp_path, options):
    laptop, phone = connect("10.77.1.2"), connect("10.77.1.3")
    house = start(laptop, tmp_path / "data", *options)
    try:
        assert phone.finds("companion.local") == []
        assert "companion.local" not in house.terminal
    finally:
        house.kill()


def test_N6_open_screens_and_the_terminal_show_the_new_address(connect, tmp_path):
    assert POLL_S <= 2.5  # so that the new code is there within 5 s, drawing included
    laptop = connect("10.77.1.2")
    house = start(laptop, tmp_path / "data", "--no-mdns")
    try:
        table = playing(laptop, house)
        assert "http://10.77.1.2:8000" in house.greeting
        stream = laptop.does(table.shared.listens)
        assert "10.77.1.2:8000" in laptop.does(lambda: table.shared.page().html)
        laptop.moves_to("10.78.5.6")
        laptop.does(lambda: stream.until(f"http://10.78.5.6:8000/{table.code}"))
        wait_until(lambda: "http://10.78.5.6:8000" in house.terminal, "the terminal says the new address")
        assert "10.77.1.2" not in house.terminal
        laptop.moves_to("")
        laptop.does(lambda: stream.until("Phones can't reach this machine"))
        wait_until(lambda: "can't reach" in house.terminal, "the terminal says that there is none")
    finally:
        house.kill()


def test_N6_a_phone_that_scans_the_new_address_gets_its_own_seat_back(connect, tmp_path):
    """It has no cookie for the new address: it taps its name, and the shared screen asks once."""
    laptop, phone = connect("10.77.1.2"), connect("10.77.1.3")
    house = start(laptop, tmp_path / "data", "--no-mdns")
    try:
        table = playing(laptop, house)
        laptop.does(table.starts)
        stream = laptop.does(table.shared.listens)
        phone.moves_to("10.78.1.3")
        laptop.moves_to("10.78.5.6")
        wait_until(lambda: "10.78.5.6" in house.terminal, "the laptop has noticed")
        # Nobody has to look for the code in the menu.
        laptop.does(lambda: stream.until("New network: scan to come back"))

        def comes_back() -> Stranger:
            stranger = Stranger(table)
            stranger.client = Person("http://10.78.5.6:8000")
            page = stranger.client.get(stranger.address).text
            assert page.index("Are you already at this table?") < page.index("Your name")
            assert stranger.claims("Ann").status == 303
            return stranger

        back = phone.does(comes_back)
        laptop.does(lambda: stream.until("Ann again?"))
        word = re.search(r'check-word">(\w+)', phone.does(back.looks).text)[1]
        assert laptop.does(lambda: table.shared.shows(word))
        assert laptop.does(lambda: table.shared.presses("Yes, it is").status) == 200
        assert not laptop.does(lambda: table.shared.shows("Ann again?"))
        seat = phone.does(back.looks)
        assert seat.status_code == 303
        opened = phone.does(lambda: back.client.get(seat.headers["location"]))
        assert opened.status_code == 200
        assert "<title>Ann · " in opened.text
    finally:
        house.kill()


@contextlib.contextmanager
def page_inside(machine: Machine, chromium: Browser, **options: object) -> Iterator[Page]:
    """A window of a real browser that runs inside a machine."""
    wrapper = Path(f"/tmp/{machine.name}.sh")
    wrapper.write_text(f'#!/bin/sh\nexec ip netns exec {machine.name} {shutil.which("chromium")} "$@"\n')
    wrapper.chmod(0o700)
    try:
        browser = chromium.browser_type.launch(executable_path=wrapper, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(**options).new_page()
        page.set_default_timeout(90_000)
        yield page
        browser.close()
    finally:
        wrapper.unlink()


@pytest.fixture
def phone_page(connect, chromium) -> Iterator[tuple[Machine, Page]]:
    """A phone's browser, which looks names up as a phone does."""
    phone = connect("10.77.1.3")
    names = NameService(phone)
    try:
        with page_inside(
            phone, chromium, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True
        ) as page:
            yield phone, page
    finally:
        names.close()


def test_N6_the_open_shared_screen_draws_the_new_code_by_itself(connect, chromium, tmp_path):
    """In a real browser: its script draws each version of a table once, but an address is no version."""
    laptop = connect("10.77.1.2")
    house = start(laptop, tmp_path / "data", "--no-mdns")
    try:
        table = playing(laptop, house)
        with page_inside(laptop, chromium, viewport={"width": 1280, "height": 800}) as page:
            page.goto(f"http://localhost:8000{table.shared.path}")
            expect(page.locator(".gathering .address")).to_contain_text("10.77.1.2:8000")
            before = page.locator(".round-table .qr path").get_attribute("d")
            laptop.moves_to("10.78.5.6")
            expect(page.locator(".gathering .address")).to_contain_text("10.78.5.6:8000", timeout=90_000)
            assert page.locator(".round-table .qr path").get_attribute("d") != before
            laptop.does(table.starts)
            code = page.locator(".come-back .qr")
            expect(code).to_be_visible(timeout=90_000)
            page.get_by_text("New network: scan to come back").click()
            expect(code).to_be_hidden()
    finally:
        house.kill()


def test_N6_with_a_name_nothing_is_lost_at_all(connect, phone_page, tmp_path):
    """The phone scans an address, moves on to the name by itself, and is back at its seat in the next network."""
    phone, page = phone_page
    laptop = connect("10.77.1.2")
    house = start(laptop, tmp_path / "data")
    try:
        wait_until(lambda: "companion.local" in house.terminal, "the laptop has its name")
        table = playing(laptop, house)
        page.goto(f"http://10.77.1.2:8000/t/{table.code}")
        page.wait_for_url("http://companion.local:8000/t/**")
        page.get_by_label("Your name").fill("Cleo")
        page.get_by_role("button", name="Take a seat").click()
        page.wait_for_url("http://companion.local:8000/s/**")
        stream = laptop.does(table.shared.listens)
        phone.moves_to("10.78.1.3")
        laptop.moves_to("10.78.5.6")
        laptop.does(lambda: stream.until("10.78.5.6"))
        wait_until(lambda: phone.finds("companion.local") == ["10.78.5.6"], "the name leads to the new address")
        page.evaluate("dispatchEvent(new Event('offline'))")  # as the phone says when its Wi-Fi goes
        expect(page.locator("body.offline")).to_have_count(1, timeout=90_000)
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.locator("body.offline")).to_have_count(0, timeout=90_000)
        laptop.does(table.starts)
        expect(page.get_by_role("button", name="Write down")).to_be_visible(timeout=90_000)
        # Scanning the new code leads to the same seat, too: the cookie belongs to the name.
        page.goto(f"http://10.78.5.6:8000/t/{table.code}")
        page.wait_for_url("http://companion.local:8000/s/**")
        expect(page.locator(".bar .who")).to_contain_text("Cleo")
    finally:
        house.kill()
