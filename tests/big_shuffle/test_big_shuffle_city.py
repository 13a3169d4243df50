"""The city: what is public, where scenes may go, title cards, the Big Shuffle."""

from __future__ import annotations

import pytest
from big_shuffle_talk import ANN, WHO, Played, begun, in_the_city

from companion.game import Say
from companion.games.big_shuffle.attempts import TryScene
from companion.games.big_shuffle.card_names import LearnName
from companion.games.big_shuffle.scenes import (
    BigShuffle,
    MisreadScene,
    NameScene,
    PutScene,
    SearchMidtown,
    TitleLeaves,
)
from companion.games.big_shuffle.turns import EndTurn
from companion.games.big_shuffle.verdicts import Settle


def test_a_game_begins_with_ten_scenes_of_each_type_under_a_title_card():
    for track in begun().state.city.values():
        assert (track.title, len(track.midtown), track.uptown, track.downtown) == (True, 10, (), ())


def test_the_title_card_can_be_moved_and_then_leaves_the_game():
    game = begun().names("who", "midtown", WHO).changes("who.title.0.uptown")
    track = game.state.city["who"]
    assert (track.title, track.uptown, track.active) == (False, (), WHO)
    assert game.lines == ("{total} against {needed}: {outcome}.",)
    assert game.table.outcome == Say("The Who title card leaves the game")
    game = begun().attempt("who.title.0.uptown", difficulty=9).everybody_passes().taps(0, Settle("success"))
    assert game.lines == ("A card decides: {outcome}.",)


def test_a_scene_put_onto_a_title_card_sends_it_out_of_the_game():
    game = begun().taps(0, PutScene("what", "The Car Chase", "midtown"))
    assert game.state.city["what"].title is False
    assert "The title card leaves the game." in game.lines


def test_a_title_card_is_not_shuffled_in_after_its_deck_is_searched():
    game = begun().taps(0, SearchMidtown("where"))
    assert game.state.city["where"].title is False
    assert len(game.state.city["where"].midtown) == 10


def test_the_scene_below_becomes_active_when_the_active_one_is_moved():
    game = in_the_city().taps(0, NameScene("who", "midtown", 1, "The Dirty Cop")).changes("who.midtown.0.uptown")
    track = game.state.city["who"]
    assert track.uptown == (WHO,)
    assert track.midtown[:2] == ("The Dirty Cop", None)
    assert game.table.missing == 3  # one new name below each active scene


def test_a_scene_changed_from_uptown_to_midtown_becomes_active():
    """The Crazed Killer becomes active, so his effect triggers."""
    game = in_the_city().changes("who.midtown.0.uptown").taps(0, NameScene("who", "midtown", 0, "The Dirty Cop"))
    game = game.taps(0, EndTurn(ANN)).changes("who.uptown.0.midtown")
    assert game.state.city["who"].active == WHO
    assert game.state.city["who"].midtown[:3] == (WHO, "The Dirty Cop", None)


def test_a_scene_put_back_on_midtown_becomes_active():
    game = in_the_city().changes("who.midtown.0.uptown").taps(0, NameScene("who", "midtown", 0, "The Dirty Cop"))
    game = game.taps(0, NameScene("who", "midtown", 1, "The Mafia Don"), PutScene("who", WHO, "midtown"))
    assert game.state.city["who"].midtown[:3] == (WHO, "The Dirty Cop", None)


def test_scenes_deeper_than_the_next_one_are_forgotten():
    """Only the active scene and the name directly below it are public."""
    game = in_the_city().taps(0, NameScene("who", "midtown", 1, "The Dirty Cop"))
    game = game.taps(0, PutScene("who", "The Mafia Don", "midtown"))
    assert game.state.city["who"].midtown == ("The Mafia Don", WHO, *(None,) * 8)


def test_a_scene_on_the_bottom_of_its_deck_was_not_changed_and_is_out_of_sight():
    """The Car Chase and The Serial Killing Spree put scenes there, and that is not a scene change."""
    game = in_the_city().taps(0, PutScene("who", WHO, "bottom"))
    assert game.state.city["who"].midtown == (None,) * 10
    assert game.state.verdict is None
    assert game.table.tracks[0].active is None


def test_scenes_move_one_step_at_a_time():
    game = in_the_city().taps(0, PutScene("who", WHO, "uptown"))
    assert "one step" in game.refuses(0, TryScene("who.uptown.0.downtown"))
    assert "one step" in game.refuses(0, TryScene("who.uptown.0.uptown"))
    assert "one step" in game.refuses(0, TryScene("who.midtown.0.midtown"))
    assert game.taps(0, TryScene("who.uptown.0.midtown")).state.attempt.way == "down"


def test_only_scenes_that_everybody_sees_can_be_chosen():
    game = in_the_city()
    assert game.refuses(0, TryScene("who.midtown.1.uptown"))
    assert game.refuses(0, TryScene("who.midtown.5.uptown"))
    assert game.refuses(0, TryScene("nonsense"))


def test_any_scene_uptown_can_be_chosen_not_only_the_top_one():
    game = in_the_city().taps(0, PutScene("who", WHO, "uptown"), PutScene("who", "The Dirty Cop", "uptown"))
    assert game.state.city["who"].uptown == ("The Dirty Cop", WHO)
    after = game.changes("who.uptown.1.midtown").state.city["who"]
    assert (after.uptown, after.midtown[0]) == (("The Dirty Cop",), WHO)


