"""The Crown's route as the stage draws it: winding rows from Parliament to the Tavern."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.risk.state import Underworld

ROW = 8
"""Most spaces side by side before the road turns back."""
PITCH, EDGE, HEAD = 200, 130, 150
RISE, CLOSE = 232, 190
"""Distance between rows; `CLOSE` if there are more than three."""
SWAY = (-4, 14, -12, -10, 15, -2, -16, 8, 12, -12, 4, 16, -9, -5, 18, 0)
"""How far each space lies below its row, so that the road is not straight."""


class Spot(msgspec.Struct, frozen=True):
    """One space of the road."""

    number: int
    x: int
    y: int
    die: bool
    passed: bool


class Road(msgspec.Struct, frozen=True):
    width: int
    height: int
    gone: str
    ahead: str
    spots: tuple[Spot, ...]
    """All spaces but Parliament, the Tavern and the Crown's own."""
    crown: tuple[int, int]
    came: Literal["", "east", "west", "south"]
    """The direction of the Crown's last step."""
    parliament: tuple[int, int]
    tavern: tuple[int, int]
    number: int
    of: int
    left: int


def road(state: Underworld) -> Road | None:
    if not state.setup.crown:
        return None
    length = state.last_space
    rows = max(2, -(-length // ROW))
    columns = -(-length // rows)
    rise = RISE if rows < 4 else CLOSE
    spots = [spot(number, columns, rise) for number in range(1, length + 1)]
    here = state.crown
    return Road(
        width=2 * EDGE + PITCH * (columns - 1),
        height=2 * HEAD + rise * (rows - 1),
        gone=line(spots[:here]),
        ahead=line(spots[here - 1 :]),
        spots=tuple(
            Spot(n, *spots[n - 1], n in state.dice, n < here) for n in range(2, length) if n != here
        ),
        crown=spots[here - 1],
        came=came(spots, here) if moved(state) else "",
        parliament=spots[0],
        tavern=spots[-1],
        number=here,
        of=length,
        left=length - here,
    )  # fmt: skip


def spot(number: int, columns: int, rise: int) -> tuple[int, int]:
    row, column = divmod(number - 1, columns)
    x = EDGE + PITCH * (columns - 1 - column if row % 2 else column)
    return x, HEAD + rise * row + SWAY[number % len(SWAY)]


def line(spots: list[tuple[int, int]]) -> str:
    """Return an SVG path with soft bends, which swings around at the end of each row."""
    x, y = spots[0]
    parts = [f"M{x} {y}"]
    for to_x, to_y in spots[1:]:
        if to_x == x:
            out = x + (90 if x > EDGE + PITCH else -90)
            parts.append(f"C{out} {y} {out} {to_y} {to_x} {to_y}")
        else:
            middle = (x + to_x) // 2
            parts.append(f"C{middle} {y} {middle} {to_y} {to_x} {to_y}")
        x, y = to_x, to_y
    return "".join(parts)


def moved(state: Underworld) -> bool:
    """Whether the last public event was a step of the Crown."""
    seen = state.happened
    return seen is not None and seen.kind == "crown" and seen.space == state.crown - 1


def came(spots: list[tuple[int, int]], here: int) -> Literal["", "east", "west", "south"]:
    if here < 2:
        return ""
    was, now = spots[here - 2][0], spots[here - 1][0]
    return "south" if was == now else "east" if was < now else "west"
