"""What a game learns at one table and knows at its next one."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec

from companion.engine.snapshot import Snapshot, decode, encode
from companion.engine.store import Store, StoreTrouble
from companion.game import Game


def store_what_lasts(store: Store, before: Snapshot, after: Snapshot) -> None:
    """Remember what the game has learnt with this version, if there is anything new."""
    lasting = after.game.lasting
    if lasting is None or before.state is None or after.state is None or before.state is after.state:
        return
    learnt = lasting.take(after.state)
    if learnt != lasting.take(before.state):
        # The version itself is committed. What could not be remembered now is written with the next change.
        with contextlib.suppress(StoreTrouble):
            store.remember(f"lasting.{after.game.name}", encode(learnt))


def with_what_lasts(store: Store, game: Game, state: Any) -> Any:
    """The first state of a table, with what earlier tables of this game have left."""
    stored = store.recall(f"lasting.{game.name}") if game.lasting else None
    if game.lasting is None or stored is None:
        return state
    try:
        return game.lasting.give(state, decode(stored, game.lasting.kind))
    except msgspec.MsgspecError:
        return state  # the game has changed since
