"""Exact chances: of a fight, of the turns left until the Crown is done, and the best trade of razor blades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product
from math import comb

import msgspec

MOST_MEMBERS = 182
"""All pieces of a gang in the box: 42 brawlers (1), 12 riders (5) and 8 vehicles (10)."""
BLACK, RED = 3, 2
PAST_SIX = 21
"""How many of the 36 rolls of two dice show more than 6."""
TAIL = 0.01


class Odds(msgspec.Struct, frozen=True):
    """A fight to the end: the chance to conquer, and the average losses."""

    conquer: float
    attackers_lost: float
    defenders_lost: float


def losses(black: Sequence[int], red: Sequence[int], stronghold: bool) -> tuple[int, int]:
    """Return what a roll costs the attacker and the defender: highest against highest, ties to the defender."""
    attack, defence = sorted(black, reverse=True), sorted(red, reverse=True)
    if stronghold:
        defence[0] += 1
    pairs = list(zip(attack, defence, strict=False))
    won = sum(a > d for a, d in pairs)
    return len(pairs) - won, won


@cache
def one_roll(black: int, red: int, stronghold: bool) -> tuple[tuple[int, int, float], ...]:
    """Return (attackers lost, defenders lost, chance) for each outcome of a roll with these dice."""
    ways = Counter(losses(roll[:black], roll[black:], stronghold) for roll in product(range(1, 7), repeat=black + red))
    return tuple((lost, won, count / 6 ** (black + red)) for (lost, won), count in sorted(ways.items()))


@cache
def table(stronghold: bool, size: int) -> tuple[tuple[Odds, ...], ...]:
    """Return the odds of every fight up to `size` against `size`, each built from smaller fights."""
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
    """Return the odds if the attacker fights to the end."""
    size = next(size for size in (20, 60, MOST_MEMBERS) if max(attackers, defenders) <= size)
    return table(stronghold, size)[attackers][defenders]


# -------------------------------------------------------------------------------- the Crown


class Forecast(msgspec.Struct, frozen=True):
    """How many turns are left until the last roll ends the game: the chance of each number, and of any later one."""

    turns: tuple[tuple[int, float], ...]
    later: float
    likely: int
    """The number with the greatest chance."""
    half: int
    """The median: half of all games are over by then."""
    mean: float


@cache
def forecast(moves: int, dice: int) -> Forecast:
    """Return the turns left with this many moves to the Tavern, `dice` of them from die spaces.

    Every move costs a turn, and every failed roll one more. Reaching the Tavern and the first roll there
    are the same turn. So the number of failures before the (dice + 1)th success follows a negative
    binomial distribution.
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
"""One in 21 of the rolls that end the game is a double six."""


# -------------------------------------------------------------------------------- razor blades

TRADE = {2: 2, 3: 4, 4: 7, 5: 10, 6: 13, 7: 17, 8: 21, 9: 25, 10: 30}
"""Razor blades in a set -> members, by the chart on the board."""


class Traded(msgspec.Struct, frozen=True):
    """The best trade: the sets, in blades, and how many cards of each kind they take."""

    members: int
    ones: int
    twos: int
    sets: tuple[int, ...]

    @property
    def cards(self) -> int:
        return self.ones + self.twos


@cache
def best_trade(ones: int, twos: int) -> Traded:
    """Return the trade with the most members for these cards with one and two blades."""
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