def emptied() -> Played:
    """Nine Who scenes are out of midtown; the last one is about to go."""
    game = begun()
    for n in range(9):
        game = game.taps(0, PutScene("who", f"Suspect {n}", "uptown" if n % 2 else "downtown"))
    return game.taps(0, TitleLeaves("who"))


def test_the_big_shuffle_comes_when_a_midtown_deck_runs_empty():
    game = emptied().changes("who.midtown.0.uptown")
    for track in game.state.city.values():
        assert (track.title, len(track.uptown), len(track.midtown), len(track.downtown)) == (False, 1, 8, 1)
    assert any("the Big Shuffle" in line for line in game.lines)


def test_a_scene_put_elsewhere_by_a_card_can_cause_the_big_shuffle_too():
    game = emptied().taps(0, PutScene("who", "Suspect 9", "downtown"))
    assert any("the Big Shuffle" in line for line in game.lines)


def test_no_big_shuffle_while_midtown_has_a_scene():
    game = emptied()
    assert not game.state.shuffled
    assert len(game.state.city["who"].midtown) == 1


def test_after_the_big_shuffle_exactly_what_is_public_is_asked_for():
    game = in_the_city().taps(ANN, BigShuffle())
    asks = [(ask.kind, ask.place, ask.index) for ask in game.see(1).tools.asks]
    assert len(asks) == 12
    for kind in ("who", "what", "where"):
        assert {ask[1:] for ask in asks if ask[0] == kind} == {
            ("midtown", 0),
            ("midtown", 1),
            ("uptown", 0),
            ("downtown", 0),
        }
    assert [ask[1:] for ask in asks[:3]] == [("midtown", 0)] * 3  # active scenes first


def test_the_big_shuffle_is_announced_until_all_is_read_out_or_play_goes_on():
    game = in_the_city().taps(ANN, BigShuffle())
    assert game.taps(0, EndTurn(ANN)).table.shuffled is False
    for n in range(12):
        assert game.table.shuffled
        ask = game.see(1).tools.asks[0]
        game = game.taps(0, NameScene(ask.kind, ask.place, ask.index, f"Face {n}"))
    assert not game.table.shuffled
    assert game.see(1).tools.asks == ()


def test_a_known_name_is_only_offered_if_nobody_can_see_that_scene():
    asks = in_the_city().see(1).tools.asks
    who = next(ask for ask in asks if ask.kind == "who")
    assert WHO not in who.offered
    assert "The Dirty Cop" in who.offered


def test_one_scene_is_not_in_two_places():
    game = in_the_city()
    assert "somewhere else" in game.refuses(0, NameScene("who", "midtown", 1, "private eye"))


def test_nobody_can_name_a_scene_that_is_not_public():
    game = in_the_city()
    assert game.refuses(0, NameScene("who", "midtown", 2, "The Dirty Cop"))
    assert game.refuses(0, NameScene("who", "uptown", 0, "The Dirty Cop"))


def test_a_misread_scene_is_asked_for_again():
    game = in_the_city()
    assert "is already there" in game.refuses(0, NameScene("who", "midtown", 0, "The Dirty Cop"))
    game = game.taps(ANN, MisreadScene("who", "midtown", 0)).names("who", "midtown", "The Dirty Cop")
    assert game.state.city["who"].active == "The Dirty Cop"


def test_what_is_still_in_midtown_follows_once_ten_names_are_known():
    game = in_the_city()
    assert game.table.tracks[0].still is None
    game = game.taps(0, *(LearnName("who", f"Suspect {n}") for n in range(6)))
    assert game.table.tracks[0].still is None  # the next scene is public and has not been read out
    game = game.taps(0, NameScene("who", "midtown", 1, "Suspect 3"))
    still = game.table.tracks[0].still
    assert len(still) == 8
    assert WHO not in still
    assert "Suspect 3" not in still


def test_with_an_eleventh_name_nothing_can_be_worked_out():
    game = in_the_city().taps(0, NameScene("who", "midtown", 1, "The Dirty Cop"))
    game = game.taps(0, *(LearnName("who", f"Suspect {n}") for n in range(6)))
    assert game.table.tracks[0].still is not None
    assert game.taps(0, LearnName("who", "Suspekt 1")).table.tracks[0].still is None


def test_no_card_moves_a_scene_during_a_scene_change():
    game = in_the_city().taps(0, TryScene("who.midtown.0.uptown"))
    for tap in (PutScene("who", WHO, "downtown"), BigShuffle(), SearchMidtown("who")):
        assert "under way" in game.refuses(0, tap)


@pytest.mark.parametrize("kind", ["who", "what", "where"])
def test_a_scene_that_is_nowhere_in_sight_comes_out_of_midtown(kind):
    game = in_the_city().taps(0, PutScene(kind, "A New Face", "uptown"))
    track = game.state.city[kind]
    assert (track.uptown, len(track.midtown)) == (("A New Face",), 9)
    assert any(known.name == "A New Face" for known in game.state.names[kind])
