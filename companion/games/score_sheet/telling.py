"""The sentences about players or teams in the history."""

from __future__ import annotations

from companion.game import Say, SayN, Seat, listed
from companion.games.score_sheet.state import Sheet


def scored(sheet: Sheet, side: int, points: int, category: int) -> Say:
    name = sheet.called(side)
    if sheet.by_rounds:
        # Translators: {name} is a player or a team, {points} a number that may be negative.
        return Say("{name}: {points} in round {round}.", name=name, points=points, round=sheet.round)
    if category:
        what = sheet.setup.category(category)
        return Say("{name}: {points} for {category}.", name=name, points=points, category=what)
    return Say("{name}: {points}.", name=name, points=f"{points:+d}")


def correction(sheet: Sheet, who: Seat, side: int, new: int, old: int) -> Say:
    name = sheet.called(side)
    return Say("{who} corrects {name}: {new} instead of {old}.", who=who, name=name, new=new, old=old)


def ending(before: Sheet, after: Sheet) -> list[Say]:
    """Say that a round is complete or that the game is over."""
    lines = []
    if after.round > before.round:
        lines.append(Say("Round {round} is complete.", round=before.round))
    if after.over and not before.over:
        sides = after.best()
        lines.append(won(after, sides, after.totals()[sides[0]]))
    return lines


def won(sheet: Sheet, sides: tuple[int, ...], best: int) -> Say:
    if len(sides) == 1:
        # Translators: {name} is a player or a team.
        return SayN("{name} wins with {n} point.", "{name} wins with {n} points.", n=best, name=sheet.called(sides[0]))
    names = listed(tuple(map(sheet.called, sides)))
    # Translators: {names} are two or more players or teams.
    return SayN("{names} share the win with {n} point.", "{names} share the win with {n} points.", n=best, names=names)


def joined(sheet: Sheet, seat: Seat) -> Say:
    return Say("{name} plays for {team}.", name=seat, team=sheet.called(sheet.side_of(seat)))


def line_up(sheet: Sheet, side: int) -> Say:
    return Say("{team}: {names}.", team=sheet.called(side), names=listed(sheet.members(side)))
