"""Nights: the results of the tables that the same people played; archived in time, and deleted when they ask for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from companion.engine.bounded import BoundedDict
from companion.engine.reader import NoSuchTable, TableReader
from companion.engine.results import Played, played
from companion.engine.snapshot import HistoryEntry, decode, encode, history_entries
from companion.engine.store import TableRow

MAX_CACHED_RESULTS = 2_000
DAY_S = 24 * 3600.0


class ResultCache(BoundedDict[str, tuple[int, Played]]):
    """Results by table, each with the version it was computed from."""

    def __init__(self) -> None:
        super().__init__(MAX_CACHED_RESULTS)

    def forget(self, table: str | None) -> None:
        """The result of one table, or (None) of all."""
        if table is None:
            self.clear()
        else:
            self.pop(table, None)


class Nights:
    """All nights of this installation."""

    def __init__(self, reader: TableReader, results: ResultCache, tell: Callable[[str], None]) -> None:
        self._reader = reader
        self._store = reader.store
        self._results = results
        self._tell = tell
        """Lets the open screens of a table look again."""

    def of(self, night: str) -> list[Played]:
        """What these people have played, oldest first: tables that were never started are left out."""
        rows = list(self._store.tables(night))
        self._reader.catch_up(*(row.id for row in rows))
        found = (self.result(row) for row in rows)
        return [one for one in found if one is not None]

    def all(self) -> list[Played]:
        """Everything that was ever played here and not deleted: who has won, without what was remarkable."""
        rows = list(self._store.tables())
        self._reader.catch_up(*(row.id for row in rows))
        found = (self.result(row, briefly=True) for row in rows)
        return [one for one in found if one is not None]

    def outline(self, night: str) -> list[TableRow]:
        """The tables of a night that were started, oldest first; cheaper than their results."""
        return [row for row in self._store.tables(night) if row.game and self._was_started(row)]

    def _was_started(self, row: TableRow) -> bool:
        newest = self._store.newest(row.id)
        return newest.state is not None if newest else self.result(row) is not None

    def result(self, row: TableRow, *, briefly: bool = False) -> Played | None:
        if (stored := self._store.result(row.id)) is not None:
            return self._archived(stored)
        try:
            now = self._reader.snapshot(row.id)
        except (NoSuchTable, msgspec.MsgspecError):
            # The game is gone, or has changed since; or the table was archived between our two questions.
            return self._archived(self._store.result(row.id))
        if now.state is None:
            return None
        if briefly:
            return played(now, row.opened, ())
        version, result = self._results.get(now.id, (0, None))
        if result is None or version != now.version:
            result = played(now, row.opened, self._store.versions(row.id))
            self._results[now.id] = (now.version, result)
        return result

    def _archived(self, stored: bytes | None) -> Played | None:
        one = None if stored is None else decode(stored, Played)
        return one if one is not None and one.players else None

    def is_kept_whole(self, table: str) -> bool:
        """Whether more than the result is left of it."""
        return self._store.newest(table) is not None

    def timeline(self, table: str) -> list[HistoryEntry]:
        """Every history line of a table that was for everybody, oldest first."""
        lines = [entry for entry in history_entries(self._store.history(table, limit=1 << 30)) if entry.line.to is None]
        return lines[::-1]

    # ---------------------------------------------------------------- afterwards

    def delete(self, tables: Iterable[str]) -> None:
        """Destroy tables for good. Open screens of them close; links in the middle of a night lead on."""
        tables = tuple(tables)
        self._store.delete(tables)
        self._forget(tables)

    def delete_night(self, night: str) -> None:
        self.delete([row.id for row in self._store.tables(night)])

    def archive(self, now: float, days: float) -> int:
        """Nights that nobody has touched for so long are kept as their results only; how many tables that were."""
        nights: dict[str, list[TableRow]] = {}
        for row in self._store.tables():
            nights.setdefault(row.night, []).append(row)
        archived: dict[str, bytes] = {}
        for rows in nights.values():
            newest = [version for row in rows if (version := self._store.newest(row.id)) is not None]
            if not newest or max(version.at for version in newest) > now - days * DAY_S:
                continue
            for row in rows:
                if self._store.newest(row.id) is not None and self._knows(row):
                    archived[row.id] = encode(self.result(row) or self._nothing(row))
        if archived:
            self._store.archive(archived)
            self._forget(archived)
        return len(archived)

    def _forget(self, tables: Iterable[str]) -> None:
        """These tables are gone: nothing of them stays in memory or on an open screen."""
        self._reader.cache.clear()
        for table in tables:
            self._reader.cache.burnt(table)
            self._tell(table)

    def _knows(self, row: TableRow) -> bool:
        """A game that is not installed just now may come back: its tables wait."""
        return row.game in self._reader.games

    def _nothing(self, row: TableRow) -> Played:
        return Played(row.id, row.night, row.code, row.game, row.opened, row.opened, (), over=False)

    # ---------------------------------------------------------------- statistics

    @property
    def counts(self) -> bool:
        """Whether statistics over all nights are shown: the host can switch them off."""
        return self._store.recall("statistics") != b"off"

    def switch_statistics(self, on: bool) -> None:
        self._store.remember("statistics", b"on" if on else b"off")
