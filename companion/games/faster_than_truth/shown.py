"""What the templates of Faster Than Truth get: small structs, built for everybody or for one seat."""

from __future__ import annotations

import msgspec

from companion.engine.game import Say, Seat
from companion.games.faster_than_truth.pieces import Kind, Phase


class Lying(msgspec.Struct, frozen=True):
    """A card as everybody sees it: by its place, and by its kind if it lies face up."""

    place: int
    kind: Kind | None


class Mine(msgspec.Struct, frozen=True):
    """A card as its owner may see it."""

    place: int
    kind: Kind
    hidden: bool
    fits: bool = True
    """False if everybody can see that this one cannot be chosen."""


class Stash(msgspec.Struct, frozen=True):
    seat: Seat
    cards: tuple[Lying, ...]
    declared: bool
    plays: bool


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    phase: Phase
    dealing: bool
    failed: bool
    waiting: tuple[Seat, ...]
    turn: Seat
    number: int
    of: int
    learning: bool
    reserve: tuple[tuple[Kind, int], ...]
    stashes: tuple[Stash, ...]
    name: str | None
    challenger: Seat
    passed: tuple[Seat, ...]
    turned: str | None
    happening: Say | None
    winner: Seat


class Corrections(msgspec.Struct, frozen=True):
    """What anybody at the table may set right; nothing here is secret."""

    open: bool
    seats: tuple[Seat, ...]
    face_up: tuple[tuple[Seat, Lying], ...]
    reserve: tuple[tuple[Kind, int], ...]
    learning: bool
    may_learn: bool
    counting: bool


class SeatView(msgspec.Struct, frozen=True):
    """What one player sees of their own, and has to do."""

    phase: Phase
    job: str
    mine: tuple[Mine, ...]
    declared: bool
    turn: Seat
    number: int
    of: int
    learning: bool
    dealing: bool
    failed: bool
    entered: bool
    places: int
    names: tuple[str, ...]
    name: str | None
    challenger: Seat
    rivals: tuple[Seat, ...]
    happening: Say | None
    asked: str | None
    wanted: Kind | None
    did: tuple[Say, ...]
    taker: Seat | None
    loser: Seat | None
    theirs: tuple[Lying, ...]
    reserve: tuple[tuple[Kind, int], ...]
    undo_ask: bool
    turned: str | None
    winner: Seat
    corrections: Corrections


class ScreenView(msgspec.Struct, frozen=True):
    """What the shared screen may tap for the table."""

    phase: Phase
    seats: tuple[Seat, ...]
    turn: Seat
    may_challenge: tuple[Seat, ...]
    passed: tuple[Seat, ...]
    name: str | None
    undo_ask: bool
    corrections: Corrections
