"""Every screen of every game in every language: no English is left, everything fits, and axe finds no fault."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest
from selectolax.lexbor import LexborHTMLParser
from test_words import LANGUAGES, UNCHANGED

from companion.games import GAMES
from companion.testing.evenings import evening_of
from companion.testing.pictures import people_at
from companion.testing.pseudo import SPOKEN
from companion.testing.showing import showing

ENGLISH = re.compile(
    r"\b(the|and|you|your|with|of|is|are|have|has|this|that|from|who|what|when|they|their|everybody|somebody|nobody|"
    r"turn|cards|players|again|next|back)\b",
    re.IGNORECASE,
)
"""Words that are in nearly every English sentence, and in no French or German one."""
NAMES = sorted(UNCHANGED, key=len, reverse=True)
"""What is the same in every language, the longest first."""
CARD = re.compile(r"\bThe( [A-Z][\w'-]+)+")
"""Names of cards and teams are as printed or typed: The Newspaper Boy."""
PAGES = ("/", "/new/{game}", "/help/{game}", "/nowhere", "/s/wrong", "/players")
every_language = pytest.mark.parametrize("language", LANGUAGES)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    with showing(tmp_path_factory.mktemp("shown"), GAMES) as shown:
        yield shown


@lru_cache
def evening(name, table):
    players, names = people_at(GAMES[name], table)
    return names, evening_of(GAMES[name], players)


def left_over(html):
    """Return texts on this page that are still English. Names of people and cards are inside <bdi>."""
    page = LexborHTMLParser(html)
    for node in page.css("script, style, bdi, [lang=en], .languages, .data"):
        node.decompose()
    texts = [*page.body.text(separator="\n").splitlines()]
    texts += [node.attributes[name] or "" for name in SPOKEN for node in page.css(f"[{name}]")]
    found = []
    for text in texts:
        rest = CARD.sub(" ", text)
        for known in NAMES:
            rest = rest.replace(known, " ")
        if ENGLISH.search(rest):
            found.append(" ".join(text.split()))
    return found


@every_language
@every_game
def test_no_english_is_left_over(shown, game, language):
    shown.language = language
    names, phases = evening(game.name, "usual")
    found = {}
    for page in PAGES:
        path = page.format(game=game.name)
        found[path] = left_over(shown.get(path).text)
    for phase in phases:
        for host in (0, phase.acting) if phase.players else (0,):
            shown.put(phase, names=names, host=host)
            for seat in {0, -1, phase.acting, phase.waiting} if phase.players else {0}:
                found[phase.name, seat, host] = left_over(shown.html(seat))
    found[""] = left_over(shown.get(f"{shown.address(0)}/history").text)
    assert not {where: words for where, words in found.items() if words}
