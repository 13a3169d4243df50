"""Discard piles, revealed cards, loot, informants and the list of names."""

from __future__ import annotations

from big_shuffle_talk import ANN, BEN, CLEO, WHO, begun, in_the_city

from companion.game import Seat
from companion.games.big_shuffle import GAME
from companion.games.big_shuffle.attempts import RevealChange, TryScene
from companion.games.big_shuffle.card_names import LearnName, RespellName
from companion.games.big_shuffle.goons import Hire
from companion.games.big_shuffle.loot_and_informants import MeetInformant, PassLoot, ReplaceInformant, TrashLoot
from companion.games.big_shuffle.piles import (
    FileCard,
    PutShown,
    Reshuffle,
    ReturnCard,
    SearchDeck,
    ShowCard,
    UnfileCard,
)
from companion.games.big_shuffle.rules import Learnt
from companion.games.big_shuffle.scenes import NameScene
from companion.games.big_shuffle.turns import EndTurn, PlayCard, SetCharacter


def discards(game, pile="noir"):
    return [card.name for card in game.state.pile(pile)]


def test_a_discard_pile_is_in_order_newest_first():
    game = begun().taps(1, FileCard("action", "Shoot Out"), FileCard("loot", "The Pipe"))
    assert discards(game) == ["The Pipe", "Shoot Out"]
    game = game.taps(1, FileCard("goon", "+2", position=2))
    assert discards(game) == ["The Pipe", "+2", "Shoot Out"]


def test_each_kind_of_card_goes_to_its_own_pile():
    game = begun().taps(1, FileCard("informant", "The Bookie"), FileCard("scene_change", "Fog"), FileCard("goon", "+1"))
    assert (discards(game, "informant"), discards(game, "scene_change"), discards(game)) == (
        ["The Bookie"],
        ["Fog"],
        ["+1"],
    )


def test_a_discard_pile_counts_its_kinds():
    game = begun()
    for _ in range(12):
        game = game.taps(1, FileCard("goon", "+1"))
    goons = game.table.piles[0].tallies[0]
    assert (goons.kind, goons.discarded, goons.of) == ("goon", 12, 20)


def test_the_box_has_only_so_many_cards_of_a_kind():
    game = begun()
    for _ in range(5):
        game = game.taps(1, FileCard("reaction", "What Happened Here?"))
    assert "All {n} cards" in game.refuses(1, FileCard("reaction", "Another"))


def test_a_card_discarded_by_mistake_is_removed_again():
    game = begun().taps(1, FileCard("goon", "+1"), FileCard("goon", "+2"), UnfileCard("noir", 1))
    assert discards(game) == ["+2"]
    assert "no longer" in game.refuses(1, UnfileCard("noir", 1))


def test_a_card_returned_from_the_discard_is_public_until_it_is_played():
    game = begun().taps(1, FileCard("action", "Shoot Out"), ReturnCard("noir", 0, BEN))
    assert discards(game) == []
    assert [(one.card.name, one.holder) for one in game.table.shown] == [("Shoot Out", BEN)]
    game = game.taps(1, EndTurn(ANN)).taps(2, PlayCard("action", "shoot out", BEN))
    assert game.table.shown == ()
    assert discards(game) == ["Shoot Out"]


def test_a_goon_that_everybody_knew_somebody_held_is_hired_from_that_hand():
    game = in_the_city().taps(1, FileCard("goon", "+2"), ReturnCard("noir", 0, ANN))
    game = game.attempt("who.midtown.0.uptown").taps(1, Hire(ANN, 2))
    assert game.table.shown == ()


def test_a_card_returned_to_its_deck_is_lost_from_sight_when_that_deck_is_shuffled():
    game = begun().taps(1, FileCard("goon", "+1"), FileCard("goon", "+2"), ReturnCard("noir", 0))
    assert len(game.table.shown) == 1
    assert game.taps(1, SearchDeck("noir")).table.shown == ()
    assert game.taps(1, Reshuffle("noir")).table.shown == ()
    assert len(game.taps(1, SearchDeck("informant")).table.shown) == 1


def test_an_empty_deck_is_made_of_its_discard_pile():
    game = begun().taps(1, FileCard("goon", "+1"), Reshuffle("noir"))
    assert discards(game) == []
    assert "empty" in game.refuses(1, Reshuffle("noir"))


