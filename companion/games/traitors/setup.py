"""The settings of a game, and what the rulebook recommends."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_

Event = Literal["murder", "banishment", "quiet"]
EVENTS: tuple[Event, ...] = ("murder", "banishment", "quiet")
Few = Annotated[int, Meta(ge=0, le=8)]
RECOMMENDED = {4: (3, 4), 5: (2, 3), 6: (2, 3), 7: (1, 2), 8: (1, 2)}
"""The number of players, and how many rounds the rulebook recommends for them."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the players choose before the first round."""

    rounds: Annotated[
        Literal["recommended", "1", "2", "3", "4", "5", "6"],
        Meta(
            title=N_("Rounds"),
            description=N_("Recommended: 3 or 4 rounds for 4 players, 2 or 3 for 5 or 6, 1 or 2 for 7 or 8."),
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
            title=N_("How events are chosen"),
            extra={
                "choices": {
                    "bag": N_("from a bag: you can count what is left in it"),
                    "chances": N_("by chance: the odds are the same every time"),
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
            description=N_("An empty bag is filled again. By chance, 3, 3 and 2 mean 3 in 8, 3 in 8 and 2 in 8."),
        ),
    ] = 2

    def bag(self) -> tuple[Event, ...]:
        """Return a full bag. It is not shuffled, because each draw is random."""
        mix: list[tuple[Event, int]] = [
            ("murder", self.murders),
            ("banishment", self.banishments),
            ("quiet", self.quiet_nights),
        ]
        return tuple(event for event, many in mix for _ in range(many))
