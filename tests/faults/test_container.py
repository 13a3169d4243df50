"""The container, tested without an engine: what the Containerfile copies makes the whole package, and its commands work."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import containerfile
import pytest
from here import ROOT
from proxy import free_ports

from companion.testing import Person


def build(source: Path, target: Path) -> set[str]:
    """Build a wheel of this source; return the names of all its files."""
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", target, source],
        check=True, capture_output=True,
    )  # fmt: skip
    with zipfile.ZipFile(next(target.glob("*.whl"))) as packed:
        return {name for name in packed.namelist() if "__pycache__" not in name}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The image's /opt/companion: an environment with the package, built from the copied files."""
    folder = tmp_path_factory.mktemp("image")
    source = folder / "source"
    for found, target in containerfile.copied():
        (source / target).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / found).is_dir():
            shutil.copytree(ROOT / found, source / target, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
        else:
            shutil.copy(ROOT / found, source / target)
    assert build(source, folder / "copied") == build(ROOT, folder / "whole")
    place = folder / "companion"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    pip = [place / "bin" / "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "--require-hashes", "-r", source / "requirements" / "server.txt"], check=True)
    subprocess.run([*pip, "--no-deps", next((folder / "copied").glob("*.whl"))], check=True)
    return place


def test_its_entry_point_serves_is_healthy_and_ends_cleanly(environment, tmp_path):
    def here(command: list[str]) -> list[str]:
        assert command[0].startswith("/opt/companion/")
        return [command[0].replace("/opt/companion", str(environment)), *command[1:]]

    settings = containerfile.environment()
    port = free_ports(1)[0]
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COMPANION_"))}
    variables = usual | settings | {"COMPANION_DATA_DIR": str(tmp_path / "data"), "COMPANION_PORT": str(port)}
    check = here(containerfile.last("HEALTHCHECK").exec_form)
    command = here(containerfile.last("ENTRYPOINT").exec_form + containerfile.last("CMD").exec_form)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables, cwd=tmp_path) as process:
        try:
            for line in process.stdout:
                if "Ctrl-C" in line:
                    break
            assert subprocess.run(check, env=variables, check=False).returncode == 0
            assert Person(f"http://127.0.0.1:{port}").get("/").status_code == 200
        finally:
            process.send_signal(signal.Signals[containerfile.last("STOPSIGNAL").rest])
        assert process.wait() == 0
    assert (tmp_path / "data" / "companion.sqlite").exists()
    assert subprocess.run(check, env=variables, check=False, capture_output=True).returncode != 0
