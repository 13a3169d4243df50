"""Listens to PostgreSQL's notifications on a connection of its own."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable

import gevent
import psycopg

from companion.engine.store import StoreTrouble
from companion.storage.pool import connect
from companion.storage.postgres import CHANNEL, PostgresStore

log = logging.getLogger("companion")

RECONNECT_S = 0.25


def listen(store: PostgresStore, receive: Callable[[str], None], missed: Callable[[], None]) -> None:
    """For good. When the connection breaks it is made again, and `missed` is called once it is back."""
    broken = False
    while True:
        with contextlib.suppress(StoreTrouble, psycopg.Error, OSError):
            connection = connect(store.address)
            try:
                connection.execute(f"LISTEN {CHANNEL}")
                if broken:
                    log.info("notifications of other processes arrive again")
                    missed()
                broken = False
                while True:
                    gevent.get_hub().wait(connection.readable())
                    connection.pgconn.consume_input()
                    while (note := connection.pgconn.notifies()) is not None:
                        if note.be_pid not in store.pool.backend_pids:
                            receive(note.extra.decode())
            finally:
                connection.close_all()
        if not broken:
            log.warning("notifications of other processes do not arrive: PostgreSQL has closed the connection")
        broken = True
        gevent.sleep(RECONNECT_S)
