"""The bell of processes that share a PostgreSQL: each of them listens on a connection of its own."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable

import gevent
import psycopg

from companion.engine.pool import dial
from companion.engine.postgres import BELL, PostgresStore
from companion.engine.store import StoreTrouble

log = logging.getLogger("companion")

AGAIN_AFTER = 0.25
"""Seconds until PostgreSQL is called again."""


def listen(store: PostgresStore, heard: Callable[[str], None], missed: Callable[[], None]) -> None:
    """For good. When the connection was cut, it is made anew, and whatever was rung meanwhile is looked up."""
    cut = False
    while True:
        with contextlib.suppress(StoreTrouble, psycopg.Error, OSError):
            line = dial(store.address)
            try:
                line.execute(f"LISTEN {BELL}")
                if cut:
                    log.info("the bell is heard again")
                    missed()
                cut = False
                while True:
                    gevent.get_hub().wait(line.readable())
                    line.pgconn.consume_input()
                    while (note := line.pgconn.notifies()) is not None:
                        if note.be_pid not in store.pool.own:  # what we have kept ourselves, our screens know
                            heard(note.extra.decode())
            finally:
                line.hang_up()
        if not cut:
            log.warning("the bell of the other processes is not heard: PostgreSQL has hung up")
        cut = True
        gevent.sleep(AGAIN_AFTER)
