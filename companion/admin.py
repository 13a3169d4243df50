"""companion tables, backup, restore, new-key: commands about the stored data."""

from __future__ import annotations

import argparse
import sqlite3
import sys
import time
from contextlib import closing
from typing import Any

import msgspec

from companion.app import create_app
from companion.engine.apply import change_room
from companion.engine.links import add_key, drop_older_keys
from companion.engine.reader import NoSuchTable
from companion.engine.room_rules import EndTable
from companion.engine.snapshot import Snapshot
from companion.engine.store import TableRow, Unreadable
from companion.game import TABLE, NotAllowed, Say
from companion.storage import factory
from companion.storage.backup import CannotRestore, back_up, put_old_backup_in_place
from companion.storage.backup import restore as restore_backup
from companion.web import Services, exports


def open_store(options: argparse.Namespace) -> Any:
    if not factory.is_address(options.database) and not (path := factory.sqlite_path(options)).exists():
        raise SystemExit(f"Nothing is kept in {path}. Check --data-dir and --database.")
    if not (key := options.data_dir / "key").exists():
        raise SystemExit(f"{key} is missing. Without it, no table can be opened.")
    return factory.open_store(options)


def backup(options: argparse.Namespace) -> None:
    """Copy everything as it is at one moment, while people play on."""
    with closing(open_store(options)) as store:
        try:
            unopened = back_up(store, options.target, with_keys=not options.without_keys)
        except (OSError, sqlite3.OperationalError) as trouble:
            raise SystemExit(f"{options.target} cannot be written: {trouble}.") from None
    key = options.data_dir / "key"
    if options.without_keys:
        print(f"{options.target} has the results and histories. Nobody can open a table from it.")
    else:
        print(
            f"{options.target} has everything. Anybody who also has {key}, which is not in it, can open every table and"
            " every ballot that is sealed now. Keep the two apart."
        )
        if unopened:
            raise SystemExit(f"But some tables have no readable key, here and in the copy: {unopened}.")


def restore(options: argparse.Namespace) -> None:
    """Put a backup into an empty data folder or database."""
    unopened, in_place = 0, False
    try:
        if not factory.is_address(options.database):
            in_place = put_old_backup_in_place(options.source, factory.sqlite_path(options))
        if not in_place:
            with closing(factory.open_store(options)) as store:
                unopened = restore_backup(options.source, store)
    except CannotRestore as why:
        raise SystemExit(str(why)) from None
    print(f"{options.source} is restored.")
    if unopened:
        print(f"Some tables can't be opened, because the backup has only their results and histories: {unopened}.")


def new_key(options: argparse.Namespace) -> None:
    """Make a new secret for this installation: it signs links and wraps the keys of all tables."""
    path = options.data_dir / "key"
    add_key(path)
    if factory.is_address(options.database) or factory.sqlite_path(options).exists():
        with closing(factory.open_store(options)) as store:
            store.wrap_again()
    if options.drop_older:
        drop_older_keys(path)
    print("The companion uses the new key after the next start.")


def tables(options: argparse.Namespace) -> None:
    with closing(open_store(options)) as store:
        services: Services = create_app(options.data_dir, store=store).extensions["companion"]
        if options.what == "list":
            list_tables(services)
            return
        if not options.code:
            raise SystemExit(f"Which table? companion tables {options.what} CODE")
        row = store.table_by_code(options.code.strip().upper())
        if row is None:
            raise SystemExit(f"There is no table {options.code}. `companion tables` lists all of them.")
        try:
            match options.what:
                case "end":
                    end(services, row)
                case "restore":
                    bring_back(services, row)
                case _:
                    export(services, row, as_csv=options.csv)
        except NoSuchTable:
            raise SystemExit("Only its results are left.") from None
        except Unreadable as why:
            raise SystemExit(f"The table can't be opened: {why}.") from None
        except NotAllowed as why:
            raise SystemExit(why.say.text) from None


def list_tables(services: Services) -> None:
    for row in services.reader.store.tables():
        if not row.game:
            continue
        try:
            now = services.reader.snapshot(row.id)
            phase: str = "over" if now.room.phase == "playing" and now.result is not None else now.room.phase
            people = ", ".join(person.name for person in now.room.here)
        except (NoSuchTable, Unreadable, msgspec.MsgspecError) as why:
            phase = "archived" if isinstance(why, NoSuchTable) else "unreadable"
            stored = services.nights.result(row)
            people = ", ".join(stored.names.values()) if stored else ""
        opened = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.opened))
        print(f"{row.code:<8} {opened}  {row.game:<20} {phase:<10} {people}")


def end(services: Services, row: TableRow) -> None:
    now = services.reader.snapshot(services.reader.follow(row.id))
    services.tables.act(now.id, now.room.host, EndTable())
    print(f"The table {now.code} has ended.")


def bring_back(services: Services, row: TableRow) -> None:
    """Bring a night back from the archive, if more than its results is left."""

    def touch(now: Snapshot) -> Snapshot:
        """Count the night as touched today."""
        return change_room(
            now, now.room, Say("This night is back from the archive."), who=TABLE, at=services.tables.time()
        )

    now = services.tables.commit(services.reader.follow(row.id), None, touch)
    print(f"The night of table {now.code} is back.")


def export(services: Services, row: TableRow, *, as_csv: bool) -> None:
    results = services.nights.of(row.night)
    if as_csv:
        sys.stdout.write(exports.as_csv(results, services.reader.games))
    else:
        found = [exports.as_data(one, services.reader.games, services.nights.timeline(one.table)) for one in results]
        sys.stdout.write(exports.as_json(found))
