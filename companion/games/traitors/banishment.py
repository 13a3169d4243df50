"""BANISHMENT: talk, CAST VOTE, REVEAL VOTE in the order in which votes were cast, TIED VOTE?."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from companion.game import N_, TABLE, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap, listed
from companion.games.traitors.state import (
    MINUTE,
    PATIENCE,
    Evening,
    Fallen,
    Revealing,
    Talk,
    Tied,
    Vote,
    Voting,
    needs_living,
)

Number = Annotated[Literal["1", "2", "3", "4", "5", "6", "7", "8"], Meta(title=N_("The player to banish"))]


class OpenVote(Tap, frozen=True, tag="OpenVote"):
    """End the discussion, so that everybody votes."""

    by: ClassVar[By] = "anybody"


class MoreTime(Tap, frozen=True, tag="MoreTime"):
    """Give the discussion one more minute."""

    by: ClassVar[By] = "anybody"


class CastVote(Tap, frozen=True, tag="CastVote"):
    """CAST VOTE for the player to banish. The rulebook does not forbid voting for yourself."""

    choice: Number


class RevealVote(Tap, frozen=True, tag="RevealVote"):
    """REVEAL VOTE: voters show their own vote, in the order in which they voted."""

    by: ClassVar[By] = "anybody"


class ReplayTied(Tap, frozen=True, tag="ReplayTied"):
    """TIED VOTE?: vote again, only for the tied players."""

    by: ClassVar[By] = "anybody"


def first_vote(evening: Evening, talk: Talk, closed_by: Seat | None = None) -> Voting:
    return Voting(talk.drawer, candidates=evening.living, final=talk.final, closed_by=closed_by)


def open_vote(evening: Evening, seat: Seat, tap: OpenVote, dice: Dice) -> Step:
    if not isinstance(evening.scene, Talk):
        raise NotAllowed("There is no discussion to end.")
    line = Say("{who} ends the discussion. Everybody votes.", who=seat)
    return Step(evening.go(first_vote(evening, evening.scene, seat)), line, alarm=PATIENCE)


def more_time(evening: Evening, seat: Seat, tap: MoreTime, dice: Dice) -> Step:
    if not isinstance(talk := evening.scene, Talk) or evening.setup.timer == "0":
        raise NotAllowed("There is no timer to extend.")
    return Step(evening.go(replace(talk, longer=seat)), sealed=True, later=MINUTE)


def cast_vote(evening: Evening, seat: Seat, tap: CastVote, dice: Dice) -> Step:
    if not isinstance(voting := evening.scene, Voting):
        raise NotAllowed("There is no banishment vote now.")
    needs_living(evening, seat)
    if seat in voting.answered:
        raise NotAllowed("You have already voted.")
    numbers = {str(evening.number_of(candidate)): candidate for candidate in voting.candidates}
    if tap.choice not in numbers:
        raise NotAllowed("You can't vote for that player. Choose one of the numbers that are lit.")
    voting = replace(voting, cast=(*voting.cast, Vote(seat, numbers[tap.choice])))
    after = evening.go(voting)
    return all_cast(after, voting) if after.all_in else Step(after, secret=True)


def all_cast(evening: Evening, voting: Voting) -> Step:
    revealing = Revealing(voting.drawer, voting.candidates, voting.cast, voting.final, voting.ballot)
    first = voting.cast[0].voter
    line = Say("All votes are cast. {name} voted first and reveals first.", name=first)
    return Step(evening.go(revealing), line, secret=True, alarm=None)


def reveal_vote(evening: Evening, seat: Seat, tap: RevealVote, dice: Dice) -> Step:
    if not isinstance(revealing := evening.scene, Revealing):
        raise NotAllowed("There is no vote to reveal.")
    vote = revealing.cast[revealing.shown]
    if seat not in (vote.voter, TABLE):
        raise NotAllowed("{name} reveals next.", name=vote.voter)
    line = Say("{name} votes for {target}.", name=vote.voter, target=vote.target)
    evening = evening.suspect(vote.target)
    shown = revealing.shown + 1
    if shown < len(revealing.cast):
        return Step(evening.go(replace(revealing, shown=shown)), line, sealed=True)
    tally = Counter(vote.target for vote in revealing.cast)
    most = max(tally.values())
    top = tuple(seat for seat in revealing.candidates if tally[seat] == most)
    if len(top) > 1:
        tied = Tied(revealing.drawer, top, revealing.cast, revealing.final, revealing.ballot)
        names = Say("{names} are tied and may plead.", names=listed(top))
        return Step(evening.go(tied), line, names, burn=True, alarm=int(evening.setup.plea) * MINUTE or None)
    # A Shield does not protect from banishment.
    fallen = Fallen(revealing.drawer, top[0], "banished", revealing.final, revealing.cast)
    return Step(evening.go(fallen), line, Say("{name} is banished.", name=top[0]), burn=True, alarm=None)


def replay_tied(evening: Evening, seat: Seat, tap: ReplayTied, dice: Dice) -> Step:
    """Let everybody alive vote again, only for the tied players."""
    if not isinstance(tied := evening.scene, Tied):
        raise NotAllowed("There is no tied vote.")
    voting = Voting(tied.drawer, candidates=tied.tied, final=tied.final, ballot=tied.ballot + 1)
    line = Say("{who} presses TIED VOTE? Everybody votes again between {names}.", who=seat, names=listed(tied.tied))
    return Step(evening.go(voting), line, sealed=True, alarm=PATIENCE)


RULES: dict[type[Tap], Rule] = {
    OpenVote: open_vote,
    MoreTime: more_time,
    CastVote: cast_vote,
    RevealVote: reveal_vote,
    ReplayTied: replay_tied,
}
