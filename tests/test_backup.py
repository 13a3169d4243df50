"""companion backup, restore and new-key: while people play, and from and to either store."""

from __future__ import annotations

import contextlib
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from here import ROOT

from companion.storage.key_file import KeyFile
from companion.storage.sealing import Secret
from companion.testing import NAMES, House, Person, Seated


@pytest.fixture
def restored(tmp_path, cellar):
    """Restore a backup into another folder, and start a companion there."""
    houses = []

    def restore(copy: Path, key: Path | None, *, into: str) -> tuple[House, str]:
        house = House(tmp_path / f"again{len(houses)}", database=cellar.database() if into == "postgresql" else None)
        house.data.mkdir()
        if key:
            shutil.copy(key, house.data / "key")
        said = house.command("restore", str(copy))
        houses.append(house.start())
        return house, said

    yield restore
    for house in houses:
        house.kill()


def sheet_with_points(house: House):
    table = house.opens("score_sheet", mode="running")
    for name in NAMES[:2]:
        table.sits(name)
    table.starts()
    assert table["Ann"].taps("Enter", points=3).status == 200
    return table


@pytest.mark.parametrize("into", ["sqlite", "postgresql"])
@pytest.mark.store("sqlite", "postgresql")
def test_a_backup_while_people_tap_and_vote_is_whole_and_plays_on(own_house, tmp_path, restored, into):
    table, ballots = sheet_with_points(own_house), own_house.opens("secret_ballot", rounds=9)
    for name in ("Ida", "Jo"):
        ballots.sits(name)
    ballots.starts()
    done, taps = threading.Event(), []

    def tap() -> None:
        while not done.is_set():
            assert table["Ann"].taps("Enter", tap_id=f"{len(taps) + 1}.1", points=1).status == 200
            for name in ("Ida", "Jo"):
                ballots[name].taps("Cast", word="nightjar")
            ballots["Ida"].taps("Open")
            taps.append(1)

    tapping = threading.Thread(target=tap)
    tapping.start()
    copies = [tmp_path / "safe" / f"{n}.backup" for n in range(3)]
    try:
        for copy in copies:
            before = len(taps)
            assert "has everything" in own_house.command("backup", str(copy))
            assert len(taps) > before, "nobody had to wait"
    finally:
        done.set()
        tapping.join()
    for copy in copies:
        assert copy.stat().st_mode & 0o077 == 0
        assert b"nightjar" not in copy.read_bytes()
        with contextlib.closing(sqlite3.connect(copy)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    house, said = restored(copies[-1], own_house.data / "key", into=into)
    assert "can't be opened" not in said
    ann = Seated(house, Person(house.url), table["Ann"].path)
    assert ann.shows("Ann: +1.")
    assert ann.taps("Enter", tap_id="99.1", points=5).status == 200
    assert Seated(house, Person(house.url), ballots["Jo"].path).page().status == 200


def test_without_keys_a_backup_has_results_and_histories_only(own_house, tmp_path, restored):
    table = sheet_with_points(own_house)
    assert table.shared.taps("Finish").status == 200
    copy = tmp_path / "public.backup"
    assert "results and histories" in own_house.command("backup", str(copy), "--without-keys")
    with contextlib.closing(sqlite3.connect(copy)) as db:
        assert db.execute("SELECT count(*) FROM keys").fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM versions WHERE sealed IS NOT NULL").fetchone() == (0,)
    house, said = restored(copy, own_house.data / "key", into="sqlite")
    assert "histories: 1." in said
    assert house.visitor().get(table.shared.path).status_code == 410
    night = house.visitor().get(f"{table.shared.path}/night").text
    one = re.search(r"/night/(\w+)", night).group(1)
    past = house.visitor().get(f"{table.shared.path}/night/{one}").text
    assert "Ann" in past
    assert "+3" in past


def test_without_its_key_file_a_backup_is_not_restored(own_house, tmp_path, restored):
    sheet_with_points(own_house)
    copy = tmp_path / "everything.backup"
    own_house.command("backup", str(copy))
    with pytest.raises(AssertionError, match="doesn't belong to this backup"):
        restored(copy, None, into="sqlite")


def test_a_backup_is_restored_where_a_companion_has_run_and_other_keys_lie(own_house, tmp_path):
    table = sheet_with_points(own_house)
    copy = tmp_path / "a b#1.backup"
    own_house.command("backup", str(copy))
    elsewhere = House(tmp_path / "elsewhere")
    elsewhere.data.mkdir()
    shutil.copy(own_house.data / "key", elsewhere.data / "key")
    elsewhere.start()
    elsewhere.stop()
    if not own_house.database:
        shutil.copy(own_house.data / "companion.keys", elsewhere.data / "companion.keys")
    elsewhere.command("restore", str(copy))
    elsewhere.start()
    try:
        assert Seated(elsewhere, Person(elsewhere.url), table["Ann"].path).shows("Ann: +3.")
    finally:
        elsewhere.kill()


def test_a_backup_goes_into_an_empty_place_only_and_must_be_one(own_house, tmp_path):
    sheet_with_points(own_house)
    copy = tmp_path / "copy"
    own_house.command("backup", str(copy))
    (tmp_path / "no backup").write_text("dear diary")
    for source, why in ((copy, "There are already tables"), (tmp_path / "no backup", "is not a backup")):
        with pytest.raises(AssertionError, match=why):
            own_house.command("restore", str(source))


def test_a_backup_of_an_earlier_companion_is_restored_and_sealed(tmp_path, restored):
    copy = tmp_path / "old.backup"
    with contextlib.closing(sqlite3.connect(copy)) as old:
        old.executescript((ROOT / "tests" / "schemas" / "sqlite-2.sql").read_text())
    house, _ = restored(copy, None, into="sqlite")
    assert house.command("tables").count("score_sheet") == 2


def test_a_new_key_wraps_every_key_again(own_house):
    table = sheet_with_points(own_house)
    own_house.stop()
    own_house.command("new-key", "--drop-older")
    if not own_house.database:
        assert KeyFile(own_house.data / "companion.keys", Secret(own_house.data / "key")).slot(table.id) is not None
    own_house.start()
    assert "Ann, Ben" in own_house.command("tables")
    assert own_house.visitor().get(table.shared.path).status_code == 403


@pytest.mark.store("sqlite")
def test_a_target_that_cannot_be_written_is_named(own_house):
    done = subprocess.run(
        [sys.executable, "-m", "companion", "backup", f"--data-dir={own_house.data}", "/dev/full/copy"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
