"""Whole random games: nothing is lost, nothing crashes, and the game can always go on until somebody wins."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trickery_talk import counted, laid

from companion.engine.snapshot import decode, encode
from companion.game import ComesBack, Dice, GoesAway, Leaves, NotAllowed, Seat, Tap
from companion.games.trickery import GAME, cards, corrections, rules
from companion.games.trickery.cards import targets, why_not
from companion.games.trickery.state import CARDS, COINS, PLACES, SEALS, SOCIETIES, Player, Setup, Societies
from companion.games.trickery.view import seat_view
from companion.testing import apply

PLAYERS = st.integers(3, 6)
MOVES = {"betray": cards.Betray, "build": cards.Build, "bribe": cards.Bribe, "outdo": cards.Outdo}


def offered(table: Societies) -> list[tuple[int, Tap]]:
    """Every tap that the screens offer now."""
    match table.phase:
        case "choosing":
            return [
                (player.seat, rules.Cover(society))
                for player in table.players
                if player.covered is None
                for society in SOCIETIES
            ]
        case "starter":
            return [(0, rules.DrawLots()), *((0, rules.Begin(seat)) for seat in table.seats)]
        case "event":
            return [(0, rules.GoOn())]
        case "over":
            return []
    seat = table.turn
    found: list[Tap] = []
    for card in CARDS:
        if why_not(table, seat, card) is None:
            if card == "favour":
                found.append(cards.Favour())
            elif card == "tribute":
                found += [cards.Tribute(n) for n in range(1, table.player(seat).coins + 1)]
            else:
                found += [MOVES[card](target.seat) for target in targets(table, seat, card)]
    if rules.why_no_pause(table, seat) is None:
        found.append(rules.Pause())
    if rules.stuck(table, seat):
        found.append(rules.Pass())
    return [(seat, tap) for tap in found]


def any_tap(draw: st.DrawFn) -> Tap:
    """Any tap, sensible or not."""
    seat = Seat(draw(st.integers(0, 7)))
    place = st.sampled_from(["pool", "thorn", "gears", "1", "2", "3", "6", "9"])
    return draw(
        st.sampled_from(
            [
                *(kind(seat) for kind in MOVES.values()),
                cards.Favour(),
                cards.Tribute(draw(st.integers(1, 35))),
                rules.Pause(),
                rules.Pass(),
                rules.GoOn(),
                rules.Begin(seat),
                rules.DrawLots(),
                rules.Cover(draw(st.sampled_from(SOCIETIES))),
                corrections.Flip(seat),
                corrections.SetTurn(seat),
                corrections.MoveCard(seat, draw(st.sampled_from(CARDS))),
                corrections.Move(
                    draw(st.sampled_from(["coins", "seals"])), draw(place), draw(place), draw(st.integers(1, 36))
                ),
                Leaves(),
                GoesAway(),
                ComesBack(),
            ]
        )
    )


def check(table: Societies) -> None:
    """Check what is true of every state that the rules can reach."""
    assert counted(table) == (35, 36)
    assert table.pool >= 0
    assert table.seal_pool >= 0
    assert all(player.coins >= 0 and player.seals >= 0 for player in table.players)
    assert all(0 <= inside < PLACES for inside in table.chests.values())
    assert all(len(set(player.played)) == len(player.played) for player in table.players)
    assert table.turn is None or table.turn in table.seats
    assert (GAME.result(table) is not None) == (table.phase == "over")
    assert bool(offered(table)) == (table.phase != "over"), "a game can be continued, or it is over"
    assert decode(encode(table), Societies) == table


@settings(max_examples=80, deadline=None)
@given(players=PLAYERS, seed=st.integers(0, 2**32), thrifty=st.booleans())
def test_every_game_the_rules_can_reach_can_be_continued_or_is_over(players, seed, thrifty):
    chance = random.Random(seed)
    dice = Dice(chance)
    setup = Setup(fifth_seal=chance.choice(("finish", "stop")))
    table = GAME.start(setup, tuple(Seat(n) for n in range(1, players + 1)), dice).state
    for _ in range(300):
        check(table)
        now = offered(table)
        if not now:
            assert max(player.seals for player in table.players) >= 5
            return
        if thrifty:  # nobody pays tribute, so the pool runs dry
            now = [(seat, tap) for seat, tap in now if not isinstance(tap, cards.Tribute)] or now
        seat, tap = chance.choice(now)
        if table.phase == "turns":
            assert max(player.seals for player in table.players) < 5
        table = apply(GAME, table, seat, tap, dice).state


@st.composite
def any_table(draw: st.DrawFn) -> Societies:
    """Any spread of coins, seals, sides and played cards, often with poor players and an empty pool."""
    players = draw(PLAYERS)
    chests = {society: draw(st.integers(0, PLACES - 1)) for society in SOCIETIES}
    left = COINS - sum(chests.values())
    people = []
    for number in range(1, players + 1):
        coins = draw(st.one_of(st.just(0), st.integers(0, left), st.just(max(left - draw(st.integers(0, 2)), 0))))
        left -= coins
        people.append(
            Player(
                Seat(number),
                coins=coins,
                seals=draw(st.integers(0, 4)),
                society=draw(st.sampled_from(SOCIETIES)),
                played=draw(st.one_of(st.just(()), st.lists(st.sampled_from(CARDS), unique=True).map(tuple))),
            )
        )
    seals = sum(player.seals for player in people)
    finish = draw(st.booleans())
    return Societies(tuple(people), pool=left, seal_pool=SEALS - seals, chests=chests, turn=Seat(1), finish=finish)


@settings(max_examples=150, deadline=None)
@given(any_table())
def test_the_phone_always_offers_a_way_to_go_on_whatever_the_coins(table):
    check(table)
    seen = seat_view(table, Seat(1))
    ways = [card for card in seen.hand if card.reason is None]
    assert bool(ways) + (seen.no_pause is None) + seen.stuck > 0
    assert seen.stuck == (not ways and seen.no_pause is not None)
    for card in ways:
        assert card.targets or card.amounts or card.card == "favour", "a playable card lists its targets or amounts"
    for seat, tap in offered(table):
        after = apply(GAME, table, seat, tap).state
        check(after)
        assert after.phase == "over" or after.turn != seat


def test_a_stuck_player_can_pass():
    assert (Seat(1), rules.Pass()) in offered(laid("T0", "M17", "M17"))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_tap_of_anybody_is_answered_or_refused_with_a_sentence(data):
    players = data.draw(PLAYERS)
    dice = Dice(data.draw(st.randoms(use_true_random=False)))
    table = GAME.start(Setup(), tuple(Seat(n) for n in range(1, players + 1)), dice).state
    for _ in range(60):
        now = offered(table)
        if data.draw(st.booleans()) and now:
            seat, tap = data.draw(st.sampled_from(now))
        else:
            tap = any_tap(data.draw)
            everyone = (0, *table.seats) if tap.by == "anybody" else table.seats
            seat = data.draw(st.sampled_from(everyone))
        kept = encode(table)
        try:
            after = apply(GAME, table, seat, tap, dice).state
        except NotAllowed:
            after = table
        assert encode(table) == kept, "a rule never changes the table it was given"
        table = after
        check(table)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_what_is_not_offered_is_refused_and_what_is_offered_is_not(data):
    table = GAME.start(Setup(), tuple(Seat(n) for n in range(1, 5)), Dice()).state
    for seat in table.seats:
        table = apply(GAME, table, seat, rules.Cover(data.draw(st.sampled_from(SOCIETIES)))).state
    table = apply(GAME, table, 0, rules.Begin(Seat(1))).state
    for _ in range(40):
        if table.phase == "over":
            return
        now = offered(table)
        if table.phase == "turns":
            everything: list[Tap] = [cards.Favour(), rules.Pause(), rules.Pass()]
            everything += [cards.Tribute(n) for n in range(1, 12)]
            everything += [kind(seat) for kind in MOVES.values() for seat in table.seats]
            for tap in everything:
                if (table.turn, tap) in now:
                    assert apply(GAME, table, table.turn, tap).lines
                else:
                    with pytest.raises(NotAllowed):
                        apply(GAME, table, table.turn, tap)
        seat, tap = data.draw(st.sampled_from(now))
        table = apply(GAME, table, seat, tap).state
    assert msgspec.structs.asdict(table)
