"""Nights: the results of tables played by the same people, kept, archived, and destroyed when they ask for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

import msgspec

from companion.engine.finding import NoSuchTable
from companion.engine.game import keep, revive
from companion.engine.present import Told, told
from companion.engine.results import Played, played
from companion.engine.store import TableRow
from companion.engine.table import Tables

RESULTS_IN_MIND = 2_000
DAY = 24 * 3600.0


class Nights:
    """All nights of this installation."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._mind: OrderedDict[tuple[str, int], Played] = OrderedDict()

    def of(self, night: str) -> list[Played]:
        """What these people have played, oldest first: tables that were never started are left out."""
        rows = list(self._store.tables(night))
        self._tables.catch_up(*(row.id for row in rows))
        found = (self.result(row) for row in rows)
        return [one for one in found if one is not None]

    def all(self) -> list[Played]:
        """Everything that was ever played here and not deleted: who has won, without what was remarkable."""
        rows = list(self._store.tables())
        self._tables.catch_up(*(row.id for row in rows))
        found = (self.result(row, briefly=True) for row in rows)
        return [one for one in found if one is not None]

    def outline(self, night: str) -> list[TableRow]:
        """The tables of a night that were started, oldest first; cheaper than their results."""
        return [row for row in self._store.tables(night) if row.game and self._was_started(row)]

    def _was_started(self, row: TableRow) -> bool:
        newest = self._store.newest(row.id)
        return newest.state is not None if newest else self.result(row) is not None

    def result(self, row: TableRow, *, briefly: bool = False) -> Played | None:
        if (kept := self._store.result(row.id)) is not None:
            return self._archived(kept)
        try:
            now = self._tables.present(row.id)
        except (NoSuchTable, msgspec.MsgspecError):
            # The game is gone, or has changed since; or the table was archived between our two questions.
            return self._archived(self._store.result(row.id))
        if now.state is None:
            return None
        if briefly:
            return played(now, row.opened, ())
        key = (now.id, now.version)
        if (known := self._mind.get(key)) is None:
            known = self._mind[key] = played(now, row.opened, self._store.versions(row.id))
            if len(self._mind) > RESULTS_IN_MIND:
                self._mind.popitem(last=False)
        return known

    def _archived(self, kept: bytes | None) -> Played | None:
        one = None if kept is None else revive(kept, Played)
        return one if one is not None and one.players else None

    def is_kept_whole(self, table: str) -> bool:
        """Whether more than the result is left of it."""
        return self._store.newest(table) is not None

    def timeline(self, table: str) -> list[Told]:
        """Every sentence of a table that was for everybody, oldest first."""
        lines = [one for one in told(self._store.history(table, limit=1 << 30)) if one.line.to is None]
        return lines[::-1]

    # ---------------------------------------------------------------- afterwards

    def forget_all(self) -> None:
        """Something was destroyed: no result of it stays in mind."""
        self._mind.clear()

    def delete(self, tables: Iterable[str]) -> None:
        """Destroy tables for good. Open screens of them close; links in the middle of a night lead on."""
        tables = tuple(tables)
        self._store.delete(tables)
        self.forget_all()
        self._tables.forget_all()
        for table in tables:
            self._tables.ring(table)

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
            if not newest or max(version.at for version in newest) > now - days * DAY:
                continue
            for row in rows:
                if self._store.newest(row.id) is not None and self._knows(row):
                    archived[row.id] = keep(self.result(row) or self._nothing(row))
        if archived:
            self._store.archive(archived)
            self.forget_all()
            self._tables.forget_all()
            for table in archived:
                self._tables.ring(table)
        return len(archived)

    def _knows(self, row: TableRow) -> bool:
        """A game that is not installed just now may come back: its tables wait."""
        return row.game in self._tables.games

    def _nothing(self, row: TableRow) -> Played:
        return Played(row.id, row.night, row.code, row.game, row.opened, row.opened, (), over=False)

    # ---------------------------------------------------------------- statistics

    @property
    def counts(self) -> bool:
        """Whether statistics over all nights are shown: the host can switch them off."""
        return self._store.recall("statistics") != b"off"

    def switch_statistics(self, on: bool) -> None:
        self._store.remember("statistics", b"on" if on else b"off")
