"""What people at a table may do with the table itself: seats, phones, rights, start and end.

These are taps like a game's own. Their rules change the room; `apply.py` adds what follows for the game, and answers
`Start`, `TakeBack` and `AnswerClaim` itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

import msgspec

from companion.engine.claims import AnswerClaim
from companion.engine.room import Room
from companion.engine.table_tools import TOOL_RULES
from companion.game import TABLE, By, NotAllowed, Say, Seat, Tap

LANGUAGE = re.compile(r"[a-zA-Z_]{2,12}")

# -------------------------------------------------------------------------------- taps


class AddPerson(Tap, frozen=True, tag="AddPerson"):
    """Somebody without a phone sits down."""

    by: ClassVar[By] = "host"
    name: str


class Rename(Tap, frozen=True, tag="Rename"):
    by: ClassVar[By] = "anybody"
    seat: Seat
    name: str


class Sit(Tap, frozen=True, tag="Sit"):
    """Somebody takes this place in the ring of chairs: dragged, by a key, a button or a form."""

    by: ClassVar[By] = "anybody"
    seat: Seat
    place: int
    """Counted from 1, clockwise."""


class ChairsFit(Tap, frozen=True, tag="ChairsFit"):
    """Confirm the ring of chairs: the host and the shared screen for everybody, a seat for itself."""

    by: ClassVar[By] = "anybody"


class NewLink(Tap, frozen=True, tag="NewLink"):
    """Move a seat to another phone. The old link dies immediately."""

    by: ClassVar[By] = "anybody"
    seat: Seat


class OntoScreen(Tap, frozen=True, tag="OntoScreen"):
    """A seat moves to the shared screen, and its link dies."""

    by: ClassVar[By] = "anybody"
    seat: Seat


class Arrive(Tap, frozen=True, tag="Arrive"):
    """A seat's new phone confirms that it is there. Opening the link alone changes nothing."""


class MarkAway(Tap, frozen=True, tag="MarkAway"):
    by: ClassVar[By] = "host"
    seat: Seat


class MarkBack(Tap, frozen=True, tag="MarkBack"):
    by: ClassVar[By] = "anybody"
    seat: Seat


class Remove(Tap, frozen=True, tag="Remove"):
    by: ClassVar[By] = "host"
    seat: Seat


class SitOut(Tap, frozen=True, tag="SitOut"):
    """Somebody does not play this game, and stays with the others for the next one."""

    by: ClassVar[By] = "anybody"
    seat: Seat


class JoinIn(Tap, frozen=True, tag="JoinIn"):
    """Somebody who was sitting out plays after all."""

    by: ClassVar[By] = "anybody"
    seat: Seat


class GiveHost(Tap, frozen=True, tag="GiveHost"):
    by: ClassVar[By] = "host"
    seat: Seat


class TakeHost(Tap, frozen=True, tag="TakeHost"):
    """The shared screen becomes host again, even if the host's phone is lost."""

    by: ClassVar[By] = "anybody"


class Speak(Tap, frozen=True, tag="Speak"):
    """The shared screen speaks this language from now on; phones keep their own."""

    by: ClassVar[By] = "host"
    language: str


class EndTable(Tap, frozen=True, tag="EndTable"):
    by: ClassVar[By] = "host"


class Start(Tap, frozen=True, tag="Start"):
    by: ClassVar[By] = "host"


class TakeBack(Tap, frozen=True, tag="TakeBack"):
    by: ClassVar[By] = "anybody"


# -------------------------------------------------------------------------------- rules

RoomRule = Callable[[Room, Seat, Any], tuple[Room, Say | None]]


def needs_gathering(room: Room) -> None:
    if room.phase != "gathering":
        raise NotAllowed("The game has started.")


def host_or_screen(room: Room, who: Seat) -> None:
    if who not in (room.host, TABLE):
        raise NotAllowed("Only the host or the shared screen can do that.")


def add_person(room: Room, who: Seat, tap: AddPerson) -> tuple[Room, Say | None]:
    needs_gathering(room)
    room, seat = room.seat_somebody(tap.name, phone=False)
    return room, Say("{name} sits down and plays on the shared screen.", name=seat)


def rename(room: Room, who: Seat, tap: Rename) -> tuple[Room, Say | None]:
    person = room.person(tap.seat)
    if who not in (tap.seat, room.host):
        raise NotAllowed("Only {name} or the host can change that name.", name=tap.seat)
    name = room.free_name(tap.name, besides=tap.seat)
    return room.with_person(msgspec.structs.replace(person, name=name)), Say(
        "{old} is now called {new}.", old=person.name, new=name
    )


def sit(room: Room, who: Seat, tap: Sit) -> tuple[Room, Say | None]:
    """Moving somebody as host confirms the whole ring; moving oneself confirms only that seat."""
    if who not in (room.host, TABLE) and (who != tap.seat or room.phase != "gathering"):
        raise NotAllowed("Only the host or the shared screen can move people to other chairs.")
    moved = room.move_chair(tap.seat, tap.place)
    say = None
    if room.phase != "gathering" and moved.seats != room.seats:
        after = moved.seats[moved.seats.index(tap.seat) - 1]
        say = Say("{name} moves to the chair after {other}.", name=tap.seat, other=after)
    return moved.placed(*(room.seats if who in (room.host, TABLE) else (who,))), say


def chairs_fit(room: Room, who: Seat, tap: ChairsFit) -> tuple[Room, Say | None]:
    return room.placed(*(room.seats if who in (room.host, TABLE) else (who,))), None


