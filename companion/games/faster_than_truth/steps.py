"""Build a rule's step with its announcements, and refuse a tap at the wrong time."""

from __future__ import annotations

from companion.game import KEEP, Line, NotAllowed, Say, Step
from companion.games.faster_than_truth.seen import seen
from companion.games.faster_than_truth.state import Phase, Play


def step(
    before: Play, after: Play, *lines: Say | Line, sealed: bool = False, burn: bool = False, alarm: float | None = KEEP
) -> Step:
    """A rule's step, with announcements (five of a kind, the win) and the fuse."""
    now = tuple(seat for seat in after.seats if after.enough(seat) and not before.enough(seat))
    extra = [Say("{name} has five of a kind!", name=seat) for seat in now]
    called = (*after.declared, *(seat for seat in now if seat not in after.declared))
    # An announcement stays until that player's turn, unless public cards prove it wrong.
    after = after.but(declared=tuple(seat for seat in called if after.could_have_five(seat)))
    won = bool(after.winner) and after.winner != before.winner
    if won:
        extra.append(Say("{name} still has five of a kind and wins.", name=after.winner))
    after = after.but(seen=seen(before, after))
    # Sealed: an announcement says something about hidden cards, and at the end all cards are revealed.
    sealed = sealed or bool(now) or (won and not after.setup.express)
    return Step(
        after, *lines, *extra, sealed=sealed, burn=burn, alarm=burning(before, after) if alarm == KEEP else alarm
    )


def burning(before: Play, after: Play) -> float | None:
    """When the fuse ends: it starts with a card and after a wait, and stops when the window closes."""
    if after.phase != "challenge":
        return None if before.phase == "challenge" else KEEP
    was_open = before.phase == "challenge" and before.card is not None
    if was_open and not (before.in_play.thinking and not after.in_play.thinking):
        return KEEP
    return None if after.in_play.thinking else after.fuse


def needs(play: Play, *phases: Phase) -> None:
    """Refuse a tap at the wrong time, with a sentence that says what comes first."""
    if play.phase in phases:
        return
    match play.phase:
        case "counting":
            raise NotAllowed("Wait until everybody has entered their cards.")
        case "over":
            raise NotAllowed("The game is over. To play on, change whose turn it is.")
        case "first":
            raise NotAllowed("First choose who goes first.")
        case "declare":
            raise NotAllowed("Nobody has declared a card yet.")
        case "challenge":
            raise NotAllowed("Wait: the others can still challenge.")
        case "turning":
            raise NotAllowed("First turn the card over.")
        case "asking":
            raise NotAllowed("Wait until {name} has chosen a card.", name=play.asked.owner)
        case "taking":
            raise NotAllowed("Wait until {name} has taken a card.", name=play.penalty.taker)
        case _:
            raise NotAllowed("First {name} finishes the card in play.", name=play.turn)
