"""Problems found in playtests (F1 to F6), and how they are solved."""

from __future__ import annotations

import pytest
from faster_than_truth_talk import Gang, playing, told

from companion.engine.links import WATCHER
from companion.game import TABLE, Dice, Seat
from companion.games.faster_than_truth import GAME
from companion.games.faster_than_truth.challenges import Challenge, GoOn, Wait
from companion.games.faster_than_truth.corrections import GiveTurn, MoveCard
from companion.games.faster_than_truth.effects import Flip, Gain, HaveNone, Hide, Lose, NeverMind, Pick, Steal
from companion.games.faster_than_truth.express import Wins
from companion.games.faster_than_truth.intrigue_cards import Declare, GoesFirst, Turned
from companion.games.faster_than_truth.penalty import TakeFromReserve
from companion.games.faster_than_truth.rules import start
from companion.games.faster_than_truth.setup import Setup
from companion.testing import Table, text_of

HAND = {"cards.1": "fists", "cards.2": "crown", "cards.3": "coins"}
EVERYBODY = (1, 2, 3, TABLE, WATCHER)


def under_way(seated, players: int = 3, **setup: object) -> Table:
    table = seated("faster_than_truth", players=players, **setup)
    for person in table:
        assert person.presses("Left", HAND).status == 200
    assert table["Ann"].presses("Ann").status == 200
    return table


def express(players: int = 3) -> Gang:
    seats = tuple(Seat(n) for n in range(1, players + 1))
    return Gang(start(Setup(express=True), seats, Dice()).state).taps(TABLE, GoesFirst(Seat(1)))


def test_F1_the_owner_looks_at_the_cards_and_then_chooses_which_one_is_face_up(seated):
    table = seated("faster_than_truth", players=3)
    for viewer in (table["Ann"], table.shared):
        assert viewer.shows("Deal three to each player, face down. Look at your cards and turn one face up.")
        assert not viewer.shows("one face up. You may look")
    assert table["Ann"].shows("Look at your three cards")
    assert table["Ann"].shows("Which one do you turn face up?")


def test_F2_a_card_that_nobody_challenges_takes_the_player_four_taps_and_the_others_none(seated, flow):
    table = under_way(seated, players=4, fuse="5")
    stream = table.shared.listens()
    with flow("Faster Than Truth: an unchallenged card, with what it does", most=4):
        table["Ann"].presses("Declare a card")
        stream.until("Challenge on your phone, or do nothing.")
        stream.until("Nobody challenges")
        table["Ann"].presses("It was true")
        table["Ann"].presses("Money")
        table["Ann"].presses("Done")
    assert table["Ann"].shows("Your turn: card 2 of 2")
    assert table.shared.shows("Ann gains Money.")


def test_F2_a_player_who_thinks_is_named_and_stops_the_fuse_until_they_go_on_or_challenge(seated):
    table = under_way(seated, fuse="15")
    table["Ann"].presses("Declare a card")
    for viewer in (table["Ben"], table.shared):
        assert "data-until" in viewer.page().html
    assert table["Cleo"].presses("Wait").status == 200
    for viewer in (table["Ann"], table["Ben"], table.shared):
        assert "data-until" not in viewer.page().html
        assert viewer.shows("thinking")
        assert viewer.shows("Cleo")
    assert table["Ben"].shows("Cleo is still thinking.")
    assert table.shared.presses("Go on").status == 200
    assert "data-until" in table["Ben"].page().html
    assert table["Cleo"].presses("Wait").status == 200
    assert table["Cleo"].presses("Challenge").status == 200
    assert table["Ann"].shows("Cleo challenges you")


def test_F2_a_card_in_express_takes_three_taps_and_no_stash_is_entered(seated, flow):
    table = seated("faster_than_truth", players=4, express="true")
    table["Ann"].presses("Ann")
    with flow("Faster Than Truth: a card in express", most=3):
        table["Ann"].presses("Declare a card")
        table["Ben"].presses("Challenge")
        table["Ann"].presses("I gambled")
    for viewer in (table["Ann"], table["Ben"], table.shared):
        assert viewer.shows("The card is discarded without effect. Ben takes a resource card from Ann.")
    assert table["Ann"].shows("Your turn: card 2 of 2")
    assert not table["Ann"].shows("Your stash")
    assert table.shared.lines()[:3] == [
        "Ann gambles and gets caught. The card is discarded.",
        "Ben challenges.",
        "Ann declares a card.",
    ]


