"""The last thing everybody saw, which the shared screen plays as a moment. Nothing here is secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from companion.game import Seat

if TYPE_CHECKING:
    from companion.games.faster_than_truth.state import Play

What = Literal["declared", "challenge", "true", "gamble", "taken", "gained", "five", "winner"]
Found = tuple[What, tuple[Seat, ...]]


class Seen(msgspec.Struct, frozen=True):
    """The last event worth looking up for."""

    what: What
    n: int
    """Counts the events, so that two of the same kind differ."""
    who: tuple[Seat, ...]
    """The players it is about; when a card changes hands, the new owner comes first."""
    card: str = ""
    """The kind of the card that somebody got, which lies face up."""


def seen(before: Play, after: Play) -> Seen | None:
    """What this step showed everybody, or else the last event."""
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
    """A card that somebody took, handed over or gained; a fixed mistake is not staged."""
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
