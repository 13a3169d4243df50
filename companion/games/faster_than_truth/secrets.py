"""What only its owner may know: hidden cards, and what they enter during a count."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.game import Seat
from companion.games.faster_than_truth.state import KINDS, Card, Kind, Play


def secrets(play: Play, seat: Seat) -> Iterator[Play]:
    """Games that must look the same to this seat; after a win nothing is hidden."""
    if play.winner:
        return
    yield from swapped(play, seat)
    if play.count is not None:
        for owner, cards in play.count.entries.items():
            if owner != seat:
                for place, card in enumerate(cards):
                    other = Card(KINDS[(KINDS.index(card.kind) + 1) % len(KINDS)], card.hidden)
                    entries = {**play.count.entries, owner: (*cards[:place], other, *cards[place + 1 :])}
                    yield play.but(count=msgspec.structs.replace(play.count, entries=entries))


def swapped(play: Play, seat: Seat) -> Iterator[Play]:
    """Swap two hidden cards of other players: how many of each kind are hidden is public, where they are is not."""
    hidden = [
        (owner, place)
        for owner, cards in play.stashes.items()
        if owner != seat
        for place, card in enumerate(cards, 1)
        if card.hidden
    ]
    for number, one in enumerate(hidden):
        kind = play.card_at(*one).kind
        for other in hidden[number + 1 :] + hidden[:number]:
            if (others := play.card_at(*other).kind) != kind:
                after = lies(lies(play, *one, others), *other, kind)
                if same_calls(play, after):
                    yield after
                    break


def lies(play: Play, owner: Seat, place: int, kind: Kind) -> Play:
    cards = list(play.stashes[owner])
    cards[place - 1] = Card(kind, hidden=True)
    return play.but(stashes={**play.stashes, owner: tuple(cards)})


def same_calls(play: Play, other: Play) -> bool:
    """Five of a kind is announced, so both games must have the same announcements."""
    return all(play.enough(owner) == other.enough(owner) for owner in play.seats)
