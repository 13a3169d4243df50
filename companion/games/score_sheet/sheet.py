"""The sheet itself: what is written, what it adds up to, and when it is over."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.engine.game import N_, Result, Seat

MOST = 99_999
Points = Annotated[int, Meta(title=N_("Points"), ge=-MOST, le=MOST)]


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How this table counts."""

    mode: Annotated[
        Literal["rounds", "running"],
        Meta(
            title=N_("Points come in"),
            extra={"choices": {"rounds": N_("round by round"), "running": N_("one by one, at any time")}},
        ),
    ] = "rounds"
    scorer: Annotated[
        Literal["everyone", "host"],
        Meta(
            title=N_("Who writes"),
            extra={"choices": {"everyone": N_("everybody their own"), "host": N_("the host for all")}},
        ),
    ] = "everyone"
    wins: Annotated[
        Literal["high", "low"],
        Meta(title=N_("Who wins"), extra={"choices": {"high": N_("most points"), "low": N_("fewest points")}}),
    ] = "high"
    rounds: (
        Annotated[
            int, Meta(title=N_("Number of rounds"), description=N_("Leave empty to play on and on."), ge=1, le=99)
        ]
        | None
    ) = None
    target: (
        Annotated[
            int,
            Meta(
                title=N_("Target score"),
                description=N_("The game ends once somebody gets there. Leave empty for none."),
                ge=1,
                le=MOST,
            ),
        ]
        | None
    ) = None


class Entry(msgspec.Struct, frozen=True):
    """Points written down one by one."""

    seat: Seat
    points: int


class Sheet(msgspec.Struct, frozen=True):
    """What is written so far. The last round is the open one."""

    setup: Setup
    seats: tuple[Seat, ...]
    rounds: tuple[dict[Seat, int], ...] = ({},)
    entries: tuple[Entry, ...] = ()
    away: tuple[Seat, ...] = ()
    finished: bool = False

    @property
    def by_rounds(self) -> bool:
        return self.setup.mode == "rounds"

    @property
    def closed(self) -> tuple[dict[Seat, int], ...]:
        """The rounds that are complete."""
        return self.rounds[:-1]

    def waiting_for(self) -> tuple[Seat, ...]:
        """Who has not written their points of the open round."""
        if not self.by_rounds or self.over:
            return ()
        return tuple(seat for seat in self.seats if seat not in self.rounds[-1] and seat not in self.away)

    def totals(self) -> dict[Seat, int]:
        """Added up once for each sheet, however many screens ask."""
        if not _ADDED_UP or _ADDED_UP[-1][0] is not self:
            _ADDED_UP[:] = [(self, self._add_up())]
        return dict(_ADDED_UP[-1][1])

    def _add_up(self) -> dict[Seat, int]:
        if self.by_rounds:
            written = ((seat, points) for round in self.rounds for seat, points in round.items())
        else:
            written = ((entry.seat, entry.points) for entry in self.entries)
        totals = dict.fromkeys(self.seats, 0)
        for seat, points in written:
            if seat in totals:
                totals[seat] += points
        return totals

    @property
    def over(self) -> bool:
        """Finished by hand, or the last round is complete, or somebody has reached the target."""
        if self.finished:
            return True
        if self.by_rounds and self.setup.rounds is not None and len(self.closed) >= self.setup.rounds:
            return True
        if (target := self.setup.target) is None:
            return False
        counted = msgspec.structs.replace(self, rounds=(*self.closed, {})) if self.by_rounds else self
        return any(total >= target for total in counted.totals().values())

    def ranks(self, totals: dict[Seat, int] | None = None) -> dict[Seat, int]:
        """1 for the best; equal totals share a rank, and the next one is skipped."""
        totals = self.totals() if totals is None else totals
        sign = 1 if self.setup.wins == "high" else -1
        return {seat: 1 + sum(sign * other > sign * totals[seat] for other in totals.values()) for seat in self.seats}

    def winners(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, rank in self.ranks().items() if rank == 1)

    def write(self, seat: Seat, points: int) -> Sheet:
        if self.by_rounds:
            rounds = (*self.closed, {**self.rounds[-1], seat: points})
            return msgspec.structs.replace(self, rounds=rounds)
        return msgspec.structs.replace(self, entries=(*self.entries, Entry(seat, points)))

    def close_if_complete(self) -> Sheet:
        if self.by_rounds and self.rounds[-1] and not self.waiting_for():
            return msgspec.structs.replace(self, rounds=(*self.rounds, {}))
        return self


def result(sheet: Sheet) -> Result | None:
    return Result(sheet.winners(), sheet.totals()) if sheet.over else None


_ADDED_UP: list[tuple[Sheet, dict[Seat, int]]] = []
"""The last sheet that was added up. A sheet never changes, so neither do its totals."""