def test_revealed_cards_are_public_until_they_are_put_away():
    game = begun().taps(2, ShowCard("loot", "The Pipe", BEN), ShowCard("action", "Shoot Out"))
    assert [one.card.name for one in game.table.shown] == ["Shoot Out", "The Pipe"]
    game = game.taps(2, PutShown(0, "discard"), PutShown(0, "unseen"))
    assert game.table.shown == ()
    assert discards(game) == ["Shoot Out"]


# -------------------------------------------------------------------------------- loot


def with_loot(n, seat=ANN):
    game = begun()
    for i in range(n):
        game = game.taps(1, PlayCard("loot", f"Loot {i}", seat, anyway=True))
    return game


def test_three_loot_at_most_the_rest_is_trashed():
    game = with_loot(4)
    assert any("must trash" in line for line in game.lines)
    assert game.table.players[0].spare_loot == 1
    assert "more than three loot" in game.refuses(1, EndTurn(ANN))
    game = game.taps(1, TrashLoot(ANN, 1))
    assert game.state.player(ANN).loot == ("Loot 0", "Loot 2", "Loot 3")
    assert discards(game) == ["Loot 1"]
    assert game.taps(1, EndTurn(ANN)).state.turn.seat == BEN


def test_stolen_loot_counts_towards_the_three():
    game = with_loot(3).taps(1, PlayCard("loot", "The Pipe", BEN, anyway=True), PassLoot(BEN, 0, ANN))
    assert game.state.player(BEN).loot == ()
    assert any("must trash" in line for line in game.lines)


def test_loot_can_go_back_to_a_hand():
    game = with_loot(1).taps(1, PassLoot(ANN, 0))
    assert game.state.player(ANN).loot == ()
    assert game.table.shown[0].holder == ANN


# -------------------------------------------------------------------------------- informants and characters


def test_a_replaced_informant_goes_to_its_discard_pile():
    game = begun().taps(1, MeetInformant(ANN, "The Bookie"), ReplaceInformant(ANN, "The Fat Man"))
    assert game.state.player(ANN).informant == "The Fat Man"
    assert discards(game, "informant") == ["The Bookie"]


def test_killing_is_a_replacement():
    game = begun().taps(1, MeetInformant(ANN, "The Bookie"), ReplaceInformant(ANN, "The Fat Man", killed=True))
    assert "is killed" in game.lines[0]
    assert game.state.player(ANN).informant == "The Fat Man"


def test_one_informant_does_not_work_for_two():
    game = begun().taps(1, MeetInformant(ANN, "The Bookie"))
    assert "somewhere else" in game.refuses(1, MeetInformant(BEN, "the bookie"))
    game = game.taps(1, ReplaceInformant(ANN, "The Fat Man"))
    assert "somewhere else" in game.refuses(1, MeetInformant(BEN, "The Bookie"))


def test_a_misread_informant_is_corrected_without_a_discard():
    game = begun().taps(1, MeetInformant(ANN, "The Bookie"), MeetInformant(ANN, "The Fat Man"))
    assert discards(game, "informant") == []
    assert "corrects" in game.lines[0]


def test_the_informant_deck_is_reshuffled_when_it_is_empty():
    game = begun(2).taps(1, MeetInformant(ANN, "I 0"), MeetInformant(BEN, "I 1"))
    for n in range(2, 10):
        game = game.taps(1, ReplaceInformant(ANN, f"I {n}"))
    assert game.table.piles[1].deck == 0
    assert len(discards(game, "informant")) == 8
    game = game.taps(1, ReplaceInformant(ANN, "I 4"))
    assert discards(game, "informant") == []
    assert game.table.piles[1].deck == 8


def test_the_rest_of_the_informant_deck_is_known_once_ten_names_are_known():
    game = begun(2).taps(1, MeetInformant(ANN, "The Bookie"), MeetInformant(BEN, "The Fat Man"))
    assert game.table.piles[1].unseen is None
    game = game.taps(1, *(LearnName("informant", f"I {n}") for n in range(8)))
    assert game.table.piles[1].unseen == tuple(f"I {n}" for n in range(8))
    game = game.taps(1, ReplaceInformant(ANN, "I 3"))
    assert "I 3" not in game.table.piles[1].unseen


def test_everybody_plays_another_character():
    game = begun().taps(1, SetCharacter(ANN, "The Governor", {"who": 3, "what": 3, "where": 3}))
    assert "somewhere else" in game.refuses(2, SetCharacter(BEN, "The Governor"))
    assert game.table.players[0].influence == (3, 3, 3)


