"""The pytest plugin: fixtures, and `--game` for the tests that every game must pass.

pytest loads this file wherever Companion is installed, so it imports the rest only when a test needs it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from flask import Flask
    from playwright.sync_api import Browser, Page

    from companion.game import Game
    from companion.testing import Easel, House, Table, Windows

PATIENT: dict[str, Any] = {"COMPANION_TRIES": "1000000", "COMPANION_TABLES_PER_DAY": "1000000"}
"""Tests send more requests than people do."""

FLOW = "taps per flow"

pytest.register_assert_rewrite("companion.testing")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", action="append", metavar="NAME", help="the game to test with companion.testing")


def pytest_configure(config: pytest.Config) -> None:
    """Fail early if there is no such game."""
    if names := config.getoption("--game"):
        games_to_try(names, None)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of this package on every chosen game; leave other people's tests alone."""
    if "game" in metafunc.fixturenames and metafunc.function.__module__.startswith("companion.testing."):
        games = games_to_try(metafunc.config.getoption("--game"), metafunc.module)
        metafunc.parametrize("game", games, ids=[game.name for game in games])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many taps each flow took."""
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    flows = [
        value for report in reports if report.when == "call" for key, value in report.user_properties if key == FLOW
    ]
    if flows:
        terminalreporter.section("taps per flow")
        terminalreporter.write_line("\n".join(map(str, flows)))


def games_to_try(names: list[str] | None, module: Any) -> list[Game]:
    """Return the games named by `--game`, or by `GAME` or `GAMES` in the test file, or all that are not ours."""
    from companion.games import GAMES, find_games

    found, bad = find_games()
    if names:
        if unknown := [name for name in names if name not in found]:
            raise pytest.UsageError(
                f"There is no game {unknown[0]!r} here. Is its package installed (pip install -e …)? "
                f"There are: {', '.join(sorted(found))}. {' '.join(map(str, bad))}"
            )
        return [found[name] for name in names]
    if hasattr(module, "GAME"):
        return [module.GAME]
    if hasattr(module, "GAMES"):
        return list(module.GAMES)
    theirs = [game for name, game in found.items() if name not in GAMES]
    if not theirs:
        raise pytest.UsageError("Which game? Say it with --game NAME.")
    return theirs


@pytest.fixture(autouse=True)
def _the_evening_ends() -> Iterator[None]:
    yield
    if "companion.testing.stream" in sys.modules:
        from companion.testing.stream import everybody_leaves

        everybody_leaves()


@pytest.fixture(scope="session")
def database() -> Callable[[], str | None]:
    """Where a house stores its tables; nothing means its own SQLite file."""
    return lambda: None


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory, database: Callable[[], str | None]) -> Iterator[House]:
    """A running companion that all tests share; each test opens its own tables."""
    from companion.testing import House

    house = House(tmp_path_factory.mktemp("house") / "data", database=database(), **PATIENT).start()
    yield house
    house.kill()


@pytest.fixture
def own_house(tmp_path: Path, database: Callable[[], str | None]) -> Iterator[House]:
    """A running companion for one test, which may kill and restart it."""
    from companion.testing import House

    house = House(tmp_path / "data", database=database(), **PATIENT).start()
    yield house
    house.kill()


@pytest.fixture
def seated(house: House) -> Callable[..., Table]:
    """A started game with this many people and phones: `seated("score_sheet", players=3, rounds=2)`."""
    from companion.testing import NAMES

    def seat(game: str, players: int = 3, *, start: bool = True, **setup: object) -> Table:
        table = house.opens(game, **setup)
        for name in NAMES[:players]:
            table.sits(name)
        return table.starts() if start else table

    return seat


@pytest.fixture
def flow(house: House, record_property: Callable[[str, object], None]) -> Callable[..., AbstractContextManager[None]]:
    """Count and limit taps: `with flow("a murder with a Shield", most=15): …`. The counts are printed at the end."""

    @contextmanager
    def count(name: str, *, most: int, keys: int = 0) -> Iterator[None]:
        taps_before, keys_before = house.thumbs.taps, house.thumbs.keys
        yield
        taps, typed = house.thumbs.taps - taps_before, house.thumbs.keys - keys_before
        record_property(FLOW, f"{name}: {taps} taps (at most {most}), {typed} keys (at most {keys})")
        assert taps <= most, f"{name} takes {taps} taps"
        assert typed <= keys, f"{name} takes {typed} keys"

    return count


@pytest.fixture(scope="session")
def easel(tmp_path_factory: pytest.TempPathFactory) -> Easel:
    """Draws any state of any game for any seat, with the real templates."""
    from companion.testing import Easel

    return Easel(tmp_path_factory.mktemp("easel"))


@pytest.fixture(scope="session")
def pseudo_app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """A companion in this process with all games, in English and in the pseudo-language of `pseudo`."""
    from companion.app import create_app
    from companion.games import all_games
    from companion.testing import pseudo
    from companion.web.limits import LimitSettings

    folder = tmp_path_factory.mktemp("pseudo")
    homes = {game.home for game in all_games().values() if game.home is not None}
    return create_app(
        folder / "data", translations=pseudo.make(folder / "translations", *homes), address="192.0.2.1",
        limits=LimitSettings(attempts=1_000_000),
    )  # fmt: skip


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A real browser, started when the first test needs it."""
    from companion.testing.windows import started_chromium

    with started_chromium() as browser:
        yield browser


@pytest.fixture
def windows(chromium: Browser) -> Iterator[Windows]:
    """Windows of that browser; the test fails if a page logs an error."""
    from companion.testing import Windows

    windows = Windows(chromium)
    yield windows
    windows.close()
    assert not windows.complaints, windows.complaints


@pytest.fixture
def accessible() -> Callable[[Page], None]:
    """Call it with a page: it fails if axe-core finds a fault, or if the page is wider than the screen."""
    from companion.testing import assert_accessible

    return assert_accessible
