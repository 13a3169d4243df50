"""Random games (Hypothesis): after any tap there are 42 territories and the Crown is on its route."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from risk_talk import Board

from companion.engine.snapshot import decode, encode
from companion.game import TABLE, Dice, NotAllowed, Seat, Tap
from companion.games.risk import GAME, battle, cards, corrections, crown, ground, missions, opening, places, turn
from companion.games.risk.atlas import Atlas, Place
from companion.games.risk.state import STEPS, Underworld

SEATS = [Seat(n) for n in range(6)]
NAMES = ["Cork", *(f"Place {n}" for n in range(2, 43))]


def any_tap(chance: random.Random, state: Underworld) -> Tap:
    """Return a random tap, sensible or not."""

    def gang() -> int:
        return chance.randint(1, 5)

    def die() -> int:
        return chance.randint(1, 6)

    def card() -> int:
        return chance.randint(1, 8)

    def place() -> str:
        return chance.choice(NAMES) if chance.random() < 0.8 else ""

    fight = state.turn.fight if state.turn else None
    rolls = len(fight.rounds) if fight else 0
    taps: list[Any] = [
        lambda: turn.Onward(chance.choice(STEPS[1:])),
        lambda: turn.Onward("attack"),
        turn.LatePlaced,
        lambda: turn.Conquer(gang()),
        lambda: turn.Conquer(chance.choice((None, gang())), place()),
        lambda: turn.Reinforce(gang()),
        lambda: turn.HoldRegion(gang(), chance.randint(0, 5)),
        lambda: turn.MoreMembers(chance.randint(-5, 9), "x"),
        lambda: crown.EndTurn(len(state.chart)),
        lambda: crown.EndTurn(len(state.chart)),
        lambda: crown.RollCrown(state.crown, len(state.chart)),
        lambda: crown.TypeCrown(die(), die(), state.crown, len(state.chart)),
        lambda: battle.Attack(gang(), chance.randint(1, 9), chance.randint(1, 6), chance.random() < 0.3),
        lambda: battle.Attack(None, chance.randint(1, 9), chance.randint(1, 6), place=place()),
        lambda: battle.RollFight(rolls),
        lambda: battle.RollFight(rolls, chance.randint(0, 9)),
        lambda: battle.RollFight(rolls, 0),
        lambda: battle.Lost(chance.randint(0, 2), rolls),
        battle.Retreat,
        lambda: battle.FixFight(chance.randint(1, 9), chance.randint(1, 9)),
        lambda: cards.AddBlade(chance.choice((1, 2))),
        lambda: cards.Trade((card(),), picked=True, weigh=True),
        lambda: cards.Trade((card(), card()), picked=True),
        cards.Trade,
        lambda: missions.AddMission("m", 5, chance.randint(1, 3)),
        lambda: missions.AddMission("named", 5, 1, (place() or "Cork",)),
        lambda: missions.HoldMission(card(), chance.randint(0, 3)),
        lambda: missions.LoseMission(card()),
        lambda: missions.Claim(card()),
        lambda: missions.TurnPower("p", "play", chance.randint(0, 3)),
        lambda: missions.TurnPower("p", "keep"),
        lambda: missions.PlayPower(card(), chance.randint(0, 2)),
        lambda: missions.Unturned(chance.randint(0, 3)),
        lambda: cards.DropNote(card()),
        lambda: corrections.MoveOne(gang(), gang()),
        lambda: corrections.MoveOne(gang(), gang(), place()),
        lambda: places.NamePlace(chance.choice(NAMES), gang(), chance.random() < 0.3),
        lambda: places.NamePlace(chance.choice(NAMES), gang(), was=chance.choice(NAMES)),
        lambda: places.ForgetPlace(chance.choice(NAMES)),
        lambda: places.HoldPlaces(gang(), tuple(chance.sample(NAMES, chance.randint(0, 6)))),
        lambda: corrections.FixCounts({gang(): chance.randint(0, 42), gang(): chance.randint(0, 42)}),
        lambda: corrections.FixDraw(chance.randint(0, 5)),
        lambda: corrections.FixTurn(Seat(gang())),
        lambda: corrections.FixDie(chance.randint(1, 30)),
        lambda: opening.Starts(Seat(gang())),
        opening.Begin,
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
    assert all(region.holder or not region.doubt for region in state.regions)
    for region in state.regions:
        assert not region.holder or state.gang(region.holder).territories
    known = [len(ground.standing_of(state, gang.number)) for gang in state.gangs]
    assert all(n <= gang.territories for n, gang in zip(known, state.gangs, strict=True))
    assert set(state.held) <= {place.name for place in state.atlas}
    assert len(state.atlas) == len({place.name.casefold() for place in state.atlas}) <= 42
    for region in state.regions:
        gangs = {state.held[name].gang for name in ground.places_in(state, region.number) if name in state.held}
        assert not region.holder or gangs <= {region.holder}, "a name proves that the region is not whole"
    assert state.turn.late >= 0
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
@given(
    players=st.integers(2, 5), seed=st.integers(0, 2**32), dice=st.sets(st.integers(1, 23)), crowned=st.booleans(),
    named=st.booleans(), beaten=st.sampled_from(["attack", "turn"]),
)  # fmt: skip
def test_whatever_is_tapped_42_are_conserved_and_the_crown_never_jumps_or_goes_back(
    players, seed, dice, crowned, named, beaten
):
    chance = random.Random(seed)
    board = Board(players, die_spaces=tuple(dice), crown=crowned, names=named, beaten=beaten)
    state = board.state
    if named:
        everywhere = tuple(Place(name, 1 + n % 5, n % 4 == 0) for n, name in enumerate(NAMES))
        state = places.remembering(state, Atlas(everywhere[: chance.choice((10, 42))]))
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
    """Nobody attacks: the Crown alone ends every game."""
    chance = random.Random(seed)
    board = Board(players, die_spaces=tuple(dice))
    turns = 0
    while board.state.ending is None:
        seat = board.state.current.seat
        if board.state.neutrals and not board.state.current.reinforced:
            board.tap(seat, turn.Reinforce(board.state.neutrals[0].number))
        if board.state.crown_rolls:
            roll = crown.RollCrown(board.state.crown, len(board.state.chart))
            board.tap(seat, roll, chance.randint(1, 6), chance.randint(1, 6))
        else:
            board.tap(seat, crown.EndTurn(len(board.state.chart)))
        turns += 1
        assert turns < 2000
    assert board.state.crown == board.state.last_space


@settings(max_examples=20, deadline=None)
@given(players=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_every_game_without_the_crown_can_end(players, seed):
    """A player who conquers every turn wins in the end."""
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
