"""What people ran into on real evenings (PLAYTEST), where a page shows it."""

from __future__ import annotations

import re
from collections import defaultdict

BADGE = re.compile(r'\bb(\d+)\b[^>]*>\s*<i class="sym" aria-hidden="true"></i>\s*(?:<span[^>]*>\s*)?<bdi>(\w+)</bdi>')


def test_S11_one_person_has_one_symbol_and_colour_everywhere(seated):
    """Even if somebody before them at the table has left or moved."""
    table = seated("risk", players=4, start=False)
    badges = defaultdict(set)

    def look(*pages: str) -> None:
        for page in pages:
            for badge, name in BADGE.findall(page):
                badges[name].add(badge)

    look(table.shared.page().html, table["Ben"].page().html)
    table.shared.presses("Remove from the table", seat=table["Ann"].seat)
    table.shared.presses("↓ Move down one chair", seat=table["Ben"].seat)
    table.starts()
    look(table.shared.page().html, table["Ben"].page().html, table["Dan"].page().html)
    table.shared.presses("Yes, end it")
    look(table.shared.reads("night").html, table["Dan"].page().html)
    assert set(badges) >= {"Ben", "Cleo", "Dan"}
    assert {name: len(found) for name, found in badges.items() if len(found) > 1} == {}
