"""Room and state as one compressed blob; most versions are compressed against an earlier whole one of their table.

A version is a few hundred bytes then, however long the evening, and reading one needs at most one more row.
"""

from __future__ import annotations

from dataclasses import dataclass

import zstandard

from companion.engine.store import Unreadable

LEVEL = 1
LENGTH_BYTES = 4
PADDING_BYTES = 128
"""Sizes are rounded up to this, so that they hardly tell one ballot from another."""
MAX_PLAIN_BYTES = 64 << 20


@dataclass(slots=True)
class PackedWith:
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


def pack(room: bytes | None, state: bytes | None) -> bytes:
    room = room or b""
    return len(room).to_bytes(LENGTH_BYTES, "big") + room + (state or b"")


def unpack(plain: bytes) -> tuple[bytes, bytes | None]:
    end = LENGTH_BYTES + int.from_bytes(plain[:LENGTH_BYTES], "big")
    return plain[LENGTH_BYTES:end], plain[end:] or None


def compress(plain: bytes, base: bytes | None) -> bytes:
    """Compressed, and padded behind the end of the zstd frame."""
    # Told both sizes, zstd chooses a window that reaches back over the whole base.
    parameters = zstandard.ZstdCompressionParameters.from_level(
        LEVEL, source_size=len(plain), dict_size=len(base or b"")
    )
    dictionary = None if base is None else as_dictionary(base)
    data = zstandard.ZstdCompressor(compression_params=parameters, dict_data=dictionary).compress(plain)
    return data + bytes(-len(data) % PADDING_BYTES)


def decompress(data: bytes, base: bytes | None) -> bytes:
    dictionary = None if base is None else as_dictionary(base)
    try:
        return zstandard.ZstdDecompressor(dict_data=dictionary).decompress(data, max_output_size=MAX_PLAIN_BYTES)
    except zstandard.ZstdError as damaged:
        raise Unreadable("the data is damaged") from damaged


def as_dictionary(base: bytes) -> zstandard.ZstdCompressionDict:
    return zstandard.ZstdCompressionDict(base, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
