"""Scene changes: choose, reveal, hire, settle, and the answers of the rulebook's FAQ."""

from __future__ import annotations

import pytest
from big_shuffle_talk import ANN, BEN, CLEO, WHO, begun, in_the_city

from companion.games.big_shuffle.attempts import NoChange, RevealChange, TryScene, TypeNumbers
from companion.games.big_shuffle.goons import CorrectGoon, Hire, NobodyHires, PassGoons
from companion.games.big_shuffle.loot_and_informants import MeetInformant, ReplaceInformant
from companion.games.big_shuffle.scenes import NameScene, PutScene, TitleLeaves
from companion.games.big_shuffle.turns import EndTurn, PlayCard, SetCharacter
from companion.games.big_shuffle.verdicts import CallOff, PutRainAway, Settle

UP = "who.midtown.0.uptown"


def test_influence_equal_to_the_difficulty_is_enough():
    game = in_the_city().attempt(UP, difficulty=4, base=4).everybody_passes().taps(0, Settle())
    assert game.state.verdict.success
    assert game.state.city["who"].uptown == (WHO,)


def test_less_influence_than_the_difficulty_fails_and_nothing_moves():
    game = in_the_city().attempt(UP, difficulty=4, base=3).everybody_passes().taps(0, Settle())
    assert not game.state.verdict.success
    assert game.state.city["who"].active == WHO


def test_everything_that_modifies_influence_counts():
    game = in_the_city().attempt(UP, difficulty=9, base=4, modifier=-2)
    game = game.taps(0, TypeNumbers(informant=2, loot=1, other=1)).hires(1, 3).hires(2, -1)
    assert game.table.attempt.total == 4 - 2 + 2 + 1 + 1 + 3 - 1


def test_goons_are_hired_clockwise_from_the_one_who_attempts():
    game = in_the_city().attempt(UP)
    assert "hires or passes next" in game.refuses(2, Hire(BEN, -1))
    game = game.hires(1, 1)
    assert game.state.attempt.next == BEN
    assert game.hires(2, -1).hires(3, 1).state.attempt.next == ANN


def test_the_example_of_the_rulebook():
    """The Don hires +1, the Chief passes, the Burglar hires -3; the Don hires again, the Chief is out."""
    game = in_the_city().attempt(UP).hires(1, 1).taps(2, PassGoons(BEN)).hires(3, -3).hires(1, 1)
    assert game.state.attempt.next == CLEO
    assert "has passed" in game.refuses(2, Hire(BEN, 2))
    game = game.taps(3, PassGoons(CLEO))
    assert game.state.attempt.next == ANN
    game = game.taps(1, PassGoons(ANN))
    assert game.table.attempt.stage == "settle"
    assert game.table.attempt.total == 3 + 1 - 3 + 1


def test_once_everybody_has_passed_nobody_hires_not_even_with_the_fat_man():
    game = in_the_city().attempt(UP).everybody_passes()
    assert "Everybody has passed" in game.refuses(1, Hire(ANN, 1, anyway=True))


def test_a_card_lets_a_player_hire_after_passing_while_somebody_is_still_in():
    """The Fat Man allows it, and the history says so."""
    game = in_the_city().attempt(UP).taps(1, PassGoons(ANN))
    game = game.taps(1, Hire(ANN, 2, anyway=True))
    assert "a card allows it" in game.lines[0]
    assert game.state.attempt.next == BEN


def test_the_bookie_makes_a_goon_against_count_less():
    game = in_the_city().attempt(UP).taps(1, PassGoons(ANN)).hires(2, -2)
    assert game.table.attempt.total == 1
    game = game.taps(1, CorrectGoon(0, -1))
    assert game.table.attempt.total == 2
    filed = game.everybody_passes().taps(0, Settle()).state.noir
    assert filed[0].name == "−2"  # the discard pile shows what is printed


def test_a_goon_that_was_not_hired_can_be_taken_out():
    game = in_the_city().attempt(UP).hires(1, 2).taps(0, CorrectGoon(0))
    assert game.table.attempt.goons == ()


