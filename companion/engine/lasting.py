"""What a game learns at one table and knows at its next one."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec

from companion.engine.game import Game, keep, revive
from companion.engine.present import Present
from companion.engine.store import Store, StoreTrouble


def keep_what_lasts(store: Store, before: Present, after: Present) -> None:
    """What the game has just learnt is kept, if there is anything new."""
    lasting = after.game.lasting
    if lasting is None or before.state is None or after.state is None or before.state is after.state:
        return
    learnt = lasting.take(after.state)
    if learnt != lasting.take(before.state):
        # The step itself is kept already. What could not be remembered now goes along with the next change.
        with contextlib.suppress(StoreTrouble):
            store.remember(f"lasting.{after.game.name}", keep(learnt))


def with_what_lasts(store: Store, game: Game, state: Any) -> Any:
    """The first state of a table, with what earlier tables of this game have left."""
    kept = store.recall(f"lasting.{game.name}") if game.lasting else None
    if game.lasting is None or kept is None:
        return state
    try:
        return game.lasting.give(state, revive(kept, game.lasting.kind))
    except msgspec.MsgspecError:
        return state  # the game has changed since
