"""States are stored compressed and encrypted, and burning destroys the key.

Every table has a box key. A burn commits its version under a fresh one and destroys the old one, so all that earlier
versions held is gone. Box keys are stored wrapped with the installation's secret (the file `key`): a database, a dump
or a backup alone opens nothing. With `cryptography`: AES-256-GCM, HKDF with SHA-256.

Most versions are compressed against an earlier whole one of their table, so a version is a few hundred bytes, however
long the evening, and reading one takes at most one more row.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import zstandard
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from companion.engine.links import read_keys
from companion.engine.reader import BoundedDict
from companion.engine.store import Unreadable, Version

KEY_BYTES = 32
NONCE_BYTES = 12
TAP_HASH_BYTES = 16
WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + 16
"""Of a wrapped key: nonce, key, and the tag that authenticates it."""
MAX_TABLES = 5_000
"""How many tables' keys and bases are kept in memory."""
ZSTD_LEVEL = 1
LENGTH_BYTES = 4
PADDING_BYTES = 128
"""Sizes are rounded up to this, so that they hardly tell one ballot from another."""
MAX_PLAIN_BYTES = 64 << 20


def derive(secret: bytes, purpose: str, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt=None, info=purpose.encode()).derive(secret)


def seal(aead: AESGCM, data: bytes, about: str) -> bytes:
    nonce = os.urandom(NONCE_BYTES)
    return nonce + aead.encrypt(nonce, data, about.encode())


def unseal(aead: AESGCM, sealed: bytes, about: str) -> bytes:
    """Raises `InvalidTag` unless this key sealed these bytes, `about` the same thing."""
    return aead.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], about.encode())


class Box:
    """One box key of a table: it opens the versions since one burn, up to the next."""

    __slots__ = ("_aead", "_tap_key", "burn_floor", "key", "table")

    def __init__(self, table: str, burn_floor: int, key: bytes) -> None:
        self.table = table
        self.burn_floor = burn_floor
        self.key = key
        derived = derive(key, f"companion.box.{table}", 2 * KEY_BYTES)
        self._aead = AESGCM(derived[:KEY_BYTES])
        self._tap_key = derived[KEY_BYTES:]

    def seal(self, data: bytes, about: str) -> bytes:
        return seal(self._aead, data, about)

    def open(self, sealed: bytes, about: str) -> bytes:
        try:
            return unseal(self._aead, sealed, about)
        except (InvalidTag, ValueError, TypeError) as damaged:
            raise Unreadable("the data is damaged, or belongs to another table") from damaged

    def hash_tap(self, tap: str) -> bytes:
        """A tap's id tells who tapped which form, so only a keyed hash of it is stored."""
        return hashlib.blake2b(tap.encode(), key=self._tap_key, digest_size=TAP_HASH_BYTES).digest()


class Secret:
    """The installation's secret, with which box keys are wrapped. Older secrets still unwrap."""

    def __init__(self, key_file: Path) -> None:
        read_keys(key_file)  # made on the first run
        self._key_file = key_file
        self._changed_at = 0
        self._read()

    def _read(self) -> None:
        """`companion new-key` may have changed the file. If it is gone, what we know is all that there is."""
        with contextlib.suppress(OSError):
            if (changed_at := self._key_file.stat().st_mtime_ns) != self._changed_at:
                keys = self._key_file.read_text("ascii").split()
                self._aeads = [AESGCM(derive(key.encode(), "companion.wrap", KEY_BYTES)) for key in keys]
                self._changed_at = changed_at

    def wrap(self, table: str, burn_floor: int, key: bytes) -> bytes:
        self._read()
        return seal(self._aeads[-1], key, f"{table}.{burn_floor}")

    def unwrap(self, table: str, burn_floor: int, wrapped: bytes) -> bytes:
        for _ in range(2):
            for aead in reversed(self._aeads):
                try:
                    return unseal(aead, wrapped, f"{table}.{burn_floor}")
                except (InvalidTag, ValueError):
                    continue
            self._read()
        raise Unreadable("the key is damaged, or belongs to another installation")


def fresh_key() -> bytes:
    return os.urandom(KEY_BYTES)


class VersionRow(NamedTuple):
    """A version as it lies in the database: what is public in the clear, the rest sealed."""

    table: str
    version: int
    base: int | None
    """The version that this one was compressed against; None: it is whole."""
    sealed: bytes | None
    """Room and state, compressed and encrypted; None in a backup without keys."""
    step: int
    parent: int | None
    burn_floor: int
    who: int | None
    at: float
    tap: bytes | None
    lines: bytes
    private: bytes | None
    """All lines, encrypted, if some of them are for some seats only."""

    @property
    def about(self) -> str:
        """What is authenticated with the sealed part: in another row it does not open."""
        return f"{self.table}.{self.version}.{self.base}.{self.step}.{self.parent}.{self.burn_floor}.{self.who}"


def about_lines(table: str, version: int) -> str:
    return f"{table}.{version}.lines"


class SealedVersion(NamedTuple):
    """A version ready to be committed, and what to remember of it then."""

    row: VersionRow
    box: Box
    plain: bytes


@dataclass(slots=True)
class Base:
    """The last whole version of a table, against which the next ones are compressed."""

    version: int
    burn_floor: int
    plain: bytes
    size: int
    """Of the whole version, as stored."""
    spent: int = 0
    """What the versions since then have cost together."""

    def serves(self, burn_floor: int) -> bool:
        """Whether it was sealed in the same box, and a whole version would not be the better bargain by now."""
        return self.burn_floor == burn_floor and self.spent <= self.size


