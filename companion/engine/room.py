"""The people at a table and their rights: who sits where, who is host, who has a phone.

These are taps like a game's own, with rules like a game's own; they change the room, never the
state of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal

import msgspec

from companion.engine.game import TABLE, By, NotAllowed, Say, Seat, Tap
from companion.engine.names import same_name, tidy_name

MOST_SEATS = 99
Phase = Literal["gathering", "playing", "ended"]


class Person(msgspec.Struct, frozen=True, gc=False):
    """Somebody at the table."""

    seat: Seat
    name: str
    generation: int = 1
    """Counts the links this seat has had; only the newest one opens it."""
    phone: bool = True
    moving: bool = False
    """A new link waits to be scanned by another phone."""
    away: bool = False
    gone: bool = False
    taps: int = 0
    """How often this seat has tapped: forms drawn before its last tap are known by it."""
    badge: int | None = None
    """The colour and symbol this player likes best, if they have chosen any."""


class Room(msgspec.Struct, frozen=True):
    """The people at a table, clockwise, and how far the table is."""

    people: tuple[Person, ...] = ()
    phase: Phase = "gathering"
    host: Seat = TABLE
    setup: dict[str, Any] = {}
    screen_taps: int = 0
    changes: int = 0
    """How often somebody has tapped at the room itself: seats, phones, names, starting, ending, taking back."""
    alarm_at: float | None = None

    @property
    def here(self) -> tuple[Person, ...]:
        return tuple([person for person in self.people if not person.gone])

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple([person.seat for person in self.people if not person.gone])

    @property
    def names(self) -> dict[Seat, str]:
        return {person.seat: person.name for person in self.people}

    def person(self, seat: Seat) -> Person:
        for person in self.people:
            if person.seat == seat and not person.gone:
                return person
        raise NotAllowed("Nobody sits there any more.")

    def with_person(self, changed: Person) -> Room:
        people = tuple([changed if person.seat == changed.seat else person for person in self.people])
        return msgspec.structs.replace(self, people=people)

    def is_host(self, who: Seat) -> bool:
        return who == self.host

    def taps_of(self, who: Seat) -> int:
        return self.screen_taps if who == TABLE else self.person(who).taps

    def count_tap(self, who: Seat) -> Room:
        if who == TABLE:
            return msgspec.structs.replace(self, screen_taps=self.screen_taps + 1)
        for person in self.people:
            if person.seat == who and not person.gone:
                return self.with_person(msgspec.structs.replace(person, taps=person.taps + 1))
        return self

    def count_change(self) -> Room:
        return msgspec.structs.replace(self, changes=self.changes + 1)

    def for_the_next_game(self, setup: dict[str, Any]) -> Room:
        """The same people on the same seats, links and host rights included, before the next game."""
        people = tuple(msgspec.structs.replace(person, away=False) for person in self.people)
        return Room(people, host=self.host, setup=setup, screen_taps=self.screen_taps, changes=self.changes)

    def seat_somebody(self, name: str, *, phone: bool, badge: int | None = None) -> tuple[Room, Seat]:
        name = self.free_name(name)
        if badge in {person.badge for person in self.here}:
            badge = None
        seat = Seat(max((person.seat for person in self.people), default=0) + 1)
        if seat > MOST_SEATS:
            raise NotAllowed("This table has had too many seats. Open a new one.")
        return msgspec.structs.replace(self, people=(*self.people, Person(seat, name, phone=phone, badge=badge))), seat

    def free_name(self, name: str, *, besides: Seat = TABLE) -> str:
        name = tidy_name(name)
        taken = {same_name(person.name) for person in self.here if person.seat != besides}
        if same_name(name) in taken:
            raise NotAllowed("Somebody at this table is already called {name}. Choose another name.", name=name)
        return name


# -------------------------------------------------------------------------------- taps


class AddPerson(Tap, frozen=True, tag="AddPerson"):
    """Somebody without a phone sits down."""

    by: ClassVar[By] = "host"
    name: str


class Rename(Tap, frozen=True, tag="Rename"):
    by: ClassVar[By] = "table"
    seat: Seat
    name: str


class Chair(Tap, frozen=True, tag="Chair"):
    """Move a seat one chair on or back, to match the chairs around the table."""

    by: ClassVar[By] = "host"
    seat: Seat
    way: Literal["earlier", "later"]


class NewLink(Tap, frozen=True, tag="NewLink"):
    """Move a seat to another phone: the old link is dead at once."""

    by: ClassVar[By] = "table"
    seat: Seat


class OntoScreen(Tap, frozen=True, tag="OntoScreen"):
    """A seat goes on without a phone: it plays on the shared screen, and its old link is dead."""

    by: ClassVar[By] = "table"
    seat: Seat


class MarkAway(Tap, frozen=True, tag="MarkAway"):
    by: ClassVar[By] = "host"
    seat: Seat


class MarkBack(Tap, frozen=True, tag="MarkBack"):
    by: ClassVar[By] = "table"
    seat: Seat


class Remove(Tap, frozen=True, tag="Remove"):
    by: ClassVar[By] = "host"
    seat: Seat


class GiveHost(Tap, frozen=True, tag="GiveHost"):
    by: ClassVar[By] = "host"
    seat: Seat


class TakeHost(Tap, frozen=True, tag="TakeHost"):
    """The shared screen takes the host's rights back, also from a phone that is lost."""

    by: ClassVar[By] = "table"


