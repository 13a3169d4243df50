"""Extract all messages of Companion and of a game with Babel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir

KEYWORDS = DEFAULT_KEYWORDS | {"Say": None, "NotAllowed": None, "N_": None, "SayN": (1, 2)}
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
Found = tuple[Path, int, str | tuple[str, ...], list[str], str | None]
"""File, line, message (singular, or singular and plural), comments for the translator, context."""


def extract(*folders: Path) -> Iterator[Found]:
    """Return the messages in these folders, with their `{# Translators: … #}` and `# Translators: …` comments."""
    for folder in folders:
        found: Any = extract_from_dir(
            str(folder), METHODS, {"**.html": {"trim_blocks": "true", "lstrip_blocks": "true"}}, KEYWORDS,
            comment_tags=("Translators:",), strip_comment_tags=True,
            directory_filter=lambda path: not Path(path).name.startswith((".", "build", "dist", "testing")),
        )  # fmt: skip
        for name, line, message, comments, context in found:
            words = tuple(message[:2]) if isinstance(message, tuple) else message
            if words:
                yield folder / name, line, words, comments, context
