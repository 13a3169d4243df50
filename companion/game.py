"""The contract between the engine and a game: what a game is made of, and the words both use.

A game is a state (a frozen struct), taps (frozen structs), a rule for each tap (a pure function) and views (what one
seat, or everybody, may see). A game imports nothing else from Companion. It has no clock, no database and no random
numbers: chance comes in as `dice`, and time as `TimeIsUp`, a tap that the table itself sends.
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
    """Refuse a tap, with a sentence that the player can act on. It is the only refusal, and it changes nothing."""

    def __init__(self, text: str | Say, /, **holes: Hole) -> None:
        self.say = text if isinstance(text, Say) else Say(text, **holes)
        super().__init__(self.say.text)


By = Literal["seat", "anybody", "host", "nobody"]


class Tap(msgspec.Struct, frozen=True, tag_field="tap", forbid_unknown_fields=True):
    """One action somebody takes; its fields are the fields of the form that was tapped."""

    by: ClassVar[By] = "seat"
    """Who may tap: a seat for itself; anybody, the shared screen included; the host; nobody, so no form sends it."""


class TablesOwnTap(Tap, frozen=True):
    """A tap that the table itself sends; no form does. A game has a rule for each one it needs."""

    by: ClassVar[By] = "nobody"


class TimeIsUp(TablesOwnTap, frozen=True, tag="TimeIsUp"):
    """The alarm that a step set has gone off."""


class Latecomer(TablesOwnTap, frozen=True, tag="Latecomer"):
    """Somebody wants to sit down at a running game. Without this rule, latecomers can only watch."""


class Leaves(TablesOwnTap, frozen=True, tag="Leaves"):
    """The host removes somebody from a running game. Without this rule, they are marked away."""


class GoesAway(TablesOwnTap, frozen=True, tag="GoesAway"):
    """Somebody was just marked away, so the game doesn't wait for them."""


class ComesBack(TablesOwnTap, frozen=True, tag="ComesBack"):
    """Somebody who was away is back."""


class ChairsMoved(TablesOwnTap, frozen=True, tag="ChairsMoved"):
    """The host corrects who sits where. Without this rule, nobody changes chairs once the game has started."""

    seats: tuple[Seat, ...]
    """Everybody, clockwise."""


KEEP: Final = -1.0
"""Leave the alarm as it is."""


class Step:
    """What a rule returns: the new state, its history lines, and whether it can be taken back.

    `sealed`: it can't be taken back, nor can anything before it (a reveal). A roll is sealed automatically.
    `secret`: it changes what `Game.secrets` hides (a ballot): it can't be taken back, and nobody is told who made it.
              Everybody reads its lines as usual.
    `note`:   a player's private notes, not a step of the game: nobody is told, and taking back skips it (`Game.keeps`).
    `burn`:   all earlier states are destroyed for good (ballots after a reveal). It also seals.
    `alarm`:  the table taps `TimeIsUp` after this many seconds; None switches the alarm off.
    `later`:  the alarm that is already set goes off this many seconds later.
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
    """The source of chance that every rule gets. `rolled` tells the table that this step can't be taken back."""

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
    """A reveal, a roll or another highlight that all screens play together. It goes into the table view's `moment`.

    Every screen plays a new moment once, with the same timing: dark, then suspense, then the reveal. After that, and on
    screens that open later, the plain view is shown. A moment tells nothing that the view does not.
    """

    kind: str
    """Chooses the sound and the light (docs/games.md has a list)."""
    n: int | str
    """Distinguishes moments of the same kind: a count or a round."""
    who: tuple[Seat, ...] = ()
    figures: tuple[int, ...] = ()
    headline: Say | None = None
    """What the narrator says at the reveal."""
    curtain: float = 0.0
    """Seconds of darkness."""
    hold: float = 0.0
    """Seconds of suspense, in which only the question is shown."""
    reveal: float = 1.0
    """Seconds in which the answer appears and figures count up."""


class Result(msgspec.Struct, frozen=True):
    """How a game ended: the winners (one, several or none), and the points if the game has any."""

    winners: tuple[Seat, ...]
    points: dict[Seat, int] = {}
    starter: Seat | None = None
    """Who had the first turn, if the game has turns."""
    roles: dict[Seat, Say] = {}
    """What each player was, if everybody may know it now: a Traitor, a gang, a character."""
    teams: dict[Seat, str] = {}
    """Who played together, by the name of their team."""


class Feat(msgspec.Struct, frozen=True):
    """A highlight of a finished game: "Best single round: Ann, 12"."""

    what: Say
    seats: tuple[Seat, ...]
    n: int


def most(what: Say, amounts: Mapping[Seat, int], *, fewest: bool = False) -> tuple[Feat, ...]:
    """Return the feat of the players with the most (or fewest), or nothing if all have the same."""
    if len(set(amounts.values())) < 2:
        return ()
    best = min(amounts.values()) if fewest else max(amounts.values())
    return (Feat(what, tuple(seat for seat, n in amounts.items() if n == best), best),)


