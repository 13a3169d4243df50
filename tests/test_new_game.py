"""A stranger's game: what `companion new-game` writes and what the tutorial builds are games like ours."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tabletalk import ROOT, House, python_path

FILE = re.compile(r"^`(hidden_bid/[^`\n]+)`\n\n```\w+\n(.*?)^```$", re.M | re.S)


def tutorial() -> dict[str, str]:
    """The files of CONTRIBUTING.md, as somebody would copy them."""
    return dict(FILE.findall((ROOT / "CONTRIBUTING.md").read_text()))


def companion(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        cwd=cwd, env={**os.environ, "PYTHONPATH": python_path()}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both games, installed like any package."""
    folder = tmp_path_factory.mktemp("strangers")
    made = companion("new-game", "dragon_race", cwd=folder)
    assert made.returncode == 0, made.stderr
    assert "pip install -e dragon_race" in made.stdout
    for path, text in tutorial().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", "--target", folder / "site", folder / "dragon_race", folder / "hidden_bid"],
        check=True,
    )  # fmt: skip
    return folder


def test_the_tutorial_is_a_game_in_under_a_hundred_lines():
    lines = [line for path, text in tutorial().items() if path.endswith((".py", ".html")) for line in text.splitlines()]
    assert 50 < len([line for line in lines if line.strip()]) < 100
    assert len(tutorial()) == 6


def test_strangers_games_pass_what_every_game_must(strangers):
    """The very tests that ours have to pass, in a real browser, with the packages installed."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", ROOT / "tests" / "test_every_game.py",
         "-k", "dragon_race or hidden_bid"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(strangers / "site")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-4000:]
    passed = int(re.search(r"(\d+) passed", run.stdout).group(1))
    assert passed >= 20
    assert "skipped" not in run.stdout


def test_the_test_that_new_game_writes_passes(strangers):
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", strangers / "dragon_race" / "tests"],
        cwd=strangers, env={**os.environ, "PYTHONPATH": str(strangers / "site")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-4000:]


def test_a_night_of_strangers_games(strangers, tmp_path):
    house = House(tmp_path / "data", PYTHONPATH=f"{python_path()}{os.pathsep}{strangers / 'site'}").start()
    try:
        table = house.opens("score_sheet", rounds=1)
        for name in ("Ann", "Ben"):
            table.sits(name)
        table.starts().shared.presses("Yes, end it")
        reply = table.shared.client.post(f"{table.shared.path}/next/hidden_bid", data={"prizes": "1"})
        assert reply.status_code == 303
        table._moves_on().starts()
        table["Ann"].presses("Bid", coins=4)
        assert table["Ben"].shows("has bid")
        assert "4" not in re.findall(r"\d+", table["Ben"].page().text.replace(table.code, ""))
        assert table["Ben"].presses("Bid", coins=11).message == "Coins can be at most 10."
        table["Ben"].presses("Bid", coins=7)
        assert "Ben takes the prize." in table["Ann"].lines()
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
    assert "is there already" in made.stderr
