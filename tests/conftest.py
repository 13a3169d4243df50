"""Gives the tests their verbs: a companion that runs, tables with people, an easel, a browser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent / "plugin"))

from cellar import Cellar
from easel import Easel
from tabletalk import NAMES, House, Table, everybody_leaves

# A busy machine is slow, not wrong.
expect.set_options(timeout=30_000)
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(autouse=True)
def _the_evening_ends() -> Iterator[None]:
    yield
    everybody_leaves()


@pytest.fixture(scope="session")
def cellar() -> Iterator[Cellar]:
    """A real PostgreSQL, started when the first test needs it."""
    cellar = Cellar()
    yield cellar
    cellar.close()


ON_BOTH = {"test_table", "test_seats", "test_live", "test_night", "test_crash"}
"""What the engine promises is tested on both stores every time."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--store", choices=("sqlite", "postgresql"), help="run every test with a house on this store only")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Whoever has a house has it on both stores, most of them on PostgreSQL in `make test-faults` only.

    A browser sees the same on either, so it looks at SQLite, unless a test says otherwise.
    """
    if "database" not in metafunc.fixturenames:
        return
    only = metafunc.config.getoption("--store")
    marked = metafunc.definition.get_closest_marker("store")
    stores = ("sqlite", "postgresql") if only or metafunc.module.__name__ in ON_BOTH else ("sqlite",)
    if "windows" in metafunc.fixturenames:
        stores = ("sqlite",)
    if marked:
        stores = marked.args
    chosen = [store for store in stores if only in (None, store)]
    metafunc.parametrize("database", chosen, indirect=True, scope="session")


@pytest.fixture(scope="session")
def database(request: pytest.FixtureRequest) -> Callable[[], str | None]:
    """Where a house keeps its tables: the address of an empty PostgreSQL database, or nothing for an SQLite file."""
    if request.param == "sqlite":
        return lambda: None
    cellar: Cellar = request.getfixturevalue("cellar")
    return cellar.database


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory, database: Callable[[], str | None]) -> Iterator[House]:
    """A companion that all tests share; each opens tables of its own."""
    house = House(
        tmp_path_factory.mktemp("house") / "data", database=database(), COMPANION_TRIES="1000000",
        COMPANION_TABLES_PER_DAY="1000000",
    ).start()  # fmt: skip
    yield house
    house.kill()


@pytest.fixture
def own_house(tmp_path: Path, database: Callable[[], str | None]) -> Iterator[House]:
    """A companion of one's own, to be killed and started again."""
    house = House(
        tmp_path / "data", database=database(), COMPANION_TRIES="1000000", COMPANION_TABLES_PER_DAY="1000000"
    ).start()
    yield house
    house.kill()


@pytest.fixture
def seated(house: House) -> Callable[..., Table]:
    """A table of so many people with phones, started: `seated("score_sheet", players=3, rounds=2)`."""

    def seat(game: str, players: int = 3, *, start: bool = True, **setup: object) -> Table:
        table = house.opens(game, **setup)
        for name in NAMES[:players]:
            table.sits(name)
        return table.starts() if start else table

    return seat


@pytest.fixture(scope="session")
def easel(tmp_path_factory: pytest.TempPathFactory) -> Easel:
    """Draws any state of any game for any seat, with the real templates."""
    return Easel(tmp_path_factory.mktemp("easel"))


UNUSED = (
    # Nobody types an address here, yet every window would load two pages for that: more work than most tests are.
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
    # What Playwright does without, whose list this one replaces.
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled",
    "PreconnectToSearch",
)  # fmt: skip
"""Parts of Chromium that no test needs."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # There is no graphics card here: Chromium draws by itself, without a process that pretends to be one.
        args = ["--no-sandbox", "--disable-gpu", "--in-process-gpu", f"--disable-features={','.join(UNUSED)}"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=args)
        yield browser
        browser.close()


@pytest.fixture
def windows(browser: Browser) -> Iterator[Windows]:
    windows = Windows(browser)
    yield windows
    windows.close()
    assert not windows.complaints, windows.complaints


class Windows:
    """Browser windows of phone size and of screen size, each with a memory of its own."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[Any] = []
        self.complaints: list[str] = []

    def phone(self, **options: Any) -> Page:
        return self._page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, **options)

    def wide(self, **options: Any) -> Page:
        return self._page(viewport={"width": 1280, "height": 800}, **options)

    def _page(self, **options: Any) -> Page:
        context = self._browser.new_context(**options)
        context.set_default_timeout(15_000)
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._listen)
        return page

    def _listen(self, message: Any) -> None:
        # A refused tap, a dead link and a server that is away are answers, not mistakes of the page.
        expected = (
            "status of 4",
            "status of 5",
            "failed with status 4",
            "ERR_CONNECTION",
            "ERR_INCOMPLETE",
            "ERR_CONTENT_LENGTH",
            "ERR_INTERNET",
            "ERR_NETWORK",
            "ERR_EMPTY",
            "Failed to fetch",
            "network error",
        )
        if message.type == "error" and not any(words in message.text for words in expected):
            self.complaints.append(message.text)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def assert_accessible(page: Page) -> None:
    """axe-core finds nothing to object to on this screen, and nothing is wider than it."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), "too wide"
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.fixture
def accessible() -> Callable[[Page], None]:
    return assert_accessible
