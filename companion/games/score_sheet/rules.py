"""The rules of the score sheet: points by rounds, as a running total, or by categories."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from companion.game import (
    By,
    ChairsMoved,
    Dice,
    GoesAway,
    Latecomer,
    Leaves,
    NotAllowed,
    Rule,
    Say,
    Seat,
    Step,
    Tap,
)
from companion.games.score_sheet.setup import Setup
from companion.games.score_sheet.state import Entry, Points, Sheet
from companion.games.score_sheet.teams import TEAM_RULES, in_turn
from companion.games.score_sheet.telling import correction, ending, joined, scored

# -------------------------------------------------------------------------------- taps


Cell = Annotated[int, Meta(ge=1, le=99_999)]
"""The number of a round, an entry or a category, counted from 1."""


class Enter(Tap, frozen=True, tag="Enter"):
    """Write down your own points or those of your team, in a category if the sheet has categories."""

    points: Points
    cell: Cell | None = None


class EnterAll(Tap, frozen=True, tag="EnterAll"):
    """Write down points for several players or teams, by the number of the seat or team."""

    by: ClassVar[By] = "host"
    points: dict[Seat, Points] = {}
    cell: Cell | None = None


class Correct(Tap, frozen=True, tag="Correct"):
    """Change anybody's points in a round, a category or an entry."""

    by: ClassVar[By] = "host"
    cell: Cell
    points: Points
    seat: Seat | None = None
    """A seat, or the number of a team."""


class CorrectMine(Tap, frozen=True, tag="CorrectMine"):
    """Change your own points or those of your team."""

    cell: Cell
    points: Points


class CloseRound(Tap, frozen=True, tag="CloseRound"):
    """Close the open round. Players without points get none."""

    by: ClassVar[By] = "host"


class Finish(Tap, frozen=True, tag="Finish"):
    """End the game now."""

    by: ClassVar[By] = "host"


# -------------------------------------------------------------------------------- rules


def start(setup: Setup, seats: tuple[Seat, ...], dice: Dice) -> Step:
    setup.refuse_too_much()
    teams = min(setup.team_count, len(seats))
    return Step(Sheet(setup, seats, team_of=in_turn(seats, teams) if teams else {}, forming=teams > 0))


def needs_play(sheet: Sheet) -> None:
    if sheet.over:
        raise NotAllowed("The game is over. Take back the last step to play on.")


def needs_teams(sheet: Sheet) -> None:
    if sheet.forming:
        raise NotAllowed("Make the teams first.")


def needs_category(sheet: Sheet, cell: int | None) -> int:
    """Return the chosen category, or 0 if the sheet has none."""
    if not sheet.by_categories:
        return 0
    if cell is None or cell > len(sheet.filled):
        raise NotAllowed("Choose a category first.")
    return cell


def enter(sheet: Sheet, seat: Seat, tap: Enter, dice: Dice) -> Step:
    needs_play(sheet)
    if sheet.setup.scorer == "host":
        raise NotAllowed("The host keeps score for everybody.")
    if seat not in sheet.seats:
        raise NotAllowed("You are not on this sheet.")
    needs_teams(sheet)
    side, category = sheet.side_of(seat), needs_category(sheet, tap.cell)
    if category and sheet.cell(side, category) is not None:
        raise NotAllowed("That category is already filled in. You can correct it.")
    if sheet.by_rounds and side in sheet.open:
        raise NotAllowed("Your points for this round are already in. You can correct them.")
    after = sheet.write(side, tap.points, category).close_if_complete()
    return Step(after, scored(sheet, side, tap.points, category), *ending(sheet, after))


def enter_all(sheet: Sheet, seat: Seat, tap: EnterAll, dice: Dice) -> Step:
    needs_play(sheet)
    needs_teams(sheet)
    if not tap.points:
        raise NotAllowed("Enter points for somebody first.")
    category = needs_category(sheet, tap.cell)
    after, lines = sheet, []
    for side, points in tap.points.items():
        if side not in sheet.sides:
            raise NotAllowed("That player has left the table.")
        old = sheet.cell(side, category) if category else sheet.open.get(side)
        if old is None:
            after = after.write(side, points, category)
            lines.append(scored(sheet, side, points, category))
        else:
            after = after.rewrite(side, category or sheet.round, points)
            lines.append(correction(sheet, seat, side, points, old))
    after = after.close_if_complete()
    return Step(after, *lines, *ending(sheet, after))


