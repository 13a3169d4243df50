"""Tests that only concern PostgreSQL as the store."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading

import gevent
import psycopg
import pytest
from here import ROOT, python_path
from test_store import version_of

from companion.engine.store import StoreTrouble, TableRow
from companion.storage.postgres import PostgresStore
from companion.storage.schema import TooNew
from companion.testing import House, Person, Seated


class Wire(threading.Thread):
    """A connection to PostgreSQL: once `cut`, the next commit arrives, but its answer is lost."""

    def __init__(self, cellar, address: str) -> None:
        super().__init__(daemon=True)
        self.cut = False
        self.lost = 0
        self._there = str(cellar.folder / ".s.PGSQL.5432")
        self._listener = socket.create_server(("127.0.0.1", 0))
        name = psycopg.conninfo.conninfo_to_dict(address)["dbname"]
        self.address = f"postgresql://companion@127.0.0.1:{self._listener.getsockname()[1]}/{name}?sslmode=disable"
        self.start()

    def run(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                ours, _ = self._listener.accept()
                theirs = socket.socket(socket.AF_UNIX)
                theirs.connect(self._there)
                threading.Thread(target=self._ask, args=(ours, theirs), daemon=True).start()
                threading.Thread(target=self._answer, args=(ours, theirs), daemon=True).start()

    def _ask(self, ours: socket.socket, theirs: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := ours.recv(65_536):
                theirs.sendall(data)
            theirs.shutdown(socket.SHUT_WR)

    def _answer(self, ours: socket.socket, theirs: socket.socket) -> None:
        with contextlib.suppress(OSError), ours, theirs:
            while data := theirs.recv(65_536):
                if self.cut and b"pg_notify" in data:
                    self.cut, self.lost = False, self.lost + 1
                    ours.shutdown(socket.SHUT_RDWR)
                    return
                ours.sendall(data)

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def address(cellar) -> str:
    return cellar.database()


@pytest.fixture
def store(address, tmp_path):
    store = PostgresStore(address, tmp_path / "key")
    assert store.open_table(TableRow("t", "ABCD", "game", 0.0), version_of(1))
    yield store
    store.close()


def test_connections_that_were_ended_are_made_again(store):
    with psycopg.connect(store.address, autocommit=True) as db:
        db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
    assert store.commit(version_of(2))
    assert store.newest("t").version == 2


def test_a_commit_whose_answer_was_lost_is_recognised_as_ours(cellar, store, tmp_path):
    wire = Wire(cellar, store.address)
    far = PostgresStore(wire.address, tmp_path / "key")
    wire.cut = True
    assert far.commit(version_of(2, tap="1.a"))
    assert wire.lost == 1
    wire.cut = True
    assert not far.commit(version_of(2, who=7)), "somebody was quicker"
    assert [version for version, _ in store.steps("t")] == [1, 2]
    far.close()
    wire.close()


def test_greenlets_wait_for_postgresql_side_by_side(store):
    with psycopg.connect(store.address) as db:
        db.execute("LOCK TABLE companion.memory")
        slow = gevent.spawn(store.remember, "key", b"value")
        assert gevent.spawn(store.newest, "t").get(timeout=30).version == 1
        assert not slow.ready()
    slow.get(timeout=30)
    assert store.recall("key") == b"value"


def test_open_connections_work_while_new_ones_are_refused(cellar, address, store):
    """As if all of PostgreSQL's connections were in use."""
    name = psycopg.conninfo.conninfo_to_dict(address)["dbname"]
    assert store.recall("bird") is None
    with cellar.connect() as db:
        db.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
        busy = gevent.spawn(store.pool.run, lambda line: line.execute("SELECT 1"))
        gevent.sleep(0)
        with pytest.raises(StoreTrouble):
            store.recall("bird")  # the only one is busy, and it is free again before this is turned away
        busy.get()
        assert store.recall("bird") is None
        db.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")


def test_the_store_fails_while_postgresql_is_down_and_recovers(cellar, store):
    cellar.stop()
    with pytest.raises(StoreTrouble):
        store.commit(version_of(2))
    with pytest.raises(StoreTrouble):
        store.newest("t")
    cellar.start()
    assert store.commit(version_of(2))


def test_a_tap_while_postgresql_is_away_is_answered_with_a_sentence(cellar, tmp_path):
    house = House(tmp_path / "data", database=cellar.database()).start()
    table = house.opens("score_sheet", mode="running")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    stream = table["Ben"].listens()
    cellar.stop()
    refused = table["Ann"].taps("Enter", tap_id="0.1", points=5)
    assert refused.status == 503
    assert "We can't save right now" in refused.message
    assert table["Ann"].client.get(table["Ann"].path).status_code == 503
    cellar.start()
    assert table["Ann"].taps("Enter", tap_id="0.1", points=5).status == 200
    stream.until("Ann: +5.")
    house.stop()
    assert "Traceback" not in house.log.read_text()


def test_a_notification_that_is_not_ours_does_no_harm(cellar, tmp_path):
    """Anybody who can connect to the database can notify us."""
    houses = [House(tmp_path / "data", database=address).start() for address in [cellar.database()] * 2]
    table = houses[0].opens("score_sheet", mode="running")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    far = Seated(houses[1], Person(houses[1].url), table["Ben"].path).listens()
    with psycopg.connect(houses[0].database, autocommit=True) as db:
        for message in ("", "nonsense", "a b c", "a 0 0", "try open", "try climb up", "x" * 5000):
            db.execute("SELECT pg_notify('companion', %s)", (message,))
    for n in range(3):
        assert table["Ann"].taps("Enter", tap_id=f"{n}.1", points=n + 1).status == 200
        far.until(f"+{n + 1}.")
    for house in houses:
        house.stop()
    assert "notifications of other processes arrive again" not in houses[0].log.read_text()


def test_a_database_from_a_newer_companion_is_left_alone(address, tmp_path):
    PostgresStore(address, tmp_path / "key").close()
    with psycopg.connect(address) as db:
        db.execute("UPDATE companion.steps SET done = 999")
    with pytest.raises(TooNew):
        PostgresStore(address, tmp_path / "key")
    said = play(address)
    assert "written by a newer companion" in said


def test_a_database_that_is_not_there_is_said(cellar):
    assert "PostgreSQL can't be reached" in play(cellar.address("nowhere"))


def test_an_unknown_database_is_refused_with_the_supported_ones():
    assert "an SQLite file, or postgresql://" in play("mysql://somewhere")


def test_without_its_package_postgresql_says_what_to_install():
    # As in an installation without the extra: the package cannot be found.
    hidden = "import sys; sys.modules['psycopg'] = None; from companion.cli import main; main()"
    assert "pip install 'companion-table[server]'" in play("postgresql://somewhere", "-c", hidden)


def play(address: str, *program: str) -> str:
    """Return what `companion play` prints when it can't start."""
    done = subprocess.run(
        [sys.executable, *(program or ("-m", "companion")), "play", "--port=0", "--database", address],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": python_path(), "HOME": "/nowhere"},
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    return done.stderr
