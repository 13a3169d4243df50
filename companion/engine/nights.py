"""Nights: the results of the tables that the same people played; archived in time, and deleted when they ask for it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from typing import TypeVar

import msgspec

from companion.engine.apply import change_room
from companion.engine.heirs import Heirs
from companion.engine.links import Link
from companion.engine.reader import BoundedDict, NoSuchTable
from companion.engine.results import Played, StoredStates, played
from companion.engine.room import Scope
from companion.engine.snapshot import HistoryEntry, Snapshot, decode, encode
from companion.engine.standings import Names
from companion.engine.store import Store, TableRow, Unreadable
from companion.engine.tables import Tables
from companion.game import TABLE, NotAllowed, Say

T = TypeVar("T")
DAY_S = 24 * 3600.0
MAX_DAYS = 4_000
RUNNING_DAYS = "running_days"
MAX_CACHED_RESULTS = 2_000
CLOSED_AFTER_S = 3600.0
"""How long a table may be empty."""
PAUSE_EVERY = 100
"""How many versions or history lines are read between two pauses."""
DAYS_TO_BRING_BACK = 7
"""How many running days an archived night stays complete; after that, only its results are left."""


class Nights:
    """All nights of this installation."""

    def __init__(
        self,
        tables: Tables,
        results: BoundedDict[str, tuple[int, Played]],
        statistics: bool | None = None,
        breathe: Callable[[], None] = lambda: None,
    ) -> None:
        self._reader = tables.reader
        self._store = tables.store
        self._results = results
        """By table, each with the version it was computed from."""
        self._tell = tables.tell
        self._heirs = Heirs(tables)
        self.names = Names(tables.store)
        """What the host calls players over all nights."""
        self._statistics = statistics
        self._breathe = breathe
        """Called during long work, so that other requests are served in between."""

    def of(self, night: str) -> list[Played]:
        """What these people have played, oldest first: tables that were never started are left out."""
        rows = list(self._store.tables(night))
        self._reader.catch_up(*(row.id for row in rows))
        found = (self.result(row) for row in rows)
        return [one for one in found if one is not None]

    def all(self, scope: Scope) -> list[Played]:
        """Everything that was played on these nights and not deleted: who has won, without what was remarkable."""
        nights = (None,) if scope is None else scope
        rows = [row for night in nights for row in self._store.tables(night)]
        self._reader.catch_up(*(row.id for row in rows))
        found = (self.result(row, briefly=True) for row in self._paced(rows))
        return [one for one in found if one is not None]

    def opens_archived(self, night: str, link: Link) -> bool:
        """Whether nothing but results can be read of this night, and its shared screen's link is the newest one."""
        with contextlib.suppress(NoSuchTable, Unreadable):
            self._reader.snapshot(self._reader.follow(link.table))
            return False
        row = self._store.table(link.table)
        kept = [one for one in self.of(night) if row is not None and one.code == row.code.partition(".")[0]]
        return bool(kept) and link.generation >= max(one.screen_generation for one in kept)

    def stamp(self, night: str) -> Hashable:
        """A key that changes whenever something about this night changes."""
        rows = list(self._store.tables(night))
        heads = self._store.heads([row.id for row in rows]) if rows else {}
        return tuple((row.id, heads.get(row.id)) for row in rows)

    def outline(self, night: str) -> list[Played]:
        """The tables of a night that were started, oldest first, as their results were stored: nothing is computed."""
        rows = [row for row in self._store.tables(night) if row.game and self._was_started(row)]
        return [one for one in map(self._stored, rows) if one is not None]

    def _was_started(self, row: TableRow) -> bool:
        try:
            newest = self._store.newest(row.id)
        except Unreadable:
            newest = None
        return newest.state is not None if newest else self.result(row) is not None

    def result(self, row: TableRow, *, briefly: bool = False) -> Played | None:
        try:
            now = self._reader.snapshot(row.id)
        except (NoSuchTable, Unreadable, msgspec.MsgspecError):
            # It is archived, or its key is lost; or the game is gone, or has changed since.
            return self._stored(row)
        if now.state is None:
            return None
        if briefly:
            return played(now)
        version, result = self._results.get(now.id, (0, None))
        if result is None or version != now.version:
            try:
                result = played(now, StoredStates(now, self._store))
            except Unreadable:
                return self._stored(row)
            self._results[now.id] = (now.version, result)
        return result

    def _stored(self, row: TableRow) -> Played | None:
        stored = self._store.result(row.id)
        # It may be stored as running, but nobody plays there any more.
        one = None if stored is None else msgspec.structs.replace(decode(stored, Played), going_on=False)
        return one if one is not None and one.players else None

    def is_kept_whole(self, table: str) -> bool:
        """Whether more than the result is left of it."""
        return bool(self._store.heads([table])[table].version)

    def timeline(self, table: str) -> Iterator[HistoryEntry]:
        """What happened in the game, for everybody, oldest first; not who moved to which phone."""
        entries = self._paced(self._reader.entries(table, None, PAUSE_EVERY))
        return self._paced(reversed([one for one in entries if one.line.to is None and not one.line.aside]))

    def _paced(self, things: Iterable[T]) -> Iterator[T]:
        for n, thing in enumerate(things):
            if n % PAUSE_EVERY == 0:
                self._breathe()
            yield thing

    # ---------------------------------------------------------------- afterwards

    def delete(self, tables: Iterable[str]) -> None:
        """Destroy tables for good. Open screens of them close; links in the middle of a night lead on."""
        tables = tuple(tables)
        self._heirs.prepare(tables)
        self.names.forget_all_but(lambda: [one for one in self.all(None) if one.table not in tables])
        self._store.delete(tables)
        self._forget(tables)

    def delete_night(self, night: str) -> None:
        self.delete([row.id for row in self._store.tables(night)])

    def archive(self, now: float, days: float) -> None:
        """Archive the nights that nobody has touched on this many running days.

        Nothing is destroyed by that. A week of such days later, they are kept as their results only.
        """
        running = RunningDays(self._store)
        running.note(now)
        nights: dict[str, list[TableRow]] = {}
        touched = self._store.touched()
        for row in self._store.tables():
            if row.id in touched:
                nights.setdefault(row.night, []).append(row)
        put_away: dict[str, int] = {}
        old: list[TableRow] = []
        for rows in nights.values():
            idle = min(running.since(touched[row.id].at) for row in rows)
            if idle >= days + DAYS_TO_BRING_BACK:
                old += rows
            if idle >= days:
                put_away |= {row.id: touched[row.id].version for row in rows}
        for table in self._reader.put_away(put_away):
            self._tell(table)
        results = {row.id: encode(self.result(row) or self._nothing(row)) for row in old if self._can_be_read(row)}
        still = self._store.touched()
        results = {table: result for table, result in results.items() if still.get(table) == touched[table]}
        if results:
            self._store.archive(results)
            self._forget(results)

    def _can_be_read(self, row: TableRow) -> bool:
        """Tables to leave alone: their game or their key file is missing now, but may come back."""
        try:
            return row.game in self._reader.games and self._store.newest(row.id) is not None
        except Unreadable:
            return False

    def keep_missing_results(self) -> None:
        """Tables of an earlier companion have no result in the clear yet."""
        for row in self._paced(list(self._store.tables())):
            if row.game and self._store.result(row.id) is None and (one := self.result(row, briefly=True)) is not None:
                self._store.keep_result(row.id, encode(one))

    def _forget(self, tables: Iterable[str]) -> None:
        """These tables are gone: nothing of them stays in memory or on an open screen."""
        self._reader.cache.clear()
        for table in tables:
            self._reader.cache.burnt(table)
            self._tell(table)

    def _nothing(self, row: TableRow) -> Played:
        return Played(row.id, row.night, row.code, row.game, row.opened, row.opened, (), over=False)

    # ---------------------------------------------------------------- statistics

    @property
    def counts(self) -> bool:
        """Whether statistics over all nights are shown."""
        return self._store.recall("statistics") != b"off" if self.can_switch else bool(self._statistics)

    @property
    def can_switch(self) -> bool:
        """Whether the host can switch them, on the machine itself: not if it was started with them on or off."""
        return self._statistics is None

    def switch_statistics(self, on: bool) -> None:
        self._store.remember("statistics", b"on" if on else b"off")


