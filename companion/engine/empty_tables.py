"""Closes the tables that nobody has joined."""

from __future__ import annotations

import time
from collections.abc import Callable, Container

import msgspec

from companion.engine.apply import change_room
from companion.engine.nights import DAY_S, Nights
from companion.engine.reader import NoSuchTable
from companion.engine.snapshot import Snapshot
from companion.engine.store import Unreadable
from companion.engine.tables import Tables
from companion.game import TABLE, NotAllowed, Say

CLOSED_AFTER_S = 3600.0


class EmptyTables:
    """Knows since when this process has seen each empty table; a jump of the machine's clock makes none older."""

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
        """From now on nobody can sit down."""
        if now.room.people:
            raise NotAllowed("Somebody has come.")
        room = msgspec.structs.replace(now.room, phase="ended")
        return change_room(now, room, Say("Nobody has come."), who=TABLE, at=self._tables.time())
