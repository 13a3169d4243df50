"""Servers that are measured in turn, a few seconds each: whatever else the machine is doing meets all of them alike."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hosts import Host
from load import Load, Played

Gaps = Callable[[random.Random], Iterator[float]]


class Search:
    """For the highest pace that is held: up or down from the guess, and then between the two that are known."""

    NEAR = 1.04
    """A pace that is held and one that is not are near enough if they differ by no more than this."""

    def __init__(self, guess: float, steps: int) -> None:
        self.pace = guess
        """The next one to be tried."""
        self.held = 0.0
        """The highest one that was held."""
        self._too_much = 0.0
        self._stumbled = False
        self._steps = steps

    @property
    def over(self) -> bool:
        return not self._steps or 0 < self._too_much < self.held * self.NEAR

    def tried(self, held: bool) -> None:
        """This pace was held, or not. Whoever stumbles tries once more: it may have been the machine that stumbled."""
        self._stumbled = not held and not self._stumbled
        if self._stumbled:
            return
        self._steps -= 1
        if held:
            self.held = self.pace
        else:
            self._too_much = self.pace
        if self.held and self._too_much:
            self.pace = (self.held + self._too_much) / 2
        else:
            self.pace *= 1.3 if self.held else 0.75


class Sitting:
    """A server, and everybody who plays there. Until its turn comes, it stands still."""

    def __init__(self, host: Host, tables: int) -> None:
        self.host = host
        host.lay(tables)
        self.load = Load()
        self.cold_start = host.start()
        self.search: Search | None = None
        self.at_pace: dict[float, tuple[float, float]] = {}
        """At each pace that was tried: the share of its core that the server needed, and of the load's core."""
        self.work = self.taps = 0.0
        """Seconds of its core that the server needed during the search, and for how many taps."""
        host.rest()

    def sit(self, tables: int) -> None:
        """Fill up to so many tables."""
        with self.host.turn():
            for n in range(len(self.load.tables), tables):
                self.load.seat(self.host.table(n))
            self.load.rush(1)

    def calm(self, gaps: Gaps, seconds: float) -> Played:
        """One turn at light load. Everybody has tapped before it counts."""
        with self.host.turn():
            self.load.rush(0.3, apart=True)
            return self.load.play(gaps(self.load.dice), seconds, light=True)

    def step(self, gaps: Callable[[float, random.Random], Iterator[float]], seconds: float, steps: int) -> Played:
        """One turn at the pace that is to be tried next."""
        with self.host.turn():
            guess = self.load.rush(0.5, apart=True)
            if self.search is None:
                self.search = Search(guess, steps)
            pace, before = self.search.pace, self.host.cpu()
            played = self.load.play(gaps(pace, self.load.dice), seconds)
            worked = self.host.cpu() - before
        self.search.tried(played.sustained)
        self.at_pace[pace] = worked / played.seconds, played.work / played.seconds
        self.work, self.taps = self.work + worked, self.taps + len(played.times)
        return played

    def close(self) -> None:
        self.load.close()
        self.host.kill()


def beginning_with(n: int, them: Sequence[Any]) -> list[Any]:
    """All of them, the n-th first."""
    first = n % len(them)
    return [*them[first:], *them[:first]]


def in_turn(sittings: list[Sitting], turns: int) -> Iterator[Sitting]:
    """Everybody so often, and each time another one is the first."""
    for n in range(turns):
        yield from beginning_with(n, sittings)
