"""The tables in PostgreSQL, one step of their life after the other. A step that was released is never changed."""

from __future__ import annotations

from typing import Any

from companion.engine.schema import TooNew

STEPS = (
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
ONE_AT_A_TIME = 0x636F6D70
"""The advisory lock of whoever brings the database up to date; the letters are "comp"."""


def bring_up_to_date(db: Any) -> None:
    """Ten processes may start at once: one makes the tables, the others wait for it and find them made."""
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s)", (ONE_AT_A_TIME,))
        db.execute("CREATE SCHEMA IF NOT EXISTS companion")
        db.execute("CREATE TABLE IF NOT EXISTS companion.steps (done integer NOT NULL)")
        done = db.execute("SELECT coalesce(max(done), 0) FROM companion.steps").fetchone()[0]
        if done > len(STEPS):
            raise TooNew
        if done < len(STEPS):
            for step in STEPS[done:]:
                db.execute(step)
            db.execute("DELETE FROM companion.steps")
            db.execute("INSERT INTO companion.steps VALUES (%s)", (len(STEPS),))
