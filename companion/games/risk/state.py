"""The frozen state of a game: gangs, regions, the turn, a fight, the Crown, and each player's notes on their cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from companion.game import NotAllowed, Say, Seat
from companion.games.risk.atlas import Holding, Place
from companion.games.risk.notebook import Notebook
from companion.games.risk.setup import TERRITORIES, Setup

replace = msgspec.structs.replace
StepName = Literal["place", "attack", "finish", "manoeuvre", "draw", "crown"]
"""`manoeuvre`, `draw` and `crown` are now one step, `finish`. Only tables of earlier versions still have them."""
STEPS: tuple[StepName, ...] = ("place", "attack", "finish")
FightEnd = Literal["conquered", "held", "retreated"]
Ending = Literal["crown", "fallen", "all", "rival", "counted"]
HappenedKind = Literal["battle", "conquest", "eliminated", "crown", "lastroll", "mission", "power", "winner"]


class Gang(msgspec.Struct, frozen=True):
    """A gang on the board, led by a player or neutral."""

    number: int
    name: str
    colour: str
    seat: Seat | None = None
    territories: int = 0
    pile: int = 0
    """Territory cards in a neutral gang's pile, for the player who takes its last territory."""
    playing: bool = False

    @property
    def neutral(self) -> bool:
        return self.playing and self.seat is None

    def called(self) -> Seat | str:
        """Return what a sentence calls this gang: its player, or its own name if it is neutral."""
        return self.name if self.seat is None else self.seat


class Region(msgspec.Struct, frozen=True):
    number: int
    name: str
    bonus: int
    holder: int = 0
    """The gang that holds the whole region, or 0."""
    doubt: bool = False
    """Its holder has lost a territory since, perhaps in this region."""


class Gain(msgspec.Struct, frozen=True):
    """New members and the reason for them."""

    why: Say
    members: int


class Round(msgspec.Struct, frozen=True):
    """One roll of a fight. It has no dice if they were rolled on the table."""

    black: tuple[int, ...]
    red: tuple[int, ...]
    attackers_lost: int
    defenders_lost: int
    stronghold: bool = False
    """The highest red die counted one more."""


class Fight(msgspec.Struct, frozen=True):
    """One territory attacked from one other."""

    loser: int
    attackers: int
    defenders: int
    stronghold: bool
    rounds: tuple[Round, ...] = ()
    place: str = ""
    """Its name, if the table names its territories."""


class Fought(msgspec.Struct, frozen=True):
    """How the last fight ended. Its last rolls stay visible until the next attack or step."""

    loser: int
    end: FightEnd
    attackers: int
    defenders: int
    roll: Round
    place: str = ""
    run: tuple[Round, ...] = ()
    """The rolls of the last tap; the last one decided the fight."""
    lost: tuple[int, int] = (0, 0)
    """Members that the attacker and the defender lost in the whole fight."""


class Turn(msgspec.Struct, frozen=True):
    """Whose turn it is, and what has happened in it so far."""

    seat: Seat
    step: StepName = "place"
    conquests: int = 0
    piles: int = 0
    """Cards from the piles of neutral gangs that lost their last territory."""
    standing: tuple[Gain, ...] | None = None
    """What the board gave, fixed once the player starts to attack."""
    extras: tuple[Gain, ...] = ()
    reinforced: int = 0
    """The neutral gang that got three members this turn, or 0."""
    fight: Fight | None = None
    fought: Fought | None = None
    late: int = 0
    """Members that arrived after the first step and are not placed yet."""
    beaten: bool = False
    """The player lost all attackers of a fight this turn."""


class Happened(msgspec.Struct, frozen=True):
    """The last public event. Screens show it (`moments.py`); no rule reads it."""

    kind: HappenedKind
    n: int
    seat: Seat | None = None
    """The player who did it."""
    gang: int = 0
    """The gang it happened to, or 0."""
    space: int = 0
    """The Crown's space before it."""
    text: str = ""
    """The text of the card that was shown."""
    members: int = 0
    rolls: int = 0
    """How many rolls it took, in a fight."""
    place: str = ""


