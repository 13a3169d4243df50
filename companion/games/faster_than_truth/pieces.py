"""The pieces of Faster Than Truth: resource cards, the card in play, and what is asked of somebody."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from companion.engine.game import N_, TABLE, Say, Seat

Kind = Literal["fists", "crown", "coins"]
"""Of equal length, so that neither a form sent nor a state kept is longer for one than for another."""
KINDS: Final[tuple[Kind, ...]] = ("fists", "crown", "coins")
WORDS: Final[dict[Kind, str]] = {"fists": N_("Muscle"), "crown": N_("Prestige"), "coins": N_("Money")}
OF_EACH: Final = 18
DEALT: Final = 3
ENOUGH: Final = 5
CARDS_A_TURN: Final = 2
NAME_LENGTH: Final = 40
NOBODY: Final = TABLE

Phase = Literal["counting", "first", "declare", "challenge", "turning", "effect", "asking", "taking", "over"]


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


class Card(msgspec.Struct, frozen=True, array_like=True):
    """A resource card in somebody's stash."""

    kind: Kind
    hidden: bool


class Count(msgspec.Struct, frozen=True):
    """Everybody enters their own stash, unseen by the others; together it has to add up."""

    reserve: dict[Kind, int]
    entries: dict[Seat, tuple[Card, ...]] = {}
    sure: tuple[Seat, ...] = ()
    """Who has entered, or stood by what they entered, since the last time it did not add up."""
    failed: bool = False
    deal: bool = False
    """The very first count: three cards each, one of them face up."""


class Played(msgspec.Struct, frozen=True):
    """The intrigue card in play, as far as anybody knows it: the name it was declared by."""

    name: str
    passed: tuple[Seat, ...] = ()
    closed: bool = False
    challenger: Seat = NOBODY
    turned: Literal["safe", "gamble"] | None = None
    did: tuple[Say, ...] = ()
    """What was done because of it, as everybody was told."""


class Ask(msgspec.Struct, frozen=True):
    """Somebody has to choose one of their own cards."""

    owner: Seat
    what: Literal["give", "lose", "hide", "reveal"]
    kind: Kind | None = None
    to: Seat = NOBODY


class Taking(msgspec.Struct, frozen=True):
    """After a challenge one of the two takes a card from the other."""

    taker: Seat
    loser: Seat


def word(kind: Kind | None) -> Say:
    return Say(WORDS[kind] if kind else N_("card"))
