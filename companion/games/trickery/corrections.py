"""The table is always right: whatever is counted here can be moved by hand, and everybody reads that it was."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Say, SayN, Seat, Step, Tap
from companion.games.trickery.sentences import card_name, society_name, verdict
from companion.games.trickery.state import PLACES, SEALS, SOCIETIES, Card, Societies

Place = Annotated[str, Meta(pattern="^(pool|thorn|gears|[0-9]{1,2})$")]
"""Where coins and seals lie: the pool, a chest, or in front of a seat."""


class Move(Tap, frozen=True, tag="Move"):
    """Somebody moved coins or seals by hand."""

    by: ClassVar[By] = "anybody"
    what: Annotated[Literal["coins", "seals"], Meta(title=N_("What"))]
    source: Annotated[Place, Meta(title=N_("From"))]
    target: Annotated[Place, Meta(title=N_("To"))]
    n: Annotated[int, Meta(title=N_("How many"), ge=1, le=SEALS)] = 1


class Flip(Tap, frozen=True, tag="Flip"):
    """Somebody's society card lies on its other side."""

    by: ClassVar[By] = "anybody"
    seat: Seat


class MoveCard(Tap, frozen=True, tag="MoveCard"):
    """A card lies played that is in the hand here, or the other way round."""

    by: ClassVar[By] = "anybody"
    seat: Seat
    card: Annotated[Card, Meta(title=N_("Card"))]


class SetTurn(Tap, frozen=True, tag="SetTurn"):
    """It is somebody else's turn."""

    by: ClassVar[By] = "anybody"
    seat: Seat


def needs_sides(table: Societies) -> None:
    if table.phase == "choosing":
        raise NotAllowed("First everybody chooses a society.")


def corrected(table: Societies, after: Societies, line: Say) -> Step:
    """A correction can end the game, or open it again."""
    if after.over and (not table.over or after.best() != table.best()):
        return Step(msgspec.structs.replace(after, still=False), line, verdict(after))
    if table.over and not after.over:
        return Step(msgspec.structs.replace(after, filled=(), still=True), line, Say("The game goes on."))
    return Step(after, line)


def place_name(table: Societies, place: str, what: str) -> Seat | Say:
    if place == "pool":
        return Say("the pool")
    for society in SOCIETIES:
        if place == society:
            if what == "seals":
                raise NotAllowed("No seal ever lies in a chest.")
            return Say("the chest of the {society}", society=society_name(society))
    return table.player(Seat(place)).seat


def at(table: Societies, place: str, what: str) -> int:
    """How many lie there now."""
    if place == "pool":
        return table.pool if what == "coins" else table.seal_pool
    for society in SOCIETIES:
        if place == society:
            return table.chests[society]
    player = table.player(Seat(place))
    return player.coins if what == "coins" else player.seals


def put(table: Societies, place: str, what: str, n: int) -> Societies:
    """So many more (or fewer) lie there."""
    if place == "pool":
        if what == "coins":
            return msgspec.structs.replace(table, pool=table.pool + n)
        return msgspec.structs.replace(table, seal_pool=table.seal_pool + n)
    for society in SOCIETIES:
        if place == society:
            return msgspec.structs.replace(table, chests={**table.chests, society: table.chests[society] + n})
    return table.change(Seat(place), coins=n) if what == "coins" else table.change(Seat(place), seals=n)


def move(table: Societies, seat: Seat, tap: Move, dice: Dice) -> Step:
    needs_sides(table)
    source, target = place_name(table, tap.source, tap.what), place_name(table, tap.target, tap.what)
    if tap.source == tap.target:
        raise NotAllowed("Choose two different places.")
    there = at(table, tap.source, tap.what)
    if tap.n > there:
        raise NotAllowed(SayN("Only {n} lies there.", "Only {n} lie there.", n=there))
    if tap.target in SOCIETIES and at(table, tap.target, tap.what) + tap.n >= PLACES:
        raise NotAllowed("Five coins never stay in a chest. Move them to the pool, and the seals to the players.")
    after = put(put(table, tap.source, tap.what, -tap.n), tap.target, tap.what, tap.n)
    return corrected(table, after, moved(tap, seat, source, target))


def moved(tap: Move, who: Seat, source: Seat | Say, target: Seat | Say) -> Say:
    if tap.what == "coins":
        return SayN(
            "{who} corrects: {n} coin from {source} to {target}.",
            "{who} corrects: {n} coins from {source} to {target}.",
            n=tap.n,
            who=who,
            source=source,
            target=target,
        )
    return SayN(
        "{who} corrects: {n} seal from {source} to {target}.",
        "{who} corrects: {n} seals from {source} to {target}.",
        n=tap.n,
        who=who,
        source=source,
        target=target,
    )


def flip(table: Societies, seat: Seat, tap: Flip, dice: Dice) -> Step:
    needs_sides(table)
    after = table.switch(tap.seat)
    society = society_name(after.society(tap.seat))
    return corrected(
        table, after, Say("{who} corrects: {name} is in the {society}.", who=seat, name=tap.seat, society=society)
    )


def move_card(table: Societies, seat: Seat, tap: MoveCard, dice: Dice) -> Step:
    needs_sides(table)
    player = table.player(tap.seat)
    card = card_name(tap.card)
    if tap.card in player.played:
        played = tuple(other for other in player.played if other != tap.card)
        line = Say("{who} corrects: {name} has {card} in hand.", who=seat, name=tap.seat, card=card)
    else:
        played = (*player.played, tap.card)
        line = Say("{who} corrects: {name} has played {card}.", who=seat, name=tap.seat, card=card)
    return corrected(table, table.with_player(msgspec.structs.replace(player, played=played)), line)


def set_turn(table: Societies, seat: Seat, tap: SetTurn, dice: Dice) -> Step:
    needs_sides(table)
    turn = table.player(tap.seat).seat
    if turn == table.turn:
        raise NotAllowed("It is {name}'s turn already.", name=turn)
    after = msgspec.structs.replace(table, turn=turn)
    return corrected(table, after, Say("{who} corrects: it is {name}'s turn.", who=seat, name=turn))
