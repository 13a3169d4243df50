"""Other people's games: what `companion new-game` writes works like our own games."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from here import python_path

from companion.testing import House


def companion(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        cwd=cwd, env={**os.environ, "PYTHONPATH": python_path()}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both games, installed like any package."""
    folder = tmp_path_factory.mktemp("strangers")
    for name, *more in (("dragon_race",), ("hidden_bid", "--secret")):
        made = companion("new-game", name, *more, cwd=folder)
        assert made.returncode == 0, made.stderr
        for step in (f"pip install -e '{name}[testing]'", f"pytest {name}", "companion play --dev", "docs/games.md"):
            assert step in made.stdout
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", "--target", folder / "site", folder / "dragon_race", folder / "hidden_bid"],
        check=True,
    )  # fmt: skip
    return folder


def test_strangers_games_pass_what_every_game_must(strangers):
    """The same tests as for our games, in a real browser, with the packages installed."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "companion.testing",
         "--game", "dragon_race"],
        cwd=strangers, env={**os.environ, "PYTHONPATH": str(strangers / "site")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-4000:]
    passed = int(re.search(r"(\d+) passed", run.stdout).group(1))
    assert passed >= 10
    assert "skipped" not in run.stdout


def test_the_tests_that_new_game_writes_pass(strangers):
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", strangers / "dragon_race", "-k", "not accessible"],
        cwd=strangers, env={**os.environ, "PYTHONPATH": str(strangers / "site")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-4000:]
    assert int(re.search(r"(\d+) passed", run.stdout).group(1)) >= 10


PLAIN = """
import sys
for name in ("pytest", "httpx", "selectolax", "playwright", "axe_playwright_python", "psycopg", "prometheus_client"):
    sys.modules[name] = None
from companion.cli import main
main(sys.argv[1:])
"""
"""Run the companion as if no optional package were installed."""


@pytest.mark.parametrize("more", [(), ("--secret",)])
def test_it_needs_nothing_but_the_companion(more, tmp_path):
    made = subprocess.run(
        [sys.executable, "-c", PLAIN, "new-game", "dragon_race", *more],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": python_path()}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "dragon_race" / "dragon_race" / "templates" / "dragon_race" / "seat.html").exists()


def test_a_night_of_strangers_games(strangers, tmp_path):
    house = House(tmp_path / "data", PYTHONPATH=f"{python_path()}{os.pathsep}{strangers / 'site'}").start()
    try:
        table = house.opens("score_sheet", rounds=1)
        for name in ("Ann", "Ben"):
            table.sits(name)
        table.starts().shared.presses("Yes, end it")
        reply = table.shared.client.post(f"{table.shared.path}/next/hidden_bid", data={"prizes": "1"})
        assert reply.status_code == 303
        table.moves_on().starts()
        table["Ann"].presses("Bid", coins=4)
        assert table["Ben"].shows("has bid")
        assert "4" not in re.findall(r"\d+", table["Ben"].page().text.replace(table.code, ""))
        assert table["Ben"].presses("Bid", coins=11).message == "“Coins” must be 10 or less."
        table["Ben"].presses("Bid", coins=7)
        table["Ben"].presses("The prize of 1")
        assert "Ben takes the prize of 1." in table["Ann"].lines()
        assert table.shared.reads("night").shows("Ben wins")
        assert b'"bids":{"1":4' not in house.database_bytes()
    finally:
        house.kill()


@pytest.mark.parametrize("name", ["Dragon", "7up", "a b", "class", "../x", "score_sheet", "json"])
def test_a_name_that_cannot_be_is_refused_with_a_sentence(name, tmp_path):
    made = companion("new-game", name, cwd=tmp_path)
    assert made.returncode == 1
    assert made.stderr.strip().endswith(".") or made.stderr.strip().endswith("name.")
    assert "Traceback" not in made.stderr
    assert not list(tmp_path.iterdir())


def test_an_existing_folder_is_left_alone(tmp_path):
    (tmp_path / "dragon_race").mkdir()
    made = companion("new-game", "dragon_race", cwd=tmp_path)
    assert made.returncode == 1
    assert "already exists" in made.stderr
