"""Findings from playtests: T for this game, S for every game."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from here import ROOT
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser
from traitors_http_talk import exchange, opened, plain, raw_request
from traitors_talk import GAME, Castle
from traitors_twin_evening import heard

from companion.engine.snapshot import as_data, fill
from companion.game import Dice, GoesAway, Seat
from companion.games.traitors.agreement import ProposeEnd, Wish
from companion.games.traitors.banishment import MoreTime, OpenVote, ReplayTied
from companion.games.traitors.corrections import ChangeRounds
from companion.games.traitors.events import CallOff, DrawEvent, Ready, RestartVote
from companion.games.traitors.gold import AddGold, EndRound
from companion.games.traitors.murder import NoShield
from companion.games.traitors.seat_view import seat_view
from companion.games.traitors.setup import Setup
from companion.games.traitors.state import EndVote
from companion.games.traitors.view import table_view
from companion.testing import NAMES, Seated, Table
from companion.testing.forms import first, text_of

SIX = NAMES[:6]


def murder(table: Table, victim: str, people: tuple[str, ...] = SIX) -> None:
    """Ben draws the card, and another player murders the victim."""
    table["Ben"].presses("EVENT")
    number = str(NAMES.index(victim) + 1)
    killer = next(name for name in people if name != victim)
    for name in people:
        table[name].presses("DONE", choice=number if name == killer else "F")
    table["Ben"].presses("MURDER REVEAL")


# -------------------------------------------------------------------------------- taps of a whole flow


def test_T10_taps_of_a_murder_with_six_phones(house, flow):
    table = opened(house, "murder", 6)
    with flow("The Traitors: a murder, six phones, with a Shield", most=15):
        murder(table, "Fay")
        table["Fay"].presses("Play a Shield")
    with flow("The Traitors: a murder, six phones, without a Shield", most=17):
        murder(table, "Fay")
        table["Fay"].presses("Don't play a Shield")
        table["Fay"].presses("Faithful", gold=2)
    assert table.shared.shows("Fay was a Faithful. 2 Gold goes into the prize fund.")


def test_T10_taps_of_a_banishment_with_six_phones(house, flow):
    table = opened(house, "banishment", 6, timer="3")
    with flow("The Traitors: a banishment, six phones, to the verdict", most=20):
        table["Ben"].presses("EVENT")
        table["Ben"].presses("Vote now")
        for name in SIX:
            table[name].presses("CAST VOTE", choice="6")
        for name in SIX:
            table[name].presses("REVEAL VOTE")
    assert table.shared.shows("Fay is banished")
    with flow("The Traitors: the banished show hand and role", most=2):
        table["Fay"].presses("Traitor", gold=0)
    with flow("The Traitors: five agree to end the round", most=10):
        for name in SIX[:5]:
            table[name].presses("DONE", choice="E")
    with flow("The Traitors: a survivor shows their hand and role", most=2):
        table["Ann"].presses("Faithful", gold=3)
    assert table.shared.shows("Ann is a Faithful with 3 Gold in hand.")


# -------------------------------------------------------------------------------- T1 to T13


def test_T1_a_player_who_keeps_their_shield_does_not_have_to_lie(house):
    table = opened(house, "murder", 5, phones=4)
    table["Ben"].presses("EVENT")
    for name in NAMES[:4]:
        table[name].presses("DONE", choice="5" if name == "Ann" else "F")
    table.hands_to(5).presses("DONE", choice="F")
    table["Ben"].presses("MURDER REVEAL")
    buttons = text_of(first(table.shared.page().html, "#acts").html or "")
    assert buttons == "Play a Shield Don't play a Shield"
    table.shared.presses("Don't play a Shield")
    assert "Eve plays no Shield and is murdered." in table.shared.lines()
    table.shared.presses("Faithful", gold=0)
    table["Ben"].presses("EVENT")
    for name in NAMES[:4]:
        table[name].presses("DONE", choice="4" if name == "Ann" else "F")
    table["Ben"].presses("MURDER REVEAL")
    assert text_of(first(table["Dan"].page().html, "#you .do").html or "") == "Play a Shield Don't play a Shield"


def test_T2_anybody_alive_may_propose_to_end_the_round_between_events():
    castle = Castle().murders(3, drawer=2)
    assert castle.refuses(3, ProposeEnd()) == "You are out of this round."
    assert castle.refuses(0, ProposeEnd()) == "Choose who proposes it."
    assert castle.refuses(1, ProposeEnd(Seat(2))) == "Only Ben or the shared screen can propose that."
    castle.proposes(5)
    assert castle.said == ["Eve proposes to end the round. Everybody answers in secret."]
    assert table_view(castle.now).news.text == "{name} proposes to end the round."
    assert set(castle.now.waiting()) == {1, 2, 4, 5, 6}
    assert castle.refuses(1, DrawEvent()) == "Not now. Finish the current step first."
    assert castle.wishes("EEEEE").now.scene.why == "agreed"
    assert castle.step.burn
    assert Castle().draws("murder").refuses(1, ProposeEnd()) == "Not now. Finish the current step first."


def test_T2_one_who_plays_on_is_enough_and_nobody_learns_who():
    one, other = (Castle().draws("quiet", 4).proposes(5).wishes(wishes) for wishes in ("EPEEEE", "PEEPEP"))
    assert one.now == other.now
    assert (one.said, one.step.secret, one.step.burn) == (["Not everybody agrees: the round goes on."], True, True)
    assert (one.scene, one.now.scene.draws) == ("playing", 4)


def test_T2_a_refused_proposal_is_no_nuisance():
    castle = Castle().draws("quiet", 4).proposes(5).wishes("EPEEEE")
    refusal = "Eve has already proposed this. Wait for the next event."
    assert castle.refuses(5, ProposeEnd()) == castle.refuses(0, ProposeEnd(Seat(5))) == refusal
    assert [seat_view(castle.now, Seat(n)).can_propose for n in range(1, 7)] == [True] * 4 + [False, True]
    first_asked = seat_view(castle.proposes(6).now, Seat(1)).demand
    castle.wishes("EPEEEE")
    assert seat_view(castle.taps(0, ProposeEnd(Seat(1))).now, Seat(1)).demand != first_asked, "phones light up again"
    castle.wishes("EPEEEE").draws("quiet", 2)
    assert castle.proposes(5).scene == "end vote"


def test_T2_the_app_asks_by_itself_after_any_traitor_was_shown():
    for castle in (Castle().murders(5, role="traitor"), Castle().banishes(5, role="traitor")):
        assert (castle.scene, castle.now.scene.proposer) == ("end vote", None)
        assert castle.said[-1] == "Was that the last Traitor? Everybody answers in secret."
    assert Castle().murders(5, role="faithful").scene == "playing"


def test_T2_a_proposal_is_restarted_or_called_off_like_any_vote():
    castle = Castle().draws("quiet", 4).proposes(5).taps(1, Wish("P")).taps(0, RestartVote())
    assert (castle.now.scene.proposer, castle.now.scene.answered) == (5, ())
    castle.taps(1, Wish("P")).taps(0, CallOff())
    assert castle.said == ["The table calls the vote off. The round goes on."]
    assert (castle.step.burn, castle.now.scene.draws, castle.now.scene.proposed) == (True, 4, (5,))


def test_T2_end_it_and_play_on_have_the_same_consequences():
    castle = Castle(4).proposes(2)
    for seat in (1, 2, 3):
        assert heard(castle.now, Seat(seat), Wish("E")) == heard(castle.now, Seat(seat), Wish("P"))
        castle.taps(seat, Wish("E"))
    other = replace(castle.now, scene=replace(castle.now.scene, wish="P"))
    for tap in (Wish("E"), ProposeEnd(), AddGold(1), ChangeRounds(5)):  # from a player who has answered
        assert heard(castle.now, Seat(1), tap) == heard(other, Seat(1), tap)
    assert isinstance(castle.now.scene, EndVote)
    assert castle.taps(4, GoesAway()).now.scene.why == "agreed", "nobody waits for somebody who is away"


def test_T2_both_answers_are_the_same_bytes_on_every_wire(house):
    def wires(choice):
        table = opened(house, "quiet", 4)
        table["Cleo"].presses("Propose to end the round")
        streams = [seat.listens() for seat in (table.shared, *table)]
        for stream in streams:
            stream.frame()
        request = raw_request(table["Ann"], "DONE", choice=choice)
        reply = exchange(house.port, request)
        frames = [plain(table, stream.frame()) for stream in streams]
        return len(request), len(reply), frames, plain(table, table["Ann"].screen())

    assert wires("E") == wires("P")


def test_T2_nothing_of_a_proposal_is_left_in_the_file(own_house):
    table = opened(own_house, "quiet", 4, phones=3)
    table.shared.presses("Dan", proposer=4)
    assert table["Ann"].shows("Dan proposes to end the round.")
    table["Ann"].presses("DONE", choice="P")
    assert own_house.can_read(table)
    for name in ("Ben", "Cleo"):
        table[name].presses("DONE", choice="E")
    assert table.hands_to(4).presses("DONE", choice="E").status == 200
    assert not own_house.can_read(table)
    assert table.shared.lines()[:2] == [
        "Not everybody agrees: the round goes on.",
        "Dan proposes to end the round. Everybody answers in secret.",
    ]


TIE = {1: 2, 2: 1, 3: 2, 4: 1}


def test_T3_the_table_presses_tied_vote():
    castle = Castle(4).draws("banishment").votes(TIE)
    assert castle.said[-1] == "Ann and Ben are tied and may plead."
    assert castle.step.alarm == 60.0
    castle.time_is_up()
    assert (castle.scene, castle.said, castle.step.alarm) == ("tied", [], None)
    assert castle.taps(3, ReplayTied()).said == ["Cleo presses TIED VOTE? Everybody votes again between Ann and Ben."]
    assert castle.refuses(3, ReplayTied()) == "There is no tied vote."


def test_T3_the_pleas_have_a_timer_that_can_be_switched_off(house):
    assert Castle(4, plea="0").draws("banishment").votes(TIE).step.alarm is None
    table = opened(house, "banishment", 4, plea="2")
    table["Ann"].presses("EVENT")
    table["Ann"].presses("Vote now")
    for voter, target in TIE.items():
        table[NAMES[voter - 1]].presses("CAST VOTE", choice=target)
    for name in NAMES[:4]:
        table[name].presses("REVEAL VOTE")
    for seat, words in (
        ("Ann", "You're tied: plead your case"),
        ("Ben", "You're tied: plead your case"),
        ("Cleo", "A tie"),
    ):
        card = first(table[seat].page().html, "#you")
        assert words in text_of(card.html or "")
        assert "Ann and Ben may plead." in text_of(card.html or "")
        assert card.css_first("time[data-until]") is not None
    assert first(table.shared.page().html, "#stage .verdict-line time[data-until]")


def test_T4_everybody_sees_who_ends_the_discussion():
    castle = Castle().draws("banishment", 2).taps(4, OpenVote())
    assert castle.said == ["Dan ends the discussion. Everybody votes."]
    news = table_view(castle.now).news
    assert (news.text, news.holes) == ("{who} ended the discussion.", {"who": 4})
    assert table_view(Castle().draws("banishment").time_is_up().now).news is None


def test_T4_nobody_but_the_drawer_ends_the_discussion_in_one_tap(house, flow):
    table = opened(house, "banishment", 4, timer="3")
    table["Ben"].presses("EVENT")
    assert first(table["Ben"].page().html, "#you form button[class='']").text() == "+1 minute"
    assert first(table["Ann"].page().html, "#you details.ask summary").text() == "Vote now"
    with flow("The Traitors: somebody else ends the discussion", most=2):
        table["Ann"].presses("Vote now")
    for seat in (table.shared, table["Cleo"]):
        assert seat.shows("Ann ended the discussion.")


def test_T4_one_more_minute(house):
    table = opened(house, "banishment", 4, timer="3")
    table["Ben"].presses("EVENT")

    def until() -> float:
        return float(first(table.shared.page().html, "#stage time").attributes["data-until"] or 0)

    before = until()
    table["Dan"].presses("+1 minute")
    assert until() == before + 60
    table.shared.presses("+1 minute")
    assert until() == before + 120
    assert table["Cleo"].shows("The table wants one more minute.")
    castle = Castle(timer="0").draws("banishment")
    assert castle.refuses(1, MoreTime()) == "There is no timer to extend."
    assert Castle().refuses(1, MoreTime()) == "There is no timer to extend."


def test_T5_independent_chances_cannot_be_counted():
    """After M M Q M Q, the odds of the next event are still the same."""
    dice, start = Dice(random.Random(3)), Castle(events="chances").now
    state, kinds = start, Counter()
    for _ in range(4_000):
        state = GAME.rules[DrawEvent](state, Seat(1), DrawEvent(), dice).state
        kinds[type(state.scene).__name__] += 1
        assert state.bag == start.bag
        state = state.play_on("", Seat(1))
    for kind, chance in (("Murder", 3 / 8), ("Talk", 3 / 8), ("Playing", 2 / 8)):
        assert abs(kinds[kind] / 4_000 - chance) < 0.04


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ("bag", "Events from a bag of 8: MURDER 3, BANISHMENT 3, QUIET NIGHT 2."),
        ("chances", "Events by chance: MURDER 3 in 8, BANISHMENT 3 in 8, QUIET NIGHT 2 in 8."),
    ],
)
def test_T5_every_screen_says_which_is_on(house, events, words):
    table = house.opens("traitors", events=events)
    for name in NAMES[:4]:
        table.sits(name)
    table.starts()
    assert words in text_of(first(table.shared.page().html, "#stage").html or "")
    assert words in text_of(first(table["Ann"].page().html, "#table").html or "")


def test_T5_a_table_from_before_draws_from_a_bag():
    old = {key: value for key, value in as_data(Setup()).items() if key not in ("events", "plea")}
    assert fill(old, Setup) == Setup(events="bag", plea="1")


@pytest.mark.parametrize("votes", [None, {}, TIE])
def test_T6_a_called_off_event_goes_back_into_the_bag(votes):
    castle = Castle(4)
    full, dice = castle.now.bag, Dice(random.Random(1))
    while len(castle.now.bag) == len(full) or castle.scene == "playing":
        castle.step = GAME.rules[DrawEvent](castle.now, Seat(1), DrawEvent(), dice)
        if castle.scene == "playing":  # a quiet night has no vote
            castle = Castle(4)
    if castle.scene == "talk" and votes is not None:
        castle.votes(votes) if votes else castle.taps(1, OpenVote())
    assert castle.taps(0, CallOff()).now.bag == full
    assert Castle(4).draws_final().taps(0, CallOff()).now.bag == full, "the last card of the deck comes from no bag"
    chances = Castle(4, events="chances")
    assert chances.draws("murder").taps(0, CallOff()).now.bag == ("murder",)


def test_T6_a_murder_that_is_called_off_before_the_hand_is_shown_goes_back_too():
    castle = Castle(5).draws("murder").answers("F3FFF").reveals_murder().taps(3, NoShield()).taps(0, CallOff())
    assert castle.now.bag == ("murder",)


def test_T7_before_the_next_round_all_cards_go_back_in(house):
    table = opened(house, "quiet", 4, rounds="2")
    words = "Gather all cards from the last round: hands, discards, prize fund and roles."
    assert not table.shared.shows(words)
    table.shared.presses("End this round now")
    for name in NAMES[:4]:
        table[name].presses("Faithful", gold=0)
    table["Ann"].presses("Share it out")
    table["Ann"].presses("Next round")
    for region, seat in (("#stage", table.shared), ("#table", table["Ann"])):
        assert words in text_of(first(seat.page().html, region).html or "")


def test_T8_final_banishment_is_in_plain_sight_and_asks_once(house, flow):
    table = opened(house, "quiet", 4)
    ask = first(table["Ann"].page().html, "#you details.ask:has([value=DrawFinal])")
    assert ask.css_first("summary").text() == "FINAL BANISHMENT"
    assert "FINAL BANISHMENT" in text_of(first(table.shared.page().html, "#acts").html or "")
    with flow("The Traitors: FINAL BANISHMENT", most=2):
        table["Ann"].presses("FINAL BANISHMENT")
    assert table.shared.shows("FINAL BANISHMENT")


def test_T9_players_who_are_out_can_still_talk(house):
    table = opened(house, "murder", 4)
    murder(table, "Dan", NAMES[:4])
    table["Dan"].presses("Don't play a Shield")
    table["Dan"].presses("Faithful", gold=0)
    card = text_of(first(table["Dan"].page().html, "#you").html or "")
    assert "You no longer draw or vote, but you can still talk." in card
    assert "ell nobody" not in card


def test_T10_gold_is_one_tap_on_a_chip(house):
    table = opened(house, "murder", 4)
    murder(table, "Dan", NAMES[:4])
    table["Dan"].presses("Don't play a Shield")
    card = first(table["Dan"].page().html, "#you")
    assert [chip.attributes["value"] for chip in card.css("input[name=gold]")] == [str(n) for n in range(9)]
    assert card.css_first("input[type=number]") is None
    assert card.css_first("input[checked]") is None


def test_T11_the_survivor_reads_that_they_live_and_the_drawer_that_they_draw_again(house):
    table = opened(house, "murder", 4)
    murder(table, "Dan", NAMES[:4])
    table["Dan"].presses("Play a Shield")
    cards = {seat.name: text_of(first(seat.page().html, "#you").html or "") for seat in table}
    assert "You live Discard the Shield." in cards["Dan"]
    assert "You draw again" in cards["Ben"]
    assert "Ben draws again." in cards["Ann"]
    murder(table, "Ben", NAMES[:4])
    table["Ben"].presses("Don't play a Shield")
    table["Ben"].presses("Faithful", gold=0)
    assert "You're next" in text_of(first(table["Cleo"].page().html, "#you").html or "")


def test_T13_every_phone_has_a_pocket_card(house):
    table = opened(house, "quiet", 4)
    card = first(table["Cleo"].page().html, "#mine .pocket")
    assert [node.text() for node in card.css("dt")] == ["Your turn", "Gold", "Shield", "Dagger", "Traitor"]
    assert "Discard down to 3" in card.text()


# -------------------------------------------------------------------------------- S: findings about every game


def test_S8_waiting_phones_name_who_has_to_act(house):
    table = opened(house, "murder", 5)
    murder(table, "Dan", NAMES[:5])
    assert table["Ann"].shows("Dan is choosing")
    table["Dan"].presses("Don't play a Shield")
    assert table["Ann"].shows("Dan shows their hand and role")
    table["Dan"].presses("Faithful", gold=0)
    table.shared.presses("End this round now")
    for name in ("Ann", "Ben"):
        table[name].presses("Faithful", gold=0)
    for name in ("Ann", "Dan"):  # Dan is out
        assert "Waiting for Cleo and Eve." in text_of(first(table[name].page().html, "#you").html or "")


def test_S8_while_a_vote_is_secret_nobody_is_named():
    for castle in (Castle(4).draws("murder"), Castle(4).proposes(2)):
        seats = [seat_view(castle.now, Seat(n)) for n in (1, 2, 3, 4)]
        assert all((view.acting, view.waits_for) == (None, None) for view in seats)


def asked_once(seat: Seated) -> list[str]:
    """The questions that this screen asks before it acts."""
    taps = LexborHTMLParser(seat.page().html).css("details.ask input[name=tap]")
    return [node.attributes["value"] or "" for node in taps]


def test_S9_what_cannot_be_undone_asks_once(house, flow):
    table = opened(house, "quiet", 4)
    table["Ben"].presses("EVENT")
    assert [seat.name for seat in table if "DrawEvent" in asked_once(seat)] == ["Ann", "Cleo", "Dan"]
    with flow("The Traitors: EVENT, drawn again", most=1):
        table["Ben"].presses("EVENT")
    with flow("The Traitors: EVENT by somebody else", most=2):
        table["Cleo"].presses("EVENT")
    table = opened(house, "murder", 4)
    table["Ben"].presses("EVENT")
    assert {"RestartVote", "CallOff"} <= set(asked_once(table.shared))


def test_S16_the_place_of_a_thumb_does_not_tell_its_choice():
    """F is in a different place on every phone and ballot, and all keys are equally far from DONE."""
    murders = Castle(8).draws("murder"), Castle(8).draws("quiet").draws("murder")
    places = {(n, seat): seat_view(murders[n].now, Seat(seat)).turn for n in (0, 1) for seat in range(1, 9)}
    assert len(set(places.values())) >= 5
    assert any(places[0, seat] != places[1, seat] for seat in range(1, 9))
    css = (ROOT / "static/traitors/game.css").read_text()
    key = re.search(r"\.dial > label \{([^}]*)\}", css)
    assert key is not None
    assert "rotate(var(--a)) translateY(calc(-1 * var(--r)))" in key[1], "all on one circle around DONE"


def test_S16_the_chosen_key_is_mute():
    css = (ROOT / "static/traitors/game.css").read_text()
    chosen = re.search(r"\.dial input:checked \+ \.dial-key \{([^}]*)\}", css)
    assert chosen is not None
    assert "accent" not in chosen[1]
    assert "background" not in chosen[1]


# -------------------------------------------------------------------------------- what the results keep


def test_a_result_knows_who_began_and_what_everybody_was():
    castle = Castle(4, ready=False, rounds="1").taps(3, Ready(first=True))
    assert castle.said == ["Round 1 begins. Trust no one.", "Cleo draws first."]
    assert seat_view(castle.now, Seat(3)).draws == "first"
    castle.murders(4, role="traitor").wishes("EEE")
    castle.shows({1: ("faithful", 1), 2: ("faithful", 0), 3: ("faithful", 0)}, fund=3)
    result = GAME.result(castle.now)
    assert result.starter == 3
    assert {seat: say.text for seat, say in result.roles.items()} == {
        1: "Faithful", 2: "Faithful", 3: "Faithful", 4: "Traitor"
    }  # fmt: skip


def test_over_several_rounds_a_role_says_how_often():
    castle = Castle(4, rounds="2").taps(0, EndRound())
    hands = {1: ("traitor", 0), 2: ("faithful", 0), 3: ("faithful", 0), 4: ("faithful", 0)}
    castle.shows(hands, fund=0).taps(0, GAME.taps["NextRound"]()).taps(0, Ready()).taps(0, EndRound())
    castle.shows(hands, fund=0)
    roles = GAME.result(castle.now).roles
    assert (roles[Seat(1)].many, roles[Seat(1)].holes["n"], roles[Seat(2)].text) == (
        "Traitor in {n} rounds",
        2,
        "Faithful",
    )


def test_the_history_has_events_and_no_steps():
    castle = Castle(4, timer="3").draws("banishment").taps(1, MoreTime()).votes(dict.fromkeys(range(1, 5), 2))
    assert castle.history[1:] == [
        "Ann draws an Event card: BANISHMENT.",
        "The table ends the discussion. Everybody votes.",
        "All votes are cast. Ann voted first and reveals first.",
        *(f"{name} votes for Ben." for name in NAMES[:4]),
        "Ben is banished.",
    ]
