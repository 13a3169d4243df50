"""Lobby, seats and links: who sits where, and what opens what."""

from __future__ import annotations

import re
import string
import subprocess
import sys

import pytest
from here import ROOT
from selectolax.lexbor import LexborHTMLParser

from companion.testing import Person, Reply, Seated


def test_the_shelf_shows_every_game_with_its_players(house):
    page = Reply(Person(house.url).get("/"))
    assert page.shows("Score sheet")
    assert page.shows("2 to 20 players")


def test_a_code_has_four_letters_that_cannot_be_misread(house):
    for _ in range(20):
        code = house.opens("score_sheet").code
        assert re.fullmatch(r"[A-HJ-NP-Z]{4}", code)


def test_a_code_is_taken_in_any_case(house):
    table = house.opens("score_sheet")
    person = Person(house.url, follow_redirects=True)
    assert Reply(person.get("/join", params={"code": f" {table.code.lower()} "})).shows("Take a seat")


@pytest.mark.parametrize("name", ["Ann", "Bö", "李小龍", "فاطمة", "🦊", "👩‍👩‍👧‍👦", "O'Neil <b>", "x" * 20])
def test_any_name_sits_down_and_is_escaped(house, name):
    table = house.opens("score_sheet")
    seat = table.sits(name)
    page = table.shared.page()
    assert name in page.text
    assert "<b>" not in page.html
    assert name in seat.page().text


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Please type a name."),
        ("   ", "Please type a name."),
        ("\u200b\u202e", "Please type a name."),
        ("x" * 21, "That name is too long: at most 20 characters."),
        (" ann ", "Somebody at this table is already called ann. Choose another name."),
        (
            "A\u2060n\u3164n\ufe0f",
            "Somebody at this table is already called A\u2060n\u3164n\ufe0f. Choose another name.",
        ),
        ("ＡＮＮ", "Somebody at this table is already called ＡＮＮ. Choose another name."),
    ],
)
def test_a_bad_name_gets_a_clear_sentence(house, name, sentence):
    table = house.opens("score_sheet")
    table.sits("Ann")
    reply = Reply(Person(house.url).post(f"/t/{table.code}", data={"name": name}))
    assert (reply.status, reply.message) == (422, sentence)
    assert table.shared.shows("1 player so far")


def test_the_same_phone_scanning_again_goes_back_to_its_own_seat(house):
    table = house.opens("score_sheet")
    ann = table.sits("Ann")
    again = ann.client.get(f"/t/{table.code}")
    assert again.status_code == 303
    assert again.headers["location"] == ann.path


def test_sending_the_name_twice_takes_one_seat(house):
    table = house.opens("score_sheet")
    form = {"name": "Ann", "nonce": "0123456789abcdef"}
    first = Person(house.url).post(f"/t/{table.code}", data=form)
    second = Person(house.url).post(f"/t/{table.code}", data=form)
    assert first.headers["location"] == second.headers["location"]
    assert table.shared.shows("1 player so far")


def test_chairs_can_be_moved_to_match_the_table(seated):
    table = seated("score_sheet", players=3, start=False)
    table.shared.presses("↓ Move down one chair", seat=table["Ann"].seat)
    order = [node.text(strip=True) for node in LexborHTMLParser(table["Ben"].page().html).css(".seats bdi")]
    assert order == ["Ben", "Ann", "Cleo"]
    table.shared.presses("↑ Move up one chair", seat=table["Ben"].seat)
    order = [node.text(strip=True) for node in LexborHTMLParser(table["Ben"].page().html).css(".seats bdi")]
    assert order == ["Ann", "Cleo", "Ben"]


def test_moving_a_seat_kills_the_old_link_and_its_stream_at_once(seated):
    table = seated("score_sheet")
    ann = table["Ann"]
    stream = ann.listens()
    stream.frame()
    table.shared.presses("Move this seat to another phone", seat=ann.seat)
    assert stream.ended()
    old = Reply(ann.client.get(ann.path))
    assert old.status == 403
    assert old.shows("Your seat may be on another phone now")
    assert Reply(ann.client.post(ann.path, data={"tap": "Enter", "points": "3"})).status == 403
    assert ann.client.get(f"{ann.path}/live").status_code == 403
    assert table.shared.shows("Scan this with the other phone to play as Ann.")


