"""The highlights and charts of a finished game."""

from __future__ import annotations

from companion.game import Chart, Feat, Say, Seat, States, most
from companion.games.score_sheet.record import whole_record
from companion.games.score_sheet.state import Sheet


def feats(states: States) -> tuple[Feat, ...]:
    """The best rounds, entries or categories. If fewest points win, the lowest number is the best."""
    sheet: Sheet = states[-1]
    low = sheet.setup.wins == "low"
    if sheet.by_categories:
        return tuple(feat for number in range(1, len(sheet.filled) + 1) for feat in best_in(sheet, number, low))
    if not sheet.by_rounds:
        written = {side: [points for whose, points in sheet.notes if whose == side] for side in sheet.sides}
        return most(Say("Best single entry"), of_players(sheet, best_of(written, low)), fewest=low)
    written = {side: [points[side] for points in sheet.all_rounds() if side in points] for side in sheet.sides}
    return (
        *most(Say("Best single round"), of_players(sheet, best_of(written, low)), fewest=low),
        *most(Say("Most rounds won"), of_players(sheet, rounds_won(sheet, low))),
    )


def best_in(sheet: Sheet, number: int, low: bool) -> tuple[Feat, ...]:
    """Who has the best score in a category, if anybody stands out."""
    points = {side: cell for side in sheet.sides if (cell := sheet.cell(side, number)) is not None}
    what = Say("Best score: {category}", category=sheet.setup.category(number))
    return most(what, of_players(sheet, points), fewest=low)


def of_players(sheet: Sheet, by_side: dict[int, int]) -> dict[Seat, int]:
    """Give the score of each team to all of its players."""
    return {seat: n for side, n in by_side.items() for seat in sheet.members(side)}


def best_of(written: dict[int, list[int]], low: bool) -> dict[int, int]:
    return {side: min(points) if low else max(points) for side, points in written.items() if points}


def rounds_won(sheet: Sheet, low: bool) -> dict[int, int]:
    """Count the rounds in which each side was the best, alone or tied."""
    won = dict.fromkeys(sheet.sides, 0)
    for points in sheet.all_rounds():
        here = {side: points[side] for side in sheet.sides if side in points}
        if here:
            best = min(here.values()) if low else max(here.values())
            for side, mine in here.items():
                won[side] += mine == best
    return won


def charts(states: States) -> tuple[Chart, ...]:
    """The totals over time."""
    sheet: Sheet = states[-1]
    called = {side: sheet.called(side) for side in sheet.sides} if sheet.team_of else None
    chart = whole_record(sheet).chart(called)
    return (chart,) if max((len(curve.values) for curve in chart.curves), default=0) > 2 else ()
