"""The database schemas. One that was released is never changed: `migration.py` brings older ones up to date."""

from __future__ import annotations

SCHEMA = 3
"""The number of the present schema. 1: tables; 2: nights; 3: sealed versions."""
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
