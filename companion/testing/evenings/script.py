"""A script plays a game through its rules, without a server, and records the phases worth showing."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from companion.engine.snapshot import HistoryEntry, Recent
from companion.game import KEEP, TABLE, Dice, Game, GoesAway, Line, Seat, Tap

ENDED = "ended by the host"
NOTHING_SAID = Recent()


class Loaded(Dice):
    """Dice with given results; all further rolls are the same every time."""

    def __init__(self, *faces: int) -> None:
        super().__init__(random.Random(7))
        self._faces = list(faces)

    def roll(self, sides: int = 6) -> int:
        self.rolled = True
        return self._faces.pop(0) if self._faces else super().roll(sides)


@dataclass(frozen=True)
class Phase:
    """A table at one point of the evening."""

    game: Game
    name: str
    players: int
    state: Any
    """None while people gather."""
    recent: Recent = NOTHING_SAID
    seconds_left: float | None = None
    """Seconds until the table's alarm."""
    by: Seat | None = None
    """Who made the last step, if it can be taken back."""
    step_line: Line | None = None
    away: tuple[Seat, ...] = ()
    next_tap: tuple[Seat, Tap] | None = None
    """The tap that follows."""
    room: str = "playing"

    @property
    def slug(self) -> str:
        """The name as part of a file name."""
        return "".join(c if c.isalnum() else "-" for c in self.name.lower()).strip("-").replace("--", "-")

    @property
    def acting(self) -> Seat:
        """A seat that has something to do now; the first seat if only the table has."""
        if self.next_tap is not None and self.next_tap[0] != TABLE and self.next_tap[1].by != "nobody":
            return self.next_tap[0]
        chosen = () if self.state is None else self.game.choosing(self.state)
        return next(iter(chosen), Seat(1))

    @property
    def waiting(self) -> Seat:
        """A seat that waits for the others, or the last seat if none does."""
        busy = {self.acting, *(() if self.state is None else self.game.choosing(self.state))}
        seats = [Seat(n) for n in range(1, self.players + 1)]
        return next((seat for seat in reversed(seats) if seat not in busy), Seat(self.players))


class Script:
    """A running game: `taps` makes a step, `shows` records the phase."""

    def __init__(self, game: Game, players: int) -> None:
        self.game = game
        self.seats = tuple(Seat(n) for n in range(1, players + 1))
        self.state: Any = None
        self.phases: list[Phase] = []
        self.taps_made: list[tuple[Seat, Tap]] = []
        self._kept_at: list[int] = []
        self._recent, self._version, self._left = Recent(), 1, None
        self._by: Seat | None = None
        self._line: Line | None = None
        self._away: tuple[Seat, ...] = ()
        self._keep("gathering, nobody yet", 0, "gathering")
        self._keep("gathering, all are here", players, "gathering")

    def starts(self, setup: Any, *faces: int) -> Script:
        """Start the game, or start it again with another set-up."""
        self._recent, self._left = Recent(), None
        self._took(self.game.start(setup, self.seats, Loaded(*faces)), TABLE, sealed=True)
        return self

    def taps(self, seat: int, tap: Tap, *faces: int) -> Script:
        """Tap for a seat, with these dice if any are rolled. Raises NotAllowed as the rule does."""
        dice = Loaded(*faces)
        self.taps_made.append((Seat(seat), tap))
        self._took(self.game.rules[type(tap)](self.state, Seat(seat), tap, dice), Seat(seat), sealed=dice.rolled)
        return self

    def goes_away(self, seat: int) -> Script:
        """Mark somebody away."""
        self._away = (*self._away, Seat(seat))
        self.state = msgspec.structs.replace(self.state, away=self._away)
        return self.taps(seat, GoesAway()) if GoesAway in self.game.rules else self

    def comes_back(self) -> Script:
        self._away = ()
        self.state = msgspec.structs.replace(self.state, away=())
        return self

    def shows(self, name: str) -> Script:
        """Record the current phase under this name."""
        self._keep(name, len(self.seats))
        return self

    def finished(self) -> tuple[Phase, ...]:
        """Return all phases, each with the tap that follows, and a last one: the host ends the table early."""
        assert self.game.result(self.state) is not None, "an evening has a winner"
        names = [phase.name for phase in self.phases]
        assert len(names) == len(set(names)), f"two phases of one name: {names}"
        told = [
            replace(phase, next_tap=self.taps_made[at]) if at < len(self.taps_made) else phase
            for phase, at in zip(self.phases, self._kept_at, strict=True)
        ]
        middle = next(phase for phase in told[len(told) // 2 :] if phase.state is not None)
        return (*told, replace(middle, name=ENDED, room="ended", next_tap=None, seconds_left=None))

    def _keep(self, name: str, players: int, room: str = "playing") -> None:
        by = None if self._line is None else self._by
        self.phases.append(
            Phase(self.game, name, players, self.state, self._recent, self._left, by, self._line, self._away, room=room)
        )
        self._kept_at.append(len(self.taps_made))

    def _took(self, step: Any, by: Seat, *, sealed: bool) -> None:
        self.state, self._version = step.state, self._version + 1
        if not step.note:
            entries = (HistoryEntry(self._version, 0.0, line, at) for at, line in enumerate(step.lines))
            self._recent = self._recent.add(entries)
            self._by, self._line = (None, None) if sealed or step.sealed else (by, next(iter(step.lines), None))
        if step.alarm != KEEP:
            self._left = step.alarm
        elif step.later and self._left is not None:
            self._left += step.later
