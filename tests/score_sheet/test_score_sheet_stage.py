"""The race of complete rounds on the stage, and its moments."""

from __future__ import annotations

from playwright.sync_api import expect

from companion.game import Moment, Seat
from companion.games.score_sheet import GAME
from companion.games.score_sheet.rules import CloseRound, Correct, CorrectMine, Enter, EnterAll, Finish
from companion.games.score_sheet.setup import Setup
from companion.games.score_sheet.state import Sheet
from companion.games.score_sheet.teams import TeamsAreMade
from companion.testing import apply
from companion.testing.evenings import LONG_NAMES

ANN, BEN, CLEO = Seat(1), Seat(2), Seat(3)
HOST = Seat(0)


def sheet(*taps, **setup) -> Sheet:
    """A sheet of three players after these taps: `sheet((ANN, Enter(5)))`."""
    now = Sheet(Setup(**setup), (ANN, BEN, CLEO))
    for seat, tap in taps:
        now = apply(GAME, now, seat, tap).state
    return now


def staged(now: Sheet) -> Moment | None:
    moment: Moment | None = GAME.table_view(now).moment
    return moment


def lanes(now: Sheet) -> list[tuple[Seat, int, int]]:
    return [(lane.side.number, lane.total, lane.rank) for lane in GAME.table_view(now).race]


ROUND = ((ANN, Enter(5)), (BEN, Enter(9)), (CLEO, Enter(-2)))


def test_an_open_round_waits_for_everybody_before_it_counts_in_the_race():
    now = sheet(*ROUND[:2])
    assert lanes(now) == [(ANN, 0, 1), (BEN, 0, 1), (CLEO, 0, 1)]
    assert [lane.written for lane in GAME.table_view(now).race] == ["+5", "+9", None]
    assert [side.seats for side in GAME.table_view(now).waiting] == [(CLEO,)]
    assert staged(now) is None


def test_a_complete_round_is_staged_once_with_the_totals_and_places_before_it():
    now = sheet(*ROUND, (ANN, Enter(10)), (BEN, Enter(1)), (CLEO, Enter(0)))
    assert (staged(now).kind, staged(now).n) == ("round", 2)
    assert [(lane.side.number, lane.before, lane.total, lane.climbed) for lane in GAME.table_view(now).race] == [
        (ANN, 5, 15, 1),
        (BEN, 9, 10, -1),
        (CLEO, -2, -2, 0),
    ]
    assert staged(apply(GAME, now, ANN, CorrectMine(1, 6)).state) == staged(now)
    assert staged(apply(GAME, now, ANN, Enter(1)).state) == staged(now)


def test_the_host_who_writes_for_all_or_closes_a_round_completes_it():
    assert staged(sheet((HOST, EnterAll({ANN: 1, BEN: 2, CLEO: 3})), scorer="host")).kind == "round"
    assert staged(sheet((ANN, Enter(5)), (HOST, CloseRound()))).kind == "round"


def test_every_entry_of_a_running_total_is_seen():
    first = sheet((ANN, Enter(5)), mode="running")
    second = apply(GAME, first, ANN, Enter(5)).state
    assert (staged(first).kind, staged(first).who) == ("gold", (ANN,))
    assert staged(first) != staged(second)
    assert next((lane.before, lane.total) for lane in GAME.table_view(second).race) == (5, 10)


def test_the_winner_is_staged_and_the_race_has_all_that_is_written():
    now = sheet(*ROUND, (CLEO, Enter(50)), (HOST, Finish()))
    assert (staged(now).kind, staged(now).who, staged(now).figures) == ("winner", (CLEO,), (48,))
    assert lanes(now)[0] == (CLEO, 48, 1)


def test_where_fewest_win_the_fewest_lead_the_race():
    now = sheet(*ROUND, wins="low")
    assert [seat for seat, _, _ in lanes(now)] == [CLEO, ANN, BEN]
    assert [lane.way for lane in GAME.table_view(now).race] == [100, 44, 12]


def test_taking_back_a_step_plays_no_moment_again():
    earlier = sheet(*ROUND)
    now = apply(GAME, earlier, ANN, Enter(1)).state
    assert staged(earlier) is not None
    back = GAME.keeps(earlier, now)
    assert staged(back) is None
    for seat in (ANN, BEN):
        back = apply(GAME, back, seat, Enter(1)).state
        assert staged(back) is None
    assert staged(apply(GAME, back, CLEO, Enter(1)).state).n == 2


def test_a_game_that_goes_on_after_a_correction_does_not_replay_the_last_round():
    over = sheet(*ROUND, target=9)
    assert staged(over).kind == "winner"
    assert staged(apply(GAME, over, HOST, Correct(1, 8, BEN)).state) is None


def test_the_stage_names_who_still_has_to_write_and_counts_from_the_old_total(easel):
    stage = easel.draw(GAME, sheet(*ROUND, *ROUND[:1]), -1)
    for words in ("Round", "In the lead", 'data-from="0">9<', "Waiting for"):
        assert words in stage
    assert stage.count("no points yet") == 2


