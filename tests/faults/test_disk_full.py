"""The disk is full: the companion says so, nothing breaks, and it goes on when there is space again."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from crowd import Crowd

from companion.engine.snapshot import as_data
from companion.games import all_games
from companion.testing import House, Table, typed, wait_until

SIZE = 6 << 20
SETUP = typed(as_data(all_games()["score_sheet"].setup()))


class SmallDisk:
    """A disk of a few megabytes, mounted in its own namespace."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        as_root = [] if os.getuid() == 0 else ["--user", "--map-root-user"]
        mount = f'mount -t tmpfs -o size={SIZE},mode=0700 tmpfs "{folder}" && echo mounted && exec sleep infinity'
        self._holder = subprocess.Popen(
            ["unshare", *as_root, "--mount", "sh", "-c", mount], stdout=subprocess.PIPE, text=True
        )
        assert self._holder.stdout.readline() == "mounted\n"
        pid = self._holder.pid
        self.inside = ("nsenter", "-t", str(pid), "--mount", *(["--user", "--preserve-credentials"] if as_root else []))
        self.folder = folder
        self._seen_from_here = Path(f"/proc/{pid}/root{folder}")
        self._filler = self._seen_from_here / "filler"

    def fill(self) -> None:
        """Fill the disk to the last byte."""
        with self._filler.open("ab", buffering=0) as file, contextlib.suppress(OSError):
            for size in (65_536, 4_096, 1):
                with contextlib.suppress(OSError):
                    while True:
                        file.write(b"x" * size)

    def make_room(self) -> None:
        self._filler.unlink()

    @property
    def log(self) -> int:
        """Return the size of the database's write-ahead log."""
        return (self._seen_from_here / "data" / "companion.sqlite-wal").stat().st_size

    def copy(self, target: Path) -> Path:
        shutil.copytree(self._seen_from_here / "data", target)
        return target

    def close(self) -> None:
        self._holder.kill()
        self._holder.wait()
        self._holder.stdout.close()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    disk = SmallDisk(tmp_path / "disk")
    yield disk
    disk.close()


@pytest.fixture
def cramped(disk: SmallDisk, tmp_path: Path) -> Iterator[House]:
    house = House(disk.folder / "data", COMPANION_TRIES="1000000")
    house.inside = disk.inside
    house.log = tmp_path / "cramped.log"
    yield house.start()
    house.kill()


def starts_a_sheet(house: House) -> Table:
    table = house.opens("score_sheet", mode="running")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    return table


def writes_down(table: Table, until: Callable[[int], bool]) -> None:
    """Tap until a reply has this status."""
    while not until(table["Ann"].taps("Enter", points=1).status):
        pass


def is_whole(data: Path) -> bool:
    with contextlib.closing(sqlite3.connect(data / "companion.sqlite")) as db:
        return db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_full_disk_is_said_clearly_and_nothing_is_lost_or_doubled(disk, cramped, tmp_path):
    with Crowd(cramped) as crowd:
        for n in range(3):
            disk.fill()
            for tapper in crowd.tappers:
                tapper.refused.clear()
            wait_until(lambda: all(tapper.refused for tapper in crowd.tappers), "everybody is refused")
            assert {refusal for tapper in crowd.tappers for refusal in tapper.refused} == {
                (
                    503,
                    "We can't save right now. The disk may be full, or the database can't be reached. Nothing has changed. Please try again.",
                )
            }
            # All pages still load, and opening another table is refused with the same sentence.
            for watcher in crowd.watchers:
                assert watcher.seat.page().status == 200
            assert cramped.visitor().post("/new/score_sheet", data=SETUP).status_code == 503
            assert is_whole(disk.copy(tmp_path / f"full{n}"))
            disk.make_room()
            crowd.go_on()
        crowd.rests()
        crowd.screens_are_right(since=time.monotonic())
        crowd.nothing_is_lost_or_doubled()
    assert cramped.stop() == 0
    assert is_whole(disk.copy(tmp_path / "after"))
    cramped.start()
    crowd.nothing_is_lost_or_doubled()
    assert "ZeroDivision" not in cramped.log.read_text()
    assert "a bug, not a refusal" not in cramped.log.read_text()


def test_a_ballot_box_on_a_full_disk_is_opened_wholly_or_not_at_all(disk, cramped, tmp_path):
    table = cramped.opens("secret_ballot")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    for somebody, word in zip(table, ("aardvark", "zanzibar"), strict=True):
        assert somebody.presses("DONE", word=word).status == 200
    disk.fill()
    shown = table.shared.screen()
    assert table.shared.presses("Open the box").status == 503
    assert table.shared.screen() == shown
    disk.make_room()
    assert table.shared.presses("Open the box").status == 200
    assert table.shared.shows("The box is opened: 2 different words.")
    kept = b"".join(path.read_bytes() for path in disk.copy(tmp_path / "after").iterdir())
    assert b"zanzibar" not in kept
    assert b"aardvark" not in kept


def test_an_alarm_that_could_not_be_kept_rings_when_there_is_room(disk, cramped):
    table = cramped.opens("secret_ballot")
    for name in ("Ann", "Ben"):
        table.sits(name)
    table.starts()
    sheet, stream = starts_a_sheet(cramped), table["Ben"].listens()
    assert table["Ann"].taps("Hurry", seconds=8).status == 200
    disk.fill()
    # A full disk is no problem while the write-ahead log can reuse its pages.
    writes_down(sheet, until=lambda status: status == 503)
    wait_until(lambda: "has to wait: the store cannot be used" in cramped.log.read_text(), "the alarm waits")
    assert table["Ben"].page().status == 200
    disk.make_room()
    stream.until("Time is up.")


def test_a_companion_that_finds_a_full_disk_says_so(disk, cramped):
    table = cramped.opens("score_sheet")
    assert cramped.stop() == 0
    disk.fill()
    with pytest.raises(AssertionError, match=r"can't be opened: .*disk") as refused:
        cramped.start()
    assert "trouble" not in str(refused.value)
    disk.make_room()
    cramped.start()
    assert table.shared.page().status == 200


def test_a_companion_killed_on_a_full_disk_starts_again_and_can_be_looked_at(disk, cramped):
    table = starts_a_sheet(cramped)
    disk.fill()
    cramped.kill()
    cramped.start()
    disk.fill()  # cleaning up at the start has freed some space
    assert table.shared.page().status == 200
    writes_down(table, until=lambda status: status == 503)
    disk.make_room()
    assert table["Ann"].taps("Enter", points=1).status == 200
