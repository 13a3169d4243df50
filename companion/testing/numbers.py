"""Find every number that the forms of a game can send."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import inspect

from companion.game import Game


def numbers_in(info: inspect.Type, name: str) -> Iterator[tuple[str, inspect.IntType | inspect.FloatType]]:
    """Return every number that a form can send, by the name of its field: `points`, `bonus.1`, `cards.#` for a key."""
    match info:
        case inspect.Metadata():
            yield from numbers_in(info.type, name)
        case inspect.IntType() | inspect.FloatType():
            yield name, info
        case inspect.UnionType():
            for one in info.types:
                yield from numbers_in(one, name)
        case inspect.DictType():
            yield from ((f"{name}.#", number) for _, number in numbers_in(info.key_type, name))
            yield from numbers_in(info.value_type, f"{name}.1")
        case inspect.VarTupleType() | inspect.FrozenSetType():
            yield from numbers_in(info.item_type, name)
        case inspect.StructType():
            for field in info.fields:
                yield from numbers_in(field.type, field.encode_name)
        case _:
            known = inspect.BoolType | inspect.LiteralType | inspect.NoneType | inspect.StrType | inspect.CustomType
            assert isinstance(info, known), f"does this hold numbers? {info}"


def forms_of(game: Game) -> dict[str, type[msgspec.Struct]]:
    """Return the set-up and every tap of a game."""
    return {"": game.setup, **game.taps}
