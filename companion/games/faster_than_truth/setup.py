"""The set-up: the fuse, express, gambles, and the names on the cards."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is chosen before the table opens."""

    express: Annotated[
        bool,
        Meta(
            title=N_("Express: challenges only"),
            description=N_(
                "The app says who challenged first and what happens next. It doesn't track the cards: you move them."
            ),
        ),
    ] = False
    fuse: Annotated[
        Literal["5", "10", "15", "off"],
        Meta(
            title=N_("Time to challenge a card"),
            description=N_("After that, it is too late to challenge. Anybody can ask the table to wait."),
            extra={
                "choices": {
                    "5": N_("5 seconds"),
                    "10": N_("10 seconds"),
                    "15": N_("15 seconds"),
                    "off": N_("No limit: everybody taps"),
                }
            },
        ),
    ] = "10"
    learning: Annotated[
        bool,
        Meta(
            title=N_("Learning: play without gambles"),
            description=N_("Everybody says the true name. You can switch gambles on later."),
        ),
    ] = False
    names: (
        Annotated[
            str,
            Meta(
                title=N_("Names on the intrigue cards"),
                description=N_("Separate the names with commas, or leave this empty. You say the names aloud anyway."),
                max_length=1500,
            ),
        ]
        | None
    ) = None
