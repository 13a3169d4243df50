"""The frozen state of an evening, with one struct for each phase. The app knows a role only once it is shown."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.game import N_, NotAllowed, Seat
from companion.games.traitors.setup import EVENTS, Event, Setup

MOST_GOLD = 999
PATIENCE = 30.0
"""Seconds until the host sees who has not answered."""
MINUTE = 60.0

Gold = Annotated[int, Meta(title=N_("Gold"), ge=0, le=MOST_GOLD)]
Role = Literal["faithful", "traitor"]
How = Literal["murdered", "banished", "table"]
"""How a player left the round. `table`: the host corrected it by hand."""


class Out(msgspec.Struct, frozen=True):
    """A player who is out of the round, and what they have shown."""

    seat: Seat
    how: How
    role: Role | None = None
    gold: int = 0


class Hand(msgspec.Struct, frozen=True):
    """What a survivor shows at the end of a round."""

    seat: Seat
    role: Role
    gold: int


class Share(msgspec.Struct, frozen=True):
    """How a round was scored."""

    number: int
    fund: int
    sharers: tuple[Seat, ...]
    each: int
    discarded: int
    hands: tuple[Hand, ...]
    out: tuple[Out, ...]
    points: dict[Seat, int]


# -------------------------------------------------------------------------------- phases of play


class Scene(msgspec.Struct, frozen=True, tag_field="scene"):
    """The phase of play."""


class Preparing(Scene, frozen=True, tag="preparing"):
    """People set up the deck for a round."""


class Playing(Scene, frozen=True, tag="playing"):
    """Play between two events: how the last one ended, and who draws next."""

    ended: Literal["", "quiet", "nobody", "shield", "murdered", "banished", "played on", "called off"] = ""
    who: Seat | None = None
    draws: Seat | None = None
    moved_on: bool = False
    """The player who drew the card is out, so the player to their left is next."""
    added: int = 0
    """The last Gold added to the prize fund since then."""
    additions: int = 0
    proposed: tuple[Seat, ...] = ()
    """Who has proposed to end the round since the last event. Each player can do so once."""


class Asking(Scene, frozen=True):
    """Everybody alive is asked something in secret."""

    drawer: Seat
    overdue: bool = False
    reminded: tuple[Seat, ...] = ()


class Murder(Asking, frozen=True, tag="murder"):
    """F, or the number of a victim. Only the first number is kept, without who chose it."""

    answered: tuple[Seat, ...] = ()
    mark: str = "F"


class EndVote(Asking, frozen=True, tag="end vote"):
    """Does everybody want to end the round? One P is enough to keep playing."""

    answered: tuple[Seat, ...] = ()
    wish: str = "E"
    proposer: Seat | None = None
    """Who proposed it. None if the app asks because a Traitor was shown."""
    since: Playing = Playing()
    """The phase to return to if the round does not end."""

    @property
    def ballot(self) -> int:
        """Number the proposals between two events."""
        return len(self.since.proposed) + 1 if self.proposer is not None else 0


class Vote(msgspec.Struct, frozen=True, array_like=True):
    """One vote to banish."""

    voter: Seat
    target: Seat


class Voting(Asking, frozen=True, tag="voting"):
    """Players cast their votes. `cast` keeps the order for the reveal."""

    candidates: tuple[Seat, ...] = ()
    final: bool = False
    ballot: int = 1
    cast: tuple[Vote, ...] = ()
    closed_by: Seat | None = None
    """Who ended the discussion. None if the time was up."""

    @property
    def answered(self) -> tuple[Seat, ...]:
        return tuple(vote.voter for vote in self.cast)


class Marked(Scene, frozen=True, tag="marked"):
    """The victim is known and can play a Shield."""

    drawer: Seat
    victim: Seat


class Talk(Scene, frozen=True, tag="talk"):
    """Open discussion before a vote."""

    drawer: Seat
    final: bool = False
    longer: Seat | None = None
    """Who last asked for one more minute."""


class Revealing(Scene, frozen=True, tag="revealing"):
    """All votes are cast. Voters reveal their own, in the order in which they voted."""

    drawer: Seat
    candidates: tuple[Seat, ...]
    cast: tuple[Vote, ...]
    final: bool = False
    ballot: int = 1
    shown: int = 0


class Tied(Scene, frozen=True, tag="tied"):
    """No majority: the tied players plead, then TIED VOTE? starts a vote between them."""

    drawer: Seat
    tied: tuple[Seat, ...]
    votes: tuple[Vote, ...]
    """All of them are revealed."""
    final: bool = False
    ballot: int = 1


class Fallen(Scene, frozen=True, tag="fallen"):
    """A player is out of the round and shows their hand and role."""

    drawer: Seat
    seat: Seat
    how: How
    final: bool = False
    votes: tuple[Vote, ...] = ()
    """The votes that banished the player. All of them are revealed."""


class Ending(Scene, frozen=True, tag="ending"):
    """The round is over: survivors show their roles and hands, then everybody counts the prize fund."""

    why: Literal["two left", "agreed", "final", "called"]
    hands: tuple[Hand, ...] = ()


class Scored(Scene, frozen=True, tag="scored"):
    """The Gold of the round is shared out."""


# -------------------------------------------------------------------------------- the evening


class Evening(msgspec.Struct, frozen=True):
    """The whole game. A seat's number is its place in `seats`, counted from 1."""

    setup: Setup
    seats: tuple[Seat, ...]
    rounds: int
    scene: (
        Preparing | Playing | Murder | Marked | Talk | Voting | Revealing | Tied | Fallen | EndVote | Ending | Scored
    ) = Preparing()
    number: int = 1
    bag: tuple[Event, ...] = ()
    """What is left in the bag of events. Its order says nothing about the next event."""
    drawn: int = 0
    """The number of events so far, in all rounds."""
    fund: int = 0
    out: tuple[Out, ...] = ()
    shares: tuple[Share, ...] = ()
    away: tuple[Seat, ...] = ()
    suspected: dict[Seat, int] = {}
    """Revealed votes against each player, in all rounds."""
    starter: Seat | None = None
    """Who drew the first card of the game, if known."""

    @property
    def living(self) -> tuple[Seat, ...]:
        gone = {out.seat for out in self.out}
        return tuple(seat for seat in self.seats if seat not in gone)

    @property
    def over(self) -> bool:
        return isinstance(self.scene, Scored) and self.number >= self.rounds

    def number_of(self, seat: Seat) -> int:
        return self.seats.index(seat) + 1

    def waiting(self) -> tuple[Seat, ...]:
        """Who has not answered yet, without the players who are away."""
        if not isinstance(self.scene, (Murder, Voting, EndVote)):
            return ()
        answered = self.scene.answered
        return tuple(seat for seat in self.living if seat not in answered and seat not in self.away)

    @property
    def all_in(self) -> bool:
        """Whether everybody has answered, and at least one player has."""
        return isinstance(self.scene, (Murder, Voting, EndVote)) and bool(self.scene.answered) and not self.waiting()

    def total(self, seat: Seat) -> int:
        return sum(share.points.get(seat, 0) for share in self.shares)

    def winners(self) -> tuple[Seat, ...]:
        best = max(self.total(seat) for seat in self.seats)
        return tuple(seat for seat in self.seats if self.total(seat) == best)

    def left_of(self, seat: Seat) -> Seat:
        """The next living player clockwise."""
        place = self.seats.index(seat)
        around = (*self.seats[place + 1 :], *self.seats[: place + 1])
        return next(other for other in around if other in self.living)

    def draws_after(self, drawer: Seat) -> Seat:
        """The player who drew the Event card draws again. If they are out, the player to their left does."""
        return drawer if drawer in self.living else self.left_of(drawer)

    # ---------------------------------------------------------------- verbs

    def go(self, scene: Scene) -> Evening:
        return replace(self, scene=scene)

    def play_on(self, ended: str, drawer: Seat, who: Seat | None = None) -> Evening:
        moved_on = drawer not in self.living
        return self.go(Playing(ended, who, self.draws_after(drawer), moved_on))  # type: ignore[arg-type]

    def back_into_the_bag(self, event: Event) -> Evening:
        """Return an event that was called off. The bag is sorted, so its order tells nothing."""
        if self.setup.events == "chances":
            return self
        return replace(self, bag=tuple(sorted((*self.bag, event), key=EVENTS.index)))

    def add_gold(self, gold: int) -> Evening:
        if self.fund + gold > MOST_GOLD:
            raise NotAllowed("The prize fund can't hold more than {n} Gold.", n=MOST_GOLD)
        return replace(self, fund=self.fund + gold)

    def suspect(self, target: Seat) -> Evening:
        """Count one more revealed vote against this player."""
        return replace(self, suspected={**self.suspected, target: self.suspected.get(target, 0) + 1})

    def goes_out(self, out: Out) -> Evening:
        """Take a player out of the round, and add their Gold to the prize fund."""
        return replace(self.add_gold(out.gold), out=(*self.out, out))


def needs_living(evening: Evening, seat: Seat) -> None:
    if seat not in evening.seats:
        raise NotAllowed("You're not playing in this game.")
    if seat not in evening.living:
        raise NotAllowed("You are out of this round.")
