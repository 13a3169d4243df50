"""Rendering: a fragment of HTML is a pure function of its template, its language and its inputs.

Fragments are remembered by value, per table: equal inputs, same bytes, rendered once.
"""

from __future__ import annotations

import contextlib
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, MutableMapping
from typing import Any

import platformdirs
from flask.templating import Environment as FlaskEnvironment
from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup

from companion.web.i18n import Languages, use_locale

Inputs = dict[str, Any]
WHITE_SPACE = re.compile(r"\s+")
MEMO_BYTES = 64 << 20
"""Of rendered HTML; a busy table has some 30 KB."""
LARGE_BYTES = 4_000
MAX_KEYS = 500
"""Of one table: combinations of template, language and owner."""
ANY_SEAT, MAX_VALUES = "any seat", 8
"""The owner of fragments that all seats with the same view share, and how many different ones are remembered."""


class OneLine(Extension):
    """White space in a template becomes one blank: a screen is smaller, and one line of an SSE frame."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        for token in stream:
            if token.type == "data":
                token = Token(token.lineno, "data", WHITE_SPACE.sub(" ", token.value))
            yield token


class Templates(FlaskEnvironment):
    """Jinja as Flask has it, except that all templates share one dict of globals.

    Jinja chains a new dict to it for each template, and copies the chain for every template and every include,
    item by item: a tenth of what a tap costs.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates, kept for the next start; on a full disk they are compiled again."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


def compiled_templates(version: str) -> CompiledTemplates | None:
    """In the user's cache folder, if it can be written. A version of our Jinja options has its own folder."""
    folder = platformdirs.user_cache_path("companion", appauthor=False) / f"templates-{version}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return CompiledTemplates(str(folder))


class Fragment:
    """A piece of HTML, and what it was rendered from.

    A large one (what a host may do with everybody, QR codes) keeps only its digest: it is rarely sent, and is rendered
    again then.
    """

    __slots__ = ("_html", "_render", "common", "digest", "inputs", "private")

    def __init__(self, common: Inputs, inputs: Inputs, render: Callable[[], bytes], *, private: bool = False) -> None:
        html = render()
        self.common = common
        self.inputs = inputs
        self.digest = hash(html)
        self.private = private
        """Whether it was rendered from what one seat may know."""
        self._render = render
        self._html = html if len(html) < LARGE_BYTES else None

    @property
    def html(self) -> bytes:
        return self._render() if self._html is None else self._html

    @property
    def kept_bytes(self) -> int:
        return len(self._html or b"")


NOTHING = Fragment({}, {}, bytes)


class TableMemo:
    """What was rendered of one table: the newest fragments of each template, language and owner."""

    def __init__(self) -> None:
        self.fragments: dict[Hashable, list[Fragment]] = {}
        self.bytes = 0
        self.burn_floor = 0
        """Nothing here was rendered for one seat before this version."""
        self.people: Any = ()
        self.sitting_out: Any = ()
        self.common: Inputs = {}
        """What every fragment gets; while it is equal it is the same object, so that comparing it is cheap."""
        self.newest: Any = None
        """What was drawn of the newest snapshot (a `SnapshotMemo` of `regions.py`)."""
        self.own: dict[Hashable, Any] = {}
        """By viewer: what their own regions were rendered from, and these regions."""


class FragmentMemo:
    """The fragments of all tables, bounded in bytes; the table that was drawn longest ago is evicted first.

    Each viewer's own regions are not counted; there are a few for every open screen.

    A fragment is wrong only if its template depends on something that is not among its inputs.
    """

    def __init__(self, max_bytes: int = MEMO_BYTES) -> None:
        self._max_bytes = max_bytes
        self._tables: OrderedDict[str, TableMemo] = OrderedDict()
        self._bytes = 0

    def of(self, table: str) -> TableMemo:
        memo = self._tables.get(table)
        if memo is None:
            memo = self._tables[table] = TableMemo()
        self._tables.move_to_end(table)
        return memo

    def put(self, table: str, key: Hashable, fragment: Fragment, max_values: int = 1) -> None:
        """Remember this fragment, and drop the oldest with the same key if there are too many."""
        if len(self.of(table).fragments) >= MAX_KEYS:
            self.evict(table)
        memo = self.of(table)
        fragments = memo.fragments.setdefault(key, [])
        fragments.insert(0, fragment)
        self._resize(memo, fragment.kept_bytes)
        if len(fragments) > max_values:
            self._resize(memo, -fragments.pop().kept_bytes)
        while self._bytes > self._max_bytes and len(self._tables) > 1:
            self._bytes -= self._tables.popitem(last=False)[1].bytes

    def burn(self, table: str | None) -> None:
        """Nothing that was rendered for one seat stays, nor any snapshot; what everybody saw was never secret.

        None: something was burnt at any table.
        """
        if table is None:
            self.clear()
        elif (memo := self._tables.get(table)) is not None:
            memo.newest = None
            memo.own.clear()
            for key in [key for key, fragments in memo.fragments.items() if fragments[0].private]:
                self._resize(memo, -sum(fragment.kept_bytes for fragment in memo.fragments.pop(key)))

    def evict(self, table: str) -> None:
        memo = self._tables.pop(table, None)
        self._bytes -= memo.bytes if memo else 0

    def clear(self) -> None:
        self._tables.clear()
        self._bytes = 0

    def _resize(self, memo: TableMemo, growth: int) -> None:
        memo.bytes += growth
        self._bytes += growth


class Renderer:
    """Renders templates, alone as pages or as the remembered fragments of a table's screens."""

    def __init__(self, environment: Environment, languages: Languages, memo: FragmentMemo) -> None:
        self._environment = environment
        self._languages = languages
        self.memo = memo

    def page(self, template: str, **inputs: Any) -> str:
        """A whole page, in the current language."""
        return self._environment.get_template(template).render({"game": None, "played_as": "", **inputs})

    def fragment(
        self,
        table: str,
        template: str,
        language: str,
        common: Inputs,
        inputs: Inputs,
        owner: Hashable = None,
        *,
        private: bool = False,
    ) -> Fragment:
        """A fragment of a table's screens; `owner` is the viewer it is for, if it is not for everybody.

        `common` is what every fragment of this table gets, and every `part` in one.
        """
        key = (template, language, owner)
        for known in self.memo.of(table).fragments.get(key, ()):
            if known.common is common and known.inputs == inputs:
                return known

        def part(template: str, **inputs: Any) -> Markup:
            """A part of a template that changes less often than the rest: rendered again when its inputs change."""
            inner = self.fragment(table, template, language, common, inputs, (owner, "part"), private=private)
            return Markup(inner.html.decode())

        def render() -> bytes:
            with use_locale(self._languages.get(language)):
                html = self._environment.get_template(template).render(common, **inputs, part=part)
            # An SSE frame is one line: a line break that somebody has typed becomes a character reference.
            return html.replace("\r", "").replace("\n", "&#10;").encode()

        fragment = Fragment(common, inputs, render, private=private)
        self.memo.put(table, key, fragment, MAX_VALUES if owner == ANY_SEAT else 1)
        return fragment
