"""Checks a game of another package before it is served. Each problem is a sentence that names the file."""

from __future__ import annotations

import inspect
import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import jinja2
import msgspec

from companion.engine.room_rules import ROOM_TAPS
from companion.game import Game, Lasting, Say, Seat, Tap

FUNCTIONS = {
    "start": 3, "table_view": 1, "seat_view": 2, "screen_view": 1, "record_view": 1, "host_view": 1, "secrets": 2,
    "result": 1, "choosing": 1, "taking_part": 1, "feats": 1, "charts": 1, "keeps": 2,
}  # fmt: skip
"""The functions of a game, and how many arguments each is called with."""
OPTIONAL = ("record_view", "host_view", "secrets", "taking_part")
TEMPLATES = ("table", "seat", "screen", "help")
STORED = (Seat, Say)
"""Our own types that a state may hold, besides those that msgspec knows."""
MAX_PLAYERS = 20


class BadGame(Exception):
    """This game can't be served; the message says where and why."""


def load(entry: EntryPoint, taken: Mapping[str, Game]) -> Game:
    """Load the game of an entry point; its name must not be taken."""
    try:
        game = entry.load()
    except Exception as error:
        raise BadGame(f"{place_of(error, entry)}: {type(error).__name__}: {error}") from error
    file = getattr(sys.modules[entry.module], "__file__", None) or entry.module
    if isinstance(game, Game) and isinstance(game.name, str) and game.name in taken:
        raise BadGame(f"{file}: another game is already called {game.name!r}.")
    for trouble in troubles(game, file):
        raise BadGame(trouble)
    found: Game = game
    return found


def place_of(error: Exception, entry: EntryPoint) -> str:
    """Return the file and line where loading failed: the innermost one that is neither Python's nor ours."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    ours = str(Path(__file__).parent.parent)
    passed = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    theirs = [frame for frame in passed if not frame.filename.startswith(ours) and "importlib" not in frame.filename]
    return f"{theirs[-1].filename}, line {theirs[-1].lineno}" if theirs else f"{entry.name} = {entry.value}"


def troubles(game: Any, file: str) -> Iterator[str]:
    """Yield every mistake in the game of this file, as a sentence that says where it is."""
    wrong = list(troubles_of_game(game))
    yield from (f"{file}: {sentence}" for sentence in wrong)
    if not wrong:
        yield from troubles_of_templates(game)


def troubles_of_game(game: Any) -> Iterator[str]:
    if not isinstance(game, Game):
        yield f"GAME is a {type(game).__name__}, not a Game."
        return
    if not isinstance(game.name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", game.name):
        yield f"`name` is {game.name!r}; it must be lower-case letters, digits and underscores."
        return
    for field in ("title", "about"):
        if not isinstance(getattr(game, field), str):
            yield f"`{field}` must be a text, not {getattr(game, field)!r}."
    match game.players:
        case (int(least), int(most)) if 1 <= least <= most <= MAX_PLAYERS:
            pass
        case _:
            yield f"`players` must be the smallest and the largest number, as in (2, 6), not {game.players!r}."
    for field in ("setup", "state"):
        yield from troubles_of_struct(field, getattr(game, field))
    for field, arguments in FUNCTIONS.items():
        function = getattr(game, field)
        if not (function is None and field in OPTIONAL):
            yield from troubles_of_function(f"`{field}`", function, arguments)
    if game.lasting is not None and not isinstance(game.lasting, Lasting):
        yield f"`lasting` must be a Lasting, not {game.lasting!r}."
    if not isinstance(game.home, Path):
        yield "`home` must be the folder that holds your `templates`: home=Path(__file__).parent."
    yield from troubles_of_rules(game)


def troubles_of_struct(field: str, kind: Any) -> Iterator[str]:
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        yield f"`{field}` must be a msgspec.Struct class, not {kind!r}."
        return
    if not kind.__struct_config__.frozen:
        yield f"{kind.__name__}, the `{field}`, must be frozen: class {kind.__name__}(msgspec.Struct, frozen=True)."
    try:
        strange = [one for one in custom_types(msgspec.inspect.type_info(kind), set()) if one not in STORED]
    except (TypeError, NameError) as wrong:
        yield f"{kind.__name__}, the `{field}`, can't be stored: {wrong}."
        return
    for one in strange:
        yield f"{kind.__name__}, the `{field}`, holds a {one.__name__}, which can't be stored. Make it a frozen Struct."


def custom_types(info: Any, seen: set[Any]) -> Iterator[type]:
    """Return the types inside this one that msgspec doesn't know."""
    if isinstance(info, msgspec.inspect.CustomType):
        yield info.cls
    elif isinstance(info, tuple):
        for one in info:
            yield from custom_types(one, seen)
    elif isinstance(info, msgspec.inspect.Type | msgspec.inspect.Field) and getattr(info, "cls", None) not in seen:
        seen.add(getattr(info, "cls", object()))
        for field in msgspec.structs.fields(type(info)):
            yield from custom_types(getattr(info, field.name), seen)


def troubles_of_function(what: str, function: Any, arguments: int) -> Iterator[str]:
    if not callable(function):
        yield f"{what} must be a function, not {function!r}."
    elif not takes(function, arguments):
        yield f"{what} must take {arguments} argument{'s' * (arguments != 1)}."


def takes(function: Callable[..., Any], arguments: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * arguments)
    except TypeError:
        return False
    except ValueError:  # some built-in functions have no signature
        return True
    return True


def troubles_of_rules(game: Game) -> Iterator[str]:
    if not isinstance(game.rules, Mapping) or not game.rules:
        yield "`rules` must be a dict: the rule of each tap, as in {Bid: bid}."
        return
    taps = [kind for kind in game.rules if isinstance(kind, type) and issubclass(kind, Tap)]
    for kind in game.rules:
        if kind not in taps:
            yield f"`rules` has {kind!r}, which is not a Tap class."
        else:
            yield from troubles_of_function(f"The rule of {kind.__name__}", game.rules[kind], 4)
    names = Counter(str(kind.__struct_config__.tag) for kind in taps)
    for name in sorted(name for name, n in names.items() if n > 1):
        both = " and ".join(kind.__name__ for kind in taps if kind.__struct_config__.tag == name)
        yield f"Two taps are called {name!r}: {both}. Give each its own tag."
    for name in sorted(set(names) & {str(kind.__struct_config__.tag) for kind in ROOM_TAPS}):
        yield f"A tap is called {name!r}, which the table itself uses. Give it another tag."


def troubles_of_templates(game: Game) -> Iterator[str]:
    """Yield every template that is missing or can't be read."""
    folder = (game.home or Path()).absolute() / "templates" / game.name
    views = {"record": game.record_view, "host": game.host_view}
    for name in (*TEMPLATES, *(name for name, view in views.items() if view is not None)):
        if not (folder / f"{name}.html").is_file():
            yield f"{folder / name}.html: this template is missing."
    for file in sorted(folder.rglob("*.html")):
        try:
            jinja2.Environment(autoescape=True).parse(file.read_text("utf-8"))
        except jinja2.TemplateSyntaxError as wrong:
            yield f"{file}, line {wrong.lineno}: {wrong.message}"
        except UnicodeDecodeError:
            yield f"{file}: this template is not UTF-8."