def test_a_dead_informant_helps_nobody():
    """Somebody plays What Happened Here? during the scene change."""
    game = in_the_city().taps(0, MeetInformant(ANN, "The Bookie")).attempt(UP)
    game = game.taps(0, TypeNumbers(informant=3))
    assert game.table.attempt.total == 6
    game = game.taps(2, PlayCard("reaction", "What Happened Here?", BEN))
    game = game.taps(2, ReplaceInformant(ANN, "The Fat Man", killed=True))
    assert game.table.attempt.total == 3
    assert [card.name for card in game.state.informants] == ["The Bookie"]


@pytest.mark.parametrize("outcome", ["success", "failure"])
def test_goons_and_the_revealed_card_are_discarded_whatever_the_outcome(outcome):
    game = in_the_city().attempt(UP, card="Fog").hires(1, 1).hires(2, -3).everybody_passes()
    game = game.taps(0, Settle(outcome))
    assert [card.name for card in game.state.noir] == ["−3", "+1"]
    assert [card.name for card in game.state.changes] == ["Fog"]
    assert game.state.attempt is None


def test_endless_rain_goes_on_until_an_attempt_fails():
    game = in_the_city().attempt(UP, card="Endless Rain", modifier=-2, base=5).everybody_passes()
    game = game.taps(0, Settle(again=True))
    assert game.state.rain == "Endless Rain"
    assert game.state.changes == ()
    for move in ("what.midtown.0.uptown", "where.midtown.0.uptown"):
        game = game.taps(0, TryScene(move))
        assert game.table.attempt.card == "Endless Rain"
        assert next(part.n for part in game.table.attempt.parts if part.part == "card") == -2
        game = (
            game.taps(0, TypeNumbers(difficulty=1, base=4, informant=0)).everybody_passes().taps(0, Settle(again=True))
        )
        assert game.state.verdict.success
    game = game.taps(0, TryScene("who.uptown.0.midtown"), TypeNumbers(difficulty=9, informant=0))
    game = game.everybody_passes().taps(0, Settle(again=True))
    assert not game.state.verdict.success
    assert game.state.rain is None
    assert [card.name for card in game.state.changes] == ["Endless Rain"]


def test_a_card_that_allows_another_attempt_can_be_put_away_unused():
    game = in_the_city().attempt(UP, card="Endless Rain").everybody_passes().taps(0, Settle("success", again=True))
    assert "still revealed" in game.refuses(1, EndTurn(ANN))
    game = game.taps(1, PutRainAway())
    assert [card.name for card in game.state.changes] == ["Endless Rain"]
    assert game.taps(1, EndTurn(ANN)).state.turn.seat == BEN


def test_each_scene_change_is_resolved_before_the_next_one():
    game = in_the_city().taps(0, TryScene(UP))
    assert "under way" in game.refuses(0, TryScene("what.midtown.0.uptown", anyway=True))


def test_after_playing_a_card_there_is_no_scene_change_unless_a_card_allows_it():
    game = in_the_city().taps(1, PlayCard("action", "A New York Minute", ANN))
    assert "have played a card" in game.refuses(1, TryScene(UP))
    game = game.taps(1, TryScene(UP, anyway=True))
    assert "A card allows it." in game.lines


def test_a_second_scene_change_needs_a_card_that_allows_it():
    game = in_the_city().changes(UP)
    assert "one scene change" in game.refuses(1, TryScene("what.midtown.0.uptown"))
    assert game.taps(1, TryScene("what.midtown.0.uptown", anyway=True)).state.attempt is not None


def test_goons_wait_for_the_scene_change_card():
    game = in_the_city().taps(0, TryScene(UP))
    assert "Reveal a scene-change card" in game.refuses(1, Hire(ANN, 1))
    assert game.taps(0, NoChange()).hires(1, 1).state.attempt.goons


def test_everything_typed_can_be_corrected_until_the_verdict():
    game = in_the_city().attempt(UP, difficulty=3, base=3, card="Fog", modifier=1).everybody_passes()
    game = game.taps(0, RevealChange("Rain", -1))
    assert game.table.attempt.total == 2
    game = game.taps(0, TypeNumbers(difficulty=2, base=1))
    assert (game.table.attempt.total, game.table.attempt.difficulty) == (0, 2)
    game = game.taps(0, Settle())
    assert "No scene change" in game.refuses(0, TypeNumbers(base=9))
    assert [card.name for card in game.state.changes] == ["Rain"]


