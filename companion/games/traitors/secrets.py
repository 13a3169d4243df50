"""What nobody may know while a vote is open: what was answered, by whom, and in which order."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.game import Seat
from companion.games.traitors.state import EndVote, Evening, Murder, Revealing, Vote, Voting


def secrets(evening: Evening, seat: Seat) -> Iterator[Evening]:
    """Evenings that look the same to this seat."""
    scene = evening.scene
    match scene:
        case Murder(answered=answered, mark=mark) if answered:
            # Whoever has answered knows their own answer, yet their screen has forgotten it.
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
    """One vote that this seat did not cast goes to another candidate."""
    for place, vote in enumerate(cast):
        others = [other for other in candidates if other != vote.target]
        if vote.voter != seat and others:
            changed = Vote(vote.voter, others[place % len(others)])
            yield (*cast[:place], changed, *cast[place + 1 :])


def others_answered(evening: Evening, scene: Murder | EndVote | Voting, seat: Seat) -> Iterator[Evening]:
    """Somebody has answered instead of somebody else: only those two can tell, and the host when patience ends."""
    answered = [other for other in scene.answered if other != seat and other not in evening.away]
    waiting = [other for other in evening.waiting() if other != seat]
    for gone, come in zip(answered, waiting, strict=False):
        if isinstance(scene, Voting):
            cast = tuple(Vote(come if vote.voter == gone else vote.voter, vote.target) for vote in scene.cast)
            yield evening.go(replace(scene, cast=cast))
        else:
            done = {*scene.answered, come} - {gone}
            yield evening.go(replace(scene, answered=tuple(other for other in evening.seats if other in done)))
