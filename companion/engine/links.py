"""Signed links: sign, read and refuse them. A link names a table, a seat and a generation."""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
from functools import lru_cache
from pathlib import Path
from secrets import compare_digest

import msgspec
from itsdangerous import BadData, Signer
from itsdangerous.encoding import base64_decode, base64_encode

from companion.game import Seat

JOIN_PROOF_LENGTH = 16
"""How many letters of a signature are in a table's QR code."""
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
    def kind(self) -> str:
        """How the path of this link begins: `s` for a seat, `x` for the shared screen, `w` to watch."""
        return "s" if self.seat > 0 else "w" if self.seat else "x"

    def at(self, table: str) -> Link:
        """The same seat at another table of the same people."""
        return Link(table, self.seat, self.generation)


class Links:
    """Signs with the newest key and still reads what older keys have signed."""

    def __init__(self, keys: list[str]) -> None:
        self._signer = Signer(keys, salt="companion.link", key_derivation="hmac", digest_method=hashlib.sha256)
        self._newest = keys[-1]
        # A signature depends on nothing but its text and the keys, so neither cache can be wrong.
        self.read = lru_cache(maxsize=1_000)(self._read)
        self.sign = lru_cache(maxsize=1_000)(self._sign)
        self.sign_join = lru_cache(maxsize=2_000)(self._sign_join)

    def _sign(self, table: str, seat: Seat, generation: int) -> str:
        return self._signer.sign(f"{table}.{int(seat)}.{generation}").decode()

    def _read(self, token: str) -> Link:
        signature = token.rpartition(".")[2]
        try:
            text = self._signer.unsign(token).decode()
            # Base64 has several spellings of the same bytes; only ours is a link.
            if base64_encode(base64_decode(signature)).decode() != signature:
                raise BadLink
            table, seat, generation = text.split(".")
            return Link(sys.intern(table), Seat(seat), int(generation))
        except (BadData, ValueError) as bad:
            raise BadLink from bad

    def alias(self, address: str) -> str:
        """A name for an address that only somebody with the key can trace back."""
        return hashlib.blake2s(address.encode(), key=self._newest.encode()[:32], digest_size=8).hexdigest()

    def _sign_join(self, code: str) -> str:
        """The short proof in a table's QR code that its code was scanned, not guessed."""
        return self._signer.get_signature(f"join.{code}")[:JOIN_PROOF_LENGTH].decode()

    def is_join(self, code: str, proof: str) -> bool:
        given = proof.encode("utf-8", "replace")
        text = f"join.{code}".encode()
        # A shortened signature cannot be unsigned, so it is made again with every key.
        return any(
            compare_digest(base64_encode(self._signer.algorithm.get_signature(key, text))[:JOIN_PROOF_LENGTH], given)
            for key in map(self._signer.derive_key, self._signer.secret_keys)
        )


def read_keys(path: Path) -> list[str]:
    """The keys of this installation, oldest first; made on the first run, readable by its owner only."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = write_draft(path, [secrets.token_urlsafe(32)])
        try:
            # If several processes start together, one key must win: os.link never replaces a file.
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:
            draft.replace(path)  # a file system without hard links
        finally:
            draft.unlink(missing_ok=True)
    return path.read_text("ascii").split()


def add_key(path: Path) -> None:
    """Make a new key the one to sign with; links signed by older ones go on working."""
    older = path.read_text("ascii").split() if path.exists() else []
    path.parent.mkdir(parents=True, exist_ok=True)
    write_draft(path, [*older, secrets.token_urlsafe(32)]).replace(path)


def drop_older_keys(path: Path) -> None:
    """Keep the newest key only: links signed by older ones stop working."""
    write_draft(path, read_keys(path)[-1:]).replace(path)


def write_draft(path: Path, keys: list[str]) -> Path:
    """Write these keys to a file beside that path, ready to replace it."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    with os.fdopen(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write("\n".join(keys) + "\n")
        file.flush()
        os.fsync(file.fileno())
    return draft
