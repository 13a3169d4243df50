"""Charts: a game gives the numbers, this places them on the page."""

from __future__ import annotations

import msgspec

from companion.engine.game import Chart, Curve, Say, Seat

WIDTH, HEIGHT, EDGE, LABEL = 320, 160, 12, 14


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
    """A chart, ready to be drawn."""

    title: Say
    width: int
    height: int
    zero: float
    curves: tuple[Drawn, ...]
    bars: tuple[Bar, ...]


def picture(chart: Chart) -> Picture | None:
    """Bars if there is one number each, else curves over time; nothing if there is nothing to see."""
    curves = [curve for curve in chart.curves if curve.values]
    if not curves:
        return None
    if all(len(curve.values) == 1 for curve in curves):
        longest = max(1, *(abs(curve.values[0]) for curve in curves))
        bars = tuple(
            Bar(curve.seat, curve.label, curve.values[0], round(100 * abs(curve.values[0]) / longest, 1))
            for curve in curves
        )
        return Picture(chart.title, WIDTH, HEIGHT, 0, (), bars)
    return _over_time(chart.title, curves)


def _over_time(title: Say, curves: list[Curve]) -> Picture:
    length = max(len(curve.values) for curve in curves)
    low = min(0, *(min(curve.values) for curve in curves))
    high = max(0, *(max(curve.values) for curve in curves))
    span = (high - low) or 1

    def x(i: int) -> float:
        return round(EDGE + i * (WIDTH - 2 * EDGE) / (length - 1), 1)

    def y(n: int) -> float:
        return round(HEIGHT - EDGE - (n - low) * (HEIGHT - 2 * EDGE) / span, 1)

    labels = spread([y(curve.values[-1]) + 4 for curve in curves])
    drawn = tuple(
        Drawn(
            curve.seat, curve.label, " ".join(f"{x(i)},{y(n)}" for i, n in enumerate(curve.values)),
            x(len(curve.values) - 1), label, curve.values[-1],
        )
        for curve, label in zip(curves, labels, strict=True)
    )  # fmt: skip
    return Picture(title, WIDTH, HEIGHT, y(0), drawn, ())


def spread(wanted: list[float]) -> list[float]:
    """Labels as near as possible to their curves' ends without covering one another."""
    gap = min(LABEL, (HEIGHT - 4) / max(1, len(wanted) - 1))
    placed = list(wanted)
    lowest = HEIGHT + gap
    for i in sorted(range(len(wanted)), key=lambda i: -wanted[i]):
        lowest = placed[i] = min(wanted[i], lowest - gap)
    shift = max(0.0, gap - min(placed, default=gap))
    return [round(place + shift, 1) for place in placed]
