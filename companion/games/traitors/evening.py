"""The Traitors: the evening so far, as a state. Roles and cards stay on the table until they are shown."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.engine.game import N_, NotAllowed, Seat
from companion.games.traitors.scenes import (
    Ending,
    EndVote,
    Fallen,
    Marked,
    Murder,
    Out,
    Playing,
    Preparing,
    Revealing,
    Scene,
    Scored,
    Share,
    Talk,
    Tied,
    Voting,
)

Event = Literal["murder", "banishment", "quiet"]

MOST_GOLD = 999
PATIENCE = 30.0
"""Seconds until the host is told whom a vote waits for."""
BREATH = 8.0
"""Seconds that a tie is looked at before the vote is replayed by itself."""
MINUTE = 60.0

Gold = Annotated[int, Meta(title=N_("Gold"), ge=0, le=MOST_GOLD)]
Few = Annotated[int, Meta(ge=0, le=8)]
RECOMMENDED = {4: (3, 4), 5: (2, 3), 6: (2, 3), 7: (1, 2), 8: (1, 2)}
"""Rounds for so many players, as the book recommends them."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the table agrees on before the first round."""

    rounds: Annotated[
        Literal["recommended", "1", "2", "3", "4", "5", "6"],
        Meta(
            title=N_("Rounds"),
            description=N_("Recommended: 3 or 4 with 4 players, 2 or 3 with 5 or 6, 1 or 2 with 7 or 8."),
            extra={"choices": {"recommended": N_("the lower recommended number")}},
        ),
    ] = "recommended"
    timer: Annotated[
        Literal["0", "1", "2", "3", "5", "10"],
        Meta(
            title=N_("Discussion before a banishment"),
            extra={
                "choices": {
                    "0": N_("no timer"),
                    "1": N_("1 minute"),
                    "2": N_("2 minutes"),
                    "3": N_("3 minutes"),
                    "5": N_("5 minutes"),
                    "10": N_("10 minutes"),
                }
            },
        ),
    ] = "3"
    murders: Annotated[Few, Meta(title=N_("Murders in the event bag"))] = 3
    banishments: Annotated[Few, Meta(title=N_("Banishments in the event bag"))] = 3
    quiet_nights: Annotated[
        Few,
        Meta(
            title=N_("Quiet nights in the event bag"),
            description=N_("Every EVENT takes one out of the bag; an empty bag is filled again."),
        ),
    ] = 2

    def bag(self) -> tuple[Event, ...]:
        """The bag, filled; it is never shuffled, since every draw is made at random."""
        mix: list[tuple[Event, int]] = [
            ("murder", self.murders),
            ("banishment", self.banishments),
            ("quiet", self.quiet_nights),
        ]
        return tuple(event for event, many in mix for _ in range(many))


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
    """What is left in the event bag; it is not in any order, so that nothing about the next event is known."""
    drawn: int = 0
    """Events so far, over the whole evening."""
    fund: int = 0
    out: tuple[Out, ...] = ()
    shares: tuple[Share, ...] = ()
    away: tuple[Seat, ...] = ()
    suspected: dict[Seat, int] = {}
    """Votes that were turned over against each player, the whole evening long."""

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
        """Who has not answered yet; nobody waits for somebody who is away."""
        if not isinstance(self.scene, (Murder, Voting, EndVote)):
            return ()
        answered = self.scene.answered
        return tuple(seat for seat in self.living if seat not in answered and seat not in self.away)

    @property
    def all_in(self) -> bool:
        """Everybody has answered, and at least somebody has."""
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
        """Whoever drew the Event card draws again; if they are out, the player on their left does."""
        return drawer if drawer in self.living else self.left_of(drawer)

    # ---------------------------------------------------------------- verbs

    def go(self, scene: Scene) -> Evening:
        return replace(self, scene=scene)

    def play_on(self, ended: str, drawer: Seat, who: Seat | None = None) -> Evening:
        moved_on = drawer not in self.living
        return self.go(Playing(ended, who, self.draws_after(drawer), moved_on))  # type: ignore[arg-type]

    def add_gold(self, gold: int) -> Evening:
        if self.fund + gold > MOST_GOLD:
            raise NotAllowed("The prize fund cannot hold more than {n} Gold.", n=MOST_GOLD)
        return replace(self, fund=self.fund + gold)

    def suspect(self, target: Seat) -> Evening:
        """One more vote against this player lies open."""
        return replace(self, suspected={**self.suspected, target: self.suspected.get(target, 0) + 1})

    def goes_out(self, out: Out) -> Evening:
        """Out of the round: their Gold goes into the fund, they draw and vote no more."""
        return replace(self.add_gold(out.gold), out=(*self.out, out))


def needs_living(evening: Evening, seat: Seat) -> None:
    if seat not in evening.seats:
        raise NotAllowed("You do not play in this game.")
    if seat not in evening.living:
        raise NotAllowed("You are out of this round.")
