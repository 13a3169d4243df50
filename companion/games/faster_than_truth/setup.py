"""How this table plays: with or without gambles, and the names on its cards."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from companion.game import N_


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How this table plays."""

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
                description=N_("Divided by commas, or left empty: names that were said once are offered from then on."),
                max_length=1500,
            ),
        ]
        | None
    ) = None
