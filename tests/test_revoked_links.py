"""A replaced link opens nothing, and no earlier request leads to the new one."""

from __future__ import annotations

import re

import pytest
from secret_ballot import GAME, Setup
from selectolax.lexbor import LexborHTMLParser
from test_seats import new_link

from companion.engine.links import BadLink, Link
from companion.engine.nights import Nights
from companion.engine.reader import BoundedDict
from companion.engine.room_rules import NewLink, Start
from companion.engine.snapshot import encode
from companion.game import TABLE, NotAllowed
from companion.storage.sqlite import SqliteStore
from companion.testing import Person, Reply, Seated, Table, form_fields, tables_of

TAKEN = "This seat is taken. Ask the host to move it to this phone."
FORM = {"name": "Zoe", "nonce": "0123456789abcdef"}


def sits_with(table: Table) -> Seated:
    """Somebody sits down; return also the form that they sent."""
    client = Person(table.house.url)
    reply = client.post(f"/t/{table.code}", data=FORM)
    assert reply.status_code == 303, Reply(reply).message
    table.people["Zoe"] = Seated(table.house, client, reply.headers["location"], "Zoe")
    return table["Zoe"]


def version(table: Table) -> int:
    return int(re.search(r'data-version="(\d+)"', table.shared.page().html).group(1))


@pytest.mark.parametrize("button", ["Move this seat to another phone", "Play on the shared screen instead"])
def test_the_first_form_of_a_moved_seat_does_not_lead_to_it(seated, button):
    table = seated("score_sheet", players=2, start=False)
    zoe = sits_with(table)
    assert table.shared.presses(button, seat=zoe.seat).status == 200
    for client in (zoe.client, Person(table.house.url)):
        reply = client.post(f"/t/{table.code}", data=FORM)
        assert (reply.status_code, Reply(reply).message) == (422, TAKEN)
        assert "location" not in reply.headers
        assert "seat-" not in str(reply.headers.get_list("set-cookie"))


def test_the_first_form_of_a_seat_that_has_tapped_does_not_lead_to_it(seated):
    table = seated("score_sheet", players=2, start=False)
    zoe = sits_with(table)
    assert zoe.taps("Rename", seat=zoe.seat, name="Zora").status == 200
    assert Reply(Person(table.house.url).post(f"/t/{table.code}", data=FORM)).message == TAKEN


def test_the_first_form_of_somebody_who_was_removed_leads_nowhere(seated):
    table = seated("score_sheet", players=2, start=False)
    zoe = sits_with(table)
    table.shared.presses("Remove from the table", seat=zoe.seat)
    reply = Person(table.house.url).post(f"/t/{table.code}", data=FORM)
    assert (reply.status_code, Reply(reply).message) == (422, "Nobody sits there any more.")


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tables(tmp_path, clock):
    return tables_of(SqliteStore(tmp_path / "file.sqlite"), {GAME.name: GAME}, clock=clock)


def test_a_form_is_answered_again_for_a_minute(tables, clock):
    table = tables.open(GAME, Setup()).id
    _, seat = tables.sit(table, "Ann", "nonce")
    clock.now += 59
    assert tables.sit(table, "Ann", "nonce")[1] == seat
    clock.now += 2
    with pytest.raises(NotAllowed, match="This seat is taken"):
        tables.sit(table, "Ann", "nonce")


def test_a_screen_s_new_link_is_given_out_again_for_a_minute(tables, clock):
    table = tables.open(GAME, Setup()).id
    old = Link(table, TABLE, 1)
    assert tables.renew_screen(old, "nonce") == tables.renew_screen(old, "nonce") == Link(table, TABLE, 2)
    clock.now += 61
    with pytest.raises(BadLink):
        tables.renew_screen(old, "nonce")


# -------------------------------------------------------------------------------- looking moves nothing


