"""Table tools for every game: who starts, dice, a turn clock. Everybody sees them, and games don't know about them."""

from __future__ import annotations

import re

import pytest

from companion.testing.forms import first, text_of


def moment(somebody) -> str:
    return text_of(first(somebody.page().html, "#moment").html or "")


def everybody(table):
    return (table.shared, *table)


def test_who_starts_is_drawn_and_everybody_sees_it(seated):
    table = seated("score_sheet", players=3)
    assert table.shared.presses("Pick who starts").status == 200
    told = table.shared.lines()[0]
    assert (name := told.removesuffix(" is picked at random and starts.")) in ("Ann", "Ben", "Cleo")
    for somebody in everybody(table):
        assert moment(somebody) == f"{name} starts"
        assert somebody.lines()[0] == told


def test_dice_are_rolled_for_everybody_and_cannot_be_taken_back(seated):
    table = seated("score_sheet", players=2)
    table["Ann"].presses("Write down", points=3)
    assert table.shared.presses("Roll", many=3, sides=20).status == 200
    faces, total = re.fullmatch(r"3 dice with 20 sides show (.+): (\d+) in total\.", table.shared.lines()[0]).groups()
    rolled = [int(face) for face in re.findall(r"\d+", faces)]
    assert len(rolled) == 3
    assert all(1 <= face <= 20 for face in rolled)
    assert sum(rolled) == int(total)
    for somebody in everybody(table):
        assert moment(somebody) == f"{' '.join(str(face) for face in rolled)} {total} in total"
    # Taking back concerns the game: the points go, the roll stays.
    assert table.shared.presses("Take back").status == 200
    assert moment(table["Ben"]).endswith(f"{total} in total")


def test_tools_work_in_the_lobby_and_when_the_game_is_over(seated):
    table = seated("score_sheet", players=2, start=False)
    assert table.shared.presses("Roll", many=1, sides=6).status == 200
    table.starts()
    table.shared.presses("Finish and count up")
    assert table.shared.presses("Roll", many=1, sides=6).status == 200
    assert table.shared.lines()[0].startswith("A die with 6 sides shows")


def test_only_the_host_and_the_shared_screen_have_tools(seated):
    table = seated("score_sheet", players=2)
    assert table["Ann"].taps("DrawStarter").status == 422
    assert "Table tools" not in table["Ann"].page().text
    table.shared.presses("Make host", seat=table["Ann"].seat)
    assert table["Ann"].presses("Pick who starts").status == 200
    assert table.shared.presses("Pick who starts").status == 200


@pytest.mark.parametrize("fields", [{"many": 0, "sides": 6}, {"many": 11, "sides": 6}, {"many": 1, "sides": 7}])
def test_odd_dice_are_refused(seated, fields):
    assert seated("score_sheet", players=2).shared.taps("RollDice", **fields).status == 422


def test_the_clock_goes_from_person_to_person(seated):
    table = seated("score_sheet", players=2)
    table.shared.presses("Start the clock", seconds=30)
    until = float(first(table["Ben"].page().html, ".tool-clock time").attributes["data-until"] or 0)
    table.shared.presses("Add 30 seconds")
    assert float(first(table["Ben"].page().html, ".tool-clock time").attributes["data-until"] or 0) > until + 29
    table.shared.presses("Pause")
    assert "data-until" not in first(table["Ben"].page().html, ".tool-clock time").attributes
    for name in ("Ann", "Ben", "Ann"):
        table.shared.presses("Next person")
        assert name in moment(table["Ben"])
    table.shared.presses("Remove the clock")
    assert moment(table["Ben"]) == ""
