"""States are encrypted on disk, and a burn destroys the key: checked on raw bytes and after crashes."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
import textwrap
from itertools import pairwise
from pathlib import Path

import gevent
import msgspec
import pytest
import secret_ballot
from here import ROOT

from companion.app import create_app
from companion.engine.links import add_key, drop_older_keys
from companion.engine.results import StoredStates
from companion.engine.room_rules import AddPerson, Start
from companion.engine.snapshot import encode
from companion.engine.store import StoreTrouble, TableRow, Unreadable, Version
from companion.engine.tables import Tables
from companion.game import TABLE, Seat
from companion.games import all_games
from companion.games.score_sheet.rules import Enter
from companion.storage.key_file import SLOT_BYTES, KeyFile
from companion.storage.postgres import PostgresStore
from companion.storage.sql import VERSIONS_PER_READ
from companion.storage.sqlite import SqliteStore
from companion.testing import NAMES, Monkey, tables_of
from companion.web.limits import LimitSettings

GAMES = sorted(all_games().values(), key=lambda game: game.name)
WINDOW_BYTES = 20
"""No stored data may contain this many consecutive bytes of a state."""


def windows(data: bytes) -> set[bytes]:
    return {data[start : start + WINDOW_BYTES] for start in range(len(data) - WINDOW_BYTES + 1)}


def dump(cellar, address: str) -> bytes:
    """Return what pg_dump writes, with its binary columns decoded."""
    text = subprocess.run(
        [cellar._bin / "pg_dump", "--schema=companion", address], capture_output=True, check=True
    ).stdout
    binary = (bytes.fromhex(found.decode()) for found in re.findall(rb"\\\\x([0-9a-f]*)", text))
    return b"\n".join([text, *binary])


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_state_of_random_play_is_ever_readable_in_what_is_stored(game, kind, tmp_path, request):
    cellar = request.getfixturevalue("cellar") if kind == "postgresql" else None
    address = cellar.database() if cellar else None
    store = PostgresStore(address, tmp_path / "key") if address else None
    app = create_app(tmp_path, games={game.name: game}, store=store, limits=LimitSettings(attempts=1_000_000))
    services = app.extensions["companion"]
    store = services.reader.store
    secret: set[bytes] = set()
    public: set[bytes] = set()
    commit, remember = store.commit, store.remember

    def commit_and_note(version: Version, **more) -> bool:
        for sealed in (version.state, version.private, (version.tap or "").encode()):
            secret.update(windows(sealed or b""))
        public.update(windows(version.lines), windows(more["result"] or b""))
        return commit(version, **more)

    def remember_and_note(key: str, value: bytes) -> None:
        public.update(windows(value))
        remember(key, value)

    store.commit, store.remember = commit_and_note, remember_and_note
    monkey = Monkey(app, game, game.players[0], seed=19)
    monkey.start()
    for _ in range(60):
        monkey.tap()
    assert len(secret) > 100
    # SQLite's write-ahead log still has every page that was ever written.
    raw = dump(cellar, address) if address else b"".join(path.read_bytes() for path in tmp_path.iterdir())
    store.close()
    assert not (windows(raw) & secret) - public


# -------------------------------------------------------------------------------- moved, damaged, lost


def version_of(version: int, table: str = "t", **changes) -> Version:
    made = Version(
        table=table, version=version, room=b"{}", state=f"state-{version}".encode(), step=version, parent=None,
        burn_floor=0, who=1, at=float(version), tap=f"tap{version}", lines=b'[[["hello"]]]',
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


@pytest.fixture
def store(tmp_path):
    store = SqliteStore(tmp_path / "store.sqlite")
    for table, code in (("t", "ABCD"), ("u", "WXYZ")):
        assert store.open_table(TableRow(table, code, "game", 0.0), version_of(1, table))
        for version in (2, 3, 4):
            assert store.commit(version_of(version, table))
    yield store
    store.close()


DAMAGE = {
    "a row from another table": "UPDATE versions SET sealed = (SELECT sealed FROM versions WHERE table_id = 'u' AND version = 4)",
    "a row from another version": "UPDATE versions SET sealed = (SELECT sealed FROM versions WHERE table_id = 't' AND version = 3)",
    "a changed burn floor": "UPDATE versions SET floor = 1",
    "another author": "UPDATE versions SET who = 2",
    "a truncated row": "UPDATE versions SET sealed = substr(sealed, 1, 20)",
    "an empty row": "UPDATE versions SET sealed = x''",
    "a changed byte": "UPDATE versions SET sealed = CAST(substr(sealed, 1, 30) || x'07' || substr(sealed, 32) AS BLOB)",
    "text for bytes": "UPDATE versions SET sealed = 'nonsense'",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_row_that_was_moved_or_changed_does_not_open_and_others_do(store, damage):
    store._db.execute(f"{damage} WHERE table_id = 't' AND version = 4")
    store.forget(None)
    with pytest.raises(Unreadable):
        store.newest("t")
    assert store.newest("u").state == b"state-4"
    assert [entry.version for entry in store.history("t")] == [4, 3, 2, 1]


def test_a_database_alone_opens_nothing(store, tmp_path):
    for lost in ("store.keys", "key"):
        elsewhere = tmp_path / f"without {lost}"
        elsewhere.mkdir()
        for name in {"store.sqlite", "store.sqlite-wal", "store.keys", "key"} - {lost}:
            (elsewhere / name).write_bytes((tmp_path / name).read_bytes())
        copy = SqliteStore(elsewhere / "store.sqlite")
        with pytest.raises(Unreadable):
            copy.newest("t")
        assert len(copy.history("t")) == 4
        copy.close()


def test_key_file_lost_the_tables_say_so_and_results_and_histories_are_there(own_house):
    sheet = own_house.opens("score_sheet", rounds=1)
    for name in NAMES[:2]:
        sheet.sits(name)
    sheet.starts()
    for name in NAMES[:2]:
        sheet[name].taps("Enter", points=7)
    going_on = own_house.opens("score_sheet", rounds=2)
    for name in NAMES[:2]:
        going_on.sits(name)
    going_on.starts()
    own_house.stop()
    lose_keys(own_house)
    own_house.start()
    other = own_house.opens("score_sheet")
    for path in (sheet.shared.path, sheet[NAMES[0]].path):
        reply = own_house.visitor().get(path)
        assert reply.status_code == 410
        assert "This table can't be opened any more" in reply.text
    night = own_house.visitor().get(f"{sheet.shared.path}/night")
    assert night.status_code == 200
    assert NAMES[0] in night.text
    table = re.search(r"/night/(\w+)", night.text).group(1)
    past = own_house.visitor().get(f"{sheet.shared.path}/night/{table}").text
    assert "The game starts." in past
    assert NAMES[1] in past
    assert "Not finished" in own_house.visitor().get(f"{going_on.shared.path}/night").text
    assert other.shared.page().status == 200
    assert "a table cannot be opened" in own_house.log.read_text()


def lose_keys(house) -> None:
    if house.database:
        import psycopg

        with psycopg.connect(house.database) as db:
            db.execute("DELETE FROM companion.keys")
    else:
        keys = house.data / "companion.keys"
        keys.write_bytes(os.urandom(keys.stat().st_size))


def test_a_table_whose_key_was_damaged_meanwhile_says_so_instead_of_trying_for_ever(tmp_path):
    tables, table = before_the_burn(tmp_path / "companion.sqlite")
    keys = tmp_path / "companion.keys"
    keys.write_bytes(os.urandom(keys.stat().st_size))
    with pytest.raises(Unreadable):
        tables.act(table, Seat(1), secret_ballot.Open())
    tables.store.close()


def test_a_new_secret_counts_at_once_and_a_lost_one_is_remembered(store, tmp_path):
    add_key(tmp_path / "key")
    assert store.open_table(TableRow("v", "EFGH", "game", 0.0), version_of(1, "v"))
    store.wrap_again()
    drop_older_keys(tmp_path / "key")
    again = SqliteStore(tmp_path / "store.sqlite")
    assert [again.newest(table).version for table in ("t", "u", "v")] == [4, 4, 1]
    again.close()
    (tmp_path / "key").unlink()
    store.forget(None)
    assert store.newest("v").version == 1
    assert not (tmp_path / "key").exists(), "nobody makes a new one"


def test_keys_of_another_database_are_put_aside_and_not_destroyed(store, tmp_path):
    store.close()
    (tmp_path / "store.sqlite").rename(tmp_path / "away.sqlite")
    for log in ("store.sqlite-wal", "store.sqlite-shm"):
        (tmp_path / log).unlink(missing_ok=True)
    kept = (tmp_path / "store.keys").read_bytes()
    other = SqliteStore(tmp_path / "store.sqlite")
    other.recover()
    other.close()
    assert (tmp_path / "store.keys.1").read_bytes() == kept


def test_two_processes_that_burn_one_after_the_other_use_keys_of_their_own(store, tmp_path):
    other = SqliteStore(tmp_path / "store.sqlite")
    assert store.commit(version_of(5, burn_floor=5))  # and its old key is not destroyed yet
    while not other.commit(version_of(6, burn_floor=6)):
        other.forget(None)
    other.destroy_burnt("t")
    store.destroy_burnt("t")
    for one in (store, other):
        one.forget(None)
        assert one.newest("t").state == b"state-6"
        assert one.at("t", 5).state is None
    other.close()


# -------------------------------------------------------------------------------- killed in the middle of a burn

KILLED = """
import os, signal, sys
sys.path[:0] = [{tests!r}, {plugin!r}]
from test_sealing import Seat, before_the_burn, secret_ballot
tables, table = before_the_burn({path!r})
store = tables.store
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
def after(function):
    return lambda *arguments: (function(*arguments), die())