def test_the_influence_of_a_known_character_need_not_be_typed_again():
    game = begun().taps(1, SetCharacter(ANN, "The Governor", {"who": 3, "what": 2, "where": 1}))
    game = game.taps(1, SetCharacter(ANN, "The Cat Burglar"), SetCharacter(BEN, "The Governor"))
    assert game.table.players[1].influence == (3, 2, 1)


# -------------------------------------------------------------------------------- names


def test_the_names_of_the_rulebook_are_there_from_the_start():
    names = begun().see(1).tools.names
    assert WHO in names["who"]
    assert "Endless Rain" in names["scene_change"]
    assert "A New York Minute" in names["action"]


def test_a_name_typed_once_is_offered_to_everybody():
    game = in_the_city().taps(0, NameScene("who", "midtown", 1, "The  Torch Singer"))
    assert "The Torch Singer" in game.see(3).tools.names["who"]


def test_capitals_and_a_leading_the_do_not_make_another_name():
    game = begun().taps(1, FileCard("loot", "pipe"), FileCard("loot", "THE PIPE"))
    assert discards(game) == ["The Pipe", "The Pipe"]
    assert sum("pipe" in name.casefold() for name in game.see(1).tools.names["loot"]) == 1


def test_a_misspelt_name_is_corrected_everywhere():
    game = (
        in_the_city()
        .taps(0, NameScene("who", "midtown", 1, "The Torch Siger"))
        .notes(2, "mine", "Torch Siger", None, None)
    )
    game = game.taps(1, RespellName("who", "The Torch Siger", "The Torch Singer"))
    assert game.state.city["who"].midtown[1] == "The Torch Singer"
    assert game.see(2).agendas[0].who == "The Torch Singer"
    assert "The Torch Siger" not in game.see(1).tools.names["who"]


def test_corrections_reach_piles_hands_players_and_a_scene_change_under_way():
    game = in_the_city().taps(1, FileCard("loot", "Pistl"), PlayCard("loot", "Pistl", BEN, anyway=True))
    game = game.taps(1, ShowCard("loot", "Pistl", CLEO), RespellName("loot", "Pistl", "Pistol"))
    assert discards(game) == ["Pistol"]
    assert game.state.player(BEN).loot == ("Pistol",)
    assert game.table.shown[0].card.name == "Pistol"
    game = game.taps(0, TryScene("who.midtown.0.uptown", anyway=True), RevealChange("Fg", 2))
    game = game.taps(0, RespellName("scene_change", "Fg", "Fog"))
    assert game.table.attempt.card == "Fog"
    assert next(part.n for part in game.table.attempt.parts if part.part == "card") == 2


def test_two_spellings_of_one_card_become_one():
    game = begun().taps(
        1, LearnName("where", "The Trian Station"), RespellName("where", "The Trian Station", "train station")
    )
    assert [name for name in game.see(1).tools.names["where"] if "ation" in name] == [
        "The Police Station",
        "The Train Station",
    ]


def test_two_scenes_that_are_both_in_the_city_are_two_cards():
    game = in_the_city().taps(0, NameScene("who", "midtown", 1, "The Dirty Cop"))
    assert "two cards" in game.refuses(0, RespellName("who", "The Dirty Cop", WHO))


def test_a_name_that_was_never_a_card_is_forgotten():
    game = in_the_city().taps(0, LearnName("who", "Aunt Edna"), RespellName("who", "Aunt Edna", forget=True))
    assert "Aunt Edna" not in game.see(1).tools.names["who"]
    game = game.taps(0, FileCard("loot", "Pistl"))
    assert "is on the table" in game.refuses(0, RespellName("loot", "Pistl", forget=True))
    assert "Type the right name" in game.refuses(0, RespellName("who", WHO))


def test_names_and_numbers_are_known_at_the_next_table():
    game = begun().taps(1, SetCharacter(ANN, "The Ingenue", {"who": 1, "what": 2, "where": 3}))
    kept = GAME.lasting.take(game.state)
    assert isinstance(kept, Learnt)
    fresh = GAME.lasting.give(begun(first=None).state, kept)
    assert fresh.number("character", "The Ingenue", "where") == 3
    assert fresh.players[Seat(1)].character is None


def test_a_name_is_one_line_of_at_most_forty_characters():
    game = begun()
    assert "too long" in game.refuses(1, LearnName("loot", "x" * 41))
    assert "Type the name" in game.refuses(1, LearnName("loot", " \u202e "))
