"""Find what a source file imports."""

from __future__ import annotations

import ast
from pathlib import Path

FORBIDDEN = {"flask", "werkzeug", "sqlite3", "gevent", "time", "datetime", "random", "secrets"}
"""What a game must not import: web, database, clock and random numbers."""


def imports(path: Path) -> set[str]:
    """Return every module, and every name from a module, that this file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{name.name}" for name in node.names}
    return found
