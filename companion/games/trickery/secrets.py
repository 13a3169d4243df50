"""What nobody may know: which side of a society card is covered."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.game import Seat
from companion.games.trickery.state import Societies, opposite


def secrets(table: Societies, seat: Seat) -> Iterator[Societies]:
    """The same table with another player's covered card turned over."""
    for player in table.players:
        if player.covered is not None and player.seat != seat:
            yield table.with_player(msgspec.structs.replace(player, covered=opposite(player.covered)))