def test_the_verdict_waits_for_everybody():
    game = in_the_city().taps(0, TryScene(UP), NoChange())
    assert "Not everybody" in game.refuses(0, Settle())
    assert game.taps(0, NobodyHires()).table.attempt.stage == "settle"


def test_passing_makes_no_history_line_and_one_tap_passes_for_everybody():
    game = in_the_city().attempt(UP).hires(1, 1).taps(2, PassGoons(BEN))
    assert game.lines == ()
    game = game.taps(3, NobodyHires())
    assert set(game.state.attempt.passed) == {ANN, BEN, CLEO}
    assert "Everybody has passed" in game.refuses(3, NobodyHires())


def test_a_card_may_decide_otherwise_and_the_line_says_so():
    game = in_the_city().attempt(UP, difficulty=9, base=1).everybody_passes().taps(0, Settle("success"))
    assert game.state.verdict.overruled
    assert game.lines[0].startswith("A card decides")


def test_numbers_are_typed_once():
    game = in_the_city().taps(0, SetCharacter(ANN, "The Femme Fatale", {"who": 3}), MeetInformant(ANN, "The Bookie"))
    game = game.taps(0, TryScene(UP), RevealChange("Fog", 1), TypeNumbers(difficulty=4, informant=1))
    game = game.everybody_passes().taps(0, Settle())
    assert game.state.verdict.success
    game = game.taps(0, PutScene("who", WHO, "midtown"), TryScene(UP, anyway=True), RevealChange("Fog"))
    attempt = game.table.attempt
    assert (attempt.difficulty, attempt.total, attempt.exact) == (4, 3 + 1 + 1, True)


def test_the_latest_number_typed_is_the_one_remembered_also_for_a_single_loot():
    game = in_the_city().taps(0, PlayCard("loot", "The Pipe", ANN)).taps(0, TryScene(UP, anyway=True), NoChange())
    assert next(part.n for part in game.table.attempt.parts if part.part == "loot") is None
    game = game.taps(0, TypeNumbers(base=0, loot=1, difficulty=9), TypeNumbers(loot=2, difficulty=3), CallOff())
    game = game.taps(0, TryScene(UP, anyway=True))
    assert (game.table.attempt.total, game.table.attempt.difficulty) == (2, 3)
    assert not game.table.attempt.exact  # nobody has named the informant
    # A second loot without a typed number is unknown, not zero.
    game = game.taps(0, PlayCard("loot", "The Timepiece", ANN, anyway=True))
    assert next(part.n for part in game.table.attempt.parts if part.part == "loot") is None


def test_the_inactive_side_has_its_own_numbers():
    game = in_the_city().taps(0, TryScene("who.midtown.0.downtown"), NoChange(), TypeNumbers(difficulty=5))
    game = game.everybody_passes().taps(0, Settle("success"), TryScene("who.downtown.0.midtown", anyway=True))
    assert game.table.attempt.difficulty is None


def test_an_attempt_can_be_cancelled():
    game = in_the_city().taps(0, TryScene(UP), CallOff())
    assert game.state.attempt is None
    assert not game.state.turn.attempted  # nothing had been revealed or hired
    game = in_the_city().attempt(UP).hires(1, 1).taps(0, CallOff())
    assert game.state.turn.attempted
    assert len(game.state.noir) == len(game.state.changes) == 1


def test_the_scene_change_deck_is_reshuffled_when_it_is_empty():
    game = in_the_city()
    for n in range(20):
        game = game.taps(0, TryScene(UP, anyway=True), RevealChange(f"Change {n}"), CallOff())
    assert len(game.state.changes) == 20
    game = game.taps(0, TryScene(UP, anyway=True), RevealChange("Change 3"))
    assert game.state.changes == ()
    assert game.table.piles[2].deck == 19


def test_a_scene_without_a_name_can_be_moved_and_is_asked_for_afterwards():
    game = begun().taps(0, TitleLeaves("who")).changes(UP)
    assert game.state.city["who"].uptown == (None,)
    game = game.taps(0, NameScene("who", "uptown", 0, WHO))
    assert game.state.city["who"].uptown == (WHO,)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_has_to_pass(players):
    game = in_the_city(players).attempt(UP)
    for n in range(players):
        assert game.table.attempt.stage == "goons"
        game = game.taps(0, PassGoons(game.state.attempt.next))
        assert len(game.state.attempt.passed) == n + 1
    assert game.table.attempt.stage == "settle"
