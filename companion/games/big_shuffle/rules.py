"""The Big Shuffle: how a game starts and ends, and all rules together."""

from __future__ import annotations

import msgspec

from companion.game import Dice, NotAllowed, Result, Rule, Say, Seat, Step, Tap
from companion.games.big_shuffle import (
    agendas,
    attempts,
    card_names,
    goons,
    loot_and_informants,
    piles,
    scenes,
    turns,
    verdicts,
)
from companion.games.big_shuffle.cards import SCENES, Names, from_the_rulebook, learnt_before, same, suspects
from companion.games.big_shuffle.city import Track
from companion.games.big_shuffle.pieces import Agenda, Player
from companion.games.big_shuffle.setup import Setup
from companion.games.big_shuffle.state import Noir


class Learnt(msgspec.Struct, frozen=True):
    """What the next game on this computer starts with: names and numbers of cards, never an agenda."""

    names: Names = {}


def start(setup: Setup, seats: tuple[Seat, ...], dice: Dice) -> Step:
    table = Noir(
        setup,
        seats,
        players={seat: Player() for seat in seats},
        names=from_the_rulebook(),
        city={kind: Track() for kind in SCENES},
        personal={seat: Agenda() for seat in seats},
        counts=setup.keeping == "count",
    )
    table = msgspec.structs.replace(table, shared=tuple(Agenda() for _ in table.pairs()))
    if not table.expert:
        return Step(table)
    # The expert game has no title cards and begins with a Big Shuffle.
    return Step(
        table.big_shuffle(),
        Say("The expert game begins with a Big Shuffle: one scene of each type goes uptown, one downtown."),
    )


def result(table: Noir) -> Result | None:
    if table.winner is None:
        return None
    points = {seat: player.points for seat, player in table.players.items()} if table.expert else {}
    # Translators: The name of a character card, as printed.
    roles = {seat: Say("{card}", card=one.character) for seat, one in table.players.items() if one.character}
    return Result((table.winner,), points, starter=table.first, roles=roles)


def lasting(table: Noir) -> Learnt:
    """Keep the names for the next game, except those that may be misspelt."""
    doubtful = {(doubt.kind, same(doubt.name)) for doubt in table.doubts}
    return Learnt(
        {
            kind: tuple(one for one in known if (kind, same(one.name)) not in doubtful)
            for kind, known in table.names.items()
        }
    )


def remembering(table: Noir, learnt: Learnt) -> Noir:
    """Start with the names of earlier games."""
    names = learnt_before(table.names, learnt.names)
    return msgspec.structs.replace(table, names=names, doubts=suspects(names))


def counting(rule: Rule) -> Rule:
    """Refuse this rule at a table that plays with names only: it has no numbers, goons, piles or loot."""

    def when_counting(table: Noir, seat: Seat, tap: Tap, dice: Dice) -> Step:
        if not table.counts:
            raise NotAllowed("This table plays with names only. Tap “Count everything from now on” first.")
        return rule(table, seat, tap, dice)

    return when_counting


COUNTED: dict[type[Tap], Rule] = {
    **piles.RULES,
    **loot_and_informants.RULES,
    **turns.COUNTED,
    **attempts.COUNTED,
    **goons.RULES,
    **verdicts.COUNTED,
}
RULES: dict[type[Tap], Rule] = {
    **scenes.RULES,
    **turns.RULES,
    **attempts.RULES,
    **verdicts.RULES,
    **agendas.RULES,
    **card_names.RULES,
    **{tap: counting(rule) for tap, rule in COUNTED.items()},
}
