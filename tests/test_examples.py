"""The game in examples/ is a small package and passes the tests for every game."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from here import ROOT

HOME = ROOT / "examples" / "sealed_auction"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("examples") / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", "--target", site, HOME],
        check=True,
    )  # fmt: skip
    return site


def test_its_own_tests_pass_with_those_of_every_game(site):
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=HOME, env={**os.environ, "PYTHONPATH": str(site)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-4000:]
    assert int(re.search(r"(\d+) passed", run.stdout).group(1)) >= 50
    assert "skipped" not in run.stdout


def test_mypy_is_strict_with_it(site):
    """Our package is marked as typed, so mypy checks other people's games against the contract."""
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", site.parent / "mypy", HOME / "sealed_auction", HOME / "tests" / "test_sealed_auction.py"],
        cwd=site.parent, env={**os.environ, "MYPYPATH": str(HOME)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout


def lines(*files: Path) -> int:
    return sum(len(file.read_text().splitlines()) for file in files)


def test_it_is_small():
    package = HOME / "sealed_auction"
    assert 150 < lines(package / "rules.py", package / "view.py") <= 250
    assert 30 < lines(*(package / "templates").rglob("*.html")) <= 120
