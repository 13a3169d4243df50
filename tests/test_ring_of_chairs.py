"""The ring of chairs: everybody says where they sit, and the order counts as clockwise once somebody has checked it."""

from __future__ import annotations

import msgspec
import pytest
from selectolax.lexbor import LexborHTMLParser

from companion.game import TABLE, ChairsMoved, Dice, NotAllowed, Seat
from companion.games import all_games
from companion.games.traitors.state import Murder


def ring(person) -> list[str]:
    """Return who sits where on this screen."""
    grips = LexborHTMLParser(person.page().html).css("[data-place] .grip bdi, .ring [data-place] bdi")
    return list(dict.fromkeys(node.text(strip=True) for node in grips))


def says_clockwise(table) -> set[bool]:
    return {somebody.shows("clockwise") or somebody.shows("Clockwise") for somebody in (table.shared, *table)}


def test_N1_everybody_who_joins_taps_where_they_sit(house):
    table = house.opens("score_sheet")
    for name in ("Ann", "Ben", "Cleo"):
        table.sits(name)
    dan = table.sits("Dan")
    dan.presses("+", place=2)  # between Ann and Ben
    assert ring(dan) == ring(table.shared) == ["Ann", "Dan", "Ben", "Cleo"]
    table["Ben"].presses("+", place=4)  # between Cleo and Ann
    assert ring(dan) == ["Ann", "Dan", "Cleo", "Ben"]


def test_N1_nobody_says_clockwise_before_the_ring_was_looked_at(seated):
    table = seated("score_sheet", players=3, start=False)
    assert says_clockwise(table) == {False}
    assert table.shared.shows("Is this where everybody sits? Drag people to their chairs.")
    table["Ann"].presses("Yes, I sit here")
    table["Ben"].presses("Yes, I sit here")
    assert says_clockwise(table) == {False}
    table["Cleo"].presses("Yes, I sit here")
    assert says_clockwise(table) == {True}
    # Nobody knows yet where somebody new sits.
    table.sits("Dan")
    assert says_clockwise(table) == {False}
    table.shared.presses("Yes, that's right")
    assert says_clockwise(table) == {True}


def test_N1_moving_somebody_confirms_the_ring(seated):
    table = seated("score_sheet", players=3, start=False)
    table.shared.presses("Move", seat=table["Cleo"].seat, place=1)
    assert ring(table["Ann"]) == ["Cleo", "Ann", "Ben"]
    assert says_clockwise(table) == {True}


def test_N1_the_game_starts_without_it(seated):
    table = seated("score_sheet", players=3, start=False)
    table.starts()
    assert not table.shared.shows("lockwise")


@pytest.mark.parametrize("place", [-5, 0, 99, 1_000_000])
def test_N1_a_chair_that_is_not_there_is_the_nearest_one(seated, place):
    table = seated("score_sheet", players=3, start=False)
    assert table.shared.taps("Sit", seat=table["Ben"].seat, place=place).status == 200
    assert ring(table["Ann"]) == (["Ben", "Ann", "Cleo"] if place < 1 else ["Ann", "Cleo", "Ben"])


def test_N1_only_the_host_and_the_shared_screen_move_others(seated):
    table = seated("score_sheet", players=3, start=False)
    ann, ben = table["Ann"], table["Ben"]
    sentence = "Only the host or the shared screen can move people to other chairs."
    assert ann.taps("Sit", seat=ben.seat, place=1).message == sentence
    table.shared.taps("GiveHost", seat=ann.seat)
    assert ann.presses("Move", seat=ben.seat, place=1).status == 200
    assert ring(ben) == ["Ben", "Ann", "Cleo"]
    ann.taps("Start")
    assert ben.taps("Sit", seat=ben.seat, place=2).message == sentence


def test_N1_the_host_s_phone_has_a_whole_lobby(seated):
    table = seated("score_sheet", players=3, start=False)
    table.shared.taps("GiveHost", seat=table["Ann"].seat)
    ann = table["Ann"]
    html = LexborHTMLParser(ann.page().html)
    assert html.css_first('#you svg[aria-label^="QR code: scan it to join"]') is not None
    assert f"/{table.code}" in html.css_first("#you .address").text()
    assert ann.client.get(f"{ann.path}/setup").status_code == 200
    assert ann.presses("Start the game").status == 200


SAFE = {"traitors": True, "trickery": True, "faster_than_truth": True, "score_sheet": True, "risk": True}


@pytest.mark.parametrize("game", sorted(all_games()))
def test_N1_chairs_change_during_the_game_where_the_game_allows_it(seated, game):
    table = seated(game, players=4)
    dan = table["Dan"].seat
    reply = table.shared.taps("Sit", seat=dan, place=2)
    if not SAFE.get(game):
        assert reply.message == "Nobody can change chairs while this game is running."
        assert not any(somebody.shows("Change chairs") for somebody in (table.shared, *table))
        return
    assert reply.status == 200, reply.message
    assert "Dan moves to the chair after Ann." in table["Cleo"].lines()
    with table.house.reads_the_store() as store:
        assert store.newest(table.id).parent is None  # nothing before it can be taken back
    assert table.shared.presses("Move", seat=dan, place=1).status == 200


def started(name: str):
    game = all_games()[name]
    return game, game.start(game.setup(), tuple(map(Seat, (1, 2, 3, 4))), Dice()).state


def moved(game, state, *order: int):
    return game.rules[ChairsMoved](state, TABLE, ChairsMoved(tuple(map(Seat, order))), Dice()).state


def test_N1_numbers_of_the_traitors_go_with_the_chairs_but_not_while_somebody_may_have_chosen_one():
    game, evening = started("traitors")
    assert moved(game, evening, 1, 4, 2, 3).number_of(Seat(4)) == 2
    with pytest.raises(NotAllowed, match="between two events"):
        moved(game, msgspec.structs.replace(evening, scene=Murder(drawer=Seat(1))), 1, 4, 2, 3)


def test_N1_the_next_turn_goes_by_the_new_order():
    game, table = started("trickery")
    after = moved(game, msgspec.structs.replace(table, turn=Seat(1)), 1, 4, 2, 3)
    assert (after.turn, after.next_turn().turn) == (Seat(1), Seat(4))
    game, play = started("faster_than_truth")
    assert moved(game, play, 1, 4, 2, 3).rivals(Seat(1)) == (Seat(4), Seat(2), Seat(3))


def test_N1_a_gang_keeps_its_column_in_the_chart_and_the_first_player_begins():
    game, state = started("risk")
    gangs = tuple(
        msgspec.structs.replace(gang, seat=Seat(gang.number) if gang.number < 5 else None) for gang in state.gangs
    )
    after = moved(game, msgspec.structs.replace(state, gangs=gangs, chart=((11, 22, 33, 44),)), 4, 2, 1, 3)
    assert after.seats == (Seat(1), Seat(3), Seat(4), Seat(2))
    assert after.chart == ((11, 33, 44, 22),)
