"""The score sheet: rounds of points or a running total, for every game we do not know."""

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
    SayN,
    Seat,
    Step,
    Tap,
    listed,
)
from companion.games.score_sheet.state import Entry, Points, Setup, Sheet

# -------------------------------------------------------------------------------- taps


class Enter(Tap, frozen=True, tag="Enter"):
    """Write your own points."""

    points: Points


class EnterAll(Tap, frozen=True, tag="EnterAll"):
    """One scorer writes for several people at once."""

    by: ClassVar[By] = "host"
    points: dict[Seat, Points] = {}


class Correct(Tap, frozen=True, tag="Correct"):
    """Change any cell that is already written: a round of somebody's, or one entry. Both count from 1."""

    by: ClassVar[By] = "host"
    cell: Annotated[int, Meta(ge=1, le=99_999)]
    points: Points
    seat: Seat | None = None


class CorrectMine(Tap, frozen=True, tag="CorrectMine"):
    """Change a cell of your own."""

    cell: Annotated[int, Meta(ge=1, le=99_999)]
    points: Points


class CloseRound(Tap, frozen=True, tag="CloseRound"):
    """Close the open round: who has written nothing gets nothing."""

    by: ClassVar[By] = "host"


class Finish(Tap, frozen=True, tag="Finish"):
    """Count it up now."""

    by: ClassVar[By] = "host"


# -------------------------------------------------------------------------------- rules


def start(setup: Setup, seats: tuple[Seat, ...], dice: Dice) -> Step:
    return Step(Sheet(setup, seats))


def ending(before: Sheet, after: Sheet) -> list[Say]:
    """The sentences that follow when a round is complete, or the game is over."""
    lines = []
    if after.round > before.round:
        lines.append(Say("Round {round} is complete.", round=before.round))
    if after.over and not before.over:
        winners = after.winners()
        best = after.totals()[winners[0]]
        if len(winners) == 1:
            lines.append(SayN("{name} wins with {n} point.", "{name} wins with {n} points.", n=best, name=winners[0]))
        else:
            lines.append(Say("Shared win at {points}: {names}.", points=best, names=listed(winners)))
    return lines


def needs_play(sheet: Sheet) -> None:
    if sheet.over:
        raise NotAllowed("The game is over. Take the last step back to play on.")


def scored(sheet: Sheet, seat: Seat, points: int) -> Say:
    if sheet.by_rounds:
        return Say("{name}: {points} in round {round}.", name=seat, points=points, round=sheet.round)
    return Say("{name}: {points}.", name=seat, points=f"{points:+d}")


def enter(sheet: Sheet, seat: Seat, tap: Enter, dice: Dice) -> Step:
    needs_play(sheet)
    if sheet.setup.scorer == "host":
        raise NotAllowed("The host writes the points for everybody.")
    if seat not in sheet.seats:
        raise NotAllowed("You are not on this sheet.")
    if sheet.by_rounds and seat in sheet.open:
        raise NotAllowed("Your points of this round are written. You can correct them.")
    after = sheet.write(seat, tap.points).close_if_complete()
    return Step(after, scored(sheet, seat, tap.points), *ending(sheet, after))


def enter_all(sheet: Sheet, seat: Seat, tap: EnterAll, dice: Dice) -> Step:
    needs_play(sheet)
    if not tap.points:
        raise NotAllowed("Type somebody's points first.")
    after, lines = sheet, []
    for target, points in tap.points.items():
        if target not in sheet.seats:
            raise NotAllowed("Nobody sits there any more.")
        old = sheet.open.get(target)
        after = after.write(target, points)
        lines.append(scored(sheet, target, points) if old is None else correction(seat, target, points, old))
    after = after.close_if_complete()
    return Step(after, *lines, *ending(sheet, after))


def correction(who: Seat, name: Seat, new: int, old: int) -> Say:
    return Say("{who} corrects {name}: {new} instead of {old}.", who=who, name=name, new=new, old=old)


