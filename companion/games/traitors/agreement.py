"""The vote to end the round: held when a Traitor is shown, or when a living player proposes it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from companion.game import N_, TABLE, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.traitors.murder import who_goes_on
from companion.games.traitors.state import PATIENCE, Ending, EndVote, Evening, Playing, needs_living


class ProposeEnd(Tap, frozen=True, tag="ProposeEnd"):
    """A living player believes that all Traitors are gone. The shared screen names the player."""

    by: ClassVar[By] = "anybody"
    proposer: Seat | None = None


class Wish(Tap, frozen=True, tag="Wish"):
    """Answer E to end the round or P to play on, then press DONE."""

    choice: Annotated[Literal["E", "P"], Meta(title=N_("End or play on"))]


def propose_end(evening: Evening, seat: Seat, tap: ProposeEnd, dice: Dice) -> Step:
    if not isinstance(playing := evening.scene, Playing):
        raise NotAllowed("Not now. Finish the current step first.")
    if seat != TABLE and tap.proposer not in (None, seat):
        raise NotAllowed("Only {name} or the shared screen can propose that.", name=tap.proposer or seat)
    proposer = tap.proposer if seat == TABLE else seat
    if proposer is None:
        raise NotAllowed("Choose who proposes it.")
    needs_living(evening, proposer)
    if proposer in playing.proposed:
        raise NotAllowed("{name} has already proposed this. Wait for the next event.", name=proposer)
    line = Say("{name} proposes to end the round. Everybody answers in secret.", name=proposer)
    return Step(evening.go(EndVote(proposer, proposer=proposer, since=playing)), line, alarm=PATIENCE)


def wish(evening: Evening, seat: Seat, tap: Wish, dice: Dice) -> Step:
    if not isinstance(vote := evening.scene, EndVote):
        raise NotAllowed("There is no vote on ending the round now.")
    needs_living(evening, seat)
    if seat in vote.answered:
        raise NotAllowed("You have already answered.")
    answered = tuple(other for other in evening.seats if other in vote.answered or other == seat)
    vote = replace(vote, answered=answered, wish=tap.choice if vote.wish == "E" else "P")
    after = evening.go(vote)
    return all_wished(after, vote) if after.all_in else Step(after, secret=True)


def all_wished(evening: Evening, vote: EndVote) -> Step:
    """End the round only if everybody agrees, without telling who did not."""
    if vote.wish == "E":
        line = Say("Everybody agrees: the round is over.")
        return Step(evening.go(Ending("agreed")), line, secret=True, burn=True, alarm=None)
    lines = [Say("Not everybody agrees: the round goes on.")]
    if vote.proposer is None:
        lines.append(who_goes_on(evening, vote.drawer))
    return Step(goes_on(evening, vote, "played on"), *lines, secret=True, burn=True, alarm=None)


def goes_on(evening: Evening, vote: EndVote, ended: str) -> Evening:
    """Return to play as it was. The proposer cannot propose again before the next event."""
    if vote.proposer is None:
        return evening.play_on(ended, vote.drawer)
    since = vote.since
    proposed = (*since.proposed, vote.proposer)
    return evening.go(Playing(ended, None, since.draws, since.moved_on, proposed=proposed))  # type: ignore[arg-type]


RULES: dict[type[Tap], Rule] = {ProposeEnd: propose_end, Wish: wish}
