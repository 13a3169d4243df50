"""An evening of score sheet in a real browser, with all that can go wrong in a living room."""

from __future__ import annotations

import io
import re
import shutil

import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect
from wifi import Wifi, slow_wifi

from companion.testing import wait_until

HEARS = """
    window.heard = 0;
    window.told = [];
    document.addEventListener("htmx:sse:before:message", () => { window.heard += 1; });
    const history = document.getElementById("history");
    const look = () => {
      const line = history.querySelector(".lines li").textContent.trim();
      if (line !== window.told.at(-1)) window.told.push(line);
    };
    new MutationObserver(look).observe(history, { subtree: true, childList: true, characterData: true });
"""
"""Counts the frames that a page receives, and records every line that was the newest of its history."""


TYPES_AT_ONCE = """
    const history = document.getElementById("history");
    new MutationObserver(() => {
      if (history.textContent.includes("Ann: +8.")) document.querySelector("#you input[name=points]").value = "9";
    }).observe(history, { subtree: true, childList: true, characterData: true });
"""
"""Types the next number at the moment a line appears."""


def open_table(windows, house, **answers: str) -> Page:
    """The host opens a table on the laptop."""
    laptop = windows.wide()
    laptop.goto(house.url)
    laptop.get_by_role("link", name="Score sheet").click()
    for label in ("round by round", "everybody for themselves", "most points"):
        laptop.get_by_label(label).check()
    for label in ("Number of rounds", "Target score"):
        laptop.get_by_label(label).fill(answers.get(label, ""))
    for label in (answers.get("choose"),):
        if label:
            laptop.get_by_label(label).check()
    laptop.get_by_role("button", name="Open the table").click()
    expect(laptop.locator(".join-code")).to_be_visible()
    return laptop


def code_of(laptop: Page) -> str:
    return laptop.locator(".join-code").inner_text().strip()


def sit(windows, house, laptop: Page, name: str, **options) -> Page:
    """Somebody scans the code, types a name and takes a seat."""
    phone = windows.phone(**options)
    phone.goto(f"{house.url}/t/{code_of(laptop)}")
    phone.get_by_label("Your name").fill(name)
    phone.get_by_role("button", name="Take a seat").click()
    expect(phone.get_by_role("heading", name="You have a seat")).to_be_visible()
    return phone


def menu(page: Page) -> None:
    """Open the drawer, if it is not open."""
    if page.locator("#drawer:not([open])").count():
        page.locator("#drawer > summary").click()


def tab(phone: Page, name: str) -> None:
    phone.locator("#tabs").get_by_role("link", name=name).click()


def write(phone: Page, round: int, points: int) -> None:
    phone.get_by_label(f"Your points in round {round}").fill(str(points))
    phone.get_by_role("button", name="Write down").click()