match {instant!r}:
    case "before the commit":
        store._db.set_trace_callback(lambda statement: statement == "COMMIT" and die())
    case "committed":
        tables.tell = die
    case "told":
        tables.tell = lambda table: setattr(store, "destroy_burnt", die)
    case "overwriting":
        import companion.storage.key_file
        companion.storage.key_file.sync = die
    case "destroyed":
        tables.tell = lambda table: setattr(store, "destroy_burnt", after(store.destroy_burnt))
tables.act(table, Seat(1), secret_ballot.Open())
"""


def before_the_burn(path: str | Path) -> tuple[Tables, str]:
    """A table with two slips in its box."""
    tables = tables_of(SqliteStore(path), {"secret_ballot": secret_ballot.GAME}, clock=lambda: 1_000.0)
    table = tables.open(secret_ballot.GAME, secret_ballot.Setup()).id
    for name in NAMES[:2]:
        tables.act(table, TABLE, AddPerson(name))
    tables.act(table, TABLE, Start())
    for seat, word in ((1, "aardvark"), (2, "zanzibar")):
        tables.act(table, Seat(seat), secret_ballot.Cast(word))
    return tables, table


@pytest.mark.parametrize("instant", ["before the commit", "committed", "told", "overwriting", "destroyed"])
def test_killed_in_the_middle_of_a_burn_all_of_it_has_happened_or_nothing(tmp_path, instant):
    path = tmp_path / "companion.sqlite"
    folders = {"tests": str(ROOT / "tests"), "plugin": str(ROOT / "tests" / "plugin")}
    script = textwrap.dedent(KILLED.format(path=str(path), instant=instant, **folders))
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    tables = tables_of(SqliteStore(path), {"secret_ballot": secret_ballot.GAME}, clock=lambda: 1_000.0)
    store = tables.store
    store.recover()
    (table,) = (row.id for row in store.tables())
    now = tables.reader.snapshot(table)
    assert now.burns == (instant != "before the commit")
    sealed = store.at(table, now.version - 1)
    assert (sealed.state is None) == now.burns
    slot = store._keys.slot(table)
    assert slot.burn_floor == now.burn_floor, "the old key is gone"
    if not now.burns:
        tables.act(table, Seat(1), secret_ballot.Open())
        assert store.at(table, now.version).state is None
    tables.act(table, Seat(1), secret_ballot.Cast("nightjar"))
    assert store.newest(table).state is not None
    store.close()


def test_two_burns_in_a_row_have_keys_of_their_own(store, tmp_path):
    store.commit(version_of(5, burn_floor=5))
    store.commit(version_of(6, burn_floor=6))  # the first one's key was not destroyed yet
    store.destroy_burnt("t")
    for version in (4, 5):
        assert store.at("t", version).state is None
    assert store.newest("t").state == b"state-6"
    again = SqliteStore(tmp_path / "store.sqlite")
    assert again.at("t", 5).state is None
    assert again.newest("t").state == b"state-6"
    again.close()


def test_a_key_that_cannot_be_destroyed_at_once_is_destroyed_later_and_the_burn_counts(store, monkeypatch):
    overwrite = KeyFile._overwrite

    def fails(*_: object) -> None:
        raise StoreTrouble("input/output error")

    monkeypatch.setattr(KeyFile, "_overwrite", fails)
    assert store.commit(version_of(5, burn_floor=5))
    store.destroy_burnt("t")
    with pytest.raises(StoreTrouble):
        store.commit(version_of(6, burn_floor=6))  # it would use the same key
    monkeypatch.setattr(KeyFile, "_overwrite", overwrite)
    store.maintain()
    assert store._keys.slot("t").burn_floor == 5
    assert store.commit(version_of(6, burn_floor=6))
    assert store.newest("t").state == b"state-6"


def test_keys_of_tables_that_are_gone_are_destroyed_at_the_start(store, tmp_path):
    keys = tmp_path / "store.keys"
    before = keys.read_bytes()
    store._db.execute("DELETE FROM versions WHERE table_id = 't'")
    store._db.execute("DELETE FROM tables WHERE id = 't'")
    store.recover()
    assert keys.read_bytes() == bytes(SLOT_BYTES) + before[SLOT_BYTES:]
    assert store.newest("u").state == b"state-4"
    assert store.open_table(TableRow("v", "EFGH", "game", 0.0), version_of(1, "v"))
    assert len(keys.read_bytes()) == 2 * SLOT_BYTES, "its place is used again"


def test_a_key_file_is_readable_by_its_owner_only(store, tmp_path):
    assert (tmp_path / "store.keys").stat().st_mode & 0o777 == 0o600


# -------------------------------------------------------------------------------- small, however long the evening


@pytest.fixture(scope="module")
def long_evening(tmp_path_factory) -> tuple[Tables, str]:
    """A score sheet with a thousand entries."""
    game = all_games()["score_sheet"]
    path = tmp_path_factory.mktemp("long") / "companion.sqlite"
    tables = tables_of(SqliteStore(path), {game.name: game}, clock=lambda: 1_000.0)
    table = tables.open(game, msgspec.convert({"mode": "running"}, game.setup)).id
    for name in NAMES[:4]:
        tables.act(table, TABLE, AddPerson(name))
    tables.act(table, TABLE, Start())
    for n in range(1_000):
        tables.act(table, Seat(n % 4 + 1), Enter(n * 7919 % 101), f"{n // 4}.form")
    yield tables, table
    tables.store.close()


def test_a_tap_costs_little_disk_at_any_length_of_the_evening(long_evening):
    tables, table = long_evening
    store = tables.store
    store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert store._path.stat().st_size / tables.reader.snapshot(table).version < 3_000
    assert len(store.newest(table).state) > 3_000, "while a whole state is longer than that"


def test_reading_any_version_takes_at_most_two_rows(long_evening):
    tables, table = long_evening
    store, asked = tables.store, []
    store.forget(None)
    store._db.set_trace_callback(asked.append)
    for version in (1, 2, 3, 500, 777, 1_000):
        asked.clear()
        assert store.at(table, version).version == version
        assert len(asked) <= 2
    store._db.set_trace_callback(None)


def test_other_tables_are_served_while_a_long_one_is_read(long_evening):
    tables, table = long_evening
    states = StoredStates(tables.reader.snapshot(table), tables.store)
    turns = []

    def other_tables() -> None:
        while True:
            turns.append(read)
            gevent.sleep(0)

    read, other = 0, gevent.spawn(other_tables)
    for _ in states:
        read += 1
    other.kill()
    assert read > 1_000
    assert max(after - before for before, after in pairwise(turns)) <= VERSIONS_PER_READ


def test_what_a_long_evening_held_is_what_was_committed(long_evening):
    tables, table = long_evening
    sheets = list(StoredStates(tables.reader.snapshot(table), tables.store))
    assert [len(sheet.notes) for sheet in sheets] == list(range(1_001))
    assert sheets[-1] == tables.reader.snapshot(table).state
    assert encode(sheets[-1]) == tables.store.newest(table).state


def test_deleting_a_night_gives_its_space_back(tmp_path):
    store = SqliteStore(tmp_path / "store.sqlite")
    store.open_table(TableRow("t", "ABCD", "game", 0.0), version_of(1))
    store.open_table(TableRow("u", "WXYZ", "game", 0.0), version_of(1, "u"))
    store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = (tmp_path / "store.sqlite").stat().st_size
    for version in range(2, 500):
        store.commit(version_of(version, state=os.urandom(500), lines=b'[[["%s"]]]' % (b"sparrow" * 100)))
    store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert (tmp_path / "store.sqlite").stat().st_size > 10 * before
    store.delete(["t"])
    assert (tmp_path / "store.sqlite").stat().st_size <= 2 * before
    assert store.newest("u").state == b"state-1"
    store.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "store.sqlite")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
