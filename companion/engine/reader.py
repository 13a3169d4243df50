"""Finds tables by code, link or id, and reads their newest version through a cache of snapshots."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from companion.engine.links import WATCHER, BadLink, Link
from companion.engine.room import Room
from companion.engine.snapshot import (
    RECENT_LINES,
    HistoryEntry,
    Recent,
    Snapshot,
    decode,
    first_line,
    history_entries,
    lines_of,
)
from companion.engine.store import Store, TableHead
from companion.game import TABLE, Game, Seat

MAX_TABLES = 5_000
NEVER = 1 << 62
"""Later than any version: no snapshot of a destroyed table is cached any more."""

K = TypeVar("K")
V = TypeVar("V")


class BoundedDict(OrderedDict[K, V]):
    """A dict that drops the entry that was set longest ago when there are more than `max_entries`."""

    def __init__(self, max_entries: int) -> None:
        super().__init__()
        self._max_entries = max_entries

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._max_entries:
            self.popitem(last=False)

    def forget(self, key: K | None) -> None:
        """Drop this entry, or (None) all."""
        self.clear() if key is None else self.pop(key, None)


class TableCache:
    """A bounded cache of snapshots in which an older one never replaces a newer one.

    A snapshot that was read may be out of date when it arrives: the store switches greenlets while it reads, and other
    processes write. It is wrong only if another process wrote and `note_remote` was not called; with a shared store,
    `TableReader.catch_up` asks before every request.
    """

    def __init__(self, *on_burn: Callable[[str | None], object]) -> None:
        self._snapshots: BoundedDict[str, Snapshot] = BoundedDict(MAX_TABLES)
        self._remote: BoundedDict[str, int] = BoundedDict(MAX_TABLES)
        """Tables of which another process has written a version that we have not read yet."""
        self._on_burn = on_burn
        """Called when something is burnt: each forgets what it remembers of this table, or of all tables (None)."""

    def get(self, table: str) -> Snapshot | None:
        return self._snapshots.get(table)

    def __contains__(self, table: str) -> bool:
        return table in self._snapshots

    def put(self, snapshot: Snapshot) -> Snapshot:
        """Cache this snapshot, and return the newest one that we know of its table."""
        table = snapshot.id
        known = self._snapshots.get(table)
        if known is not None and known.version > snapshot.version:
            return known
        if snapshot.version < self._remote.get(table, 0):
            return snapshot  # read before another process wrote: use it once, and do not cache it
        self._remote.pop(table, None)
        self._snapshots[table] = snapshot
        return snapshot

    def note_remote(self, table: str, head: TableHead | None) -> bool:
        """Note the version that another process has written (None: destroyed). Return whether it is new to us."""
        known = self._snapshots.get(table)
        if known is not None and head is not None and is_up_to_date(known, head):
            return False
        # Without a cached snapshot we cannot know what was rendered before the burn.
        if known is None or head is None or head.version == 0 or known.burn_floor < head.burn_floor:
            self.burnt(table)
        self.evict(table)
        self._remote[table] = NEVER if head is None else max(head.version, self._remote.get(table, 0))
        return True

    def evict(self, table: str, older_than: int = NEVER) -> None:
        """Read this table again next time, unless a snapshot of at least that version is cached."""
        known = self._snapshots.get(table)
        if known is not None and known.version < older_than:
            del self._snapshots[table]

    def burnt(self, table: str) -> None:
        """Forget what was rendered of this table: something of it was burnt or destroyed."""
        for forget in self._on_burn:
            forget(table)

    def lost(self) -> None:
        """Forget everything: other processes may have burnt something without our knowing."""
        for forget in self._on_burn:
            forget(None)
        self.clear()

    def clear(self) -> None:
        self._snapshots.clear()


def is_up_to_date(known: Snapshot, head: TableHead) -> bool:
    return known.version > head.version > 0 or (known.version, known.next) == (head.version, head.next)


class NoSuchTable(Exception):
    """There is no such table, or not for this link."""


class PutAway(BadLink):
    """This night is archived. `companion tables restore` can bring it back for a while."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class TableReader:
    """Reads tables from the store through the cache."""

    def __init__(self, store: Store, games: Mapping[str, Game], cache: TableCache) -> None:
        self.store = store
        self.games = games
        self.cache = cache
        self._put_away: Mapping[str, int] = {}

    def put_away(self, versions: Mapping[str, int]) -> list[str]:
        """Close these tables while they stay at these versions. Return those that were open until now."""
        before, self._put_away = self._put_away, versions
        return [table for table in versions if table not in before]

    def stays_put_away(self, before: Snapshot, now: Snapshot) -> None:
        """Note a version that nobody at the table has made: an archived table stays archived."""
        if self._put_away.get(before.id) == before.version:
            self._put_away = {**self._put_away, now.id: now.version}

    def _refuse_put_away(self, now: Snapshot) -> None:
        if self._put_away.get(now.id) == now.version:
            raise PutAway(now.code)

    def by_code(self, code: str) -> Snapshot:
        """The table that the people with this code sit at now."""
        row = self.store.table_by_code(code.strip().upper())
        if row is None:
            raise NoSuchTable
        self.catch_up(row.id)
        now = self.snapshot(self.follow(row.id))
        self._refuse_put_away(now)
        return now

    def snapshot(self, table: str) -> Snapshot:
        """The newest version of a table."""
        if (cached := self.cache.get(table)) is not None:
            return cached
        row, newest = self.store.table(table), self.store.newest(table)
        if row is None or newest is None or newest.room is None or row.game not in self.games:
            raise NoSuchTable
        game = self.games[row.game]
        try:
            step = newest if newest.step == newest.version else self.store.at(table, newest.step)
        except LookupError as gone:
            raise NoSuchTable from gone
        return self.cache.put(
            Snapshot(
                id=row.id, code=row.code.partition(".")[0], game=game, version=newest.version,
                room=decode(newest.room, Room),
                state=None if newest.state is None else decode(newest.state, game.state),
                step=newest.step, parent=newest.parent, burn_floor=newest.burn_floor,
                who=None if newest.who is None else Seat(newest.who), lines=lines_of(newest),
                step_by=None if step.who is None else Seat(step.who), step_line=first_line(step),
                recent=self._recent(table, newest.version), at=newest.at, opened=row.opened,
                night=row.night, next=row.next,
            )
        )  # fmt: skip

    def _recent(self, table: str, version: int) -> Recent:
        """Read back from this version until there is a screenful of lines that are for everybody."""
        found: list[HistoryEntry] = []
        public = 0
        for entry in self.entries(table, version + 1, 4 * RECENT_LINES):
            found.append(entry)
            public += entry.line.to is None
            if public == RECENT_LINES:
                break
        return Recent().add(reversed(found))

    def catch_up(self, *tables: str) -> None:
        """Notice what other processes have written to these tables, and to those that their people went on to."""
        asked: set[str] = set()
        while self.store.shared and tables:
            heads = self.store.heads(tables)
            for table in tables:
                if table in self.cache:
                    self.cache.note_remote(table, heads.get(table))
            asked.update(tables)
            tables = tuple(head.next for head in heads.values() if head.next and head.next not in asked)

    def authorize(self, link: Link) -> Snapshot:
        """The table that a link opens, if it still does: the newest one of its night."""
        now = self.cache.get(link.table)
        if now is None or now.next is not None:
            try:
                now = self.snapshot(self.follow(link.table))
            except NoSuchTable as gone:
                raise BadLink from gone
        if not opens(link, now):
            raise BadLink
        self._refuse_put_away(now)
        return now

    def open_link(self, link: Link, kind: str) -> tuple[Link, Snapshot]:
        """The link as it is now, and the table it opens; a link only fits paths of its own kind."""
        if kind != link.kind:
            raise BadLink
        self.catch_up(link.table)
        now = self.authorize(link)
        return link if now.id == link.table else link.at(now.id), now

    def history(self, table: str, seat: Seat, before: int | None = None, limit: int = 100) -> list[HistoryEntry]:
        """History lines for this seat, newest first. The last version is never cut in the middle."""
        found: list[HistoryEntry] = []
        for entry in self.entries(table, before, limit):
            if len(found) >= limit and entry.version != found[-1].version:
                break
            if entry.line.for_seat(seat):
                found.append(entry)
        return found

    def entries(self, table: str, before: int | None, versions_per_read: int) -> Iterator[HistoryEntry]:
        """The lines of a table's history before a version, newest first."""
        while stored := self.store.history(table, before, versions_per_read):
            yield from history_entries(stored)
            before = stored[-1].version

    def follow(self, table: str) -> str:
        """The table where the people of this one are now."""
        while (known := self.cache.get(table)) is not None:
            if known.next is None:
                return table
            table = known.next
        row = self.store.table(table)
        if row is not None and row.next is not None:
            # Ask for the whole chain in one query: a night may have many tables.
            onward = {row.id: row.next for row in self.store.tables(row.night)}
            while (after := onward.get(table)) is not None:
                table = after
        return table

    def night_of(self, table: str) -> str | None:
        row = self.cache.get(table) or self.store.table(table)
        return None if row is None else row.night


def opens(link: Link, now: Snapshot) -> bool:
    """Whether this link still opens its seat at this table."""
    if link.seat in (TABLE, WATCHER):
        return link.generation >= now.room.screen_generation  # a newer one is of a later table that was deleted
    for person in now.room.people:
        if person.seat == link.seat:
            return person.generation == link.generation and not person.gone
    return False
