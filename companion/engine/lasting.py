"""What one table leaves for the next: its set-up, and what its game has learnt.

Tables opened on the host's own machine share it all, in the store's memory. Anywhere else a table knows no more than
the earlier nights of the browser that opened it, and looks there: what is deleted with a night is forgotten with it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from companion.engine.room import Room, Scope
from companion.engine.snapshot import Snapshot, decode, encode, fill
from companion.engine.store import Store, StoreTrouble, Unreadable, Version
from companion.game import Game

MAX_PRESETS = 12
MAX_TABLES_READ = 30
"""How many earlier tables are searched for presets where a browser only knows its own nights."""


def scope_of(now: Snapshot) -> Scope:
    """The nights that this table may know of: its own, and those of the browser that opened it."""
    return None if now.room.scope is None else (now.night, *now.room.scope)


def earlier_tables(store: Store, game: Game, scope: tuple[str, ...]) -> Iterator[Version]:
    """The newest versions of the tables of this game on these nights, the last table first."""
    for night in scope:
        for row in reversed(list(store.tables(night))):
            with contextlib.suppress(Unreadable):
                if row.game == game.name and (newest := store.newest(row.id)) is not None:
                    yield newest


def store_setup(store: Store, game: Game, setup: msgspec.Struct, scope: Scope) -> None:
    """Store a named set-up as a preset, and any other as the default for next time."""
    if scope is not None:
        return
    if not (name := game.played_as(setup)):
        store.remember(f"setup.{game.name}", encode(setup))
    else:
        others = [one for one in presets(store, game, None) if game.played_as(one).casefold() != name.casefold()]
        store.remember(f"presets.{game.name}", encode([setup, *others][:MAX_PRESETS]))


def presets(store: Store, game: Game, scope: Scope) -> list[msgspec.Struct]:
    """The named set-ups that this game was played with, the newest of each name first."""
    if game.played_as is Game.played_as:
        return []  # this game has no named set-ups
    kept: Iterable[Any]
    if scope is None:
        kept = decode(store.recall(f"presets.{game.name}") or b"[]", list[Any])
    else:
        newest = islice(earlier_tables(store, game, scope), MAX_TABLES_READ)
        kept = (decode(table.room or b"{}", Room).setup for table in newest)
    found: dict[str, msgspec.Struct] = {}
    for data in kept:
        with contextlib.suppress(msgspec.MsgspecError):  # the game has changed since
            setup = fill(data, game.setup)
            if name := game.played_as(setup):
                found.setdefault(name.casefold(), setup)
    return list(found.values())[:MAX_PRESETS]


def forget_preset(store: Store, game: Game, name: str) -> None:
    """Forget a preset on the host's own machine. Elsewhere, a preset goes with the nights it was played on."""
    left = [one for one in presets(store, game, None) if game.played_as(one) != name]
    store.remember(f"presets.{game.name}", encode(left))


def last_setup(store: Store, game: Game, scope: Scope) -> msgspec.Struct:
    """The last unnamed set-up of this game, or the game's defaults."""
    # A set-up that does not fit is from an older version of the game.
    with contextlib.suppress(msgspec.MsgspecError):
        if scope is None and (stored := store.recall(f"setup.{game.name}")) is not None:
            return decode(stored, game.setup)
        for newest in earlier_tables(store, game, scope or ()):
            setup: msgspec.Struct = fill(decode(newest.room or b"{}", Room).setup, game.setup)
            if not game.played_as(setup):
                return setup
    return game.setup()


def store_what_lasts(store: Store, before: Snapshot, after: Snapshot) -> None:
    """Remember what the game has learnt with this version, if there is anything new."""
    lasting = after.game.lasting
    if lasting is None or before.state is None or after.state is None or before.state is after.state:
        return
    learnt = lasting.take(after.state)
    if after.room.scope is None and learnt != lasting.take(before.state):
        # The version itself is committed. What could not be remembered now is written with the next change.
        with contextlib.suppress(StoreTrouble):
            store.remember(f"lasting.{after.game.name}", encode(learnt))


def with_what_lasts(store: Store, now: Snapshot, state: Any) -> Any:
    """The first state of this table, with what earlier tables of its game have left."""
    game, scope = now.game, scope_of(now)
    lasting = game.lasting
    if lasting is None:
        return state
    with contextlib.suppress(msgspec.MsgspecError):  # the game has changed since
        if scope is None and (stored := store.recall(f"lasting.{game.name}")) is not None:
            return lasting.give(state, decode(stored, lasting.kind))
        for newest in earlier_tables(store, game, scope or ()):
            if newest.state is not None:
                return lasting.give(state, lasting.take(decode(newest.state, game.state)))
    return state
