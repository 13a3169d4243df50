"""What everybody has just seen happen: the shared screen stages it as a moment. Nothing of it is secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from companion.game import Seat

if TYPE_CHECKING:
    from companion.games.faster_than_truth.state import Play

What = Literal["declared", "challenge", "true", "gamble", "taken", "gained", "five", "winner"]
Found = tuple[What, tuple[Seat, ...]]


class Seen(msgspec.Struct, frozen=True):
    """The last thing that is worth a look up from the cards."""

    what: What
    n: int
    """How many there were so far, so that two of a kind can be told apart."""
    who: tuple[Seat, ...]
    """Whoever it is about; after a card has changed hands, first who has it and then who had it."""
    card: str = ""
    """The kind of the card that has come to somebody: face up, so all have seen it."""


def seen(before: Play, after: Play) -> Seen | None:
    """What this step showed to all; if nothing, it is still what was seen last."""
    found = result(before, after) or card_moved(before, after) or card_in_play(before, after)
    if found is None:
        return after.seen
    what, who = found
    card = after.stashes[who[0]][-1].kind if what in ("taken", "gained") else ""
    return Seen(what, 1 + (before.seen.n if before.seen else 0), who, card)


def result(before: Play, after: Play) -> Found | None:
    if after.winner and not before.winner:
        return "winner", (after.winner,)
    fives = tuple(seat for seat in after.seats if after.enough(seat) and not before.enough(seat))
    return ("five", fives) if fives else None


def card_moved(before: Play, after: Play) -> Found | None:
    """A card that somebody took, handed over or gained; a correction is not staged."""
    if before.phase not in ("taking", "asking", "effect") or after.phase == "counting":
        return None
    more = tuple(seat for seat in after.seats if len(after.stashes[seat]) > len(before.stashes[seat]))
    fewer = tuple(seat for seat in after.seats if len(after.stashes[seat]) < len(before.stashes[seat]))
    if not more:
        return None
    return ("taken", more + fewer) if fewer else ("gained", more)


def card_in_play(before: Play, after: Play) -> Found | None:
    was, card = before.card, after.card
    if after.verdict is not None and was is not None:
        return ("true" if after.verdict.turned == "safe" else "gamble"), (after.verdict.player,)
    if card is None:
        return None
    if was is None:
        return "declared", (after.turn,)
    if card.challenger and not was.challenger:
        return "challenge", (card.challenger, after.turn)
    if card.turned and not was.turned:
        return ("true" if card.turned == "safe" else "gamble"), (after.turn,)
    return None
