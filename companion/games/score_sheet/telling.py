"""The sentences of the score sheet, with players or teams in them."""

from __future__ import annotations

from companion.game import Say, SayN, Seat, listed
from companion.games.score_sheet.state import Sheet


def scored(sheet: Sheet, side: int, points: int, category: int) -> Say:
    name = sheet.called(side)
    if sheet.by_rounds:
        return Say("{name}: {points} in round {round}.", name=name, points=points, round=sheet.round)
    if category:
        what = sheet.setup.category(category)
        return Say("{name}: {points} for {category}.", name=name, points=points, category=what)
    return Say("{name}: {points}.", name=name, points=f"{points:+d}")


def correction(sheet: Sheet, who: Seat, side: int, new: int, old: int) -> Say:
    name = sheet.called(side)
    return Say("{who} corrects {name}: {new} instead of {old}.", who=who, name=name, new=new, old=old)


def ending(before: Sheet, after: Sheet) -> list[Say]:
    """The sentences that follow when a round is complete, or the game is over."""
    lines = []
    if after.round > before.round:
        lines.append(Say("Round {round} is complete.", round=before.round))
    if after.over and not before.over:
        sides = after.best()
        best = after.totals()[sides[0]]
        if len(sides) == 1:
            name = after.called(sides[0])
            lines.append(SayN("{name} wins with {n} point.", "{name} wins with {n} points.", n=best, name=name))
        else:
            names = listed(tuple(after.called(side) for side in sides))
            lines.append(Say("Shared win at {points}: {names}.", points=best, names=names))
    return lines


def joined(sheet: Sheet, seat: Seat) -> Say:
    return Say("{name} plays for {team}.", name=seat, team=sheet.called(sheet.side_of(seat)))


def line_up(sheet: Sheet, side: int) -> Say:
    return Say("{team}: {names}.", team=sheet.called(side), names=listed(sheet.members(side)))
