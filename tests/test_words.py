"""Every language is complete, by the rules that a translator can check: CONTRIBUTING, "Add a language"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from here import ROOT

from companion.app import create_app
from companion.testing.words import extract
from companion.web.i18n import clock, day, decimal, percent, use_locale

TRANSLATIONS = ROOT / "translations"
LANGUAGES = sorted(path.parent.parent.name for path in TRANSLATIONS.glob("*/LC_MESSAGES/messages.po"))
HOLE = re.compile(r"%\(\w+\)[sd]|\{\w*\}")
TAG = re.compile(r"</?[a-z]+[^>]*>")
UNCHANGED = {
    line.strip()
    for line in (TRANSLATIONS / "unchanged.txt").read_text("utf-8").splitlines()
    if line.strip() and not line.startswith("#")
}
every_language = pytest.mark.parametrize("language", LANGUAGES)


def catalogue(language: str) -> Catalog:
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def messages(language: str) -> Iterator[tuple[Message, str, str]]:
    """Yield each message with its English text and its translation; a plural once per form."""
    for message in catalogue(language):
        if not message.id:
            continue
        if message.pluralizable:
            many = message.id[-1]
            yield from ((message, many, form) for form in message.string)
        else:
            yield message, message.id, message.string


def test_french_and_german_are_there():
    assert {"de", "fr"} <= set(LANGUAGES)


@every_language
def test_every_message_is_translated_and_none_is_out_of_date(language):
    """If this fails: run `make words`, then fill in what it counts as missing."""
    wanted = {
        (context, message if isinstance(message, str) else message[0])
        for _, _, message, _, context in extract(ROOT / "companion", ROOT / "templates")
    }
    found = {(m.context, m.id if isinstance(m.id, str) else m.id[0]): m for m in catalogue(language) if m.id}
    assert not wanted - set(found), "missing"
    assert not set(found) - wanted, "no longer used"
    assert not [m.id for m in found.values() if m.fuzzy]
    assert not [m.id for m, _, words in messages(language) if not words.strip()]


@every_language
def test_every_translation_has_the_holes_and_tags_of_the_english_sentence(language):
    for message, english, words in messages(language):
        allowed = set(HOLE.findall(english))
        if message.pluralizable:  # "one" may say the number in words
            assert set(HOLE.findall(words)) <= allowed | set(HOLE.findall(message.id[0])), message.id
        else:
            assert set(HOLE.findall(words)) == allowed, message.id
        assert sorted(TAG.findall(words)) == sorted(TAG.findall(english)), message.id


@every_language
def test_only_names_are_the_same_as_in_english(language):
    """`translations/unchanged.txt` lists them: names, signs, and words that two languages share."""
    same = {
        english
        for _, english, words in messages(language)
        if words == english and re.search(r"[^\W\d_]{2}", HOLE.sub("", TAG.sub("", english)))
    }
    assert not same - UNCHANGED


def test_every_name_on_the_list_is_used():
    same = {english for language in LANGUAGES for _, english, words in messages(language) if words == english}
    assert not UNCHANGED - same


def test_french_has_its_own_spaces_and_apostrophes():
    for message, _, words in messages("fr"):
        bare = HOLE.sub("x", re.sub(r"&#?\w+;", "", TAG.sub("", words)))
        assert "'" not in bare, message.id
        assert not re.search(r"[^\s\u00a0\u202f(«!?…][;!?]|\w ?:(?!\d)|« |(?<!\u00a0)»| [;!?]", bare), words


def test_german_has_its_own_quotation_marks():
    for message, _, words in messages("de"):
        bare = TAG.sub("", words)
        assert '"' not in bare, message.id
        assert bare.count("„") == bare.count("“"), words


@pytest.mark.parametrize(
    ("language", "share", "rest", "number", "date", "time"),
    [
        ("en", "70.7%", "> 99.9%", "2.5", "2 Jan 2026", "19:05"),
        ("fr", "70,7\u00a0%", "> 99,9\u00a0%", "2,5", "2 janv. 2026", "19:05"),
        ("de", "70,7\u00a0%", "> 99,9\u00a0%", "2,5", "02.01.2026", "19:05"),
    ],
)
def test_numbers_and_dates_are_written_as_the_reader_writes_them(tmp_path, language, share, rest, number, date, time):
    at = datetime(2026, 1, 2, 19, 5).timestamp()
    languages = create_app(tmp_path).extensions["companion"].languages
    with use_locale(languages.get(language)):
        drawn = [percent(one).replace("\u202f", "\u00a0") for one in (0.7071, 0.99999, 1.0)]
        assert (drawn[0], drawn[1], drawn[2][:3]) == (share, rest, "100")
        assert (decimal(2.54), day(at), clock(at)) == (number, date, time)


def test_a_share_in_a_template_is_written_for_each_reader(tmp_path):
    """Jinja computes filters of constants when it compiles a template, in whichever language is spoken then."""
    app = create_app(tmp_path)
    languages = app.extensions["companion"].languages
    with use_locale(languages.get("de")):
        template = app.jinja_env.from_string("{{ (1 / 2)|percent(0) }}")
        assert template.render() == "50\u00a0%"
    with use_locale(languages.get("en")):
        assert template.render() == "50%"
