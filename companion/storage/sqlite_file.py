"""The SQLite file: how it is opened and created, and where its keys lie."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from companion.engine.store import StoreTrouble
from companion.storage.schema import SCHEMA, SQLITE_SCHEMA, TooNew

PAGE_CACHE_KB = 1_000
SYNCHRONOUS_FULL = 2
"""SQLite's number for `synchronous = FULL`: a commit returns when it is on the disk."""
OPEN_TIMEOUT_S = 5.0


def key_path(path: Path) -> Path:
    return path.with_suffix(".keys") if path.suffix == ".sqlite" else path.with_name(f"{path.name}.keys")


def connect(path: Path) -> sqlite3.Connection:
    """A connection whose commits wait for the disk. A new file is readable by its owner only."""
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
    except BaseException:
        db.close()
        raise
    return db


def schema_of(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def create(db: sqlite3.Connection) -> None:
    """Make the tables in a new file."""
    if schema_of(db):
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        if not schema_of(db):
            for statement in filter(str.strip, SQLITE_SCHEMA.split(";\n")):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {SCHEMA}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def insert(db: sqlite3.Connection, table: str, columns: str, rows: Iterable[tuple[Any, ...]]) -> None:
    marks = ", ".join("?" * len(columns.split(",")))
    db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)
