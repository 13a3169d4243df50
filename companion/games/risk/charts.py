"""The charts: the Crown's route, the turns left, and everybody's territories."""

from __future__ import annotations

import msgspec

from companion.game import N_, Chart, Curve, Say, SayN
from companion.games.risk.chances import CROWN_WINS, Forecast, forecast
from companion.games.risk.setup import TERRITORIES
from companion.games.risk.state import Underworld

ROW = 8
"""Most spaces side by side before the route turns back."""
PITCH, RISE, EDGE = 46, 54, 27
BARS = 26
"""Most bars drawn; the chance of more turns is one number."""
CHART, WIDEST, BASE, TALL = 296, 26, 92, 74


class SpaceView(msgspec.Struct, frozen=True):
    """One space of the route."""

    number: int
    x: int
    y: int
    die: bool
    here: bool
    passed: bool


class Route(msgspec.Struct, frozen=True):
    width: int
    height: int
    path: str
    spaces: tuple[SpaceView, ...]
    words: Say


class Bar(msgspec.Struct, frozen=True):
    turns: int
    x: float
    y: float
    width: float
    height: float
    tick: bool
    likely: bool


class Outlook(msgspec.Struct, frozen=True):
    """How many turns the game is likely to last from here."""

    width: int
    bars: tuple[Bar, ...]
    words: Say
    chances: tuple[tuple[int, float], ...]
    """The chart in numbers, for screen readers: how many turns are left, and how likely that is."""
    rounds: Say
    crown: float
    """The chance that the Crown wins in the end."""
    later: float
    """The chance of more turns than the chart shows."""


class Evening(msgspec.Struct, frozen=True):
    """Territories of each gang after each turn."""

    chart: Chart
    levels: tuple[int, ...]
    """Numbers of territories that get a line across the chart."""
    turns: int
    rows: tuple[tuple[int, tuple[int, ...]], ...]
    """The same as a table: a turn, and everybody's territories after it."""


def spot(number: int) -> tuple[int, int]:
    """Return where a space is drawn: row by row, every other row backwards."""
    row, column = divmod(number - 1, ROW)
    return EDGE + PITCH * (ROW - 1 - column if row % 2 else column), EDGE + RISE * row


def route(state: Underworld) -> Route | None:
    if not state.setup.crown:
        return None
    spaces = []
    for number in range(1, state.last_space + 1):
        x, y = spot(number)
        spaces.append(
            SpaceView(number, x, y, number in state.dice, here=number == state.crown, passed=number < state.crown)
        )
    rows = (state.last_space - 1) // ROW + 1
    # Translators: {of} is the number of spaces of the route
    where = N_("The Crown is on space {n} of {of}.")
    if state.crown == 1:
        where = N_("The Crown is at Parliament, space {n} of {of}.")
    elif state.crown == state.last_space:
        where = N_("The Crown is at the Garrison Tavern, space {n} of {of}.")
    ahead = [space for space in state.dice if space >= state.crown]
    # Translators: {where} is a whole sentence: The Crown is on space 3 of 24.
    words = Say("{where} There are no die spaces ahead.", where=Say(where, n=state.crown, of=state.last_space))
    if ahead:
        # Translators: {where} is a whole sentence; {dice} are numbers of spaces, separated by commas
        words = Say(
            "{where} Die spaces ahead: {dice}.",
            where=Say(where, n=state.crown, of=state.last_space),
            dice=", ".join(map(str, ahead)),
        )
    return Route(
        width=2 * EDGE + PITCH * (ROW - 1),
        height=2 * EDGE + RISE * (rows - 1) + 8,
        path=" ".join(f"{space.x},{space.y}" for space in spaces),
        spaces=tuple(spaces),
        words=words,
    )


def turns_left(state: Underworld) -> Forecast:
    """Return the turns left from the Crown's space. A last roll that is due belongs to this turn."""
    ahead = sum(space >= state.crown for space in state.dice)
    return forecast(state.last_space - state.crown, ahead)


def outlook(state: Underworld) -> Outlook | None:
    """Return the chance of each number of turns left, this turn included."""
    if not state.setup.crown or state.turn is None or state.ending is not None:
        return None
    found = turns_left(state)
    shown = found.turns[:BARS]
    later = found.later + sum(chance for _, chance in found.turns[BARS:])
    tallest = max(chance for _, chance in shown)
    pitch = min(WIDEST, CHART / len(shown))
    bars = []
    for i, (turns, chance) in enumerate(shown):
        height = round(max(1.0, TALL * chance / tallest), 1)
        near = turns != found.likely and abs(turns - found.likely) < 3
        bars.append(
            Bar(
                turns, round(2 + i * pitch, 1), round(BASE - height, 1), round(pitch * 0.74, 1), height,
                tick=i % 5 == 0 and not near, likely=turns == found.likely,
            )
        )  # fmt: skip
    alive = sum(state.alive(seat) for seat in state.seats)
    each = max(1, round(found.half / alive))
    return Outlook(
        width=CHART + 4,
        bars=tuple(bars),
        # Translators: {likely} is the most likely number of turns
        words=SayN(
            "Half of all games end within {n} more turn from here. The most likely number is {likely}.",
            "Half of all games end within {n} more turns from here. The most likely number is {likely}.",
            n=found.half, likely=found.likely,
        ),
        chances=tuple(shown),
        # Translators: turns for each player, below the chart of turns left
        rounds=SayN("About {n} turn each.", "About {n} turns each.", n=each),
        crown=CROWN_WINS,
        later=later,
    )  # fmt: skip


def territories(state: Underworld) -> Chart:
    """Return the chart of territories: one curve for each gang."""
    curves = tuple(
        Curve(
            tuple(row[place] for row in state.chart if place < len(row)),
            seat=gang.seat,
            label=None if gang.seat is not None else Say("{name}", name=gang.name),
        )
        for place, gang in enumerate(state.playing)
    )
    return Chart(Say("Territories after each turn"), curves, x=Say("Turns"), y=Say("Territories"))


def evening(state: Underworld) -> Evening | None:
    """Return the chart of territories, and the same numbers as a table."""
    if len(state.chart) < 2:
        return None
    most = max(max(counts) for counts in state.chart)
    top = TERRITORIES if most > 30 else 30 if most > 20 else 20
    every, last = max(1, -(-len(state.chart) // 12)), len(state.chart) - 1
    rows = tuple((turn, counts) for turn, counts in enumerate(state.chart) if turn % every == 0 or turn == last)
    return Evening(territories(state), (0, top // 2, top), last, rows)