def test_a_link_that_is_looked_at_moves_nothing(seated):
    table = seated("score_sheet")
    seat = table["Ann"].seat
    table.shared.presses("Move this seat to another phone", seat=seat)
    path, before = new_link(table, seat), version(table)
    looker = Person(table.house.url)
    assert looker.head(path).status_code == 200
    for headers in ({}, {"Sec-Purpose": "prefetch"}, {"User-Agent": "WhatsApp/2.23"}):
        assert looker.get(path, headers=headers).status_code == 200
    assert (version(table), table.shared.shows("Scan this with the other phone to play as Ann.")) == (before, True)
    phone = Seated(table.house, Person(table.house.url), path, "Ann")
    assert phone.presses("I'm here on this phone").status == 200
    assert not table.shared.shows("Scan this with the other phone")
    assert table.shared.shows("Ann is here on a phone.")
    assert "I'm here on this phone" not in phone.page().html
    assert phone.taps("Arrive").message == "You're already here."


def test_no_get_changes_anything(seated):
    table = seated("score_sheet", players=2)
    seat = table["Ann"].seat
    table.shared.presses("Move this seat to another phone", seat=seat)
    moved, before = new_link(table, seat), version(table)
    pages = (
        "",
        "/history",
        "/night",
        "/night.csv",
        "/night.json",
        "/night.svg",
        "/setup",
        "/next",
        "/renew",
        "/phones",
        "/pass/2",
    )
    for path in (f"/t/{table.code}", *(f"{link}{page}" for link in (moved, table.shared.path) for page in pages)):
        for method in ("GET", "HEAD"):
            assert Person(table.house.url).request(method, path).status_code < 500
    assert version(table) == before


def test_without_scripts_a_button_says_that_the_phone_is_here(windows, seated):
    table = seated("score_sheet")
    table.shared.presses("Move this seat to another phone", seat=table["Ann"].seat)
    phone = windows.phone(java_script_enabled=False)
    phone.goto(f"{table.house.url}{new_link(table, table['Ann'].seat)}")
    assert table.shared.shows("Scan this with the other phone to play as Ann.")
    phone.get_by_role("button", name="I'm here on this phone").click()
    phone.locator("#history").get_by_text("Ann is here on a phone.").wait_for()


def test_with_scripts_the_page_says_it_by_itself(windows, seated):
    table = seated("score_sheet")
    table.shared.presses("Move this seat to another phone", seat=table["Ann"].seat)
    phone = windows.phone()
    phone.goto(f"{table.house.url}{new_link(table, table['Ann'].seat)}")
    phone.locator("#history").get_by_text("Ann is here on a phone.").wait_for(state="attached")
    assert phone.get_by_role("button", name="I'm here on this phone").count() == 0


# -------------------------------------------------------------------------------- the shared screen's own link


def renews(table: Table) -> tuple[str, dict[str, object]]:
    """Renew the shared screen's link; return the old link and the form that was sent."""
    old = table.shared.path
    form = form_fields(LexborHTMLParser(table.shared.client.get(f"{old}/renew").text).css_first("form"))
    reply = table.shared.client.post(f"{old}/renew", data=form)
    assert reply.status_code == 303
    table.shared.path = reply.headers["location"]
    return old, form


def test_a_renewed_screen_shuts_out_everybody_with_the_old_link(seated):
    table = seated("score_sheet", players=2)
    finds = LexborHTMLParser(Person(table.house.url).get(f"/t/{table.code}").text)
    watch = finds.css_first("a[href*='/w/']").attributes["href"]
    streams = [table.shared.listens(), table.house.stream(f"{watch}/live")]
    for stream in streams:
        stream.frame()
    assert "/renew" in table.shared.page().html
    old, _ = renews(table)
    assert all(stream.ended() for stream in streams)
    stranger = Person(table.house.url)
    for page in ("", "/live", "/history", "/night", "/night.csv", "/next", "/setup", "/renew", "/phones"):
        assert stranger.get(f"{old}{page}").status_code == 403, page
    assert stranger.get(watch).status_code == 403
    for path, data in (("", {"tap": "EndTable"}), ("/delete", {"what": "night"}), ("/again", {}), ("/pass/1", {})):
        assert stranger.post(f"{old}{path}", data=data).status_code == 403, path
    assert table.shared.shows("The shared screen has a new link.")
    assert table.shared.presses("Yes, end it").status == 200
    assert table.shared.client.get("/").text.count(table.shared.path)
    assert old not in table.shared.client.get("/").text


