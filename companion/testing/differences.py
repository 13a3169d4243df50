"""How two states differ, what a view holds, and where two pages part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

import msgspec

from companion.engine.snapshot import as_data
from companion.game import Say

Path = tuple[str, ...]
"""Where in a state something lies: `("slips", "2")`."""


class Difference(NamedTuple):
    path: Path
    one: Any
    other: Any


def differences(one: object, other: object) -> list[Difference]:
    """All places in which two states are not the same."""
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
    """Whether this is one of these places, or inside one."""
    return any(path[:length] in places for length in range(1, len(path) + 1))


def only_moved(found: list[Difference]) -> bool:
    """Whether the same things lie elsewhere: cards that were dealt otherwise, not something else that was chosen."""
    return Counter(repr(one.one) for one in found) == Counter(repr(one.other) for one in found)


def fingerprint(thing: object) -> str:
    """Equal for two views only if every template must draw them alike: types and the order in a dict count."""
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
    """What in a view does not belong there: the state itself, or something that could reach it when it is called."""
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
    """Where two things part, with a little of what is around it."""
    first, second = repr(one), repr(other)
    pairs = enumerate(zip(first, second, strict=False))
    place = next((n for n, (a, b) in pairs if a != b), min(len(first), len(second)))
    return f"…{first[max(0, place - 120) : place + 60]}… / …{second[max(0, place - 20) : place + 60]}…"