class Curve(msgspec.Struct, frozen=True):
    """A series of numbers in a chart: a player's, or that of something that `label` names."""

    values: tuple[int, ...]
    seat: Seat | None = None
    label: Say | None = None


class Chart(msgspec.Struct, frozen=True):
    """A chart: curves over time, or bars if each curve has only one number."""

    title: Say
    curves: tuple[Curve, ...]
    x: Say | None = None
    """What one step to the right is: a round or a turn. Without it, the axis is time."""
    y: Say | None = None
    """What is counted: coins, points."""


Rule = Callable[[Any, Seat, Any, Dice], Step]
States = Sequence[Any]  # oldest first, without what was taken back or burnt; the last one is the end of the game


@dataclass(frozen=True, kw_only=True)
class Lasting:
    """What a game remembers from one table to the next; the latest value counts. Never a secret."""

    kind: type[msgspec.Struct]
    take: Callable[[Any], Any]
    """(state) -> what to remember. Called after every tap, and stored when it has changed."""
    give: Callable[[Any, Any], Any]
    """(the first state of a new table, what was stored) -> the first state that includes it."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: everything it consists of."""

    name: str
    """The name of its folder; its templates and static files are in folders of the same name."""
    title: str
    about: str
    """One line: what the companion does for this game."""
    players: tuple[int, int]
    setup: type[msgspec.Struct]
    """The options of the set-up form, which is made from these fields (see `web/forms.py`)."""
    state: type[msgspec.Struct]
    """If it has a field `away: tuple[Seat, ...]`, the engine sets it before it calls rules and views."""
    start: Callable[[Any, tuple[Seat, ...], Dice], Step]
    """(set-up, seats clockwise, dice) -> the first step."""
    rules: Mapping[type[Tap], Rule]
    table_view: Callable[[Any], msgspec.Struct]
    """What everybody may see; `<name>/table.html` draws it once for everybody, so it has no forms."""
    seat_view: Callable[[Any, Seat], msgspec.Struct]
    """What this seat may see and tap; `<name>/seat.html` draws it."""
    screen_view: Callable[[Any], msgspec.Struct]
    """What the shared screen may tap for the table; `<name>/screen.html` draws it. Nothing secret."""
    record_view: Callable[[Any], msgspec.Struct] | None = None
    """What everybody may see, if it is long and seldom changes; `<name>/record.html` draws it below the table."""
    host_view: Callable[[Any], msgspec.Struct] | None = None
    """What only the host sees and may tap, on a phone or the shared screen; `<name>/host.html` draws it."""
    secrets: Callable[[Any, Seat], Iterable[Any]] | None
    """(state, seat) -> other states that must look the same to this seat (or to `TABLE`: the shared screen and every
    watcher), such as other ballots or swapped hands. None means nothing is hidden. Every game's tests check it."""
    result: Callable[[Any], Result | None]
    """Who has won, once the game is over."""
    played_as: Callable[[Any], str] = field(default=lambda setup: "")
    """(set-up) -> the name that results and exports show, if it differs from `title`."""
    bgg_id: Callable[[Any], int | None] = field(default=lambda setup: None)
    """(set-up) -> the game's id on BoardGameGeek, which other programs use."""
    choosing: Callable[[Any], tuple[Seat, ...]] = field(default=lambda state: ())
    """Seats that have a private choice to make now; those without a phone are offered the shared screen."""
    taking_part: Callable[[Any], tuple[Seat, ...]] | None = None
    """For secret votes: everybody who chooses, so that the offer of the shared screen doesn't show who is done."""
    feats: Callable[[States], tuple[Feat, ...]] = field(default=lambda states: ())
    """Highlights of a finished game. Everybody reads them, so nothing secret and nothing burnt."""
    charts: Callable[[States], tuple[Chart, ...]] = field(default=lambda states: ())
    """Charts of a finished game. Everybody sees them, so nothing secret and nothing burnt."""
    lasting: Lasting | None = None
    """What the game remembers from one table to the next; most games need nothing."""
    keeps: Callable[[Any, Any], Any] = field(default=lambda earlier, now: earlier)
    """(earlier state, state now) -> the state after taking back: the earlier one, with everybody's current notes."""
    home: Path | None = None
    """For a game in its own package: the folder that holds its `templates` and `static` folders."""

    @cached_property
    def taps(self) -> dict[str, type[Tap]]:
        """The taps that people can send, by the name in their form."""
        return {str(kind.__struct_config__.tag): kind for kind in self.rules if kind.by != "nobody"}

    def offered(self, state: Any) -> tuple[Seat, ...]:
        """Seats to hand the shared screen to, if they have no phone."""
        return (self.taking_part or self.choosing)(state)
