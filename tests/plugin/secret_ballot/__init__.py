"""A small game for the tests: everybody writes a secret word, the words are counted, and then they are burnt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.game import N_, Dice, Game, NotAllowed, Result, Say, Seat, Step, Tap, TimeIsUp


class Setup(msgspec.Struct, frozen=True):
    rounds: Annotated[int, Meta(title=N_("Rounds"), ge=1, le=1_000_000)] = 3


class Box(msgspec.Struct, frozen=True):
    """The ballot box."""

    setup: Setup
    seats: tuple[Seat, ...]
    slips: dict[Seat, str] = {}
    away: tuple[Seat, ...] = ()
    opened: int = 0
    rolled: int = 0
    hurried: bool = False
    notes: dict[Seat, str] = {}

    def missing(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat not in self.slips and seat not in self.away)


class Cast(Tap, frozen=True, tag="Cast"):
    word: Annotated[str, Meta(title=N_("Word"), min_length=1, max_length=40)]


class Open(Tap, frozen=True, tag="Open"):
    by = "anybody"


class Roll(Tap, frozen=True, tag="Roll"):
    by = "anybody"


class Knock(Tap, frozen=True, tag="Knock"):
    """A public step, which can be taken back."""

    by = "anybody"


class Hurry(Tap, frozen=True, tag="Hurry"):
    """Set an alarm, by default for a tenth of a second."""

    by = "anybody"
    seconds: Annotated[float, Meta(ge=0, le=3600)] = 0.1


class Whisper(Tap, frozen=True, tag="Whisper"):
    to: Seat


class Jot(Tap, frozen=True, tag="Jot"):
    """A private note, not a step of the game."""

    note: str


class Stumble(Tap, frozen=True, tag="Stumble"):
    """A deliberate bug."""


def start(setup: Setup, seats: tuple[Seat, ...], dice: Dice) -> Step:
    return Step(Box(setup, seats))


def cast(box: Box, seat: Seat, tap: Cast, dice: Dice) -> Step:
    if seat in box.slips:
        raise NotAllowed("Your slip is in the box.")
    return Step(msgspec.structs.replace(box, slips={**box.slips, seat: tap.word}), secret=True)


def open_box(box: Box, seat: Seat, tap: Open, dice: Dice) -> Step:
    if box.missing():
        raise NotAllowed("Not everybody has answered.")
    count = len(set(box.slips.values()))
    after = msgspec.structs.replace(box, slips={}, opened=box.opened + 1)
    return Step(after, Say("The box is opened: {n} different words.", n=count), burn=True)


def roll(box: Box, seat: Seat, tap: Roll, dice: Dice) -> Step:
    rolled = dice.roll()
    return Step(msgspec.structs.replace(box, rolled=rolled), Say("{who} rolls a {n}.", who=seat, n=rolled))


def knock(box: Box, seat: Seat, tap: Knock, dice: Dice) -> Step:
    return Step(msgspec.structs.replace(box, rolled=box.rolled + 1), Say("{who} knocks.", who=seat))


def hurry(box: Box, seat: Seat, tap: Hurry, dice: Dice) -> Step:
    return Step(box, Say("Hurry!"), alarm=tap.seconds)


def time_is_up(box: Box, seat: Seat, tap: TimeIsUp, dice: Dice) -> Step:
    return Step(msgspec.structs.replace(box, hurried=True), Say("Time is up."))


def whisper(box: Box, seat: Seat, tap: Whisper, dice: Dice) -> Step:
    return Step(box, Say("{who} whispers to you.", who=seat).only(tap.to))


def jot(box: Box, seat: Seat, tap: Jot, dice: Dice) -> Step:
    return Step(msgspec.structs.replace(box, notes={**box.notes, seat: tap.note}), note=True)


def stumble(box: Box, seat: Seat, tap: Stumble, dice: Dice) -> Step:
    raise ZeroDivisionError(f"over {box}")


class TableView(msgspec.Struct, frozen=True):
    answered: int
    of: int
    opened: int
    rolled: int
    hurried: bool


class SeatView(msgspec.Struct, frozen=True):
    answered: bool
    note: str
    seats: tuple[Seat, ...]


class ScreenView(msgspec.Struct, frozen=True):
    complete: bool


def table_view(box: Box) -> TableView:
    return TableView(len(box.slips), len(box.seats), box.opened, box.rolled, box.hurried)


def seat_view(box: Box, seat: Seat) -> SeatView:
    return SeatView(seat in box.slips, box.notes.get(seat, ""), box.seats)


def screen_view(box: Box) -> ScreenView:
    return ScreenView(not box.missing())


def secrets(box: Box, seat: Seat) -> Iterator[Box]:
    """States in which somebody else wrote another word or another note."""
    for other in box.seats:
        if other != seat and other in box.slips:
            yield msgspec.structs.replace(box, slips={**box.slips, other: "something else"})
        if other != seat:
            yield msgspec.structs.replace(box, notes={**box.notes, other: "hide the key"})


def result(box: Box) -> Result | None:
    return Result(winners=()) if box.opened >= box.setup.rounds else None


GAME = Game(
    name="secret_ballot",
    title=N_("Secret ballot"),
    about=N_("Everybody writes a word."),
    players=(2, 9),
    setup=Setup,
    state=Box,
    start=start,
    rules={
        Cast: cast,
        Open: open_box,
        Roll: roll,
        Knock: knock,
        Hurry: hurry,
        Whisper: whisper,
        Jot: jot,
        Stumble: stumble,
        TimeIsUp: time_is_up,
    },
    table_view=table_view,
    seat_view=seat_view,
    screen_view=screen_view,
    secrets=secrets,
    result=result,
    choosing=lambda box: box.missing(),
    keeps=lambda earlier, now: msgspec.structs.replace(earlier, notes=now.notes),
    home=Path(__file__).parent,
)
