"""BANISHMENT: talk, CAST VOTE, REVEAL VOTE in the order of casting, TIED VOTE?; and agreeing to end the round."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from companion.game import N_, TABLE, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.traitors.murder import who_goes_on
from companion.games.traitors.state import (
    BREATH,
    PATIENCE,
    Ending,
    EndVote,
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
    """Enough talk: everybody votes."""

    by: ClassVar[By] = "anybody"


class CastVote(Tap, frozen=True, tag="CastVote"):
    """CAST VOTE: the number of the player to banish; the book does not forbid one's own."""

    choice: Number


class RevealVote(Tap, frozen=True, tag="RevealVote"):
    """REVEAL VOTE: each voter shows their own vote, in the order of casting."""

    by: ClassVar[By] = "anybody"


class ReplayTied(Tap, frozen=True, tag="ReplayTied"):
    """TIED VOTE?: vote again, between the tied players only."""

    by: ClassVar[By] = "anybody"


class Wish(Tap, frozen=True, tag="Wish"):
    """E to end the round, P to play on, then DONE."""

    choice: Annotated[Literal["E", "P"], Meta(title=N_("End or play on"))]


def first_vote(evening: Evening, talk: Talk) -> Voting:
    return Voting(talk.drawer, candidates=evening.living, final=talk.final)


def open_vote(evening: Evening, seat: Seat, tap: OpenVote, dice: Dice) -> Step:
    if not isinstance(evening.scene, Talk):
        raise NotAllowed("There is no discussion to close.")
    return Step(
        evening.go(first_vote(evening, evening.scene)), Say("Enough talk. Everybody votes."), alarm=PATIENCE
    )  # fmt: skip


def cast_vote(evening: Evening, seat: Seat, tap: CastVote, dice: Dice) -> Step:
    if not isinstance(voting := evening.scene, Voting):
        raise NotAllowed("There is no vote now.")
    needs_living(evening, seat)
    if seat in voting.answered:
        raise NotAllowed("Your vote is cast.")
    numbers = {str(evening.number_of(candidate)): candidate for candidate in voting.candidates}
    if tap.choice not in numbers:
        raise NotAllowed("Nobody with that number can be banished in this vote.")
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
        raise NotAllowed("{name} is next to reveal.", name=vote.voter)
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
        return Step(evening.go(tied), line, Say("The vote is tied."), burn=True, alarm=BREATH)
    # A banished player cannot use a Shield.
    fallen = Fallen(revealing.drawer, top[0], "banished", revealing.final, revealing.cast)
    return Step(evening.go(fallen), line, Say("{name} is banished.", name=top[0]), burn=True, alarm=None)


def replay(evening: Evening, tied: Tied) -> Step:
    """Everybody alive votes again, for the tied players only."""
    voting = Voting(tied.drawer, candidates=tied.tied, final=tied.final, ballot=tied.ballot + 1)
    return Step(
        evening.go(voting), Say("The vote is replayed between the tied players."), sealed=True, alarm=PATIENCE
    )  # fmt: skip


def replay_tied(evening: Evening, seat: Seat, tap: ReplayTied, dice: Dice) -> Step:
    if not isinstance(evening.scene, Tied):
        raise NotAllowed("There is no tied vote.")
    return replay(evening, evening.scene)


# -------------------------------------------------------------------------------- all Traitors gone?


def wish(evening: Evening, seat: Seat, tap: Wish, dice: Dice) -> Step:
    if not isinstance(vote := evening.scene, EndVote):
        raise NotAllowed("Nobody asks that now.")
    needs_living(evening, seat)
    if seat in vote.answered:
        raise NotAllowed("Your answer is in.")
    answered = tuple(other for other in evening.seats if other in vote.answered or other == seat)
    vote = replace(vote, answered=answered, wish=tap.choice if vote.wish == "E" else "P")
    after = evening.go(vote)
    return all_wished(after, vote) if after.all_in else Step(after, secret=True)


def all_wished(evening: Evening, vote: EndVote) -> Step:
    """It ends only if all agree; who did not is nobody's business."""
    if vote.wish == "E":
        line = Say("Everybody agrees: the round is over.")
        return Step(evening.go(Ending("agreed")), line, secret=True, burn=True, alarm=None)
    line = Say("Not everybody agrees: the round goes on.")
    after = evening.play_on("played on", vote.drawer)
    return Step(after, line, who_goes_on(evening, vote.drawer), secret=True, burn=True, alarm=None)


RULES: dict[type[Tap], Rule] = {
    OpenVote: open_vote,
    CastVote: cast_vote,
    RevealVote: reveal_vote,
    ReplayTied: replay_tied,
    Wish: wish,
}
