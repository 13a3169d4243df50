"""A test for every rule of the score sheet."""

from __future__ import annotations

import re

from companion.testing import Reply


def totals(screen) -> dict[str, int]:
    html = screen.page().html
    found = re.findall(
        r"<bdi>([^<]+)</bdi></span>\s*(?:<span class=\"mark\"[^>]*>[^<]*</span>\s*)?<span class=\"total\">(-?\d+)", html
    )
    return {name: int(total) for name, total in found}


def ranks(screen) -> dict[str, int]:
    found = re.findall(
        r'class="rank">(\d+)\.</span>\s*<span class="chip[^>]*><i[^>]*></i> <bdi>([^<]+)', screen.page().html
    )
    return {name: int(rank) for rank, name in found}


def test_a_round_is_complete_when_everybody_has_written(seated):
    table = seated("score_sheet", players=3)
    assert table["Ann"].presses("Write down", points=5).status == 200
    assert table["Ben"].presses("Write down", points=7).status == 200
    assert not table.shared.shows("Round 1 is complete.")
    table["Cleo"].presses("Write down", points=-2)
    assert table.shared.shows("Round 1 is complete.")
    assert table["Ann"].shows("Your points in round 2")
    assert totals(table["Ann"]) == {"Ben": 7, "Ann": 5, "Cleo": -2}


def test_nobody_writes_twice_in_a_round(seated):
    table = seated("score_sheet")
    table["Ann"].presses("Write down", points=5)
    assert not table["Ann"].shows("Write down")
    assert (
        table["Ann"].taps("Enter", points=6).message
        == "Your points for this round are already in. You can correct them."
    )


def test_running_totals_grow_whenever_somebody_scores(seated):
    table = seated("score_sheet", players=2, mode="running")
    for points in (5, -2, 10):
        table["Ann"].presses("Write down", points=points)
    assert totals(table["Ben"]) == {"Ann": 13, "Ben": 0}


def test_one_scorer_writes_for_all(seated):
    table = seated("score_sheet", players=3, scorer="host")
    assert table["Ann"].taps("Enter", points=5).message == "The host keeps score for everybody."
    seats = {name: f"points.{table[name].seat}" for name in ("Ann", "Ben", "Cleo")}
    table.shared.presses("Write down", {seats["Ann"]: 1, seats["Ben"]: 2, seats["Cleo"]: 3})
    assert totals(table["Ann"]) == {"Cleo": 3, "Ben": 2, "Ann": 1}
    assert table["Ann"].taps("EnterAll", **{seats["Ann"]: 9}).message == "Only the host can do that."


def test_the_host_may_write_for_some_and_others_for_themselves(seated):
    table = seated("score_sheet", players=2)
    table.shared.presses("Write down", {f"points.{table['Ann'].seat}": 4})
    table["Ben"].presses("Write down", points=3)
    assert table.shared.shows("Round 1 is complete.")


def test_writing_over_what_somebody_has_written_is_told_as_a_correction(seated):
    table = seated("score_sheet", players=2)
    table["Ann"].presses("Write down", points=5)
    table.shared.presses("Write down", {f"points.{table['Ann'].seat}": 4})
    assert table["Ben"].lines()[0] == "The table corrects Ann: 4 instead of 5."


def test_a_scorer_who_types_nothing_is_told_so(seated):
    table = seated("score_sheet")
    assert table.shared.presses("Write down").message == "Enter points for somebody first."


def test_the_most_points_win_or_the_fewest(seated):
    for wins, winner in (("high", "Ann"), ("low", "Ben")):
        table = seated("score_sheet", players=2, wins=wins, rounds=1)
        table["Ann"].presses("Write down", points=9)
        table["Ben"].presses("Write down", points=4)
        assert table.shared.shows(f"{winner} wins")


def test_equal_totals_share_a_place_and_the_next_is_skipped(seated):
    table = seated("score_sheet", players=4, rounds=1)
    for name, points in (("Ann", 5), ("Ben", 9), ("Cleo", 9), ("Dan", 1)):
        table[name].presses("Write down", points=points)
    assert ranks(table["Ann"]) == {"Ben": 1, "Cleo": 1, "Ann": 3, "Dan": 4}
    assert table.shared.shows("Ben and Cleo share the win with 9 points.")


def test_the_game_ends_after_the_number_of_rounds(seated):
    table = seated("score_sheet", players=2, rounds=2)
    for _ in range(2):
        assert not table["Ann"].shows("Your place")
        table["Ann"].presses("Write down", points=5)
        table["Ben"].presses("Write down", points=6)
    assert table["Ann"].shows("Your place: 2 of 2. Your score: 10.")
    assert table["Ann"].taps("Enter", points=1).message.startswith("The game is over.")


def test_a_target_ends_the_game_at_the_end_of_that_round(seated):
    table = seated("score_sheet", players=2, target=10)
    table["Ann"].presses("Write down", points=12)
    assert not table["Ann"].shows("Your place")
    table["Ben"].presses("Write down", points=13)
    assert table.shared.shows("Ben wins with 13 points.")


def test_a_target_ends_a_game_with_a_running_total_immediately(seated):
    table = seated("score_sheet", players=2, mode="running", target=10)
    table["Ann"].presses("Write down", points=10)
    assert table.shared.shows("Ann wins with 10 points.")


