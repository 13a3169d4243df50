"""What was remarkable about a sheet that is complete."""

from __future__ import annotations

from companion.game import Chart, Feat, Say, Seat, States, most
from companion.games.score_sheet.record import whole_record
from companion.games.score_sheet.state import Sheet


def feats(states: States) -> tuple[Feat, ...]:
    """Records of single rounds or entries; where fewest points win, the smallest number is the best."""
    sheet: Sheet = states[-1]
    low = sheet.setup.wins == "low"
    if not sheet.by_rounds:
        written = {seat: [points for whose, points in sheet.notes if whose == seat] for seat in sheet.seats}
        return most(Say("Best single entry"), best_of(written, low), fewest=low)
    written = {seat: [points[seat] for points in sheet.all_rounds() if seat in points] for seat in sheet.seats}
    return (
        *most(Say("Best single round"), best_of(written, low), fewest=low),
        *most(Say("Most rounds won"), rounds_won(sheet, low)),
    )


def best_of(written: dict[Seat, list[int]], low: bool) -> dict[Seat, int]:
    return {seat: min(points) if low else max(points) for seat, points in written.items() if points}


def rounds_won(sheet: Sheet, low: bool) -> dict[Seat, int]:
    """In how many rounds each was the best, alone or with others."""
    won = dict.fromkeys(sheet.seats, 0)
    for points in sheet.all_rounds():
        here = {seat: points[seat] for seat in sheet.seats if seat in points}
        if here:
            best = min(here.values()) if low else max(here.values())
            for seat, mine in here.items():
                won[seat] += mine == best
    return won


def charts(states: States) -> tuple[Chart, ...]:
    """The totals over time."""
    chart = whole_record(states[-1]).chart()
    return (chart,) if max((len(curve.values) for curve in chart.curves), default=0) > 2 else ()
