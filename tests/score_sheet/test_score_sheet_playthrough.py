"""Recorded evenings: every seat's screen after each tap. Review each difference like a rule change."""

from __future__ import annotations

from pathlib import Path

from companion.testing import compare, screens


def played(table, script) -> list[str]:
    told = [screens("The game starts", table)]
    for name, button, fields in script:
        who = table.shared if name == "The table" else table[name]
        assert who.presses(button, fields).status == 200
        told.append(screens(f"{name} presses {button} {fields or ''}".strip(), table))
    return told


def test_the_recorded_evening_is_still_the_same(seated):
    table = seated("score_sheet", players=3, rounds=2)
    script = [
        ("Ann", "Write down", {"points": 12}),
        ("Ben", "Write down", {"points": 7}),
        ("Ben", "Correct", {"cell": 1, "points": 8}),
        ("Cleo", "Write down", {"points": 8}),
        ("Cleo", "Take back", {}),
        ("Cleo", "Write down", {"points": 9}),
        ("Ann", "Write down", {"points": 0}),
        ("Ben", "Write down", {"points": 5}),
        ("Cleo", "Write down", {"points": 3}),
    ]
    compare(Path(__file__).parent / "playthrough.txt", played(table, script))


def test_the_recorded_sheet_of_categories_in_teams_is_still_the_same(seated):
    table = seated("score_sheet", players=3, name="Bird watching", mode="categories", categories="Birds, Eggs", teams=2)
    script = [
        ("Cleo", "Team B", {}),
        ("The table", "Play with these teams", {}),
        ("Cleo", "Write down", {"cell": 2, "points": 7}),
        ("Ann", "Write down", {"cell": 1, "points": -1}),
        ("Ann", "Write down", {"cell": 2, "points": 4}),
        ("Ben", "Write down", {"cell": 1, "points": 3}),
    ]
    compare(Path(__file__).parent / "playthrough_categories.txt", played(table, script))
