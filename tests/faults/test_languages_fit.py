"""Every screen of every game fits a phone and the stage in every language, and axe objects to nothing."""

from __future__ import annotations

import pytest
from test_words import LANGUAGES

from companion.games import GAMES
from companion.testing.evenings import evening_of
from companion.testing.look import SMALL, Looker, summed_up
from companion.testing.pictures import PHONE, STAGE, people_at
from companion.testing.showing import showing


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    with showing(tmp_path_factory.mktemp("shown"), GAMES) as shown:
        yield shown


@pytest.fixture(scope="module")
def looker(chromium, shown):
    return Looker(chromium, shown)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_screen_fits_in_every_language(looker, shown, game, language):
    shown.language = language
    players, names = people_at(game, "usual")
    found = []
    for phase in evening_of(game, players):
        found += looker.stage("usual", names, phase, STAGE[:1])
        found += looker.phone("usual", names, phase, (PHONE[0], SMALL), large=100)
        found += looker.axe("usual", names, phase)
    # On the smallest phones people scroll: what counts there is that nothing is cut off or sticks out.
    found = [one for one in found if not (one.size.startswith("320x") and one.what in ("below the fold", "covered"))]
    lines = summed_up(found)
    assert not lines, "\n".join([f"{len(found)} findings", *lines[:40]])
