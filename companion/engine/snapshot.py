"""A snapshot: a table's newest version, decoded, with its newest history lines. Also how states are encoded."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from companion.engine.room import Room
from companion.engine.store import StoredLines, TableRow, Version
from companion.game import TABLE, Game, Line, Result, Say, Seat

T = TypeVar("T")
MAX_SEAT_DIGITS = 5
RECENT_LINES = 12
"""How many history lines are on every screen; the rest is on the history page."""


class HistoryEntry(msgspec.Struct, frozen=True):
    """A line of the history, and when it was said."""

    version: int
    at: float
    line: Line
    place: int = 0
    """Its place among the lines of the same version."""


class Recent(msgspec.Struct, frozen=True):
    """The newest lines for everybody and, apart from them, for each seat, so that neither pushes the other out."""

    public: tuple[HistoryEntry, ...] = ()
    private: dict[Seat, tuple[HistoryEntry, ...]] = {}

    def add(self, entries: Iterable[HistoryEntry]) -> Recent:
        """With these entries on top, the oldest of them first."""
        entries = tuple(entries)
        if not entries:
            return self
        public, private = self.public, dict(self.private)
        for entry in entries:
            if entry.line.to is None:
                public = (entry, *public)[:RECENT_LINES]
            for seat in entry.line.to or ():
                private[seat] = (entry, *private.get(seat, ()))[:RECENT_LINES]
        return Recent(public, private)

    def for_seat(self, seat: Seat | None) -> tuple[HistoryEntry, ...]:
        """What this seat may read, newest first."""
        own = self.private.get(seat, ()) if seat is not None else ()
        if not own:
            return self.public
        both = sorted((*own, *self.public), key=lambda entry: (entry.version, entry.place), reverse=True)
        return tuple(both[:RECENT_LINES])


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table at its newest version, or at one that is about to be committed."""

    id: str
    code: str
    game: Game
    version: int
    room: Room
    state: Any
    step: int
    """The version in which the present state of the game was made."""
    parent: int | None
    """The step before that one, if it can be taken back to."""
    burn_floor: int
    who: Seat | None
    """Who made this version; None if nobody is to know."""
    lines: tuple[Line, ...]
    """What was said in this version."""
    step_by: Seat | None
    """Who made the last step, which may be older than this version."""
    step_line: Line | None
    recent: Recent
    at: float
    opened: float = 0.0
    """When the table was opened."""
    night: str = ""
    next: str | None = None
    """The table that these people have gone on to."""

    @property
    def played_as(self) -> str:
        """The name of the game on the table, where it is not the title of `game`."""
        with contextlib.suppress(msgspec.MsgspecError):  # the set-up was made before the game has changed
            return self.game.played_as(fill(self.room.setup, self.game.setup))
        return ""

    @property
    def is_over(self) -> bool:
        """Whether the night may go on from here."""
        return self.room.phase == "ended" or self.result is not None

    @property
    def result(self) -> Result | None:
        return None if self.state is None else self.game.result(self.state)

    @property
    def burns(self) -> bool:
        """Whether this version burns the states of all earlier ones."""
        return self.burn_floor == self.version

    def has_same_result(self, before: Snapshot) -> bool:
        """Whether what everybody may know of the table, who plays and who has won, is as it was before."""
        return self.state is None or (
            before.state is not None and self.room.phase == before.room.phase and self.result == before.result
            and self.room.looks_like(before.room) and self.room.screen_generation == before.room.screen_generation
        )  # fmt: skip

    def can_take_back(self, who: Seat) -> bool:
        """The host and the seat that made the last step can take it back, unless it is sealed."""
        if self.parent is None or self.room.phase == "ended":
            return False
        return self.room.is_host(who) or (self.step_by is not None and who == self.step_by != TABLE)

    def as_stored(self, tap: str | None) -> Version:
        """This version as a store keeps it; `tap` is the id of the tap that made it."""
        lines, private = encode_lines(self.lines)
        return Version(
            table=self.id, version=self.version, room=encode(self.room),
            state=None if self.state is None else encode(self.state),
            step=self.step, parent=self.parent, burn_floor=self.burn_floor,
            who=None if self.who is None else int(self.who), at=self.at, tap=tap, lines=lines, private=private,
        )  # fmt: skip


def first_version(table: TableRow, room: Room, say: Say, version: int = 1) -> Version:
    return Version(
        table=table.id, version=version, room=encode(room), state=None, step=version, parent=None, burn_floor=0,
        who=int(TABLE), at=table.opened, tap=None, lines=encode([Line(say, aside=True)]),
    )  # fmt: skip


def encode_lines(lines: tuple[Line, ...]) -> tuple[bytes, bytes | None]:
    """The lines for everybody, and all lines if some are private."""
    public = tuple([line for line in lines if line.to is None])
    return encode(public), None if len(public) == len(lines) else encode(lines)


def lines_of(stored: StoredLines | Version) -> tuple[Line, ...]:
    private = stored.private if isinstance(stored, Version) else None
    return decode(private or stored.lines, tuple[Line, ...])


def first_line(stored: Version) -> Line | None:
    """The line by which a step is called when it is taken back."""
    return next(iter(lines_of(stored)), None)


def history_entries(stored: Iterable[StoredLines]) -> list[HistoryEntry]:
    """The lines of these versions one by one, newest first."""
    return [
        HistoryEntry(version.version, version.at, line, place)
        for version in stored
        for place, line in reversed(list(enumerate(lines_of(version))))
    ]


# -------------------------------------------------------------------------------- encoding


def _to_plain(thing: object) -> Any:
    if type(thing) is Seat:
        return int(thing)
    if isinstance(thing, Say):
        holes = {key: {"seat": int(hole)} if isinstance(hole, Seat) else hole for key, hole in thing.holes.items()}
        return [thing.text, holes, thing.many] if thing.many else [thing.text, holes] if holes else [thing.text]
    raise NotImplementedError(f"{type(thing)} cannot be stored")


def _from_plain(kind: type, data: Any) -> Any:
    if kind is Seat:
        if isinstance(data, str) and data.isascii() and data.isdigit() and len(data) <= MAX_SEAT_DIGITS:
            data = int(data)
        if isinstance(data, bool) or not isinstance(data, int):
            raise ValueError("Expected `int`")
        return Seat(data)
    if kind is Say:
        say = Say(data[0])
        for key, hole in (data[1] if len(data) > 1 else {}).items():
            if isinstance(hole, dict):
                hole = Seat(hole["seat"])
            elif isinstance(hole, list):
                hole = _from_plain(Say, hole)
            say.holes[key] = hole
        say.many = data[2] if len(data) > 2 else None
        return say
    raise NotImplementedError(f"{kind} cannot be read")


_encoder = msgspec.json.Encoder(enc_hook=_to_plain)


def encode(thing: Any) -> bytes:
    """Any state, room, line or set-up as bytes for the store."""
    return _encoder.encode(thing)


def decode(data: bytes, kind: type[T]) -> T:
    """Decode what `encode` made."""
    return msgspec.json.decode(data, type=kind, dec_hook=_from_plain)


def as_data(thing: Any) -> Any:
    """The same as plain lists, dicts, strings and numbers."""
    return msgspec.to_builtins(thing, enc_hook=_to_plain, str_keys=True)


def fill(data: Any, kind: Any) -> Any:
    """The fields of a form, or one of them, as a typed tap, set-up or answer; raises `msgspec.ValidationError`."""
    return msgspec.convert(data, type=kind, strict=False, str_keys=True, dec_hook=_from_plain)
