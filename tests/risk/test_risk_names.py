"""Named territories (R10): typed once, then the app keeps track of regions, strongholds and missions."""

from __future__ import annotations

from typing import Any

from risk_talk import ANN, BEN, CLEO, Board, filled, opened, total
from selectolax.lexbor import LexborHTMLParser

from companion.games.risk import GAME
from companion.games.risk.battle import Attack
from companion.games.risk.corrections import MoveOne
from companion.games.risk.missions import AddMission, Claim
from companion.games.risk.places import ForgetPlace, HoldPlaces, NamePlace
from companion.games.risk.seat_view import hand_view
from companion.games.risk.turn import Conquer, HoldRegion
from companion.games.risk.view import table_view
from companion.testing import Easel, House


def named(*names: tuple[str, int], players: int = 3, **setup: Any) -> Board:
    board = Board(players, names=True, bonus={1: 5}, **setup)
    for name, region in names:
        board.tap(BEN, NamePlace(name, region, stronghold=name == "Cork"))
    return board


def test_R10_a_named_territory_has_its_holder_and_its_stronghold_and_history_says_where():
    board = named(("Cork", 1)).tap(BEN, HoldPlaces(2, ("Cork",))).at("attack")
    board.tap(ANN, Attack(attackers=3, defenders=1, place="Cork"))
    assert (board.state.current.fight.loser, board.state.current.fight.stronghold) == (2, True)
    board.rolled(6, 6, 6, 1)
    assert board.lines[0] == "Ann takes Cork from Ben."
    assert filled(table_view(board.state).moment.headline) == "Ann takes Cork from Ben."
    board.refuses(ANN, Attack(attackers=3, defenders=1, place="Cork"), "your own")
    board.refuses(ANN, Conquer(place="Corc"), "not on the list")
    board.tap(BEN, NamePlace("Dublin", 2)).refuses(ANN, Conquer(place="Dublin"), "who holds that")
    assert board.tap(ANN, Conquer(3, "Dublin")).lines == ["Ann takes Dublin from Cleo."]
    assert board.tap(BEN, MoveOne(2, 1, "Dublin")).lines == ["Ben fixes a mistake: Dublin goes from Ann to Ben."]


def test_R10_before_any_name_is_known_all_rivals_are_shown_and_a_name_can_be_typed(easel: Easel):
    board = named().tap(BEN, HoldRegion(1, 2)).at("attack")
    form = LexborHTMLParser(easel.draw(GAME, board.state, ANN)).css_first("form.attack-form")
    assert not form.css("select, details, datalist")
    assert len(form.css('[name="loser"][required]')) == 2
    assert len(form.css('input[name="place"]:not([required])')) == 1
    board.refuses(ANN, Attack(attackers=3, defenders=1, place="Cork"), "who holds that")
    board.tap(ANN, Attack(2, 3, 1, place=" Cork ")).rolled(6, 6, 6, 1)
    assert board.lines[0] == "Ann takes Cork from Ben."
    assert not board.state.held
    assert board.state.regions[0].doubt
    Board(3).at("attack").refuses(ANN, Attack(2, 3, 1, place="Cork"), "not on the list")


def test_R10_known_names_are_offered_and_found_in_upper_or_lower_case(easel: Easel):
    board = named(("Cork", 1)).tap(BEN, HoldPlaces(2, ("Cork",))).at("attack")
    page = easel.draw(GAME, board.state, ANN)
    form = LexborHTMLParser(page).css_first("form.attack-form")
    assert [one.attributes["value"] for one in form.css("datalist option")] == ["Cork"]
    assert "1 of 42 has a name." in page
    board.tap(ANN, Attack(attackers=3, defenders=1, place="cork"))
    assert (board.state.current.fight.loser, board.state.current.fight.place) == (2, "Cork")


def test_R10_a_region_breaks_when_one_of_its_own_is_lost_and_not_otherwise():
    board = named(("Cork", 1), ("Leeds", 2)).tap(BEN, HoldRegion(1, 2)).tap(ANN, Conquer(2, "Leeds"))
    assert (board.state.regions[0].holder, board.state.regions[0].doubt) == (2, False)
    board.tap(ANN, Conquer(place="Cork"))
    assert board.lines == ["Ann takes Cork from Ben.", "Ben no longer holds all of Region 1."]
    assert (board.state.regions[0].holder, board.state.regions[0].doubt) == (0, False)


def test_R10_with_all_42_names_the_app_sees_a_whole_region():
    board = named(*((f"Place {n}", 1 if n < 4 else 2) for n in range(1, 43)))
    board.refuses(ANN, NamePlace("One more", 1), "42 territories")
    board.tap(ANN, HoldPlaces(1, ("Place 1", "Place 2"))).tap(ANN, Conquer(2, "Place 3"))
    assert board.lines[1] == "Ann holds all of Region 1."
    assert total(board.ends().ends().ends()) == 3 + 2 + 5
    assert "no longer" in board.ends().tap(BEN, Conquer(place="Place 2")).lines[1]


def test_R10_the_app_counts_the_turns_of_missions_with_names():
    board = named(("Cork", 1), ("Leeds", 2)).tap(ANN, AddMission("Both", 8, 2, ("Cork", "Leeds")))
    card = board.state.notebooks[ANN].missions[0].id
    board.tap(ANN, HoldPlaces(1, ("Cork",))).tap(ANN, Conquer(2, "Leeds"))
    assert hand_view(board.state, ANN).missions[0].holding
    board.ends().tap(BEN, Conquer(place="Leeds"))
    assert not hand_view(board.state, ANN).missions[0].holding
    board.ends().ends().tap(ANN, Conquer(place="Leeds")).refuses(ANN, Claim(card), "0 of 2")
    for held in (1, 2):
        board.ends().ends().ends()
        assert hand_view(board.state, ANN).missions[0].held == held
    board.tap(BEN, NamePlace("Leeds and Bradford", 2, was="Leeds")).tap(ANN, Claim(card))


def test_R10_names_can_be_corrected_and_never_exceed_the_territories_held():
    board = named(("Cork", 1), ("Leeds", 2)).refuses(ANN, NamePlace("cork", 3), "already")
    board.tap(ANN, HoldPlaces(1, ("Cork", "Leeds"))).tap(ANN, ForgetPlace("Leeds")).refuses(ANN, ForgetPlace("Leeds"))
    assert set(board.state.held) == {"Cork"}
    board.having(1, 20, 21).ends().tap(BEN, Conquer(1))
    assert not board.state.held
    board.refuses(CLEO, HoldPlaces(1, ("Cork",)), "holds only 0")
    Board(3).refuses(ANN, NamePlace("Cork", 1), "without territory names")


def test_R10_names_are_known_at_the_next_table(own_house: House):
    first = opened(own_house, names="true")
    first["Ann"].presses("Done placing")
    first["Ann"].presses("Add the name", name="Cork", region=2, stronghold="true")
    second = opened(own_house, names="true")
    second["Ben"].presses("Save your territories", places=["Cork"])
    second["Ann"].presses("Done placing")
    second["Ann"].presses("1", place="Cork", attackers=4)
    assert second.shared.shows("Cork")
    assert second["Ben"].shows("The stronghold adds 1 to the highest.")
    assert not opened(own_house)["Ann"].shows("Cork")
