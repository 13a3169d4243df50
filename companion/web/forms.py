"""Forms in, typed taps and set-ups out; and the set-up form, made from a game's own set-up struct."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Literal

import msgspec

from companion.engine.room_rules import ROOM_TAPS
from companion.engine.snapshot import as_data, fill
from companion.game import Game, NotAllowed, Say, SayN, Tap

ROOM_TAPS_BY_NAME = {str(kind.__struct_config__.tag): kind for kind in ROOM_TAPS}
FIELD = re.compile(r"[a-z_][a-z0-9_]{0,39}(\.([0-9]{1,6}|[A-Za-z_][A-Za-z0-9_]{0,19}))?")
NUMBER = re.compile(r"[0-9]{1,6}")
MAX_CACHED_NAMES = 1_000
MAX_COUNT_DIGITS, MAX_FORM_ID, HEX = 9, 8, frozenset("0123456789abcdef")
"""How long the two halves of a tap id can be, and what the second one is made of."""
MAX_NUMBER = 1_000_000
"""The largest number in a form, of either sign. A game sets its own bounds below this one."""
MAX_ANSWERS = 200
"""How many answers may be ticked under one name."""


Form = Mapping[str, list[str]]
"""The fields of a form, each with all that was typed or ticked under its name."""


@lru_cache(maxsize=MAX_CACHED_NAMES)
def is_field(name: str) -> bool:
    """Whether one of our forms may have a field of this name."""
    return FIELD.fullmatch(name) is not None


def is_tap_id(text: object) -> bool:
    """A count of taps (behind an `r`: of changes of the room), a dot, and the id of a form."""
    if not isinstance(text, str) or not text.isascii():
        return False
    taps, _, name = text.removeprefix("r").partition(".")
    return taps.isdigit() and len(taps) <= MAX_COUNT_DIGITS and 0 < len(name) <= MAX_FORM_ID and HEX.issuperset(name)


def whole_number(text: str) -> int:
    """A number in an address; raises `ValueError`."""
    if not NUMBER.fullmatch(text):
        raise ValueError("no number of ours")
    return int(text)


def is_bounded(data: Any) -> bool:
    """Whether every number in this plain data is at most `MAX_NUMBER`, of either sign; NaN is not."""
    if isinstance(data, dict):
        return all(map(is_bounded, data.values()))
    if isinstance(data, list | tuple):
        return all(map(is_bounded, data))
    return not isinstance(data, int | float) or abs(data) <= MAX_NUMBER


def tree(form: Form) -> dict[str, Any]:
    """The fields of a form as a tree: `points.3=7` goes to points[3]; what was left empty is left out."""
    found: dict[str, Any] = {}
    for field, values in form.items():
        if not field or not is_field(field):  # of a form in parts, a field may have no name
            raise NotAllowed("We can't read that form. Reload the page and try again.")
        values = [value.strip() for value in values if value.strip()]
        if not values:
            continue
        if len(values) > MAX_ANSWERS:
            raise NotAllowed("We can't read that form. Reload the page and try again.")
        value: Any = values[0] if len(values) == 1 else values
        name, _, key = field.partition(".")
        if not key:
            found[name] = value
        elif isinstance(branch := found.setdefault(name, {}), dict):
            branch[int(key) if key.isdigit() else key] = value
        else:
            raise NotAllowed("We can't read that form. Reload the page and try again.")
    return found


def read_tap(game: Game, form: Form) -> tuple[Tap, str | None]:
    """The typed tap in a form, and the id that makes it count once."""
    fields = tree(form)
    tap_id = fields.pop("tap_id", None)
    if tap_id is not None and not is_tap_id(tap_id):
        raise NotAllowed("We can't read that form. Reload the page and try again.")
    tag = fields.pop("tap", None)
    kind = ROOM_TAPS_BY_NAME.get(tag) or game.taps.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise NotAllowed("That is not part of this game.")
    tap: Tap = read(fields, kind)
    return tap, tap_id


def read(fields: Mapping[str, Any], kind: type[msgspec.Struct]) -> Any:
    """The fields as a typed struct, or a sentence about the first that does not fit."""
    try:
        typed = fill(with_lists(fields, kind), kind)
    except msgspec.ValidationError as wrong:
        raise NotAllowed(sentence(str(wrong), kind)) from None
    except (ValueError, OverflowError, RecursionError):
        raise NotAllowed("An answer doesn't fit. Please check the form.") from None
    if not is_bounded(as_data(typed)):
        raise NotAllowed("That number is far too large. Use a smaller one.")
    return typed


def with_lists(fields: Mapping[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """One answer to a question that takes several is a list of one."""
    listed = _lists_of(kind)
    return {key: [value] if key in listed and not isinstance(value, list) else value for key, value in fields.items()}


def fitting(fields: Mapping[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The answers that fit their own questions, as plain data: nothing else that was typed is drawn again."""
    found, fields = {}, with_lists(fields, kind)
    for field in msgspec.structs.fields(kind):
        with contextlib.suppress(KeyError, ValueError, OverflowError, RecursionError):
            if is_bounded(answer := as_data(fill(fields[field.name], field.type))):
                found[field.name] = answer
    return found


