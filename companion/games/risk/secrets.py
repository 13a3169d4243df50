"""What only its owner may know: the cards in a notebook until they are played."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Seat
from companion.games.risk.cards import hand
from companion.games.risk.notebook import Blade, Mission, Notebook, Power
from companion.games.risk.state import Underworld, replace


def secrets(state: Underworld, seat: Seat) -> Iterator[Underworld]:
    """Yield states that this seat must not tell apart: somebody else has more cards, or none."""
    for owner, notes in state.notebooks.items():
        if owner != seat:
            yield state.with_notebook(owner, with_more(notes))
            if (fewer := without(notes, hand(state, owner))) != notes:
                yield state.with_notebook(owner, fewer)


def with_more(notes: Notebook) -> Notebook:
    first = notes.written + 1
    return replace(
        notes,
        blades=(*notes.blades, Blade(first, 2)),
        missions=(*notes.missions, Mission(first + 1, "Hold every mill", 7, 1, since=-3, places=("The Mill",))),
        powers=(*notes.powers, Power(first + 2, "Lend a die")),
        unturned=notes.unturned + 1,
        turned=notes.turned + 1,
        written=first + 2,
    )


def without(notes: Notebook, held: Notebook) -> Notebook:
    """Remove the cards in hand. Played cards stay: everybody has seen them."""
    return replace(
        notes,
        blades=tuple(card for card in notes.blades if card not in held.blades),
        missions=tuple(card for card in notes.missions if card not in held.missions),
        powers=tuple(card for card in notes.powers if card not in held.powers),
        unturned=0,
        chosen=None,
    )
