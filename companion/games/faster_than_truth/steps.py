"""The answer of a rule with what has to be said aloud, and the refusal of what is not to be done now."""

from __future__ import annotations

from companion.game import KEEP, N_, Line, NotAllowed, Say, Step
from companion.games.faster_than_truth.seen import seen
from companion.games.faster_than_truth.state import WORDS, Kind, Phase, Play


def word(kind: Kind | None) -> Say:
    return Say(WORDS[kind] if kind else N_("card"))


def step(
    before: Play, after: Play, *lines: Say | Line, sealed: bool = False, burn: bool = False, alarm: float | None = KEEP
) -> Step:
    """The answer of a rule, with what is said aloud (five of a kind, the win) and the fuse of a declared card."""
    now = tuple(seat for seat in after.seats if after.enough(seat) and not before.enough(seat))
    extra = [Say("{name} has five of a kind!", name=seat) for seat in now]
    called = (*after.declared, *(seat for seat in now if seat not in after.declared))
    # A call stands until that player's turn, unless everybody can see that it is no longer true.
    after = after.but(declared=tuple(seat for seat in called if after.could_have_five(seat)))
    won = bool(after.winner) and after.winner != before.winner
    if won:
        extra.append(Say("{name} still holds five of a kind as the turn begins, and wins.", name=after.winner))
    after = after.but(seen=seen(before, after))
    # What a call tells about hidden cards cannot be taken back; and at the end all cards lie open.
    sealed = sealed or bool(now) or (won and not after.setup.express)
    return Step(
        after, *lines, *extra, sealed=sealed, burn=burn, alarm=burning(before, after) if alarm == KEEP else alarm
    )


def burning(before: Play, after: Play) -> float | None:
    """The fuse is lit when a card is declared, and again when nobody thinks any more; a closed window puts it out."""
    if after.phase != "challenge":
        return None if before.phase == "challenge" else KEEP
    was_open = before.phase == "challenge" and before.card is not None
    if was_open and not (before.in_play.thinking and not after.in_play.thinking):
        return KEEP
    return None if after.in_play.thinking else after.fuse


def needs(play: Play, *phases: Phase) -> None:
    """Refuse what is not to be done now; every sentence says what is."""
    if play.phase in phases:
        return
    match play.phase:
        case "counting":
            raise NotAllowed("First everybody enters their cards.")
        case "over":
            raise NotAllowed("The game is over. To play on, change whose turn it is.")
        case "first":
            raise NotAllowed("First choose who begins.")
        case "declare":
            raise NotAllowed("No card has been declared yet.")
        case "challenge":
            raise NotAllowed("The others may still challenge.")
        case "turning":
            raise NotAllowed("First the card is turned over.")
        case "asking":
            raise NotAllowed("{name} has to choose a card first.", name=play.asked.owner)
        case "taking":
            raise NotAllowed("{name} has to take a card first.", name=play.penalty.taker)
        case _:
            raise NotAllowed("A card is being carried out.")
