"""Fixtures for our own tests: a real PostgreSQL, and a house on either store."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent / "plugin"))
sys.path.append(str(Path(__file__).parent.parent / "examples" / "sealed_auction"))

from cellar import Cellar

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(scope="session")
def cellar() -> Iterator[Cellar]:
    """A real PostgreSQL, started when the first test needs it."""
    cellar = Cellar()
    yield cellar
    cellar.close()


ON_BOTH = {
    "test_sealing", "test_backup", "test_table", "test_seats", "test_live", "test_night", "test_crash", "test_revoked_links", "test_claims",
}  # fmt: skip
"""Test modules that always run on both stores."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--store", choices=("sqlite", "postgresql"), help="run every test with a house on this store only")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test with a house runs on both stores, most of them on PostgreSQL in `make test-faults` only.

    Browser tests run on SQLite only, unless a test says otherwise, since screens don't depend on the store.
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
    """Where a house stores its tables: the URL of an empty PostgreSQL database, or nothing for an SQLite file."""
    if request.param == "sqlite":
        return lambda: None
    cellar: Cellar = request.getfixturevalue("cellar")
    return cellar.database
