"""The contract of a store, kept by every store."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.sqlite import SqliteStore
from companion.engine.store import Row, TableRow


@pytest.fixture
def store(tmp_path):
    store = SqliteStore(tmp_path / "store.sqlite")
    yield store
    store.close()


def row(version: int, **changes) -> Row:
    made = Row(
        table="t", version=version, room=b"{}", state=f"state-{version}".encode(), step=version, parent=None, floor=0,
        who=1, at=float(version), tap=None, lines=b'[[["hello"]]]',
    )  # fmt: skip
    return msgspec.structs.replace(made, **changes)


@pytest.fixture
def table(store):
    assert store.open_table(TableRow("t", "ABCD", "game", 0.0), row(1))
    return store


def test_a_table_is_found_by_its_id_and_by_its_code(table):
    assert table.table("t") == table.table_by_code("ABCD") == TableRow("t", "ABCD", "game", 0.0)
    assert table.table("x") is None
    assert table.table_by_code("WXYZ") is None


def test_a_code_that_is_taken_opens_no_second_table(table):
    assert not table.open_table(TableRow("u", "ABCD", "game", 0.0), row(1, table="u"))
    assert table.newest("u") is None


def test_the_newest_version_is_the_table(table):
    assert table.commit(row(2))
    assert table.newest("t").version == 2
    assert table.at("t", 1).state == b"state-1"
    with pytest.raises(LookupError):
        table.at("t", 3)


def test_of_two_commits_on_the_same_version_one_is_told_to_look_again(table):
    assert table.commit(row(2, who=1))
    assert not table.commit(row(2, who=2))
    assert table.newest("t").who == 1


def test_a_tap_is_kept_once(table):
    assert table.commit(row(2, tap="1.7.abc"))
    assert not table.commit(row(3, tap="1.7.abc"))
    assert table.with_tap("t", "1.7.abc").version == 2
    assert table.with_tap("t", "other") is None


def test_the_history_is_newest_first_and_leaves_out_silence(table):
    table.commit(row(2, lines=b"[]"))
    table.commit(row(3))
    assert [entry.version for entry in table.history("t")] == [3, 1]
    assert [entry.version for entry in table.history("t", before=3)] == [1]
    assert [entry.version for entry in table.history("t", limit=1)] == [3]


def test_burning_destroys_every_earlier_state_and_keeps_the_lines(table, tmp_path):
    for version in range(2, 40):
        table.commit(row(version, state=f"nightjar-{version}".encode() * 50, tap=f"tap{version}"))
    table.commit(row(40, state=b"ash", floor=40), burn=True)
    assert table.at("t", 39).state is None
    assert table.at("t", 39).tap is None
    assert table.newest("t").state == b"ash"
    assert len(table.history("t")) == 40
    on_disk = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"nightjar" not in on_disk


def test_burning_one_table_leaves_the_others_alone(table, tmp_path):
    table.open_table(TableRow("u", "WXYZ", "game", 0.0), row(1, table="u", state=b"kestrel"))
    table.commit(row(2, state=b"wren" * 100))
    table.commit(row(3, floor=3), burn=True)
    assert table.newest("u").state == b"kestrel"
    table.commit(row(4, state=b"robin" * 100))
    table.commit(row(5, floor=5), burn=True)
    on_disk = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"wren" not in on_disk
    assert b"robin" not in on_disk


def test_an_alarm_is_due_when_its_time_has_come_and_goes_with_the_next_version(table):
    table.commit(row(2), alarm=100.0)
    assert table.due_alarms(99.0) == []
    assert table.due_alarms(100.0) == ["t"]
    assert table.next_alarm() == 100.0
    table.commit(row(3))
    assert table.due_alarms(1000.0) == []


def test_what_an_installation_remembers_outlives_a_restart(store, tmp_path):
    store.remember("setup.game", b"1")
    store.remember("setup.game", b"2")
    store.close()
    again = SqliteStore(tmp_path / "store.sqlite")
    assert again.recall("setup.game") == b"2"
    assert again.recall("nothing") is None
    again.close()
