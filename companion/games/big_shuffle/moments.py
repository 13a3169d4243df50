"""Moments on the shared screen: a settled scene change, the Big Shuffle, the winner. All of them are public."""

from __future__ import annotations

from companion.game import Moment, Say
from companion.games.big_shuffle.pieces import Verdict
from companion.games.big_shuffle.sentences import outcome
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
    """Build the moment of a settled scene change. The next attempt clears the verdict, so two never run together."""
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
