"""What a game is made of, besides the city: agendas, people, a scene change under way and how it ended."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.game import Seat
from companion.games.big_shuffle.cards import Card, SceneKind
from companion.games.big_shuffle.city import Place, Spot, direction


class Agenda(msgspec.Struct, frozen=True):
    """A who, a what and a where, as far as an owner has noted them."""

    who: str | None = None
    what: str | None = None
    where: str | None = None

    def scene(self, kind: SceneKind) -> str | None:
        scene: str | None = getattr(self, kind)
        return scene


class Scored(msgspec.Struct, frozen=True):
    """An agenda that was shown for points and set aside."""

    seat: Seat
    agenda: Agenda
    points: int


class Player(msgspec.Struct, frozen=True):
    """What lies open in front of a player."""

    character: str | None = None
    influence: dict[SceneKind, int] = {}
    informant: str | None = None
    loot: tuple[str, ...] = ()
    points: int = 0


class Shown(msgspec.Struct, frozen=True):
    """A card that everybody has seen go somewhere: to a hand, or (seat 0) back to its deck."""

    card: Card
    holder: Seat


class Goon(msgspec.Struct, frozen=True):
    """A hired goon: above zero for the attempt, below zero against it."""

    seat: Seat
    modifier: int
    card: Card


class Attempt(msgspec.Struct, frozen=True):
    """A scene change under way. What was typed stands above what the cards are known to say."""

    seat: Seat
    kind: SceneKind
    title: bool
    spot: Spot
    to: Place
    card: str | None = None
    no_card: bool = False
    goons: tuple[Goon, ...] = ()
    passed: tuple[Seat, ...] = ()
    next: Seat = Seat(0)
    typed: dict[str, int] = {}

    @property
    def way(self) -> Literal["up", "down"]:
        return direction(self.spot.place, self.to)

    @property
    def difficulty_key(self) -> str:
        """The numbers on the inactive side may differ from those on the active one."""
        side = "active" if self.spot.place == "midtown" and self.spot.index == 0 else "inactive"
        return f"{side}_{self.way}"


class Verdict(msgspec.Struct, frozen=True):
    """How the last scene change ended."""

    seat: Seat
    kind: SceneKind
    title: bool
    scene: str | None
    to: Place
    total: int
    difficulty: int
    success: bool
    overruled: bool
    shuffled: bool = False
    """A Big Shuffle came of it, or has come since."""
    asked: bool = False
    """Nobody counted it, or a number was unknown: the table said how it ended."""


class Turn(msgspec.Struct, frozen=True):
    """Whose turn it is, and what it was used for; nobody's until the table has said who woke up first."""

    seat: Seat | None = None
    played: bool = False
    attempted: bool = False
