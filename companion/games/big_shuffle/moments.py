"""What is played before everybody's eyes: a scene change decided, the Big Shuffle, the winner. All of it is public."""

from __future__ import annotations

from companion.game import Moment, Say
from companion.games.big_shuffle.pieces import Verdict
from companion.games.big_shuffle.scenes import AT, TYPES
from companion.games.big_shuffle.state import Noir


def moment(table: Noir) -> Moment | None:
    if table.winner is not None:
        return Moment(
            "winner", int(table.winner), (table.winner,),
            headline=Say("{name} wins.", name=table.winner), curtain=0.7, hold=2.4, reveal=1.6,
        )  # fmt: skip
    verdict = table.verdict
    if verdict is not None and not verdict.shuffled:
        return settled(verdict)
    if table.shuffled:
        return Moment("shuffle", table.shuffles, headline=Say("The Big Shuffle"), curtain=0.7, hold=1.6, reveal=1.4)
    return None


def settled(verdict: Verdict) -> Moment:
    """Two in a row are told apart by the attempt between them, during which there is no verdict."""
    return Moment(
        "scene",
        f"{verdict.kind}-{verdict.to}-{verdict.total}-{verdict.difficulty}",
        (verdict.seat,),
        () if verdict.overruled or verdict.asked else (verdict.total, verdict.difficulty),
        outcome(verdict),
        curtain=0.5,
        hold=1.7,
        reveal=1.3,
    )


def outcome(verdict: Verdict) -> Say:
    """What the narrator says; an unread scene goes by its type."""
    kind = TYPES[verdict.kind]
    if verdict.title:
        if verdict.success:
            return Say("The title card of {type} leaves the game.", type=kind)
        return Say("The title card of {type} stays.", type=kind)
    if verdict.scene is None:
        if verdict.success:
            return Say("The {type} scene goes {place}.", type=kind, place=AT[verdict.to])
        return Say("The {type} scene stays.", type=kind)
    if verdict.success:
        return Say("{scene} goes {place}.", scene=verdict.scene, place=AT[verdict.to])
    return Say("{scene} stays.", scene=verdict.scene)
