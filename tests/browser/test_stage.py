"""Every phase of every game fits on every screen, with the fewest people and with the most under long names.

A failure names the game, phase, size and element. `make gallery ARGS="--look --game traitors"` lists all faults, and
`make gallery ARGS="--game traitors --phase vote"` takes screenshots.
"""

from __future__ import annotations

from functools import lru_cache

import pytest
from sealed_auction import GAME as SEALED_AUCTION

from companion.games import GAMES as OURS
from companion.testing.evenings import evening_of
from companion.testing.look import SCRIPT, SMALL, Looker, summed_up
from companion.testing.pictures import PHONE, STAGE, people_at
from companion.testing.showing import showing

GAMES = OURS | {SEALED_AUCTION.name: SEALED_AUCTION}
FEW = ((1280, 800), (390, 844))
"""Few people leave enough room, so a wide and a tall screen are enough."""
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    with showing(tmp_path_factory.mktemp("shown"), GAMES) as shown:
        yield shown


@pytest.fixture(scope="module")
def looker(chromium, shown):
    return Looker(chromium, shown)


@lru_cache
def evening(name, table):
    players, names = people_at(GAMES[name], table)
    return names, evening_of(GAMES[name], players)


def fits(found):
    lines = summed_up(found)
    assert not lines, "\n".join([f"{len(found)} findings", *lines[:40]])


@every_game
def test_everything_fits_on_the_stage_with_the_most_people(looker, game):
    names, phases = evening(game.name, "many")
    fits([one for phase in phases for one in looker.stage("many", names, phase, STAGE)])


@every_game
def test_everything_fits_on_the_stage_with_the_fewest_people(looker, game):
    names, phases = evening(game.name, "few")
    fits([one for phase in phases for one in looker.stage("few", names, phase, FEW)])


@every_game
def test_a_watcher_has_the_whole_stage(looker, game):
    names, phases = evening(game.name, "usual")
    fits([one for phase in phases[::5] for one in looker.stage("usual", names, phase, FEW, seat=-1)])


@every_game
def test_the_card_of_a_phone_ends_above_the_fold_and_large_letters_fit(looker, game):
    names, phases = evening(game.name, "many")
    fits([one for phase in phases for one in looker.phone("many", names, phase, (PHONE[0], SMALL))])


@every_game
def test_axe_objects_to_nothing(looker, game):
    names, phases = evening(game.name, "usual")
    fits([one for phase in phases for one in looker.axe("usual", names, phase)])


@every_game
def test_nothing_is_missing_with_scripts_off(chromium, shown, game):
    names, phases = evening(game.name, "usual")
    stage = chromium.new_context(
        viewport=dict(zip(("width", "height"), STAGE[0], strict=True)), java_script_enabled=False
    ).new_page()
    phone = chromium.new_context(
        viewport=dict(zip(("width", "height"), PHONE[0], strict=True)), java_script_enabled=False
    ).new_page()
    for page in (stage, phone):
        shown.serve(page)
    for phase in (phases[1], phases[len(phases) // 2], next(phase for phase in phases if phase.name == "winner")):
        shown.put(phase, names=names)
        for page, seat, kind in ((stage, 0, "stage"), (phone, phase.acting, "phone")):
            page.goto(shown.address(seat))
            page.evaluate(SCRIPT.read_text())
            page.evaluate("companionLook.rest(document)")
            for check in ("plain", kind):
                found = page.evaluate(f"companionLook.checks.{check}(document)")
                assert not found, f"{game.name}, {phase.name}, {kind}: {found[:20]}"
            page.locator("#drawer > summary").click()
            assert page.locator("#drawer .drawer-panel").is_visible()
    stage.context.close()
    phone.context.close()