@pytest.mark.parametrize(
    ("challenger", "how", "words"),
    [
        (0, "safe", "#1 resolves the play it safe effect."),
        (0, "gamble", "#1 resolves the gamble effect."),
        (3, "safe", "#1 resolves the play it safe effect, then takes a resource card from #3."),
        (3, "gamble", "The card is discarded without effect. #3 takes a resource card from #1."),
    ],
)
def test_F2_express_says_what_each_of_the_four_outcomes_means(challenger, how, words):
    gang = express().declares("")
    gang = gang.challenges(challenger) if challenger else gang.nobody_challenges()
    gang.turns(how)
    view = GAME.table_view(gang.state)
    assert told(view.outcome) == words
    assert (view.moment.kind, view.moment.hold > 1) == ("true" if how == "safe" else "gamble", bool(challenger))
    assert (gang.state.turn, gang.state.done) == (1, 1)
    gang.declares("")
    assert GAME.table_view(gang.state).outcome is None


@pytest.mark.parametrize(
    ("challenger", "how", "mine", "rivals"),
    [
        (0, "safe", "You resolve the play it safe effect.", None),
        (0, "gamble", "You resolve the gamble effect.", None),
        (
            3,
            "safe",
            "You resolve the play it safe effect, then take a resource card from #3.",
            "#1 resolves the play it safe effect, then takes a resource card from you.",
        ),
        (
            3,
            "gamble",
            "The card is discarded without effect. #3 takes a resource card from you.",
            "The card is discarded without effect. You take a resource card from #1.",
        ),
    ],
)
def test_F2_express_says_you_on_the_phones_of_the_two_players_concerned(challenger, how, mine, rivals):
    gang = express().declares("")
    gang = gang.challenges(challenger) if challenger else gang.nobody_challenges()
    gang.turns(how)
    everybody = told(GAME.table_view(gang.state).outcome)
    outcomes = [told(GAME.seat_view(gang.state, Seat(seat)).outcome) for seat in (1, 2, 3)]
    assert outcomes == [mine, everybody, rivals or everybody]


def test_F2_in_express_the_player_or_the_table_says_who_has_won():
    gang = express()
    assert gang.refused(2, Wins()) == "You can only win at the start of your turn, before your first card."
    assert gang.refused(1, Wins(Seat(2)))
    won = Gang(gang.state).taps(1, Wins())
    assert GAME.result(won.state).winners == (1,)
    assert not won.step.sealed, "a slip of the finger is taken back"
    gang.declares().challenges(2).turns("safe")
    assert gang.refused(1, Wins())
    result = GAME.result(gang.taps(TABLE, Wins(Seat(3))).state)
    assert (result.winners, result.starter) == ((3,), 1)
    assert "tracks the stashes" in Gang(playing("Mpc", "Mpc", "Mpc")).refused(1, Wins())


def test_F2_the_time_to_challenge_is_chosen_at_set_up_in_a_sensible_order(house):
    words = text_of(house.visitor().get("/new/faster_than_truth").text)
    assert "5 seconds 10 seconds 15 seconds No limit: everybody taps" in words
    assert "Express: challenges only" in words


def test_F2_the_fuse_starts_again_after_a_count_and_stays_off_where_there_is_none():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().taps(2, Wait())
    assert gang.taps(2, Challenge()).step.alarm is None
    off = Gang(playing("Mpc", "Mpc", "Mpc", setup=Setup(fuse="off"))).declares()
    assert off.step.alarm is None
    assert off.taps(2, Wait()).taps(TABLE, GoOn()).step.alarm is None


def test_F3_names_are_optional_known_ones_are_a_tap_and_the_deal_is_four(seated, flow):
    table = seated("faster_than_truth", players=3, names="Alibi", fuse="off")
    with flow("Faster Than Truth: entering the deal", most=4):
        assert table["Ann"].presses("Middle", HAND).status == 200
    for name in ("Ben", "Cleo"):
        table[name].presses("Left", HAND)
    table["Ann"].presses("Ann")
    with flow("Faster Than Truth: declaring without a name", most=1):
        assert table["Ann"].presses("Declare a card").status == 200
    assert table["Ben"].shows("Ann plays A card, face down")
    table["Ann"].presses("Take back")
    with flow("Faster Than Truth: declaring a known name", most=1):
        assert table["Ann"].presses("Alibi").status == 200
    assert table["Ben"].shows("Ann says “Alibi”")