def test_N7_the_sheet_of_categories_is_on_the_stage_and_marks_the_leader(easel):
    now = sheet((ANN, Enter(5, 1)), (BEN, Enter(9, 2)), mode="categories", ready="birds")
    grid = GAME.table_view(now).grid
    assert (grid.totals, grid.leading, grid.latest) == ((5, 9, 0), (BEN,), (2, BEN))
    stage = easel.draw(GAME, now, -1)
    for words in ("Tucked cards", "is-latest", "Total"):
        assert words in stage
    assert (staged(now).kind, staged(now).who) == ("gold", (BEN,))


def test_N7_teams_are_lanes_with_the_shapes_of_their_players(easel):
    forming = Sheet(Setup(teams=2), (ANN, BEN, CLEO), team_of={1: 1, 2: 2, 3: 1}, forming=True)
    assert "Choose your team on your phone." in easel.draw(GAME, forming, -1)
    now = apply(GAME, apply(GAME, forming, HOST, TeamsAreMade()).state, ANN, Enter(5)).state
    now = apply(GAME, now, BEN, Enter(7)).state
    assert [(lane.side.letter, lane.side.seats, lane.total) for lane in GAME.table_view(now).race] == [
        ("B", (BEN,), 7),
        ("A", (ANN, CLEO), 5),
    ]
    assert easel.draw(GAME, now, -1).count('class="lane team') == 2


def test_S8_a_waiting_phone_names_who_still_has_to_write(easel):
    seats = tuple(Seat(n) for n in range(1, 10))
    now = apply(GAME, Sheet(Setup(), seats), ANN, Enter(5)).state
    card = easel.draw(GAME, now, ANN)
    assert "Waiting for" in card
    assert "<b><bdi>Ben</bdi></b>" in card
    assert "and 2 more" in card


def test_S17_keys_below_the_number_write_it_and_its_sign(windows, house, seated):
    table = seated("score_sheet", players=2)
    phone = windows.phone()
    phone.goto(f"{house.url}{table['Ann'].path}")
    field = phone.get_by_label("Your points in round 1")
    assert field.get_attribute("inputmode") == "text"
    for key in ("1", "0", "7", "Delete the last digit", "+5", "−1"):
        phone.get_by_role("button", name=key, exact=True).tap()
    expect(field).to_have_value("14")
    phone.get_by_role("button", name="Change the sign").tap()
    expect(phone.locator(".so-far")).to_have_text("0 so far → −14")
    field.tap()
    assert field.evaluate("field => field.inputMode") == "none"
    for button in phone.locator(".keys button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 48
    box = phone.get_by_role("button", name="Write down").bounding_box()
    assert box["y"] + box["height"] <= phone.viewport_size["height"]
    phone.get_by_role("button", name="Write down").tap()
    expect(phone.get_by_role("heading", name="-14 written")).to_be_visible()
    assert table["Ben"].lines()[0] == "Ann: -14 in round 1."


def test_S17_standings_fit_a_narrow_phone_with_text_twice_as_large(windows, house):
    table = house.opens("score_sheet", scorer="host")
    for name in LONG_NAMES[:3]:
        table.sits(name)
    table.starts()
    table.shared.taps("EnterAll", **{"points.1": 99_999, "points.2": -99_999})
    phone = windows.phone()
    phone.set_viewport_size({"width": 320, "height": 664})
    phone.goto(f"{house.url}{table[LONG_NAMES[0]].path}")
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    lines = phone.locator(".standings li, .standings .total").all()
    assert len(lines) == 6
    assert all(line.bounding_box()["x"] + line.bounding_box()["width"] <= 320 for line in lines)


def test_without_scripts_the_field_alone_takes_a_number_below_zero(windows, house, seated):
    table = seated("score_sheet", players=2)
    phone = windows.phone(java_script_enabled=False)
    phone.goto(f"{house.url}{table['Ann'].path}")
    expect(phone.get_by_role("button", name="+10", exact=True)).to_be_hidden()
    phone.get_by_label("Your points in round 1").fill("-7")
    phone.get_by_role("button", name="Write down").tap()
    expect(phone.get_by_role("heading", name="-7 written")).to_be_visible()


def test_the_host_s_phone_writes_for_all_on_its_card_and_the_shared_screen_in_the_drawer(windows, house):
    table = house.opens("score_sheet", scorer="host")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    screen = windows.wide()
    screen.goto(f"{house.url}{table.shared.path}")
    screen.get_by_role("button", name="Write down the points").click()
    scorer = screen.locator("#fix .scorer")
    scorer.get_by_label("Ann").fill("3")
    scorer.get_by_label("Ben").focus()
    for key in ("Change the sign", "4"):
        scorer.get_by_role("button", name=key, exact=True).click()
    expect(scorer.get_by_label("Ben")).to_have_value("-4")
    screen.locator("#fix").get_by_role("button", name="Write down").click()
    expect(screen.locator("#stage .round .figure")).to_have_text("2")
