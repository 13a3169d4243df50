"""The contract that every store fulfils."""

from __future__ import annotations

import contextlib
import sqlite3

import msgspec
import pytest

from companion.engine.store import TableHead, TableRow, Version
from companion.storage.postgres import PostgresStore
from companion.storage.schema import TooNew
from companion.storage.sqlite import SqliteStore
from companion.testing.house import every_row


@pytest.fixture(params=["sqlite", "postgresql"])
def open_store(request, tmp_path):
    """A function that opens the store of this test; it can be called several times."""
    opened = []
    address = request.getfixturevalue("cellar").database() if request.param == "postgresql" else None

    def open_store():
        opened.append(PostgresStore(address, tmp_path / "key") if address else SqliteStore(tmp_path / "store.sqlite"))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store):
    return open_store()


@pytest.fixture
def kept(store, tmp_path):
    """Return every stored byte: SQLite's raw files, or every row of PostgreSQL."""

    def raw_files() -> bytes:
        return b"".join(path.read_bytes() for path in tmp_path.iterdir())

    return (lambda: every_row(store.address)) if isinstance(store, PostgresStore) else raw_files


def version_of(version: int, **changes) -> Version:
    made = Version(
        table="t", version=version, room=b"{}", state=f"state-{version}".encode(), step=version, parent=None, burn_floor=0,
        who=1, at=float(version), tap=None, lines=b'[[["hello"]]]',
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


def test_a_commit_waits_for_the_disk(store):
    if isinstance(store, PostgresStore):
        assert store.pool.run(lambda db: db.execute("SHOW synchronous_commit").fetchone()) == ("on",)
    else:
        assert store._db.execute("PRAGMA synchronous").fetchone() == (2,), "not FULL"
        assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.fixture
def table(store):
    assert store.open_table(TableRow("t", "ABCD", "game", 0.0), version_of(1))
    return store


def test_a_table_is_found_by_its_id_and_by_its_code(table):
    assert table.table("t") == table.table_by_code("ABCD") == TableRow("t", "ABCD", "game", 0.0, night="t")
    assert table.table("x") is None
    assert table.table_by_code("WXYZ") is None


def test_a_code_that_is_taken_opens_no_second_table(table):
    assert not table.open_table(TableRow("u", "ABCD", "game", 0.0), version_of(1, table="u"))
    assert table.newest("u") is None


def test_the_newest_version_is_the_table(table):
    assert table.commit(version_of(2))
    assert table.newest("t").version == 2
    assert table.at("t", 1).state == b"state-1"
    with pytest.raises(LookupError):
        table.at("t", 3)


def test_of_two_commits_on_the_same_version_one_is_told_to_look_again(table):
    assert table.commit(version_of(2, who=1))
    assert not table.commit(version_of(2, who=2))
    assert table.newest("t").who == 1


def test_a_tap_is_kept_once(table):
    assert table.commit(version_of(2, tap="1.7.abc"))
    assert not table.commit(version_of(3, tap="1.7.abc"))
    assert table.with_tap("t", "1.7.abc").version == 2
    assert table.with_tap("t", "other") is None


def test_a_table_s_newest_version_number_is_known_without_reading_it(table):
    table.open_table(TableRow("u", "ABCD.2", "game", 1.0, night="t"), version_of(1, table="u"), after="t")
    table.commit(version_of(2, burn_floor=2))
    assert table.heads(["t", "u", "x"]) == {"t": TableHead(2, 2, "u"), "u": TableHead(1, 0, None)}
    table.delete(["t"])
    assert table.heads(["t", "u"]) == {"t": TableHead(0, 0, "u"), "u": TableHead(1, 0, None)}
    table.delete(["u"])
    assert table.heads(["t", "u"]) == {}


def test_nothing_is_added_to_a_table_that_was_deleted_or_archived(table):
    table.open_table(TableRow("u", "WXYZ", "game", 1.0), version_of(1, table="u"))
    table.delete(["t"])
    table.archive({"u": b"ann won"})
    assert not table.commit(version_of(2))
    assert not table.commit(version_of(2, table="u"))
    assert table.newest("t") is table.newest("u") is None


def test_an_invisible_character_does_no_harm(table):
    assert table.table_by_code("AB\0CD") is None
    assert table.commit(version_of(2, tap="1.\0"))
    assert table.with_tap("t", "1.\0").version == 2
    assert not table.commit(version_of(3, tap="1.\0"))


def test_of_two_archives_the_first_counts(table):
    table.archive({"t": b"ann won"})
    table.archive({"t": b""})
    assert table.result("t") == b"ann won"


def test_the_history_is_newest_first_and_leaves_out_silence(table):
    table.commit(version_of(2, lines=b"[]"))
    table.commit(version_of(3))
    assert [entry.version for entry in table.history("t")] == [3, 1]
    assert [entry.version for entry in table.history("t", before=3)] == [1]
    assert [entry.version for entry in table.history("t", limit=1)] == [3]


def test_burning_destroys_every_earlier_state_and_keeps_the_lines(table, kept):
    for version in range(2, 40):
        table.commit(version_of(version, state=f"nightjar-{version}".encode() * 50, tap=f"tap{version}"))
    table.commit(version_of(40, state=b"ash", burn_floor=40))
    table.destroy_burnt("t")
    assert b"ash" not in kept(), "nothing is stored in the clear"
    assert table.at("t", 39).state is None
    assert table.at("t", 39).room is None
    assert table.with_tap("t", "tap39") is None
    assert table.newest("t").state == b"ash"
    assert len(table.history("t")) == 40
    assert b"nightjar" not in kept()


def test_what_commit_confirmed_is_there_for_everybody_who_opens_the_store(table, open_store):
    assert table.commit(version_of(2))
    assert open_store().newest("t").version == 2
    assert table.commit(version_of(3, burn_floor=3))
    assert open_store().newest("t").version == 3


def test_burning_one_table_leaves_the_others_alone(table, kept):
    table.open_table(TableRow("u", "WXYZ", "game", 0.0), version_of(1, table="u", state=b"kestrel"))
    table.commit(version_of(2, state=b"wren" * 100))
    table.commit(version_of(3, burn_floor=3))
    table.destroy_burnt("t")
    assert table.newest("u").state == b"kestrel"
    table.commit(version_of(4, state=b"robin" * 100))
    table.commit(version_of(5, burn_floor=5))
    table.destroy_burnt("t")
    assert b"wren" not in kept()
    assert b"robin" not in kept()


def test_an_alarm_is_due_when_its_time_has_come_and_stays_until_it_is_switched_off(table):
    table.commit(version_of(2), alarm=100.0)
    table.commit(version_of(3))
    assert table.due_alarms(99.0) == []
    assert table.due_alarms(100.0) == ["t"]
    table.commit(version_of(4), alarm=None)
    assert table.due_alarms(1000.0) == []


def test_what_an_installation_remembers_outlives_a_restart(open_store):
    store = open_store()
    store.remember("setup.game", b"1")
    store.remember("setup.game", b"2")
    store.close()
    again = open_store()
    assert again.recall("setup.game") == b"2"
    assert again.recall("nothing") is None


# -------------------------------------------------------------------------------- nights


def test_a_table_that_follows_another_belongs_to_its_night(table):
    assert table.open_table(TableRow("u", "ABCD.2", "game", 1.0, night="t"), version_of(1, table="u"), after="t")
    assert table.table("t").next == "u"
    assert [found.id for found in table.tables("t")] == ["t", "u"]


def test_only_one_table_follows(table):
    assert table.open_table(TableRow("u", "ABCD.2", "game", 1.0, night="t"), version_of(1, table="u"), after="t")
    assert not table.open_table(TableRow("v", "ABCD.3", "game", 1.0, night="t"), version_of(1, table="v"), after="t")
    assert table.table("v") is None
    assert table.newest("v") is None


def test_a_deleted_table_is_gone_from_the_raw_file_too(table, kept):
    table.open_table(TableRow("u", "WXYZ", "game", 0.0), version_of(1, table="u", state=b"kestrel" * 50))
    for version in range(2, 60):
        table.commit(
            version_of(
                version, state=f"nightjar-{version}".encode() * 40, lines=b'[[["sparrow"]]]', tap=f"heron{version}"
            )
        )
    table.commit(version_of(60), alarm=9.0)
    assert b"sparrow" in kept(), "lines are public"
    table.delete(["t"])
    for word in (b"nightjar", b"sparrow", b"heron", b"ABCD"):
        assert word not in kept()
    assert table.table("t") is None
    assert table.due_alarms(1e12) == []
    assert table.newest("u").state == b"kestrel" * 50


def chain(store) -> None:
    for place, (one, before) in enumerate([("u", "t"), ("v", "u")], 2):
        assert store.open_table(
            TableRow(one, f"ABCD.{place}", "game", 1.0, night="t"), version_of(1, table=one), after=before
        )


def test_a_deleted_table_in_the_middle_leaves_a_forwarding_address_only(table):
    chain(table)
    table.delete(["t", "u"])
    assert table.table("t").next == "u"
    assert table.table("u") == TableRow("u", "ABCD.2", "", 0.0, night="t", next="v")
    assert table.newest("u") is None


def test_without_the_last_table_of_a_night_the_one_before_is_the_last(table):
    chain(table)
    table.delete(["u"])
    table.delete(["v"])
    assert [found.id for found in table.tables()] == ["t"]
    assert table.table("t").next is None
    table.delete(["t"])
    assert list(table.tables()) == []


def test_an_archived_table_keeps_its_result_and_nothing_else(table, kept):
    for version in range(2, 9):
        table.commit(version_of(version, state=f"nightjar-{version}".encode() * 40))
    table.archive({"t": b"ann won"})
    assert table.result("t") == b"ann won"
    assert table.newest("t") is None
    assert table.table("t").code == "ABCD"
    assert b"nightjar" not in kept()


def test_a_file_from_a_newer_companion_is_left_alone(tmp_path):
    path = tmp_path / "store.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 999")
    with pytest.raises(TooNew):
        SqliteStore(path)
    with contextlib.closing(sqlite3.connect(path)) as newer:
        assert newer.execute("PRAGMA user_version").fetchone() == (999,)
