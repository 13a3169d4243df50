"""Recorded playthroughs: every screen as text, after every tap."""

from __future__ import annotations

import os
import re
from pathlib import Path

from companion.testing.forms import text_of
from companion.testing.tabletalk import Table

BLOCK_END = re.compile(r"</(?:p|li|h\d|tr|section|form|fieldset|button|label|summary|figure)>")


def screens(what: str, table: Table) -> str:
    """Return what everybody sees now, as text."""
    shown = [f"== {what}"]
    for who, seat in (("shared screen", table.shared), *table.people.items()):
        lines = [text_of(line) for line in BLOCK_END.split(seat.screen())]
        text = "\n".join(line for line in lines if line).replace(table.code, "CODE")
        text = re.sub(r"http://[\d.:\[\]a-f]+", "ADDRESS", text)
        shown.append(f"-- {who}\n{text}")
    return "\n".join(shown)


def compare(file: Path, told: list[str]) -> None:
    """Compare with the recording; with COMPANION_RECORD set, record it again."""
    text = "\n\n".join(told) + "\n"
    if os.environ.get("COMPANION_RECORD"):
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")
