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


def test_anybody_can_fix_a_mistake_and_the_history_says_who(seated):
    table = under_way(seated)
    assert table["Cleo"].presses("Add the card", kind="coins", seat=2).status == 200
    assert table["Ann"].shows("Cleo fixes a mistake: Ben gets Money from the reserve.")
    assert table.shared.presses("Move the card", card="2-4", to=0).status == 200
    assert table["Ann"].shows("The table fixes a mistake: Ben returns Money to the reserve.")


def test_all_cards_are_counted_again_on_the_phones(seated):
    table = under_way(seated)
    assert table["Ben"].presses("Count again").status == 200
    for person in table:
        cards = {"cards.1": "fists-up", "cards.2": "coins-no", "cards.3": "crown-no"}
        assert person.presses("Send my stash", cards).status == 200
    assert table.shared.shows("The cards add up.")
    assert table["Ann"].shows("Your turn: card 1 of 2")


def test_a_typed_name_that_is_too_long_is_refused_with_a_sentence(seated):
    table = under_way(seated)
    assert (
        table["Ann"].presses("Declare a card", name="x" * 60).message
        == "That name is too long. Use at most 40 characters."
    )


def test_in_learning_mode_a_declared_card_is_resolved_immediately_until_gambles_are_on(seated):
    table = seated("faster_than_truth", players=3, learning="true", names="Alibi, Arson", fuse="off")
    for person in table:
        person.presses("Left", HAND)
    table["Ann"].presses("Ann")
    assert table["Ann"].presses("Alibi", known="Alibi").status == 200
    assert table["Ann"].presses("Done").status == 200
    assert table["Ben"].presses("Switch gambles on").status == 200
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
    # The cover opens only for an "I'm Ann" button drawn after her last tap.
    assert "Your stash" not in table.hands_to(1).cover.html


def test_the_help_page_is_read_in_under_a_minute(house):
    table = house.opens("faster_than_truth")
    page = table.shared.client.get("/help/faster_than_truth").text
    ours = text_of(page.split('class="prose"')[1].split("At every table")[0])
    assert "Collect five of a kind" in ours
    assert len(ours.split()) < 240, "people read about four words a second"


def test_a_challenge_cannot_be_taken_back_but_the_table_can_give_the_turn_again(seated):
    table = under_way(seated)
    table["Ann"].presses("Declare a card", name="Smuggle")
    assert table["Ben"].presses("Challenge").status == 200
    for viewer in (table["Ben"], table["Ann"], table.shared):
        assert not viewer.shows("Take back")
        assert "nothing to take back" in viewer.taps("TakeBack").message
    assert table.shared.taps("GiveTurn", seat=1).status == 200
    assert table["Ann"].shows("Your turn: card 1 of 2")


def test_the_player_of_a_card_sees_its_last_effect_until_it_is_taken_back(seated):
    table = under_way(seated)
    table["Ann"].presses("Declare a card", name="Smuggle")
    for name in ("Ben", "Cleo"):
        table[name].presses("Let it pass")
    table["Ann"].presses("It was true")
    assert table["Ann"].shows("No effects yet.")
    table["Ann"].taps("Gain", who=1, kind="fists")
    assert table["Ann"].shows("✓ Ann gains Muscle. 1 effect so far.")
    assert table["Ann"].presses("Take back").status == 200
    assert table["Ann"].shows("No effects yet.")
    table["Ann"].taps("Gain", who=1, kind="fists")
    table["Ann"].taps("Steal", who=2, kind="coins")
    table["Ben"].taps("Pick", place=3)
    assert table["Ann"].shows("✓ Ben hands Ann a hidden card: Money. 2 effects so far.")
    table["Ann"].presses("Done: discard the card")
    table["Ann"].presses("Declare a card", name="Alibi")
    for name in ("Ben", "Cleo"):
        table[name].presses("Let it pass")
    table["Ann"].presses("It was true")
    assert table["Ann"].shows("No effects yet.")


def test_the_loser_of_a_card_is_told_to_hand_it_over(seated):
    table = under_way(seated)
    table["Ann"].presses("Declare a card", name="Smuggle")
    table["Ben"].presses("Challenge")
    table["Ann"].presses("I gambled")
    assert table["Ann"].shows("Ben takes a card from you")
    assert table["Ann"].shows("Hand over the one that Ben taps.")
    assert table["Cleo"].shows("Nothing for you to do now.")
    assert table["Ben"].presses("hidden Card 2").status == 200
    assert table["Cleo"].shows("Ben takes a hidden card from Ann: Prestige.")


def test_what_to_deal_is_listed_until_the_cards_are_in(seated):
    table = seated("faster_than_truth", players=3)
    for viewer in (table["Ann"], table.shared):
        assert viewer.shows("Deal three to each player, face down. Look at your cards")
    for person in table:
        person.presses("Left", HAND)
    for viewer in (table["Ann"], table.shared):
        assert not viewer.shows("Deal three to each")
