"""Helpers for the tests of Risk: a game as a state, and verbs for what people do."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from companion.engine.snapshot import decode, encode
from companion.game import TABLE, Dice, NotAllowed, Say, Seat, Step, Tap
from companion.games.risk import GAME
from companion.games.risk.battle import RollFight
from companion.games.risk.crown import EndTurn, RollCrown, TypeCrown
from companion.games.risk.opening import Begin, Starts
from companion.games.risk.setup import Setup
from companion.games.risk.state import Underworld
from companion.games.risk.turn import Onward
from companion.testing import House, Table

ANN, BEN, CLEO, DAN, EVE = (Seat(n) for n in range(1, 6))


class Loaded(Dice):
    """Dice that show the given faces."""

    def __init__(self, *faces: int) -> None:
        super().__init__(random.Random(0))
        self.faces = list(faces)

    def roll(self, sides: int = 6) -> int:
        self.rolled = True
        return self.faces.pop(0)


class Board:
    """A game in progress. Every tap goes through its rule and the stored format."""

    def __init__(self, players: int = 3, *, begun: bool = True, first: Seat = ANN, **setup: Any) -> None:
        seats = tuple(Seat(n) for n in range(1, players + 1))
        self.state: Underworld = GAME.start(Setup(**setup), seats, Dice()).state
        self.last: Step = Step(self.state)
        if begun:
            self.tap(TABLE, Starts(first)).tap(TABLE, Begin())

    def tap(self, seat: Seat, tap: Tap, *faces: int) -> Board:
        self.last = GAME.rules[type(tap)](self.state, seat, tap, Loaded(*faces))
        self.state = decode(encode(self.last.state), Underworld)
        assert self.state == self.last.state
        return self

    def refuses(self, seat: Seat, tap: Tap, words: str = "") -> Board:
        before = self.state
        with pytest.raises(NotAllowed) as refusal:
            GAME.rules[type(tap)](self.state, seat, tap, Dice())
        assert words in filled(refusal.value.say)
        assert self.state == before
        return self

    @property
    def lines(self) -> list[str]:
        return [filled(line.say) for line in self.last.lines]

    def counts(self) -> list[int]:
        return [gang.territories for gang in self.state.playing]

    def having(self, *counts: int, **things: Any) -> Board:
        """Set the territories, in turn order, neutral gangs last."""
        changed = [
            msgspec.structs.replace(gang, territories=count)
            for gang, count in zip(self.state.playing, counts, strict=True)
        ]
        self.state = msgspec.structs.replace(self.state.with_gangs(changed), **things)
        return self

    def at(self, step: str) -> Board:
        return self.tap(self.state.current.seat, Onward(step)) if self.state.current.step != step else self

    def rolls(self, first: int, second: int, *, typed: bool = True) -> Board:
        """The current player rolls for the Crown, with real dice or the app."""
        seat, space = self.state.current.seat, self.state.crown
        if typed:
            return self.tap(seat, TypeCrown(first, second, space, len(self.state.chart)))
        return self.tap(seat, RollCrown(space, len(self.state.chart)), first, second)

    def rolled(self, *faces: int, until: int | None = None) -> Board:
        """The current player lets the app roll a fight."""
        fight = self.state.current.fight
        assert fight is not None
        return self.tap(self.state.current.seat, RollFight(len(fight.rounds), until), *faces)

    def ends(self) -> Board:
        """The current player ends the turn."""
        return self.tap(self.state.current.seat, EndTurn(len(self.state.chart)))

    @property
    def result(self) -> Any:
        return GAME.result(self.state)


def filled(say: Say) -> str:
    names = dict(zip((TABLE, ANN, BEN, CLEO, DAN, EVE), ("The table", "Ann", "Ben", "Cleo", "Dan", "Eve"), strict=True))

    def hole(thing: Any) -> str:
        return filled(thing) if isinstance(thing, Say) else names[thing] if isinstance(thing, Seat) else str(thing)

    text = say.many if say.many is not None and say.holes["n"] != 1 else say.text
    return text.format(**{key: hole(value) for key, value in say.holes.items()})


def opened(house: House, players: int = 3, **setup: Any) -> Table:
    """Open a table and begin Ann's first turn."""
    table = house.opens("risk", **setup)
    for name in ("Ann", "Ben", "Cleo", "Dan", "Eve")[:players]:
        table.sits(name)
    table.starts().shared.presses("Decide", first=1)
    table.shared.presses("Everything is placed")
    return table


def total(board: Board) -> int:
    return sum(gain.members for gain in board.state.gains())
