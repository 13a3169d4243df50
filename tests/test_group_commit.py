"""Group commit: one transaction for all taps that are ready, and no answer before it is durable."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator

import gevent
import msgspec
import pytest

from companion.engine.store import StoreTrouble, TableRow, Version
from companion.storage.sqlite import BLOCK_S, SqliteStore

TABLES = ("one", "two", "three")


def version(table: str, number: int = 1, tap: str | None = None, *, burns: bool = False) -> Version:
    return Version(
        table=table, version=number, room=b"{}", state=b"{}", step=number, parent=None,
        burn_floor=number if burns else 0, who=1, at=0.0, tap=tap, lines=b"[]",
    )  # fmt: skip


@pytest.fixture
def store(tmp_path):
    store = SqliteStore(tmp_path / "group.sqlite")
    for table in TABLES:
        assert store.open_table(TableRow(id=table, code=table, game="x", opened=0.0), version(table))
    store.statements = []
    store._db.set_trace_callback(store.statements.append)
    yield store
    store.close()


def commit(store, *versions: Version) -> list[object]:
    """Commit all versions at the same time; return each one's result."""
    taps = [gevent.spawn(answer, store, each) for each in versions]
    gevent.joinall(taps)
    return [tap.value for tap in taps]


def answer(store, each: Version) -> object:
    try:
        return store.commit(each)
    except Exception as trouble:
        return type(trouble)


@contextlib.contextmanager
def another_process_writes(tmp_path) -> Iterator[None]:
    with contextlib.closing(sqlite3.connect(tmp_path / "group.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_while_a_burn_waits_for_another_process_other_greenlets_run(store, tmp_path):
    def burn():
        store.commit(version("one", 2, burns=True))
        store.destroy_burnt("one")

    with another_process_writes(tmp_path):
        burning = gevent.spawn(burn)
        for _ in range(3):
            gevent.sleep(BLOCK_S)
        assert not burning.ready()
    burning.get(timeout=60)
    assert store.at("one", 1).state is None


def test_taps_that_are_ready_at_once_share_one_transaction(store):
    assert commit(store, *(version(table, 2) for table in TABLES)) == [True, True, True]
    assert store.statements.count("COMMIT") == 1
    assert [store.newest(table).version for table in TABLES] == [2, 2, 2]


def test_of_two_taps_for_the_same_version_one_is_committed_and_the_other_is_told(store):
    assert commit(store, version("one", 2, "a"), version("one", 2, "b"), version("two", 2)) == [True, False, True]
    assert store.with_tap("one", "a").version == 2
    assert store.with_tap("one", "b") is None


def test_when_the_disk_is_full_nobody_is_told_that_it_was_committed(store):
    store._db.execute(f"PRAGMA max_page_count = {store._db.execute('PRAGMA page_count').fetchone()[0]}")
    large = msgspec.structs.replace(version("two", 2), state=os.urandom(99_999))
    assert commit(store, version("one", 2), large, version("three", 2)) == [StoreTrouble] * 3
    assert [store.newest(table).version for table in TABLES] == [1, 1, 1]
    store._db.execute("PRAGMA max_page_count = 1000000")
    assert commit(store, version("one", 2), large) == [True, True]


def test_when_writing_breaks_nobody_is_told_that_it_was_committed(store, monkeypatch):
    append = store._append

    def breaks(run, request):
        if request.sealed.row.table == "three":
            raise ZeroDivisionError
        return append(run, request)

    monkeypatch.setattr(store, "_append", breaks)
    assert True not in commit(store, *(version(table, 2) for table in TABLES))
    assert [store.newest(table).version for table in TABLES] == [1, 1, 1]
    assert commit(store, version("one", 2)) == [True]


def test_when_the_writer_of_a_group_is_killed_the_others_are_told(store, monkeypatch):
    def killed():
        gevent.sleep(0)  # the other tap joins
        raise gevent.GreenletExit

    monkeypatch.setattr("companion.storage.group_commit.others_are_ready", killed)
    _, told = commit(store, version("one", 2), version("two", 2))
    assert told is StoreTrouble
    monkeypatch.undo()
    assert commit(store, version("one", 2), version("two", 2)) == [True, True]
