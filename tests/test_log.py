"""The log of an SQLite file: its room is laid out in advance, and nobody's commit is ever under it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.engine.sqlite import SqliteStore
from companion.engine.sqlite_log import ROOM, STEP
from companion.engine.store import Row, StoreTrouble, TableRow


def row(version: int, table: str = "t", state: bytes = b"{}", floor: int = 0) -> Row:
    return Row(
        table=table, version=version, room=b"{}", state=state, step=version, parent=None, floor=floor, who=1, at=0.0,
        tap=f"tap{version}", lines=b"[]",
    )  # fmt: skip


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "data" / "store.sqlite"


@pytest.fixture
def opens(path):
    with contextlib.ExitStack() as open_ones:

        def opens(where: Path = path) -> SqliteStore:
            return open_ones.enter_context(contextlib.closing(SqliteStore(where, shared=True)))

        yield opens


def log(path: Path) -> bytes:
    return path.with_name(f"{path.name}-wal").read_bytes()


def after_a_power_cut(path: Path, opens) -> SqliteStore:
    """What would be found if everything stopped now."""
    shutil.copytree(path.parent, path.parent.with_name("copy"), ignore=shutil.ignore_patterns("*-shm"))
    copy = path.parent.with_name("copy") / path.name
    is_whole(copy)
    return opens(copy)


def is_whole(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_the_log_has_its_room_from_the_beginning_and_commits_do_not_make_it_grow(path, opens):
    store = opens()
    assert log(path) == b""
    store.open_table(TableRow("t", "ABCD", "game", 0.0), row(1))
    assert len(log(path)) == ROOM
    store.commit(row(2, state=b"robin" * 100))
    assert b"robin" in log(path)
    assert len(log(path)) == ROOM


def test_after_a_burn_the_log_is_empty_and_the_next_one_who_writes_gives_it_its_room_again(path, opens):
    store = opens()
    store.open_table(TableRow("t", "ABCD", "game", 0.0), row(1))
    for version in range(2, 200):
        store.commit(row(version, state=b"nightjar" * 100))
    assert len(log(path)) > ROOM
    store.commit(row(200, floor=200), burn=True)
    assert log(path) == b""
    assert b"nightjar" not in path.read_bytes()
    store.commit(row(201))
    assert len(log(path)) == ROOM
    assert b"nightjar" not in log(path)
    assert after_a_power_cut(path, opens).newest("t").version == 201


def test_a_log_that_had_to_grow_has_room_again_with_the_next_tap(path, opens):
    store = opens()
    store.open_table(TableRow("t", "ABCD", "game", 0.0), row(1))
    version = 1
    while len(log(path)) == ROOM:
        version += 1
        store.commit(row(version))
    assert len(log(path)) % STEP
    store.commit(row(version + 1))
    assert len(log(path)) == ROOM + 2 * STEP
    store.commit(row(version + 2))
    assert len(log(path)) == ROOM + 2 * STEP
    assert after_a_power_cut(path, opens).newest("t").version == version + 2


def test_a_store_that_is_closed_has_no_file_open_any_more(path):
    def open_files() -> list[str]:
        files = [file.resolve().name for file in Path("/proc/self/fd").iterdir()]
        return [name for name in files if name.startswith(path.name)]

    with contextlib.closing(SqliteStore(path, together=True)) as store:
        store.open_table(TableRow("t", "ABCD", "game", 0.0), row(1))
        assert store.commit(row(2, floor=2), burn=True)
        assert f"{path.name}-wal" in open_files()
    assert open_files() == []


def test_a_burnt_version_is_told_as_soon_as_it_is_durable_and_confirmed_when_the_log_is_cut(path, opens):
    store, found = opens(), []
    store.open_table(TableRow("t", "ABCD", "game", 0.0), row(1))
    store.commit(row(2, state=b"nightjar" * 100))

    def tell() -> None:
        found.append((after_a_power_cut(path, opens).newest("t").version, b"nightjar" in log(path)))

    assert store.commit(row(3, floor=3), burn=True, durable=tell)
    assert found == [(3, True)]
    assert log(path) == b""
    assert b"nightjar" not in path.read_bytes()
    # If the power had gone in between, opening the file again would have cut the log.
    assert b"nightjar" not in b"".join(left.read_bytes() for left in path.parent.with_name("copy").iterdir())


def test_the_log_is_cut_even_if_telling_breaks(path, opens):
    store = opens()
    store.open_table(TableRow("t", "ABCD", "game", 0.0), row(1))
    store.commit(row(2, state=b"nightjar" * 100))
    with pytest.raises(ZeroDivisionError):
        store.commit(row(3, floor=3), burn=True, durable=lambda: 1 / 0)
    assert log(path) == b""
    assert store.newest("t").version == 3


def test_whoever_commits_right_after_the_log_was_cut_loses_nothing(path, opens):
    one, other = opens(), opens()
    one.open_table(TableRow("t", "ABCD", "game", 0.0), row(1))
    one.commit(row(2))
    one.commit(row(3, floor=3), burn=True)
    assert log(path) == b""
    other.remember("bird", b"kestrel")
    one.commit(row(4))  # it would be its turn to lay out the log
    assert b"kestrel" in log(path)
    found = after_a_power_cut(path, opens)
    assert found.recall("bird") == b"kestrel"
    assert found.newest("t").version == 4


def test_while_somebody_else_writes_the_log_is_left_alone(path, opens):
    one, other = opens(), opens()
    one.open_table(TableRow("t", "ABCD", "game", 0.0), row(1))
    assert one.commit(row(2, floor=2), burn=True)
    other._db.execute("BEGIN IMMEDIATE")
    other._db.execute("INSERT INTO memory VALUES ('bird', 'kestrel')")

    def is_done(statement: str) -> None:
        """The other one has been waited for, and makes it in time."""
        if statement == "BEGIN IMMEDIATE" and other._db.in_transaction:
            assert log(path) == b""
            other._db.execute("COMMIT")

    one._db.set_trace_callback(is_done)
    assert one.commit(row(3))
    found = after_a_power_cut(path, opens)
    assert found.newest("t").version == 3
    assert found.recall("bird") is not None


def test_what_burns_is_refused_where_it_could_not_leave_the_log(path, opens, monkeypatch):
    store = opens()
    store.open_table(TableRow("t", "ABCD", "game", 0.0), row(1, state=b"nightjar"))
    full = SimpleNamespace(f_bavail=ROOM // 4096, f_frsize=4096)
    monkeypatch.setattr(os, "fstatvfs", lambda _: full)
    for destroys in (
        lambda: store.commit(row(2, floor=2), burn=True),
        lambda: store.delete(["t"]),
        lambda: store.archive({"t": b""}),
    ):
        with pytest.raises(StoreTrouble, match="disk is full"):
            destroys()
    assert store.newest("t").state == b"nightjar"
    assert store.commit(row(2))
    monkeypatch.undo()
    assert store.commit(row(3, floor=3), burn=True)
    assert log(path) == b""


def test_where_little_is_written_between_two_burnings_little_room_is_laid_out(path, opens):
    store = opens()
    store.open_table(TableRow("t", "ABCD", "game", 0.0), row(1))
    store.commit(row(2, floor=2), burn=True)
    store.commit(row(3))
    assert len(log(path)) == 2 * STEP
    for version in range(4, 13):
        store.commit(row(version, state=b"nightjar"))
    store.commit(row(13, floor=13), burn=True)
    store.commit(row(14))
    assert 2 * STEP < len(log(path)) <= ROOM


WRITER = """
import sys
from companion.engine.sqlite import SqliteStore
from companion.engine.store import TableRow
from test_log import row
store, table = SqliteStore(sys.argv[1], shared=True), sys.argv[2]
store.open_table(TableRow(table, table, "game", 0.0), row(1, table))
for version in range(2, 1 << 30):
    burn = version % 3 == 0
    if store.commit(row(version, table, b"nightjar" * 50, version if burn else 0), burn=burn):
        print(version, flush=True)
"""


def test_of_several_who_write_and_burn_and_are_killed_nothing_confirmed_is_lost(path, opens):
    opens().close()
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parent.parent)])
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), table],
            env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE, text=True,
        )
        for table in ("one", "two", "three")
    ]  # fmt: skip
    confirmed = [[int(writer.stdout.readline()) for _ in range(60)][-1] for writer in writers]
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
    for place, writer in enumerate(writers):
        whole = [line for line in writer.communicate()[0].splitlines(keepends=True) if line.endswith("\n")]
        confirmed[place] = int(whole[-1]) if whole else confirmed[place]
    is_whole(path)
    store = opens()
    for table, version in zip(("one", "two", "three"), confirmed, strict=True):
        assert [found.version for found in store.versions(table)][:version] == list(range(1, version + 1))
