"""How this table plays: the fuse, express or not, with or without gambles, and the names on its cards."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How this table plays."""

    express: Annotated[
        bool,
        Meta(
            title=N_("Express: challenges only"),
            description=N_(
                "The app says who challenged first and what that means. It keeps no stashes: you move the cards."
            ),
        ),
    ] = False
    fuse: Annotated[
        Literal["5", "10", "15", "off"],
        Meta(
            title=N_("Time to challenge a card"),
            description=N_("When it is up, nobody has challenged. Anybody can ask the table to wait."),
            extra={
                "choices": {
                    "5": N_("5 seconds"),
                    "10": N_("10 seconds"),
                    "15": N_("15 seconds"),
                    "off": N_("no limit: everybody taps"),
                }
            },
        ),
    ] = "10"
    learning: Annotated[
        bool,
        Meta(
            title=N_("Learning: play without gambles"),
            description=N_("Everybody says the true name. You can bring the gambles in later."),
        ),
    ] = False
    names: (
        Annotated[
            str,
            Meta(
                title=N_("Names on the intrigue cards"),
                description=N_("Separated by commas, or left empty. Names are optional: you say them aloud anyway."),
                max_length=1500,
            ),
        ]
        | None
    ) = None
