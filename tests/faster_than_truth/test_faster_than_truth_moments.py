"""What the stage plays: a moment for each thing everybody has just seen."""

from __future__ import annotations

import re

from faster_than_truth_talk import Gang, playing, told

from companion.engine.links import WATCHER
from companion.game import TABLE, Moment, Seat
from companion.games.faster_than_truth import GAME, corrections, counting, effects
from companion.games.faster_than_truth.challenges import LastCall
from companion.games.faster_than_truth.penalty import TakeCard, TakeFromReserve
from companion.games.faster_than_truth.setup import Setup
from companion.games.faster_than_truth.view import table_view
from companion.testing import text_of


def moment(gang: Gang) -> Moment:
    found = table_view(gang.state).moment
    assert found is not None
    return found


def seen(gang: Gang) -> tuple[str, str]:
    """What kind of moment it is, and what the narrator says."""
    return moment(gang).kind, told(moment(gang).headline)


def stage(easel, gang: Gang, **options: object) -> str:
    html = easel.draw(GAME, gang.state, WATCHER, **options).split("<!-- stage -->")[1]
    return text_of(html)


def test_nothing_is_played_before_the_first_card(easel):
    assert table_view(playing("Mpc", "Mpc", "Mpc")).moment is None


def test_a_declared_card_is_a_small_moment_without_a_curtain(easel):
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares("Fixed Races")
    assert seen(gang) == ("declared", "#1 says: “Fixed Races”")
    assert moment(gang).curtain == moment(gang).hold == 0
    assert "“Fixed Races”" in stage(easel, gang)


def test_the_name_of_a_card_is_said_only_while_it_is_in_play():
    gang = Gang(playing("Mpc", "Mpc", "Mpc", learning=True)).declares("Fixed Races").is_done()
    assert moment(gang).headline is None


def test_a_challenge_says_who_was_first(easel):
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(3)
    assert seen(gang) == ("challenge", "#3 challenges!")
    assert moment(gang).who == (3, 1)
    assert "Cleo challenges" in stage(easel, gang)


def test_the_truth_is_held_back_longer_after_a_challenge(easel):
    for how, kind, words in (("safe", "true", "It was true"), ("gamble", "gamble", "A gamble")):
        doubted = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(2).turns(how)
        passed = Gang(playing("Mpc", "Mpc", "Mpc")).declares().nobody_challenges().turns(how)
        assert moment(doubted).kind == moment(passed).kind == kind
        assert moment(doubted).hold > moment(passed).hold > 0
        assert words in stage(easel, doubted)
        assert words in stage(easel, passed)


def test_no_verdict_is_shown_where_nobody_gambles(easel):
    gang = Gang(playing("Mpc", "Mpc", "Mpc", learning=True)).declares("Alibi")
    assert moment(gang).kind == "declared"
    assert "It was true" not in stage(easel, gang)


def test_the_penalty_card_is_seen_to_change_hands(easel):
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(2).turns("gamble").taps(2, TakeCard(3))
    assert seen(gang) == ("taken", "#2 takes Money from #1.")
    assert "Ben takes Money from Ann." in stage(easel, gang)
    assert [stash.seat for stash in table_view(gang.state).stashes if stash.fresh] == [2]


def test_a_card_from_the_reserve_is_gained_and_not_taken_from_anybody():
    gang = Gang(playing("", "Mpc", "Mpc")).declares().challenges(2).turns("gamble")
    assert told(table_view(gang.state).happening) == "#1 has no cards, so #2 takes one from the reserve."
    assert seen(gang.taps(2, TakeFromReserve("crown"))) == ("gained", "#2 gains Prestige.")


def test_a_stolen_card_is_seen_to_change_hands_and_no_longer_named_once_it_is_hidden():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).effect()
    gang.taps(1, effects.Steal(Seat(2), "coins")).taps(2, effects.Pick(3))
    assert seen(gang) == ("taken", "#1 takes Money from #2.")
    gang.taps(1, effects.Hide(Seat(1))).taps(1, effects.Pick(4))
    assert table_view(gang.state).told is None


def test_five_of_a_kind_is_staged_by_name_and_not_by_kind(easel):
    gang = Gang(playing("CCcc", "Mpc", "Mpc")).effect().taps(1, effects.Gain(Seat(1), "coins"))
    assert seen(gang) == ("five", "#1 has five of a kind!")
    assert "Ann Five of a kind! Take one away before Ann's next turn!" in stage(easel, gang)
    assert moment(gang).figures == ()


def test_the_winner_is_staged(easel):
    gang = Gang(playing("CCccc", "Mpc", "Mpc", turn=3, declared=(Seat(1),))).plays_safe().plays_safe()
    assert seen(gang) == ("winner", "#1 wins.")
    assert "Ann wins" in stage(easel, gang)


def test_every_moment_has_its_own_number():
    gang, numbers = Gang(playing("Mpc", "Mpc", "Mpc")), []
    for _ in range(4):
        gang.declares("Alibi")
        numbers.append(moment(gang).n)
        gang.challenges(next(iter(gang.state.undecided())))
        numbers.append(moment(gang).n)
        gang.turns("gamble")
        numbers.append(moment(gang).n)
        gang.taps(gang.state.penalty.taker, TakeCard(1))
        numbers.append(moment(gang).n)
    assert numbers == sorted(set(numbers))


def test_a_correction_is_not_staged():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().challenges(2)
    before = moment(gang)
    assert moment(gang.taps(TABLE, corrections.PutCard(Seat(3), "coins"))) == before


def test_while_cards_are_counted_nothing_is_played():
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares().taps(TABLE, counting.CountAgain())
    assert table_view(gang.state).moment is None


def test_the_stage_shows_every_stash_and_only_the_backs_of_hidden_cards(easel):
    gang = Gang(playing("MpC", "", "mpc"))
    html = easel.draw(GAME, gang.state, WATCHER)
    assert re.findall(r'class="cards" role="img" aria-label="([^"]*)"', html) == [
        "Muscle, hidden, Money",
        "hidden, hidden, hidden",
    ]
    assert "no cards, can't challenge" in html


def test_the_fuse_burns_with_the_last_call(easel):
    gang = Gang(playing("Mpc", "Mpc", "Mpc", setup=Setup(fuse="off"))).declares()
    assert "Challenge on your phone, or let it pass." in stage(easel, gang)
    gang.taps(1, LastCall())
    html = easel.draw(GAME, gang.state, TABLE, alarm_at=1000.0)
    assert 'class="fuse is-burning of-off"' in html
    assert 'data-until="1000.0"' in html


def test_the_table_challenges_for_those_without_a_phone_and_lets_it_pass_in_the_drawer(easel):
    gang = Gang(playing("Mpc", "Mpc", "Mpc")).declares()
    acts = easel.draw(GAME, gang.state, TABLE, phones=(1, 2)).split("<!-- acts -->")[1].split("<!--")[0]
    assert text_of(acts) == "Cleo challenges Last call"
    assert "Cleo lets it pass" in easel.draw(GAME, gang.state, TABLE, phones=(1, 2)).split("<!-- fix -->")[1]


def test_rivals_are_asked_to_challenge_and_the_player_is_not(easel):
    gang = Gang(playing("Mpc", "Mpc", "")).declares()
    asked = {seat: 'data-asks="challenge-1"' in easel.draw(GAME, gang.state, seat) for seat in (1, 2, 3)}
    assert asked == {1: False, 2: True, 3: False}
