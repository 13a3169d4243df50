"""Faster Than Truth over real HTTP: corrections, take back, and people without a phone."""

from __future__ import annotations

from companion.testing import Table, text_of

HAND = {"cards.1": "fists", "cards.2": "crown", "cards.3": "coins"}
WAIT_FOR_ALL = {"fuse": "off"}


def under_way(seated, players: int = 3, **setup: object) -> Table:
    table = seated("faster_than_truth", players=players, **(setup or WAIT_FOR_ALL))
    for person in table:
        assert person.presses("Left", HAND).status == 200
    assert table["Ann"].presses("Ann").status == 200
    return table


def test_a_wrong_declaration_is_taken_back_and_everybody_sees_it(seated):
    table = under_way(seated)
    assert table["Ann"].presses("Declare a card", name="Smuggle").status == 200
    assert table["Ann"].presses("Take back").status == 200
    assert table["Cleo"].shows("Ann takes back: Ann declares a card.")
    assert table["Ann"].shows("Your turn: card 1 of 2")


def test_what_a_steal_has_told_is_not_taken_back(seated):
    table = under_way(seated)
    table["Ann"].presses("Declare a card", name="Smuggle")
    for name in ("Ben", "Cleo"):
        table[name].presses("Let it pass")
    table["Ann"].presses("It was true")
    assert table["Ann"].taps("Steal", who=2, kind="coins").status == 200
    assert table["Ben"].presses("3 Hand it over").status == 200
    assert not table["Ann"].shows("Take back")
    assert "nothing to take back" in table.shared.taps("TakeBack").message


def test_anybody_sets_the_table_right_and_the_history_says_who(seated):
    table = under_way(seated)
    assert table["Cleo"].presses("Add it", kind="coins", seat=2).status == 200
    assert table["Ann"].shows("Cleo sets right: Money from the reserve to Ben.")
    assert table.shared.presses("Move it", card="2-4", to=0).status == 200
    assert table["Ann"].shows("The table sets right: Money from Ben to the reserve.")


def test_all_cards_are_counted_anew_on_the_phones(seated):
    table = under_way(seated)
    assert table["Ben"].presses("Count again").status == 200
    for person in table:
        cards = {"cards.1": "fists-up", "cards.2": "coins-no", "cards.3": "crown-no"}
        assert person.presses("This is my stash", cards).status == 200
    assert table.shared.shows("The cards add up.")
    assert table["Ann"].shows("Your turn: card 1 of 2")


def test_a_typed_name_that_is_too_long_is_refused_with_a_sentence(seated):
    table = under_way(seated)
    assert (
        table["Ann"].presses("Declare a card", name="x" * 60).message == "That name is too long: at most 40 characters."
    )


def test_in_learning_mode_a_declared_card_is_carried_out_at_once_until_the_gambles_come_in(seated):
    table = seated("faster_than_truth", players=3, learning="true", names="Alibi, Arson", fuse="off")
    for person in table:
        person.presses("Left", HAND)
    table["Ann"].presses("Ann")
    assert table["Ann"].presses("Alibi", known="Alibi").status == 200
    assert table["Ann"].presses("Done").status == 200
    assert table["Ben"].presses("Bring the gambles in").status == 200
    table["Ann"].presses("Declare a card", name="Robbery")
    assert table["Ben"].presses("Challenge").status == 200


def test_nobody_joins_or_leaves_a_running_game(seated):
    table = under_way(seated)
    assert "Mark Ben as away" in table.shared.taps("Remove", seat=2).message
    assert table.shared.taps("MarkAway", seat=2).status == 200
    table["Ann"].presses("Declare a card", name="Smuggle")
    table["Cleo"].presses("Let it pass")
    assert table["Ann"].shows("Nobody challenged")


def test_a_player_without_a_phone_plays_on_the_shared_screen_that_is_handed_over(house):
    table = house.opens("faster_than_truth", **WAIT_FOR_ALL)
    table.sits("Ann")
    table.sits("Ben")
    table.adds("Cleo")
    table.starts()
    for person in table:
        person.presses("Left", HAND)
    assert table.hands_to(3).presses("Left", HAND).status == 200
    table.shared.presses("Ann")
    table["Ann"].presses("Declare a card", name="Smuggle")
    # A challenge cannot wait for a screen to be handed over: the shared screen has a button for Cleo, and only for her.
    assert not table.shared.shows("Ben challenges")
    assert table.shared.presses("Cleo challenges").status == 200
    table["Ann"].presses("I gambled")
    assert table.hands_to(3).presses("hidden Card 2", place=2).status == 200
    assert table.shared.shows("Cleo takes a hidden card from Ann: Prestige.")


