"""The people at a table: their names, who sits where, who is host, who has a phone."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from companion.engine.table_tools import Tools
from companion.game import TABLE, NotAllowed, Seat

MOST_SEATS = 99
WORD_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
SHAPES = 20
"""How many badges there are, each a colour and a shape: `b0` to `b19` in companion.css."""
NAME_LENGTH = 20
BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u200b\ufeff")
"""Marks that could turn the text around a name upside down, or make two names look the same."""
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u3164\uffa0") | {
    chr(n) for n in range(0xFE00, 0xFE10)
}
"""Fillers and variation selectors: letters or marks by their kind, yet they draw nothing."""
Phase = Literal["gathering", "playing", "ended"]
Scope = tuple[str, ...] | None
"""The nights that a browser may know of, newest first: those it has opened. None: all of this installation."""


class Person(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
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
    out: bool = False
    """Sits this game out. Their phone follows the night, and they may play the next one."""
    left: bool = False
    """Has left after the game was over: they are in its result, and not at the next table."""
    taps: int = 0
    """How often this seat has tapped: forms drawn before its last tap are known by it."""
    burnt_taps: int = 0
    """How often this seat had tapped at the last burn: ids of earlier taps are gone."""
    badge: int | None = None
    """The colour and shape this player likes best, if they have chosen any."""
    came_from: str = ""
    """The table and seat that this phone had earlier this evening: `table.seat`."""
    placed: bool = False
    """Somebody has said that this is their place in the ring of chairs."""


class Claim(msgspec.Struct, frozen=True):
    """A phone without a link claims a seat and waits for an answer."""

    seat: Seat
    secret: str
    """The digest of what only the browser that claims knows."""
    at: float
    answer: Literal["", "yes", "no"] = ""
    answered_at: float = 0.0
    generation: int = 0
    """Of the link that was granted."""
    taps: int = 0
    """How often the seat had tapped then: after its next tap, its link is not given out again."""

    @property
    def id(self) -> str:
        """Tells this claim from another one of the same seat; not the secret."""
        return self.secret[:8]

    @property
    def word(self) -> str:
        """A word shown on the claiming phone and beside the question, so that people can compare."""
        return "".join(WORD_LETTERS[int(self.secret[n : n + 2], 16) % len(WORD_LETTERS)] for n in (8, 10, 12))


class Room(msgspec.Struct, frozen=True, omit_defaults=True):
    """The people at a table, clockwise, and how far the table is."""

    people: tuple[Person, ...] = ()
    phase: Phase = "gathering"
    host: Seat = TABLE
    setup: dict[str, Any] = {}
    screen_taps: int = 0
    changes: int = 0
    """How often somebody has tapped at the room itself: seats, phones, names, starting, ending, taking back."""
    alarm_at: float | None = None
    screen_generation: int = 1
    """Counts the links that the shared screen and watchers have had; an older one opens nothing."""
    burnt_screen_taps: int = 0
    burnt_changes: int = 0
    """The counts of taps and changes at the last burn."""
    language: str = ""
    """The language of the shared screen. Empty: its browser's."""
    scope: Scope = None
    """What the browser that opened this table knew of: last set-ups and learnt names come from there."""
    claims: tuple[Claim, ...] = ()
    """At most one for each seat, answered or not."""
    tools: Tools = Tools()
    """Who starts, dice and the clock, for any game."""

    @property
    def here(self) -> tuple[Person, ...]:
        """Those who play at this table."""
        return tuple([person for person in self.people if not (person.gone or person.out)])

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple([person.seat for person in self.people if not (person.gone or person.out)])

    @property
    def company(self) -> tuple[Person, ...]:
        """Everybody who may play the next game: those who play or sit out, and have not left."""
        return tuple([person for person in self.people if not (person.gone or person.left)])

    @property
    def names(self) -> dict[Seat, str]:
        return {person.seat: person.name for person in self.people}

    def move_chair(self, seat: Seat, place: int) -> Room:
        """Move somebody to this chair, counted from 1. The people in between shift by one chair."""
        seats = list(self.seats)
        seats.remove(self.person(seat).seat)
        seats.insert(max(place, 1) - 1, seat)
        order = {other: number for number, other in enumerate(seats)}
        people = sorted(self.people, key=lambda person: order.get(person.seat, len(order)))
        return msgspec.structs.replace(self, people=tuple(people))

    def placed(self, *seats: Seat) -> Room:
        """Mark these people as sitting where the ring shows them."""
        people = [msgspec.structs.replace(one, placed=one.placed or one.seat in seats) for one in self.people]
        return msgspec.structs.replace(self, people=tuple(people))

    def looks_like(self, before: Room) -> bool:
        """Whether the people look as they did before, however often they have tapped."""
        if before.host != self.host or len(before.people) != len(self.people):
            return False
        pairs = zip(before.people, self.people, strict=True)
        return all(old is new or msgspec.structs.replace(old, taps=new.taps) == new for old, new in pairs)

    def person(self, seat: Seat) -> Person:
        """Somebody who plays."""
        person = self.one_of_us(seat)
        if person.out:
            raise NotAllowed("{name} sits this one out.", name=seat)
        return person

    def one_of_us(self, seat: Seat) -> Person:
        """Somebody who plays or sits this game out."""
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

    def mark_burn(self) -> Room:
        """Note how often everybody has tapped: the ids of these taps are burnt with the states they made."""
        people = tuple([msgspec.structs.replace(person, burnt_taps=person.taps) for person in self.people])
        return msgspec.structs.replace(
            self, people=people, burnt_screen_taps=self.screen_taps, burnt_changes=self.changes
        )

    def refuse_burnt_tap(self, who: Seat, tap_id: str) -> None:
        """Refuse a form that was drawn before the last burn: it may have been tapped already, and nobody can tell."""
        count, _, _ = tap_id.partition(".")
        if count.startswith("r"):
            burnt, count = self.burnt_changes, count[1:]
        else:
            burnt = self.burnt_screen_taps if who == TABLE else self.one_of_us(who).burnt_taps
        if int(count) < burnt:
            raise NotAllowed("The game has moved on since then. Please tap again.")

    def count_change(self) -> Room:
        return msgspec.structs.replace(self, changes=self.changes + 1)

    def with_badges(self) -> Room:
        """Fix everybody's badge, so that it stays when others sit out or join."""
        ours = [person for person in self.people if not person.gone]
        given = badges({person.seat: person.badge for person in ours})
        people = [msgspec.structs.replace(person, badge=given.get(person.seat, person.badge)) for person in self.people]
        return msgspec.structs.replace(self, people=tuple(people))

    def for_the_next_game(self, setup: dict[str, Any], plays: tuple[Seat, ...] | None = None, joins: str = "") -> Room:
        """The same people on the same seats, links and host rights included, before the next game.

        Only those in `plays` do, if it says so; the others sit it out. Somebody without a phone may join.
        """
        plays = self.seats if plays is None else plays
        people = tuple(
            msgspec.structs.replace(
                person, away=False, left=False, gone=person.gone or person.left, out=person.seat not in plays
            )
            for person in self.with_badges().people
        )
        room = Room(
            people, setup=setup, screen_taps=self.screen_taps, changes=self.changes,
            screen_generation=self.screen_generation, scope=self.scope, language=self.language,
            claims=self.claims,
        )  # fmt: skip
        room = msgspec.structs.replace(room, host=self.host if self.host in room.seats else TABLE)
        return room.seat_somebody(joins, phone=False)[0] if joins.strip() else room

    def seat_somebody(
        self, name: str, *, phone: bool, badge: int | None = None, came_from: str = ""
    ) -> tuple[Room, Seat]:
        name = self.free_name(name)
        if badge in {person.badge for person in self.people if not person.gone}:
            badge = None
        seat = Seat(max((person.seat for person in self.people), default=0) + 1)
        if seat > MOST_SEATS:
            raise NotAllowed("This table has no seats left. Open a new table.")
        person = Person(seat, name, phone=phone, badge=badge, came_from=came_from)
        return msgspec.structs.replace(self, people=(*self.people, person)), seat

    def free_name(self, name: str, *, besides: Seat = TABLE) -> str:
        name = tidy_name(name)
        taken = {same_name(person.name) for person in self.people if not person.gone and person.seat != besides}
        if same_name(name) in taken:
            raise NotAllowed("Somebody at this table is already called {name}. Choose another name.", name=name)
        return name


