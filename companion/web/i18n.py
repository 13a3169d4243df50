"""Translation: sentences are looked up and their holes filled when they are drawn, in the reader's language.

A phone speaks the language that was chosen on it, or its browser's. The shared screen speaks the table's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import cached_property, lru_cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time
from babel.numbers import format_decimal, format_percent
from babel.support import NullTranslations, Translations
from markupsafe import Markup, escape
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_cookie

from companion.game import TABLE, Hole, Say, Seat

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

MAX_SENTENCES = 20_000
COOKIE = "language"
"""Holds the language that somebody has chosen on this phone or laptop."""


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

    def in_context(self, context: str, text: str) -> Markup:
        """A word that means two things in English: the context says which one."""
        return Markup(self._translations.pgettext(context, text))

    @cached_property
    def locale(self) -> Locale:
        """How its speakers write numbers and dates. Our English is British."""
        try:
            return Locale.parse("en_GB" if self.name == "en" else self.name)
        except (UnknownLocaleError, ValueError):
            return Locale.parse("en_GB")

    @cached_property
    def own_name(self) -> str:
        """What its speakers call it: Deutsch."""
        if self.locale.language != self.name.split("_")[0]:
            return self.name
        return (Locale.parse(self.name).get_display_name() or self.name).capitalize()

    @property
    def direction(self) -> str:
        return str(self.locale.text_direction)


def parse_holes(text: str) -> list[tuple[str, str | None]]:
    return [(str(escape(words)), hole) for words, hole, _, _ in Formatter().parse(text)]


class Languages:
    """All languages that this companion speaks: English, and one per folder of translations.

    Other people's games bring their own folders. Where they lack a language, their words are English.
    """

    def __init__(self, folder: Path, *of_games: Path) -> None:
        found = {path.parent.parent.name for path in folder.glob("*/LC_MESSAGES/messages.mo")}
        self._languages = {"en": ENGLISH} | {
            name: Language(name, load_catalogues(name, folder, *of_games)) for name in sorted(found)
        }
        self._best = lru_cache(1_000)(self._best_match)

    def of(self, environ: WSGIEnvironment) -> Language:
        """The language of the browser that sends this request."""
        if (cookies := environ.get("HTTP_COOKIE", "")) and COOKIE in cookies:
            chosen = parse_cookie(cookies).get(COOKIE, "")
            if chosen in self._languages:
                return self._languages[chosen]
        return self._languages[self._best(environ.get("HTTP_ACCEPT_LANGUAGE", ""))]

    def _best_match(self, accept_language: str) -> str:
        """The best of our languages for a browser that sends this header."""
        wanted = parse_accept_header(accept_language, LanguageAccept)
        best = wanted.best_match([name.replace("_", "-") for name in self._languages])
        return best.replace("-", "_") if best else "en"

    def get(self, name: str) -> Language:
        """The language of this name; English, if it is gone."""
        return self._languages.get(name, ENGLISH)

    def __contains__(self, name: str) -> bool:
        return name in self._languages

    def __iter__(self) -> Iterator[Language]:
        return iter(self._languages.values())


def load_catalogues(name: str, folder: Path, *more: Path) -> NullTranslations:
    """Our catalogue of a language; the words of other people's games come after ours."""
    ours = Translations.load(folder, [name])
    for one in more:
        ours.add_fallback(Translations.load(one, [name]))
    return ours


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


def pgettext(context: str, text: str, /, **holes: Any) -> Markup:
    found = _current.get().in_context(context, text)
    return found % holes if holes else found


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


def percent(share: float, digits: int = 1) -> str:
    """A share of one: 70.7%, or 70,7 % in German. It is never 0 or 100 % unless it really is."""
    locale = current_language().locale
    least = 10.0 ** -(digits + 2)
    shown, sign = share, ""
    if 0 < share < least:
        shown, sign = least, "< "
    elif 1 - least < share < 1:
        shown, sign = 1 - least, "> "
    pattern = locale.percent_formats[None].pattern
    if digits and shown not in (0, 1):
        pattern = pattern.replace("0", f"0.{'0' * digits}")
    return sign + format_percent(shown, pattern, locale=locale)


def decimal(number: float) -> str:
    """A number with one decimal place: 2.5, or 2,5 in German."""
    return format_decimal(round(number, 1), "0.0", locale=current_language().locale)


def day(at: float) -> str:
    return format_date(datetime.fromtimestamp(at), locale=current_language().locale)


def clock(at: float) -> str:
    return format_time(datetime.fromtimestamp(at), "short", locale=current_language().locale)
