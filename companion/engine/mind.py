"""The tables that this process bears in mind, and what it has heard of them from others."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from companion.engine.present import Present
from companion.engine.store import Mark

TABLES_IN_MIND = 5_000
FOR_GOOD = 1 << 62
"""Later than any version: nothing that is still on its way to us is borne in mind."""


class Mind:
    """Whatever was read may be old when it arrives: an older table never takes the place of a newer one."""

    def __init__(self) -> None:
        self._tables: OrderedDict[str, Present] = OrderedDict()
        self._heard: OrderedDict[str, int] = OrderedDict()
        self.purge: Callable[[str], None] = lambda table: None
        """Told when something was burnt or destroyed, here or elsewhere: nothing drawn before it stays in mind."""

    def get(self, table: str) -> Present | None:
        return self._tables.get(table)

    def __contains__(self, table: str) -> bool:
        return table in self._tables

    def tables(self) -> list[str]:
        return list(self._tables)

    def version(self, table: str) -> int:
        """The version that we would draw; 0 if we would have to look."""
        known = self._tables.get(table)
        return 0 if known is None else known.version

    def bear(self, present: Present) -> Present:
        """The newest that we know of this table, which may have come by another way meanwhile."""
        known = self._tables.get(present.id)
        if known is not None and known.version > present.version:
            return known
        if present.version < self._heard.get(present.id, 0):
            return present  # read before somebody else went on: good for whoever asked then, and for nobody after
        self._heard.pop(present.id, None)
        self._tables[present.id] = present
        self._tables.move_to_end(present.id)
        if len(self._tables) > TABLES_IN_MIND:
            self._tables.popitem(last=False)
        return present

    def hear(self, table: str, mark: Mark | None) -> bool:
        """Others have come so far with this table, or (None) have destroyed it. Whether that is news to us."""
        known = self._tables.get(table)
        if known is not None and mark is not None:
            if known.version > mark.version > 0 or (known.version, known.next) == (mark.version, mark.next):
                return False
            if known.floor < mark.floor:
                self.purge(table)
        if mark is None or mark.version == 0:
            self.purge(table)
        self.forget(table)
        self._heard[table] = FOR_GOOD if mark is None else max(mark.version, self._heard.get(table, 0))
        self._heard.move_to_end(table)
        if len(self._heard) > TABLES_IN_MIND:
            self._heard.popitem(last=False)
        return True

    def forget(self, table: str, before: int = FOR_GOOD) -> None:
        """Somebody else may have changed it: read it anew next time, unless we know that version already."""
        if self.version(table) < before:
            self._tables.pop(table, None)

    def forget_all(self) -> None:
        self._tables.clear()