def test_five_phones_and_a_shared_screen(windows, own_house, accessible):
    house = own_house
    laptop = open_table(windows, house, **{"Number of rounds": "3"})
    accessible(laptop)
    names = ["Ann", "Ben", "Cleo", "Dan", "Eve"]
    phones = {name: sit(windows, house, laptop, name) for name in names}
    expect(laptop.get_by_text("5 players so far")).to_be_visible()
    accessible(laptop)
    accessible(phones["Ann"])
    laptop.get_by_role("button", name="Start the game").click()
    for place, name in enumerate(names):
        write(phones[name], 1, place * 3)
    expect(laptop.locator("[data-round='2']")).to_be_visible()
    accessible(phones["Ben"])

    # A reloaded phone shows the same screen.
    phones["Cleo"].reload()
    write(phones["Cleo"], 2, 5)
    expect(phones["Cleo"].get_by_role("heading", name="5 written")).to_be_visible()
    accessible(phones["Cleo"])

    # Other people's taps don't disturb what somebody is typing.
    phones["Dan"].get_by_label("Your points in round 2").fill("4")
    write(phones["Ann"], 2, 1)
    expect(phones["Dan"].locator("#history")).to_contain_text("Ann: 1 in round 2.")
    expect(phones["Dan"].get_by_label("Your points in round 2")).to_have_value("4")
    expect(phones["Dan"].get_by_label("Your points in round 2")).to_be_focused()
    phones["Dan"].get_by_role("button", name="Write down").click()
    expect(phones["Dan"].get_by_role("heading", name="4 written")).to_be_visible()

    # The server is killed and restarted: open phones reconnect by themselves.
    house.kill()
    expect(phones["Eve"].locator("#wire")).to_have_text("Not connected")
    house.start()
    expect(phones["Eve"].locator("#wire")).to_have_text("")
    write(phones["Ben"], 2, 2)
    expect(phones["Eve"].locator("#history")).to_contain_text("Ben: 2 in round 2.")

    # Eve's phone dies: the host moves her seat, and the code on the shared screen opens it.
    laptop.locator("[data-person='5']").click()  # on the stage
    laptop.get_by_role("button", name="Move this seat to another phone").locator("visible=true").click()
    figure = laptop.locator(".move-qr .qr")
    expect(figure).to_be_visible()
    expect(phones["Eve"].get_by_role("heading", name="This link doesn't work any more")).to_be_visible()
    accessible(phones["Eve"])
    link = read_qr(figure)
    eve = windows.phone()
    eve.goto(on_loopback(link, house))
    expect(figure).to_have_count(0)
    write(eve, 2, 9)
    expect(laptop.locator("[data-round='3']")).to_be_visible()

    for name in names:
        write(eve if name == "Eve" else phones[name], 3, 10)
    expect(laptop.locator(".is-over .leader .big")).to_have_text("Eve")
    expect(phones["Ann"].get_by_role("heading", name="Eve wins").first).to_be_visible()
    for screen in (laptop, phones["Ann"]):  # every round is shown at the end, without a reload
        expect(screen.get_by_role("table").get_by_role("row")).to_have_count(4)
    accessible(laptop)
    accessible(phones["Ann"])
    menu(phones["Ann"])
    phones["Ann"].get_by_role("link", name="Full history").click()
    expect(phones["Ann"].get_by_text("Eve moves to another phone.")).to_be_visible()
    accessible(phones["Ann"])


def test_no_phones_at_all(windows, house, accessible):
    laptop = open_table(windows, house, **{"Number of rounds": "1"})
    for name in ("Ann", "Ben"):
        menu(laptop)
        laptop.get_by_label("Somebody without a phone").fill(name)
        laptop.get_by_role("button", name="Add").click()
        expect(laptop.locator(".ring").get_by_text(name)).to_be_visible()
    laptop.get_by_role("button", name="Start the game").click()
    laptop.locator("#acts").get_by_role("link", name="Hand the screen to Ann").click()
    expect(laptop.get_by_role("heading", name="Hand the screen to Ann")).to_be_visible()
    accessible(laptop)
    laptop.get_by_role("button", name="I'm Ann").click()
    write(laptop, 1, 7)
    # The cover is shown for the next person.
    expect(laptop.get_by_role("heading", name="Hand the screen to Ben")).to_be_visible()
    expect(laptop.get_by_label("Your points in round 1")).to_have_count(0)
    laptop.get_by_role("button", name="I'm Ben").click()
    accessible(laptop)
    write(laptop, 1, 8)
    expect(laptop.locator(".is-over .leader .big")).to_have_text("Ben")
    # Back shows a cover or the table, never somebody's own screen.
    laptop.go_back()
    expect(laptop.get_by_role("button", name="Write down")).to_have_count(0)


def test_a_mixed_table_where_one_host_writes_for_all(windows, house, accessible):
    laptop = open_table(windows, house, choose="the host for everybody")
    ann = sit(windows, house, laptop, "Ann")
    menu(laptop)
    laptop.get_by_label("Somebody without a phone").fill("Grandpa")
    laptop.get_by_role("button", name="Add").click()
    expect(ann.locator("#table")).to_contain_text("Grandpa")
    laptop.locator(".host-people").get_by_text("Ann", exact=True).click()
    laptop.get_by_role("button", name="Make host").click()
    ann.get_by_role("button", name="Start the game").click()
    card = ann.locator("#you")
    card.get_by_label("Ann", exact=True).fill("12")
    card.get_by_label("Grandpa", exact=True).fill("15")
    card.get_by_role("button", name="Write down").click()
    expect(laptop.locator("#history")).to_contain_text("Round 1 is complete.")
    accessible(ann)
    accessible(laptop)
    menu(ann)
    ann.get_by_text("Fix a mistake or finish").click()
    form = ann.locator("form", has=ann.get_by_label("Who"))
    form.get_by_label("Who").select_option("Grandpa")
    form.get_by_label("Round").fill("1")
    form.get_by_label("Points").fill("11")
    form.get_by_role("button", name="Correct").click()
    expect(laptop.locator("#history")).to_contain_text("Ann corrects Grandpa: 11 instead of 15.")
    ann.get_by_role("button", name="Finish and count up").click()
    expect(laptop.locator(".is-over .leader .big")).to_have_text("Ann")


