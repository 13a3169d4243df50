"""Verbs for tests of the rules of The Traitors, without a server."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from companion.engine.snapshot import as_data
from companion.game import TABLE, Dice, NotAllowed, Say, Seat, Step, Tap, TimeIsUp
from companion.games.traitors import GAME
from companion.games.traitors.agreement import ProposeEnd, Wish
from companion.games.traitors.banishment import CastVote, OpenVote, ReplayTied, RevealVote
from companion.games.traitors.events import DrawEvent, DrawFinal, Ready
from companion.games.traitors.gold import ShareFund, ShowHand
from companion.games.traitors.murder import Answer, Fall, NoShield, RevealMurder
from companion.games.traitors.setup import Setup
from companion.games.traitors.state import Evening, Revealing, Voting
from companion.testing import NAMES, apply


class Castle:
    """People around a table, with numbers from 1 as on their cards."""

    def __init__(self, players: int = 6, *, ready: bool = True, **setup: object) -> None:
        self.seats = tuple(Seat(n) for n in range(1, players + 1))
        self.step: Step = GAME.start(Setup(**setup), self.seats, Dice())  # type: ignore[arg-type]
        self.history: list[str] = []
        if ready:
            self.taps(0, Ready())

    @property
    def now(self) -> Evening:
        return self.step.state  # type: ignore[no-any-return]

    @property
    def scene(self) -> str:
        return str(type(self.now.scene).__struct_config__.tag)

    @property
    def said(self) -> list[str]:
        """The sentences of the last step."""
        return [spoken(line.say) for line in self.step.lines]

    def taps(self, seat: int, tap: Tap) -> Castle:
        self.step = apply(GAME, self.now, seat, tap)
        self.history += self.said
        return self

    def refuses(self, seat: int, tap: Tap) -> str:
        """Return the refusal of a tap, and check that nothing has changed."""
        before = self.now
        with pytest.raises(NotAllowed) as refusal:
            apply(GAME, before, seat, tap)
        assert self.now is before
        return spoken(refusal.value.say)

    def draws(self, event: str, drawer: int = 1) -> Castle:
        """Let somebody draw this event."""
        self.step.state = msgspec.structs.replace(self.now, bag=(event,))
        return self.taps(drawer, DrawEvent())

    def draws_final(self, drawer: int = 1) -> Castle:
        return self.taps(drawer, DrawFinal())

    def answers(self, answers: Mapping[int, str] | str) -> Castle:
        """{1: "F", 2: "5"}, in this order; or "FF5F" for all the living in turn."""
        if isinstance(answers, str):
            answers = dict(zip(self.now.living, answers, strict=True))
        for seat, choice in answers.items():
            self.taps(seat, Answer(choice))  # type: ignore[arg-type]
        return self

    def reveals_murder(self, drawer: int = 1) -> Castle:
        return self.taps(drawer, RevealMurder())

    def murders(self, victim: int, *, drawer: int = 1, role: str = "faithful", gold: int = 0) -> Castle:
        """Play a whole murder without a Shield."""
        self.draws("murder", drawer)
        killer = next(seat for seat in self.now.living if seat != victim)
        self.answers({seat: str(victim) if seat == killer else "F" for seat in self.now.living})
        self.reveals_murder(drawer).taps(victim, NoShield())
        return self.taps(victim, Fall(gold, role))  # type: ignore[arg-type]

    def casts(self, votes: Mapping[int, int]) -> Castle:
        """{voter: target}, in this order."""
        for voter, target in votes.items():
            self.taps(voter, CastVote(str(target)))  # type: ignore[arg-type]
        return self

    def votes(self, votes: Mapping[int, int]) -> Castle:
        """Play a vote from the end of the discussion to the last reveal."""
        if not isinstance(self.now.scene, Voting):
            self.taps(0, OpenVote())
        self.casts(votes)
        while isinstance(scene := self.now.scene, Revealing):
            self.taps(scene.cast[scene.shown].voter, RevealVote())
        return self

    def banishes(self, target: int, *, drawer: int = 1, role: str = "faithful", gold: int = 0) -> Castle:
        """Play a whole banishment with a unanimous vote."""
        self.draws("banishment", drawer).votes({int(seat): target for seat in self.now.living})
        return self.taps(target, Fall(gold, role))  # type: ignore[arg-type]

    def wishes(self, wishes: str) -> Castle:
        for seat, choice in zip(self.now.living, wishes, strict=True):
            self.taps(seat, Wish(choice))  # type: ignore[arg-type]
        return self

    def proposes(self, seat: int) -> Castle:
        return self.taps(seat, ProposeEnd())

    def replays(self) -> Castle:
        return self.taps(0, ReplayTied())

    def time_is_up(self) -> Castle:
        return self.taps(TABLE, TimeIsUp())

    def shows(self, hands: Mapping[int, tuple[str, int]], fund: int) -> Castle:
        """End a round with these hands, {seat: (role, gold)}, and this fund."""
        for seat, (role, gold) in hands.items():
            self.taps(seat, ShowHand(gold, role))  # type: ignore[arg-type]
        return self.taps(0, ShareFund(fund))

    @property
    def points(self) -> dict[int, int]:
        """What everybody got in the last round."""
        return {int(seat): gold for seat, gold in self.now.shares[-1].points.items()}


def spoken(say: Say) -> str:
    """A sentence in English, with the names that the tests use."""
    holes = {}
    for key, hole in say.holes.items():
        if isinstance(hole, Say):
            holes[key] = spoken(hole)
        elif isinstance(hole, Seat):
            holes[key] = "The table" if hole == TABLE else NAMES[hole - 1]
        else:
            holes[key] = str(hole)
    text = say.text if say.many is None or say.holes["n"] == 1 else say.many
    return text.format_map(holes)


__all__ = ["GAME", "Castle", "as_data", "spoken"]