class Sealer:
    """Seals versions and opens them again. It remembers, per table, the box and the last whole version.

    Neither can be wrong: a box is asked for by its burn floor, and a version that was committed never changes.
    """

    def __init__(
        self, find_box: Callable[[str, int], Box | None], find_row: Callable[[str, int], VersionRow | None]
    ) -> None:
        self._find_box = find_box
        """(table, burn floor) -> its box; None if it was burnt; raises `Unreadable` if the key is lost."""
        self._find_row = find_row
        self._boxes: BoundedDict[str, Box] = BoundedDict(MAX_TABLES)
        self._bases: BoundedDict[str, Base] = BoundedDict(MAX_TABLES)

    def box(self, table: str, burn_floor: int) -> Box | None:
        box = self._boxes.get(table)
        if box is None or box.burn_floor != burn_floor:
            box = self._find_box(table, burn_floor)
            if box is not None:
                self._boxes[table] = box
        return box

    def seal(self, version: Version, box: Box | None = None) -> SealedVersion:
        """Seal a version in this box, or in the one that its table has."""
        box = box or self.box(version.table, version.burn_floor)
        if box is None:
            raise Unreadable("the key was destroyed")
        room = version.room or b""
        plain = len(room).to_bytes(LENGTH_BYTES, "big") + room + (version.state or b"")
        base = self._bases.get(version.table)
        if base is not None and not base.serves(version.burn_floor):
            base = None
        row = VersionRow(
            table=version.table, version=version.version, base=None if base is None else base.version, sealed=None,
            step=version.step, parent=version.parent, burn_floor=version.burn_floor, who=version.who, at=version.at,
            tap=None if version.tap is None else box.hash_tap(version.tap), lines=version.lines, private=None,
        )  # fmt: skip
        sealed = box.seal(compress(plain, None if base is None else base.plain), row.about)
        private = None
        if version.private is not None:
            # It is JSON, to which spaces add nothing but length.
            padded = version.private + b" " * (-len(version.private) % PADDING_BYTES)
            private = box.seal(padded, about_lines(row.table, row.version))
        return SealedVersion(row._replace(sealed=sealed, private=private), box, plain)

    def committed(self, version: SealedVersion) -> None:
        """This version is in the store: the next ones may be compressed against it."""
        row, size = version.row, len(version.row.sealed or b"")
        self._boxes[row.table] = version.box
        if row.base is None:
            self._bases[row.table] = Base(row.version, row.burn_floor, version.plain, size)
        elif (base := self._bases.get(row.table)) is not None:
            base.spent += size

    def open(self, row: VersionRow, bases: dict[int, bytes]) -> Version:
        """The version in this row; without room, state and tap if it was burnt. `bases`: what was read for it."""
        box = self.box(row.table, row.burn_floor)
        room, state = None, None
        if box is not None:
            plain = self._plain(row, box, bases)
            end = LENGTH_BYTES + int.from_bytes(plain[:LENGTH_BYTES], "big")
            room, state = plain[LENGTH_BYTES:end], plain[end:] or None
        return Version(
            table=row.table, version=row.version, room=room, state=state, step=row.step, parent=row.parent,
            burn_floor=row.burn_floor, who=row.who, at=row.at, tap=None, lines=row.lines,
            private=self.lines(row.table, row.version, row.burn_floor, row.private),
        )  # fmt: skip

    def _plain(self, row: VersionRow, box: Box, bases: dict[int, bytes]) -> bytes:
        if row.sealed is None:
            raise Unreadable("only its public part is here")
        base = None if row.base is None else self._base(row.table, row.base, box, bases)
        return decompress(box.open(row.sealed, row.about), base)

    def _base(self, table: str, version: int, box: Box, bases: dict[int, bytes]) -> bytes:
        known = self._bases.get(table)
        if known is not None and known.version == version:
            return known.plain
        if version not in bases:
            found = self._find_row(table, version)
            if found is None or found.base is not None:
                raise Unreadable("a version that others build on is missing")
            bases.clear()  # the next versions build on this one
            bases[version] = self._plain(found, box, bases)
        return bases[version]

    def lines(self, table: str, version: int, burn_floor: int, private: bytes | None) -> bytes | None:
        """All lines of a version with private ones; None if they were burnt, or cannot be read."""
        with contextlib.suppress(Unreadable):
            if private is not None and (box := self.box(table, burn_floor)) is not None:
                return box.open(private, about_lines(table, version))
        return None

    def forget(self, table: str | None) -> None:
        """Something was burnt: keep nothing of this table in memory, or (None) of any."""
        self._boxes.forget(table)
        self._bases.forget(table)


def burns(version: Version | VersionRow) -> bool:
    """Whether this version burns all earlier ones."""
    return version.burn_floor == version.version


def compress(plain: bytes, base: bytes | None) -> bytes:
    """Compressed, and padded behind the end of the zstd frame."""
    # Told both sizes, zstd chooses a window that reaches back over the whole base.
    parameters = zstandard.ZstdCompressionParameters.from_level(
        ZSTD_LEVEL, source_size=len(plain), dict_size=len(base or b"")
    )
    data = zstandard.ZstdCompressor(compression_params=parameters, dict_data=as_dictionary(base)).compress(plain)
    return data + bytes(-len(data) % PADDING_BYTES)


def decompress(data: bytes, base: bytes | None) -> bytes:
    try:
        reader = zstandard.ZstdDecompressor(dict_data=as_dictionary(base))
        return reader.decompress(data, max_output_size=MAX_PLAIN_BYTES)
    except zstandard.ZstdError as damaged:
        raise Unreadable("the data is damaged") from damaged


def as_dictionary(base: bytes | None) -> zstandard.ZstdCompressionDict | None:
    return None if base is None else zstandard.ZstdCompressionDict(base, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
