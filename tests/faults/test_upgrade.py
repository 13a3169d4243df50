"""Upgrading and rolling back: data of every earlier release works, and data of a newer one is left alone.

`tests/schemas/record.py` recorded a data folder and a PostgreSQL of each release that changed what is stored.
Databases from before the first release are in test_migration.py.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from here import ROOT, python_path

from companion.games import all_games
from companion.storage.schema import SCHEMA
from companion.testing import House, Person, Seated

RELEASES = sorted(
    (path for path in (ROOT / "tests" / "schemas").iterdir() if path.is_dir() and path.name[0].isdigit()),
    key=lambda path: [int(number) for number in path.name.split(".")],
)
POINTS = "4711"
"""What Ann wrote on the score sheet while the release was recorded."""

Upgraded = tuple[House, dict[str, dict[str, object]]]


@pytest.fixture
def at_home(tmp_path, cellar) -> Callable[[Path, str], Upgraded]:
    """A house with the data of a release, and the links from that time."""
    houses = []

    def unpack(release: Path, store: str) -> Upgraded:
        data = tmp_path / "data"
        data.mkdir()
        shutil.copy(release / "key", data / "key")
        database = None
        if store == "sqlite":
            with contextlib.closing(sqlite3.connect(data / "companion.sqlite")) as db:
                db.executescript((release / "sqlite.sql").read_text())
            shutil.copy(release / "sqlite.keys", data / "companion.keys")
        else:
            database = cellar.database()
            with psycopg.connect(database, autocommit=True) as db:
                db.execute((release / "postgresql.sql").read_text())
        houses.append(House(data, database=database))
        return houses[-1], json.loads((release / "links.json").read_text())[store]

    yield unpack
    for house in houses:
        if house.process is not None:
            house.kill()


def somebody(house: House, path: object) -> Seated:
    return Seated(house, Person(house.url), str(path))


def plays_on(house: House, links: dict[str, dict[str, object]]) -> None:
    """Check that every screen works, and that the score sheet and the ballot can go on."""
    assert set(all_games()) <= set(links)
    for table in links.values():
        for path in (table["shared"], *table["seats"]):
            assert somebody(house, path).page().status == 200
    ann, ben = (somebody(house, path) for path in links["score_sheet"]["seats"][:2])
    assert ben.shows(POINTS)
    assert ben.taps("Enter", points=815).status == 200
    assert ann.shows("815")
    ann, ben = (somebody(house, path) for path in links["secret_ballot"]["seats"][:2])
    assert ann.taps("Cast", word="owl").status == 422, "Ann's slip is still in the box"
    assert ben.taps("Cast", word="owl").status == 200
    assert ben.taps("Open").status == 200
    assert ann.shows("2 different words")


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_what_every_release_has_stored_is_played_on(at_home, release, store):
    house, links = at_home(release, store)
    plays_on(house.start(), links)
    assert house.stop() == 0
    assert "Traceback" not in house.log.read_text()


def upgrade(house: House) -> None:
    """Give the data a higher schema number, as a future version would."""
    if house.database:
        with psycopg.connect(house.database) as db:
            db.execute("ALTER TABLE companion.tables ADD COLUMN mood text; UPDATE companion.steps SET done = done + 1")
        return
    with contextlib.closing(sqlite3.connect(house.data / "companion.sqlite")) as db:
        db.execute("ALTER TABLE tables ADD COLUMN mood TEXT")
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}")


def refused(house: House, command: str, *arguments: str) -> str:
    """Return the error message of this command."""
    place = [f"--data-dir={house.data}", *([f"--database={house.database}"] if house.database else [])]
    done = subprocess.run(
        [sys.executable, "-m", "companion", command, *place, *arguments],
        env={"PYTHONPATH": python_path()}, capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_rolling_back_is_the_older_version_and_the_backup_from_before(at_home, cellar, tmp_path, store):
    house, links = at_home(RELEASES[-1], store)
    copy = tmp_path / "before.backup"
    house.command("backup", str(copy))
    upgrade(house)
    for command in (("play", "--port=0"), ("tables",), ("backup", str(tmp_path / "after.backup"))):
        said = refused(house, *command)
        assert "written by a newer companion" in said
        assert "restore the backup that you made before you upgraded" in said
    # As docs/operating.md says: move the newer data away, keep the key, and restore the backup into the empty place.
    again = House(tmp_path / "again", database=house.database and cellar.database())
    again.data.mkdir()
    shutil.copy(house.data / "key", again.data / "key")
    assert "is restored" in again.command("restore", str(copy))
    try:
        plays_on(again.start(), links)
    finally:
        again.kill()


def test_a_backup_of_a_newer_version_is_refused_with_a_sentence(at_home, tmp_path):
    house, _ = at_home(RELEASES[-1], "sqlite")
    copy = tmp_path / "newer.backup"
    house.command("backup", str(copy))
    with contextlib.closing(sqlite3.connect(copy)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    empty = House(tmp_path / "empty")
    empty.data.mkdir()
    assert "Restore it with that version." in refused(empty, "restore", str(copy))
