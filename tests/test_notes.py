"""A player's private notes are not steps of the game: nobody is told, and taking back skips them."""

from __future__ import annotations

import re
from collections.abc import Callable

from companion.testing import Table


def without_version(html: str) -> str:
    return re.sub(r'data-version="\d+"', "", html)


def test_a_note_is_seen_by_its_writer_alone(seated: Callable[..., Table]) -> None:
    table = seated("secret_ballot", players=3)
    table["Ann"].taps("Knock")
    everybody_else = (table["Ben"], table["Cleo"], table.shared)
    before = [without_version(screen.screen()) for screen in everybody_else]
    assert table["Ann"].taps("Jot", note="lavender").shows("lavender")
    assert [without_version(screen.screen()) for screen in everybody_else] == before


def test_what_was_done_before_a_note_can_still_be_taken_back_and_the_note_stays(seated: Callable[..., Table]) -> None:
    table = seated("secret_ballot", players=2)
    table["Ann"].taps("Knock")
    table["Ben"].taps("Jot", note="lavender")
    reply = table["Ann"].presses("Take back")
    assert reply.status == 200
    assert reply.shows("takes back: Ann knocks.")
    assert table["Ben"].shows("lavender")
