"""Paths of things outside the package."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLUGIN = ROOT / "tests" / "plugin"
"""The folder of the tests' own game, as if it were installed."""


def python_path() -> str:
    """Return a PYTHONPATH with the checkout, that game, and the current PYTHONPATH."""
    return os.pathsep.join([str(ROOT), str(PLUGIN), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
