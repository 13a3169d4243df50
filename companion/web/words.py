"""Words on a screen: sentences are translated and their holes filled when they are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import Any, cast

from babel import Locale
from babel.support import Translations
from flask import request
from flask_babel import get_babel, get_locale
from markupsafe import Markup, escape
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from companion.engine.game import TABLE, Hole, Say, Seat
from companion.web.paper import as_html

SENTENCES_IN_MIND = 20_000


class Language:
    """What one language says; every sentence is looked up and taken apart once, not for every screen."""

    def __init__(self, folder: str, name: str) -> None:
        self.name = name
        self._translations: Any = Translations.load(folder, [name])
        self._texts: dict[str, Markup] = {}
        self._plain: dict[str, str] = {}
        self._pieces: dict[str, list[tuple[str, str | None]]] = {}

    def text(self, text: str) -> Markup:
        """The words of a template, with `%(name)s` where something is filled in."""
        found = self._texts.get(text)
        if found is None:
            found = _remember(self._texts, text, Markup(self._translations.ugettext(text)))
        return found

    def with_holes(self, text: str) -> str:
        """The same before anything is filled in."""
        found = self._plain.get(text)
        if found is None:
            found = _remember(self._plain, text, str(self._translations.ugettext(text)))
        return found

    def plural(self, one: str, many: str, n: int) -> str:
        return str(self._translations.ungettext(one, many, n))

    def pieces(self, say: Say) -> list[tuple[str, str | None]]:
        """The words of a sentence between its holes, each with the name of the hole that follows."""
        if say.many is not None:
            return _take_apart(self.plural(say.text, say.many, cast("int", say.holes["n"])))
        found = self._pieces.get(say.text)
        if found is None:
            found = _remember(self._pieces, say.text, _take_apart(str(self._translations.ugettext(say.text))))
        return found


def _remember(kept: dict[str, Any], text: str, found: Any) -> Any:
    if len(kept) >= SENTENCES_IN_MIND:
        kept.clear()
    kept[text] = found
    return found


def _take_apart(text: str) -> list[tuple[str, str | None]]:
    return [(str(escape(words)), hole) for words, hole, _, _ in Formatter().parse(text)]


_language_in = cache(Language)
_spoken: ContextVar[Language | None] = ContextVar("spoken", default=None)
"""The language of whoever a screen is being drawn for."""


class Tongue:
    """A language, while it is spoken."""

    __slots__ = ("_language", "_token")

    def __init__(self, language: Language) -> None:
        self._language = language

    def __enter__(self) -> None:
        self._token = _spoken.set(self._language)

    def __exit__(self, *_: object) -> None:
        _spoken.reset(self._token)


def speaking(language: str, folder: str) -> Tongue:
    """`with speaking(…):` draw in this language, whoever has asked."""
    return Tongue(_language_in(folder, language))


def spoken() -> Language:
    """The language that is being drawn: the screen's, or that of the phone that asks."""
    return _spoken.get() or _language_in(_folder(), str(get_locale()))


def gettext(text: str, /, **holes: Any) -> Markup:
    """The words of a template, with what fills `%(name)s`."""
    return _fill(spoken().with_holes(text), holes) if holes else spoken().text(text)


def ngettext(one: str, many: str, n: int, /, **holes: Any) -> Markup:
    return _fill(spoken().plural(one, many, n), {"num": n, **holes})


def _fill(text: str, holes: dict[str, Any]) -> Markup:
    return as_html(text % {name: hole if type(hole) is int else escape(hole) for name, hole in holes.items()})


def draw_say(say: Say, names: Mapping[Seat, str]) -> Markup:
    """A sentence in the reader's language, with names set apart so that any script reads well."""
    drawn = []
    for words, hole in spoken().pieces(say):
        drawn.append(words)
        if hole is not None:
            drawn.append(_draw_hole(say.holes[hole], names))
    return as_html("".join(drawn))


def _draw_hole(hole: Hole, names: Mapping[Seat, str]) -> str:
    match hole:
        case Say():
            return draw_say(hole, names)
        case Seat():
            return f"<bdi>{escape(seat_name(hole, names))}</bdi>"
        case str():
            return f"<bdi>{escape(hole)}</bdi>"
        case _:
            return str(escape(str(hole)))


def seat_name(seat: Seat, names: Mapping[Seat, str]) -> str:
    if seat == TABLE:
        return gettext("The table")
    return names.get(seat) or gettext("Somebody")


@cache
def languages(folder: str) -> tuple[str, ...]:
    """What this companion speaks, English first."""
    spoken = {path.parent.parent.name for path in Path(folder).glob("*/LC_MESSAGES/messages.mo")}
    return ("en", *sorted(spoken - {"en"}))


@lru_cache(maxsize=1_000)
def best_language(folder: str, wished: str) -> str:
    """The best of our languages for a phone that sends this header."""
    wishes = parse_accept_header(wished, LanguageAccept)
    best = wishes.best_match([tag.replace("_", "-") for tag in languages(folder)])
    return best.replace("-", "_") if best else "en"


def choose_language() -> str:
    """The language of the phone that asks."""
    return best_language(_folder(), request.headers.get("Accept-Language", ""))


def _folder() -> str:
    return str(get_babel().translation_directories[0])


def text_direction(language: str) -> str:
    return str(Locale.parse(language).text_direction) if language in languages(_folder()) else "ltr"
