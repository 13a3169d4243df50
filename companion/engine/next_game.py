"""From one game of the night to the next: who plays it, who sits it out, who joins."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from companion.engine.reader import NoSuchTable
from companion.engine.room import Room
from companion.engine.snapshot import Snapshot, as_data
from companion.engine.store import Unreadable
from companion.game import Game, NotAllowed, Seat

if TYPE_CHECKING:
    from companion.engine.tables import Tables

EVENING_S = 6 * 3600.0
"""After this long without a tap, an evening is over: longer than a dinner, shorter than a night's sleep."""
MAX_TABLES_OF_NIGHT = 200
"""A long evening has ten."""


class Company(msgspec.Struct, frozen=True):
    """Who plays the next game."""

    plays: tuple[Seat, ...] | None = None
    """The seats that play; the others sit out. None: everybody who played this game."""
    joins: str = ""
    """The name of somebody without a phone who joins them."""

    def size(self, room: Room) -> int:
        plays = room.seats if self.plays is None else self.plays
        return sum(person.seat in plays for person in room.company) + bool(self.joins.strip())


EVERYBODY = Company()


def next_room(now: Snapshot, who: Seat, game: Game, setup: msgspec.Struct | None, company: Company) -> Room:
    """The room of the next table. Only the host may go on, and only when the game is over."""
    if not now.room.is_host(who):
        raise NotAllowed("Only the host can do that.")
    if not now.is_over:
        raise NotAllowed("This game is still going on. End the table first.")
    if not company.size(now.room):
        raise NotAllowed("Nobody is left at this table. Please open a new one.")
    if (size := company.size(now.room)) > game.players[1]:
        raise NotAllowed(
            "At most {most} can play this game, and there are {n} of you. Choose who sits out.",
            most=game.players[1], n=size,
        )  # fmt: skip
    return now.room.for_the_next_game(now.room.setup if setup is None else as_data(setup), company.plays, company.joins)


def join_their_night(tables: Tables, now: Snapshot) -> None:
    """A game starts: if most phones here, and most of those of an earlier table, came over, it is the same night.

    Everybody at a table can read its night, so a few people who change tables do not take their night along. A
    phone that sits down twice came once, and one that was removed before the start did not come.
    """
    phones = [person for person in now.room.here if person.phone]
    came = Counter(one.partition(".")[0] for one in {person.came_from for person in phones if person.came_from})
    if not came or [row.id for row in tables.store.tables(now.night)] != [now.id]:
        return
    with contextlib.suppress(NoSuchTable, Unreadable):
        table, come = came.most_common(1)[0]
        earlier = tables.reader.snapshot(tables.reader.follow(table))
        before = sum(person.phone for person in earlier.room.company)
        if come > 1 and 2 * come > len(phones) and 2 * come > before:
            tables.store.join_night(now.id, earlier.night)
            tables.reader.cache.evict(now.id)  # other processes read the table again with its next version
