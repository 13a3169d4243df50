"""The chances of a fight and of the Crown's journey, counted out, never tried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product
from math import comb

import msgspec

MOST_MEMBERS = 182
"""All there are of one gang in the box: 42 on foot, 12 riders at 5, 8 vehicles at 10."""
BLACK, RED = 3, 2
PAST_SIX = 21
"""Of the 36 rolls of two dice, so many show more than 6."""
TAIL = 0.01


class Odds(msgspec.Struct, frozen=True):
    """How a fight to the end goes: the chance to conquer, and what it costs on average."""

    conquer: float
    attackers_lost: float
    defenders_lost: float


def losses(black: Sequence[int], red: Sequence[int], stronghold: bool) -> tuple[int, int]:
    """What a roll costs the attacker and the defender: highest against highest, ties to the defender."""
    attack, defence = sorted(black, reverse=True), sorted(red, reverse=True)
    if stronghold:
        defence[0] += 1
    pairs = list(zip(attack, defence, strict=False))
    won = sum(a > d for a, d in pairs)
    return len(pairs) - won, won


@cache
def one_roll(black: int, red: int, stronghold: bool) -> tuple[tuple[int, int, float], ...]:
    """(attackers lost, defenders lost, chance) of one roll with so many dice."""
    ways = Counter(losses(roll[:black], roll[black:], stronghold) for roll in product(range(1, 7), repeat=black + red))
    return tuple((lost, won, count / 6 ** (black + red)) for (lost, won), count in sorted(ways.items()))


@cache
def table(stronghold: bool, size: int) -> tuple[tuple[Odds, ...], ...]:
    """The odds of every fight up to `size` against `size`, each from the smaller ones."""
    rows: list[tuple[Odds, ...]] = [tuple(Odds(0.0, 0.0, 0.0) for _ in range(size + 1))]
    for attackers in range(1, size + 1):
        row = [Odds(1.0, 0.0, 0.0)]
        for defenders in range(1, size + 1):
            conquer = attack = defence = 0.0
            for lost, won, chance in one_roll(min(BLACK, attackers), min(RED, defenders), stronghold):
                then = row[defenders - won] if lost == 0 else rows[attackers - lost][defenders - won]
                conquer += chance * then.conquer
                attack += chance * (lost + then.attackers_lost)
                defence += chance * (won + then.defenders_lost)
            row.append(Odds(conquer, attack, defence))
        rows.append(tuple(row))
    return tuple(rows)


def fight(attackers: int, defenders: int, stronghold: bool) -> Odds:
    """The odds if the attacker goes on to the end."""
    size = next(size for size in (20, 60, MOST_MEMBERS) if max(attackers, defenders) <= size)
    return table(stronghold, size)[attackers][defenders]


# -------------------------------------------------------------------------------- the Crown


class Forecast(msgspec.Struct, frozen=True):
    """How many turns are left until the Crown's story ends: the chance of each number, and of any later one."""

    turns: tuple[tuple[int, float], ...]
    later: float
    likely: int
    """The number with the greatest chance."""
    half: int
    """As likely as not, it is over by then."""
    mean: float


@cache
def forecast(moves: int, dice: int) -> Forecast:
    """Turns left with so many moves to the Tavern, `dice` of them from die spaces.

    Every move costs a turn, every failed roll one more. Reaching the Tavern and its first final roll
    are the same turn. So the failures before the (dice + 1)th success decide, and those are counted
    by a binomial coefficient.
    """
    success, failure = PAST_SIX / 36, 1 - PAST_SIX / 36
    least = max(moves, 1)
    turns: list[tuple[int, float]] = []
    done = 0.0
    while done < 1 - TAIL:
        failed = len(turns)
        chance = comb(dice + failed, failed) * success ** (dice + 1) * failure**failed
        turns.append((least + failed, chance))
        done += chance
    likely = max(turns, key=lambda entry: entry[1])[0]
    by_then, half = 0.0, least
    for turn, chance in turns:
        by_then += chance
        if by_then >= 0.5:
            half = turn
            break
    return Forecast(tuple(turns), 1 - done, likely, half, least + (dice + 1) * failure / success)


CROWN_WINS = 1 / PAST_SIX
"""Of the final rolls that end the game, one in 21 is the double six."""


# -------------------------------------------------------------------------------- razor blades

TRADE = {2: 2, 3: 4, 4: 7, 5: 10, 6: 13, 7: 17, 8: 21, 9: 25, 10: 30}
"""Blades in a set, and the members it brings."""


class Traded(msgspec.Struct, frozen=True):
    """The best that some cards bring: the sets, in blades, and how many cards of each kind they take."""

    members: int
    ones: int
    twos: int
    sets: tuple[int, ...]

    @property
    def cards(self) -> int:
        return self.ones + self.twos


@cache
def best_trade(ones: int, twos: int) -> Traded:
    """Most members for so many cards with one and with two blades; what brings nothing stays in hand."""
    best = Traded(0, 0, 0, ())
    for two in range(min(twos, 5) + 1):
        for one in range(min(ones, 10 - 2 * two) + 1):
            if (blades := one + 2 * two) not in TRADE:
                continue
            rest = best_trade(ones - one, twos - two)
            sets = tuple(sorted((blades, *rest.sets), reverse=True))
            found = Traded(TRADE[blades] + rest.members, one + rest.ones, two + rest.twos, sets)
            if (found.members, -found.cards, -found.twos) > (best.members, -best.cards, -best.twos):
                best = found
    return best
