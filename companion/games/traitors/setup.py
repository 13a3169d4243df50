"""What the table agrees on before the first round, and what the book recommends."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_

Event = Literal["murder", "banishment", "quiet"]
EVENTS: tuple[Event, ...] = ("murder", "banishment", "quiet")
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
    plea: Annotated[
        Literal["0", "1", "2", "3"],
        Meta(
            title=N_("Pleas after a tied vote"),
            extra={
                "choices": {
                    "0": N_("no timer"),
                    "1": N_("1 minute"),
                    "2": N_("2 minutes"),
                    "3": N_("3 minutes"),
                }
            },
        ),
    ] = "1"
    events: Annotated[
        Literal["bag", "chances"],
        Meta(
            title=N_("Which events come"),
            extra={
                "choices": {
                    "bag": N_("from a bag: every EVENT takes one out, so the mix comes true, but it can be counted"),
                    "chances": N_("by chance: every EVENT has the same chances, so nobody can count"),
                }
            },
        ),
    ] = "bag"
    murders: Annotated[Few, Meta(title=N_("Murders in the mix"))] = 3
    banishments: Annotated[Few, Meta(title=N_("Banishments in the mix"))] = 3
    quiet_nights: Annotated[
        Few,
        Meta(
            title=N_("Quiet nights in the mix"),
            description=N_("Bag: an empty one is filled again. Chances: 3, 3 and 2 mean 3 in 8, 3 in 8 and 2 in 8."),
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
