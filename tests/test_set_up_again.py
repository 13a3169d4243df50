"""The set-up form offers the last set-up, says so, and can go back to the defaults."""

from __future__ import annotations

from companion.testing.forms import find_form, form_fields


def test_N4_the_last_set_up_is_offered_with_a_word_and_a_way_back(house):
    screen = house.visitor()
    first = screen.get("/new/score_sheet").text
    fields = form_fields(find_form(first, "Open the table", {})) | {"wins": "low"}
    assert screen.post("/new/score_sheet", data=fields).status_code == 303
    again = screen.get("/new/score_sheet").text
    assert "This is your last set-up." in again
    assert form_fields(find_form(again, "Open the table", {}))["wins"] == "low"
    reset = screen.get("/new/score_sheet?suggested").text
    assert "This is your last set-up." not in reset
    assert "Use the last one" in reset
    suggested = form_fields(find_form(reset, "Open the table", {}))
    assert suggested["wins"] == "high"
    # Somebody who opens it as suggested is told nothing next time: there is nothing to go back to.
    assert screen.post("/new/score_sheet?suggested", data=suggested).status_code == 303
    assert "last time" not in screen.get("/new/score_sheet").text


def test_N4_the_set_up_of_a_table_that_is_open_is_not_last_time_s(house):
    table = house.opens("score_sheet", wins="low")
    assert "last time" not in table.shared.client.get(f"{table.shared.path}/setup").text


def test_N4_the_next_game_of_the_night_says_it_too(seated):
    table = seated("score_sheet", wins="low")
    table.shared.taps("EndTable")
    assert "This is your last set-up." in table.shared.reads("next/score_sheet").html
