"""Record what this version stores, to test later versions with it: python tests/schemas/record.py

Run it once for each release that changes the schema, or how a game keeps its state. It plays a few taps of every game
at random, on SQLite and on PostgreSQL, and writes both databases with their keys and links to tests/schemas/VERSION/.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "plugin"))

import psycopg
import secret_ballot
from cellar import Cellar

from companion.app import create_app
from companion.engine.store import Store
from companion.game import Seat
from companion.games import all_games
from companion.storage.migration import POSTGRES_NUMBER
from companion.storage.postgres import PostgresStore
from companion.storage.schema import COLUMNS, POSTGRES_SCHEMA
from companion.storage.sqlite import SqliteStore
from companion.testing.monkey import Monkey

HERE = Path(__file__).parent
VERSION = tomllib.loads((HERE.parent.parent / "pyproject.toml").read_text())["project"]["version"]
TAPS = 12


def play(data: Path, store: Store) -> dict[str, Any]:
    """Make a few taps in every game; return the links of all screens by game."""
    app = create_app(data, store=store)
    tables = app.extensions["companion"].tables
    links = {}
    for game in all_games().values():
        monkey = Monkey(app, game, game.players[0] if game.players[0] > 1 else 2, seed=7)
        monkey.start()
        links[game.name] = {"shared": monkey.screen, "seats": monkey.seats, "table": monkey.table}
        if game.name == "score_sheet":
            monkey.client.post(monkey.seats[0], data={"tap": "Enter", "points": "4711"}, headers=monkey.headers)
        elif game.name == "secret_ballot":
            for seat in (1, 2):
                tables.act(monkey.table, Seat(seat), secret_ballot.Cast(f"burnt {seat}"))
            tables.act(monkey.table, Seat(1), secret_ballot.Open())
            tables.act(monkey.table, Seat(1), secret_ballot.Cast("nightjar"), tap_id="9.form")
        else:
            for _ in range(TAPS):
                monkey.tap()
    return links


def literal(value: object) -> str:
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value).replace("null", "NULL")
    if isinstance(value, bytes):
        return rf"'\x{value.hex()}'"
    return "'" + str(value).replace("'", "''") + "'"


def dump_postgres(address: str) -> str:
    lines = ["CREATE SCHEMA companion;", "SET search_path = companion;"]
    lines += ["CREATE TABLE steps (done integer NOT NULL);", f"INSERT INTO steps VALUES ({POSTGRES_NUMBER});"]
    lines += [POSTGRES_SCHEMA.strip()]
    with psycopg.connect(address) as db:
        for table, columns in COLUMNS.items():
            for row in db.execute(f"SELECT {columns} FROM companion.{table} ORDER BY 1, 2").fetchall():
                lines.append(f"INSERT INTO {table} ({columns}) VALUES ({', '.join(map(literal, row))});")
    return "\n".join(lines) + "\n"


def main() -> None:
    target = HERE / VERSION
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(Cellar()) as cellar:
        data = Path(folder)
        links = {}
        with contextlib.closing(SqliteStore(data / "companion.sqlite", data / "key")) as store:
            links["sqlite"] = play(data, store)
        with contextlib.closing(sqlite3.connect(data / "companion.sqlite")) as db:
            number = db.execute("PRAGMA user_version").fetchone()[0]
            dump = "\n".join([*db.iterdump(), f"PRAGMA user_version = {number};"])
        (target / "sqlite.sql").write_text(dump + "\n")
        shutil.copy(data / "companion.keys", target / "sqlite.keys")
        shutil.copy(data / "key", target / "key")
        address = cellar.database()
        with contextlib.closing(PostgresStore(address, data / "key")) as store:
            links["postgresql"] = play(data, store)
        (target / "postgresql.sql").write_text(dump_postgres(address))
        (target / "links.json").write_text(json.dumps(links, indent=2) + "\n")


if __name__ == "__main__":
    main()
