"""Databases from before the first release are migrated: nothing is lost, and everything is sealed.

What releases have stored is in tests/faults/test_upgrade.py.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import secret_ballot
from here import ROOT

from companion.engine.store import StoreTrouble
from companion.game import Seat
from companion.games import all_games
from companion.storage.migration import POSTGRES_NUMBER
from companion.storage.postgres import PostgresStore
from companion.storage.schema import SCHEMA
from companion.storage.sqlite import SqliteStore
from companion.testing import House, tables_of
from companion.testing.house import every_row

SCHEMAS = ROOT / "tests" / "schemas"
GAMES = {**all_games(), "secret_ballot": secret_ballot.GAME}
SECRETS = (b'"mark"', b"nightjar", b"whispers to you", b'"room"', b"1.2.form")
"""What was unencrypted in those databases; the last one is the id of a tap."""


def old_file(path: Path, number: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as old:
        old.executescript((SCHEMAS / f"sqlite-{number}.sql").read_text())
    return path


def raw(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.suffix != ".old")


def plays_on(store) -> None:
    """Check that the old data is there and that the game can go on."""
    tables = tables_of(store, GAMES, clock=lambda: 2_000_000_000.0)
    rows = {row.game: row for row in store.tables()}
    evening = tables.reader.snapshot(rows["traitors"].id)
    assert [person.name for person in evening.room.here] == ["Ann", "Ben", "Cleo", "Dan", "Eve"]
    assert evening.state.scene.mark == "4"
    assert store.due_alarms(2e9) == [evening.id]
    box = tables.reader.snapshot(rows["secret_ballot"].id)
    assert box.state.slips == {Seat(1): "nightjar"}
    burnt = box.burn_floor - 1
    assert store.at(box.id, burnt).state is None
    assert store.with_tap(box.id, "1.2.form").version > box.burn_floor, "a tap that is sent again counts once"
    assert store.with_tap(box.id, "1.0.form") is None
    cleo = [entry.line.say.text for entry in tables.reader.history(box.id, Seat(3))]
    ann = [entry.line.say.text for entry in tables.reader.history(box.id, Seat(1))]
    assert "{who} whispers to you." in cleo
    assert "{who} whispers to you." not in ann
    assert "The box is opened: {n} different words." in ann
    tables.act(box.id, Seat(2), secret_ballot.Cast("owl"))
    tables.act(box.id, Seat(3), secret_ballot.Cast("fox"))
    tables.act(box.id, Seat(1), secret_ballot.Open())
    assert store.at(box.id, tables.reader.snapshot(box.id).version - 1).state is None


@pytest.mark.parametrize("number", [1, 2])
def test_an_old_file_is_sealed_and_played_on(tmp_path, number):
    path = old_file(tmp_path / "data" / "companion.sqlite", number)
    assert all(secret in raw(path.parent) for secret in SECRETS if secret != b'"room"')
    store = SqliteStore(path)
    plays_on(store)
    store.close()
    assert not [secret for secret in SECRETS if secret in raw(path.parent)]
    again = SqliteStore(path)
    assert len(list(again.tables())) == {1: 2, 2: 5}[number]
    again.close()


def test_a_finished_game_of_an_old_file_still_has_its_result(tmp_path):
    store = SqliteStore(old_file(tmp_path / "companion.sqlite", 2))
    tables = tables_of(store, GAMES)
    first = next(row for row in store.tables() if row.next)
    assert tables.reader.snapshot(first.id).result.winners == (Seat(3),)
    assert [row.id for row in store.tables(first.night)] == [first.id, first.next]
    store.close()


def test_an_old_postgresql_is_sealed_and_played_on(cellar, tmp_path):
    address = cellar.database()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute((SCHEMAS / "postgresql-1.sql").read_text())
    store = PostgresStore(address, tmp_path / "key")
    plays_on(store)
    store.close()
    assert not [secret for secret in SECRETS if secret in every_row(address)]
    PostgresStore(address, tmp_path / "key").close()


def test_the_old_file_stays_beside_it_until_the_first_clean_stop(tmp_path):
    path = old_file(tmp_path / "data" / "companion.sqlite", 2)
    kept = path.with_name("companion.sqlite.old")
    house = House(path.parent).start()
    try:
        assert b"nightjar" in kept.read_bytes()
        house.kill()
        house.start()
        assert kept.exists()
        assert house.stop() == 0
        assert not kept.exists()
    finally:
        house.kill()


def test_a_file_that_another_companion_still_uses_is_left_alone(tmp_path):
    path = old_file(tmp_path / "companion.sqlite", 2)
    with contextlib.closing(sqlite3.connect(path)) as older:
        older.execute("PRAGMA journal_mode = WAL")
        older.execute("BEGIN")
        older.execute("SELECT count(*) FROM versions").fetchone()
        with pytest.raises(StoreTrouble, match="another companion still uses it"):
            SqliteStore(path)
        older.execute("COMMIT")
    store = SqliteStore(path)
    plays_on(store)
    store.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from companion.storage import migration, schema
from companion.storage.sqlite import SqliteStore
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
if {instant!r} == "replace":
    migration.sync_folder = None
    Path.replace = die
else:
    setattr(schema if {instant!r} == "create" else migration, {instant!r}, die)
SqliteStore({path!r})
"""


@pytest.mark.parametrize("instant", ["copy_file", "create", "seal_file", "sync_folder", "replace"])
def test_killed_while_it_is_sealed_the_next_start_begins_again(tmp_path, instant):
    path = old_file(tmp_path / "companion.sqlite", 2)
    script = KILLED.format(path=str(path), instant=instant)
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    store = SqliteStore(path)
    plays_on(store)
    store.close()


def test_the_present_schema_is_recorded():
    """If this fails, the stored format has changed: run tests/schemas/record.py, and keep the older folders."""
    releases = (path for path in SCHEMAS.iterdir() if path.is_dir() and path.name[0].isdigit())
    newest = max(releases, key=lambda path: [int(number) for number in path.name.split(".")])
    assert f"PRAGMA user_version = {SCHEMA};" in (newest / "sqlite.sql").read_text()
    assert f"INSERT INTO steps VALUES ({POSTGRES_NUMBER});" in (newest / "postgresql.sql").read_text()
