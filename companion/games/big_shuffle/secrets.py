"""The secrets: a personal agenda is for its owner only, a shared one for two neighbours."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.game import Seat
from companion.games.big_shuffle.pieces import Agenda
from companion.games.big_shuffle.state import Noir


def secrets(table: Noir, seat: Seat) -> Iterator[Noir]:
    """Yield tables that this seat must not tell apart: others' agendas are empty, misspelt or about to win."""
    active = table.active()
    others = (Agenda(), Agenda("The Privat Eye", "An Unheard Affair"), Agenda(*active.values()))
    for owner, agenda in table.personal.items():
        for other in others:
            if owner != seat and other != agenda:
                yield msgspec.structs.replace(table, personal={**table.personal, owner: other})
    if table.beginner:
        return  # shared agendas are face up
    for at, (pair, agenda) in enumerate(zip(table.pairs(), table.shared, strict=True)):
        for other in others:
            if seat not in pair and other != agenda:
                shared = (*table.shared[:at], other, *table.shared[at + 1 :])
                yield msgspec.structs.replace(table, shared=shared)
