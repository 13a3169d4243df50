"""The structure of the code: imports, vendored files, starting and packaging."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
import zipfile

import httpx
import pytest
from here import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from companion.testing import House, Person, Reply
from companion.testing.source import FORBIDDEN, imports
from companion.web.assets import Assets

PACKAGE = ROOT / "companion"
ALLOWED = {
    "games": ("game",),
    "engine": ("game", "engine"),
    "storage": ("game", "engine", "storage"),
    "live": ("game", "engine", "live"),
    "web": ("game", "engine", "live", "web"),
    "server": ("game", "games", "engine", "live", "storage", "web", "server", "app", "authoring", "demo"),
    "authoring": ("game", "games", "engine", "live", "web", "server", "app", "authoring"),
    "demo": ("game", "games", "engine", "live", "web", "server", "app", "authoring", "demo"),
    "testing": ("game", "games", "engine", "live", "storage", "web", "app", "demo", "testing"),
}
"""Which of our parts each part may import. Files outside these folders (`app.py`, the commands) may import all."""
FOREIGN = {
    "engine": ("flask", "werkzeug", "jinja2", "markupsafe", "gevent", "sqlite3", "psycopg"),
    "storage": ("flask", "werkzeug", "jinja2", "markupsafe"),
    "live": ("flask", "werkzeug", "jinja2", "markupsafe", "sqlite3", "psycopg"),
    "web": ("sqlite3", "psycopg", "gevent"),
}
"""Libraries that a part must not import: no HTML and no event loop in the engine, no SQL in the web."""


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("*/**/*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path):
    folder, *inner = path.relative_to(PACKAGE).parts
    for name in imports(path):
        assert not name.startswith(FOREIGN.get(folder, ())), name
        if folder == "games":
            assert name.split(".")[0] not in FORBIDDEN
        if name.startswith("companion."):
            target = name.removeprefix("companion.")
            own = (
                f"games.{inner[0]}" if folder == "games" and len(inner) > 1 else "games." if folder == "games" else None
            )
            if own == "games." and target.startswith("authoring.check"):
                continue  # the shelf checks other people's games
            assert target.split(".")[0] in ALLOWED[folder] or (own and target.startswith(own)), name


@pytest.mark.parametrize("folder", ["engine", "storage", "live"])
def test_there_is_no_markup_below_the_web(folder):
    """Only the web makes HTML; `live/screen.py` just wraps regions for htmx."""
    for path in (PACKAGE / folder).glob("*.py"):
        if path.name != "screen.py":
            assert not re.search(r"</?[a-z]+[ >]|&#", path.read_text()), path


def test_only_the_games_know_their_names():
    games = [path.name for path in (PACKAGE / "games").iterdir() if (path / "__init__.py").exists()]
    assert "score_sheet" in games
    for folder in ("engine", "storage", "live", "web", "server"):
        for path in (PACKAGE / folder).glob("*.py"):
            for game in games:
                assert not re.search(rf"\b{game}\b", path.read_text()), f"{path} names {game}"


def test_every_game_has_the_same_files():
    for game in (path.parent for path in (PACKAGE / "games").glob("*/__init__.py")):
        assert {"state.py", "rules.py", "view.py", "afterwards.py"} <= {path.name for path in game.iterdir()}, game
        tests = [path.name for path in (ROOT / "tests" / game.name).glob("test_*.py")]
        assert tests
        assert all(name.startswith(f"test_{game.name}") for name in tests), tests


def test_files_stay_small():
    sizes = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in PACKAGE.rglob("*.py")}
    assert not {path: lines for path, lines in sizes.items() if lines > 300}
    apart = ("companion/games/", "companion/testing/", "companion/authoring/", "companion/demo/")
    core = {path: lines for path, lines in sizes.items() if not path.startswith(apart)}
    assert sum(core.values()) <= 12_670


VENDORED = {
    "htmx.min.js": "version='4.0.0'",
    "hx-sse.min.js": 'registerExtension("sse"',
}


def test_the_files_of_other_people_are_the_versions_we_name():
    listed = (ROOT / "static" / "VENDORED.md").read_text()
    for name, mark in VENDORED.items():
        text = (ROOT / "static" / name).read_text()
        assert mark in text.replace('"4.0.0"', "'4.0.0'"), name
        assert "sourceMappingURL" not in text
        row = next(line for line in listed.splitlines() if f"`{name}`" in line)
        assert "| 4.0.0 |" in row
        assert hashlib.sha256(text.encode()).hexdigest()[:16] in row
    assert "Zero-Clause BSD" in (ROOT / "static" / "htmx.LICENSE.txt").read_text()


LARGEST_FONT = 22_000


def test_the_typeface_is_the_version_we_name_small_and_with_its_licence():
    """If this fails after `make fonts`, put the new hashes into static/VENDORED.md."""
    listed = (ROOT / "static" / "VENDORED.md").read_text()
    fonts = ROOT / "static" / "fonts"
    for name in ("fraunces-600.woff2", "fraunces-900.woff2"):
        data = (fonts / name).read_bytes()
        row = next(line for line in listed.splitlines() if f"`fonts/{name}`" in line)
        assert "| 5.3.0 |" in row
        assert hashlib.sha256(data).hexdigest()[:16] in row
        assert len(data) <= LARGEST_FONT
    assert "SIL Open Font License, Version 1.1" in (fonts / "fraunces.LICENSE.txt").read_text()
    assert "@5.3.0" in (ROOT / "Makefile").read_text()


def test_every_file_that_a_style_sheet_names_is_served(house):
    sheets = [path.relative_to(ROOT / "static").as_posix() for path in (ROOT / "static").rglob("*.css")]
    files = Assets(ROOT / "static")
    for sheet in sheets:
        page = httpx.get(f"{house.url}/{files.path(sheet)}")
        for address in re.findall(r"""url\("?(?!data:)([^")]+)""", page.text):
            assert httpx.get(page.url.join(address)).status_code == 200, f"{sheet} names {address}"


def test_tap_names_of_the_table_and_of_games_do_not_collide():
    from companion.engine.room_rules import ROOM_TAPS
    from companion.games import all_games

    ours = {kind.__struct_config__.tag for kind in ROOM_TAPS}
    for game in all_games().values():
        theirs = [kind.__struct_config__.tag for kind in game.rules]
        assert len(theirs) == len(set(theirs))
        assert not ours & set(theirs), game.name


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
ASKED_FOR = {
    "server": [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["server"]],
    "test": [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["dev"]],
    "release": PROJECT["dependency-groups"]["release"],
    "fonts": PROJECT["dependency-groups"]["fonts"],
}


@pytest.mark.parametrize("name", ASKED_FOR)
def test_a_lock_file_has_what_we_ask_for_with_its_hashes(name):
    """If this fails: `make lock`."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert "://" not in text
    locked = {}
    for entry in re.split(r"\n(?=\S)", text):
        if not entry.startswith("#"):
            package, version = re.match(r"([\w.-]+)==([\w.]+)", entry).groups()
            locked[canonicalize_name(package)] = version
            assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry
    for wanted in map(Requirement, ASKED_FOR[name]):
        if wanted.name != PROJECT["project"]["name"]:
            assert wanted.specifier.contains(locked[canonicalize_name(wanted.name)]), wanted
            assert {one.operator for one in wanted.specifier} == {">="}, f"{wanted} has an upper bound"


