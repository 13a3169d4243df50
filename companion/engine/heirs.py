"""When the last table of a night is deleted, the one before remembers which links are dead."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from companion.engine.apply import change_room
from companion.engine.reader import NoSuchTable, TableReader
from companion.engine.results import Played
from companion.engine.room import Person, Room
from companion.engine.snapshot import Snapshot, decode, encode
from companion.engine.store import TableRow, Unreadable
from companion.engine.tables import Tables
from companion.game import TABLE, Say


class Heirs:
    """Writes to the new last table before the deletion, so that a crash in between revives no link."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._reader: TableReader = tables.reader
        self._store = tables.store

    def prepare(self, doomed: Collection[str]) -> None:
        """Called before these tables are deleted."""
        nights = {row.night for row in map(self._store.table, doomed) if row is not None}
        for last, heir in [pair for night in nights for pair in self._find(night, doomed)]:
            self._reader.catch_up(last.id, heir.id)
            taken_over = -1
            while (head := self._store.heads([last.id]).get(last.id)) is not None and head.version != taken_over:
                taken_over = head.version
                self._take_over(heir, last)

    def _find(self, night: str, doomed: Collection[str]) -> Iterator[tuple[TableRow, TableRow]]:
        """The last table of each company of this night and the one that takes its place, if only the last one goes."""
        rows = {row.id: row for row in self._store.tables(night)}
        before = {row.next: row for row in rows.values() if row.next is not None}
        for last in [row for row in rows.values() if row.next not in rows]:
            heir: TableRow | None = last
            while heir is not None and (heir.id in doomed or not heir.game):
                heir = before.get(heir.id)
            if heir is not None and heir is not last:
                yield last, heir

    def _take_over(self, heir: TableRow, last: TableRow) -> None:
        gone = self._read(last.id)
        generation = self._generation(last.id) if gone is None else gone.room.screen_generation
        if self._read(heir.id) is None:
            stored = self._store.result(heir.id)
            if stored is not None:
                one = decode(stored, Played)
                generation = max(generation, one.screen_generation)
                self._store.keep_result(heir.id, encode(msgspec.structs.replace(one, screen_generation=generation)))
            return

        def change(now: Snapshot) -> Snapshot:
            room = with_dead_seats(now.room) if gone is None else with_links_of(now.room, gone.room)
            room = msgspec.structs.replace(room, screen_generation=max(generation, room.screen_generation))
            # Keep the time: nobody has played here since.
            return change_room(now, room, Say("The game after this one was deleted."), who=TABLE, at=now.at)

        before = self._reader.snapshot(heir.id)
        self._reader.stays_put_away(before, self._tables.commit(heir.id, None, change))

    def _read(self, table: str) -> Snapshot | None:
        try:
            return self._reader.snapshot(table)
        except (NoSuchTable, Unreadable, msgspec.MsgspecError):
            return None  # it is archived, or its key is lost, or its game is gone

    def _generation(self, table: str) -> int:
        stored = self._store.result(table)
        return 1 if stored is None else decode(stored, Played).screen_generation


def with_links_of(room: Room, later: Room) -> Room:
    """The people of the earlier table, with the links, phones and host that they had later.

    Somebody who has left since stays in the result of this table, but their link is dead, and no shared screen opens
    their seat.
    """
    people = {person.seat: person for person in later.people}

    def as_later(person: Person) -> Person:
        other = people.get(person.seat)
        if other is None:
            return person
        generation = max(person.generation, other.generation)
        if other.gone:
            return msgspec.structs.replace(person, generation=generation, moving=False)
        return msgspec.structs.replace(person, generation=generation, phone=other.phone, moving=other.moving)

    room = msgspec.structs.replace(room, people=tuple(as_later(person) for person in room.people))
    return msgspec.structs.replace(room, host=later.host if later.host in room.seats else TABLE)


def with_dead_seats(room: Room) -> Room:
    """Make all links of these people dead, because nobody knows which ones were replaced later."""
    people = tuple(msgspec.structs.replace(person, generation=person.generation + 1) for person in room.people)
    return msgspec.structs.replace(room, people=people, host=TABLE)
