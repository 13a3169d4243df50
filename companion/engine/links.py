"""Signed links: sign, read and refuse them. A link names a table, a seat and a generation."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sys
from functools import cache, lru_cache
from pathlib import Path
from secrets import compare_digest

import msgspec
from itsdangerous import HMACAlgorithm, Signer

from companion.engine.game import Seat

PROOF = 16
"""So many letters of a signature are in a table's QR code."""
WATCHER = Seat(-1)
"""A link that may look at what everybody may know, and tap nothing."""


class BadLink(Exception):
    """The link was never ours, was changed on its way, or has been replaced by a newer one."""


class Link(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """What a link opens."""

    table: str
    seat: Seat
    generation: int

    @property
    def door(self) -> str:
        """How the path of this link begins: `s` for a seat, `x` for the shared screen, `w` to watch."""
        return "s" if self.seat > 0 else "w" if self.seat else "x"

    def at(self, table: str) -> Link:
        """The same seat at another table of the same people."""
        return Link(table, self.seat, self.generation)


class Signing(HMACAlgorithm):
    """As itsdangerous does it; but the keys stay the same, so what begins with them is begun once."""

    def __init__(self) -> None:
        super().__init__(hashlib.sha256)
        self._begun = cache(lambda key: hmac.new(key, digestmod=hashlib.sha256))

    def get_signature(self, key: bytes, value: bytes) -> bytes:
        signature = self._begun(key).copy()
        signature.update(value)
        return signature.digest()


class Links:
    """Signs with the newest key and still reads what older keys have signed."""

    def __init__(self, keys: list[str]) -> None:
        self._signers = [signer_with(key) for key in reversed(keys)]
        self.read = lru_cache(maxsize=1_000)(self._read)
        self.sign = lru_cache(maxsize=1_000)(self._sign)
        self.sign_join = lru_cache(maxsize=2_000)(self._sign_join)

    def _sign(self, table: str, seat: Seat, generation: int) -> str:
        return self._signers[0].sign(f"{table}.{int(seat)}.{generation}").decode()

    def _read(self, token: str) -> Link:
        text, _, signature = token.rpartition(".")
        try:
            # Base64 has several spellings of the same bytes; only ours is a link.
            if not any(compare_digest(signer.get_signature(text), signature.encode()) for signer in self._signers):
                raise BadLink
            table, seat, generation = text.split(".")
            return Link(sys.intern(table), Seat(seat), int(generation))
        except ValueError as bad:
            raise BadLink from bad

    def alias(self, address: str) -> str:
        """A name for an address that tells it only to whoever has the key."""
        return hashlib.blake2s(address.encode(), key=self._signers[0].secret_key[:32], digest_size=8).hexdigest()

    def _sign_join(self, code: str) -> str:
        """The short proof in a table's QR code that its code was scanned, not guessed."""
        return self._signers[0].get_signature(f"join.{code}")[:PROOF].decode()

    def is_join(self, code: str, proof: str) -> bool:
        given = proof.encode("utf-8", "replace")
        return any(compare_digest(signer.get_signature(f"join.{code}")[:PROOF], given) for signer in self._signers)


def signer_with(key: str) -> Signer:
    signer = Signer(
        key, salt="companion.link", key_derivation="hmac", digest_method=hashlib.sha256, algorithm=Signing()
    )
    signer.derive_key = cache(signer.derive_key)  # type: ignore[method-assign]
    return signer


def read_keys(path: Path) -> list[str]:
    """The keys of this installation, oldest first; made on the first run, readable by its owner only."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = write_draft(path, [secrets.token_urlsafe(32)])
        try:
            # Of several processes that start at once, one key must count: a link to a file takes no other's place.
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:
            draft.replace(path)  # a file system that has no such links
        finally:
            draft.unlink(missing_ok=True)
    return path.read_text("ascii").split()


def add_key(path: Path, *, drop_older: bool = False) -> None:
    """Make a new key the one to sign with; links signed by older ones go on working unless dropped."""
    older = path.read_text("ascii").split() if path.exists() and not drop_older else []
    path.parent.mkdir(parents=True, exist_ok=True)
    write_draft(path, [*older, secrets.token_urlsafe(32)]).replace(path)


def write_draft(path: Path, keys: list[str]) -> Path:
    """These keys in a file beside that path, to be put in its place."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    with os.fdopen(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write("\n".join(keys) + "\n")
        file.flush()
        os.fsync(file.fileno())
    return draft
