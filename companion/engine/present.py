"""A table as it stands: the newest version, read, with the newest sentences of its history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from companion.engine.game import TABLE, Game, Line, Result, Seat, revive
from companion.engine.room import Room
from companion.engine.store import Entry

RECENT = 12
"""So many sentences are at hand on every screen; the rest is a page away."""


class Told(msgspec.Struct, frozen=True):
    """A sentence of the history with when it was said."""

    version: int
    at: float
    line: Line
    place: int = 0
    """Its place among the sentences of the same version."""


class Recent(msgspec.Struct, frozen=True):
    """The newest sentences: those for everybody, and those for one seat apart, so that neither pushes out the other."""

    public: tuple[Told, ...] = ()
    private: dict[Seat, tuple[Told, ...]] = {}

    def tell(self, told: Iterable[Told]) -> Recent:
        """With these sentences on top, the oldest of them first."""
        told = tuple(told)
        if not told:
            return self
        public, private = self.public, dict(self.private)
        for one in told:
            if one.line.to is None:
                public = (one, *public)[:RECENT]
            for seat in one.line.to or ():
                private[seat] = (one, *private.get(seat, ()))[:RECENT]
        return Recent(public, private)

    def for_seat(self, seat: Seat | None) -> tuple[Told, ...]:
        """What this seat may read, newest first."""
        own = self.private.get(seat, ()) if seat is not None else ()
        if not own:
            return self.public
        return tuple(sorted((*own, *self.public), key=lambda told: (told.version, told.place), reverse=True)[:RECENT])


@dataclass(frozen=True, slots=True)
class Present:
    """A table as it stands: the newest version, read."""

    id: str
    code: str
    game: Game
    version: int
    room: Room
    state: Any
    step: int
    parent: int | None
    floor: int
    step_by: Seat | None
    step_line: Line | None
    recent: Recent
    at: float
    night: str = ""
    next: str | None = None
    """The table that these people have gone on to."""

    @property
    def is_over(self) -> bool:
        """Whether the night may go on from here."""
        return self.room.phase == "ended" or self.result is not None

    @property
    def result(self) -> Result | None:
        return None if self.state is None else self.game.result(self.state)

    def can_take_back(self, who: Seat) -> bool:
        """The host can, and whoever made the last step; a sealed step stays."""
        if self.parent is None or self.room.phase == "ended":
            return False
        return self.room.is_host(who) or (self.step_by is not None and who == self.step_by != TABLE)


def told(entries: list[Entry]) -> list[Told]:
    """The sentences of these entries, newest first."""
    return [
        Told(entry.version, entry.at, line, place)
        for entry in entries
        for place, line in reversed(list(enumerate(revive(entry.lines, tuple[Line, ...]))))
    ]


def first_line(lines: bytes) -> Line | None:
    found = revive(lines, tuple[Line, ...])
    return found[0] if found else None