def corrected(sheet: Sheet, target: Seat | None, cell: int, points: int) -> tuple[Sheet, Entry]:
    """The sheet with that cell changed, and what stood there."""
    after, old = rewritten(sheet, target, cell, points)
    if sheet.over != after.over:  # a new end is seen; an end that was none leads back to what was seen before
        after = msgspec.structs.replace(after, still=sheet.over)
    return after, old


def rewritten(sheet: Sheet, target: Seat | None, cell: int, points: int) -> tuple[Sheet, Entry]:
    if not sheet.by_rounds:
        if cell > len(sheet.notes) or target not in (None, sheet.notes[cell - 1][0]):
            raise NotAllowed("Nothing is written there yet.")
        whose, old = sheet.notes[cell - 1]
        return sheet.rewrite(Seat(whose), cell, points), Entry(Seat(whose), old)
    was = None if target is None else sheet.cell(target, cell)
    if target is None or was is None:
        raise NotAllowed("Nothing is written there yet.")
    return sheet.rewrite(target, cell, points), Entry(target, was)


def correct(sheet: Sheet, seat: Seat, tap: Correct, dice: Dice) -> Step:
    after, old = corrected(sheet, tap.seat, tap.cell, tap.points)
    return Step(after, correction(seat, old.seat, tap.points, old.points), *ending(sheet, after))


def correct_mine(sheet: Sheet, seat: Seat, tap: CorrectMine, dice: Dice) -> Step:
    if sheet.setup.scorer == "host":
        raise NotAllowed("The host writes the points for everybody.")
    after, old = corrected(sheet, seat, tap.cell, tap.points)
    line = Say("{name} corrects: {new} instead of {old}.", name=seat, new=tap.points, old=old.points)
    return Step(after, line, *ending(sheet, after))


def close_round(sheet: Sheet, seat: Seat, tap: CloseRound, dice: Dice) -> Step:
    needs_play(sheet)
    if not sheet.by_rounds:
        raise NotAllowed("This sheet has no rounds.")
    if not sheet.open:
        raise NotAllowed("Nobody has written anything in this round.")
    after = sheet.close()
    return Step(after, *ending(sheet, after))


def finish(sheet: Sheet, seat: Seat, tap: Finish, dice: Dice) -> Step:
    needs_play(sheet)
    if not sheet.closed and not sheet.open and not sheet.notes:
        raise NotAllowed("Nothing is written yet.")
    after = msgspec.structs.replace(sheet, finished=True, still=False)
    return Step(after, *ending(sheet, after))


def keeps(earlier: Sheet, now: Sheet) -> Sheet:
    """What was taken back to has been seen already."""
    return msgspec.structs.replace(earlier, still=True)


# -------------------------------------------------------------------------------- people come and go


def latecomer(sheet: Sheet, seat: Seat, tap: Latecomer, dice: Dice) -> Step:
    needs_play(sheet)
    if sheet.by_rounds and sheet.open:
        raise NotAllowed("A round is under way. Try again when it is complete, or watch until then.")
    return Step(sheet.seat(seat))


def leaves(sheet: Sheet, seat: Seat, tap: Leaves, dice: Dice) -> Step:
    if len(sheet.seats) <= 2:
        raise NotAllowed("A score sheet needs two players. End the table instead.")
    after = msgspec.structs.replace(sheet, seats=tuple(other for other in sheet.seats if other != seat))
    after = after.close_if_complete()
    return Step(after, *ending(sheet, after))


def goes_away(sheet: Sheet, seat: Seat, tap: GoesAway, dice: Dice) -> Step:
    after = sheet.close_if_complete()
    return Step(after, *ending(sheet, after))


def chairs_moved(sheet: Sheet, seat: Seat, tap: ChairsMoved, dice: Dice) -> Step:
    """Columns stay whose they are; people are asked in the new order."""
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
}