def new_link(room: Room, who: Seat, tap: NewLink) -> tuple[Room, Say | None]:
    host_or_screen(room, who)
    person = room.person(tap.seat)
    moved = msgspec.structs.replace(person, generation=person.generation + 1, phone=True, moving=True, left=False)
    return room.with_person(moved), Say("{name} moves to another phone.", name=tap.seat)


def onto_screen(room: Room, who: Seat, tap: OntoScreen) -> tuple[Room, Say | None]:
    host_or_screen(room, who)
    person = room.person(tap.seat)
    moved = msgspec.structs.replace(person, generation=person.generation + 1, phone=False, moving=False, left=False)
    if room.host == tap.seat:
        room = msgspec.structs.replace(room, host=TABLE)
    return room.with_person(moved), Say("{name} now plays on the shared screen.", name=tap.seat)


def arrive(room: Room, who: Seat, tap: Arrive) -> tuple[Room, Say | None]:
    person = room.person(who)
    if not person.moving:
        raise NotAllowed("You're already here.")
    return room.with_person(msgspec.structs.replace(person, moving=False)), Say("{name} is here on a phone.", name=who)


def mark_away(room: Room, who: Seat, tap: MarkAway) -> tuple[Room, Say | None]:
    person = room.person(tap.seat)
    if person.away:
        raise NotAllowed("{name} is already away.", name=tap.seat)
    return room.with_person(msgspec.structs.replace(person, away=True)), Say("{name} is away.", name=tap.seat)


def mark_back(room: Room, who: Seat, tap: MarkBack) -> tuple[Room, Say | None]:
    person = room.person(tap.seat)
    if who not in (tap.seat, room.host):
        raise NotAllowed("Only {name} or the host can do that.", name=tap.seat)
    if not person.away:
        raise NotAllowed("{name} is not away.", name=tap.seat)
    return room.with_person(msgspec.structs.replace(person, away=False)), Say("{name} is back.", name=tap.seat)


def sit_out(room: Room, who: Seat, tap: SitOut) -> tuple[Room, Say | None]:
    needs_gathering(room)
    if who not in (room.person(tap.seat).seat, room.host):
        raise NotAllowed("Only {name} or the host can do that.", name=tap.seat)
    room = room.with_badges()
    room = room.with_person(msgspec.structs.replace(room.person(tap.seat), out=True))
    if room.host == tap.seat:
        room = msgspec.structs.replace(room, host=TABLE)
    return room, Say("{name} sits this one out.", name=tap.seat)


def join_in(room: Room, who: Seat, tap: JoinIn) -> tuple[Room, Say | None]:
    needs_gathering(room)
    person = room.one_of_us(tap.seat)
    if who not in (person.seat, room.host):
        raise NotAllowed("Only {name} or the host can do that.", name=tap.seat)
    return room.with_person(msgspec.structs.replace(person, out=False)), Say("{name} joins in.", name=tap.seat)


def leave_after_the_game(room: Room, who: Seat, tap: Remove) -> tuple[Room, Say | None]:
    """Somebody leaves after the game: they stay in its result, but are not at the next table."""
    room, say = remove(room, who, tap)
    gone = next(person for person in room.people if person.seat == tap.seat)
    return room.with_person(msgspec.structs.replace(gone, gone=False, left=True)), say


def remove(room: Room, who: Seat, tap: Remove) -> tuple[Room, Say | None]:
    person = room.one_of_us(tap.seat)
    if room.host == tap.seat:
        room = msgspec.structs.replace(room, host=TABLE)
    gone = msgspec.structs.replace(person, gone=True, moving=False, generation=person.generation + 1)
    return room.with_person(gone), Say("{name} leaves the table.", name=tap.seat)


def give_host(room: Room, who: Seat, tap: GiveHost) -> tuple[Room, Say | None]:
    if not room.person(tap.seat).phone:
        raise NotAllowed("{name} needs a phone to be the host.", name=tap.seat)
    return msgspec.structs.replace(room, host=tap.seat), Say("{name} is the host now.", name=tap.seat)


def take_host(room: Room, who: Seat, tap: TakeHost) -> tuple[Room, Say | None]:
    if who != TABLE:
        raise NotAllowed("Only the shared screen can become the host this way.")
    if room.host == TABLE:
        raise NotAllowed("The shared screen is already the host.")
    return msgspec.structs.replace(room, host=TABLE), Say("The shared screen is the host now.")


def speak(room: Room, who: Seat, tap: Speak) -> tuple[Room, Say | None]:
    if not LANGUAGE.fullmatch(tap.language):
        raise NotAllowed("The companion doesn't have this language. Choose another one.")
    return msgspec.structs.replace(room, language=tap.language), None


def end_table(room: Room, who: Seat, tap: EndTable) -> tuple[Room, Say | None]:
    say = Say("The table ends.") if who == TABLE else Say("{who} ends the table.", who=who)
    return msgspec.structs.replace(room, phase="ended", alarm_at=None), say


ROOM_RULES: dict[type[Tap], RoomRule] = {
    AddPerson: add_person,
    Rename: rename,
    Sit: sit,
    ChairsFit: chairs_fit,
    NewLink: new_link,
    OntoScreen: onto_screen,
    Arrive: arrive,
    MarkAway: mark_away,
    MarkBack: mark_back,
    Remove: remove,
    SitOut: sit_out,
    JoinIn: join_in,
    GiveHost: give_host,
    TakeHost: take_host,
    Speak: speak,
    EndTable: end_table,
}
ROOM_TAPS: tuple[type[Tap], ...] = (*ROOM_RULES, *TOOL_RULES, AnswerClaim, Start, TakeBack)
