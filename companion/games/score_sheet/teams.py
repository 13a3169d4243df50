"""Teams: people choose them before the first points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.score_sheet.setup import MOST_TEAMS
from companion.games.score_sheet.state import Sheet
from companion.games.score_sheet.telling import ending, joined, line_up

Team = Annotated[int, Meta(title=N_("Team"), ge=1, le=MOST_TEAMS)]


class JoinTeam(Tap, frozen=True, tag="JoinTeam"):
    """Choose your own team."""

    team: Team


class MoveToTeam(Tap, frozen=True, tag="MoveToTeam"):
    """Move a player to another team at any time. Points stay with the teams."""

    by: ClassVar[By] = "host"
    seat: Seat
    team: Team


class MixTeams(Tap, frozen=True, tag="MixTeams"):
    """Make random teams."""

    by: ClassVar[By] = "host"


class TeamsAreMade(Tap, frozen=True, tag="TeamsAreMade"):
    """Start the game with these teams."""

    by: ClassVar[By] = "host"


def in_turn(seats: Sequence[Seat], teams: int) -> dict[int, int]:
    """Deal people into teams around the table: with two teams, every second player is in the same team."""
    return {int(seat): place % teams + 1 for place, seat in enumerate(seats)}


def needs_forming(sheet: Sheet) -> None:
    if not sheet.team_of:
        raise NotAllowed("There are no teams in this game.")
    if not sheet.forming:
        raise NotAllowed("The game has started. Only the host can change teams now.")


def moved(sheet: Sheet, seat: Seat, team: int) -> Step:
    if team not in (sheet.columns if sheet.forming else sheet.sides):
        raise NotAllowed("That team doesn't exist. Choose another one.")
    if seat not in sheet.seats:
        raise NotAllowed("That player has left the table.")
    after = msgspec.structs.replace(sheet, team_of={**sheet.team_of, int(seat): team})
    if not sheet.forming and len(after.sides) < len(sheet.sides):
        raise NotAllowed("{team} needs at least one player.", team=sheet.called(sheet.side_of(seat)))
    after = after.close_if_complete()  # everybody left in a team may be away
    return Step(after, joined(after, seat), *ending(sheet, after))


def join_team(sheet: Sheet, seat: Seat, tap: JoinTeam, dice: Dice) -> Step:
    needs_forming(sheet)
    return moved(sheet, seat, tap.team)


def move_to_team(sheet: Sheet, seat: Seat, tap: MoveToTeam, dice: Dice) -> Step:
    if not sheet.team_of:
        raise NotAllowed("There are no teams in this game.")
    return moved(sheet, tap.seat, tap.team)


def mix_teams(sheet: Sheet, seat: Seat, tap: MixTeams, dice: Dice) -> Step:
    needs_forming(sheet)
    team_of = in_turn(dice.shuffled(sheet.seats), len(sheet.columns))
    return Step(msgspec.structs.replace(sheet, team_of=team_of), Say("The teams are mixed at random."))


def teams_are_made(sheet: Sheet, seat: Seat, tap: TeamsAreMade, dice: Dice) -> Step:
    needs_forming(sheet)
    if len(sheet.sides) < 2:
        raise NotAllowed("There must be at least two teams. Move somebody to another team.")
    after = msgspec.structs.replace(sheet, forming=False)
    return Step(after, *(line_up(after, side) for side in after.sides))


TEAM_RULES: dict[type[Tap], Rule] = {
    JoinTeam: join_team,
    MoveToTeam: move_to_team,
    MixTeams: mix_teams,
    TeamsAreMade: teams_are_made,
}