def test_a_sleeping_phone_shows_the_present_when_it_wakes(windows, house):
    laptop = open_table(windows, house)
    wifi = Wifi(house.port)
    ann, ben = sit(windows, wifi, laptop, "Ann"), sit(windows, house, laptop, "Ben")
    laptop.get_by_role("button", name="Start the game").click()
    expect(ann.get_by_label("Your points in round 1")).to_be_visible()
    # Wi-Fi is gone while others play on.
    wifi.goes_away()
    expect(ann.locator("#wire")).to_have_text("Not connected")
    write(ben, 1, 6)
    expect(laptop.locator("#history")).to_contain_text("Ben: 6 in round 1.")
    expect(ann.locator("#history")).not_to_contain_text("Ben: 6 in round 1.")
    wifi.comes_back()
    expect(ann.locator("#history")).to_contain_text("Ben: 6 in round 1.")
    expect(ann.locator("#wire")).to_have_text("")
    wifi.goes_away()


def test_a_stream_that_lags_never_shows_an_older_screen(windows, house):
    table = house.opens("score_sheet", mode="running")
    wifi, phone = Wifi(house.port), windows.phone()
    ann, ben = table.sits("Ann"), table.sits("Ben")
    table.starts()
    phone.goto(wifi.url + ann.path)
    phone.evaluate(HEARS)
    ben.taps("Enter", points=7)
    expect(phone.locator("#history")).to_contain_text("Ben: +7.")  # its stream is open
    wifi.holds_streams_back()
    for points in (1, 2):
        phone.get_by_label("Points to add").fill(str(points))
        phone.get_by_role("button", name="Write down").click()
        expect(phone.locator("#history")).to_contain_text(f"Ann: +{points}.")
    heard = phone.evaluate("window.heard")
    wifi.lets_one_frame_through()
    phone.wait_for_function(f"window.heard > {heard}")
    # It updates again as soon as it has something newer.
    wifi.lets_streams_through()
    ben.taps("Enter", points=8)
    expect(phone.locator("#history")).to_contain_text("Ben: +8.")
    assert phone.evaluate("window.told") == ["Ben: +7.", "Ann: +1.", "Ann: +2.", "Ben: +8."]
    wifi.goes_away()


def test_a_backup_that_is_brought_back_is_shown_although_it_is_older(windows, own_house):
    house, phone = own_house, windows.phone()
    table = house.opens("score_sheet", mode="running")
    ann, ben = table.sits("Ann"), table.sits("Ben")
    table.starts()
    phone.goto(house.url + ann.path)
    ben.taps("Enter", points=9)
    expect(phone.locator("#history")).to_contain_text("Ben: +9.")
    house.stop()
    shutil.copytree(house.data, house.data.with_name("backup"))
    house.start()
    for points in (1, 2, 3):
        ben.taps("Enter", points=points)
    expect(phone.locator("#history")).to_contain_text("Ben: +3.")
    house.kill()
    expect(phone.locator("#wire")).to_have_text("Not connected")
    shutil.rmtree(house.data)
    house.data.with_name("backup").rename(house.data)
    house.start()
    expect(phone.locator("#history")).not_to_contain_text("Ben: +3.")
    phone.get_by_label("Points to add").fill("5")
    phone.get_by_role("button", name="Write down").click()
    expect(phone.locator("#history")).to_contain_text("Ann: +5.")


