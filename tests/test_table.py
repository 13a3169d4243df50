"""What the engine promises for every game: taps, versions, taking back, burning, secrecy."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from secret_ballot import GAME as BALLOT
from secret_ballot import Box, Setup

from companion.game import Line, Say, Seat
from companion.testing import Easel


def test_a_double_tap_counts_once(seated):
    table = seated("score_sheet", mode="running")
    ann = table["Ann"]
    for _ in range(3):
        assert ann.taps("Enter", tap_id="0.abc", points=5).status == 200
    assert table.shared.lines().count("Ann: +5.") == 1


def test_a_tap_sent_again_after_a_burn_does_not_count_again(seated):
    """Its id was burnt with its state, so the server only knows that the tap is old."""
    table = seated("secret_ballot", players=2)
    for somebody in table:
        assert somebody.taps("Cast", tap_id="0.abc", word="owl").status == 200
    assert table["Ben"].taps("Open", tap_id="1.abc").status == 200
    again = table["Ann"].taps("Cast", tap_id="0.abc", word="owl")
    assert (again.status, again.message) == (422, "The game has moved on since then. Please tap again.")
    assert table.shared.shows("0 of 2 have answered")
    assert table["Ann"].presses("DONE", word="fox").status == 200


def test_the_form_drawn_after_a_tap_is_a_new_one(seated):
    table = seated("score_sheet", mode="running")
    for _ in range(3):
        table["Ann"].presses("Write down", points=5)
    assert table["Ann"].lines().count("Ann: +5.") == 3


def test_other_people_s_taps_leave_my_form_as_it_is(seated):
    table = seated("score_sheet", mode="running")
    mine = re.search(r'name="tap_id" value="[^"]+"', table["Ann"].page().html).group()
    table["Ben"].presses("Write down", points=5)
    assert mine in table["Ann"].page().html


def test_two_identical_taps_at_the_same_instant_count_once(seated):
    table = seated("score_sheet", mode="running")
    with ThreadPoolExecutor(2) as pool:
        replies = list(pool.map(lambda _: table["Ann"].taps("Enter", tap_id="0.1", points=3), range(2)))
    assert [reply.status for reply in replies] == [200, 200]
    assert replies[0].text == replies[1].text
    assert table.shared.lines().count("Ann: +3.") == 1


def test_eight_different_taps_at_the_same_instant_all_count(seated):
    table = seated("score_sheet", players=8, mode="running")
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda seat: seat.presses("Write down", points=seat.seat), table))
    assert {reply.status for reply in replies} == {200}
    for seat in table:
        assert seat.shows(f"{seat.name}: +{seat.seat}.")


def test_the_person_who_did_it_can_take_it_back_while_nothing_came_after(seated):
    table = seated("score_sheet", mode="running")
    table["Ann"].presses("Write down", points=5)
    assert not table["Ben"].shows("Take back")
    assert table["Ben"].taps("TakeBack").status == 422
    assert table["Ann"].presses("Take back").status == 200
    for seat in table:
        assert seat.shows("Ann takes back: Ann: +5.")
    table["Ann"].presses("Write down", points=6)
    table["Ben"].presses("Write down", points=7)
    assert not table["Ann"].shows("Take back")
    assert table["Ann"].taps("TakeBack").message == "Only the host or the person who did it can take that back."


def test_the_host_can_take_back_step_after_step_to_the_gathering(seated):
    table = seated("score_sheet", players=2, mode="running")
    table["Ann"].presses("Write down", points=5)
    table["Ben"].presses("Write down", points=7)
    for words in ("Ben: +7.", "Ann: +5.", "The game starts."):
        assert table.shared.presses("Take back").shows(f"The table takes back: {words}")
    assert table["Ann"].shows("You have a seat")
    assert table.shared.taps("TakeBack").message == "There is nothing to take back."


def test_a_roll_cannot_be_taken_back(seated):
    table = seated("secret_ballot")
    table["Ann"].presses("Knock")
    table["Ann"].presses("Roll")
    assert not table.shared.shows("Take back")
    assert table.shared.taps("TakeBack").status == 422
    table["Ann"].presses("Knock")
    assert table.shared.presses("Take back").status == 200
    assert table.shared.taps("TakeBack").status == 422


def test_a_ballot_and_its_reveal_cannot_be_taken_back(seated):
    table = seated("secret_ballot", players=2)
    table["Ann"].presses("DONE", word="owl")
    assert table["Ann"].taps("TakeBack").status == 422
    table["Ben"].presses("DONE", word="fox")
    table.shared.presses("Open the box")
    assert table.shared.taps("TakeBack").status == 422


def test_a_slip_is_burnt_when_the_box_is_opened(own_house):
    table = own_house.opens("secret_ballot")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    table["Ann"].presses("DONE", word="nightingale")
    assert b"nightingale" not in own_house.database_bytes(), "nothing secret is ever readable there"
    table["Ben"].presses("DONE", word="kingfisher")
    table["Ann"].presses("Open the box")
    assert b"nightingale" not in own_house.database_bytes()
    assert b"kingfisher" not in own_house.database_bytes()
    history = table.shared.client.get(f"{table.shared.path}/history").text
    assert "The box is opened: 2 different words." in history
    assert "nightingale" not in history + own_house.log.read_text()


@pytest.fixture
def two_boxes() -> tuple[Box, Box]:
    """Two ballot boxes that differ only in what Ann wrote."""
    box = Box(Setup(), (Seat(1), Seat(2), Seat(3)))
    return (
        msgspec.structs.replace(box, slips={Seat(1): "owl"}),
        msgspec.structs.replace(box, slips={Seat(1): "an eagle of a word"}),
    )


@pytest.mark.parametrize("seat", [-1, 0, 1, 2, 3])
def test_a_slip_tells_nobody_anything(easel: Easel, two_boxes, seat):
    one, other = (easel.draw(BALLOT, box, seat) for box in two_boxes)
    assert one == other
    assert "owl" not in one


def test_a_secret_tap_leaves_no_line_and_no_name(seated):
    table = seated("secret_ballot")
    before = table.shared.client.get(f"{table.shared.path}/history").text
    table["Ann"].presses("DONE", word="owl")
    assert table.shared.client.get(f"{table.shared.path}/history").text == before
    assert table.shared.shows("1 of 3 have answered")


def test_a_line_for_one_seat_reaches_that_seat_only(seated):
    table = seated("secret_ballot")
    table["Ann"].taps("Whisper", to=table["Ben"].seat)
    assert table["Ben"].shows("Ann whispers to you.")
    assert "whispers" in table["Ben"].client.get(f"{table['Ben'].path}/history").text
    for other in (table.shared, table["Ann"], table["Cleo"]):
        assert not other.shows("whispers")
        assert "whispers" not in other.client.get(f"{other.path}/history").text


def test_a_line_for_one_seat_is_drawn_for_that_seat_only(easel: Easel):
    box = Box(Setup(), (Seat(1), Seat(2)))
    secret = (Line(Say("psst"), to=(Seat(2),)),)
    assert "psst" in easel.draw(BALLOT, box, 2, lines=secret)
    assert easel.draw(BALLOT, box, 1, lines=secret) == easel.draw(BALLOT, box, 1)
    assert easel.draw(BALLOT, box, 0, lines=secret) == easel.draw(BALLOT, box, 0)


def test_whispers_to_others_push_nothing_off_my_screen(seated):
    table = seated("secret_ballot")
    before, whole = table["Cleo"].lines(), table["Cleo"].client.get(f"{table['Cleo'].path}/history").text
    for n in range(30):
        table["Ann"].taps("Whisper", tap_id=f"{n}.1", to=table["Ben"].seat)
    assert table["Cleo"].lines() == table.shared.lines() == before
    assert table["Cleo"].client.get(f"{table['Cleo'].path}/history").text == whole
    assert table["Ben"].lines() == ["Ann whispers to you."] * 12


def test_an_alarm_rings_by_itself(seated):
    table = seated("secret_ballot")
    stream = table["Ben"].listens()
    table["Ann"].taps("Hurry")
    stream.until("Time is up.")
    assert table.shared.shows("Late")


def test_a_bug_in_a_rule_is_a_500_and_the_table_goes_on(seated):
    table = seated("secret_ballot")
    before = table.shared.screen()
    reply = table["Ann"].taps("Stumble")
    assert reply.status == 500
    assert "Nothing is lost" in reply.message
    assert table.shared.screen() == before
    assert table["Ann"].presses("Knock").status == 200


def test_a_refusal_is_a_sentence_and_changes_nothing(seated):
    table = seated("secret_ballot")
    before = table.shared.screen()
    reply = table["Ann"].presses("Open the box")
    assert (reply.status, reply.message) == (422, "Not everybody has answered.")
    assert table.shared.screen() == before


def test_a_person_who_is_away_is_not_waited_for(seated):
    table = seated("secret_ballot", players=2)
    table["Ann"].presses("DONE", word="owl")
    assert table.shared.presses("Mark as away", seat=table["Ben"].seat).status == 200
    assert table["Ben"].shows("You are marked as away.")
    assert table.shared.presses("Open the box").status == 200


def test_nobody_leaves_a_game_that_has_no_rule_for_it(seated):
    table = seated("secret_ballot")
    reply = table.shared.presses("Remove from the table", seat=table["Ben"].seat)
    assert reply.status == 422
    assert "Mark Ben as away" in reply.message


def test_the_history_pages_back_to_the_first_line(seated):
    table = seated("score_sheet", mode="running", players=2)
    for n in range(120):
        table["Ann"].taps("Enter", tap_id=f"{n}.1", points=n)
    page = table["Ann"].client.get(f"{table['Ann'].path}/history").text
    older = re.search(r'href="([^"]+before=\d+)"', page).group(1)
    page = table["Ann"].client.get(older).text
    assert "The table is open." in page
    assert "The game starts." in page


def test_sentences_are_the_same_if_they_read_the_same():
    assert Say("{name} knocks.", name=Seat(3)) == Say("{name} knocks.", name=Seat(3))
    assert Say("{name} knocks.", name=Seat(3)) != Say("{name} knocks.", name=3)
    assert Say("Taken back: {what}", what=Say("{n}", n=Seat(1))) != Say("Taken back: {what}", what=Say("{n}", n=1))
    assert Say("{name} knocks.", name=Seat(3)) != Say("{name} knocks.", name=Seat(4))
    assert Say("Again.") != Say("Again?")
