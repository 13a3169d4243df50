"""A night: the same people play several games without scanning again."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from companion.testing import Person, Reply, Seated, Table, form_fields, text_of


def finished(table: Table, *points: int) -> Table:
    """A finished score sheet of one round."""
    for seat, mine in zip(table, points, strict=True):
        assert seat.presses("Write down", points=mine).status == 200
    return table


def test_every_old_link_opens_the_newest_table(seated):
    table = finished(seated("score_sheet", players=3, rounds=1), 5, 3, 1)
    first = [seat.path for seat in (table.shared, *table)]
    table.plays_again().starts()
    finished(table, 1, 2, 9)
    second = [seat.path for seat in (table.shared, *table)]
    table.plays_again().starts()
    third = [seat.path for seat in (table.shared, *table)]
    assert not set(first) & set(second)
    for seat, old, older in zip((table.shared, *table), second, first, strict=True):
        for path in (old, older):
            assert Seated(seat.house, seat.client, path).moves_on() in third
    assert table["Cleo"].presses("Write down", points=4).status == 200


def test_people_keep_their_seats_names_and_host(seated):
    table = seated("score_sheet", players=3, rounds=1)
    table.shared.presses("Make host", seat=2)
    finished(table, 5, 3, 1)
    assert table["Ann"].page().shows("this screen follows by itself")
    assert table["Ben"].presses("Play again").status == 200
    table.moves_on()
    assert [seat.seat for seat in table] == [1, 2, 3]
    assert table.shared.shows("3 players so far")
    assert table["Ben"].presses("Start the game").status == 200


def test_only_the_host_goes_on_and_only_when_the_game_is_over(seated):
    table = seated("score_sheet", players=2, rounds=1)
    for seat in (table.shared, table["Ann"]):
        reply = Reply(seat.client.post(f"{seat.path}/again", headers={"HX-Request": "true"}))
        assert reply.status == 422
        assert reply.message in ("This game is still going on. End the table first.", "Only the host can do that.")
    finished(table, 1, 2)
    reply = Reply(table["Ann"].client.post(f"{table['Ann'].path}/again", headers={"HX-Request": "true"}))
    assert reply.message == "Only the host can do that."
    assert table["Ann"].client.get(f"{table['Ann'].path}/next").status_code == 303


def test_play_again_tapped_twice_opens_one_table(seated):
    table = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    old = f"{table.shared.path}/again"
    places = {table.shared.client.post(old).headers["location"] for _ in range(3)}
    assert len(places) == 1


def test_a_table_that_the_host_has_ended_goes_on_as_well(seated):
    table = seated("score_sheet", players=2)
    table.shared.presses("Yes, end it")
    table.plays_again()
    assert table["Ann"].shows("You have a seat")


def test_another_game_for_the_same_people(seated):
    table = finished(seated("score_sheet", players=3, rounds=1), 1, 2, 3)
    choices = table.shared.reads("next")
    assert choices.shows("3 people play")
    table.plays("secret_ballot", rounds=1).starts()
    assert table["Ben"].presses("DONE", word="owl").status == 200
    assert table.shared.shows("1 of 3 have answered")


def test_the_tables_code_leads_to_the_newest_table_and_a_phone_to_its_own_seat(seated):
    table = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    ann = table["Ann"].client
    table.plays_again()
    reply = ann.get(f"/t/{table.code}")
    assert reply.status_code == 303
    assert reply.headers["location"] == table["Ann"].path
    late = table.sits("Cleo")
    assert late.seat == 3
    table.starts()
    finished(table, 1, 2, 3).plays_again()
    assert late.shows("Where do you sit?")
    assert late.client.get(f"/t/{table.code}").headers["location"] == late.path


def test_open_streams_move_on_by_themselves(seated):
    table = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    streams = [seat.listens() for seat in (table.shared, *table)]
    versions = [stream.version(stream.frame()) for stream in streams]
    table.plays_again()
    for stream, before in zip(streams, versions, strict=True):
        while (raw := stream.raw()) != b"event: moved":
            assert b"event: moved" not in raw
        assert stream.version(stream.until("the same people and seats.")) > before
    table.starts()
    table["Ann"].presses("Write down", points=7)
    for stream in streams:
        stream.until("Ann: 7 in round 1.")


def test_a_phone_that_slept_through_the_move_is_told_when_it_wakes(seated):
    table = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    asleep = table["Ben"].path
    table.plays_again()
    stream = Seated(table.house, table["Ben"].client, asleep).listens()
    assert stream.raw() == b"event: moved"
    stream.until("You have a seat")


def test_a_form_of_the_game_before_taps_nothing_at_the_next(seated):
    table = seated("score_sheet", players=2, rounds=1)
    old = table["Ann"].path
    finished(table, 1, 2).plays_again().starts()
    stale = Seated(table.house, table["Ann"].client, old)
    reply = stale.taps("Enter", points=98_765)
    assert reply.status == 422
    assert reply.message == "That was for the last game. This is the one you're playing now."
    assert reply.shows("Your points in round 1")
    assert not table.shared.shows("98765")


def test_nothing_is_taken_back_across_tables(seated):
    table = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    assert "Take back" in table.shared.page().html
    table.plays_again()
    assert "Take back" not in table.shared.page().html
    assert table.shared.taps("TakeBack").message == "There is nothing to take back."


def test_a_seat_that_has_left_does_not_come_back_with_an_old_link(seated):
    table = seated("score_sheet", players=3, rounds=1)
    gone = table.people.pop("Cleo")
    table.shared.presses("Remove from the table", seat=3)
    finished(table, 1, 2).plays_again()
    assert gone.client.get(gone.path).status_code == 403
    assert table.sits("Dan").seat == 4
    assert gone.client.get(gone.path).status_code == 403


def test_a_moved_seat_stays_moved(seated):
    table = seated("score_sheet", players=2, rounds=1)
    lost = table["Ben"].path
    finished(table, 1, 2)
    table.shared.presses("Move this seat to another phone", seat=2)
    table.people.pop("Ben")
    table.plays_again()
    assert table.shared.client.get(lost).status_code == 403


def test_after_a_crash_the_night_is_where_it_was(own_house):
    table = own_house.opens("score_sheet", rounds=1)
    for name in ("Ann", "Ben"):
        table.sits(name)
    old = table.starts()["Ann"].path
    finished(table, 1, 2).plays_again()
    own_house.kill()
    own_house.start()
    ann = Seated(own_house, Person(own_house.url), old)
    assert ann.moves_on() == table["Ann"].path
    assert ann.shows("You have a seat")


# -------------------------------------------------------------------------------- its results


def test_the_results_of_the_night_are_on_one_page(seated):
    table = finished(seated("score_sheet", players=3, rounds=1), 5, 3, 1).plays_again().starts()
    finished(table, 1, 9, 9).plays("secret_ballot", rounds=1).starts()
    for seat in (table.shared, table["Cleo"]):
        night = seat.reads("night")
        assert night.shows("3 games")
        assert night.shows("Ann wins")
        assert night.shows("Shared win")
        assert night.shows("Still playing")
        assert night.shows("Best single round")
    standing = LexborHTMLParser(table.shared.reads("night").html).css_first("section .standings")
    assert [text_of(li.html) for li in standing.css("li")] == ["Ann 2 games 1", "Ben 2 games 1", "Cleo 2 games 1"]


def past_of(seat: Seated, place: int) -> str:
    """Return the path of a table's page, relative to the link; tables are newest first."""
    page = LexborHTMLParser(seat.reads("night").html)
    links = [node.attributes["href"] for node in page.css(".played a.button")]
    return links[place].removeprefix(f"{seat.path}/")


