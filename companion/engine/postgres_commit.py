"""The one statement by which PostgreSQL keeps a version, put together from what it has to do."""

from __future__ import annotations

from companion.engine.game import KEEP

COLUMNS = "table_id, version, room, state, step, parent, floor, who, at, tap, lines"

# One statement is one transaction and one way there and back. The bell is part of it: whoever has committed has
# rung, even if they die the next moment. PostgreSQL lets only one transaction ring at a time, its flush included;
# where 1,000 commits a second went through without the bell, 400 do with it. Whoever deletes or archives a table takes
# its row for themselves first, so nothing is added to what is being destroyed.
COMMIT = f"""
WITH there AS (SELECT FROM tables WHERE id = %(table)s AND whole FOR SHARE),
kept AS (
    INSERT INTO versions ({COLUMNS})
    SELECT %(table)s, %(version)s, %(room)s, %(state)s, %(step)s, %(parent)s, %(floor)s,
        %(who)s, %(at)s, %(tap)s, %(lines)s FROM there
    ON CONFLICT DO NOTHING RETURNING version
)"""
WAKE = """,
woken AS (
    INSERT INTO alarms SELECT %(table)s, %(alarm)s FROM kept ON CONFLICT (table_id) DO UPDATE SET at = excluded.at
)"""
SLEEP = """,
asleep AS (DELETE FROM alarms WHERE table_id = %(table)s AND EXISTS (SELECT FROM kept))"""
BURN = """,
burnt AS (
    UPDATE versions SET room = NULL, state = NULL, tap = NULL
    WHERE table_id = %(table)s AND version < %(version)s AND EXISTS (SELECT FROM kept)
    AND version >= (SELECT floor FROM versions WHERE table_id = %(table)s AND version = %(version)s - 1)
)"""
RING = " SELECT pg_notify(%(bell)s, %(message)s) FROM kept"


def statement(*, burn: bool, alarm: float | None) -> str:
    alarms = "" if alarm == KEEP else SLEEP if alarm is None else WAKE
    return COMMIT + alarms + (BURN if burn else "") + RING
