"""companion tables, companion backup: what is kept, looked at from the terminal, also while playing."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from flask_babel import force_locale

from companion import create_app, keeping
from companion.engine.finding import NoSuchTable
from companion.engine.game import NotAllowed
from companion.engine.nights import Nights
from companion.engine.room_rules import EndTable
from companion.engine.table import Tables
from companion.web import exports


def open_store(options: argparse.Namespace) -> Any:
    if not keeping.is_address(options.database) and not (path := keeping.sqlite_path(options)).exists():
        raise SystemExit(f"Nothing is kept in {path}.")
    return keeping.open_store(options)


def backup(options: argparse.Namespace) -> None:
    """A copy of everything as it stands at one moment; whoever plays goes on playing."""
    if keeping.is_address(options.database):
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
    parts = app.extensions["companion"]
    try:
        with app.app_context(), force_locale("en"):
            if options.what == "list":
                listing(parts.tables, parts.nights)
            elif not options.code:
                raise SystemExit(f"Which table? companion tables {options.what} CODE")
            elif options.what == "end":
                end(parts.tables, options.code)
            else:
                export(parts.tables, parts.nights, options.code, as_csv=options.csv)
    finally:
        store.close()


def listing(tables: Tables, nights: Nights) -> None:
    for row in tables.store.tables():
        if not row.game:
            continue
        try:
            now = tables.present(row.id)
            phase: str = "over" if now.room.phase == "playing" and now.result is not None else now.room.phase
            people = ", ".join(person.name for person in now.room.here)
        except NoSuchTable:
            kept = nights.result(row)
            phase, people = "archived", ", ".join(kept.names.values()) if kept else ""
        opened = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.opened))
        print(f"{row.code:<8} {opened}  {row.game:<20} {phase:<10} {people}")


def end(tables: Tables, code: str) -> None:
    try:
        now = tables.by_code(code)
        tables.act(now.id, now.room.host, EndTable())
    except NoSuchTable:
        raise SystemExit(f"There is no table {code}.") from None
    except NotAllowed as why:
        raise SystemExit(why.say.text) from None
    print(f"The table {now.code} has ended.")


def export(tables: Tables, nights: Nights, code: str, *, as_csv: bool) -> None:
    row = tables.store.table_by_code(code.strip().upper())
    if row is None:
        raise SystemExit(f"There is no table {code}.")
    results = nights.of(row.night)
    if as_csv:
        sys.stdout.write(exports.as_csv(results))
    else:
        found = [exports.as_data(one, tables.games, nights.timeline(one.table)) for one in results]
        sys.stdout.write(exports.as_json(found))
