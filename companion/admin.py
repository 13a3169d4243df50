"""companion tables, companion backup: commands about the stored data, safe while people play."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from companion.app import create_app
from companion.engine.reader import NoSuchTable
from companion.engine.room_rules import EndTable
from companion.game import NotAllowed
from companion.storage import factory
from companion.web import Services, exports


def open_store(options: argparse.Namespace) -> Any:
    if not factory.is_address(options.database) and not (path := factory.sqlite_path(options)).exists():
        raise SystemExit(f"Nothing is kept in {path}.")
    return factory.open_store(options)


def backup(options: argparse.Namespace) -> None:
    """A copy of everything as it stands at one moment, while people play on."""
    if factory.is_address(options.database):
        raise SystemExit(
            "PostgreSQL has its own way: pg_dump --schema=companion --file=FILE, with the same address."
            f" Keep {options.data_dir / 'key'} as well: links need it."
        )
    store = open_store(options)
    try:
        store.backup(options.target)
    except OSError as trouble:
        raise SystemExit(f"{options.target} cannot be written: {trouble.strerror}.") from None
    finally:
        store.close()
    print(f"Everything is copied to {options.target}. Keep {options.data_dir / 'key'} as well: links need it.")


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
        opened = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.opened))
        print(f"{row.code:<8} {opened}  {row.game:<20} {phase:<10} {people}")


def end(services: Services, code: str) -> None:
    try:
        now = services.reader.by_code(code)
        services.tables.act(now.id, now.room.host, EndTable())
    except NoSuchTable:
        raise SystemExit(f"There is no table {code}.") from None
    except NotAllowed as why:
        raise SystemExit(why.say.text) from None
    print(f"The table {now.code} has ended.")


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