class EmptyTables:
    """Remembers since when each table is empty, by a clock that does not jump."""

    def __init__(
        self,
        tables: Tables,
        nights: Nights,
        looked_at: Callable[[], Container[str]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tables = tables
        self._nights = nights
        self._looked_at = looked_at
        """The tables with an open screen: a host who waits for guests keeps the table."""
        self._clock = clock
        self._since: dict[str, float] = {}

    def close(self) -> None:
        """Delete the tables that have been empty for an hour, with no screen open."""
        empty = self._tables.store.empty_since(self._tables.time() - DAY_S)
        now, looked_at = self._clock(), self._looked_at()
        self._since = {table: now if table in looked_at else self._since.get(table, now) for table in empty}
        for table in [table for table, since in self._since.items() if now - since >= CLOSED_AFTER_S]:
            try:
                self._tables.commit(table, None, self._end)
            except (NotAllowed, NoSuchTable, Unreadable):
                continue  # somebody has sat down just now, or another process was quicker
            self._nights.delete([table])

    def _end(self, now: Snapshot) -> Snapshot:
        """End an empty table, so that nobody can sit down."""
        if now.room.people:
            raise NotAllowed("Somebody has sat down.")
        room = msgspec.structs.replace(now.room, phase="ended")
        return change_room(now, room, Say("Nobody comes, so the table ends."), who=TABLE, at=self._tables.time())


class RunningDays:
    """The dates on which this companion ran, in the order in which they came.

    However far the clock jumps between two starts, that is one more date. A date that comes again is the newest one.
    """

    def __init__(self, store: Store) -> None:
        stored = store.recall(RUNNING_DAYS)
        self._dates = decode(stored, list[int]) if stored else []
        self._store = store

    def note(self, now: float) -> None:
        """Note that the companion runs today."""
        today = date_of(now)
        if self._dates[-1:] != [today]:
            self._dates = [*(date for date in self._dates if date != today), today][-MAX_DAYS:]
            self._store.remember(RUNNING_DAYS, encode(self._dates))

    def since(self, moment: float) -> int:
        """Count the days on which the companion ran after the day of this moment."""
        day = date_of(moment)
        if day in self._dates:
            return len(self._dates) - 1 - self._dates.index(day)
        return sum(date > day for date in self._dates)  # played before days were counted


def date_of(moment: float) -> int:
    return int(moment // DAY_S)
