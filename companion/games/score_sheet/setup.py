"""The settings of a score sheet: the name of the game, rounds, running totals or categories, and teams."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, Hole, NotAllowed, Say

MOST = 99_999
MOST_ROWS, ROW_LENGTH = 20, 24
MOST_TEAMS, TEAM_LENGTH = 10, 16
LETTERS = "ABCDEFGHIJ"

READY: dict[str, tuple[str, ...]] = {
    "dice": (
        N_("Ones"), N_("Twos"), N_("Threes"), N_("Fours"), N_("Fives"), N_("Sixes"), N_("Bonus"),
        N_("Three of a kind"), N_("Four of a kind"), N_("Full house"), N_("Small straight"), N_("Large straight"),
        N_("Five of a kind"), N_("Chance"),
    ),
    "birds": (
        N_("Birds"), N_("Bonus cards"), N_("End-of-round goals"), N_("Eggs"), N_("Food on cards"), N_("Tucked cards"),
    ),
}  # fmt: skip
"""Ready-made categories."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How this table keeps score."""

    name: (
        Annotated[
            str,
            Meta(
                title=N_("Name of the game"),
                description=N_("We keep it with these settings, so next time it's one tap."),
                max_length=30,
            ),
        ]
        | None
    ) = None
    mode: Annotated[
        Literal["rounds", "running", "categories"],
        Meta(
            title=N_("How you score"),
            extra={
                "choices": {
                    "rounds": N_("round by round"),
                    "running": N_("with a running total"),
                    "categories": N_("by categories"),
                }
            },
        ),
    ] = "rounds"
    ready: Annotated[
        Literal["dice", "birds"],
        Meta(
            title=N_("Categories"),
            extra={
                "choices": {
                    "dice": N_("Ones to Sixes, Full house, Chance …"),
                    "birds": N_("Birds, Bonus cards, Eggs …"),
                }
            },
        ),
    ] = "dice"
    categories: (
        Annotated[
            str,
            Meta(
                title=N_("Or your own categories"),
                description=N_("Separate them with commas."),
                max_length=400,
            ),
        ]
        | None
    ) = None
    scorer: Annotated[
        Literal["everyone", "host"],
        Meta(
            title=N_("Who keeps score"),
            extra={"choices": {"everyone": N_("everybody for themselves"), "host": N_("the host for everybody")}},
        ),
    ] = "everyone"
    wins: Annotated[
        Literal["high", "low"],
        Meta(title=N_("Who wins"), extra={"choices": {"high": N_("most points"), "low": N_("fewest points")}}),
    ] = "high"
    rounds: (
        Annotated[
            int,
            Meta(title=N_("Number of rounds"), description=N_("Leave it empty to play without a limit."), ge=1, le=99),
        ]
        | None
    ) = None
    target: (
        Annotated[
            int,
            Meta(
                title=N_("Target score"),
                description=N_("The game ends when somebody reaches it. Leave it empty for no target."),
                ge=1,
                le=MOST,
            ),
        ]
        | None
    ) = None
    teams: (
        Annotated[
            int,
            Meta(
                title=N_("Number of teams"),
                description=N_("Leave it empty if everybody plays alone."),
                ge=2,
                le=MOST_TEAMS,
            ),
        ]
        | None
    ) = None
    team_names: (
        Annotated[
            str,
            Meta(
                title=N_("Names of the teams"),
                description=N_("Optional. Separate them with commas."),
                max_length=200,
            ),
        ]
        | None
    ) = None
    bgg: (
        Annotated[
            int,
            Meta(
                title=N_("BoardGameGeek number"),
                description=N_("Optional. Other apps use it to recognise the game."),
                ge=1,
                le=999_999,
            ),
        ]
        | None
    ) = None

    @property
    def own_categories(self) -> tuple[str, ...]:
        return typed(self.categories, ROW_LENGTH)

    @property
    def rows(self) -> int:
        """How many categories the sheet has. 0 if it has rounds or a running total."""
        return len(self.own_categories or READY[self.ready]) if self.mode == "categories" else 0

    def category(self, number: int) -> Hole:
        """The name of a category, translated or as somebody typed it. They count from 1."""
        if own := self.own_categories:
            return own[number - 1]
        return Say(READY[self.ready][number - 1])

    @property
    def named_teams(self) -> tuple[str, ...]:
        return typed(self.team_names, TEAM_LENGTH)

    @property
    def team_count(self) -> int:
        """How many teams play. 0 if everybody plays alone."""
        names = len(self.named_teams)
        return max(self.teams or 0, names if names > 1 else 0)

    def refuse_too_much(self) -> None:
        if self.rows > MOST_ROWS:
            raise NotAllowed("A sheet can have at most {n} categories. Please change the set-up.", n=MOST_ROWS)
        if self.team_count > MOST_TEAMS:
            raise NotAllowed("There can be at most {n} teams. Please change the set-up.", n=MOST_TEAMS)


def typed(text: str | None, longest: int) -> tuple[str, ...]:
    """Split a text at its commas, and drop empty and repeated parts."""
    parts = (tidy(part)[:longest] for part in (text or "").replace(";", ",").split(","))
    return tuple(dict.fromkeys(part for part in parts if part))


def tidy(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def played_as(setup: Setup) -> str:
    """The name of the game that people play, if somebody has typed it."""
    return tidy(setup.name or "")


def bgg_id(setup: Setup) -> int | None:
    """The BoardGameGeek number of that game, if somebody has typed it."""
    return setup.bgg