def test_an_ended_table_can_be_looked_at_but_not_tapped(seated):
    table = seated("score_sheet", players=2, rounds=3)
    for points in ((1, 2), (4, 4), (9, 1)):
        finished(table, *points)
    table.plays_again()
    past = table.shared.reads(past_of(table.shared, 0))
    assert past.shows("Ann wins")
    assert past.shows("Ann: 4 in round 2.")
    assert past.shows("Totals over time")
    lines = [text_of(li.html) for li in LexborHTMLParser(past.html).css(".timeline li")]
    assert "The game starts." in lines[0]
    assert "Ann wins with 14 points." in lines[-1]
    forms = LexborHTMLParser(past.html).css("form:not(.languages)")
    assert [form.css_first("button").text() for form in forms] == ["Yes, delete it"]


def test_what_was_taken_back_makes_no_record(seated):
    table = seated("score_sheet", players=2, rounds=1)
    table["Ann"].presses("Write down", points=99)
    table["Ann"].presses("Take back")
    finished(table, 7, 3)
    night = table.shared.reads("night")
    feat = LexborHTMLParser(night.html).css_first(".feats div")
    assert " ".join(feat.text(separator=" ").split()) == "Best single round Ann 7"
    assert not night.shows("99")


def test_whispers_and_ballots_are_on_no_page_of_the_night(own_house):
    table = own_house.opens("secret_ballot", rounds=1)
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    table["Ann"].taps("Whisper", to=2)
    table["Ann"].presses("DONE", word="nightjar")
    table["Ben"].presses("DONE", word="kestrel")
    table.shared.presses("Open the box")
    table.plays_again()
    past = past_of(table.shared, 0)
    for seat in (table.shared, table["Ann"], table["Ben"]):
        for page in (
            "night",
            past,
            f"{past}/table.json",
            f"{past}/history.csv",
            "night.json",
            "night.csv",
            "night.svg",
        ):
            text = seat.reads(page).html
            for secret in ("whispers", "nightjar", "kestrel"):
                assert secret not in text


