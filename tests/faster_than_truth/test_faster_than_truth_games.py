"""Whole random games of Faster Than Truth: cards are conserved, and every game can go on or is over."""

from __future__ import annotations

import random

from faster_than_truth_moves import anything, corrections_of, moves
from faster_than_truth_talk import told
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine.snapshot import decode, encode
from companion.game import KEEP, TABLE, Dice, NotAllowed, Seat, Tap
from companion.games.faster_than_truth import GAME
from companion.games.faster_than_truth.challenges import LAST_CALL, LastCall
from companion.games.faster_than_truth.counting import CountAgain, EnterDeal, EnterStash
from companion.games.faster_than_truth.express import Wins
from companion.games.faster_than_truth.rules import start
from companion.games.faster_than_truth.setup import Setup
from companion.games.faster_than_truth.state import KINDS, OF_EACH, Play
from companion.testing import apply


def games(many: int) -> settings:
    """How many random games to play; no test depends on the clock."""
    return settings(max_examples=many, deadline=None, suppress_health_check=list(HealthCheck))


def dealt_at_random(players: int, chance: random.Random) -> Play:
    """A dealt game with correct entries, with or without a fuse and gambles."""
    seats = tuple(Seat(n) for n in range(1, players + 1))
    setup = Setup(fuse=chance.choice(("5", "10", "15", "off")), learning=chance.random() < 0.1)
    play: Play = start(setup, seats, Dice(chance)).state
    pile = [kind for kind in KINDS for _ in seats]
    chance.shuffle(pile)
    for seat in seats:
        cards = {place: pile.pop() for place in (1, 2, 3)}
        play = apply(GAME, play, seat, EnterDeal(chance.randint(1, 3), cards)).state
    return play


def check(play: Play) -> None:
    for kind in KINDS:
        held = sum(play.has(seat, kind) for seat in play.seats)
        assert play.reserve[kind] >= 0
        assert play.reserve[kind] + held == OF_EACH, "eighteen of each resource, always"
    assert decode(encode(play), Play) == play
    if play.ask and not play.ask.kind:
        assert play.can_choose(), "nobody has to choose a card that is not there"
    if play.phase == "challenge":
        assert play.undecided() or play.in_play.thinking, "a window that nobody could use is closed"
    for seat in play.seats:
        if play.enough(seat):
            assert play.could_have_five(seat)
            assert seat in (*play.declared, play.winner), "five of a kind stay called as long as they are there"
    if GAME.result(play) is None:
        assert moves(play), "every game the rules can reach can be continued or is over"
    elif not play.setup.express:
        assert play.enough(play.winner)
        assert play.turn == play.winner


@games(60)
@given(players=st.integers(3, 6), seed=st.integers(0, 2**32))
def test_any_game_conserves_the_cards_and_can_go_on_until_it_is_over(players, seed):
    chance = random.Random(seed)
    play = dealt_at_random(players, chance)
    for _ in range(120):
        check(play)
        options = moves(play)
        if not options:
            return
        if chance.random() < 0.08:
            options = corrections_of(play)
        seat, tap = chance.choice(options)
        answer = apply(GAME, play, seat, tap, Dice(chance))
        assert all(told(line.say) for line in answer.lines)
        before, play = play, answer.state
        if "challenge" in (before.phase, play.phase):
            burns(before, play, tap, answer.alarm)
        for other in play.seats:
            if play.enough(other) and not before.enough(other):
                assert other in play.declared or play.winner == other


def burns(before: Play, play: Play, tap: Tap, alarm: float | None) -> None:
    """The fuse burns only while the window is open and nobody is thinking."""
    if play.phase != "challenge":
        assert alarm is None
    elif play.in_play.thinking:
        assert alarm in (None, KEEP)
    elif before.phase != "challenge" or before.in_play.thinking:
        assert alarm == play.fuse
    else:
        assert alarm == (play.fuse or LAST_CALL if isinstance(tap, LastCall) else KEEP)


@games(20)
@given(players=st.integers(3, 6), seed=st.integers(0, 2**32))
def test_an_express_game_keeps_no_cards_and_goes_on_until_the_table_names_a_winner(players, seed):
    chance = random.Random(seed)
    setup = Setup(express=True, fuse=chance.choice(("5", "off")), learning=chance.random() < 0.2)
    play: Play = start(setup, tuple(Seat(n) for n in range(1, players + 1)), Dice(chance)).state
    for _ in range(60):
        check(play)
        assert play.phase in ("first", "declare", "challenge", "turning")
        assert not any(play.stashes.values())
        assert not list(GAME.secrets(play, Seat(1))), "nothing is secret"
        for seat, tap in chance.sample(pool := anything(play), min(10, len(pool))):
            assert answered(play, seat, tap, chance)
        options = corrections_of(play) if play.turn and chance.random() < 0.05 else moves(play)
        play = apply(GAME, play, *chance.choice(options), Dice(chance)).state
    if play.phase == "declare":
        won = apply(GAME, play, TABLE, Wins(play.turn)).state
        assert GAME.result(won).winners == (play.turn,)
        assert GAME.result(won).starter == play.first


def answered(play: Play, seat: Seat, tap: Tap, chance: random.Random) -> bool:
    try:
        check(apply(GAME, play, seat, tap, Dice(chance)).state)
    except NotAllowed as why:
        return told(why.say).endswith((".", "!", "?"))
    return True


@games(15)
@given(players=st.integers(3, 6), seed=st.integers(0, 2**32))
def test_any_tap_at_any_time_is_answered_by_a_rule_or_by_a_sentence(players, seed):
    chance = random.Random(seed)
    play = dealt_at_random(players, chance)
    for _ in range(40):
        check(play)
        kept = encode(play)
        for seat, tap in chance.sample(pool := anything(play), min(20, len(pool))):
            assert answered(play, seat, tap, chance)
            assert encode(play) == kept, "an illegal tap changes nothing"
        options = moves(play)
        if not options:
            return
        play = apply(GAME, play, *chance.choice(options), Dice(chance)).state


@games(25)
@given(players=st.integers(3, 6), seed=st.integers(0, 2**32))
def test_a_count_of_all_cards_ends_with_the_cards_it_was_told(players, seed):
    chance = random.Random(seed)
    play = dealt_at_random(players, chance)
    for _ in range(chance.randint(0, 60)):
        if not (options := moves(play)):
            return
        play = apply(GAME, play, *chance.choice(options), Dice(chance)).state
    if play.winner:
        return
    counting = apply(GAME, play, 0, CountAgain({})).state
    for seat in chance.sample(play.seats, len(play.seats)):
        lying = {n: f"{card.kind}-{'no' if card.hidden else 'up'}" for n, card in enumerate(play.stashes[seat], 1)}
        counting = apply(GAME, counting, seat, EnterStash(lying)).state
    # Only a question for a named card is dropped.
    assert counting == (play.but(ask=None) if play.ask and play.ask.kind else play)
