"""Test the secrecy check itself: it finds every planted leak, and says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from planted_auction import AUCTION
from planted_faults import BALLOT, COUNTING, DEALT, DRAWN, ENDING, FAULTS, MURDERED, VOTING, weight

from companion.engine.snapshot import HistoryEntry
from companion.game import Game, Line, Say, Seat
from companion.games import all_games, trickery
from companion.live.screen import Screen
from companion.testing import Leak, Prover
from companion.testing.differences import differences, fingerprint, lies_within, only_moved
from companion.web import exports


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_leak_is_found(tmp_path: Path, fault: str) -> None:
    plant, said = FAULTS[fault]
    game = plant(tmp_path)
    with pytest.raises(Leak, match=said):
        Prover(tmp_path / "data", game, players=4).proves(steps=60)


@pytest.mark.parametrize("fault", AUCTION)
def test_a_leak_that_a_stranger_builds_in_is_found(tmp_path: Path, fault: str) -> None:
    plant, said = AUCTION[fault]
    with pytest.raises(Leak, match=said):
        Prover(tmp_path, plant(tmp_path), players=4).proves(steps=60)


@pytest.mark.parametrize("game", [MURDERED, VOTING, ENDING, DEALT, COUNTING, trickery.GAME])
def test_ours_tell_nothing_where_random_play_seldom_comes(tmp_path: Path, game: Game) -> None:
    Prover(tmp_path, game, players=4, seed=3).proves(steps=25)


@pytest.mark.parametrize(("mode", "keeping"), [("beginner", "remember"), ("expert", "count")])
def test_the_big_shuffle_tells_nothing_in_any_mode(tmp_path: Path, mode: str, keeping: str) -> None:
    Prover(tmp_path, all_games()["big_shuffle"], mode=mode, keeping=keeping).proves(steps=25)


# -------------------------------------------------------------------------------- faults of the house itself


@pytest.fixture
def prover(tmp_path: Path) -> Prover:
    return Prover(tmp_path / "data", BALLOT)


def letters(prover: Prover) -> int:
    return weight(prover.play.now.state)


def test_a_title_that_tells_is_found(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    renderer = prover.play.services.renderer
    page = renderer.page

    def leaky(template: str, **inputs: Any) -> str:
        return page(template, **inputs).replace("<title>", f"<title>{letters(prover)} ")

    monkeypatch.setattr(renderer, "page", leaky)
    with pytest.raises(Leak, match=DRAWN):
        prover.proves(steps=1)


def test_a_stream_that_tells_is_found(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Screen, "frame", lambda screen, regions: b"retry: %d\n\n" % letters(prover))
    monkeypatch.setattr(Screen, "mark", "")
    with pytest.raises(Leak, match="stream"):
        prover.proves(steps=1)


def test_an_export_that_tells_is_found(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "as_json", lambda tables, pause: str(letters(prover)))
    with pytest.raises(Leak, match=r"table\.json"):
        prover.proves(steps=1)


def test_a_page_of_the_history_that_tells_is_found(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(*_: object) -> list[HistoryEntry]:
        return [HistoryEntry(1, 0.0, Line(Say("{n} letters", n=letters(prover))))]

    monkeypatch.setattr(prover.play.services.reader, "history", leaky)
    with pytest.raises(Leak, match="page /history"):
        prover.proves(steps=1)


def test_a_burnt_state_that_can_be_read_is_found(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = prover.play.store.commit
    monkeypatch.setattr(
        prover.play.store, "commit", lambda version, **more: commit(replace(version, burn_floor=0), **more)
    )
    with pytest.raises(Leak, match="can be read after it was burnt"):
        prover.proves(steps=60)


def test_a_burnt_word_that_lies_in_any_file_is_found(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    commit: Callable[..., bool] = prover.play.store.commit

    def careless(version: Any, **more: Any) -> bool:
        with (prover.folder / "debug.log").open("ab") as log:
            log.write(version.state or b"")
        return commit(version, **more)

    monkeypatch.setattr(prover.play.store, "commit", careless)
    with pytest.raises(Leak, match=r"was burnt and lies in debug\.log"):
        prover.proves(steps=60)


def test_a_secret_that_is_not_a_state_is_refused(tmp_path: Path) -> None:
    game = FAULTS["nothing declared"][0](tmp_path)
    object.__setattr__(game, "secrets", lambda box, seat: ["something else"])
    with pytest.raises(Leak, match="which is no state"):
        Prover(tmp_path / "data", game).proves(steps=1)


# -------------------------------------------------------------------------------- how two states differ


def test_every_place_in_which_two_states_differ_is_found():
    one = BALLOT.start(BALLOT.setup(), (Seat(1), Seat(2)), None).state
    other = replace(one, slips={Seat(1): "quince", Seat(2): "apple"}, notes={Seat(2): "key"})
    found = differences(one, other)
    assert [place.path for place in found] == [("slips", "1"), ("slips", "2"), ("notes", "2")]
    assert not only_moved(found)
    assert only_moved(found[:2])
    assert lies_within(("slips", "1"), {("slips",)})
    assert not lies_within(("slips",), {("slips", "1")})


def test_views_that_may_be_drawn_differently_have_different_fingerprints():
    pairs = [
        ({1: 2, 3: 4}, {3: 4, 1: 2}),
        (True, 1),
        (Seat(1), 1),
        ((1, 2), [1, 2]),
        (Say("{a}", a=1), Say("{a}", a=Seat(1))),
    ]
    for one, other in pairs:
        assert fingerprint(one) != fingerprint(other)
        assert fingerprint(one) == fingerprint(one)