def test_the_screen_that_asked_goes_on_and_the_other_one_is_told(windows, seated, accessible):
    table = seated("score_sheet", players=2)
    laptop, other = windows.wide(), windows.wide()
    for screen in (laptop, other):
        screen.goto(f"{table.house.url}{table.shared.path}")
        screen.locator("body:not(.offline)").wait_for()
    laptop.keyboard.press("h")
    laptop.get_by_role("link", name="Renew this screen's link").click()
    accessible(laptop)
    laptop.get_by_role("button", name="Renew the link").click()
    other.get_by_role("heading", name="This link doesn't work any more").wait_for()
    assert table["Ann"].presses("Write down", points=7).status == 200
    laptop.locator("#history").get_by_text("Ann: 7 in round 1.").wait_for(state="attached")


def test_a_form_for_a_new_link_that_is_sent_twice_gets_the_same_one(seated):
    table = seated("score_sheet", players=2)
    old, form = renews(table)
    again = table.shared.client.post(f"{old}/renew", data=form)
    assert (again.status_code, again.headers["location"]) == (303, table.shared.path)
    # Somebody with the old link does not know what the form said.
    for data in ({}, {"nonce": ""}, {"nonce": "\0" * 9}, {"nonce": "\0é" * 99}, {"nonce": "0" * 32}):
        assert Person(table.house.url).post(f"{old}/renew", data=data).status_code in (403, 422)
    renews(table)
    assert Person(table.house.url).post(f"{old}/renew", data=form).status_code == 403


def test_a_seat_does_not_renew_the_screen_s_link(seated):
    table = seated("score_sheet", players=2)
    ann = table["Ann"]
    for path in (ann.path, ann.path.replace("/s/", "/x/")):
        assert ann.client.post(f"{path}/renew", data={"nonce": "1"}).status_code in (403, 404)
    assert table.shared.page().status == 200


def test_an_old_link_of_the_screen_stays_dead_in_the_next_game(seated):
    table = seated("score_sheet", players=2, rounds=1)
    old, _ = renews(table)
    for somebody in table:
        somebody.presses("Write down", points=1)
    table.plays_again()
    for path in (old, f"{old}/night", f"{old}/night.csv"):
        assert Person(table.house.url).get(path).status_code == 403
    late = Person(table.house.url)
    table.starts()
    watch = LexborHTMLParser(late.get(f"/t/{table.code}").text).css_first("a[href*='/w/']").attributes["href"]
    assert late.get(watch).status_code == 200


def test_a_tap_on_its_way_from_an_old_screen_counts_for_nothing(tables):
    table = tables.open(GAME, Setup()).id
    _, seat = tables.sit(table, "Ann")
    old = Link(table, TABLE, 1)
    newer = tables.renew_screen(old, "nonce")
    with pytest.raises(BadLink):
        tables.act(table, TABLE, NewLink(seat=seat), link=old)
    assert tables.act(table, TABLE, NewLink(seat=seat), link=newer)


def test_an_old_link_of_the_screen_does_not_open_an_archived_night(tables):
    table = tables.open(GAME, Setup()).id
    for name in ("Ann", "Ben"):
        tables.sit(table, name)
    tables.act(table, TABLE, Start())
    old = Link(table, TABLE, 1)
    newer = tables.renew_screen(old, "nonce")
    nights = Nights(tables, BoundedDict(1))
    assert not nights.opens_archived(table, newer)  # it is not archived: the link opens the table itself
    tables.store.archive({table: encode(nights.of(table)[0])})
    tables.reader.cache.clear()
    assert nights.opens_archived(table, newer)
    assert not nights.opens_archived(table, old)
