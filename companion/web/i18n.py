"""Translation: sentences are looked up and their holes filled when they are drawn, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.support import NullTranslations, Translations
from markupsafe import Markup, escape
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from companion.game import TABLE, Hole, Say, Seat

MAX_SENTENCES = 20_000


class Language:
    """The catalogue of one language."""

    def __init__(self, name: str, translations: NullTranslations) -> None:
        self.name = name
        self._translations = translations
        # A catalogue does not change while we serve, so what was looked up stays true.
        self.text = lru_cache(MAX_SENTENCES)(self._text)
        self._parsed = lru_cache(MAX_SENTENCES)(parse_holes)

    def _text(self, text: str) -> Markup:
        """The words of a template: trusted markup."""
        return Markup(self._translations.gettext(text))

    def plural(self, one: str, many: str, n: int) -> str:
        return str(self._translations.ngettext(one, many, n))

    def pieces(self, say: Say) -> list[tuple[str, str | None]]:
        """The words of a sentence between its holes, each with the name of the hole that follows."""
        if say.many is not None:
            n = say.holes["n"]
            return self._parsed(self.plural(say.text, say.many, n if isinstance(n, int) else 0))
        return self._parsed(str(self._translations.gettext(say.text)))

    @cached_property
    def direction(self) -> str:
        try:
            return str(Locale.parse(self.name).text_direction)
        except (UnknownLocaleError, ValueError):
            return "ltr"


def parse_holes(text: str) -> list[tuple[str, str | None]]:
    return [(str(escape(words)), hole) for words, hole, _, _ in Formatter().parse(text)]


class Languages:
    """All languages that this companion speaks: English, and one per folder of translations."""

    def __init__(self, folder: Path) -> None:
        found = {path.parent.parent.name for path in folder.glob("*/LC_MESSAGES/messages.mo")}
        self._languages = {"en": ENGLISH} | {
            name: Language(name, Translations.load(folder, [name])) for name in sorted(found)
        }
        self.best = lru_cache(1_000)(self._best)

    def _best(self, accept_language: str) -> str:
        """The best of our languages for a browser that sends this header."""
        wanted = parse_accept_header(accept_language, LanguageAccept)
        best = wanted.best_match([name.replace("_", "-") for name in self._languages])
        return best.replace("-", "_") if best else "en"

    def __getitem__(self, name: str) -> Language:
        return self._languages[name]


ENGLISH = Language("en", NullTranslations())
_current: ContextVar[Language] = ContextVar("language", default=ENGLISH)


@contextmanager
def use_locale(language: Language) -> Iterator[None]:
    """Draw in this language inside the `with` block."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)


def set_locale(language: Language) -> None:
    """Draw in this language from now on, in this greenlet."""
    _current.set(language)


def current_language() -> Language:
    return _current.get()


def gettext(text: str, /, **holes: Any) -> Markup:
    """The words of a template, with what fills `%(name)s`; what is filled in is escaped."""
    found = _current.get().text(text)
    return found % holes if holes else found


def ngettext(one: str, many: str, n: int, /, **holes: Any) -> Markup:
    return Markup(_current.get().plural(one, many, n)) % {"num": n, **holes}


def draw_say(say: Say, names: Mapping[Seat, str]) -> Markup:
    """A sentence in the reader's language, with names set apart so that any script reads well."""
    drawn = []
    for words, hole in _current.get().pieces(say):
        drawn.append(words)
        if hole is not None:
            drawn.append(_draw_hole(say.holes[hole], names))
    return Markup("".join(drawn))


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
