"""Which of the three games is played, and how much of it we keep."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which of the three games is played, and how much of it we keep."""

    mode: Annotated[
        Literal["normal", "beginner", "expert"],
        Meta(
            title=N_("Which game"),
            description=N_(
                "Beginners lay the shared agendas open. Experts begin with a Big Shuffle and play for points."
            ),
            extra={
                "choices": {
                    "beginner": N_("First game: shared agendas lie open"),
                    "normal": N_("All agendas are secret"),
                    "expert": N_("Expert: agendas score, five points win"),
                }
            },
        ),
    ] = "normal"
    keeping: Annotated[
        Literal["remember", "count"],
        Meta(
            title=N_("What we keep"),
            description=N_(
                "Remembering takes three taps for a scene change. Counting adds up influence, goons and modifiers, "
                "and keeps the discard piles. You can change it during the game."
            ),
            extra={
                "choices": {
                    "remember": N_("Remember the city: names only"),
                    "count": N_("Count everything"),
                }
            },
        ),
    ] = "remember"
