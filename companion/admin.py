"""companion tables, backup, restore, new-key: commands about the stored data."""

from __future__ import annotations

import argparse
import sqlite3
import sys
import time
from typing import Any

import msgspec

from companion.app import create_app
from companion.engine.apply import change_room
from companion.engine.links import add_key, drop_older_keys
from companion.engine.reader import NoSuchTable
from companion.engine.room_rules import EndTable
from companion.engine.store import Unreadable
from companion.game import TABLE, NotAllowed, Say
from companion.storage import factory
from companion.storage.backup import NoBackup, NotEmpty, WrongKey, back_up, put_old_backup_in_place
from companion.storage.backup import restore as restore_backup
from companion.storage.schema import TooNew
from companion.web import Services, exports


def open_store(options: argparse.Namespace) -> Any:
    if not factory.is_address(options.database) and not (path := factory.sqlite_path(options)).exists():
        raise SystemExit(f"Nothing is kept in {path}.")
    if not (key := options.data_dir / "key").exists():
        raise SystemExit(f"{key} is missing: without it no table can be opened.")
    return factory.open_store(options)


def backup(options: argparse.Namespace) -> None:
    """A copy of everything as it stands at one moment, while people play on."""
    store = open_store(options)
    try:
        unopened = back_up(store, options.target, with_keys=not options.without_keys)
    except (OSError, sqlite3.OperationalError) as trouble:
        raise SystemExit(f"{options.target} cannot be written: {trouble}.") from None
    finally:
        store.close()
    key = options.data_dir / "key"
    if options.without_keys:
        print(f"{options.target} has the results and histories. Tables cannot be played on from it.")
    else:
        print(
            f"{options.target} has everything. Together with {key}, which is not in it, it opens every table and every"
            " ballot that is sealed now: keep the two apart."
        )
        if unopened:
            raise SystemExit(f"But {unopened} tables have no key that can be read, here and in the copy.")


def restore(options: argparse.Namespace) -> None:
    """Put a backup into an empty data folder or database."""
    try:
        if not factory.is_address(options.database) and put_old_backup_in_place(
            options.source, factory.sqlite_path(options)
        ):
            print(f"{options.source} is restored.")
            return
        store = factory.open_store(options)
        try:
            unopened = restore_backup(options.source, store)
        finally:
            store.close()
    except NotEmpty:
        where = "that database" if factory.is_address(options.database) else options.data_dir
        raise SystemExit(f"There are tables in {where} already. Restore into an empty place.") from None
    except WrongKey:
        raise SystemExit(
            f"{options.data_dir / 'key'} does not belong to this backup. Copy the right file there first."
        ) from None
    except NoBackup:
        raise SystemExit(f"{options.source} is not a backup of a companion.") from None
    except TooNew:
        raise SystemExit("The backup was made by a newer companion. Please use that one.") from None
    print(f"{options.source} is restored.")
    if unopened:
        print(f"{unopened} tables cannot be opened: the backup has their results and histories only.")


def new_key(options: argparse.Namespace) -> None:
    """A new secret for this installation: it signs links, and wraps the keys of all tables."""
    path = options.data_dir / "key"
    add_key(path)
    if factory.is_address(options.database) or factory.sqlite_path(options).exists():
        store = factory.open_store(options)
        try:
            store.wrap_again()
        finally:
            store.close()
    if options.drop_older:
        drop_older_keys(path)
    print("Links are signed with a new key once the companion is started again.")


def tables(options: argparse.Namespace) -> None:
    store = open_store(options)
    app = create_app(options.data_dir, store=store)
    services: Services = app.extensions["companion"]
    try:
        if options.what == "list":
            list_tables(services)
        elif not options.code:
            raise SystemExit(f"Which table? companion tables {options.what} CODE")
        elif options.what == "end":
            end(services, options.code)
        elif options.what == "restore":
            bring_back(services, options.code)
        else:
            export(services, options.code, as_csv=options.csv)
    finally:
        store.close()


def list_tables(services: Services) -> None:
    for row in services.reader.store.tables():
        if not row.game:
            continue
        try:
            now = services.reader.snapshot(row.id)
            phase: str = "over" if now.room.phase == "playing" and now.result is not None else now.room.phase
            people = ", ".join(person.name for person in now.room.here)
        except NoSuchTable:
            stored = services.nights.result(row)
            phase, people = "archived", ", ".join(stored.names.values()) if stored else ""
        except (Unreadable, msgspec.MsgspecError):
            stored = services.nights.result(row)
            phase, people = "unreadable", ", ".join(stored.names.values()) if stored else ""
        opened = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.opened))
        print(f"{row.code:<8} {opened}  {row.game:<20} {phase:<10} {people}")


def end(services: Services, code: str) -> None:
    try:
        now = services.reader.by_code(code)
        services.tables.act(now.id, now.room.host, EndTable())
    except NoSuchTable:
        raise SystemExit(f"There is no table {code}.") from None
    except Unreadable as why:
        raise SystemExit(f"It cannot be opened: {why}.") from None
    except NotAllowed as why:
        raise SystemExit(why.say.text) from None
    print(f"The table {now.code} has ended.")


def bring_back(services: Services, code: str) -> None:
    """Bring a night back that was put away, as long as more than its results is left."""
    row = services.reader.store.table_by_code(code.strip().upper())
    if row is None:
        raise SystemExit(f"There is no table {code}.")
    try:
        now = services.tables.commit(
            services.reader.follow(row.id),
            None,
            # From today on it counts as touched.
            lambda now: change_room(
                now, now.room, Say("This night was brought back."), who=TABLE, at=services.tables.time()
            ),
        )
    except NoSuchTable:
        raise SystemExit("Only its results are left.") from None
    except Unreadable as why:
        raise SystemExit(f"It cannot be opened: {why}.") from None
    print(f"The night of table {now.code} is back.")


def export(services: Services, code: str, *, as_csv: bool) -> None:
    row = services.reader.store.table_by_code(code.strip().upper())
    if row is None:
        raise SystemExit(f"There is no table {code}.")
    results = services.nights.of(row.night)
    if as_csv:
        sys.stdout.write(exports.as_csv(results))
    else:
        found = [exports.as_data(one, services.reader.games, services.nights.timeline(one.table)) for one in results]
        sys.stdout.write(exports.as_json(found))
