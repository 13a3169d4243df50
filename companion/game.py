"""The contract between the engine and a game: what a game is made of, and the words both use.

A game is a state (a frozen struct), taps (frozen structs), a rule for each tap (a pure function) and views (what one
seat, or everybody, may see). This file is all that a game imports of us. A game has no clock, no database and no chance
of its own: chance comes in as `dice`, and time as a tap of the table's own, `TimeIsUp`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeVar

import msgspec

from companion.say import N_ as N_
from companion.say import Hole as Hole
from companion.say import Line as Line
from companion.say import Say as Say
from companion.say import SayN as SayN
from companion.say import Seat as Seat
from companion.say import listed as listed

T = TypeVar("T")

TABLE: Final = Seat(0)
"""The shared screen, when it acts for the table rather than for one seat."""


class NotAllowed(Exception):
    """A refusal: a sentence that the player can act on. Nothing changes."""

    def __init__(self, text: str | Say, /, **holes: Hole) -> None:
        self.say = text if isinstance(text, Say) else Say(text, **holes)
        super().__init__(self.say.text)


By = Literal["seat", "anybody", "host", "nobody"]


class Tap(msgspec.Struct, frozen=True, tag_field="tap", forbid_unknown_fields=True):
    """One action somebody takes; its fields are the fields of the form that was tapped."""

    by: ClassVar[By] = "seat"
    """Who may: a seat for itself; anybody at the table, the shared screen included; the host; nobody, so no form."""


class TablesOwnTap(Tap, frozen=True):
    """What the table itself does to a game; no form sends it. A game has rules for those that concern it."""

    by: ClassVar[By] = "nobody"


class TimeIsUp(TablesOwnTap, frozen=True, tag="TimeIsUp"):
    """The alarm that a step has set is due."""


class Latecomer(TablesOwnTap, frozen=True, tag="Latecomer"):
    """Somebody wants to sit down at a running game. A game without this rule takes nobody in."""


class Leaves(TablesOwnTap, frozen=True, tag="Leaves"):
    """The host removes somebody from a running game. A game without this rule lets nobody go."""


class GoesAway(TablesOwnTap, frozen=True, tag="GoesAway"):
    """Somebody was marked as away: the game need not wait for them."""


class ComesBack(TablesOwnTap, frozen=True, tag="ComesBack"):
    """Somebody who was away is back."""


class ChairsMoved(TablesOwnTap, frozen=True, tag="ChairsMoved"):
    """People changed chairs during a game. A game without this rule does not allow it."""

    seats: tuple[Seat, ...]
    """Everybody, clockwise."""


KEEP: Final = -1.0
"""An alarm set earlier stays as it is."""


class Step:
    """A rule's answer: the new state, the sentences about it, and how final it is.

    `sealed`: cannot be taken back, nor can anything before it (a reveal; a roll is sealed by itself).
    `secret`: it changes what `Game.secrets` hides (a ballot): it cannot be taken back, and nobody is told whose it
              was. Its lines are told like any others.
    `note`:   somebody's own notes, no step of the game: nobody is told, taking back passes over it (`Game.keeps`).
    `burn`:   what earlier states held is destroyed for good (ballots after a reveal); seals as well.
    `alarm`:  in so many seconds the table taps `TimeIsUp`; None switches it off.
    `later`:  an alarm that is set already rings so many seconds later.
    """

    __slots__ = ("alarm", "burn", "later", "lines", "note", "sealed", "secret", "state")

    def __init__(
        self,
        state: Any,
        *lines: Say | Line,
        sealed: bool = False,
        secret: bool = False,
        note: bool = False,
        burn: bool = False,
        alarm: float | None = KEEP,
        later: float = 0.0,
    ) -> None:
        self.state = state
        self.lines = tuple(line if isinstance(line, Line) else Line(line) for line in lines)
        self.sealed = sealed or burn or secret
        self.secret = secret
        self.note = note
        self.burn = burn
        self.alarm = alarm
        self.later = later


class Dice:
    """Chance, handed in. `rolled` tells the table that this step cannot be taken back."""

    def __init__(self, source: random.Random = random.SystemRandom()) -> None:  # noqa: B008  it has no state
        self._source = source
        self.rolled = False

    def roll(self, sides: int = 6) -> int:
        self.rolled = True
        return self._source.randint(1, sides)

    def shuffled(self, things: Sequence[T]) -> tuple[T, ...]:
        self.rolled = True
        pile = list(things)
        self._source.shuffle(pile)
        return tuple(pile)


class Moment(msgspec.Struct, frozen=True):
    """Something that happens before everybody's eyes. A table view may have one, in a field called `moment`.

    Every screen plays a new one once, and all keep the same time: dark, then suspense, then the reveal. After that they
    rest, showing the view as it is; so does a screen that opens later. It tells nothing that the view does not.
    """

    kind: str
    """What it is: it chooses the sound and the light (docs/games.md has a list)."""
    n: int | str
    """Tells this moment from others of its kind: a count, a round."""
    who: tuple[Seat, ...] = ()
    figures: tuple[int, ...] = ()
    headline: Say | None = None
    """What the narrator says at the reveal."""
    curtain: float = 0.0
    """Seconds of darkness."""
    hold: float = 0.0
    """Seconds in which nothing but the question is seen."""
    reveal: float = 1.0
    """Seconds in which the answer comes in, and figures count up."""


class Result(msgspec.Struct, frozen=True):
    """How a game ended: the winners (several share it, none is possible), and points where there are any."""

    winners: tuple[Seat, ...]
    points: dict[Seat, int] = {}
    starter: Seat | None = None
    """Who had the first turn, where there is one."""
    roles: dict[Seat, Say] = {}
    """What each player was, where everybody may know it by now: a Traitor, a gang, a character."""
    teams: dict[Seat, str] = {}
    """Who played together, by the name of their team."""


class Feat(msgspec.Struct, frozen=True):
    """A superlative of a game that is over: "Best single round: Ann, 12"."""

    what: Say
    seats: tuple[Seat, ...]
    n: int


def most(what: Say, amounts: Mapping[Seat, int], *, fewest: bool = False) -> tuple[Feat, ...]:
    """The feat of the players with the most (or fewest); none if nobody stands out."""
    if len(set(amounts.values())) < 2:
        return ()
    best = min(amounts.values()) if fewest else max(amounts.values())
    return (Feat(what, tuple(seat for seat, n in amounts.items() if n == best), best),)


class Curve(msgspec.Struct, frozen=True):
    """Some numbers of a chart in their order: somebody's, or those of something that `label` names."""

    values: tuple[int, ...]
    seat: Seat | None = None
    label: Say | None = None


