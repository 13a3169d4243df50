"""A recorded evening: every seat's screen after each tap. Review each difference like a rule change."""

from __future__ import annotations

from pathlib import Path

from traitors_http_talk import ONLY

from companion.testing import compare, screens


def test_the_recorded_evening_is_still_the_same(seated):
    table = seated("traitors", players=4, rounds="1", timer="0", plea="0", **ONLY["murder"])
    shared = "the shared screen"
    script = [
        ("Ann", "Ready, and I draw first", {}),
        ("Cleo", "+2", {}),
        ("Ben", "Propose to end the round", {}),
        ("Ann", "DONE", {"choice": "E"}),
        ("Cleo", "DONE", {"choice": "P"}),
        ("Ben", "DONE", {"choice": "E"}),
        ("Dan", "DONE", {"choice": "E"}),
        ("Ben", "EVENT", {}),
        ("Ann", "DONE", {"choice": "F"}),
        ("Cleo", "DONE", {"choice": "4"}),
        ("Dan", "DONE", {"choice": "2"}),
        ("Ben", "DONE", {"choice": "F"}),
        ("Ben", "MURDER REVEAL", {}),
        ("Dan", "Don't play a Shield", {}),
        ("Dan", "Faithful", {"gold": 1}),
        ("Ann", "FINAL BANISHMENT", {}),
        (shared, "Vote now", {}),
        ("Ben", "CAST VOTE", {"choice": "1"}),
        ("Ann", "CAST VOTE", {"choice": "2"}),
        ("Cleo", "CAST VOTE", {"choice": "3"}),
        ("Ben", "REVEAL VOTE", {}),
        ("Ann", "REVEAL VOTE", {}),
        ("Cleo", "REVEAL VOTE", {}),
        ("Ann", "TIED VOTE?", {}),
        ("Ann", "CAST VOTE", {"choice": "2"}),
        ("Ben", "CAST VOTE", {"choice": "2"}),
        ("Cleo", "CAST VOTE", {"choice": "1"}),
        ("Ann", "REVEAL VOTE", {}),
        ("Ben", "REVEAL VOTE", {}),
        ("Cleo", "REVEAL VOTE", {}),
        ("Ben", "Faithful", {"gold": 0}),
        ("Ann", "Faithful", {"gold": 1}),
        ("Cleo", "Traitor", {"gold": 2}),
        (shared, "Share it out", {"gold": 4}),
    ]
    told = [screens("The game starts", table)]
    for name, button, fields in script:
        who = table.shared if name == shared else table[name]
        reply = who.presses(button, fields)
        assert reply.status == 200, reply.message
        told.append(screens(f"{name} presses {button} {fields or ''}".strip(), table))
    compare(Path(__file__).parent / "playthrough.txt", told)
