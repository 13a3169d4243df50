"""Compare states, views and pages: where do they differ?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

import msgspec

from companion.engine.snapshot import as_data
from companion.game import Say

Path = tuple[str, ...]
"""A path inside a state: `("slips", "2")`."""


class Difference(NamedTuple):
    path: Path
    one: Any
    other: Any


def differences(one: object, other: object) -> list[Difference]:
    """Return all places in which two states differ."""
    return list(_differences(as_data(one), as_data(other), ()))


def _differences(one: Any, other: Any, path: Path) -> Iterator[Difference]:
    if one == other and type(one) is type(other):
        return
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            yield from _differences(one.get(key), other.get(key), (*path, str(key)))
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from _differences(*pair, (*path, str(place)))
    else:
        yield Difference(path, one, other)


def lies_within(path: Path, places: Container[Path]) -> bool:
    """Return whether this is one of these places, or inside one."""
    return any(path[:length] in places for length in range(1, len(path) + 1))


def only_moved(found: list[Difference]) -> bool:
    """Return whether the same things are only in other places: other cards were dealt, but nothing else was chosen."""
    return Counter(repr(one.one) for one in found) == Counter(repr(one.other) for one in found)


def fingerprint(thing: object) -> str:
    """Return a value that is equal only for views that every template draws alike: types and dict order count."""
    match thing:
        case msgspec.Struct():
            inside = ",".join([fingerprint(getattr(thing, name)) for name in thing.__struct_fields__])
        case Say():
            inside = f"{thing.text!r},{thing.many!r},{fingerprint(thing.holes)}"
        case Mapping():
            inside = ",".join([f"{fingerprint(key)}:{fingerprint(value)}" for key, value in thing.items()])
        case str() | int() | float() | bytes() | Enum():
            inside = repr(thing)
        case Sequence() | set() | frozenset():
            inside = ",".join([fingerprint(one) for one in thing])
        case _:
            inside = repr(thing)
    return f"{type(thing).__qualname__}({inside})"


def holds(thing: object, forbidden: type) -> str | None:
    """Return what does not belong into a view: the state itself, or a function that could reach it."""
    if isinstance(thing, forbidden):
        return "the state itself"
    if callable(thing) and not isinstance(thing, type):
        return "a function"
    inside: list[Any] = []
    if isinstance(thing, msgspec.Struct):
        inside = [getattr(thing, name) for name in thing.__struct_fields__]
    elif isinstance(thing, Mapping):
        inside = [*thing, *thing.values()]
    elif isinstance(thing, tuple | list | set | frozenset):
        inside = [*thing]
    return next((found for one in inside if (found := holds(one, forbidden)) is not None), None)


def parting(one: object, other: object) -> str:
    """Return where two values begin to differ, with some context."""
    first, second = repr(one), repr(other)
    pairs = enumerate(zip(first, second, strict=False))
    place = next((n for n, (a, b) in pairs if a != b), min(len(first), len(second)))
    return f"…{first[max(0, place - 120) : place + 60]}… / …{second[max(0, place - 20) : place + 60]}…"
