"""What the host sees to keep score for others, correct, change teams and finish."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.game import Hole, Seat
from companion.games.score_sheet.race import Side, side
from companion.games.score_sheet.state import Sheet

LATEST = 8
"""How many entries of each player can be corrected."""


class ScorerView(msgspec.Struct, frozen=True):
    """What the host needs to keep score for everybody."""

    mode: str
    round: int
    sides: tuple[Side, ...]
    written: tuple[int | None, ...]
    """Everybody's points in the open round, if only the host keeps score."""
    categories: tuple[tuple[int, Hole, bool], ...]
    """Number, name, and whether every side has filled it in."""
    can_correct: bool
    notes: tuple[tuple[int, Side, str], ...]
    """The latest entries: number, side, points with their sign."""
    over: bool
    can_close: bool
    everyone_writes: bool
    forming: bool
    teams: bool
    seats: tuple[Seat, ...]

    @property
    def lines(self) -> Iterator[tuple[Side, int | None]]:
        """Every side, with its points in the open round."""
        return zip(self.sides, self.written, strict=True)


def host_view(sheet: Sheet) -> ScorerView:
    sides, everyone = sheet.columns if sheet.forming else sheet.sides, sheet.setup.scorer == "everyone"
    rows = range(1, len(sheet.filled) + 1)
    return ScorerView(
        mode=sheet.setup.mode,
        round=sheet.round,
        sides=sides_of(sheet, sides),
        written=tuple(None if everyone else sheet.open.get(one) for one in sides),
        categories=tuple(
            (number, sheet.setup.category(number), all(sheet.cell(one, number) is not None for one in sides))
            for number in rows
        ),
        can_correct=not sheet.is_empty,
        notes=tuple(
            (number, side(sheet, whose), f"{points:+d}")
            for number, whose, points in latest_notes(sheet, LATEST)
            if whose in sides
        ),
        over=sheet.over,
        can_close=sheet.by_rounds and bool(sheet.open),
        everyone_writes=everyone,
        forming=sheet.forming,
        teams=bool(sheet.team_of),
        seats=sheet.seats,
    )


def latest_notes(sheet: Sheet, each: int) -> Iterator[tuple[int, int, int]]:
    """The newest entries, up to `each` for every side: number, side, points."""
    last = len(sheet.notes)
    for number in range(last, max(0, last - each * len(sheet.sides)), -1):
        whose, points = sheet.notes[number - 1]
        yield number, whose, points


def sides_of(sheet: Sheet, numbers: tuple[int, ...]) -> tuple[Side, ...]:
    return tuple(side(sheet, number) for number in numbers)