def test_F3_a_card_is_hidden_or_revealed_by_one_tap_on_the_card_itself(seated, flow):
    table = under_way(seated, fuse="off")
    table["Ann"].presses("Declare a card")
    for name in ("Ben", "Cleo"):
        table[name].presses("Let it pass")
    table["Ann"].presses("It was true")
    with flow("Faster Than Truth: hiding a card", most=1):
        assert table["Ann"].presses("Muscle Hide").status == 200
    assert table["Ben"].shows("Ann hides a card.")
    with flow("Faster Than Truth: revealing a card", most=1):
        assert table["Ann"].presses("2 Reveal").status == 200
    assert table["Ben"].shows("Ann reveals Prestige.")
    table["Ann"].presses("Hide a card", who=2)
    with flow("Faster Than Truth: a rival hides a card", most=1):
        assert table["Ben"].presses("Muscle Card 1").status == 200
    assert table["Ann"].shows("Ben hides a card.")


def test_F3_only_the_player_of_the_card_flips_their_own():
    gang = Gang(playing("MpC", "Mpc", "Mpc")).effect()
    assert gang.refused(2, Flip(1)) == "{name} played this card. Only {name} can do that."
    assert gang.refused(1, Flip(4)) == "That card is gone. Choose another one."
    assert gang.taps(1, Flip(3)).stash(1) == "Mpc"
    assert not gang.step.sealed
    assert gang.taps(1, Flip(2)).stash(1) == "MPc"
    assert gang.step.sealed


def test_F4_learning_mentions_gambles_only_to_switch_them_on(easel):
    gang = Gang(playing("Mpc", "", "Mpc", turn=0, learning=True))
    screens = []
    for move in ((TABLE, GoesFirst(Seat(1))), (1, Declare("")), (1, Hide(Seat(1))), (1, Pick(1))):
        screens += [(seat, easel.draw(GAME, gang.state, seat)) for seat in EVERYBODY]
        gang.taps(*move)
    screens += [(seat, easel.draw(GAME, gang.state, seat)) for seat in EVERYBODY]
    for seat, html in screens:
        words = text_of(html).replace("Switch gambles on", "").lower()
        assert "gambl" not in words, (seat, words)
        assert "challeng" not in words, (seat, words)
        assert "is it true" not in words, (seat, words)


def test_F4_every_phone_can_switch_gambles_on_during_the_deal_and_between_turns(seated):
    table = seated("faster_than_truth", players=3, learning="true")
    for person in table:
        assert person.shows("Switch gambles on")
        person.presses("Left", HAND)
    table["Ann"].presses("Ann")
    for viewer in (*table, table.shared):
        card = viewer.page().html.split("Fix a mistake")[0]
        assert "Switch gambles on" in text_of(card)
    assert table["Cleo"].presses("Switch gambles on").status == 200
    table["Ann"].presses("Declare a card")
    assert table["Ben"].shows("Let it pass")


def test_F5_nobody_takes_a_card_from_a_rival_who_has_none(easel):
    gang = Gang(playing("Mpc", "M", "Mpc")).declares().challenges(2).turns("safe")
    assert "Then take a card from Ben." in text_of(easel.draw(GAME, gang.state, 1))
    gang.taps(1, Steal(Seat(2), "fists")).taps(2, Pick(1))
    card = text_of(easel.draw(GAME, gang.state, 1))
    assert "Then take a card from the reserve: Ben has none." in card
    gang.is_done()
    for seat in EVERYBODY:
        assert "takes a card from Ben" not in text_of(easel.draw(GAME, gang.state, seat))
    assert gang.taps(1, TakeFromReserve("coins")).lines[0] == "#2 has no cards, so #1 takes Money from the reserve."


def test_F5_five_of_a_kind_goes_away_when_open_cards_prove_it_wrong(easel):
    gang = Gang(playing("CCCC", "Mpc", "Mpc")).effect().taps(1, Gain(Seat(1), "coins"))
    assert "Five of a kind!" in text_of(easel.draw(GAME, gang.state, TABLE))
    gang.taps(1, Lose(Seat(1), "coins")).taps(1, Pick(1))
    for seat in EVERYBODY:
        assert "five of a kind" not in text_of(easel.draw(GAME, gang.state, seat).split("<!-- mine -->")[0]).lower()
    # One of them is hidden and might be a sixth, so the announcement stays.
    gang = Gang(playing("CCCCm", "Mpc", "Mpc")).effect().taps(1, Gain(Seat(1), "coins"))
    gang.taps(1, Lose(Seat(1), "coins")).taps(1, Pick(1))
    assert gang.state.declared == (1,)
    # All other Money is face up elsewhere, so no hidden card can be the fifth.
    gang = Gang(playing("CCCCm", "C" * 13, "Mpp")).effect().taps(1, Gain(Seat(1), "coins"))
    gang.taps(3, MoveCard("1-1", Seat(2)))
    assert gang.state.declared == ()


