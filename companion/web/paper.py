"""What screens are drawn on: Jinja, with what a screen needs a thousand times made cheap."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from functools import cache, partial
from typing import Any

from flask.templating import Environment
from jinja2 import Template
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

SPACE = re.compile(r"\s+")
SPECIAL = re.compile("[&<>\"']")


class OneLine(Extension):
    """Runs of white space in a template become one blank: a screen is smaller, and one line of a frame."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        for token in stream:
            if token.type == "data":
                token = Token(token.lineno, "data", SPACE.sub(" ", token.value))
            yield token


class Names(Context):
    """What a template can name. Nothing that our templates call asks for the context around it."""

    globals_keys: set[str] = set()  # all templates have the same

    def __init__(  # as Jinja does it, without what is the same each time
        self, environment: Any, parent: dict[str, Any], name: str | None, blocks: Mapping[str, Any], *_: Any, **__: Any
    ) -> None:
        self.environment = environment
        self.parent = parent
        self.vars: dict[str, Any] = {}
        self.name = name
        self.eval_ctx = environment.evaluation(name)
        self.exported_vars: set[str] = set()
        self.blocks = {name: [block] for name, block in blocks.items()} if blocks else {}

    def call(self, called: Callable[..., Any], /, *given: Any, **named: Any) -> Any:
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        return called(*given, **named)


def as_html(text: str) -> Markup:
    """What is HTML of ours already: `Markup` would look whether it is something else."""
    return str.__new__(Markup, text)


def safe(thing: Any) -> str:
    """What a template says, escaped; most of it is HTML of ours, or a number, and stays as it is."""
    kind = type(thing)
    if kind is Markup or (kind is str and SPECIAL.search(thing) is None):
        return thing  # type: ignore[no-any-return]
    return str(thing) if isinstance(thing, int) else escape(thing)


def caller_of(environment: Any, draw: Callable[[], str], name: Any, asks: Any, *more: Any) -> Callable[..., str]:
    """What stands between `{% call %}` and its end: nearly always it asks for nothing, and is just drawn."""
    if name is None and not asks and more[-1]:
        return lambda: as_html(draw())
    return Macro(environment, draw, name, asks, *more)


class Paper(Environment):
    """Jinja as Flask has it, without what only a template under construction needs."""

    context_class = Names

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, **options)
        self.trim_blocks = self.lstrip_blocks = True
        self.add_extension(OneLine)
        self._at_hand: dict[str, Template] = {}
        self.evaluation = cache(partial(EvalContext, self))  # none of our templates changes how it escapes

    def get_template(
        self, name: str | Template, parent: str | None = None, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        """Templates do not change while we serve: once found, one is at hand."""
        if isinstance(name, str) and not globals:
            if (found := self._at_hand.get(name)) is None:
                found = self._at_hand[name] = super().get_template(name, parent)
                # By these names a template calls them.
                found.root_render_func.__globals__.update(escape=safe, Macro=caller_of)
            return found
        return super().get_template(name, parent, globals)

    def draw(self, name: str, *things: Mapping[str, Any]) -> str:
        """A template filled with all these things: as `render` does it, with fewer copies on the way."""
        template = self.get_template(name)
        known = self.globals.copy()
        for some in things:
            known.update(some)
        try:
            return self.concat(template.root_render_func(Names(self, known, template.name, template.blocks)))
        except Exception:
            self.handle_exception()

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """One plain dict for all templates: each include copies it, and a chain of dicts copies slowly."""
        return super().make_globals(d) if d else self.globals
