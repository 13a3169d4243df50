"""Group commit: one transaction for everybody who is ready, and nobody is told before it is durable."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator

import gevent
import pytest

from companion.engine import sqlite_log
from companion.engine.sqlite import A_BREATH, A_MOMENT, SqliteStore
from companion.engine.sqlite_log import ROOM, STEP
from companion.engine.store import Row, StoreTrouble, TableRow

TABLES = ("one", "two", "three")


def row(table: str, version: int = 1, tap: str | None = None) -> Row:
    return Row(
        table=table, version=version, room=b"{}", state=b"{}", step=version, parent=None, floor=0, who=1, at=0.0,
        tap=tap, lines=b"[]",
    )  # fmt: skip


@pytest.fixture
def store(tmp_path):
    store = SqliteStore(tmp_path / "together.sqlite", together=True)
    for table in TABLES:
        assert store.open_table(TableRow(id=table, code=table, game="x", opened=0.0), row(table))
    store.statements = []
    store._db.set_trace_callback(store.statements.append)
    yield store
    store.close()


def commit(store, *rows: Row) -> list[object]:
    """Everybody at the same moment; what each was told."""
    taps = [gevent.spawn(told, store, each) for each in rows]
    gevent.joinall(taps)
    return [tap.value for tap in taps]


@contextlib.contextmanager
def somebody_else(tmp_path, does: str) -> Iterator[None]:
    """Another process, in the middle of something."""
    with contextlib.closing(sqlite3.connect(tmp_path / "together.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE" if does == "writes" else "BEGIN")
        other.execute("SELECT * FROM versions").fetchall()
        yield
        other.execute("ROLLBACK")


@pytest.mark.parametrize("does", ["reads", "writes"])
def test_while_a_burning_waits_for_somebody_else_the_screens_go_on(store, tmp_path, does):
    with somebody_else(tmp_path, does):
        burning = gevent.spawn(store.commit, row("one", 2), burn=True)
        for _ in range(3):
            gevent.sleep(A_MOMENT)
            assert store.newest("three").version == 1
        assert not burning.ready()
        if does == "reads":
            assert store.commit(row("two", 2))
            assert not burning.ready()
    assert burning.get()
    assert store.newest("one").version == 2
    assert not (tmp_path / "together.sqlite-wal").read_bytes().strip(b"\0")


def log(tmp_path) -> bytes:
    return (tmp_path / "together.sqlite-wal").read_bytes()


def burn(store) -> None:
    assert store.commit(row("one", 2))
    assert store.commit(row("one", 3), burn=True)


def test_if_nobody_taps_for_a_moment_the_log_is_begun_anew_for_whoever_taps_next(store, tmp_path):
    burn(store)
    assert log(tmp_path) == b""
    with gevent.Timeout(5):
        while not log(tmp_path).strip(b"\0"):
            gevent.sleep(A_BREATH)
    begun = log(tmp_path)
    assert store.newest("one").version == 3
    assert store.commit(row("one", 4))
    assert len(log(tmp_path)) == len(begun)
    assert is_durable(store)
    with contextlib.closing(sqlite3.connect(tmp_path / "together.sqlite")) as other:
        assert other.execute("SELECT max(version) FROM versions").fetchone() == (4,)


def test_while_a_burning_waits_for_the_disk_others_tap_and_are_answered(store, tmp_path, monkeypatch):
    disk, empty = threading.Event(), sqlite_log.into_the_file

    def slowly(db: sqlite3.Connection) -> int:
        disk.wait(30)
        return empty(db)

    monkeypatch.setattr(sqlite_log, "into_the_file", slowly)
    assert store.commit(row("one", 2, "nightjar"))
    burnings = [gevent.spawn(store.commit, row("one", 3), burn=True)]
    gevent.sleep(A_BREATH)
    burnings.append(gevent.spawn(store.commit, row("two", 2, "kestrel"), burn=True))
    gevent.sleep(A_BREATH)
    assert store.commit(row("three", 2))
    assert store.newest("one").version == 3
    assert not any(burning.ready() for burning in burnings)
    disk.set()
    assert [burning.get() for burning in burnings] == [True, True]
    assert b"nightjar" not in log(tmp_path) + (tmp_path / "together.sqlite").read_bytes()
    assert not store._log.holds_ashes


def test_whoever_is_written_with_a_burning_does_not_wait_until_it_is_cleared_away(store, monkeypatch):
    disk, empty = threading.Event(), sqlite_log.into_the_file

    def slowly(db: sqlite3.Connection) -> int:
        disk.wait(30)
        return empty(db)

    monkeypatch.setattr(sqlite_log, "into_the_file", slowly)
    burning, *others = [gevent.spawn(store.commit, row(table, 2), burn=table == "one") for table in TABLES]
    with gevent.Timeout(20):
        gevent.joinall(others)
    assert not burning.ready()
    disk.set()
    assert burning.get()
    assert not store._log.holds_ashes


def test_under_load_what_several_have_burnt_is_cleared_away_at_once(store, tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_log, "somebody_is_ready", lambda: True)
    for table in TABLES[:2]:
        assert store.commit(row(table, 2, "nightjar"))
    store.statements.clear()
    first = gevent.spawn(store.commit, row("one", 3), burn=True)
    gevent.sleep(A_BREATH)
    assert not first.ready()
    second = gevent.spawn(store.commit, row("two", 3), burn=True)
    assert [first.get(), second.get()] == [True, True]
    assert store.statements.count("COMMIT") >= 2
    assert store.statements.count("PRAGMA wal_checkpoint(TRUNCATE)") == 1
    assert b"nightjar" not in log(tmp_path) + (tmp_path / "together.sqlite").read_bytes()


def is_durable(store) -> bool:
    """Whether a commit waits for the disk (synchronous = FULL)."""
    return bool(store._db.execute("PRAGMA synchronous").fetchone()[0] == 2)


def test_while_another_process_writes_the_log_is_not_prepared_and_taps_are_as_durable_as_ever(store, tmp_path):
    burn(store)
    with somebody_else(tmp_path, "writes"):
        store._breath.join()
        assert log(tmp_path) == b""
        assert is_durable(store)
    assert store.commit(row("one", 4))


def test_where_taps_come_one_by_one_nobody_has_to_make_the_log_grow(store, tmp_path):
    sizes = []
    for version in range(2, 150):
        assert store.commit(row("one", version))
        sizes.append(len(log(tmp_path)))
        store._breath.join()
    assert [size for size in sizes if size % STEP] == []
    assert sizes[0] == ROOM < sizes[-1]
    with contextlib.closing(sqlite3.connect(tmp_path / "together.sqlite")) as other:
        assert other.execute("SELECT max(version) FROM versions").fetchone() == (149,)


def test_whoever_taps_at_once_after_a_burning_begins_the_log_alone(store):
    burn(store)
    store.statements.clear()
    assert store.commit(row("one", 4))
    gevent.sleep(2 * A_BREATH)
    assert store.statements.count("COMMIT") == 1


def test_a_store_that_is_closed_after_a_burning_is_left_alone(store, capfd):
    burn(store)
    store.close()
    gevent.sleep(2 * A_BREATH)
    assert capfd.readouterr().err == ""


def told(store, each: Row) -> object:
    try:
        return store.commit(each)
    except Exception as trouble:
        return type(trouble)


def test_taps_that_are_ready_at_once_share_one_transaction(store):
    assert commit(store, *(row(table, 2) for table in TABLES)) == [True, True, True]
    assert store.statements.count("COMMIT") == 1
    assert [store.newest(table).version for table in TABLES] == [2, 2, 2]


def test_of_two_taps_for_the_same_version_one_is_kept_and_the_other_is_told(store):
    assert commit(store, row("one", 2, "a"), row("one", 2, "b"), row("two", 2)) == [True, False, True]
    assert store.newest("one").tap == "a"


def test_all_are_told_when_the_transaction_is_durable_before_what_one_of_them_burnt_is_cleared_away(store, tmp_path):
    said = []
    taps = [
        gevent.spawn(store.commit, row(table, 2), burn=table == "one", durable=lambda table=table: said.append(table))
        for table in TABLES
    ]
    store._db.set_trace_callback(said.append)
    gevent.joinall(taps)
    assert [tap.value for tap in taps] == [True, True, True]
    done = [each for each in said if each in TABLES or each == "COMMIT" or "checkpoint" in each]
    assert done[:4] == ["COMMIT", *TABLES]
    assert "wal_checkpoint(TRUNCATE)" in done[-1]


def test_if_telling_breaks_for_one_the_others_are_told(store):
    said = []
    taps = [
        gevent.spawn(store.commit, row("one", 2), durable=lambda: said.append(1 / 0)),
        gevent.spawn(store.commit, row("two", 2), durable=lambda: said.append("two")),
    ]
    gevent.joinall(taps)
    assert isinstance(taps[0].exception, ZeroDivisionError)
    assert taps[1].value
    assert said == ["two"]
    assert [store.newest(table).version for table in TABLES] == [2, 2, 1]


def test_when_the_disk_is_full_nobody_is_told_that_it_was_kept(store):
    store._db.execute(f"PRAGMA max_page_count = {store._db.execute('PRAGMA page_count').fetchone()[0]}")
    large = Row(**{field: getattr(row("two", 2), field) for field in Row.__struct_fields__} | {"state": bytes(99_999)})
    assert commit(store, row("one", 2), large, row("three", 2)) == [StoreTrouble] * 3
    assert [store.newest(table).version for table in TABLES] == [1, 1, 1]
    store._db.execute("PRAGMA max_page_count = 1000000")
    assert commit(store, row("one", 2), large) == [True, True]


def test_when_writing_breaks_nobody_is_told_that_it_was_kept(store, monkeypatch):
    append = store._append

    def breaks(wish):
        if wish.row.table == "three":
            raise ZeroDivisionError
        return append(wish)

    monkeypatch.setattr(store, "_append", breaks)
    assert True not in commit(store, *(row(table, 2) for table in TABLES))
    assert [store.newest(table).version for table in TABLES] == [1, 1, 1]
    assert commit(store, row("one", 2)) == [True]
