"""What other processes have committed reaches the open screens of this one."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.engine.reader import TableReader
from companion.engine.store import TableHead
from companion.live.hub import Hub

log = logging.getLogger("companion")

ATTEMPT = "try"
"""The first word of a message that counts an attempt at something that is rate limited."""
POLL_S = 1.5
"""How often the newest versions are looked up, in case a notification was lost."""


class RemoteListener:
    """Receives notifications of other processes, and shows open screens what is new."""

    def __init__(
        self, reader: TableReader, hub: Hub, count_attempt: Callable[[str, str], None] = lambda what, alias: None
    ) -> None:
        self._reader = reader
        self._hub = hub
        self._count_attempt = count_attempt

    def receive(self, message: str) -> None:
        """A table, its version and its burn floor (version 0: look it up); or an attempt that is rate limited."""
        try:
            table, version, burn_floor = message.split()
            if table == ATTEMPT:
                self._count_attempt(version, burn_floor)
                return
            known = self._reader.cache.get(table)
            head: TableHead | None = TableHead(int(version), int(burn_floor), known.next if known else None)
            if version == "0":
                head = self._reader.store.heads([table]).get(table)
        except Exception:
            # Not our message, or the store is away just now: the next poll will find what it was about.
            log.warning("a notification was not understood")
            return
        self._note(table, head)

    def poll(self) -> None:
        """Compare every table that somebody looks at with the store: one cheap query for all of them."""
        tables = self._hub.tables()
        heads = self._reader.store.heads(tables) if tables else {}
        for table in tables:
            self._note(table, heads.get(table))

    def _note(self, table: str, head: TableHead | None) -> None:
        # A tap or a page of this process may have read it already; its open screens have not. A screen that has
        # followed its people to their next table is no longer at this one.
        behind = head is not None and (head.next is not None or self._hub.is_behind(table, head.version))
        if self._reader.cache.note_remote(table, head) or behind:
            self._hub.show_soon(table)

    def missed(self) -> None:
        """Drop all caches, because notifications may have been lost."""
        self._reader.cache.lost()
        self._hub.show_all_soon()