def test_a_target_with_low_wins_ends_it_for_the_one_furthest_from_it(seated):
    table = seated("score_sheet", players=2, target=10, wins="low")
    table["Ann"].presses("Write down", points=12)
    table["Ben"].presses("Write down", points=1)
    assert table.shared.shows("Ben wins with 1 point.")


def test_the_host_closes_a_round_without_the_rest(seated):
    table = seated("score_sheet", players=3)
    assert table.shared.taps("CloseRound").message == "There are no points in this round yet."
    table["Ann"].presses("Write down", points=5)
    table.shared.presses("Close this round now")
    assert table["Ben"].shows("Your points in round 2")


def test_the_host_finishes_whenever_the_table_likes(seated):
    table = seated("score_sheet", players=2)
    assert table.shared.taps("Finish").message == "There are no points yet."
    table["Ann"].presses("Write down", points=5)
    table.shared.presses("Finish and count up")
    assert table["Ben"].shows("Ann wins")
    table.shared.presses("Take back")
    assert table["Ben"].shows("Your points in round 1")


def test_any_past_cell_can_be_corrected_by_the_host(seated):
    table = seated("score_sheet", players=2)
    for round in range(12):
        table["Ann"].presses("Write down", points=round)
        table["Ben"].presses("Write down", points=round)
    table.shared.presses("Correct", seat=table["Ann"].seat, cell=1, points=100)
    assert totals(table["Ben"]) == {"Ann": 166, "Ben": 66}
    assert table["Ben"].shows("The table corrects Ann: 100 instead of 0.")
    assert (
        table["Ben"].taps("Correct", seat=table["Ann"].seat, cell=1, points=0).message == "Only the host can do that."
    )


def test_everybody_corrects_their_own(seated):
    table = seated("score_sheet", players=2)
    table["Ann"].presses("Write down", points=5)
    table["Ann"].presses("Correct", cell=1, points=6)
    assert totals(table["Ben"])["Ann"] == 6
    assert table["Ben"].taps("CorrectMine", cell=1, points=6).message == "There are no points to correct yet."


def test_an_entry_of_a_running_game_can_be_corrected(seated):
    table = seated("score_sheet", players=2, mode="running")
    table["Ann"].presses("Write down", points=5)
    table["Ben"].presses("Write down", points=7)
    table.shared.presses("Correct", cell=1, points=3)
    assert totals(table["Ann"]) == {"Ben": 7, "Ann": 3}
    assert table["Ann"].taps("CorrectMine", cell=2, points=1).message == "There are no points to correct yet."


def test_a_correction_can_end_the_game_and_open_it_again(seated):
    table = seated("score_sheet", players=2, mode="running", target=10)
    table["Ann"].presses("Write down", points=5)
    table.shared.presses("Correct", cell=1, points=10)
    assert table["Ben"].shows("Ann wins")
    table.shared.presses("Correct", cell=1, points=9)
    assert table["Ben"].shows("Points to add")


def test_who_is_away_holds_up_nobody(seated):
    table = seated("score_sheet", players=3)
    table["Ann"].presses("Write down", points=5)
    table["Ben"].presses("Write down", points=5)
    table.shared.presses("Mark as away", seat=table["Cleo"].seat)
    assert table["Ann"].shows("Your points in round 2")
    assert table["Cleo"].presses("I'm back").status == 200
    assert table.shared.shows("Cleo is back.")


def test_who_leaves_is_no_longer_on_the_sheet(seated):
    table = seated("score_sheet", players=3)
    table.shared.presses("Remove from the table", seat=table["Cleo"].seat)
    assert set(totals(table["Ann"])) == {"Ann", "Ben"}
    assert "needs at least two players" in table.shared.presses("Remove from the table", seat=table["Ben"].seat).message


def test_twenty_people_fit_and_the_next_can_watch(house):
    table = house.opens("score_sheet")
    for n in range(20):
        table.sits(f"P{n}")
    from companion.testing import Person

    late = Reply(Person(house.url).post(f"/t/{table.code}", data={"name": "Late"}))
    assert late.message == "The table is full. You can watch."
    table.starts()
    assert table["P19"].presses("Write down", points=3).status == 200


def test_a_long_evening_shows_its_latest_rounds_and_all_of_them_at_the_end(seated):
    table = seated("score_sheet", players=2, scorer="host")
    for round in range(40):
        table.shared.taps("EnterAll", tap_id=f"{round}.1", **{"points.1": round, "points.2": 1})
    assert table["Ann"].page().html.count('<th scope="row">') == 30
    assert table["Ann"].shows("10 earlier rounds are in the full history. They are shown here when the game is over.")
    table.shared.presses("Finish and count up")
    assert table["Ann"].page().html.count('<th scope="row">') == 40


def test_the_chart_draws_every_player_with_shape_and_total(seated):
    table = seated("score_sheet", players=3)
    for name, points in (("Ann", 3), ("Ben", 1), ("Cleo", 2)):
        table[name].presses("Write down", points=points)
    html = table["Ann"].page().html
    assert html.count("<polyline") == 3
    for badge, total in enumerate((3, 1, 2)):
        assert re.search(rf'<path class="end-shape b{badge}"[^>]* d="M', html)
        assert re.search(rf'<text class="end b{badge}"[^>]*>{total}</text>', html)
