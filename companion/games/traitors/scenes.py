"""What the table can be doing: one frozen struct for each phase of play."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine.game import Seat

Role = Literal["faithful", "traitor"]
How = Literal["murdered", "banished", "table"]
"""How somebody left the round; `table`: the people at the table have corrected the app."""


class Out(msgspec.Struct, frozen=True):
    """Somebody who is out of the round, and what they have shown."""

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


# -------------------------------------------------------------------------------- scenes


class Scene(msgspec.Struct, frozen=True, tag_field="scene"):
    """What the table is doing now."""


class Preparing(Scene, frozen=True, tag="preparing"):
    """The deck is set up for a round."""


class Playing(Scene, frozen=True, tag="playing"):
    """The main screen, between two events: how the last one ended, and who draws next."""

    ended: Literal["", "quiet", "nobody", "shield", "murdered", "banished", "played on", "called off"] = ""
    who: Seat | None = None
    draws: Seat | None = None
    moved_on: bool = False
    """Whoever drew the card is out, so the player on their left goes on."""


class Asking(Scene, frozen=True):
    """Everybody alive is asked something in secret."""

    drawer: Seat
    overdue: bool = False
    reminded: tuple[Seat, ...] = ()


class Murder(Asking, frozen=True, tag="murder"):
    """F, or the number of a victim. Only the first number is kept, and nobody's name beside it."""

    answered: tuple[Seat, ...] = ()
    mark: str = "F"


class EndVote(Asking, frozen=True, tag="end vote"):
    """A Traitor was banished: does everybody want to end the round? One P is enough to play on."""

    answered: tuple[Seat, ...] = ()
    wish: str = "E"


class Vote(msgspec.Struct, frozen=True, array_like=True):
    """One vote to banish."""

    voter: Seat
    target: Seat


class Voting(Asking, frozen=True, tag="voting"):
    """Votes are cast, in this order."""

    candidates: tuple[Seat, ...] = ()
    final: bool = False
    ballot: int = 1
    cast: tuple[Vote, ...] = ()

    @property
    def answered(self) -> tuple[Seat, ...]:
        return tuple(vote.voter for vote in self.cast)


class Marked(Scene, frozen=True, tag="marked"):
    """A victim is named, and may have a Shield."""

    drawer: Seat
    victim: Seat


class Talk(Scene, frozen=True, tag="talk"):
    """Open discussion before a vote."""

    drawer: Seat
    final: bool = False


class Revealing(Scene, frozen=True, tag="revealing"):
    """All votes are cast; each is shown by its own voter, first come first."""

    drawer: Seat
    candidates: tuple[Seat, ...]
    cast: tuple[Vote, ...]
    final: bool = False
    ballot: int = 1
    shown: int = 0


class Tied(Scene, frozen=True, tag="tied"):
    """No majority: the vote is replayed between these."""

    drawer: Seat
    tied: tuple[Seat, ...]
    votes: tuple[Vote, ...]
    """All of them shown by now."""
    final: bool = False
    ballot: int = 1


class Fallen(Scene, frozen=True, tag="fallen"):
    """Somebody is out of the round and shows their hand and role."""

    drawer: Seat
    seat: Seat
    how: How
    final: bool = False
    votes: tuple[Vote, ...] = ()
    """The votes that did it, all of them shown by now."""


class Ending(Scene, frozen=True, tag="ending"):
    """The round is over: survivors show roles and hands, and the fund is counted."""

    why: Literal["two left", "agreed", "final", "called"]
    hands: tuple[Hand, ...] = ()


class Scored(Scene, frozen=True, tag="scored"):
    """The round's Gold is shared out."""