def corrected(sheet: Sheet, side: int | None, cell: int, points: int) -> tuple[Sheet, Entry]:
    """Return the sheet with that cell changed, and the old points."""
    after, old = rewritten(sheet, side, cell, points)
    if sheet.over != after.over:  # play a new ending, but nothing when the game goes on after all
        after = msgspec.structs.replace(after, still=sheet.over)
    return after, old


def rewritten(sheet: Sheet, side: int | None, cell: int, points: int) -> tuple[Sheet, Entry]:
    if not sheet.by_rounds and not sheet.by_categories:
        if cell > len(sheet.notes) or side not in (None, sheet.notes[cell - 1][0]):
            raise NotAllowed("There are no points to correct yet.")
        whose, old = sheet.notes[cell - 1]
        return sheet.rewrite(whose, cell, points), Entry(Seat(whose), old)
    was = None if side is None else sheet.cell(side, cell)
    if side is None or was is None:
        raise NotAllowed("There are no points to correct yet.")
    return sheet.rewrite(side, cell, points), Entry(Seat(side), was)


def correct(sheet: Sheet, seat: Seat, tap: Correct, dice: Dice) -> Step:
    after, old = corrected(sheet, tap.seat, tap.cell, tap.points)
    return Step(after, correction(sheet, seat, old.seat, tap.points, old.points), *ending(sheet, after))


def correct_mine(sheet: Sheet, seat: Seat, tap: CorrectMine, dice: Dice) -> Step:
    if sheet.setup.scorer == "host":
        raise NotAllowed("The host keeps score for everybody.")
    after, old = corrected(sheet, sheet.side_of(seat), tap.cell, tap.points)
    line = Say("{name} corrects: {new} instead of {old}.", name=seat, new=tap.points, old=old.points)
    return Step(after, line, *ending(sheet, after))


def close_round(sheet: Sheet, seat: Seat, tap: CloseRound, dice: Dice) -> Step:
    needs_play(sheet)
    if not sheet.by_rounds:
        raise NotAllowed("This sheet has no rounds.")
    if not sheet.open:
        raise NotAllowed("There are no points in this round yet.")
    after = sheet.close()
    return Step(after, *ending(sheet, after))


def finish(sheet: Sheet, seat: Seat, tap: Finish, dice: Dice) -> Step:
    needs_play(sheet)
    if sheet.is_empty:
        raise NotAllowed("There are no points yet.")
    after = msgspec.structs.replace(sheet, finished=True, still=False)
    return Step(after, *ending(sheet, after))


def keeps(earlier: Sheet, now: Sheet) -> Sheet:
    """Play no moment again after a step was taken back."""
    return msgspec.structs.replace(earlier, still=True)


# -------------------------------------------------------------------------------- people come and go


def latecomer(sheet: Sheet, seat: Seat, tap: Latecomer, dice: Dice) -> Step:
    needs_play(sheet)
    if sheet.team_of:
        after = sheet.seat(seat)
        return Step(after, joined(after, seat))
    if sheet.by_rounds and sheet.open:
        raise NotAllowed("A round has started. Watch until it is complete, then try again.")
    return Step(sheet.seat(seat))


def leaves(sheet: Sheet, seat: Seat, tap: Leaves, dice: Dice) -> Step:
    if len(sheet.seats) <= 2:
        raise NotAllowed("A score sheet needs at least two players. End the table instead.")
    after = msgspec.structs.replace(sheet, seats=tuple(other for other in sheet.seats if other != seat))
    if not sheet.forming and len(after.sides) < 2:
        team = sheet.called(sheet.side_of(seat))
        raise NotAllowed("There must be at least two teams. Move somebody to {team} first.", team=team)
    after = after.close_if_complete()
    return Step(after, *ending(sheet, after))


def goes_away(sheet: Sheet, seat: Seat, tap: GoesAway, dice: Dice) -> Step:
    after = sheet.close_if_complete()
    return Step(after, *ending(sheet, after))


def chairs_moved(sheet: Sheet, seat: Seat, tap: ChairsMoved, dice: Dice) -> Step:
    """Players keep their columns. Only the seating order changes."""
    return Step(msgspec.structs.replace(sheet, seats=tap.seats))


RULES: dict[type[Tap], Rule] = {
    Enter: enter,
    EnterAll: enter_all,
    Correct: correct,
    CorrectMine: correct_mine,
    CloseRound: close_round,
    Finish: finish,
    Latecomer: latecomer,
    Leaves: leaves,
    GoesAway: goes_away,
    ChairsMoved: chairs_moved,
    **TEAM_RULES,
}