class Underworld(msgspec.Struct, frozen=True):
    """The whole game."""

    setup: Setup
    seats: tuple[Seat, ...]
    gangs: tuple[Gang, ...]
    regions: tuple[Region, ...]
    notebooks: dict[Seat, Notebook]
    dice: tuple[int, ...] = ()
    """The Crown's die spaces."""
    crown: int = 1
    final: bool = False
    """The Crown reached the Tavern this turn, and the same player rolls now."""
    crown_roll: tuple[int, int] | None = None
    turn: Turn | None = None
    played: dict[Seat, tuple[int, ...]] = {}
    turns: dict[Seat, int] = {}
    """How many turns each player has ended."""
    chart: tuple[tuple[int, ...], ...] = ()
    """Territories of all playing gangs, at the start and after every turn."""
    ending: Ending | None = None
    happened: Happened | None = None
    first: Seat | None = None
    """Who has the first turn. Decided before the deal."""
    atlas: tuple[Place, ...] = ()
    """The named territories. The next table knows them, too."""
    held: dict[str, Holding] = {}
    """Who holds which named territory, where that is known."""

    # ---------------------------------------------------------------- who is who

    def gang(self, number: int) -> Gang:
        return self.gangs[number - 1]

    def gang_of(self, seat: Seat) -> Gang:
        return next(gang for gang in self.gangs if gang.seat == seat)

    @property
    def playing(self) -> tuple[Gang, ...]:
        """Return the gangs on the board: players in turn order, then neutral ones."""
        mine = [gang for seat in self.seats for gang in self.gangs if gang.seat == seat]
        return (*mine, *(gang for gang in self.gangs if gang.neutral))

    @property
    def neutrals(self) -> tuple[Gang, ...]:
        return tuple(gang for gang in self.gangs if gang.neutral)

    def alive(self, seat: Seat) -> bool:
        return self.gang_of(seat).territories > 0

    @property
    def current(self) -> Turn:
        if self.turn is None:
            raise NotAllowed("The first turn has not begun yet.")
        return self.turn

    @property
    def last_space(self) -> int:
        return self.setup.length

    @property
    def crown_rolls(self) -> bool:
        """Whether the Crown needs a roll of two dice now."""
        return self.crown == self.last_space or self.crown in self.dice

    # ---------------------------------------------------------------- verbs

    def with_turn(self, **things: Any) -> Underworld:
        return replace(self, turn=replace(self.current, **things))

    def happens(self, kind: HappenedKind, **things: Any) -> Underworld:
        """Record a public event. Its number tells it apart from an equal one before it."""
        n = 1 if self.happened is None else self.happened.n + 1
        return replace(self, happened=Happened(kind, n, **things))

    def with_gangs(self, changed: Iterable[Gang]) -> Underworld:
        new = {gang.number: gang for gang in changed}
        return replace(self, gangs=tuple(new.get(gang.number, gang) for gang in self.gangs))

    def with_region(self, region: Region) -> Underworld:
        regions = tuple(region if region.number == old.number else old for old in self.regions)
        return replace(self, regions=regions)

    def with_notebook(self, seat: Seat, notebook: Notebook) -> Underworld:
        return replace(self, notebooks={**self.notebooks, seat: notebook})

    def play(self, seat: Seat, *cards: int) -> Underworld:
        return replace(self, played={**self.played, seat: (*self.played.get(seat, ()), *cards)})

    def recruit(self, why: Say, members: int) -> Underworld:
        """Add new members for the current player. After the first step they count as `late` until placed."""
        late = self.current.late if self.current.step == "place" else max(0, self.current.late + members)
        return self.with_turn(extras=(*self.current.extras, Gain(why, members)), late=late)

    def standing(self) -> tuple[Gain, ...]:
        """Return what the board gives at the start of this turn.

        3 members, 1 more for every three territories from 12 on, and the bonus of each whole region.
        A region in doubt counts again once its holder confirms it.
        """
        if self.current.standing is not None:
            return self.current.standing
        gang = self.gang_of(self.current.seat)
        gains = [Gain(Say("Every turn"), 3)]
        if gang.territories >= 12:
            gains.append(Gain(Say("{n} territories", n=gang.territories), (gang.territories - 9) // 3))
        for region in self.regions:
            if region.holder == gang.number and not region.doubt:
                gains.append(Gain(Say("All of {region}", region=region.name), region.bonus))
        return tuple(gains)

    def gains(self) -> tuple[Gain, ...]:
        return (*self.standing(), *self.current.extras)

    def settle(self) -> Underworld:
        """End the game if a player holds all 42 territories or has no rival left."""
        if self.turn is None or self.ending is not None:
            return self
        if any(gang.territories == TERRITORIES for gang in self.playing if gang.seat is not None):
            return replace(self, ending="all").mark()
        if sum(self.alive(seat) for seat in self.seats) == 1:
            return replace(self, ending="rival").mark()
        return self

    def mark(self) -> Underworld:
        """Add everybody's territories to the chart."""
        return replace(self, chart=(*self.chart, tuple(gang.territories for gang in self.playing)))

    def pass_turn(self) -> Underworld:
        """Hand the turn to the next player who still holds a territory."""
        seat = self.current.seat
        at = self.seats.index(seat)
        after = replace(self.mark(), turns={**self.turns, seat: self.turns.get(seat, 0) + 1}, final=False)
        following = next(s for s in (*self.seats[at + 1 :], *self.seats[: at + 1]) if self.alive(s))
        return replace(after, turn=Turn(following))

    # ---------------------------------------------------------------- the end

    def winners(self) -> tuple[Seat, ...]:
        """Return who has the most territories. Ties share the win; nobody wins against the Crown's double six."""
        if self.ending is None or self.ending == "crown":
            return ()
        if self.ending == "rival":
            return tuple(seat for seat in self.seats if self.alive(seat))
        most = max(self.gang_of(seat).territories for seat in self.seats)
        return tuple(seat for seat in self.seats if self.gang_of(seat).territories == most)

    def with_notes_of(self, now: Underworld) -> Underworld:
        """Return this earlier state with the notes of `now`: taking back never changes a notebook."""
        return replace(self, notebooks=now.notebooks)
