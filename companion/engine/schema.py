"""The tables of the SQLite file, one step of its life after the other. A step that was released is never changed."""

from __future__ import annotations

import sqlite3

STEPS = (
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


class TooNew(Exception):
    """The file was written by a newer companion, which may keep what this one would lose."""


def steps_to_go(db: sqlite3.Connection) -> tuple[str, ...]:
    """The statements that bring this file up to date."""
    done = db.execute("PRAGMA user_version").fetchone()[0]
    if done > len(STEPS):
        raise TooNew
    statements = [statement for step in STEPS[done:] for statement in step.split(";\n") if statement.strip()]
    return (*statements, f"PRAGMA user_version = {len(STEPS)}") if statements else ()
