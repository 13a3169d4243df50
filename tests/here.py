"""Where the tests find what is not in the package."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLUGIN = ROOT / "tests" / "plugin"
"""The game that the tests bring along, as if it were installed."""


def python_path() -> str:
    """Ours, that game, and whatever else this test run has been given."""
    return os.pathsep.join([str(ROOT), str(PLUGIN), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
