"""What nobody may know: the side of a society card that lies under somebody's hand."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.game import Seat
from companion.games.trickery.state import Societies, opposite


def secrets(table: Societies, seat: Seat) -> Iterator[Societies]:
    """One covered card of somebody else shows the other side."""
    for player in table.players:
        if player.covered is not None and player.seat != seat:
            yield table.with_player(msgspec.structs.replace(player, covered=opposite(player.covered)))
