"""The parts of a game besides the city: agendas, players, a scene change and its verdict, the turn."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.game import Seat
from companion.games.big_shuffle.cards import Card, SceneKind
from companion.games.big_shuffle.city import Place, Spot, direction


class Agenda(msgspec.Struct, frozen=True):
    """A Who, a What and a Where. A scene that its owner has not noted is None."""

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
    """The cards in front of a player, and the points."""

    character: str | None = None
    influence: dict[SceneKind, int] = {}
    informant: str | None = None
    loot: tuple[str, ...] = ()
    points: int = 0


class Shown(msgspec.Struct, frozen=True):
    """A card that everybody has seen go to a hand, or (seat 0) back to its deck."""

    card: Card
    holder: Seat


class Goon(msgspec.Struct, frozen=True):
    """A hired goon: above zero for the attempt, below zero against it."""

    seat: Seat
    modifier: int
    card: Card


class Attempt(msgspec.Struct, frozen=True):
    """A scene change under way. Typed numbers override the numbers known from the cards."""

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
        """The name under which the difficulty is remembered: the two sides of a card may have different numbers."""
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
    """It caused a Big Shuffle, or one has happened since."""
    asked: bool = False
    """The table said how it ended, because nobody counted or a number was missing."""


class Turn(msgspec.Struct, frozen=True):
    """Whose turn it is and what they have done; None until the table has said who woke up earliest."""

    seat: Seat | None = None
    played: bool = False
    attempted: bool = False