def test_another_night_is_none_of_our_business(seated):
    ours, theirs = (finished(seated("score_sheet", players=2, rounds=1), 1, 2) for _ in range(2))
    past = past_of(theirs.shared, 0)
    assert theirs.shared.reads(past).status == 200
    assert ours.shared.client.get(f"{ours.shared.path}/{past}").status_code == 404


# -------------------------------------------------------------------------------- the shelf


def test_the_shelf_of_the_host_has_the_nights(seated):
    table = finished(seated("score_sheet", players=2, rounds=1), 1, 2).plays_again()
    shelf = Reply(table.shared.client.get("/"))
    assert shelf.shows("Your nights")
    found = re.search(r'href="([^"]+/night)"', shelf.html).group(1)
    assert Reply(table.shared.client.get(found)).shows("Ben wins")
    assert shelf.html.count(f'/x/{table.shared.path.rpartition("/")[2]}"') == 1
    assert not Reply(Person(table.house.url).get("/")).shows("Your nights")


def test_a_night_ends_up_once_on_the_shelf(seated):
    table = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    for _ in range(3):
        table.plays_again().shared.page()
        finished(table.starts(), 1, 2)
    shelf = LexborHTMLParser(table.shared.client.get("/").text)
    assert len(shelf.css(".night-link")) == 1
    assert len(shelf.css(".resume li")) == 1


def test_the_next_table_has_the_set_up_of_the_last(seated):
    table = finished(seated("score_sheet", players=2, rounds=1, wins="low"), 1, 2).plays_again()
    form = LexborHTMLParser(table.shared.reads("setup").html).css_first("form")
    assert form_fields(form)["wins"] == "low"
    assert table.starts().shared.shows("Fewest points win")


def test_a_table_ended_before_it_began_goes_on_as_well(seated):
    table = seated("score_sheet", players=2, start=False)
    table.shared.presses("Yes, end it")
    assert table["Ann"].shows("This table has ended.")
    assert table.shared.reads("night").shows("Nothing has been played yet.")
    table.plays("score_sheet", rounds=1).starts()
    assert table["Ann"].presses("Write down", points=3).status == 200
