"""Tools for any game: who starts, dice, and a turn clock. They belong to the room; no game knows of them.

What was drawn or rolled is told to everybody and cannot be taken back. The clock runs in every browser towards the same
end; nothing happens here when it is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec

from companion.game import By, Dice, NotAllowed, Say, Seat, Tap

if TYPE_CHECKING:
    from companion.engine.room import Room

MAX_DICE = 10
SIDES = (4, 6, 8, 10, 12, 20)
MORE_SECONDS = 30


class Clock(msgspec.Struct, frozen=True):
    """A countdown that runs until a time, or is paused with some seconds left."""

    seconds: int
    """What each person gets."""
    left: float
    """Seconds left while it is paused."""
    until: float | None = None
    seat: Seat | None = None
    """Whose turn it counts, if anybody's."""

    def runs(self, at: float, left: float) -> Clock:
        return msgspec.structs.replace(self, until=at + left, left=left)


class Tools(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was drawn last, and the clock."""

    draws: int = 0
    """How often something was drawn or rolled: each time is shown once."""
    starter: Seat | None = None
    dice: tuple[int, ...] = ()
    """The last roll, if nothing was drawn since."""
    sides: int = 6
    clock: Clock | None = None


class DrawStarter(Tap, frozen=True, tag="DrawStarter"):
    """Pick a random starter among those who are here."""

    by: ClassVar[By] = "anybody"


class RollDice(Tap, frozen=True, tag="RollDice"):
    by: ClassVar[By] = "anybody"
    many: int
    sides: int


class TurnClock(Tap, frozen=True, tag="TurnClock"):
    """Start the clock, or change the one that is there."""

    by: ClassVar[By] = "anybody"
    do: Literal["start", "pause", "go on", "more", "next", "stop"]
    seconds: int = 60


def draw_starter(room: Room, tap: DrawStarter, dice: Dice, at: float) -> tuple[Tools, Say | None]:
    here = [person.seat for person in room.here if not person.away]
    if not here:
        raise NotAllowed("Nobody is here yet.")
    starter = dice.shuffled(here)[0]
    tools = msgspec.structs.replace(room.tools, draws=room.tools.draws + 1, starter=starter, dice=())
    return tools, Say("{name} is picked at random and starts.", name=starter)


def roll_dice(room: Room, tap: RollDice, dice: Dice, at: float) -> tuple[Tools, Say | None]:
    if not 1 <= tap.many <= MAX_DICE or tap.sides not in SIDES:
        raise NotAllowed("Choose 1 to {n} dice.", n=MAX_DICE)
    faces = tuple(dice.roll(tap.sides) for _ in range(tap.many))
    tools = msgspec.structs.replace(room.tools, draws=room.tools.draws + 1, dice=faces, sides=tap.sides)
    if tap.many == 1:
        return tools, Say("A die with {sides} sides shows {n}.", sides=tap.sides, n=faces[0])
    rolled = " + ".join(str(face) for face in faces)
    return tools, Say("{many} dice with {sides} sides show {faces}: {n} in total.", many=tap.many, sides=tap.sides,
                      faces=rolled, n=sum(faces))  # fmt: skip


def turn_clock(room: Room, tap: TurnClock, dice: Dice, at: float) -> tuple[Tools, Say | None]:
    tools, clock = room.tools, room.tools.clock
    if tap.do == "start":
        if not 5 <= tap.seconds <= 3600:
            raise NotAllowed("Set the clock to between 5 seconds and an hour.")
        clock = Clock(tap.seconds, tap.seconds, at + tap.seconds)
    elif clock is None:
        raise NotAllowed("There is no clock. Start one first.")
    else:
        left = clock.left if clock.until is None else max(0.0, clock.until - at)
        match tap.do:
            case "pause":
                clock = msgspec.structs.replace(clock, until=None, left=left)
            case "go on":
                clock = clock.runs(at, left)
            case "more" if clock.until is None:
                clock = msgspec.structs.replace(clock, left=left + MORE_SECONDS)
            case "more":
                clock = clock.runs(at, left + MORE_SECONDS)
            case "next":
                clock = msgspec.structs.replace(clock.runs(at, clock.seconds), seat=next_person(room, clock.seat))
            case _:
                clock = None
    return msgspec.structs.replace(tools, clock=clock), None


def next_person(room: Room, seat: Seat | None) -> Seat:
    """The next person clockwise who is here. If nobody had the clock yet: the starter, or the first person."""
    here = [person.seat for person in room.here if not person.away]
    if not here:
        raise NotAllowed("Nobody is here yet.")
    if seat is None:
        return room.tools.starter if room.tools.starter in here else here[0]
    around = [one for one in room.seats if one in here or one == seat]
    return around[(around.index(seat) + 1) % len(around)] if seat in around else here[0]


TOOL_RULES: dict[type[Tap], Callable[[Room, Any, Dice, float], tuple[Tools, Say | None]]] = {
    DrawStarter: draw_starter,
    RollDice: roll_dice,
    TurnClock: turn_clock,
}