class Chart(msgspec.Struct, frozen=True):
    """Numbers to be drawn: as curves over time, or as bars if each curve has one number only."""

    title: Say
    curves: tuple[Curve, ...]
    x: Say | None = None
    """What a step to the right is: a round, a turn. Without it, time goes by from left to right."""
    y: Say | None = None
    """What is counted: coins, points."""


Rule = Callable[[Any, Seat, Any, Dice], Step]
States = Sequence[Any]  # in their order, without what was taken back or burnt; the last one is how it ended


@dataclass(frozen=True, kw_only=True)
class Lasting:
    """What a game learns at one table and knows at the next one: what was learnt last counts. Never a secret."""

    kind: type[msgspec.Struct]
    take: Callable[[Any], Any]
    """What of this state outlives the table: asked after every tap, kept when it has changed."""
    give: Callable[[Any, Any], Any]
    """(the first state of a new table, what was kept) -> the first state with it."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: the table of contents of its folder."""

    name: str
    """The folder's name; templates and static files have a folder of the same name."""
    title: str
    about: str
    """One line: what the companion does for this game."""
    players: tuple[int, int]
    setup: type[msgspec.Struct]
    """What is asked before the table opens; the form is made from its fields (see `web/forms.py`)."""
    state: type[msgspec.Struct]
    """The engine sets its field `away: tuple[Seat, ...]`, if it has one, before rules and views are called."""
    start: Callable[[Any, tuple[Seat, ...], Dice], Step]
    """(set-up, seats clockwise, dice) -> the first step."""
    rules: Mapping[type[Tap], Rule]
    table_view: Callable[[Any], msgspec.Struct]
    """What everybody may see: drawn once for all by `<name>/table.html`. No forms in it."""
    seat_view: Callable[[Any, Seat], msgspec.Struct]
    """What this seat may see and tap: drawn by `<name>/seat.html`."""
    screen_view: Callable[[Any], msgspec.Struct]
    """What the shared screen may tap for the table: drawn by `<name>/screen.html`. It gets nothing secret."""
    record_view: Callable[[Any], msgspec.Struct] | None = None
    """What everybody may see, but is long and rarely changes: drawn by `<name>/record.html` below the table."""
    host_view: Callable[[Any], msgspec.Struct] | None = None
    """What the host sees and may tap besides, on a phone or on the shared screen: drawn by `<name>/host.html`."""
    secrets: Callable[[Any, Seat], Iterable[Any]] | None
    """(state, seat) -> other states that this seat (or `TABLE`: the shared screen, every watcher) must not be able to
    tell from it: ballots changed, hands swapped. None declares that nothing is hidden. Every game's tests prove it."""
    result: Callable[[Any], Result | None]
    """Who has won, once the game is over."""
    played_as: Callable[[Any], str] = field(default=lambda setup: "")
    """(set-up) -> the name of the game on the table, where it is not the `title`: results and exports show it."""
    bgg_id: Callable[[Any], int | None] = field(default=lambda setup: None)
    """(set-up) -> the id of the game on the table on BoardGameGeek, by which other programs know it."""
    choosing: Callable[[Any], tuple[Seat, ...]] = field(default=lambda state: ())
    """Seats that have a private choice to make now; those without a phone are offered the shared screen."""
    taking_part: Callable[[Any], tuple[Seat, ...]] | None = None
    """Where it is nobody's business who has chosen: all who choose at all, offered the shared screen alike."""
    feats: Callable[[States], tuple[Feat, ...]] = field(default=lambda states: ())
    """Superlatives of a game that is over. Everybody will read them: nothing secret, nothing burnt."""
    charts: Callable[[States], tuple[Chart, ...]] = field(default=lambda states: ())
    """Pictures of a game that is over, where they say more than words. Everybody will see them, too."""
    lasting: Lasting | None = None
    """What is known from one table to the next; nothing, for most games."""
    keeps: Callable[[Any, Any], Any] = field(default=lambda earlier, now: earlier)
    """(earlier state, state now) -> where taking back leads: the earlier state, with everybody's notes of now."""
    home: Path | None = None
    """For a game from another package: the folder that holds its `templates` and `static` folders."""

    @cached_property
    def taps(self) -> dict[str, type[Tap]]:
        """What people may tap, by the name that a form gives it."""
        return {str(kind.__struct_config__.tag): kind for kind in self.rules if kind.by != "nobody"}

    def offered(self, state: Any) -> tuple[Seat, ...]:
        """Seats to hand the shared screen to, if they have no phone."""
        return (self.taking_part or self.choosing)(state)