def new_link(table, seat: int) -> str:
    """The newest link of a seat, as its QR code would say it."""
    from companion.engine.links import Links, read_keys

    old = table.people[next(name for name, who in table.people.items() if who.seat == seat)].path
    table_id, _, generation, _ = old.rpartition("/")[2].split(".")
    links = Links(read_keys(table.house.data / "key"))
    return f"/s/{links.sign(table_id, seat, int(generation) + 1)}"


def test_the_new_phone_takes_over_and_the_code_disappears(seated):
    table = seated("score_sheet")
    seat = table["Ann"].seat
    table.shared.presses("Move this seat to another phone", seat=seat)
    phone = Seated(table.house, Person(table.house.url), new_link(table, seat), "Ann")
    assert phone.presses("I'm here on this phone").status == 200
    assert phone.presses("Write down", points=4).status == 200
    assert not table.shared.shows("Scan this with the other phone")
    assert table.shared.shows("Ann is here on a phone.")
    assert phone.client.get(f"/t/{table.code}").headers["location"] == phone.path


def test_every_single_character_change_of_a_link_is_refused(house):
    table = house.opens("score_sheet")
    ann = table.sits("Ann")
    door, token = ann.path[:3], ann.path[3:]
    client = Person(house.url)
    for place in range(len(token)):
        for letter in (
            (set(string.ascii_letters + string.digits + "-_.~") - {token[place]})
            if place > len(token) - 3
            else {
                "A" if token[place] != "A" else "B",
                "." if token[place] != "." else "-",
            }
        ):
            changed = token[:place] + letter + token[place + 1 :]
            assert client.get(door + changed).status_code in (403, 404), changed
    assert client.get(ann.path).status_code == 200


def test_every_spelling_of_a_link_s_last_letters_is_refused(house):
    from companion.engine.links import BadLink, Links
    from companion.game import Seat

    links = Links(["a key"])
    token = links.sign("abcdef", Seat(3), 1)
    for place in range(len(token)):
        for letter in set(string.printable) - {token[place]}:
            with pytest.raises(BadLink):
                links.read(token[:place] + letter + token[place + 1 :])


def test_a_bad_link_never_says_whether_the_table_exists(house):
    table = house.opens("score_sheet")
    ann = table.sits("Ann")
    client = Person(house.url)
    own = ann.path.rpartition("/")[2].split(".")[0]
    real, unreal = (client.get(f"/s/{one}.1.1.{'A' * 43}") for one in (own, "0" * 12))
    assert real.status_code == unreal.status_code == 403
    assert real.text == unreal.text
    assert client.get("/t/ZZZZ").text == client.get("/t/NOPE").text


def test_a_seat_s_link_does_not_open_the_shared_screen(house):
    table = house.opens("score_sheet")
    ann = table.sits("Ann")
    assert ann.client.get(ann.path.replace("/s/", "/x/")).status_code == 403
    assert ann.client.get(table.shared.path.replace("/x/", "/s/")).status_code == 403


def test_links_of_an_older_key_work_until_it_is_dropped(own_house):
    table = own_house.opens("score_sheet")
    ann = table.sits("Ann")
    for options, expected in (((), 200), (("--drop-older",), 403)):
        own_house.command("new-key", *options)
        # The running companion reads keys that were wrapped with the new one.
        assert own_house.visitor().get(table.shared.path).status_code == 200
        own_house.stop()
        own_house.start()
        assert ann.client.get(ann.path).status_code == expected
    listed = own_house.command("tables")
    assert "gathering" in listed
    assert "Ann" in listed


def test_the_key_is_readable_by_its_owner_only(own_house):
    assert (own_house.data / "key").stat().st_mode & 0o777 == 0o600
    if not own_house.database:
        assert (own_house.data / "companion.sqlite").stat().st_mode & 0o777 == 0o600


def test_guessing_codes_is_slowed_down_but_scanning_is_not(tmp_path):
    from companion.testing import House

    house = House(tmp_path / "data", COMPANION_TRIES="5").start()
    try:
        table = house.opens("score_sheet")
        client = Person(house.url)
        answers = [client.get(f"/t/ZZZ{letter}").status_code for letter in "ABCDEFG"]
        assert answers == [404] * 5 + [429] * 2
        assert client.get(f"/t/{table.code}").status_code == 429
        from companion.engine.links import Links, read_keys

        proof = Links(read_keys(house.data / "key")).sign_join(table.code)
        assert client.get(f"/t/{table.code}", params={"k": proof}).status_code == 200
        assert client.get(f"/t/{table.code}", params={"k": proof[:-1] + "!"}).status_code == 429
    finally:
        house.kill()


