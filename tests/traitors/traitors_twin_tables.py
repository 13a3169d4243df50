"""Two servers with the same table but different secrets. Everything they send is compared byte for byte."""

from __future__ import annotations

import random
import re
import shutil
import socket
import zlib
from collections.abc import Collection
from pathlib import Path

from msgspec.structs import replace
from traitors_talk import GAME
from werkzeug.test import TestResponse

from companion.app import create_app
from companion.engine.links import WATCHER, Link
from companion.engine.room_rules import AddPerson, GiveHost, Start
from companion.engine.snapshot import Snapshot, as_data, encode
from companion.engine.store import Version
from companion.game import TABLE, Dice, Game, Seat, Tap
from companion.games.traitors.setup import Setup
from companion.games.traitors.state import Evening
from companion.live.hub import Hub
from companion.storage.key_file import Slot
from companion.testing import NAMES
from companion.web.own_regions import Viewer

BASE = "http://192.0.2.1:8000"


class Side:
    """One of the two servers, with its own file and without a network."""

    def __init__(self, folder: Path, game: Game) -> None:
        self.app = create_app(folder, games={"traitors": game}, address="192.0.2.1", port=8000)
        self.services = self.app.extensions["companion"]
        self.tables = self.services.tables
        self.client = self.app.test_client(use_cookies=False)
        self.hub = Hub(self.services.screens.draw)
        self.wires: dict[Link, socket.socket] = {}
        # Time passes only when it has to, so that no alarm tells the two apart.
        self.time = 1_000.0
        self.keys_before: dict[int, Slot] = {}
        """A version -> the keys of this table before it was made."""
        self.tables.time = lambda: self.time

    def sits_down(self, table: str, chance: int) -> None:
        """Use this table, with the same dice on both sides."""
        dice = Dice(random.Random(chance))
        self.tables._dice = lambda: dice
        self.leaves()
        self.table = table
        self.keys_before.clear()

    def leaves(self) -> None:
        self.hub.stop()
        for wire in self.wires.values():
            wire.close()
        self.wires.clear()

    @property
    def now(self) -> Snapshot:
        return self.tables.reader.snapshot(self.table)

    def link(self, seat: int) -> Link:
        generation = self.now.room.person(Seat(seat)).generation if seat > 0 else 1
        return Link(self.table, Seat(seat), generation)

    def path(self, seat: int) -> str:
        """Where this seat taps: its own link, or the shared screen passed to it."""
        door = {TABLE: "x", WATCHER: "w"}.get(Seat(seat), "s")
        if seat > 0 and not self.now.room.person(Seat(seat)).phone:
            return f"{self.path(TABLE)}/seat/{seat}"
        link = self.link(seat)
        return f"/{door}/{self.services.links.sign(link.table, link.seat, link.generation)}"

    def taps(self, seat: int, tap: Tap, *, scripts: bool = True) -> TestResponse:
        self._note_keys()
        form = {key: str(value) for key, value in as_data(tap).items() if value is not None}
        form["tap"] = kind = str(tap.__struct_config__.tag)
        form["tap_id"] = f"{self.now.room.taps_of(Seat(seat))}.{zlib.crc32(kind.encode()):x}"
        return self.client.post(self.path(seat), data=form, headers={"HX-Request": "true"} if scripts else {})

    def wakes(self) -> None:
        """Let the alarm of the table go off, if it has one."""
        self._note_keys()
        self.time = max(self.time, self.now.room.alarm_at or 0)
        self.tables.wake(self.table)

    def _note_keys(self) -> None:
        self.keys_before[self.now.version + 1] = self.tables.store._keys.slot(self.table)

    def holds(self, row: Version) -> None:
        """Replace the newest version in the file, and empty the caches."""
        store = self.tables.store
        store._db.execute("DELETE FROM versions WHERE table_id = ? AND version >= ?", (row.table, row.version))
        store.forget(None)
        if row.version in self.keys_before:  # one side may have burnt where the other has not
            store._keys._write({row.table: self.keys_before[row.version]})
        assert store.commit(row)
        store.destroy_burnt(row.table)
        self.tables.reader.cache.clear()
        self.services.renderer.memo.clear()

    # ---------------------------------------------------------------- what goes out

    def shows(self, seats: Collection[int]) -> dict[str, object]:
        """Everything these seats see now: the page, new stream frames, and a passed screen."""
        found: dict[str, object] = {}
        for seat in seats:
            person = self.now.room.person(Seat(seat)) if seat > 0 else None
            if person is None or person.phone:
                found[f"page {seat}"] = answer(self.client.get(self.path(seat)))
                found[f"frame {seat}"] = self.hears(seat)
            else:
                cover = f"{self.path(TABLE)}/pass/{seat}"
                found[f"cover {seat}"] = answer(self.client.get(cover))
                found[f"passed {seat}"] = answer(self.client.post(cover, data={"taps": person.taps}))
        found["history"] = answer(self.client.get(f"{self.path(WATCHER)}/history"))
        return found

    def hears(self, seat: int) -> bytes:
        """The bytes that an open stream receives when it is notified now."""
        link = self.link(seat)
        if link not in self.wires:
            ours, self.wires[link] = socket.socketpair()
            self.hub.add(ours, self.table, Viewer(link, "en", "", BASE))
        else:
            stream = next(one for one in self.hub._streams[self.table] if one.viewer.link == link)
            self.hub._redraw(stream)
        try:
            return self.wires[link].recv(1 << 20, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return b""


def answer(reply: TestResponse) -> tuple[int, list[tuple[str, str]], bytes]:
    """Everything except the expiry times of cookies."""
    heads = [(key, re.sub(r"Expires=[^;]+", "", value)) for key, value in reply.headers.items()]
    return reply.status_code, sorted(heads), reply.data


class Twins:
    """The two sides, at one table."""

    def __init__(self, folder: Path, game: Game = GAME) -> None:
        self.game = game
        self.one = Side(folder / "one", game)
        (folder / "other").mkdir()
        shutil.copy(folder / "one" / "key", folder / "other" / "key")
        self.other = Side(folder / "other", game)
        self._seen: dict[str, object] = {}

    def open(self, chance: random.Random, players: int, setup: Setup) -> None:
        """Open the same table on both sides. Some people have phones, and one of them may be the host."""
        tables = self.one.tables
        table = tables.open(self.game, setup).id
        for name in NAMES[:players]:
            if chance.random() < 0.6:
                tables.sit(table, name)
            else:
                tables.act(table, TABLE, AddPerson(name))
        tables.act(table, TABLE, Start())
        phones = [person.seat for person in tables.reader.snapshot(table).room.here if person.phone]
        if phones and chance.random() < 0.5:
            tables.act(table, TABLE, GiveHost(chance.choice(phones)))
        first, *rest = tables.store.versions(table, [version for version, _ in tables.store.steps(table)])
        assert self.other.tables.store.open_table(tables.store.table(table), first)
        for row in rest:
            assert self.other.tables.store.commit(row)
        dice = chance.randint(0, 1 << 30)
        for side in (self.one, self.other):
            side.sits_down(table, dice)

    def part(self, state: Evening) -> None:
        """Give the other side this state. Everything else stays the same."""
        newest = self.one.tables.store.newest(self.one.table)
        self.other.holds(replace(newest, state=encode(state)))

    def close(self) -> None:
        for side in (self.one, self.other):
            side.leaves()
            side.tables.store.close()

    def look_alike(self, seats: Collection[int]) -> None:
        """Check that these screens get the same bytes on both sides."""
        self._seen = self.one.shows(seats)
        self._compare(self.other.shows(seats))

    def still_look_alike(self, seats: Collection[int]) -> None:
        """Check that a change on the other side shows on no page and no stream."""
        for what in self._seen:
            if what.startswith("frame"):
                self._seen[what] = b""
        self._compare(self.other.shows(seats))

    def _compare(self, other: dict[str, object]) -> None:
        for what, shown in other.items():
            assert self._seen[what] == shown, f"{what} differs: {difference(self._seen[what], shown)}"


def difference(one: object, other: object) -> str:
    """The first difference of two texts, with some context."""
    first, second = repr(one), repr(other)
    pairs = enumerate(zip(first, second, strict=False))
    place = next((n for n, (a, b) in pairs if a != b), min(len(first), len(second)))
    return f"{first[max(0, place - 200) : place + 80]} / {second[place : place + 80]}"