def test_the_shared_screen_never_carries_a_hidden_card_even_while_it_is_not_handed_over(house):
    table = house.opens("faster_than_truth")
    table.adds("Ann")
    table.adds("Ben")
    table.adds("Cleo")
    table.starts()
    hand = {"cards.1": "fists", "cards.2": "fists", "cards.3": "fists"}
    table.hands_to(1).presses("Middle", hand)
    assert "is-fists" not in table.shared.page().html
    # The cover opens only for a tap of "I'm Ann" that was drawn after her last tap.
    assert "Your stash" not in table.hands_to(1).cover.html


def test_the_help_page_is_read_in_under_a_minute(house):
    table = house.opens("faster_than_truth")
    page = table.shared.client.get("/help/faster_than_truth").text
    ours = text_of(page.split('class="prose"')[1].split("At every table")[0])
    assert "Hold five of a kind" in ours
    assert len(ours.split()) < 240, "people read about four words a second"


def test_a_challenge_stands_and_the_table_sets_it_right_otherwise(seated):
    table = under_way(seated)
    table["Ann"].presses("Declare a card", name="Smuggle")
    assert table["Ben"].presses("Challenge").status == 200
    for viewer in (table["Ben"], table["Ann"], table.shared):
        assert not viewer.shows("Take back")
        assert "nothing to take back" in viewer.taps("TakeBack").message
    assert table.shared.taps("GiveTurn", seat=1).status == 200
    assert table["Ann"].shows("Your turn: card 1 of 2")


def test_what_was_just_done_is_said_to_whoever_carries_out_the_card_and_taken_back_with_it(seated):
    table = under_way(seated)
    table["Ann"].presses("Declare a card", name="Smuggle")
    for name in ("Ben", "Cleo"):
        table[name].presses("Let it pass")
    table["Ann"].presses("It was true")
    assert table["Ann"].shows("Nothing done for this card yet.")
    table["Ann"].taps("Gain", who=1, kind="fists")
    assert table["Ann"].shows("✓ Ann gains Muscle. 1 thing done for this card.")
    assert table["Ann"].presses("Take back").status == 200
    assert table["Ann"].shows("Nothing done for this card yet.")
    table["Ann"].taps("Gain", who=1, kind="fists")
    table["Ann"].taps("Steal", who=2, kind="coins")
    table["Ben"].taps("Pick", place=3)
    assert table["Ann"].shows("✓ Ben hands Money to Ann, a hidden card. 2 things done for this card.")
    table["Ann"].presses("Done: discard the card")
    table["Ann"].presses("Declare a card", name="Alibi")
    for name in ("Ben", "Cleo"):
        table[name].presses("Let it pass")
    table["Ann"].presses("It was true")
    assert table["Ann"].shows("Nothing done for this card yet.")


def test_whoever_loses_a_card_is_told_to_hand_it_over(seated):
    table = under_way(seated)
    table["Ann"].presses("Declare a card", name="Smuggle")
    table["Ben"].presses("Challenge")
    table["Ann"].presses("I gambled")
    assert table["Ann"].shows("Ben takes a card from you")
    assert table["Ann"].shows("As soon as one is chosen, hand it over.")
    assert table["Cleo"].shows("Nothing for you to do now.")
    assert table["Ben"].presses("hidden Card 2").status == 200
    assert table["Cleo"].shows("Ben takes a hidden card from Ann: Prestige.")


def test_what_to_deal_is_listed_until_the_cards_are_in(seated):
    table = seated("faster_than_truth", players=3)
    for viewer in (table["Ann"], table.shared):
        assert viewer.shows("Deal three to each, face down. Look at yours")
    for person in table:
        person.presses("Left", HAND)
    for viewer in (table["Ann"], table.shared):
        assert not viewer.shows("Deal three to each")
