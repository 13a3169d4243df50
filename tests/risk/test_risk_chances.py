"""The chances, checked against a second, exact calculation that works in another way."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial

import pytest

from companion.games.risk.chances import CROWN_WINS, TRADE, best_trade, fight, forecast, table

# -------------------------------------------------------------------------------- fights
# The app lists every roll and builds large fights from small ones. Here sorted hands of dice are weighted by
# how often they come up, and a fight is followed forwards to its end.


@cache
def hands(dice: int) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """Return every sorted hand of dice with its exact chance."""
    found = []
    for hand in combinations_with_replacement(range(6, 0, -1), dice):
        ways = factorial(dice)
        for face in set(hand):
            ways //= factorial(hand.count(face))
        found.append((hand, Fraction(ways, 6**dice)))
    return tuple(found)


@cache
def exchange(black: int, red: int, stronghold: bool) -> dict[int, Fraction]:
    """Defenders lost -> chance; the attacker loses the rest of the pairs."""
    chances: dict[int, Fraction] = defaultdict(Fraction)
    for attack, a in hands(black):
        for defence, d in hands(red):
            fallen = int(attack[0] > defence[0] + stronghold)
            if black > 1 and red > 1:
                fallen += attack[1] > defence[1]
            chances[fallen] += a * d
    return dict(chances)


def follow(attackers: int, defenders: int, stronghold: bool) -> dict[tuple[int, int], Fraction]:
    """How a fight ends: (attackers left, defenders left) -> chance."""
    going = {(attackers, defenders): Fraction(1)}
    ended: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    while going:
        # The largest fight first: no other fight leads back to it.
        (a, d), chance = max(going.items(), key=lambda entry: sum(entry[0]))
        del going[a, d]
        if not a or not d:
            ended[a, d] += chance
            continue
        black, red = min(a, 3), min(d, 2)
        for fallen, p in exchange(black, red, stronghold).items():
            after = (a - (min(black, red) - fallen), d - fallen)
            going[after] = going.get(after, Fraction(0)) + chance * p
    return ended


@cache
def backwards(attackers: int, defenders: int, stronghold: bool) -> tuple[Fraction, Fraction, Fraction]:
    """Chance to conquer and expected losses, as exact fractions from hands of dice."""
    if not defenders:
        return Fraction(1), Fraction(0), Fraction(0)
    if not attackers:
        return Fraction(0), Fraction(0), Fraction(0)
    black, red = min(attackers, 3), min(defenders, 2)
    win = lost = won = Fraction(0)
    for fallen, p in exchange(black, red, stronghold).items():
        dead = min(black, red) - fallen
        w, a, d = backwards(attackers - dead, defenders - fallen, stronghold)
        win, lost, won = win + p * w, lost + p * (dead + a), won + p * (fallen + d)
    return win, lost, won


@pytest.mark.parametrize("stronghold", [False, True])
def test_every_fight_of_1_to_20_against_1_to_20_has_its_exact_odds(stronghold):
    for attackers in range(1, 21):
        for defenders in range(1, 21):
            odds = fight(attackers, defenders, stronghold)
            win, lost, won = backwards(attackers, defenders, stronghold)
            assert odds.conquer == pytest.approx(float(win), abs=1e-12)
            assert odds.attackers_lost == pytest.approx(float(lost), abs=1e-11)
            assert odds.defenders_lost == pytest.approx(float(won), abs=1e-11)


@pytest.mark.parametrize(("attackers", "defenders"), [(1, 1), (3, 2), (7, 5), (12, 12), (5, 9)])
@pytest.mark.parametrize("stronghold", [False, True])
def test_a_fight_followed_forwards_ends_as_the_odds_say(attackers, defenders, stronghold):
    ended = follow(attackers, defenders, stronghold)
    assert sum(ended.values()) == 1
    odds = fight(attackers, defenders, stronghold)
    assert odds.conquer == pytest.approx(float(sum(p for (_, d), p in ended.items() if d == 0)), abs=1e-12)
    left = sum(a * p for (a, _), p in ended.items())
    assert odds.attackers_lost == pytest.approx(float(attackers - left), abs=1e-11)


def test_known_odds():
    """One against one 15/36; three against two as in every table of this game: 2890, 2611 and 2275 of 7776."""
    assert fight(1, 1, False).conquer == pytest.approx(15 / 36)
    assert exchange(3, 2, False) == {2: Fraction(2890, 7776), 1: Fraction(2611, 7776), 0: Fraction(2275, 7776)}
    assert fight(1, 1, True).conquer == pytest.approx(10 / 36)


def test_more_attackers_never_hurt_and_a_stronghold_never_helps_them():
    for attackers in range(1, 20):
        for defenders in range(1, 20):
            plain = fight(attackers, defenders, False).conquer
            assert fight(attackers + 1, defenders, False).conquer > plain
            assert fight(attackers, defenders + 1, False).conquer < plain
            assert fight(attackers, defenders, True).conquer < plain


def test_the_table_counts_each_of_its_fights_once():
    """20 x 20 x at most 3 outcomes, not a tree of rolls."""
    assert len(table(False, 20)) == 21
    assert all(len(row) == 21 for row in table(False, 20))
    assert fight(182, 182, True).conquer < 1


# -------------------------------------------------------------------------------- the Crown
# The app uses a closed formula. Here the Crown walks turn by turn, with exact fractions.


def walked(at: int, last: int, dice: set[int], turns: int) -> list[Fraction]:
    """The chance that it ends in exactly 1, 2, ... turns."""
    going = Fraction(21, 36)
    where = {at: Fraction(1)}
    ends = []
    for _ in range(turns):
        after: dict[int, Fraction] = defaultdict(Fraction)
        over = Fraction(0)
        for space, chance in where.items():
            if space == last:
                over += chance * going
                after[last] += chance * (1 - going)
                continue
            moves = going if space in dice else Fraction(1)
            if moves < 1:
                after[space] += chance * (1 - moves)
            if space + 1 == last:
                over += chance * moves * going
                after[last] += chance * moves * (1 - going)
            else:
                after[space + 1] += chance * moves
        where = after
        ends.append(over)
    return ends


@pytest.mark.parametrize(
    ("at", "last", "dice"),
    [
        (1, 24, set()),
        (1, 24, {4, 9, 15, 20}),
        (24, 24, {3}),
        (23, 24, {23}),
        (9, 24, {9, 10, 11}),
        (1, 6, {1, 2, 3, 4, 5}),
    ],
)
def test_the_turns_left_are_those_of_a_walk_along_the_route(at, last, dice):
    found = forecast(last - at, sum(space >= at for space in dice))
    exact = walked(at, last, dice, found.turns[-1][0])
    for turns, chance in found.turns:
        assert chance == pytest.approx(float(exact[turns - 1]), abs=1e-12)
    assert sum(float(p) for p in exact) + found.later == pytest.approx(1)
    assert found.later < 0.01
    assert sum(exact[: found.half]) >= Fraction(1, 2) > sum(exact[: found.half - 1])


def test_the_crown_wins_one_game_in_21_that_reach_the_tavern():
    """A double six is one of the 21 rolls of 36 that end it."""
    ending = [(a, b) for a in range(1, 7) for b in range(1, 7) if a + b > 6]
    assert pytest.approx(Fraction(1, len(ending))) == CROWN_WINS


# -------------------------------------------------------------------------------- razor blades


def partitions(cards: tuple[int, ...]) -> int:
    """Return the best trade by trying every way to group the cards."""

    @cache
    def best(rest: tuple[int, ...]) -> int:
        if not rest:
            return 0
        first, others = rest[0], rest[1:]
        found = best(others)
        for bits in range(2 ** len(others)):
            inside = first + sum(card for i, card in enumerate(others) if bits >> i & 1)
            if inside in TRADE:
                left = tuple(card for i, card in enumerate(others) if not bits >> i & 1)
                found = max(found, TRADE[inside] + best(left))
        return found

    return best(tuple(sorted(cards)))


def test_blades_bring_members_by_the_chart_on_the_board():
    assert [best_trade(blades, 0).members for blades in range(11)] == [0, 0, 2, 4, 7, 10, 13, 17, 21, 25, 30]


@pytest.mark.parametrize("ones", range(6))
@pytest.mark.parametrize("twos", range(6))
def test_the_best_trade_is_the_best_of_all_ways_to_make_sets(ones, twos):
    found = best_trade(ones, twos)
    assert found.members == partitions((1,) * ones + (2,) * twos)
    assert sum(TRADE[blades] for blades in found.sets) == found.members
    assert sum(found.sets) == found.ones + 2 * found.twos


def test_more_than_ten_blades_are_several_sets_and_a_lone_blade_stays():
    assert best_trade(0, 6).sets == (10, 2)
    eleven = best_trade(1, 5)
    assert (eleven.members, eleven.ones, eleven.twos) == (30, 0, 5)
    assert best_trade(20, 10).members == 120
