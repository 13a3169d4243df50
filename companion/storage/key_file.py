"""The box keys of an SQLite store: a file of fixed slots beside the database, overwritten in place and synced.

A slot holds the key that a table's newest versions are sealed with, and the next one. The next key is durable before a
burn uses it, so a burn costs one synced write: the next key takes the place of the old one, and a fresh one follows.
To change a slot, hold the database's write lock.
"""

from __future__ import annotations

import contextlib
import logging
import os
import struct
from collections.abc import Collection, Iterable, Mapping
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from companion.engine.store import StoreTrouble, Unreadable
from companion.storage.sealing import WRAPPED_BYTES, Box, Secret, fresh_key

log = logging.getLogger("companion")

SLOT_BYTES = 256
"""Divides a disk's sector, so that a slot is written whole or not at all."""
NAME_BYTES = 16
LAYOUT = struct.Struct(f"<{NAME_BYTES}sq{WRAPPED_BYTES}s{WRAPPED_BYTES}s")
"""Table, burn floor, key, next key."""
NEXT = -1
"""What a next key is wrapped for: its burn floor is not known yet."""
sync = getattr(os, "fdatasync", os.fsync)


class Slot(NamedTuple):
    """The keys of one table, unwrapped."""

    burn_floor: int
    key: bytes
    next_key: bytes

    def key_of(self, burn_floor: int) -> bytes | None:
        """The key of the versions since this burn; None if it was destroyed."""
        if burn_floor < self.burn_floor:
            return None
        # A burn that is newer than this slot was committed under the next key, and has not destroyed the old one yet.
        return self.key if burn_floor == self.burn_floor else self.next_key


class KeyFile:
    """Finds, writes and destroys the keys of tables."""

    def __init__(self, path: Path, secret: Secret) -> None:
        self.path = path
        self._secret = secret
        self._places: dict[str, int] = {}
        if not path.exists():
            self._create()

    def _create(self) -> None:
        os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        sync_folder(self.path.parent)

    # ---------------------------------------------------------------- reading

    def box(self, table: str, burn_floor: int) -> Box | None:
        """The box of these versions; None if it was burnt."""
        slot = self.slot(table)
        if slot is None:
            raise Unreadable("the key is lost")
        key = slot.key_of(burn_floor)
        return None if key is None else Box(table, burn_floor, key)

    def slot(self, table: str) -> Slot | None:
        try:
            found = self._read(table)
            if found is None or found[0] != name(table):
                self._find_places()
                found = self._read(table)
        except OSError as trouble:
            raise Unreadable("the keys cannot be read") from trouble
        if found is None:
            return None
        _, burn_floor, key, next_key = found
        unwrap = self._secret.unwrap
        return Slot(burn_floor, unwrap(table, burn_floor, key), unwrap(table, NEXT, next_key))

    def tables(self) -> list[str]:
        self._find_places()
        return list(self._places)

    def put_aside(self) -> None:
        """Keep the keys of another database under another name, and begin with none."""
        if self.tables():
            free = next(path for n in count(1) if not (path := self.path.with_name(f"{self.path.name}.{n}")).exists())
            self.path.replace(free)
            self._create()
            log.warning("the keys of another database were put aside: %s", free.name)

    def _read(self, table: str) -> tuple[bytes, int, bytes, bytes] | None:
        if (place := self._places.get(table)) is None:
            return None
        with self.path.open("rb", buffering=0) as file:
            file.seek(place)
            data = file.read(LAYOUT.size)
        return LAYOUT.unpack(data) if len(data) == LAYOUT.size else None

    def _find_places(self) -> list[int]:
        """Look where every table's slot is; the free places, the one behind the last slot at their end."""
        data = self.path.read_bytes()
        end = len(data) // SLOT_BYTES * SLOT_BYTES
        self._places, free = {}, []
        for place in range(0, end, SLOT_BYTES):
            table = data[place : place + NAME_BYTES].rstrip(b"\0")
            if table:
                self._places[table.decode("ascii", "replace")] = place
            else:
                free.append(place)
        return [*free, end]

    # ---------------------------------------------------------------- writing

    def add(self, tables: Mapping[str, int]) -> dict[str, Box]:
        """First keys for new tables (table -> burn floor), durable before anything is sealed with them."""
        boxes = {table: Box(table, burn_floor, fresh_key()) for table, burn_floor in tables.items()}
        self.put(boxes.values())
        return boxes

    def put(self, boxes: Iterable[Box]) -> None:
        """Store the keys of these boxes, and a next key for each."""
        *free, end = self._find_places()
        places = chain(free, count(end, SLOT_BYTES))
        slots = {}
        for box in boxes:
            if box.table not in self._places:
                self._places[box.table] = next(places)
            slots[box.table] = Slot(box.burn_floor, box.key, fresh_key())
        self._write(slots)

    def destroy_old(self, table: str, burn_floor: int) -> None:
        """This burn is committed: destroy the key of what came before it."""
        slot = self.slot(table)
        if slot is not None and slot.burn_floor < burn_floor:
            self._write({table: Slot(burn_floor, slot.next_key, fresh_key())})

    def remove(self, tables: Collection[str]) -> None:
        """Destroy all keys of these tables."""
        self._find_places()
        places = [place for table in tables if (place := self._places.pop(table, None)) is not None]
        self._overwrite(dict.fromkeys(places, bytes(SLOT_BYTES)))

    def wrap_again(self) -> None:
        """Wrap every key with the installation's newest secret."""
        slots = {}
        for table in self.tables():
            with contextlib.suppress(Unreadable):  # a key of another installation stays what it is
                if (slot := self.slot(table)) is not None:
                    slots[table] = slot
        self._write(slots)

    def _write(self, slots: Mapping[str, Slot]) -> None:
        wrap = self._secret.wrap
        changes = {}
        for table, slot in slots.items():
            keys = (wrap(table, slot.burn_floor, slot.key), wrap(table, NEXT, slot.next_key))
            changes[self._places[table]] = LAYOUT.pack(name(table), slot.burn_floor, *keys).ljust(SLOT_BYTES, b"\0")
        self._overwrite(changes)

    def _overwrite(self, changes: Mapping[int, bytes]) -> None:
        """Write these slots in place; returns when they are on the disk."""
        try:
            with self.path.open("r+b", buffering=0) as file:
                for place, data in changes.items():
                    file.seek(place)
                    if file.write(data) != len(data):
                        raise StoreTrouble("the disk is full")
                sync(file.fileno())
        except OSError as trouble:
            raise StoreTrouble(trouble.strerror or "the keys cannot be written") from trouble


def sync_folder(folder: Path) -> None:
    """Make a new file's name durable, where the system has a way to."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def name(table: str) -> bytes:
    return table.encode().ljust(NAME_BYTES, b"\0")
