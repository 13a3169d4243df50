"""How people get the companion: make, packages, containers, and the files that GitHub reads."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib

import containerfile
import pytest
from here import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]

# -------------------------------------------------------------------------------- make


@pytest.fixture
def checkout(tmp_path):
    """A fresh checkout with only the files that make looks at."""
    for name in ("Makefile", "pyproject.toml", "requirements/test.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    words = tmp_path / "translations" / "fr" / "LC_MESSAGES" / "messages.po"
    words.parent.mkdir(parents=True)
    words.touch()
    return tmp_path


def make(folder, *arguments):
    done = subprocess.run(["make", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_setting_up_says_each_step(checkout):
    _, steps = make(checkout, "-n", "play")
    said = re.findall(r'echo "Setting up: (.*) \.\.\."', steps)
    assert said == ["a Python environment in .venv", "the packages that Companion uses", "Companion itself"]


def test_new_words_are_compiled_before_the_next_evening(checkout):
    venv, words = checkout / ".venv", checkout / "translations" / "fr" / "LC_MESSAGES" / "messages.po"
    (venv / "bin").mkdir(parents=True)
    for second, path in enumerate(("bin/python", ".packages", ".play", ".test")):
        (venv / path).touch()
        os.utime(venv / path, (4e9 + second, 4e9 + second))
    assert make(checkout, "-q", ".venv/.play")[0] == 0
    os.utime(words, (5e9, 5e9))
    code, steps = make(checkout, "-n", ".venv/.play")
    assert code == 0
    assert "-e ." in steps
    assert "the packages" not in steps, "a translation needs no internet"
    assert make(checkout, "-q", ".venv/.test")[0] == 1


# -------------------------------------------------------------------------------- the container


def test_the_image_is_pinned_small_and_not_root():
    """The checks that hadolint would make."""
    first, image = containerfile.stages()
    for stage in (first, image):
        name, _, tag = stage[0].rest.split()[0].partition(":")
        assert "/" not in name, "no registry is named: the engine knows its own"
        assert re.fullmatch(r"3\.\d+-slim", tag), "pinned to a version, and not to latest"
        assert not [one for one in stage if one.name in ("ADD", "MAINTAINER", "SHELL")]
        for run in (one.rest for one in stage if one.name == "RUN"):
            assert "sudo" not in run
            assert "apt-get" not in run or "rm -rf /var/lib/apt/lists" in run
            assert "pip install" not in run or "--no-cache-dir" in run
            assert not re.search(r"\bcd \b|curl|wget|;|\|", run)
    assert all(
        "--require-hashes" in one.rest or "--no-deps ." in one.rest for one in first if "pip install" in one.rest
    )
    order = [one.name for one in image]
    user = containerfile.last("USER").rest
    assert user.isdigit()
    assert int(user) >= 10_000, "a number, so that an orchestrator can see that it is not root"
    assert order.index("USER") > max(n for n, name in enumerate(order) if name == "RUN")
    assert [one.rest for one in image if one.name == "COPY"] == ["--from=build /opt/companion /opt/companion"]
    assert len([name for name in order if name in ("ENTRYPOINT", "CMD", "HEALTHCHECK")]) == 3


def test_its_commands_are_lists_and_its_data_is_a_volume():
    assert containerfile.last("ENTRYPOINT").exec_form == ["/opt/companion/bin/companion"]
    assert containerfile.last("CMD").exec_form == ["play"]
    assert re.match(r"--interval=\d+s --timeout=\d+s .*CMD \[", containerfile.last("HEALTHCHECK").rest)
    settings = containerfile.environment()
    assert containerfile.last("VOLUME").rest == settings["COMPANION_DATA_DIR"]
    assert containerfile.last("EXPOSE").rest == settings["COMPANION_PORT"]
    made = next(one.rest for one in containerfile.stages()[-1] if one.name == "RUN")
    assert f"--uid {containerfile.last('USER').rest}" in made
    assert f"install -d -o companion -g companion -m 0700 {settings['COMPANION_DATA_DIR']}" in made


def test_it_copies_what_it_needs_and_sends_nothing_else_to_the_engine():
    sources = {str(source) for source, _ in containerfile.copied()}
    assert all((ROOT / source).exists() for source in sources)
    assert "." not in sources
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert ignored[1] == "*"
    assert {line[1:] for line in ignored if line.startswith("!")} == sources


def test_the_compose_example_uses_that_image_with_few_rights():
    text = (ROOT / "deploy" / "compose.yaml").read_text()
    settings = containerfile.environment()
    for line in (
        "context: ..", "dockerfile: Containerfile", f"- data:{settings['COMPANION_DATA_DIR']}", "read_only: true",
        "- ALL", "- no-new-privileges:true", "core: 0", "restart: unless-stopped",
        f'- "{settings["COMPANION_PORT"]}:{settings["COMPANION_PORT"]}"',
    ):  # fmt: skip
        assert f" {line}\n" in text, line
    assert re.search(r'COMPANION_ADDRESS: "\$\{COMPANION_ADDRESS:\?', text), "phones need an address from outside"
    assert "image:" not in text
    assert "privileged" not in text.replace("no-new-privileges", "")


# -------------------------------------------------------------------------------- GitHub, pre-commit, and words


def test_three_systems_and_four_pythons_are_tried():
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    tried = re.findall(r"python: \[(.*)\]", text)
    assert tried == [", ".join(f'"{version}"' for version in VERSIONS)] * 2
    assert "system: [ubuntu-latest, macos-latest, windows-latest]" in text
    assert "make test" in text
    assert "python tools/smoke.py companion\n" in text
    assert (ROOT / "tools" / "smoke.py").exists()
    assert "permissions:\n  contents: read\n" in text
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", used) for used in re.findall(r"uses: (.*)", text))
    assert "secrets." not in text
    for version in VERSIONS:
        assert f"Programming Language :: Python :: {version}" in PROJECT["classifiers"]


def test_pre_commit_uses_the_tools_of_make_test_and_fetches_nothing():
    text = (ROOT / ".pre-commit-config.yaml").read_text()
    assert re.findall(r"repo: (.*)", text) == ["local"]
    assert re.findall(r"language: (.*)", text) == ["system"] * 3
    for tool in ("ruff check", "ruff format --check", "mypy"):
        assert f"entry: .venv/bin/{tool}" in text


def test_templates_and_conduct_are_there_and_name_no_host():
    pages = [ROOT / "CODE_OF_CONDUCT.md", *(ROOT / ".github").rglob("*.md")]
    assert len(pages) == 4
    for page in pages:
        assert "://" not in page.read_text()
        assert "@" not in page.read_text()


def test_the_changelog_has_this_version_and_keeps_its_form():
    text = (ROOT / "CHANGELOG.md").read_text()
    headings = re.findall(r"^## (.*)$", text, re.M)
    assert headings[0] == "[Unreleased]"
    released = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d", heading) for heading in headings[1:]]
    assert all(released)
    assert released[0].group(1) == PROJECT["version"]
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.*)$", text, re.M)) <= kinds
    assert not re.search(r"https?://", text)


def test_upgrading_and_rolling_back_are_explained_where_the_changelog_says():
    page = (ROOT / "docs" / "operating.md").read_text()
    assert "(docs/operating.md#upgrade-and-roll-back)" in (ROOT / "CHANGELOG.md").read_text()
    _, _, section = page.partition("\n## Upgrade and roll back\n")
    section = " ".join(section.partition("\n## ")[0].split())
    for words in (
        "companion backup",
        "companion restore",
        "file `key`",
        "written by a newer companion",
        "uvx companion-table@1.0.0",
    ):
        assert words in section
    assert "\n## In a container\n" in page
