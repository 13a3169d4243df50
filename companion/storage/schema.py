"""The tables of both databases, and how an SQLite file is opened.

A schema that was released is never changed: `migration.py` brings older ones up to date.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from companion.engine.store import StoreTrouble

SCHEMA = 3
"""The number of the present schema. 1: tables; 2: nights; 3: sealed versions."""
PAGE_CACHE_KB = 1_000
SYNCHRONOUS_FULL = 2
"""SQLite's number for `synchronous = FULL`: a commit returns when it is on the disk."""
OPEN_TIMEOUT_S = 5.0
COLUMNS = {
    "tables": "id, code, game, opened, night, next",
    "alarms": "table_id, at",
    "memory": "key, value",
    "results": "table_id, result",
    "versions": "table_id, version, base, sealed, step, parent, floor, who, at, tap, lines, private",
    "keys": "table_id, floor, key",
}
"""Of each table; those of `versions` in the order of `VersionRow`'s fields. SQLite has `keys` in backups only."""
PUBLIC_TABLES = ("tables", "alarms", "memory", "results")
"""In which nothing is sealed."""
JOIN_NEWEST = "JOIN versions ON table_id = id AND version = (SELECT max(version) FROM versions WHERE table_id = id)"
NEWEST_FLOORS = f"SELECT id, floor FROM tables {JOIN_NEWEST}"
"""The burn floor of every table of which more than a result is left."""
SQLITE_SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, game TEXT NOT NULL, opened REAL NOT NULL,
    night TEXT NOT NULL, next TEXT
) WITHOUT ROWID;
CREATE INDEX nights ON tables (night);
CREATE TABLE versions (
    table_id TEXT NOT NULL, version INTEGER NOT NULL, base INTEGER, sealed BLOB,
    step INTEGER NOT NULL, parent INTEGER, floor INTEGER NOT NULL,
    who INTEGER, at REAL NOT NULL, tap BLOB, lines BLOB NOT NULL, private BLOB,
    PRIMARY KEY (table_id, version)
) WITHOUT ROWID;
CREATE UNIQUE INDEX taps ON versions (table_id, tap) WHERE tap IS NOT NULL;
CREATE TABLE alarms (table_id TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX due ON alarms (at);
CREATE TABLE memory (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE results (table_id TEXT PRIMARY KEY, result BLOB NOT NULL) WITHOUT ROWID;
"""
# A burn replaces a row of `keys`, so PostgreSQL vacuums that small table early, and old keys leave its pages.
POSTGRES_VERSIONS = """
CREATE TABLE versions (
    table_id text NOT NULL, version bigint NOT NULL, base bigint, sealed bytea,
    step bigint NOT NULL, parent bigint, floor bigint NOT NULL,
    who integer, at double precision NOT NULL, tap bytea, lines bytea NOT NULL, private bytea,
    PRIMARY KEY (table_id, version)
);
CREATE UNIQUE INDEX taps ON versions (table_id, tap) WHERE tap IS NOT NULL;
CREATE TABLE keys (table_id text PRIMARY KEY, floor bigint NOT NULL, key bytea NOT NULL)
    WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1);
"""
POSTGRES_SCHEMA = (
    """
CREATE TABLE tables (
    id text PRIMARY KEY, code text NOT NULL UNIQUE, game text NOT NULL, opened double precision NOT NULL,
    night text NOT NULL, next text, whole boolean NOT NULL DEFAULT true
);
CREATE INDEX nights ON tables (night);
CREATE TABLE alarms (table_id text PRIMARY KEY, at double precision NOT NULL);
CREATE INDEX due ON alarms (at);
CREATE TABLE memory (key text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE results (table_id text PRIMARY KEY, result bytea NOT NULL);
"""
    + POSTGRES_VERSIONS
)


class TooNew(Exception):
    """The database was written by a newer companion, which may keep what this one would lose."""


def insert_into(table: str) -> str:
    """A statement that inserts a row."""
    columns = COLUMNS[table]
    return f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(columns.split(', ')))})"


# -------------------------------------------------------------------------------- the SQLite file


def key_path(path: Path) -> Path:
    return path.with_suffix(".keys") if path.suffix == ".sqlite" else path.with_name(f"{path.name}.keys")


def connect(path: Path) -> sqlite3.Connection:
    """A connection whose commits wait for the disk. A new file gets its tables, and is readable by its owner only."""
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=OPEN_TIMEOUT_S)
    try:
        if (schema := schema_of(db)) > SCHEMA:
            raise TooNew
        if not schema:
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only a file that is still empty takes it
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        if db.execute("PRAGMA synchronous").fetchone() != (SYNCHRONOUS_FULL,):
            raise StoreTrouble("SQLite does not wait for the disk")
        # Only a night that is deleted or archived deletes anything: its lines leave the file, too.
        db.execute("PRAGMA secure_delete = ON")
        db.execute(f"PRAGMA cache_size = -{PAGE_CACHE_KB}")
        if not schema:
            create(db)
    except BaseException:
        db.close()
        raise
    return db


def schema_of(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def create(db: sqlite3.Connection) -> None:
    """Make the tables, unless another process has just done so."""
    db.execute("BEGIN IMMEDIATE")
    if not schema_of(db):
        for statement in filter(str.strip, SQLITE_SCHEMA.split(";\n")):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {SCHEMA}")
    db.execute("COMMIT")


def insert(db: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    db.executemany(insert_into(table), rows)