def test_what_makes_a_release_is_there():
    said = subprocess.run(
        ["make", "-n", "lock", "audit", "release"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for words in (
        "uv pip compile", "pip-audit --require-hashes", "hatchling build", "twine check --strict", "check-wheel-contents",
        "tests/faults/test_release.py", "companion-table --version", "companion_table.cdx.json",
    ):  # fmt: skip
        assert words in said.stdout


def test_our_promises_and_how_to_report_a_hole_are_written_down():
    page = (ROOT / "SECURITY.md").read_text()
    for heading in ("## What we promise", "## What we do not promise", "## How to report a hole"):
        assert heading in page
    assert "@" not in page
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text()


# -------------------------------------------------------------------------------- starting


def test_a_taken_port_gives_way_to_the_next_free_one(tmp_path):
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        house = House(tmp_path / "data", port=port).start()
        try:
            assert house.port != port
            assert Person(house.url).get("/").status_code == 200
        finally:
            house.kill()


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        env={**os.environ, **environment}, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_command_line_explains_itself():
    text = run("play", "--help").stdout
    for option in ("--port", "--host", "--address", "--data-dir", "--database"):
        assert option in text
    assert run("--version").stdout == f"companion {PROJECT['project']['version']}\n"
    assert "Without a command it plays" in " ".join(run("--help").stdout.split())
    assert "invalid choice: 'paly'" in run("paly").stderr


def test_options_come_from_the_environment_too(tmp_path):
    text = run("play", "--help", COMPANION_PORT="4711", COMPANION_DATA_DIR=str(tmp_path)).stdout
    assert "4711" in text
    assert tmp_path.name in " ".join(text.split())


def test_the_doctor_lists_the_addresses(tmp_path):
    found = run("doctor", "--data-dir", str(tmp_path))
    assert found.returncode == 0
    assert re.search(r"\d+\.\d+\.\d+\.\d+", found.stdout)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    found = run("play", "--port", "0", "--data-dir", str(tmp_path / "file" / "data"))
    assert found.returncode != 0
    assert "can't be used" in found.stderr
    assert "Traceback" not in found.stderr


def test_the_terminal_shows_a_code_that_a_phone_can_read(tmp_path):
    import zxingcpp
    from PIL import Image

    with subprocess.Popen(
        [sys.executable, "-m", "companion", "play", "--port=0", f"--data-dir={tmp_path}", "--address=192.0.2.77"],
        stdout=subprocess.PIPE, text=True, cwd=ROOT,
    ) as process:  # fmt: skip
        lines = []
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if "Ctrl-C" in line:
                break
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
    blocks = [line for line in lines if re.fullmatch("[█▀▄ \u00a0]{20,}", line)]
    width = max(map(len, blocks))
    picture = Image.new("L", (width, 2 * len(blocks)), 0)
    for y, line in enumerate(blocks):
        for x, block in enumerate(line):
            picture.putpixel((x, 2 * y), 255 if block in "█▀" else 0)
            picture.putpixel((x, 2 * y + 1), 255 if block in "█▄" else 0)
    large = picture.resize((picture.width * 8, picture.height * 8), Image.Resampling.NEAREST)
    assert zxingcpp.read_barcodes(large)[0].text.startswith("http://192.0.2.77:")
    assert [line[:18].strip() for line in lines if line and line not in blocks] == [
        "On this laptop:", "On a phone:", "Choose a game on",
    ]  # fmt: skip


def test_a_wheel_brings_its_templates_and_static_files(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(ROOT)],
        check=True, capture_output=True,
    )  # fmt: skip
    wheel = next(tmp_path.glob("*.whl"))
    elsewhere = tmp_path / "elsewhere"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(elsewhere)
    assert not (elsewhere / "templates").exists()
    metadata = next(elsewhere.glob("*.dist-info")) / "METADATA"
    assert "License-Expression: MIT" in metadata.read_text("utf-8")
    assert (metadata.parent / "licenses" / "LICENSE").exists()
    assert (elsewhere / "companion" / "py.typed").exists()
    assert (elsewhere / "companion" / "docs" / "games.md").exists()
    assert (elsewhere / "companion" / "authoring" / "first_game" / "secret" / "NAME" / "rules.py.txt").exists()
    env = {**os.environ, "PYTHONPATH": str(elsewhere), "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-m", "companion", "play", "--port=0", f"--data-dir={tmp_path / 'data'}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env=env) as process:
        port = 0
        for line in process.stdout:
            if found := re.search(r"localhost:(\d+)", line):
                port = int(found.group(1))
            if "Ctrl-C" in line:
                break
        page = httpx.get(f"http://127.0.0.1:{port}/new/score_sheet")
        process.send_signal(signal.SIGINT)
        process.wait()
    assert page.status_code == 200
    assert Reply(page).shows("Number of rounds")
