"""Names people sit down with: any script or emoji, and never two that look the same."""

from __future__ import annotations

import unicodedata

from companion.game import NotAllowed

NAME_LENGTH = 20


def tidy_name(name: str) -> str:
    """A name as people would write it: trimmed, one line, 1 to 20 characters as a person counts them."""
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    visible = [c for c in name if unicodedata.category(c) not in ("Cc", "Cs", "Cn", "Co", "Zl", "Zp")]
    name = "".join(c for c in visible if c not in BIDI).strip()
    if not any(unicodedata.category(c)[0] not in "ZCM" for c in name):
        raise NotAllowed("Please type a name.")
    if letters(name) > NAME_LENGTH:
        raise NotAllowed("That name is too long: at most {n} characters.", n=NAME_LENGTH)
    return name


BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u200b\ufeff")
"""Marks that could turn the text around a name upside down, or make two names look the same."""


def letters(name: str) -> int:
    """Characters as a person counts them: accents, skin tones and joined emoji belong to the one before."""
    count, joined = 0, False
    for c in name:
        attached = unicodedata.category(c) in ("Mn", "Me", "Mc") or "\U0001f3fb" <= c <= "\U0001f3ff" or c == "\u200d"
        count += not (attached or joined)
        joined = c == "\u200d"
    return max(count, len(name) // 8)


def same_name(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