def test_back_and_reload_do_no_harm(windows, house):
    laptop = open_table(windows, house)
    ann, ben = sit(windows, house, laptop, "Ann"), sit(windows, house, laptop, "Ben")
    laptop.get_by_role("button", name="Start the game").click()
    write(ann, 1, 6)
    expect(ann.get_by_role("heading", name="6 written")).to_be_visible()
    ann.reload()
    menu(ann)
    ann.get_by_role("link", name="Help").click()
    ann.go_back()
    expect(ann.get_by_role("heading", name="6 written")).to_be_visible()
    write(ben, 1, 7)
    expect(ann.get_by_label("Your points in round 2")).to_be_visible()
    assert laptop.locator("#history li", has_text="Ann: 6 in round 1.").count() == 1


def test_everything_works_with_scripts_switched_off(windows, house, accessible):
    laptop = windows.wide(java_script_enabled=False)
    laptop.goto(f"{house.url}/new/score_sheet")
    laptop.get_by_label("round by round").check()
    laptop.get_by_label("everybody for themselves").check()
    laptop.get_by_label("Number of rounds").fill("")
    laptop.get_by_role("button", name="Open the table").click()
    ann = sit(windows, house, laptop, "Ann", java_script_enabled=False)
    menu(laptop)
    laptop.get_by_label("Somebody without a phone").fill("Ben")
    laptop.get_by_role("button", name="Add").click()
    laptop.get_by_role("button", name="Start the game").click()
    ann.get_by_role("link", name="Refresh").click()
    write(ann, 1, 3)
    expect(ann.get_by_role("heading", name="3 written")).to_be_visible()
    ann.reload()
    expect(ann.locator("#history")).to_contain_text("Ann: 3 in round 1.")
    laptop.reload()
    laptop.locator("#acts").get_by_role("link", name="Hand the screen to Ben").click()
    laptop.get_by_role("button", name="I'm Ben").click()
    write(laptop, 1, 5)
    expect(laptop.locator("[data-round='2']")).to_be_visible()
    # A refusal is a page with a sentence.
    ann.reload()
    ann.get_by_text("Fix a mistake").click()
    form = ann.locator("form", has=ann.get_by_role("button", name="Correct"))
    form.get_by_label("Points").fill("4")
    form.get_by_role("button", name="Correct").click()
    expect(ann.locator("#history")).to_contain_text("Ann corrects: 4 instead of 3.")


def test_the_code_on_the_shared_screen_leads_to_the_table(windows, house):
    laptop = open_table(windows, house)
    link = read_qr(laptop.locator(".round-table .qr"))
    assert re.fullmatch(rf"http://[^/]+/t/{code_of(laptop)}\?k=\S+", link)
    phone = windows.phone()
    phone.goto(on_loopback(link, house))
    phone.get_by_label("Your name").fill("Ann")
    phone.get_by_role("button", name="Take a seat").click()
    expect(laptop.locator(".ring")).to_contain_text("Ann")


def test_every_other_page_is_accessible(windows, house, accessible):
    laptop = open_table(windows, house)
    ann = sit(windows, house, laptop, "Ann")
    for window in (windows.phone(), windows.wide()):
        for path in ("/", "/new/score_sheet", "/help/score_sheet", "/nowhere", f"/t/{code_of(laptop)}"):
            window.goto(house.url + path)
            accessible(window)
    menu(laptop)
    accessible(laptop)
    laptop.get_by_role("link", name="Phones can't connect?").click()
    accessible(laptop)
    laptop.get_by_label("Wi-Fi name").fill("Home")
    laptop.get_by_label("Password").fill("secret")
    laptop.get_by_role("button", name="Show the code").click()
    assert read_qr(laptop.locator(".way .qr").first) == "WIFI:T:WPA;S:Home;P:secret;;"
    accessible(laptop)
    laptop.get_by_role("link", name="Back to the table").click()
    menu(laptop)
    laptop.locator(".host-people").get_by_text("Ann", exact=True).click()
    accessible(laptop)
    laptop.get_by_role("link", name="Change the set-up").click()
    accessible(laptop)
    tab(ann, "Mine")
    expect(ann.get_by_role("heading", name="Change your name")).to_be_visible()
    accessible(ann)


