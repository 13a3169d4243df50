"""Brings databases of earlier companions up to date: their versions lay there in the clear, and are sealed here."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from companion.engine.snapshot import decode, encode_lines
from companion.engine.store import StoreTrouble, Version
from companion.game import Line
from companion.storage.key_file import KeyFile, sync_folder
from companion.storage.schema import (
    COLUMNS,
    NEWEST_FLOORS,
    POSTGRES_SCHEMA,
    POSTGRES_VERSIONS,
    PUBLIC_TABLES,
    SCHEMA,
    TooNew,
    connect,
    insert,
    insert_into,
    key_path,
    schema_of,
)
from companion.storage.sealing import Box, Sealer, Secret, VersionRow, fresh_key

log = logging.getLogger("companion")

POSTGRES_NUMBER = 2
"""The number of PostgreSQL's present schema; it began later than SQLite's."""
MIGRATION_LOCK = 0x636F6D70
"""The advisory lock of the process that migrates PostgreSQL; the bytes spell "comp"."""
SQLITE_1_TO_2 = (
    "ALTER TABLE tables ADD COLUMN night TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE tables ADD COLUMN next TEXT",
    "UPDATE tables SET night = id",
    "CREATE TABLE results (table_id TEXT PRIMARY KEY, result BLOB NOT NULL) WITHOUT ROWID",
    "PRAGMA user_version = 2",
)
CLEAR_COLUMNS = "version, room, state, step, parent, floor, who, at, tap, lines"


def seal_clear(table: str, rows: Iterable[tuple[Any, ...]], box: Box) -> Iterator[VersionRow]:
    """The versions of one table as they lay in the clear, sealed; what was burnt is gone already."""
    sealer = Sealer(lambda table, burn_floor: None, lambda table, version: None)
    for version, room, state, step, parent, floor, who, at, tap, lines in rows:
        public, private = encode_lines(decode(bytes(lines), tuple[Line, ...]))
        clear = Version(
            table, version, room and bytes(room), state and bytes(state), step, parent, floor, who, at, tap, public,
            private if room else None,
        )  # fmt: skip
        if room is None:
            yield VersionRow(table, version, None, None, step, parent, floor, who, at, None, public, None)
        else:
            sealed = sealer.seal(clear, box)
            sealer.committed(sealed)
            yield sealed.row


# -------------------------------------------------------------------------------- SQLite


def old_file(path: Path) -> Path:
    """What a file was before it was migrated: kept until the first clean stop."""
    return path.with_name(f"{path.name}.old")


def open_up_to_date(path: Path, secret: Secret) -> sqlite3.Connection:
    """Open this file, created or migrated where it has to be."""
    db = connect(path)
    if schema_of(db) < SCHEMA:
        db.close()
        migrate_sqlite(path, secret)
        db = connect(path)
    return db


def migrate_sqlite(path: Path, secret: Secret) -> None:
    """Write a new file and put it in the old one's place. If this is killed, the next start begins again."""
    found = path.stat().st_ino
    with contextlib.closing(connect(path)) as db:
        lock_alone(db)
        if path.stat().st_ino != found:
            return  # another process has just done it
        if not old_file(path).exists():
            copy_file(path, old_file(path))
        if schema_of(db) == 1:
            for statement in SQLITE_1_TO_2:
                db.execute(statement)
        draft = path.with_name(f"{path.name}.new")
        for leftover in (draft, key_path(path)):
            leftover.unlink(missing_ok=True)
        with contextlib.closing(connect(draft)) as new:
            seal_file(db, new, KeyFile(key_path(path), secret))
            new.execute("PRAGMA journal_mode = DELETE")  # one file, with no log beside it
        if os.name == "nt":
            db.close()  # there, an open file cannot be replaced
        draft.replace(path)
    sync_folder(path.parent)
    log.warning("the data is encrypted from now on; %s is deleted when the companion is stopped", old_file(path).name)


def lock_alone(db: sqlite3.Connection) -> None:
    """Lock a file that nobody else has open: else another companion would go on writing to what is replaced."""
    try:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as trouble:
        raise StoreTrouble("another companion still uses it") from trouble


def copy_file(source: Path, target: Path) -> None:
    """A copy that is there as a whole or not at all, readable by its owner only."""
    draft = target.with_name(f"{target.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
        with source.open("rb") as old:
            shutil.copyfileobj(old, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(target)


def seal_file(old: sqlite3.Connection, new: sqlite3.Connection, keys: KeyFile) -> None:
    new.execute("BEGIN")
    for table in PUBLIC_TABLES:
        insert(new, table, old.execute(f"SELECT {COLUMNS[table]} FROM {table}"))
    boxes = keys.add(dict(old.execute(NEWEST_FLOORS)))
    for table, box in boxes.items():
        rows = old.execute(f"SELECT {CLEAR_COLUMNS} FROM versions WHERE table_id = ? ORDER BY version", (table,))
        insert(new, "versions", seal_clear(table, rows, box))
    new.execute("COMMIT")


# -------------------------------------------------------------------------------- PostgreSQL


def migrate_postgres(db: Any, secret: Secret) -> None:
    """Bring the database up to date. If several processes start together, one migrates and the others wait."""
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        db.execute("CREATE SCHEMA IF NOT EXISTS companion")
        db.execute("CREATE TABLE IF NOT EXISTS companion.steps (done integer NOT NULL)")
        done = db.execute("SELECT coalesce(max(done), 0) FROM companion.steps").fetchone()[0]
        if done > POSTGRES_NUMBER:
            raise TooNew
        if done == POSTGRES_NUMBER:
            return
        if done:
            seal_postgres(db, secret)
        else:
            db.execute(POSTGRES_SCHEMA)
        db.execute("DELETE FROM companion.steps")
        db.execute("INSERT INTO companion.steps VALUES (%s)", (POSTGRES_NUMBER,))


def seal_postgres(db: Any, secret: Secret) -> None:
    floors = db.execute(NEWEST_FLOORS).fetchall()
    db.execute("ALTER TABLE versions RENAME TO clear_versions; DROP INDEX taps")
    db.execute(POSTGRES_VERSIONS)
    for table, burn_floor in floors:
        box = Box(table, burn_floor, fresh_key())
        db.execute("INSERT INTO keys VALUES (%s, %s, %s)", (table, burn_floor, secret.wrap(table, burn_floor, box.key)))
        rows = db.execute(f"SELECT {CLEAR_COLUMNS} FROM clear_versions WHERE table_id = %s ORDER BY version", (table,))
        with db.cursor() as into:
            into.executemany(insert_into("versions").replace("?", "%s"), seal_clear(table, rows.fetchall(), box))
    db.execute("DROP TABLE clear_versions")