def test_F5_after_the_end_all_cards_are_revealed_and_five_of_a_kind_is_gone(easel):
    gang = Gang(playing("CCccc", "Mpc", "pmC", turn=3, declared=(Seat(1),))).plays_safe().plays_safe()
    assert gang.state.winner == 1
    assert gang.step.sealed, "what everybody has seen cannot be taken back"
    view = GAME.table_view(gang.state)
    assert [[card.kind for card in stash.cards] for stash in view.stashes][1:] == [
        ["fists", "crown", "coins"],
        ["crown", "fists", "coins"],
    ]
    assert not any(stash.declared for stash in view.stashes)
    html = easel.draw(GAME, gang.state, 2)
    assert "hold to look" not in text_of(html)
    assert "five of a kind!" not in text_of(html).lower()
    assert gang.taps(2, GiveTurn(Seat(2))).state.phase == "declare", "the table may play on after the end"


def probed(hidden: str, rest: str, *, lose: bool = False) -> Gang:
    asks = (Lose if lose else Steal)(Seat(2), "coins")
    return Gang(playing("Mpc", hidden, rest)).effect().taps(1, asks)


@pytest.mark.parametrize("lose", [False, True])
def test_F6_asking_by_mistake_tells_nothing_before_the_rival_answers(easel, lose):
    has, has_not = probed("Mcp", "Cpp", lose=lose), probed("Mpp", "Ccp", lose=lose)
    for viewer in (1, TABLE, WATCHER):
        drawn = [easel.draw(GAME, gang.state, viewer, lines=gang.step.lines) for gang in (has, has_not)]
        assert drawn[0] == drawn[1]
    assert (has.step.sealed, has.step.alarm) == (has_not.step.sealed, has_not.step.alarm)
    for gang in (has, has_not):
        gang.taps(1, NeverMind())
    assert has.lines == has_not.lines
    for viewer in (1, TABLE, WATCHER):
        drawn = [easel.draw(GAME, gang.state, viewer, lines=gang.step.lines) for gang in (has, has_not)]
        assert drawn[0] == drawn[1]


def test_F6_once_the_rival_has_answered_it_is_final():
    has, has_not = probed("Mcp", "Cpp"), probed("Mpp", "Ccp")
    assert has.refused(2, HaveNone()) == "You have Money. Hold your stash to look at it."
    assert has_not.refused(2, Pick(2)) == "That card is not Money. Hold your stash to look at it."
    for gang in (has.taps(2, Pick(2)), has_not.taps(2, HaveNone())):
        assert gang.step.sealed
        assert gang.refused(1, NeverMind()) == "Nobody has to choose a card now."


def test_F6_the_rival_is_asked_the_same_whether_they_have_one_or_not(easel):
    for hidden in ("Mcp", "Mpp"):
        words = text_of(easel.draw(GAME, probed(hidden, "Cpp").state, 2))
        assert "asks you for Money" in words
        assert "Hand it over" in words
        assert "I have none" in words


def test_F6_the_rivals_phone_has_the_same_look_and_size_for_a_neighbour(easel):
    sizes = {len(easel.draw(GAME, probed(hidden, "Cpp").state, 2)) for hidden in ("Mcp", "Mpp", "Mmm", "Mcc")}
    assert len(sizes) == 1


def test_S8_a_waiting_phone_names_the_player_it_waits_for(seated):
    table = seated("faster_than_truth", players=3)
    table["Ann"].presses("Left", HAND)
    table["Ben"].presses("Left", HAND)
    assert table["Ann"].shows("Your cards are in Waiting for: Cleo")
    table["Cleo"].presses("Left", HAND)
    table["Ann"].presses("Ben")
    assert table["Cleo"].shows("Ben plays a card face down and says its name.")


def test_the_history_lists_events_not_single_taps():
    gang = Gang(playing("Mpc", "Mpc", "Mpc"))
    lines = []
    for seat, tap in ((1, Declare("Alibi")), (2, Wait()), (2, GoOn())):
        lines += gang.taps(seat, tap).lines
    lines += gang.nobody_challenges().lines
    for seat, tap in ((1, Turned("safe")), (1, Hide(Seat(2))), (2, Pick(1))):
        lines += gang.taps(seat, tap).lines
    assert lines + gang.is_done().lines == ["#1 declares a card.", "#1 plays it safe.", "#2 hides a card."]