class EndTable(Tap, frozen=True, tag="EndTable"):
    by: ClassVar[By] = "host"


class Start(Tap, frozen=True, tag="Start"):
    by: ClassVar[By] = "host"


class TakeBack(Tap, frozen=True, tag="TakeBack"):
    by: ClassVar[By] = "table"


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
    return room, Say("{name} sits down and shares the screen.", name=seat)


def rename(room: Room, who: Seat, tap: Rename) -> tuple[Room, Say | None]:
    person = room.person(tap.seat)
    if who not in (tap.seat, room.host):
        raise NotAllowed("Only {name} or the host can change that name.", name=tap.seat)
    name = room.free_name(tap.name, besides=tap.seat)
    return room.with_person(msgspec.structs.replace(person, name=name)), Say(
        "{old} is now called {new}.", old=person.name, new=name
    )


def chair(room: Room, who: Seat, tap: Chair) -> tuple[Room, Say | None]:
    needs_gathering(room)
    seats = list(room.seats)
    place = seats.index(room.person(tap.seat).seat)
    seats.insert((place + (1 if tap.way == "later" else -1)) % len(seats), seats.pop(place))
    order = {seat: i for i, seat in enumerate(seats)}
    people = sorted(room.people, key=lambda person: order.get(person.seat, len(order)))
    return msgspec.structs.replace(room, people=tuple(people)), None


def new_link(room: Room, who: Seat, tap: NewLink) -> tuple[Room, Say | None]:
    host_or_screen(room, who)
    person = room.person(tap.seat)
    moved = msgspec.structs.replace(person, generation=person.generation + 1, phone=True, moving=True)
    return room.with_person(moved), Say("{name} moves to another phone.", name=tap.seat)


def onto_screen(room: Room, who: Seat, tap: OntoScreen) -> tuple[Room, Say | None]:
    host_or_screen(room, who)
    person = room.person(tap.seat)
    moved = msgspec.structs.replace(person, generation=person.generation + 1, phone=False, moving=False)
    if room.host == tap.seat:
        room = msgspec.structs.replace(room, host=TABLE)
    return room.with_person(moved), Say("{name} plays on the shared screen from now on.", name=tap.seat)


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


def remove(room: Room, who: Seat, tap: Remove) -> tuple[Room, Say | None]:
    person = room.person(tap.seat)
    if room.host == tap.seat:
        room = msgspec.structs.replace(room, host=TABLE)
    gone = msgspec.structs.replace(person, gone=True, moving=False, generation=person.generation + 1)
    return room.with_person(gone), Say("{name} leaves the table.", name=tap.seat)


def give_host(room: Room, who: Seat, tap: GiveHost) -> tuple[Room, Say | None]:
    if not room.person(tap.seat).phone:
        raise NotAllowed("{name} has no phone to be host with.", name=tap.seat)
    return msgspec.structs.replace(room, host=tap.seat), Say("{name} is host now.", name=tap.seat)


def take_host(room: Room, who: Seat, tap: TakeHost) -> tuple[Room, Say | None]:
    if who != TABLE:
        raise NotAllowed("Only the shared screen can take over.")
    if room.host == TABLE:
        raise NotAllowed("The shared screen is host already.")
    return msgspec.structs.replace(room, host=TABLE), Say("The shared screen is host now.")


def end_table(room: Room, who: Seat, tap: EndTable) -> tuple[Room, Say | None]:
    return msgspec.structs.replace(room, phase="ended", alarm_at=None), Say("{who} ended the table.", who=who)


ROOM_RULES: dict[type[Tap], RoomRule] = {
    AddPerson: add_person,
    Rename: rename,
    Chair: chair,
    NewLink: new_link,
    OntoScreen: onto_screen,
    MarkAway: mark_away,
    MarkBack: mark_back,
    Remove: remove,
    GiveHost: give_host,
    TakeHost: take_host,
    EndTable: end_table,
}
TABLE_TAPS: tuple[type[Tap], ...] = (*ROOM_RULES, Start, TakeBack)
