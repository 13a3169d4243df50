"""The set-up: which of the three games to play, and how much to count."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up: which of the three games to play, and how much to count."""

    mode: Annotated[
        Literal["normal", "beginner", "expert"],
        Meta(
            title=N_("Which game?"),
            description=N_(
                "In a first game, shared agendas are face up. Experts begin with a Big Shuffle and play for points."
            ),
            extra={
                "choices": {
                    "beginner": N_("First game: shared agendas are face up"),
                    "normal": N_("All agendas are secret"),
                    "expert": N_("Expert: agendas score points, five win"),
                }
            },
        ),
    ] = "normal"
    keeping: Annotated[
        Literal["remember", "count"],
        Meta(
            title=N_("How much do we count?"),
            description=N_(
                "Names only: a scene change takes three taps. Everything: we add up influence, goons and modifiers "
                "and track the discard piles. You can change this during the game."
            ),
            extra={
                "choices": {
                    "remember": N_("Names only: we remember the city"),
                    "count": N_("Count everything"),
                }
            },
        ),
    ] = "remember"
