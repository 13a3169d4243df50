"""Backups: everything, or everything but the keys, in one SQLite file; from either store, and back into either.

Sealed versions are copied as they are. With the keys comes what opens them, wrapped with the installation's secret,
which is not in the file.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.engine.store import Unreadable
from companion.storage.migration import copy_file
from companion.storage.schema import COLUMNS, PUBLIC_TABLES, SCHEMA, connect, insert, key_path, schema_of
from companion.storage.sql import SqlStore

COPIED = (*PUBLIC_TABLES, "versions")
KEYS = "CREATE TABLE keys (table_id TEXT PRIMARY KEY, floor INTEGER NOT NULL, key BLOB NOT NULL) WITHOUT ROWID"


NOT_EMPTY = "There are already tables there. Restore into an empty place."


class CannotRestore(Exception):
    """Why a file cannot be restored, as a sentence."""


def back_up(store: SqlStore, target: Path, *, with_keys: bool) -> int:
    """Copy everything as it is at one moment, while people play on. Return how many tables have no readable key.

    The copy is readable by its owner only.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f"{target.name}.new")
    draft.unlink(missing_ok=True)
    with contextlib.closing(connect(draft)) as copy, store.reading() as (db, boxes):
        copy.execute("BEGIN")
        copy.execute(KEYS)
        for table in COPIED:
            wanted = COLUMNS[table]
            if not with_keys:
                wanted = wanted.replace("sealed", "NULL").replace("private", "NULL")
            insert(copy, table, db.execute(f"SELECT {wanted} FROM {table}"))
        if with_keys:
            wrapped = (
                (table, box.burn_floor, store.secret.wrap(table, box.burn_floor, box.key))
                for table, box in boxes.items()
            )
            insert(copy, "keys", wrapped)
        copy.execute("COMMIT")
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, with no log beside it
        whole = copy.execute("SELECT count(DISTINCT table_id) FROM versions").fetchone()[0]
    draft.replace(target)
    return int(whole) - len(boxes)


def restore(source: Path, store: SqlStore) -> int:
    """Put a backup into an empty store. Return how many of its tables cannot be opened."""
    with open_backup(source) as copy:
        if schema_of(copy) < SCHEMA:
            raise CannotRestore(f"{source} is from an earlier companion. Restore it into an SQLite file first.")
        if next(iter(store.tables()), None) is not None:
            raise CannotRestore(NOT_EMPTY)
        rows = {table: copy.execute(f"SELECT {COLUMNS[table]} FROM {table}") for table in COPIED}
        keys = copy.execute(f"SELECT {COLUMNS['keys']} FROM keys").fetchall()
        try:
            for table, burn_floor, wrapped in keys:
                store.secret.unwrap(table, burn_floor, wrapped)
        except Unreadable as other:
            raise CannotRestore(
                "The file `key` in the data folder doesn't belong to this backup. Copy the right one there first."
            ) from other
        store.fill(rows, keys)
    unopened = 0
    for row in store.tables():
        try:
            store.newest(row.id)
        except Unreadable:
            unopened += 1
    return unopened


@contextlib.contextmanager
def open_backup(source: Path) -> Iterator[sqlite3.Connection]:
    try:
        with contextlib.closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as db:
            if (schema := schema_of(db)) > SCHEMA:
                raise CannotRestore("The backup was made by a newer companion. Restore it with that version.")
            db.execute(f"SELECT count(*) FROM {'keys' if schema == SCHEMA else 'tables'}").fetchone()
            yield db
    except sqlite3.DatabaseError as other:
        raise CannotRestore(f"{source} is not a backup of a companion.") from other


def put_old_backup_in_place(source: Path, path: Path) -> bool:
    """Put a backup of an earlier companion in place. It is a whole database file, and the next start migrates it."""
    with open_backup(source) as copy:
        if schema_of(copy) >= SCHEMA:
            return False
    beside = [path, key_path(path), *(path.with_name(f"{path.name}-{log}") for log in ("wal", "shm"))]
    if any(file.exists() for file in beside):
        raise CannotRestore(NOT_EMPTY)  # what was there before would mix with it
    path.parent.mkdir(parents=True, exist_ok=True)
    copy_file(source, path)
    return True