def badges(wished: Mapping[Seat, int | None]) -> dict[Seat, int]:
    """A colour and shape each: the one a player has chosen, else that of their seat, else the next that nobody has.

    It goes with the seat, not with the chair: nobody gets another one because somebody else moves or leaves.
    """
    given = {seat: wish for seat, wish in wished.items() if wish is not None}
    for seat in sorted(set(wished) - set(given)):
        free = (badge for badge in (*range(seat - 1, SHAPES), *range(MOST_SEATS)) if badge not in given.values())
        given[seat] = next(free)
    return given


def tidy_name(name: str) -> str:
    """A name as people would write it: trimmed, one line, 1 to 20 characters as a person counts them."""
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    visible = [c for c in name if unicodedata.category(c) not in ("Cc", "Cs", "Cn", "Co", "Zl", "Zp")]
    name = "".join(c for c in visible if c not in BIDI).strip()
    if not any(unicodedata.category(c)[0] not in "ZCM" for c in name):
        raise NotAllowed("Please type a name.")
    if letters(name) > NAME_LENGTH:
        raise NotAllowed("That name is too long: at most {n} characters.", n=NAME_LENGTH)
    return name


def letters(name: str) -> int:
    """Count characters as a person does: accents, skin tones and joined emoji belong to the one before."""
    count, joined = 0, False
    for c in name:
        attached = unicodedata.category(c) in ("Mn", "Me", "Mc") or "\U0001f3fb" <= c <= "\U0001f3ff" or c == "\u200d"
        count += not (attached or joined)
        joined = c == "\u200d"
    return max(count, len(name) // 8)


def same_name(name: str) -> str:
    """A name as people compare it: letter case, and characters that nobody sees, make no difference."""
    seen = [c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) != "Cf" and c not in UNSEEN]
    return "".join(seen).casefold()