def test_joining_closes_when_the_game_starts_and_a_latecomer_may_watch(seated):
    table = seated("secret_ballot")
    late = Person(table.house.url)
    page = late.get(f"/t/{table.code}")
    assert Reply(page).shows("You can watch")
    assert late.post(f"/t/{table.code}", data={"name": "Zoe"}).status_code == 422
    watch = LexborHTMLParser(page.text).css_first("a[href*='/w/']").attributes["href"]
    watcher = Seated(table.house, late, watch)
    assert watcher.shows("0 of 3 have answered")
    assert late.post(watch, data={"tap": "Knock"}).status_code == 405


def test_a_latecomer_is_seated_between_rounds(seated):
    table = seated("score_sheet", players=2)
    table["Ann"].presses("Write down", points=1)
    late = Person(table.house.url)
    refused = Reply(late.post(f"/t/{table.code}", data={"name": "Zoe"}))
    assert "A round has started" in refused.message
    table["Ben"].presses("Write down", points=2)
    table.sits("Zoe")
    assert table["Zoe"].presses("Write down", points=9).status == 200
    assert table.shared.shows("Zoe: 9 in round 2.")


def test_a_latecomers_arrival_cannot_be_taken_back(seated):
    table = seated("score_sheet", players=2)
    for somebody in table:
        somebody.presses("Write down", points=1)
    assert "Take back" in table.shared.page().html
    table.sits("Zoe")
    assert "Take back" not in table.shared.page().html
    assert table.shared.taps("TakeBack").message == "There is nothing to take back."
    assert table["Zoe"].presses("Write down", points=9).status == 200


def test_host_rights_can_be_given_and_taken_over(seated):
    table = seated("score_sheet")
    assert table["Ben"].taps("EndTable").message == "Only the host can do that."
    table.shared.presses("Make host", seat=table["Ben"].seat)
    assert table["Ben"].shows("End the table")
    assert table.shared.taps("EndTable").message == "Only the host can do that."
    assert table["Ann"].taps("TakeHost").status == 422
    assert table.shared.presses("Make the shared screen the host again").status == 200
    assert table["Ben"].taps("EndTable").status == 422


def test_the_host_can_lose_the_phone_and_the_table_goes_on(seated):
    table = seated("score_sheet")
    table.shared.presses("Make host", seat=table["Ben"].seat)
    assert table.shared.presses("Move this seat to another phone", seat=table["Ben"].seat).status == 200
    phone = Seated(table.house, Person(table.house.url), new_link(table, table["Ben"].seat), "Ben")
    assert phone.shows("End the table")


def test_the_host_changes_the_set_up_before_the_start(seated):
    table = seated("score_sheet", players=2, start=False)
    form = {"mode": "rounds", "scorer": "everyone", "wins": "low", "rounds": "2", "target": ""}
    assert table.shared.client.post(f"{table.shared.path}/setup", data=form).status_code == 303
    table.starts()
    assert table["Ann"].shows("Fewest points win.")
    assert table.shared.client.post(f"{table.shared.path}/setup", data=form | {"wins": "high"}).status_code == 303
    assert table["Ann"].shows("Fewest points win.")


def test_the_host_removes_somebody(seated):
    table = seated("score_sheet")
    ben = table["Ben"]
    table.shared.presses("Remove from the table", seat=ben.seat)
    assert ben.client.get(ben.path).status_code == 403
    assert table.shared.shows("Ben leaves the table.")


def test_an_ended_table_takes_no_taps_but_can_be_read(seated):
    table = seated("score_sheet")
    table["Ann"].presses("Write down", points=3)
    table.shared.presses("Yes, end it")
    assert table["Ben"].taps("Enter", points=4).message == "This table has ended."
    assert table["Ben"].shows("This table has ended.")
    assert table["Ben"].shows("Ann: 3 in round 1.")


