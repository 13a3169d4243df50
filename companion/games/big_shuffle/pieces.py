"""The pieces a table is made of: set-up, players, agendas, a scene change under way, a turn."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.engine.game import N_, Seat
from companion.games.big_shuffle.cards import Card, SceneKind, same
from companion.games.big_shuffle.city import Place, Spot, direction


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which of the three games is played."""

    mode: Annotated[
        Literal["normal", "beginner", "expert"],
        Meta(
            title=N_("Which game"),
            description=N_(
                "Beginners lay the shared agendas open. Experts begin with a Big Shuffle and play for points."
            ),
            extra={
                "choices": {
                    "beginner": N_("First game: shared agendas lie open"),
                    "normal": N_("All agendas are secret"),
                    "expert": N_("Expert: agendas score, five points win"),
                }
            },
        ),
    ] = "normal"


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


TurnStep = Literal["start", "draw", "act"]


class Turn(msgspec.Struct, frozen=True):
    """Whose turn it is and how far; nobody's until the table has said who woke up first."""

    seat: Seat | None = None
    step: TurnStep = "start"
    played: bool = False
    attempted: bool = False


def matches(noted: str | None, active: str | None) -> bool:
    return noted is not None and active is not None and same(noted) == same(active)