def test_what_is_typed_while_a_tap_is_on_its_way_stays(windows, house):
    laptop = open_table(windows, house)
    ann, ben = sit(windows, house, laptop, "Ann"), sit(windows, house, laptop, "Ben")
    laptop.get_by_role("button", name="Start the game").click()
    for phone in (ann, ben):
        write(phone, 1, 5)
    expect(ann.get_by_label("Your points in round 2")).to_be_empty()
    tab(ann, "Mine")
    ann.get_by_text("Fix a mistake").click()
    correction = ann.locator("#fold-mine").get_by_label("Points")
    with slow_wifi(ann):
        write(ann, 2, 6)
        correction.fill("9")
    expect(ann.get_by_role("heading", name="6 written")).to_be_visible()
    write(ben, 2, 7)
    expect(ann.get_by_label("Your points in round 3")).to_be_empty()
    expect(correction).to_have_value("9")


def test_a_form_is_empty_again_when_it_was_accepted_and_keeps_what_was_refused(windows, house):
    laptop = open_table(windows, house, choose="with a running total")
    ann = sit(windows, house, laptop, "Ann")
    sit(windows, house, laptop, "Ben")
    laptop.get_by_role("button", name="Start the game").click()
    points = ann.get_by_label("Points to add")
    points.fill("7")
    ann.get_by_role("button", name="Write down").click()
    expect(ann.locator("#history")).to_contain_text("Ann: +7.")
    expect(points).to_be_empty()
    # But it keeps the next number if somebody has already typed it.
    ann.evaluate(TYPES_AT_ONCE)
    points.fill("8")
    ann.get_by_role("button", name="Write down").click()
    expect(ann.locator("#history")).to_contain_text("Ann: +8.")
    ann.evaluate("new Promise(requestAnimationFrame)")
    expect(points).to_have_value("9")
    points.fill("1000000")
    ann.locator("#you form").first.evaluate("form => form.noValidate = true")
    ann.get_by_role("button", name="Write down").click()
    expect(ann.get_by_role("alert")).to_be_visible()
    expect(points).to_have_value("1000000")


def test_a_refusal_is_read_out_and_the_screen_stays(windows, house, accessible):
    laptop = open_table(windows, house)
    laptop.get_by_role("button", name="Start the game").click()
    expect(laptop.get_by_role("alert")).to_have_text("This game needs 2 to 20 players, and 0 people are here.")
    accessible(laptop)


def test_S7_a_new_demand_is_scrolled_into_view_and_named_in_the_title(windows, house):
    laptop = open_table(windows, house)
    ann, ben = sit(windows, house, laptop, "Ann"), sit(windows, house, laptop, "Ben")
    laptop.get_by_role("button", name="Start the game").click()
    for phone in (ann, ben):
        write(phone, 1, 5)
    write(ann, 2, 6)
    expect(ann.get_by_role("heading", name="6 written")).to_be_visible()
    expect(ann.locator("body")).not_to_have_class(re.compile(r"\basked\b"))
    tab(ann, "History")
    write(ben, 2, 7)
    expect(ann.get_by_label("Your points in round 3")).to_be_in_viewport()
    expect(ann.locator("body")).to_have_class(re.compile(r"\basked\b"))
    expect(ann).to_have_title(re.compile("^● Your points in round 3"))


def test_targets_are_large_enough_for_thumbs(windows, house):
    laptop = open_table(windows, house)
    ann = sit(windows, house, laptop, "Ann")
    sit(windows, house, laptop, "Ben")
    laptop.get_by_role("button", name="Start the game").click()
    expect(ann.get_by_label("Your points in round 1")).to_be_visible()
    for page in (ann, laptop):
        for target in page.locator(
            "button:visible, input:visible:not([type=hidden]), summary:visible, a:visible, select:visible"
        ).all():
            box = target.bounding_box()
            assert box["height"] >= 48, target.inner_text()
            assert box["width"] >= 48, target.inner_text()


def read_qr(locator) -> str:
    """Read the QR code as a phone's camera would, once it is drawn."""
    found = []

    def reads() -> bool:
        found[:] = zxingcpp.read_barcodes(Image.open(io.BytesIO(locator.screenshot())))
        return len(found) == 1

    wait_until(reads, "a code that can be read")
    return found[0].text


def on_loopback(link: str, house) -> str:
    """Return the same link with the loopback address."""
    return re.sub(r"^http://[^/]+", house.url, link)
