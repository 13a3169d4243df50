"""The packages of a release have the right content, and play in an empty environment on every Python found.

`make release` runs this on the packages in dist/; otherwise they are built here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from here import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SMOKE = ROOT / "tools" / "smoke.py"
VERSION = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"


def pythons() -> dict[str, str]:
    """Find one Python of each supported version: this one, those on PATH, and those of uv and pyenv."""
    places = [Path(place) for place in os.environ.get("PATH", "").split(os.pathsep)]
    for home in (Path.home() / ".local" / "share" / "uv" / "python", Path.home() / ".pyenv" / "versions"):
        places += sorted(home.glob("*/bin"), reverse=True)
    found = {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable}
    for place in places:
        for minor in (11, 12, 13, 14):
            program = place / f"python3.{minor}"
            if f"3.{minor}" not in found and program.exists() and answers(program) == f"3.{minor}":
                found[f"3.{minor}"] = str(program)
    return found


def answers(program: Path) -> str:
    """Return the version of this Python, or nothing if it can't make environments or is only a shim."""
    done = subprocess.run([program, "-c", VERSION], capture_output=True, text=True, check=False)
    return done.stdout.strip()


FOUND = pythons()


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if made := os.environ.get("COMPANION_DIST"):
        return Path(made).resolve()
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT, check=True, capture_output=True
    )
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    return next(dist.glob("*.whl"))


def licences() -> Iterator[tuple[str, str]]:
    """Return each vendored file and its licence file, from static/VENDORED.md."""
    for line in (ROOT / "static" / "VENDORED.md").read_text().splitlines():
        if found := re.match(r"\| `([^`]+)` \|.*`([^`]+LICENSE\.txt)` \|$", line):
            yield found.group(1), found.group(2)


def test_both_packages_have_the_licence_of_everything_in_them(dist, wheel):
    known = list(licences())
    assert len(known) == 4
    with zipfile.ZipFile(wheel) as packed, tarfile.open(next(dist.glob("*.tar.gz"))) as source:
        inside, sources = set(packed.namelist()), set(source.getnames())
    name = f"companion_table-{PROJECT['version']}"
    assert f"{name}.dist-info/licenses/LICENSE" in inside
    assert f"{name}/LICENSE" in sources
    for file, licence in known:
        assert f"companion/static/{file}" in inside
        assert f"{name}.dist-info/licenses/static/{licence}" in inside
        assert {f"{name}/static/{file}", f"{name}/static/{licence}", f"{name}/static/VENDORED.md"} <= sources
    assert {
        f"{name}/{path}" for path in ("CHANGELOG.md", "CODE_OF_CONDUCT.md", "Containerfile", "SECURITY.md")
    } <= sources


def test_the_metadata_is_complete_and_names_no_host(wheel):
    with zipfile.ZipFile(wheel) as packed:
        inside = next(name for name in packed.namelist() if name.endswith("/METADATA"))
        head = packed.read(inside).decode().partition("\n\n")[0]
        scripts = packed.read(inside.replace("METADATA", "entry_points.txt")).decode()
    for line in (
        "Name: companion-table", f"Version: {PROJECT['version']}", "Author: Companion contributors",
        "License-Expression: MIT AND 0BSD AND OFL-1.1", "Requires-Python: >=3.11", "Classifier: Typing :: Typed",
    ):  # fmt: skip
        assert line in head.splitlines()
    assert "://" not in head
    for name in ("companion", "companion-table"):
        assert f"{name} = companion.cli:main" in scripts.splitlines()


@pytest.mark.parametrize("version", sorted(FOUND, key=lambda text: int(text[2:])))
def test_the_wheel_plays_in_an_empty_environment(wheel, tmp_path, version):
    place = tmp_path / "empty"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COMPANION_"))}
    subprocess.run([FOUND[version], "-m", "venv", place], check=True, env=clean)
    programs = place / "bin"
    subprocess.run(
        [programs / "pip", "install", "-q", "--disable-pip-version-check", wheel], check=True, env=clean, cwd=tmp_path
    )
    for name in ("companion", "companion-table"):
        said = subprocess.run([programs / name, "--version"], check=True, capture_output=True, text=True, env=clean)
        assert said.stdout == f"companion {PROJECT['version']}\n"
    shutil.copy(SMOKE, tmp_path)  # outside the checkout, so that the installed package is used
    played = subprocess.run(
        [programs / "python", "smoke.py", programs / "companion"],
        capture_output=True, text=True, env=clean, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    print(played.stdout)
    assert f"plays on: Python {version}." in played.stdout
