"""Charts: a game gives the numbers, this places them on the page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

import msgspec

from companion.game import Chart, Curve, Say, Seat

WIDTH, HEIGHT, EDGE, LABEL = 320, 160, 12, 14
Box = tuple[int, int, int, int]
"""Where curves are drawn: left, top, right, bottom."""
BOX: Box = (EDGE, EDGE, WIDTH - EDGE, HEIGHT - EDGE)
BESIDE_LABELS: Box = (EDGE, EDGE, 196, HEIGHT - EDGE)
"""The same with room for names at the ends of the curves."""
PANEL: Box = (4, EDGE, 154, 78)
MOST_TOGETHER = 4
"""How many curves people can tell apart in one picture."""
FINEST = 38
"""How many points a long curve is drawn with: nobody sees the difference."""


class Drawn(msgspec.Struct, frozen=True):
    """One curve, as points of the picture, with its label beside its end."""

    seat: Seat | None
    label: Say | None
    path: str
    end_x: float
    label_y: float
    last: int


class Bar(msgspec.Struct, frozen=True):
    """One number as a bar, in percent of the longest."""

    seat: Seat | None
    label: Say | None
    n: int
    share: float


class Picture(msgspec.Struct, frozen=True):
    """A chart, ready to be drawn: bars, or curves inside their box."""

    title: Say
    x: Say | None = None
    y: Say | None = None
    steps: int = 0
    """How many steps there are from left to right."""
    bars: tuple[Bar, ...] = ()
    curves: tuple[Drawn, ...] = ()
    levels: tuple[tuple[int, float], ...] = ()
    """Numbers to compare the curves with, and the height of their lines."""
    box: Box = BOX
    panels: tuple[Picture, ...] = ()
    """Each curve by itself, all in the same scale, where many would cross."""


class Scale(NamedTuple):
    """How many steps to the right there are, and from where to where the numbers go."""

    last: int
    low: int
    high: int


def picture(chart: Chart, box: Box = BOX, levels: Sequence[int] = ()) -> Picture | None:
    """Bars if there is one number each, else curves over time; nothing if there is nothing to see.

    The levels are round numbers that the curves cross, unless the template wants others.
    """
    curves = [curve for curve in chart.curves if curve.values]
    if not curves:
        return None
    if all(len(curve.values) == 1 for curve in curves):
        longest = max(1, *(abs(curve.values[0]) for curve in curves))
        bars = tuple(
            Bar(curve.seat, curve.label, curve.values[0], round(100 * abs(curve.values[0]) / longest, 1))
            for curve in curves
        )
        return Picture(chart.title, chart.x, chart.y, bars=bars)
    return _over_time(chart, curves, box, levels)


def panelled(chart: Chart) -> Picture | None:
    """The picture of a chart by itself on a page: more than a few curves get a small picture each."""
    curves = [curve for curve in chart.curves if curve.values]
    drawn = picture(chart, BESIDE_LABELS)
    if drawn is None or len(drawn.curves) <= MOST_TOGETHER:
        return drawn
    whole = _scale(curves, ())
    panels = tuple(_over_time(chart, [curve], PANEL, round_levels(whole.low, whole.high), whole) for curve in curves)
    return msgspec.structs.replace(drawn, panels=panels)


def _scale(curves: list[Curve], levels: Sequence[int]) -> Scale:
    return Scale(
        max(len(curve.values) for curve in curves) - 1,
        min(0, *levels, *(min(curve.values) for curve in curves)),
        max(0, *levels, *(max(curve.values) for curve in curves)),
    )


def _over_time(
    chart: Chart, curves: list[Curve], box: Box, levels: Sequence[int], scale: Scale | None = None
) -> Picture:
    last, low, high = scale or _scale(curves, levels)
    levels = levels or round_levels(low, high)
    left, top, right, bottom = box
    left = max(left, 8 + 8 * max(len(str(n)) for n in levels))  # room for the longest number
    across, up = (right - left) / last, (bottom - top) / ((high - low) or 1)
    steps = min(last, FINEST - 1)

    def x(place: int) -> float:
        return round(left + place * across, 1)

    def y(n: int) -> float:
        return round(bottom - (n - low) * up, 1)

    places = [(place, x(place)) for place in (i * last // steps for i in range(steps))]

    def drawn(curve: Curve, label: float) -> Drawn:
        end, values = len(curve.values) - 1, curve.values
        shown = [*(spot for spot in places if spot[0] < end), (end, x(end))]
        path = " ".join([f"{at:g},{bottom - (values[place] - low) * up:.1f}" for place, at in shown])
        return Drawn(curve.seat, curve.label, path, x(end), label, values[end])

    labels = spread([y(curve.values[-1]) + 4 for curve in curves], bottom + EDGE)
    lines = tuple((n, y(n)) for n in levels)
    return Picture(
        chart.title, chart.x, chart.y, last, curves=tuple(map(drawn, curves, labels)), levels=lines,
        box=(left, top, right, bottom),
    )  # fmt: skip


def round_levels(low: int, high: int) -> range:
    """Two to four round numbers from `low` to `high`, zero among them; zero alone if there is no other."""
    steps = (n * 10**power for power in count() for n in (1, 2, 5, 4))
    choices = (range(-(-low // step) * step, high + 1, step) for step in steps)
    return next(found for found in choices if len(found) in (2, 3, 4) or low == high)


def spread(wanted: list[float], height: int = HEIGHT) -> list[float]:
    """Labels as near as possible to their curves' ends without covering one another."""
    gap = min(LABEL, (height - 4) / max(1, len(wanted) - 1))
    placed = list(wanted)
    lowest = height + gap
    for i in sorted(range(len(wanted)), key=lambda i: -wanted[i]):
        lowest = placed[i] = min(wanted[i], lowest - gap)
    shift = max(0.0, gap - min(placed, default=gap))
    return [round(place + shift, 1) for place in placed]
