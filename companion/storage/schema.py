"""The database schemas as lists of migrations. A migration that was released is never changed."""

from __future__ import annotations

import sqlite3
from typing import Any

SQLITE_MIGRATIONS = (
    """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, game TEXT NOT NULL, opened REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE versions (
    n INTEGER PRIMARY KEY, table_id TEXT NOT NULL, version INTEGER NOT NULL,
    room BLOB, state BLOB, step INTEGER NOT NULL, parent INTEGER, floor INTEGER NOT NULL,
    who INTEGER, at REAL NOT NULL, tap TEXT, lines BLOB NOT NULL,
    UNIQUE (table_id, version)
);
CREATE UNIQUE INDEX taps ON versions (table_id, tap) WHERE tap IS NOT NULL;
CREATE TABLE alarms (table_id TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX due ON alarms (at);
CREATE TABLE memory (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
""",
    # Tables of the same people make a night: every table knows its night, and the table that followed it.
    """
ALTER TABLE tables ADD COLUMN night TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN next TEXT;
UPDATE tables SET night = id;
CREATE INDEX nights ON tables (night);
CREATE TABLE results (table_id TEXT PRIMARY KEY, result BLOB NOT NULL) WITHOUT ROWID;
""",
)
POSTGRES_MIGRATIONS = (
    """
CREATE TABLE tables (
    id text PRIMARY KEY, code text NOT NULL UNIQUE, game text NOT NULL, opened double precision NOT NULL,
    night text NOT NULL, next text, whole boolean NOT NULL DEFAULT true
);
CREATE INDEX nights ON tables (night);
CREATE TABLE versions (
    table_id text NOT NULL, version bigint NOT NULL,
    room bytea, state bytea, step bigint NOT NULL, parent bigint, floor bigint NOT NULL,
    who integer, at double precision NOT NULL, tap text, lines bytea NOT NULL,
    PRIMARY KEY (table_id, version)
);
CREATE UNIQUE INDEX taps ON versions (table_id, tap) WHERE tap IS NOT NULL;
CREATE TABLE alarms (table_id text PRIMARY KEY, at double precision NOT NULL);
CREATE INDEX due ON alarms (at);
CREATE TABLE memory (key text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE results (table_id text PRIMARY KEY, result bytea NOT NULL);
""",
)
MIGRATION_LOCK = 0x636F6D70
"""The advisory lock of the process that migrates PostgreSQL; the bytes spell "comp"."""


class TooNew(Exception):
    """The database was written by a newer companion, which may keep what this one would lose."""


def pending_sqlite_migrations(db: sqlite3.Connection) -> tuple[str, ...]:
    """The statements that bring this file up to date."""
    done = db.execute("PRAGMA user_version").fetchone()[0]
    if done > len(SQLITE_MIGRATIONS):
        raise TooNew
    pending = SQLITE_MIGRATIONS[done:]
    statements = [statement for step in pending for statement in step.split(";\n") if statement.strip()]
    return (*statements, f"PRAGMA user_version = {len(SQLITE_MIGRATIONS)}") if statements else ()


def migrate_postgres(db: Any) -> None:
    """Bring the database up to date. Of ten processes that start at once, one migrates and the others wait for it."""
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        db.execute("CREATE SCHEMA IF NOT EXISTS companion")
        db.execute("CREATE TABLE IF NOT EXISTS companion.steps (done integer NOT NULL)")
        done = db.execute("SELECT coalesce(max(done), 0) FROM companion.steps").fetchone()[0]
        if done > len(POSTGRES_MIGRATIONS):
            raise TooNew
        if done < len(POSTGRES_MIGRATIONS):
            for migration in POSTGRES_MIGRATIONS[done:]:
                db.execute(migration)
            db.execute("DELETE FROM companion.steps")
            db.execute("INSERT INTO companion.steps VALUES (%s)", (len(POSTGRES_MIGRATIONS),))
