"""Opens the store that the options name: one SQLite file, or PostgreSQL if an address is given."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.engine.store import StoreTrouble
from companion.storage.schema import TooNew
from companion.storage.sqlite import SqliteStore

if TYPE_CHECKING:
    from companion.storage.postgres import PostgresStore

POSTGRESQL = ("postgresql://", "postgres://")
TOO_NEW = (
    "The data was written by a newer companion. Use that version again, or restore the backup that you made before"
    " you upgraded."
)


def is_address(database: str | None) -> bool:
    """Whether this names a database server, and not a file."""
    return "://" in (database or "")


def sqlite_path(options: argparse.Namespace) -> Path:
    return Path(options.database or options.data_dir / "companion.sqlite")


def open_store(options: argparse.Namespace) -> SqliteStore | PostgresStore:
    """The store that these options name, or a sentence that says why it cannot be opened."""
    try:
        if is_address(options.database):
            return open_postgres(options.database, options.data_dir / "key")
        return SqliteStore(sqlite_path(options), options.data_dir / "key")
    except TooNew:
        raise SystemExit(TOO_NEW) from None
    except StoreTrouble as trouble:
        raise SystemExit(f"The data in {sqlite_path(options).parent} can't be opened: {trouble}.") from None
    except OSError as trouble:
        raise SystemExit(f"The data folder {options.data_dir} can't be used: {trouble.strerror}.") from None


def open_postgres(address: str, key_file: Path) -> PostgresStore:
    if not address.startswith(POSTGRESQL):
        raise SystemExit("--database takes the name of an SQLite file, or postgresql://user@host/name.")
    try:
        from psycopg import Error, ProgrammingError

        from companion.storage.postgres import PostgresStore
    except ModuleNotFoundError:
        raise SystemExit("PostgreSQL needs one more package: pip install 'companion-table[server]'") from None
    try:
        return PostgresStore(address, key_file)
    except StoreTrouble as trouble:
        raise SystemExit(f"PostgreSQL can't be reached: {trouble}") from None
    except ProgrammingError:
        # Its message may contain the address, and so a password.
        raise SystemExit(
            "The address of the database is wrong. Write it like this: postgresql://user:password@host/name"
        ) from None
    except Error as trouble:
        # Usually a missing right: this user must be allowed to create a schema.
        raise SystemExit(f"PostgreSQL can't be used: {trouble}") from None
