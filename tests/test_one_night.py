"""All tables of an evening belong to one night, and nobody is locked out of the next game."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser
from test_night import finished, past_of

from companion.engine.snapshot import as_data
from companion.games import all_games
from companion.testing import Reply, Seated, Table, form_fields, text_of
from companion.testing.forms import Fields, first, typed


def sheet(**setup: object) -> Fields:
    return typed(as_data(all_games()["score_sheet"].setup(rounds=1)) | setup)


def opens(table: Table, url: str, **setup: object) -> Table:
    """The same browser opens another table from the shelf."""
    reply = table.shared.client.post(url, data=sheet(**setup))
    assert reply.status_code == 303, Reply(reply).message
    return Table(table.house, table.shared.client, reply.headers["location"])


def nights(table: Table) -> list[str]:
    return [text_of(node.html) for node in LexborHTMLParser(table.shared.client.get("/").text).css(".night-link")]


# -------------------------------------------------------------------------------- from the shelf


def test_N2_the_shelf_asks_whether_tonights_people_go_on(seated):
    table = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    page = Reply(table.shared.client.get("/new/score_sheet"))
    assert page.shows("Same people, or somebody new?")
    assert page.shows("Ann Ben")
    onward = first(page.html, "a.primary").attributes["href"]
    assert onward == f"{table.shared.path}/next/score_sheet"
    ann = table["Ann"].listens()
    form = LexborHTMLParser(table.shared.client.get(onward).text).css_first("form.setup")
    assert table.shared.client.post(onward, data=form_fields(form)).status_code == 303
    ann.until("the same people and seats.")  # the phone moves on by itself
    table.moves_on()
    finished(table.starts(), 5, 1)
    assert len(nights(table)) == 1
    assert table["Ben"].reads("night").shows("2 games")


def test_N2_a_table_for_somebody_new_belongs_to_the_same_night(seated):
    table = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    other = opens(table, "/new/score_sheet?for=somebody+new")
    for name in ("Zoe", "Ann"):
        other.sits(name)
    finished(other.starts(), 7, 3)
    assert other.code != table.code
    assert len(nights(table)) == 1
    for seat in (table.shared, other.shared, table["Ben"], other["Zoe"]):
        page = seat.reads("night")
        assert page.shows("2 games")
        assert page.shows("Zoe wins")
        assert page.shows("Ben wins")
    # Ann sat on the first chair there and on the second here: she is one person, with one badge.
    rows = [text_of(node.html) for node in LexborHTMLParser(other.shared.reads("night").html).css("#standing + ol li")]
    assert [row for row in rows if "Ann" in row] == ["Ann 2 games 0"]
    badges = re.findall(r'class="chip (b\d+)[^>]*>(?:(?!</span>).)*Ann', other.shared.reads("night").html, re.S)
    assert len(set(badges)) == 1
    # Both tables of the shared screen stay on its shelf.
    assert len(LexborHTMLParser(table.shared.client.get("/").text).css(".resume li")) == 2


def test_N2_people_who_have_nothing_to_do_with_tonight_begin_another_night(seated):
    table = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    other = opens(table, "/new/score_sheet?for=another+night")
    for name in ("Zoe", "Yan"):
        other.sits(name)
    finished(other.starts(), 7, 3)
    assert len(nights(table)) == 2
    assert not other["Zoe"].reads("night").shows("Ben wins")


def test_N2_a_game_that_is_still_played_is_named_and_can_be_ended(seated):
    table = seated("score_sheet", players=2, rounds=1)
    page = Reply(table.shared.client.get("/new/score_sheet"))
    assert page.shows("They are still playing Score sheet.")
    assert first(page.html, "a.primary").attributes["href"] == table.shared.path
    reply = table.shared.presses_on(page.html, "Yes, end it and play on")
    assert reply.status == 303
    assert table["Ann"].shows("This table has ended.")
    table.plays("score_sheet", rounds=1).starts()


def test_N2_a_seat_of_one_table_opens_no_seat_of_another(seated):
    table = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    other = opens(table, "/new/score_sheet?for=somebody+new")
    for name in ("Zoe", "Yan"):
        other.sits(name)
    finished(other.starts(), 7, 3)
    other.shared.presses("Make host", seat=1)
    zoe, mine = other["Zoe"], other.shared.path.rpartition("/")[2].split(".")[0]
    # A host on a phone deletes what they have played, and nothing of the others.
    theirs = next(
        href
        for href in (node.attributes["href"] for node in LexborHTMLParser(zoe.reads("night").html).css("article a"))
        if mine not in href.rpartition("/")[2]
    )
    for what in ({"what": "night"}, {"table": theirs.rpartition("/")[2]}):
        reply = Reply(zoe.client.post(f"{zoe.path}/delete", data=what))
        assert reply.status == 422
        assert reply.shows("Only their shared screen can delete it.")
    gone = zoe.client.post(f"{zoe.path}/delete", data={"table": mine})
    assert gone.headers["location"] == "/"
    assert table["Ann"].reads("night").shows("Ben wins")


def test_N2_a_host_on_a_phone_goes_on_there(seated):
    table = seated("score_sheet", players=2, rounds=1)
    assert table.shared.presses("Make host", seat=1).status == 200
    finished(table, 1, 2)
    page = Reply(table.shared.client.get("/new/score_sheet"))
    assert page.shows("Their host chooses the next game on a phone.")
    assert not page.shows("Play on with them")


# -------------------------------------------------------------------------------- who plays


def six(seated) -> Table:
    table = seated("score_sheet", players=6, rounds=1)
    return finished(table, *range(1, 7))


def goes_on(table: Table, game: str, *players: str, joins: str = "") -> Reply:
    """The host ticks who plays the next game, and opens its table."""
    where = f"{table.shared.path}/next/{game}"
    form = form_fields(LexborHTMLParser(table.shared.client.get(where).text).css_first("form.setup"))
    form |= {"who-plays": [str(table[name].seat) for name in players], "who-joins": joins}
    return Reply(table.shared.client.post(where, data=form))


def test_N3_after_a_game_with_six_risk_asks_who_sits_out(seated):
    table = six(seated)
    choices = table.shared.reads("next")
    assert choices.shows("2 to 5 players · 1 has to sit out")
    setup = table.shared.reads("next/risk")
    assert setup.shows("At most 5 can play, and there are 6 of you. Choose who sits out.")
    refused = goes_on(table, "risk", *table.people)
    assert refused.status == 422
    assert refused.message == "At most 5 can play this game, and there are 6 of you. Choose who sits out."
    fay = table["Fay"].listens()
    assert goes_on(table, "risk", "Ann", "Ben", "Cleo", "Dan", "Eve").status == 303
    fay.until("You're sitting this one out")  # the phone moves on by itself
    table.moves_on()
    assert table["Fay"].shows("You're sitting this one out")
    assert table.shared.shows("5 players so far")
    table.starts()
    assert table["Fay"].shows("You're sitting this one out")
    assert table["Fay"].taps("MarkBack", seat=table["Fay"].seat).status == 422
    # They play the next game again.
    table.shared.presses("Yes, end it")
    table.plays("score_sheet", rounds=1, **{"who-asked": 1, "who-plays": [seat.seat for seat in table]})
    assert table["Fay"].shows("Where do you sit?")


def test_N3_the_chooser_counts_who_is_left(seated):
    table = six(seated)
    plays = "&".join(f"who-plays={table[name].seat}" for name in ("Ann", "Ben", "Cleo"))
    ticked = f"who-asked=1&{plays}&who-joins=Zoe"
    choices = table.shared.reads(f"next?{ticked}")
    assert choices.shows("4 people play")
    risk = first(choices.html, ".game-risk button").attributes["formaction"] + f"?{ticked}"
    form = LexborHTMLParser(table.shared.client.get(risk).text).css_first("form.setup")
    assert form_fields(form)["who-plays"] == ["1", "2", "3"]
    assert form_fields(form)["who-joins"] == "Zoe"
    assert table.shared.client.post(risk, data=form_fields(form)).status_code == 303
    table.moves_on()
    assert table.shared.shows("4 players so far")
    assert table.shared.shows("Zoe")


def test_N3_people_who_sit_out_may_change_their_mind(seated):
    table = six(seated)
    assert goes_on(table, "score_sheet", "Ann", "Ben").status == 303
    table.moves_on()
    assert table["Fay"].presses("Play after all").status == 200
    assert table["Fay"].shows("Where do you sit?")
    assert table.shared.presses("Let them play", seat=table["Eve"].seat).status == 200
    assert table.shared.presses("Let them sit out", seat=table["Ann"].seat).status == 200
    table.starts()
    played = [seat for seat in table if not seat.shows("You're sitting this one out")]
    assert [seat.name for seat in played] == ["Ben", "Eve", "Fay"]
    for seat in played:
        assert seat.presses("Write down", points=seat.seat).status == 200
    past = table.shared.reads(past_of(table.shared, 0))
    assert past.shows("Fay wins")
    assert not past.shows("Ann")


def test_N3_a_chair_is_removed_after_the_game_and_stays_in_its_result(seated):
    table = six(seated)
    fay = table["Fay"]
    reply = table.shared.presses("Remove from the table", seat=fay.seat)
    assert reply.status == 200, reply.message
    assert table.shared.shows("Fay leaves the table.")
    assert fay.client.get(fay.path).status_code == 403
    assert table.shared.reads("night").shows("Fay wins")
    del table.people["Fay"]
    table.plays("risk")
    assert table.shared.shows("5 players so far")


def test_N3_everybody_keeps_their_badge_when_others_sit_out(seated):
    table = six(seated)

    def badge(name: str) -> str:
        found = re.search(rf'class="chip (b\d+)[^>]*>(?:(?!</span>).)*{name}', table[name].page().html, re.S)
        assert found
        return found.group(1)

    before = {name: badge(name) for name in ("Cleo", "Fay")}
    assert goes_on(table, "score_sheet", "Cleo", "Eve").status == 303
    table.moves_on()
    assert {name: badge(name) for name in before} == before


def test_N3_somebody_who_sits_out_sees_no_secret_and_cannot_tap(seated):
    one, other = (what_cleo_sees(seated, word) for word in ("nightjar", "kestrels"))
    assert "nightjar" not in one
    assert one == other


def what_cleo_sees(seated, word: str) -> str:
    """Return all that Cleo, who sits out, can read while Ann puts this word into the ballot box."""
    table = finished(seated("score_sheet", players=3, rounds=1), 1, 2, 3)
    assert goes_on(table, "secret_ballot", "Ann", "Ben").status == 303
    table.moves_on()
    table.starts()
    cleo = table["Cleo"]
    assert not LexborHTMLParser(cleo.screen()).css("form:not(.languages)")
    assert table["Ann"].presses("DONE", word=word).status == 200
    reply = cleo.taps("Cast", word="owl")
    assert reply.status == 422
    assert reply.message == "Cleo sits this one out."
    pages = [cleo.screen(), *(cleo.reads(page).html for page in ("history", "night"))]
    return re.sub(r"/s/[^/\"]+|[0-9a-f]{12}|\b\d\d:\d\d\b|\b[A-Z]{4}\b", "", "".join(pages))


# -------------------------------------------------------------------------------- the same people, another browser


def comes_over(seat: Seated, table: Table) -> Seated:
    """Somebody with a seat elsewhere scans the code of this table with the same phone."""
    url = f"/t/{table.code}"
    data = form_fields(first(seat.client.get(url).text, "form")) | {"name": seat.name}
    reply = seat.client.post(url, data=data)
    assert reply.status_code == 303, Reply(reply).message
    table.people[seat.name] = Seated(table.house, seat.client, reply.headers["location"], seat.name)
    return table.people[seat.name]


def test_N2_the_same_phones_at_another_browsers_table_are_the_same_night(seated, house):
    before = finished(seated("score_sheet", players=3, rounds=1), 1, 2, 3)
    for seat in before:
        seat.page()
    after = house.opens("score_sheet", rounds=1)
    comes_over(before["Ann"], after)
    assert not after.shared.reads("night").shows("Cleo wins"), "one of three is not the same people"
    comes_over(before["Ben"], after)
    after.sits("Zoe")
    finished(after.starts(), 9, 8, 7)
    for seat in (before["Cleo"], before.shared, after.shared, after["Ann"]):
        page = seat.reads("night")
        assert page.shows("2 games")
        assert page.shows("Cleo wins")
        assert page.shows("Ann wins")


def test_N2_strangers_do_not_get_another_groups_night_by_joining(seated, house):
    before = finished(seated("score_sheet", players=3, rounds=1), 1, 2, 3)
    before["Ann"].page()
    after = house.opens("score_sheet", rounds=1)
    comes_over(before["Ann"], after)
    for name in ("Zoe", "Yan"):
        after.sits(name)
    # A forged seat, or one of a dead link, counts for nobody.
    spy = house.visitor()
    spy.cookies.set("last-seat", before["Ben"].path.rpartition("/")[2] + "x", path="/t")
    comes_over(Seated(house, spy, "", "Spy"), after)
    finished(after.starts(), 9, 8, 7, 6)
    for seat in (after.shared, after["Ann"], after["Zoe"], after["Spy"]):
        page = seat.reads("night")
        assert page.shows("1 game")
        assert not page.shows("Cleo")
    assert not before.shared.reads("night").shows("Zoe")


def test_N2_a_phone_that_sits_down_twice_brings_no_night_along(seated, house):
    before = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    before["Ann"].page()
    token = before["Ann"].client.cookies.get("last-seat", path="/t")
    after = house.opens("score_sheet", rounds=1)
    after.sits("Zoe")
    for name in ("Yan", "Xia"):
        spy = house.visitor()
        spy.cookies.set("last-seat", token, path="/t")
        comes_over(Seated(house, spy, "", name), after)
    finished(after.starts(), 9, 8, 7)
    assert not before.shared.reads("night").shows("Zoe")
    assert after.shared.reads("night").shows("1 game")


def test_N2_a_night_of_two_laptops_is_deleted_by_neither_alone(seated, house):
    before = finished(seated("score_sheet", players=2, rounds=1), 1, 2)
    after = house.opens("score_sheet", rounds=1)
    for seat in before:
        seat.page()
        comes_over(seat, after)
    finished(after.starts(), 9, 8)
    assert before.shared.reads("night").shows("2 games")
    for table in (before, after):
        reply = table.shared.client.post(f"{table.shared.path}/delete", data={"what": "night"})
        assert Reply(reply).shows("Only their shared screen can delete it.")
    assert after["Ann"].page().status == 200


def test_N2_a_game_played_before_asks_whether_tonights_people_go_on_too(seated):
    table = finished(seated("score_sheet", players=2, rounds=1, name="Azul"), 1, 2)
    asked = Reply(table.shared.client.post("/new/score_sheet", data={"who-preset": "Azul"}))
    assert asked.shows("Same people, or somebody new?")
    setup = table.shared.reads("next/score_sheet?who-preset=Azul")
    assert form_fields(first(setup.html, "form.setup"))["name"] == "Azul"


def test_N3_people_who_sat_out_are_asked_again_for_the_next_game(seated):
    table = six(seated)
    assert goes_on(table, "score_sheet", "Ann", "Ben").status == 303
    table.moves_on()
    table.shared.presses("Yes, end it")
    form = form_fields(first(table.shared.reads("next/score_sheet").html, "form.setup"))
    assert len(form["who-plays"]) == 6


def test_N3_the_shared_screen_goes_on_when_the_hosts_phone_has_ended_the_table(seated):
    table = seated("score_sheet", players=2)
    table.shared.taps("GiveHost", seat=table["Ann"].seat)
    assert table["Ann"].taps("EndTable").status == 200
    assert table.shared.taps("TakeHost").status == 200
    assert table.shared.reads("next").shows("Another game")
