"""Words on a screen: sentences are translated and their holes filled when they are drawn."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, cast

from babel import Locale
from flask import request
from flask_babel import force_locale, get_babel, get_translations
from markupsafe import Markup, escape

from companion.engine.game import TABLE, Hole, Say, Seat

_spoken: ContextVar[Any] = ContextVar("spoken", default=None)
"""The translations of whoever a screen is being drawn for."""


@contextlib.contextmanager
def speaking(language: str) -> Iterator[None]:
    """Draw in this language: its translations are looked up once, not for every word."""
    with force_locale(language):
        token = _spoken.set(get_translations())
        try:
            yield
        finally:
            _spoken.reset(token)


def gettext(text: str) -> str:
    return str((_spoken.get() or get_translations()).ugettext(text))


def ngettext(one: str, many: str, n: int) -> str:
    return str((_spoken.get() or get_translations()).ungettext(one, many, n))


def draw_say(say: Say, names: Mapping[Seat, str]) -> Markup:
    """A sentence in the reader's language, with names set apart so that any script reads well."""
    text = gettext(say.text)
    if say.many is not None:
        text = ngettext(say.text, say.many, cast("int", say.holes["n"]))
    holes = {key: _draw_hole(hole, names) for key, hole in say.holes.items()}
    return Markup(escape(text)).format_map(holes) if holes else escape(text)


def _draw_hole(hole: Hole, names: Mapping[Seat, str]) -> Markup:
    match hole:
        case Say():
            return draw_say(hole, names)
        case Seat():
            return Markup("<bdi>{}</bdi>").format(seat_name(hole, names))
        case str():
            return Markup("<bdi>{}</bdi>").format(hole)
        case _:
            return escape(str(hole))


def seat_name(seat: Seat, names: Mapping[Seat, str]) -> str:
    if seat == TABLE:
        return gettext("The table")
    return names.get(seat) or gettext("Somebody")


def languages() -> tuple[str, ...]:
    """What this companion speaks, English first."""
    return _languages_in(get_babel().translation_directories[0])


@cache
def _languages_in(folder: str) -> tuple[str, ...]:
    spoken = {path.parent.parent.name for path in Path(folder).glob("*/LC_MESSAGES/messages.mo")}
    return ("en", *sorted(spoken - {"en"}))


def choose_language() -> str:
    """The best of our languages for this phone."""
    best = request.accept_languages.best_match([tag.replace("_", "-") for tag in languages()])
    return best.replace("-", "_") if best else "en"


def text_direction(language: str) -> str:
    return str(Locale.parse(language).text_direction) if language in languages() else "ltr"
