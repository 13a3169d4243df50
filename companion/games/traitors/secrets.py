"""What nobody may know while a vote is open: the answers, who gave them, and in which order."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.game import Seat
from companion.games.traitors.state import EndVote, Evening, Murder, Revealing, Vote, Voting


def secrets(evening: Evening, seat: Seat) -> Iterator[Evening]:
    """Yield states that must look the same to this seat."""
    scene = evening.scene
    match scene:
        case Murder(answered=answered, mark=mark) if answered:
            # Even the screen of the player who answered does not show the answer.
            for key in ("F", *(str(evening.number_of(other)) for other in evening.living)):
                if key != mark:
                    yield evening.go(replace(scene, mark=key))
        case EndVote(answered=answered, wish=wish) if answered:
            yield evening.go(replace(scene, wish="P" if wish == "E" else "E"))
        case Voting(cast=cast, candidates=candidates):
            for votes in other_votes(cast, candidates, seat):
                yield evening.go(replace(scene, cast=votes))
            if cast != cast[::-1]:
                yield evening.go(replace(scene, cast=cast[::-1]))
        case Revealing(cast=cast, shown=shown, candidates=candidates):
            for votes in other_votes(cast[shown:], candidates, seat):
                yield evening.go(replace(scene, cast=(*cast[:shown], *votes)))
    if isinstance(scene, (Murder, EndVote, Voting)) and not scene.overdue:
        yield from others_answered(evening, scene, seat)


def other_votes(cast: tuple[Vote, ...], candidates: tuple[Seat, ...], seat: Seat) -> Iterator[tuple[Vote, ...]]:
    """Yield the votes with one vote of another seat changed."""
    for place, vote in enumerate(cast):
        others = [other for other in candidates if other != vote.target]
        if vote.voter != seat and others:
            changed = Vote(vote.voter, others[place % len(others)])
            yield (*cast[:place], changed, *cast[place + 1 :])


def others_answered(evening: Evening, scene: Murder | EndVote | Voting, seat: Seat) -> Iterator[Evening]:
    """Swap who has answered. Only those two may notice, and the host once the vote is overdue."""
    answered = [other for other in scene.answered if other != seat and other not in evening.away]
    waiting = [other for other in evening.waiting() if other != seat]
    for gone, come in zip(answered, waiting, strict=False):
        if isinstance(scene, Voting):
            cast = tuple(Vote(come if vote.voter == gone else vote.voter, vote.target) for vote in scene.cast)
            yield evening.go(replace(scene, cast=cast))
        else:
            done = {*scene.answered, come} - {gone}
            yield evening.go(replace(scene, answered=tuple(other for other in evening.seats if other in done)))
