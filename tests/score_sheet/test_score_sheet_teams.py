"""Teams: people choose before the first points, points belong to the team, and all of its players win (N7)."""

from __future__ import annotations

from companion.game import Seat
from companion.games.score_sheet import GAME
from companion.games.score_sheet.afterwards import charts, feats
from companion.games.score_sheet.rules import Enter, Finish, start
from companion.games.score_sheet.setup import Setup
from companion.games.score_sheet.state import result
from companion.games.score_sheet.teams import TeamsAreMade
from companion.testing import apply

SEATS = tuple(Seat(n) for n in range(1, 5))
ANN, BEN, CLEO, DAN = SEATS


def made(**setup):
    """Ann and Cleo against Ben and Dan."""
    return apply(GAME, start(Setup(teams=2, **setup), SEATS, None).state, Seat(0), TeamsAreMade()).state


def test_N7_a_team_is_one_tap_and_the_host_goes_on(seated, flow):
    table = seated("score_sheet", players=4, teams=2)
    assert table["Ann"].shows("Which team are you in?")
    assert table["Ann"].taps("Enter", points=5).message == "Make the teams first."
    with flow("teams of four, two of whom change sides", most=3):
        table["Ben"].presses("Team A")
        table["Cleo"].presses("Team B")
        table.shared.presses("Play with these teams")
    assert table["Dan"].lines()[:2] == ["Team B: Cleo and Dan.", "Team A: Ann and Ben."]
    assert table["Dan"].taps("JoinTeam", team=1).message == "The game has started. Only the host can change teams now."


def test_N7_points_belong_to_the_team_and_one_of_it_writes(seated):
    table = seated("score_sheet", players=4, team_names="Owls, Mice", rounds=1)
    table.shared.presses("Play with these teams")
    table["Ann"].presses("Write down", points=7)
    assert table["Cleo"].shows("7 written down")
    assert table["Cleo"].shows("Waiting for Mice")
    assert table["Cleo"].taps("Enter", points=8).message.startswith("Your points for this round are already in.")
    table["Dan"].presses("Write down", points=-2)
    assert table.shared.shows("Owls wins with 7 points.")
    assert table["Cleo"].shows("Your team wins")
    assert table["Ben"].shows("Mice: place 2 of 2, score -2")


def test_all_of_the_best_team_win_and_the_result_says_who_played_together():
    sheet = made(rounds=1, team_names="Owls")
    for seat, points in ((CLEO, 3), (BEN, 9)):
        sheet = apply(GAME, sheet, seat, Enter(points)).state
    ended = result(sheet)
    assert ended.winners == (BEN, DAN)
    assert ended.points == {ANN: 3, BEN: 9, CLEO: 3, DAN: 9}
    assert ended.teams == {ANN: "Owls", BEN: "B", CLEO: "Owls", DAN: "B"}
    assert feats([sheet])[0].seats == (BEN, DAN)


def test_the_totals_of_teams_are_drawn_as_curves_with_their_names():
    sheet = made()
    for seat, points in ((ANN, 3), (BEN, 9), (CLEO, 4), (DAN, 1)):
        sheet = apply(GAME, sheet, seat, Enter(points)).state
    (chart,) = charts([apply(GAME, sheet, Seat(0), Finish()).state])
    assert [curve.values for curve in chart.curves] == [(0, 3, 7), (0, 9, 10)]
    assert all(curve.seat is None and curve.label for curve in chart.curves)


def test_the_host_moves_somebody_at_any_time_and_the_points_stay(seated):
    table = seated("score_sheet", players=4, teams=2)
    table.shared.presses("Play with these teams")
    table["Ann"].presses("Write down", points=7)
    table.shared.presses("Move", seat=table["Ann"].seat, team=2)
    assert table["Ben"].lines()[0] == "Ann plays for Team B."
    assert table["Ann"].shows("Points for Team B in round 1")
    refused = table.shared.presses("Move", seat=table["Cleo"].seat, team=2)
    assert refused.message == "Team A needs at least one player."


def test_a_team_that_is_away_holds_up_nobody(seated):
    table = seated("score_sheet", players=3, teams=2)
    table.shared.presses("Play with these teams")
    table["Ann"].presses("Write down", points=7)
    table.shared.presses("Mark as away", seat=table["Ben"].seat)
    assert table["Ann"].shows("Points for Team A in round 2")


def test_a_latecomer_joins_the_smallest_team_and_the_last_of_a_team_stays(seated):
    table = seated("score_sheet", players=3, teams=2)
    table.shared.presses("Play with these teams")
    assert (
        "There must be at least two teams."
        in table.shared.presses("Remove from the table", seat=table["Ben"].seat).message
    )
    table.sits("Late")
    assert table["Ann"].shows("Late plays for Team B.")
    assert table.shared.presses("Remove from the table", seat=table["Ben"].seat).status == 200


def test_the_teams_can_be_left_to_chance_and_need_two_sides(seated):
    table = seated("score_sheet", players=2, teams=2)
    table["Ann"].presses("Team B")
    assert table.shared.presses("Play with these teams").message.startswith("There must be at least two teams.")
    table.shared.presses("Mix the teams")
    assert table["Ben"].lines()[0] == "The teams are mixed at random."
    assert table.shared.presses("Play with these teams").status == 200


def test_more_teams_than_a_sheet_holds_are_refused_with_a_sentence(house):
    table = house.opens("score_sheet", team_names=", ".join(f"T{n}" for n in range(11)))
    for name in ("Ann", "Ben"):
        table.sits(name)
    assert table.shared.presses("Start the game").message == "There can be at most 10 teams. Please change the set-up."
