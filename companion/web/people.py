"""The people at a table as everybody sees them: a name, a chair, and a badge, which is a colour and a shape."""

from __future__ import annotations

import msgspec

from companion.engine.room import SHAPES, Person, Room, badges
from companion.game import N_, Seat

COLOUR_NAMES = (
    # Translators: the colour of a person's badge
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
    left: bool
    placed: bool = False
    """Whether somebody has said that they sit where the ring of chairs shows them."""
    badge: int = 0
    """Colour and shape in one number."""

    @classmethod
    def of(cls, seat: Seat, name: str, number: int, badge: int, **more: bool) -> Somebody:
        known = {"phone": True, "moving": False, "away": False, "host": False, "left": False, "placed": False, **more}
        return cls(seat, name, number, badge=badge % SHAPES, **known)


def people_of(room: Room) -> tuple[Somebody, ...]:
    """Those who play, clockwise."""
    return faces_of(room, room.here)


def sitting_out(room: Room) -> tuple[Somebody, ...]:
    """Those who sit this game out."""
    return faces_of(room, tuple([person for person in room.company if person.out]))


def faces_of(room: Room, people: tuple[Person, ...]) -> tuple[Somebody, ...]:
    given = badges({person.seat: person.badge for person in people})
    return tuple(
        Somebody.of(
            person.seat, person.name, number, given[person.seat], phone=person.phone, moving=person.moving,
            away=person.away, host=room.host == person.seat, left=person.left, placed=person.placed,
        )
        for number, person in enumerate(people, 1)
    )  # fmt: skip