@cache
def _lists_of(kind: type[msgspec.Struct]) -> frozenset[str]:
    """The fields that may be ticked more than once."""
    return frozenset(field.name for field in msgspec.structs.fields(kind) if _is_list(field.type))


def _is_list(kind: Any) -> bool:
    return isinstance(info := msgspec.inspect.type_info(kind), msgspec.inspect.VarTupleType) or isinstance(
        info, msgspec.inspect.FrozenSetType
    )


def sentence(wrong: str, kind: type[msgspec.Struct]) -> Say:
    """What msgspec found wrong, as a sentence for a player."""
    where = re.search(r"`\$\.([a-z_]+)|field `([a-z_]+)`", wrong)
    name = (where.group(1) or where.group(2)) if where else ""
    field = next((Say(field.label) for field in fields_of(kind) if field.name == name), None)
    if "out of range" in wrong:
        return Say("That number is far too large. Use a smaller one.")
    if field is None:
        return Say("An answer doesn't fit. Please check the form.")
    # Translators: in these sentences, field is the label of a form field, such as “Number of rounds”.
    if "missing required" in wrong:
        return Say("Please fill in “{field}”.", field=field)
    if found := re.search(r"`int` (>=|<=) (-?\d+)", wrong):
        if found.group(1) == ">=":
            return Say("“{field}” must be {n} or more.", field=field, n=int(found.group(2)))
        return Say("“{field}” must be {n} or less.", field=field, n=int(found.group(2)))
    if re.search(r"Expected `(int|float)", wrong):
        return Say("“{field}” must be a whole number.", field=field)
    if found := re.search(r"`str` of length <= (\d+)", wrong):
        n = int(found.group(1))
        return SayN(
            "“{field}” is too long: at most {n} character.", "“{field}” is too long: at most {n} characters.",
            field=field, n=n,
        )  # fmt: skip
    if "Invalid enum value" in wrong or "Invalid value" in wrong:
        return Say("Please choose one of the answers to “{field}”.", field=field)
    return Say("The answer to “{field}” doesn't fit. Please check it.", field=field)


# -------------------------------------------------------------------------------- set-up


class Field(msgspec.Struct, frozen=True):
    """One question of a set-up form."""

    name: str
    label: str
    help: str
    kind: Literal["number", "switch", "choice", "text"]
    choices: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None
    optional: bool = False
    longest: int | None = None


def fields_of(kind: type[msgspec.Struct]) -> list[Field]:
    """The questions that a struct asks, in its own order; words come from each field's `Meta`."""
    return [_field(field) for field in msgspec.inspect.type_info(kind).fields]  # type: ignore[attr-defined]


def _field(field: msgspec.inspect.Field) -> Field:
    meta: dict[str, Any] = {}
    info = field.type
    optional = False
    while True:
        if isinstance(info, msgspec.inspect.Metadata):
            meta |= (info.extra_json_schema or {}) | (info.extra or {})
            info = info.type
        elif isinstance(info, msgspec.inspect.UnionType):
            optional = True
            info = next(kind for kind in info.types if not isinstance(kind, msgspec.inspect.NoneType))
        else:
            break
    asked = Field(
        name=field.name,
        label=meta.get("title") or field.name.replace("_", " ").capitalize(),
        help=meta.get("description") or "",
        kind="text",
        optional=optional,
    )
    match info:
        case msgspec.inspect.BoolType():
            return msgspec.structs.replace(asked, kind="switch")
        case msgspec.inspect.IntType():
            return msgspec.structs.replace(asked, kind="number", least=info.ge, most=info.le)
        case msgspec.inspect.LiteralType():
            labels = meta.get("choices") or {}
            # msgspec has sorted the values; a game's own words are in the order it wants.
            choices = tuple(
                (str(value), str(labels.get(value, value))) for value in dict.fromkeys((*labels, *info.values))
            )
            return msgspec.structs.replace(asked, kind="choice", choices=choices)
        case _:
            return msgspec.structs.replace(asked, longest=getattr(info, "max_length", None))


class SetupForm:
    """The set-up form of a game: its questions, their values, and why it was refused."""

    def __init__(self, game: Game, values: Mapping[str, Any]) -> None:
        self.game = game
        self.fields = fields_of(game.setup)
        self.values = values
        self.refusal: Say | None = None

    def read(self, form: Form) -> msgspec.Struct:
        """The set-up as typed by the host. A switch that is off is not sent, so it is False."""
        answers = tree(form)
        for field in self.fields:
            if field.kind == "switch":
                answers[field.name] = field.name in answers
            elif field.optional:
                answers.setdefault(field.name, None)
        self.values = {**self.values, **fitting(answers, self.game.setup)}
        setup: msgspec.Struct = read(answers, self.game.setup)
        return setup
