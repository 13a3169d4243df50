"""Which of the three games is played."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which of the three games is played."""

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
