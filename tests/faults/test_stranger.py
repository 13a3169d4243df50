"""A stranger's evening, in real time: from nothing on a bare machine to the first vote, and from the wheel to the first page.

The seconds are printed at the end of the run, beside the goals. No goal is a limit: a slow network fails nothing, but no
network does.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bare_machine import HOME, USER, BareMachine
from here import ROOT

sys.path.append(str(ROOT / "tools"))
import smoke

HANG_S = 250.0
"""A command that does not get to the address for so long is killed, so that the test says what it printed last."""
PLAY = "--no-browser --port 0"
SOURCE = "/srv/companion.git"


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[BareMachine]:
    machine = BareMachine(tmp_path / "root")
    yield machine
    machine.remove()


@contextmanager
def started(machine: BareMachine, command: str) -> Iterator[smoke.Companion]:
    """A companion on that machine, as soon as its terminal shows the address."""
    companion = smoke.Companion(machine.command(command), watchdog_s=HANG_S)
    try:
        companion.start()
        yield companion
        assert "Good night." in companion.interrupt()
    finally:
        companion.kill()


def cpu_s() -> float:
    """What all commands so far have cost, however busy this machine is."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def first_vote(companion: smoke.Companion) -> None:
    """Four people sit down at The Traitors as it is set up by default; Ann presses EVENT until a ballot comes, and answers."""
    shared, code = smoke.open_table(companion, "traitors")
    ann, *_ = [smoke.join(companion, code, name) for name in ("Ann", "Ben", "Cem", "Dee")]
    start = smoke.Forms(companion.get(shared)).of_tap("Start")
    companion.send(start.action, start.fields)
    for _ in range(10):  # two cards of the bag are quiet nights
        forms = smoke.Forms(companion.get(ann))
        tap = next(one for one in ("Answer", "CastVote", "OpenVote", "DrawEvent", "Ready") if one in forms.taps())
        form = forms.of_tap(tap)
        if tap in ("Answer", "CastVote"):
            companion.send(form.action, form.fields | {"choice": form.choices["choice"][-1]})
            assert any(words in companion.get(ann) for words in ("Your answer is in", "Your vote is cast"))
            assert "of 4 has answered" in companion.get(shared)
            return
        companion.send(form.action, form.fields)
    raise AssertionError("No ballot came.")


def test_from_git_clone_to_the_first_vote(machine, figures):
    copy = machine.path(SOURCE)
    subprocess.run(["git", "clone", "-q", "--bare", "--no-local", ROOT, copy], check=True)
    for place in (copy, *copy.rglob("*")):  # git does not read what belongs to somebody else
        os.chown(place, USER, USER)

    began, used = time.monotonic(), cpu_s()
    machine.run(f"git clone -q file://{SOURCE} companion")
    cloned = time.monotonic()
    with started(machine, f"cd companion && make play ARGS='{PLAY}'") as companion:
        ready = time.monotonic()
        assert "The Traitors" in companion.get("/")
        seen = time.monotonic()
        first_vote(companion)
        voted = time.monotonic()
        steps = [line for line in companion.said if line.startswith("Setting up: ")]
    assert len(steps) == 3, companion.said
    figures(
        f"git clone {cloned - began:.1f} s, setting up {ready - cloned:.1f} s (goal: 60 s), "
        f"to the first page {seen - began:.1f} s, to the first vote {voted - began:.1f} s (goal: 90 s); "
        f"CPU {cpu_s() - used:.1f} s"
    )


def install_uv(folder: Path) -> None:
    """A host who uses uv has it already, so this does not count: the version that `make release` uses, with its hashes."""
    locked = re.search(r"^uv==.*?(?=^\S|\Z)", (ROOT / "requirements" / "release.txt").read_text(), re.M | re.S)
    folder.mkdir()
    (folder / "uv.txt").write_text(locked.group())
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--require-hashes"]
    subprocess.run([*pip, "--target", folder, "-r", folder / "uv.txt"], check=True)


def test_from_the_wheel_to_the_first_page(machine, figures):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", machine.path("/srv")],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    wheel = f"/srv/{next(machine.path('/srv').glob('*.whl')).name}"
    install_uv(machine.path("/srv/uv"))
    ways = {
        "pip": f"python3 -m venv empty && empty/bin/pip install -q {wheel} && empty/bin/companion {PLAY}",
        "uv": f"/srv/uv/bin/uvx -q --no-python-downloads --from {wheel} companion {PLAY}",
    }
    for name, command in ways.items():
        began, used = time.monotonic(), cpu_s()
        with started(machine, command) as companion:
            assert "The Traitors" in companion.get("/")
            seen = time.monotonic()
        figures(
            f"the wheel, with {name}: to the first page {seen - began:.1f} s (goal: 10 s); CPU {cpu_s() - used:.1f} s"
        )


def test_that_machine_has_nothing_of_this_one(machine):
    assert machine.run("ls -A").split() == []
    assert machine.run('echo "$HOME"').strip() == HOME
    found = machine.run("for tool in cc gcc pip uv node chromium curl; do command -v $tool || true; done")
    assert found == ""
    mounts = [line.split() for line in machine.run("cat /proc/self/mounts").splitlines()]
    assert {"/usr", "/etc/resolv.conf", "/proc"} <= {place for _, place, *_ in mounts}
    writable = [place for _, place, _, options, *_ in mounts if "ro" not in options.split(",")]
    assert writable == ["/proc"]
    processes = machine.run("cd /proc && ls -d [0-9]*").split()
    assert "1" in processes
    assert len(processes) <= 4  # the first shell, the one of this line, ls, and perhaps what starts it


def test_nothing_of_that_machine_outlives_its_first_process(machine):
    with subprocess.Popen(
        machine.command("(python3 -c 'import signal; signal.pause()' &) ; echo here; exec cat"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "here\n"
        assert str(machine.root) not in Path("/proc/self/mounts").read_text()
        process.kill()
        assert process.stdout.read() == ""  # nobody in there holds the pipe any more
    assert not list(machine.path("/usr").iterdir())
