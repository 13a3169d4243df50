"""How a table counts: the name of its game, rounds, running totals or categories, and teams."""

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
"""Categories that a table need not type."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How this table counts."""

    name: (
        Annotated[
            str,
            Meta(
                title=N_("Name of the game"),
                description=N_("It is kept with all that you choose here: next time it is one tap."),
                max_length=30,
            ),
        ]
        | None
    ) = None
    mode: Annotated[
        Literal["rounds", "running", "categories"],
        Meta(
            title=N_("Points come in"),
            extra={
                "choices": {
                    "rounds": N_("round by round"),
                    "running": N_("one by one, at any time"),
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
                description=N_("In the order of the sheet, with commas between them."),
                max_length=400,
            ),
        ]
        | None
    ) = None
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
    teams: (
        Annotated[
            int,
            Meta(
                title=N_("Number of teams"),
                description=N_("Leave empty if everybody plays for themselves."),
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
                description=N_("If they have any, with commas between them."),
                max_length=200,
            ),
        ]
        | None
    ) = None
    bgg: (
        Annotated[
            int,
            Meta(
                title=N_("Number on BoardGameGeek"),
                description=N_("If you know it: other apps find the game by it."),
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
        """How many categories the sheet has; none, if points come in otherwise."""
        return len(self.own_categories or READY[self.ready]) if self.mode == "categories" else 0

    def category(self, number: int) -> Hole:
        """The name of a category, as a sentence or as somebody typed it; they count from 1."""
        if own := self.own_categories:
            return own[number - 1]
        return Say(READY[self.ready][number - 1])

    @property
    def named_teams(self) -> tuple[str, ...]:
        return typed(self.team_names, TEAM_LENGTH)

    @property
    def team_count(self) -> int:
        """How many teams play; none, if everybody plays for themselves."""
        names = len(self.named_teams)
        return max(self.teams or 0, names if names > 1 else 0)

    def refuse_too_much(self) -> None:
        if self.rows > MOST_ROWS:
            raise NotAllowed("A sheet has at most {n} categories. Please change the set-up.", n=MOST_ROWS)
        if self.team_count > MOST_TEAMS:
            raise NotAllowed("There can be at most {n} teams. Please change the set-up.", n=MOST_TEAMS)


def typed(text: str | None, longest: int) -> tuple[str, ...]:
    """What somebody typed with commas between, each once."""
    parts = (tidy(part)[:longest] for part in (text or "").replace(";", ",").split(","))
    return tuple(dict.fromkeys(part for part in parts if part))


def tidy(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def played_as(setup: Setup) -> str:
    """The name of the game on the table, if somebody has typed it."""
    return tidy(setup.name or "")


def bgg_id(setup: Setup) -> int | None:
    """By which number BoardGameGeek knows that game, if somebody has typed it."""
    return setup.bgg
