"""Whole games at random: whatever people tap, the board keeps its 42 territories and the Crown its route."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from risk_talk import Board

from companion.engine.snapshot import decode, encode
from companion.game import TABLE, Dice, NotAllowed, Seat, Tap
from companion.games.risk import GAME, battle, cards, corrections, crown, missions, opening, turn
from companion.games.risk.state import STEPS, Underworld

SEATS = [Seat(n) for n in range(6)]


def any_tap(chance: random.Random, state: Underworld) -> Tap:
    """Something that somebody might tap, sensible or not."""

    def gang() -> int:
        return chance.randint(1, 5)

    def die() -> int:
        return chance.randint(1, 6)

    def card() -> int:
        return chance.randint(1, 8)

    fight = state.turn.fight if state.turn else None
    black, red = battle.dice_of(fight) if fight else (3, 2)
    taps: list[Any] = [
        lambda: turn.Onward(chance.choice(STEPS)),
        lambda: turn.Onward("crown"),
        lambda: turn.Conquer(gang()),
        lambda: turn.Reinforce(gang()),
        lambda: turn.HoldRegion(gang(), chance.randint(0, 5)),
        lambda: turn.MoreMembers(chance.randint(-5, 9), "x"),
        lambda: crown.EndTurn(len(state.chart)),
        lambda: crown.EndTurn(len(state.chart)),
        lambda: crown.RollCrown(state.crown),
        lambda: crown.TypeCrown(die(), die(), state.crown),
        lambda: battle.Attack(gang(), chance.randint(1, 9), chance.randint(1, 6), chance.random() < 0.3),
        lambda: battle.RollFight(len(fight.rounds) if fight else 0),
        lambda: battle.TypeFight(tuple(die() for _ in range(black)), tuple(die() for _ in range(red))),
        battle.Retreat,
        lambda: battle.FixFight(chance.randint(1, 9), chance.randint(1, 9)),
        lambda: cards.AddBlade(chance.choice((1, 2))),
        lambda: cards.Weigh((card(),)),
        cards.Trade,
        lambda: missions.AddMission("m", 5, chance.randint(1, 3)),
        lambda: missions.HoldMission(card(), chance.randint(0, 3)),
        lambda: missions.LoseMission(card()),
        lambda: missions.Claim(card()),
        lambda: missions.TurnPower("p", "play", chance.randint(0, 3)),
        lambda: missions.TurnPower("p", "keep"),
        lambda: missions.PlayPower(card(), chance.randint(0, 2)),
        lambda: missions.Unturned(chance.randint(0, 3)),
        lambda: cards.DropNote(card()),
        lambda: corrections.MoveOne(gang(), gang()),
        lambda: corrections.FixCounts({gang(): chance.randint(0, 42), gang(): chance.randint(0, 42)}),
        lambda: corrections.FixDraw(chance.randint(0, 5)),
        lambda: corrections.FixTurn(Seat(gang())),
        lambda: corrections.FixDie(chance.randint(1, 30)),
        lambda: opening.Begin(Seat(gang())),
        lambda: opening.ChooseGang(Seat(gang()), gang()),
    ]
    tap: Tap = chance.choice(taps)()
    return tap


def holds_true(state: Underworld) -> None:
    if state.turn is None:
        return
    assert sum(gang.territories for gang in state.gangs) == 42
    assert all(gang.territories >= 0 for gang in state.gangs)
    assert 1 <= state.crown <= state.last_space
    assert len(set(state.seats)) == len(state.seats)
    assert state.ending or state.alive(state.turn.seat) or state.turn.seat in state.seats
    for region in state.regions:
        assert not region.holder or state.gang(region.holder).territories
    if state.turn.fight:
        assert state.turn.fight.attackers > 0
        assert state.turn.fight.defenders > 0
        assert state.gang(state.turn.fight.loser).territories > 0
    assert all(sum(counts) == 42 for counts in state.chart)
    result = GAME.result(state)
    assert (result is None) == (state.ending is None)
    if result is not None and state.ending != "crown":
        assert result.winners


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(players=st.integers(2, 5), seed=st.integers(0, 2**32), dice=st.sets(st.integers(1, 23)), crowned=st.booleans())
def test_whatever_is_tapped_42_are_conserved_and_the_crown_never_jumps_or_goes_back(players, seed, dice, crowned):
    chance = random.Random(seed)
    board = Board(players, die_spaces=tuple(dice), crown=crowned)
    state = board.state
    for _ in range(150):
        tap = any_tap(chance, state)
        current = state.current.seat
        seat = chance.choice((current, current, current, TABLE, Seat(chance.randint(1, players))))
        if tap.by == "seat" and seat == TABLE:
            seat = current
        try:
            after = GAME.rules[type(tap)](state, seat, tap, Dice(chance)).state
        except NotAllowed:
            continue
        assert after.crown - state.crown in (0, 1)
        if not crowned:
            assert after.crown == 1
        if after.crown > state.crown:
            assert isinstance(tap, crown.EndTurn | crown.RollCrown | crown.TypeCrown)
        assert decode(encode(after), Underworld) == after
        holds_true(after)
        for viewer in after.seats:
            GAME.seat_view(after, viewer)
        GAME.table_view(after)
        GAME.screen_view(after)
        GAME.choosing(after)
        state = after
        if state.ending:
            break


@settings(max_examples=30, deadline=None)
@given(players=st.integers(2, 5), seed=st.integers(0, 2**32), dice=st.sets(st.integers(1, 23), max_size=8))
def test_every_game_with_the_crown_ends(players, seed, dice):
    """Play nothing but the turns: the Crown alone brings every game to its end."""
    chance = random.Random(seed)
    board = Board(players, die_spaces=tuple(dice))
    turns = 0
    while board.state.ending is None:
        seat = board.state.current.seat
        if board.state.neutrals and not board.state.current.reinforced:
            board.tap(seat, turn.Reinforce(board.state.neutrals[0].number))
        board.at("crown")
        if board.state.crown_rolls:
            board.tap(seat, crown.RollCrown(board.state.crown), chance.randint(1, 6), chance.randint(1, 6))
        else:
            board.tap(seat, crown.EndTurn(len(board.state.chart)))
        turns += 1
        assert turns < 2000
    assert board.state.crown == board.state.last_space


@settings(max_examples=20, deadline=None)
@given(players=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_every_game_without_the_crown_can_end(players, seed):
    """Whoever always conquers wins in the end."""
    chance = random.Random(seed)
    board = Board(players, crown=False)
    hero = board.state.current.seat
    while board.state.ending is None:
        seat = board.state.current.seat
        rivals = [gang for gang in board.state.playing if gang.territories and gang.seat != seat]
        if board.state.neutrals and any(g.territories for g in board.state.neutrals):
            living = [gang for gang in board.state.neutrals if gang.territories]
            board.tap(seat, turn.Reinforce(living[0].number))
        if seat == hero:
            for _ in range(3):
                rivals = [gang for gang in board.state.playing if gang.territories and gang.seat != seat]
                if rivals and board.state.ending is None:
                    board.tap(seat, turn.Conquer(chance.choice(rivals).number))
        if board.state.ending is None:
            board.ends()
    assert board.result.winners == (hero,)
