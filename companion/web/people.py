"""The people at a table as everybody sees them: a name, a chair, and a badge, which is a colour and a shape."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.engine.room import Room
from companion.game import N_, Seat

SHAPES = 20
"""How many there are, beside the colours, so that nobody has to tell colours apart: `b0` to `b19` in companion.css."""
COLOUR_NAMES = (
    N_("gold"), N_("sky blue"), N_("coral"), N_("green"), N_("violet"),
    N_("teal"), N_("pink"), N_("sand"), N_("lavender"), N_("peach"),
)  # fmt: skip
BADGES = len(COLOUR_NAMES)
"""How many colours, each with its shape, can be chosen."""
BADGES_BY_NAME = {str(badge): badge for badge in range(BADGES)}
"""As forms and cookies name them."""


class Somebody(msgspec.Struct, frozen=True, gc=False):
    """A person as everybody sees them."""

    seat: Seat
    name: str
    number: int
    phone: bool
    moving: bool
    away: bool
    host: bool
    badge: int = 0
    """Colour and shape in one number."""

    @classmethod
    def of(cls, seat: Seat, name: str, number: int, badge: int, **more: bool) -> Somebody:
        known = {"phone": True, "moving": False, "away": False, "host": False, **more}
        return cls(seat, name, number, badge=badge % SHAPES, **known)


def badges(wished: Sequence[int | None]) -> list[int]:
    """A colour and shape each, clockwise: the one a player has chosen, else the next that nobody has."""
    free = [badge for badge in range(max(SHAPES, len(wished) * 2)) if badge not in wished]
    # Without any wishes, everybody has the badge of their chair.
    return [free.pop(0) if wish is None else wish for wish in wished]


def people_of(room: Room) -> tuple[Somebody, ...]:
    given = badges([person.badge for person in room.here])
    return tuple(
        Somebody.of(
            person.seat, person.name, number, badge,
            phone=person.phone, moving=person.moving, away=person.away, host=room.host == person.seat,
        )
        for number, (person, badge) in enumerate(zip(room.here, given, strict=True), 1)
    )  # fmt: skip
