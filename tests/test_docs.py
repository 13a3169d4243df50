"""docs/games.md is current and complete, and following its tutorial to the letter makes a game."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from here import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import generate
import look

from companion.authoring.new_game import files

PAGE = (ROOT / "docs" / "games.md").read_text("utf-8")
FILE = re.compile(r"^`(hidden_bids/[^`\n]+)`\n\n```\w+\n(.*?)^```$", re.M | re.S)
DIFF = re.compile(r"^```diff\n-(.*?)\n\+(.*?)\n```$", re.M | re.S)


def test_what_it_takes_from_the_code_is_current():
    """If this fails, run `make docs`."""
    assert generate.page() == PAGE


def test_every_class_and_property_of_the_stylesheet_is_explained():
    """If this fails, tools/look.py says which; then run `make docs`."""
    look.check()
    shown = {name for names in re.findall(r'class="([^"]+)"', look.specimen()) for name in names.split()}
    missing = set(look.CLASSES) - {re.sub(r"^([bd])\d+$", r"\1", name) for name in shown}
    assert missing == {"qr", "b0 … b19", "d1 … d3"}  # drawn by a function, or shown as one of many


@pytest.mark.parametrize(
    "what",
    [
        "away",
        "Latecomer",
        "keeps",
        "choosing",
        "taking_part",
        "TimeIsUp",
        "Leaves",
        "ChairsMoved",
        "--dev",
        "entry point",
        "mypy --strict",
        "examples/sealed_auction",
    ],
)
def test_it_explains(what):
    by_hand = generate.REGION.sub("", PAGE)
    assert f"{what}" in by_hand


def test_its_links_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (ROOT / "docs" / target).exists(), target
    for page in ("README.md", "CONTRIBUTING.md"):
        assert "docs/games.md" in (ROOT / page).read_text()
        assert "examples/" in (ROOT / page).read_text()


# -------------------------------------------------------------------------------- the tutorial


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every file of the tutorial, exactly as it is printed there."""
    folder = tmp_path_factory.mktemp("tutorial")
    for path, text in FILE.findall(PAGE):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    talk = re.search(r"^```python\n(def test_.*?)^```$", PAGE, re.M | re.S).group(1)
    (folder / "hidden_bids" / "tests" / "test_table_talk.py").write_text(talk)
    return folder


def install(folder: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index", "--upgrade",
         "--disable-pip-version-check", "--target", folder / "site", folder / "hidden_bids"],
        check=True,
    )  # fmt: skip


def run(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(folder / "site")}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_tutorial_is_what_new_game_writes(followed):
    ours = {f"hidden_bids/{path}": text for path, text in files("hidden_bids", "secret").items()}
    assert dict(FILE.findall(PAGE)) == ours


def test_following_the_tutorial_makes_a_game_that_passes_everything(followed):
    install(followed)
    tried = run(followed, "pytest", "-q", "-p", "no:cacheprovider", "hidden_bids")
    assert tried.returncode == 0, tried.stdout[-4000:]
    assert int(re.search(r"(\d+) passed", tried.stdout).group(1)) >= 15
    assert "skipped" not in tried.stdout
    typed = run(
        followed / "hidden_bids", "mypy", "--strict", "--config-file=", "--cache-dir", followed / "mypy", "hidden_bids"
    )
    assert typed.returncode == 0, typed.stdout


def test_the_planted_leak_fails_the_test(followed):
    old, new = DIFF.search(PAGE).groups()
    view = followed / "hidden_bids" / "hidden_bids" / "view.py"
    fine = view.read_text()
    assert fine.count(old) == 1
    view.write_text(fine.replace(old, new))
    install(followed)
    try:
        tried = run(followed, "pytest", "-q", "-p", "no:cacheprovider", "hidden_bids", "-k", "tell or looks")
    finally:
        view.write_text(fine)
        install(followed)
    assert tried.returncode == 1
    named = re.search(r"`pytest hidden_bids` says: `(\w+)` fails", PAGE).group(1)
    assert f"::{named}" in tried.stdout
    assert "can tell whether bids." in tried.stdout
