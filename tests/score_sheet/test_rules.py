"""The score sheet at the table."""

from __future__ import annotations


def test_a_round_is_complete_when_everybody_has_written(seated):
    table = seated("score_sheet", players=3)
    assert table["Ann"].presses("Write down", points=5).status == 200
    assert table["Ben"].presses("Write down", points=7).status == 200
    assert not table.shared.shows("Round 1 is complete.")
    table["Cleo"].presses("Write down", points=-2)
    assert table.shared.shows("Round 1 is complete.")
    assert table["Ann"].shows("Your points in round 2")
