"""The store in one SQLite file: durable after every commit, and forgetful where it must be."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import gevent

from companion.engine.game import KEEP
from companion.engine.schema import steps_to_go
from companion.engine.sqlite_log import Log
from companion.engine.sqlite_reading import COLUMNS, TABLE_COLUMNS, Reading
from companion.engine.store import Row, StoreTrouble, TableRow, nothing_else
from companion.engine.together import Together, Wish

CACHE = 1_000
"""KB of the file in mind: its end, and where each of a hundred busy tables goes on in both indexes.

The system has the rest at hand.
"""
FULL = 2
"""SQLite's number for `synchronous = FULL`: a commit returns when it is on the disk."""
PATIENCE = 5.0
A_MOMENT = 0.01
"""So many seconds the whole process waits for others who write; then only the tap that wants to write does."""
A_BREATH = 0.005
"""So many seconds after a tap, there is most likely time to prepare the log for the next one."""
BURN = (
    "UPDATE versions SET room = NULL, state = NULL, tap = NULL WHERE table_id = ?1 AND version < ?2"
    " AND version >= coalesce((SELECT floor FROM versions WHERE table_id = ?1 AND version = ?2 - 1), 0)"
)
"""What came before the last burning is burnt already."""


class SqliteStore(Reading):
    """Keeps the contract of `Store` in one file.

    Versions are appended in the order of `n`, so a page of the file is never split between two
    ballots and burning can wipe them where they lie (`secure_delete`). What the write-ahead log
    still holds of them is wiped by cutting it to nothing (a truncating checkpoint), as soon as the
    screens were told and before the tap is answered; and once more whenever the file is opened, in
    case the power went in between.

    `together`: taps that are ready at the same moment are made durable at once (a server asks for it).
    """

    def __init__(self, path: Path | str, *, together: bool = False, shared: bool = False) -> None:
        self.shared = shared
        self._serves = shared or together
        path = Path(path)
        self._together = Together(self._write) if together else None
        self._breath: gevent.Greenlet | None = None
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        patience = A_MOMENT if shared else PATIENCE
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=patience)
        try:
            self._make_ready()
        except sqlite3.OperationalError as trouble:
            self._db.close()
            raise StoreTrouble(str(trouble)) from trouble
        except BaseException:
            self._db.close()
            raise

    def _make_ready(self) -> None:
        run = self._db.execute
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        if run("PRAGMA synchronous").fetchone() != (FULL,):
            raise StoreTrouble("SQLite does not wait for the disk")
        run("PRAGMA secure_delete = ON")
        run(f"PRAGMA cache_size = -{CACHE}")
        self._log = Log(self._db)
        if steps_to_go(self._db):
            with self._transaction():
                for statement in steps_to_go(self._db):
                    run(statement)
        self._cut_log_for_sure()
        self._seen = self._data_version()
        if self._serves:
            # Whoever is opening has time; from here on there are screens.
            run(f"PRAGMA busy_timeout = {int(A_MOMENT * 1000)}")
        if self._together is not None:
            self._log.empty_aside()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._begin()
            yield
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as trouble:
            self._roll_back()
            raise StoreTrouble(str(trouble)) from trouble
        except BaseException:
            self._roll_back()
            raise

    @contextlib.contextmanager
    def _destroying(self) -> Iterator[None]:
        """A transaction after which nothing is left of what it destroys, not in the log either."""
        with self._transaction():
            yield
            self._log.has_to_be_cut_next()
        self._log.holds_ashes = True
        self._cut_log_for_sure()

    def _begin(self) -> None:
        """Others who write to the same file are waited for; our own screens do not wait with us."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError as trouble:
                if trouble.sqlite_errorcode != sqlite3.SQLITE_BUSY or not self._serves or time.monotonic() > deadline:
                    raise
            gevent.sleep(A_MOMENT)
        self._log.lay_out()

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _cut_log_for_sure(self) -> None:
        """Others may be reading at this moment: they are waited for, while our own screens go on."""
        deadline = time.monotonic() + PATIENCE
        self._log.cut()
        while self._log.holds_ashes and self._serves and time.monotonic() < deadline:
            gevent.sleep(A_MOMENT)
            self.sweep()

    def _prepare_log(self) -> None:
        """Whoever writes first in an empty log, or in a full one, waits for the disk twice: better we than who taps."""
        if not self._log.is_short():
            return
        # The head and the room of a log are durable even so. Nobody else can come in before it is as it was.
        self._db.execute("PRAGMA synchronous = NORMAL")
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._log.lay_out()
            self._log.lengthen()
            self._log.begin()
            self._db.execute("COMMIT")
        except sqlite3.OperationalError:
            pass  # another process writes, or the disk is full: then it is up to whoever taps
        finally:
            self._roll_back()
            self._db.execute("PRAGMA synchronous = FULL")

    def sweep(self) -> None:
        if self._log.holds_ashes and not self._log.is_being_cut:
            self._log.cut()

    def open_table(self, table: TableRow, first: Row, *, after: str | None = None) -> bool:
        run = self._db.execute
        try:
            with self._transaction():
                run(
                    f"INSERT INTO tables ({TABLE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
                    (table.id, table.code, table.game, table.opened, table.night or table.id, table.next),
                )
                self._insert(first)
                if after is not None:
                    moved = run("UPDATE tables SET next = ? WHERE id = ? AND next IS NULL", (table.id, after))
                    if moved.rowcount != 1:
                        raise sqlite3.IntegrityError("somebody has opened the next table already")
        except sqlite3.IntegrityError:
            return False
        return True

    def _insert(self, row: Row, where: str = "") -> bool:
        added = self._db.execute(
            f"INSERT INTO versions ({COLUMNS}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 {where}",
            (
                row.table, row.version, row.room, row.state, row.step, row.parent, row.floor,
                row.who, row.at, row.tap, row.lines,
            ),
        )  # fmt: skip
        return added.rowcount == 1

    def commit(
        self, row: Row, *, burn: bool = False, alarm: float | None = KEEP, durable: Callable[[], None] = nothing_else
    ) -> bool:
        wish = Wish(row, burn, alarm, durable)
        if self._together is not None:
            self._together.keep(wish)
        else:
            self._write([wish])
        # Whoever was written together with what burns does not wait until that is cleared away.
        if wish.kept and burn:
            self._cut_log_for_sure()
        else:
            self.sweep()
        if self._together is not None and (self._breath is None or self._breath.ready()):
            self._breath = gevent.spawn_later(A_BREATH, self._prepare_log)
        if wish.trouble is not None:
            raise wish.trouble
        return wish.kept

    def _write(self, wishes: list[Wish]) -> None:
        """All of these in one transaction: durable together, or none of them."""
        try:
            with self._transaction():
                kept = [self._append(wish) for wish in wishes]
                burns = any(wish.burn and was_kept for wish, was_kept in zip(wishes, kept, strict=True))
                if burns:
                    self._log.has_to_be_cut_next()
        except StoreTrouble as trouble:
            for wish in wishes:
                wish.trouble = trouble
            return
        self._log.holds_ashes |= burns
        for wish, was_kept in zip(wishes, kept, strict=True):
            if was_kept:
                wish.is_durable()

    def _append(self, wish: Wish) -> bool:
        run, row = self._db.execute, wish.row
        try:
            if not self._insert(row, "WHERE EXISTS (SELECT 1 FROM versions WHERE table_id = ?1)"):
                return False  # nothing is added to a table that another process has deleted or archived
        except sqlite3.IntegrityError:
            return False
        if wish.burn:
            run(BURN, (row.table, row.version))
        if wish.alarm is None:
            run("DELETE FROM alarms WHERE table_id = ?", (row.table,))
        elif wish.alarm != KEEP:
            run("INSERT OR REPLACE INTO alarms VALUES (?, ?)", (row.table, wish.alarm))
        return True

    # ---------------------------------------------------------------- afterwards

    def archive(self, results: Mapping[str, bytes]) -> None:
        with self._destroying():
            for table, result in results.items():
                self._wipe(table)
                # Of several processes that tidy up at once, the first one's result counts.
                self._db.execute("INSERT OR IGNORE INTO results VALUES (?, ?)", (table, result))

    def delete(self, tables: Iterable[str]) -> None:
        run = self._db.execute
        with self._destroying():
            for table in tables:
                self._wipe(table)
                run("DELETE FROM results WHERE table_id = ?", (table,))
                # A table in the middle of a night leaves nothing but a forwarding address for its links.
                run("UPDATE tables SET game = '', opened = 0 WHERE id = ?", (table,))
            # The last one leaves nothing, and neither does an address that leads nowhere.
            while found := run(
                "SELECT id FROM tables WHERE game = '' AND (next IS NULL OR next NOT IN (SELECT id FROM tables))"
            ).fetchall():
                for (table,) in found:
                    run("DELETE FROM tables WHERE id = ?", (table,))
                    run("UPDATE tables SET next = NULL WHERE next = ?", (table,))

    def _wipe(self, table: str) -> None:
        self._db.execute("DELETE FROM versions WHERE table_id = ?", (table,))
        self._db.execute("DELETE FROM alarms WHERE table_id = ?", (table,))

    def backup(self, target: Path) -> None:
        """A whole copy of this file, as it stands at one moment, while others go on writing."""
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(target.name + ".new")
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_RDWR, 0o600))
        copy = sqlite3.connect(draft)
        try:
            self._db.backup(copy)
        finally:
            copy.close()
            self._log.holds_ashes = True  # what was burnt meanwhile could not leave the log while we were reading
            self._log.cut()
        draft.replace(target)

    def others_wrote(self) -> bool:
        """Whether another process has changed the file since this was asked last."""
        seen, self._seen = self._seen, self._data_version()
        return seen != self._seen

    def _data_version(self) -> int:
        return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def remember(self, key: str, value: bytes) -> None:
        with self._transaction():
            self._db.execute("INSERT OR REPLACE INTO memory VALUES (?, ?)", (key, value))

    def close(self) -> None:
        if self._breath is not None:
            self._breath.kill(block=False)
        self._log.close()
        self._db.close()
