"""Install the peers, Lighthouse and a Node for them with npm, inside the ignored virtual environment."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path


def fetched(source: Path, name: str) -> Path:
    """Copy this folder into the virtual environment, and run npm there if its package.json has changed."""
    home = Path(sys.prefix) / name
    shutil.copytree(source, home, dirs_exist_ok=True)
    wanted, installed = (home / "package.json").read_text(), home / "installed.json"
    if not installed.exists() or installed.read_text() != wanted:
        if shutil.which("npm") is None:
            raise SystemExit("npm is not installed. It fetches what this benchmark needs.")
        print(f"Fetching what {source.name}/package.json names, once ...", flush=True)
        npm = ["npm", "install", "--silent", "--no-package-lock", "--no-fund", "--no-audit"]
        subprocess.run(npm, cwd=home, check=True)
        installed.write_text(wanted)
    return home


def node(home: Path) -> str:
    """Return the Node that npm installed there; the system's may be too old."""
    return str(home / "node_modules" / "node" / "bin" / "node")