def test_somebody_without_a_phone_writes_on_the_shared_screen(seated):
    table = seated("score_sheet", players=1, start=False)
    table.adds("Grandma")
    table.starts()
    passed = table.hands_to(2)
    assert passed.cover.shows("Hand the screen to Grandma")
    assert not passed.cover.shows("Write down")
    reply = passed.presses("Write down", points=8)
    assert reply.response.headers["hx-redirect"] == table.shared.path
    assert table["Ann"].shows("Grandma: 8 in round 1.")


def test_the_shared_screen_never_opens_a_seat_that_has_a_phone(seated):
    table = seated("secret_ballot")
    seat = table["Ann"].seat
    for path, data in ((f"pass/{seat}", {"taps": "0"}), (f"seat/{seat}", {"tap": "Cast", "word": "owl"})):
        reply = Reply(table.shared.client.post(f"{table.shared.path}/{path}", data=data))
        assert reply.status == 422
        assert "only opens there" in reply.text
    assert table.shared.client.get(f"{table.shared.path}/pass/{seat}").status_code == 422


def test_a_cover_drawn_before_the_last_tap_opens_nothing(seated):
    table = seated("secret_ballot", players=1, start=False)
    table.adds("Grandma")
    table.starts()
    passed = table.hands_to(2)
    assert "Your word" in passed.html
    passed.presses("DONE", word="owl")
    again = table.shared.client.post(passed.path, data={"taps": "0"})
    assert "I'm Grandma" in again.text
    assert "You have answered" not in again.text


def test_S15_the_screen_goes_from_hand_to_hand_until_all_have_chosen(house):
    table = house.opens("secret_ballot")
    for name in ("Ann", "Ben", "Cleo"):
        table.adds(name)
    table.starts()
    reply = table.hands_to(2).presses("DONE", word="owl")
    assert reply.shows("Hand the screen to Cleo")
    assert str(reply.response.url).endswith(f"{table.shared.path}/pass/3")  # so a reload shows it again
    reply = table.hands_to(3).presses("DONE", word="owl")
    assert reply.shows("Hand the screen to Ann")
    reply = table.hands_to(1).presses("DONE", word="owl")
    assert reply.response.headers["hx-redirect"] == table.shared.path


def test_a_seat_without_a_phone_can_be_given_one(seated):
    table = seated("score_sheet", players=1, start=False)
    table.adds("Grandma")
    table.starts()
    assert table.shared.presses("Give this seat a phone", seat=2).status == 200
    assert table.shared.shows("Scan this with the other phone to play as Grandma.")
    assert table.shared.client.get(f"{table.shared.path}/pass/2").status_code == 422


def test_a_dead_phone_s_seat_goes_on_on_the_shared_screen(seated):
    table = seated("secret_ballot", players=2)
    ann = table["Ann"]
    table.shared.presses("Play on the shared screen instead", seat=ann.seat)
    assert ann.client.get(ann.path).status_code == 403
    assert table["Ben"].shows("Ann now plays on the shared screen.")
    table.hands_to(ann.seat).presses("DONE", word="owl")
    assert table.shared.shows("1 of 2 have answered")


def test_phones_that_cannot_connect_find_every_address_and_the_wifi(house):
    table = house.opens("score_sheet")
    page = Reply(table.shared.client.get(f"{table.shared.path}/phones"))
    assert page.shows("guest Wi-Fi")
    assert page.shows("firewall")
    assert page.shows("mobile data")
    assert page.html.count('class="qr"') >= 1
    made = Reply(table.shared.client.post(f"{table.shared.path}/phones", data={"name": "Home;1", "password": "s3cret"}))
    assert made.shows("Scan to join Home;1")
    assert "s3cret" not in made.html
    assert "s3cret" not in table.shared.client.get(f"{table.shared.path}/phones").text


def test_companions_that_start_together_in_an_empty_folder_sign_with_the_same_key(tmp_path):
    path = tmp_path / "data" / "key"
    script = (
        f"from pathlib import Path; from companion.engine.links import read_keys; print(read_keys(Path({str(path)!r})))"
    )
    starting = [
        subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(10)
    ]
    keys = {process.communicate()[0] for process in starting}
    assert len(keys) == 1
    assert [file.name for file in path.parent.iterdir()] == ["key"]
    assert path.stat().st_mode & 0o777 == 0o600
