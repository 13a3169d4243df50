"""Fix a mistake: anybody can move what the app counts, and the history says so."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Say, SayN, Seat, Step, Tap
from companion.games.trickery.sentences import CHEST_TITLES, NOW_IN, card_name, verdict
from companion.games.trickery.state import PLACES, SEALS, SOCIETIES, Card, Societies

Place = Annotated[str, Meta(pattern="^(pool|thorn|gears|[0-9]{1,2})$")]
"""Where coins and seals can be: the pool, a chest, or a seat."""


class Move(Tap, frozen=True, tag="Move"):
    """Move coins or seals."""

    by: ClassVar[By] = "anybody"
    what: Annotated[Literal["coins", "seals"], Meta(title=N_("What"))]
    source: Annotated[Place, Meta(title=N_("From"))]
    target: Annotated[Place, Meta(title=N_("To"))]
    n: Annotated[int, Meta(title=N_("How many"), ge=1, le=SEALS)] = 1


class Flip(Tap, frozen=True, tag="Flip"):
    """Turn a player's society card over."""

    by: ClassVar[By] = "anybody"
    seat: Seat


class MoveCard(Tap, frozen=True, tag="MoveCard"):
    """Move an action card from the hand to the table, or back."""

    by: ClassVar[By] = "anybody"
    seat: Seat
    card: Annotated[Card, Meta(title=N_("Card"))]


class SetTurn(Tap, frozen=True, tag="SetTurn"):
    """Change whose turn it is."""

    by: ClassVar[By] = "anybody"
    seat: Seat


def needs_sides(table: Societies) -> None:
    if table.phase == "choosing":
        raise NotAllowed("Wait until everybody has chosen a society.")


def corrected(table: Societies, after: Societies, line: Say) -> Step:
    """A correction can end the game or reopen it."""
    if after.over and (not table.over or after.best() != table.best()):
        return Step(msgspec.structs.replace(after, still=False), line, verdict(after))
    if table.over and not after.over:
        return Step(msgspec.structs.replace(after, filled=(), still=True), line, Say("The game goes on."))
    return Step(after, line)


def place_name(table: Societies, place: str, what: str) -> Seat | Say:
    if place == "pool":
        # Translators: a place that coins or seals move from or to
        return Say("pool")
    for society in SOCIETIES:
        if place == society:
            if what == "seals":
                raise NotAllowed("Seals don't go into a chest. Choose the pool or a player.")
            return Say(CHEST_TITLES[society])
    return table.player(Seat(place)).seat


def at(table: Societies, place: str, what: str) -> int:
    """How many coins or seals are there now."""
    if place == "pool":
        return table.pool if what == "coins" else table.seal_pool
    for society in SOCIETIES:
        if place == society:
            return table.chests[society]
    player = table.player(Seat(place))
    return player.coins if what == "coins" else player.seals


def put(table: Societies, place: str, what: str, n: int) -> Societies:
    """Add coins or seals to a place; a negative number removes them."""
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
        raise NotAllowed(SayN("There is only {n} to move.", "There are only {n} to move.", n=there))
    if tap.target in SOCIETIES and at(table, tap.target, tap.what) + tap.n >= PLACES:
        raise NotAllowed("Five coins empty a chest. Move the coins to the pool and the seals to the players.")
    after = put(put(table, tap.source, tap.what, -tap.n), tap.target, tap.what, tap.n)
    return corrected(table, after, moved(tap, seat, source, target))


def moved(tap: Move, who: Seat, source: Seat | Say, target: Seat | Say) -> Say:
    if tap.what == "coins":
        # Translators: {source} and {target} are "pool", "Thorn chest", "Machine chest" or a name
        return SayN(
            "{who} fixes a mistake: {n} coin, {source} → {target}.",
            "{who} fixes a mistake: {n} coins, {source} → {target}.",
            n=tap.n,
            who=who,
            source=source,
            target=target,
        )
    return SayN(
        "{who} fixes a mistake: {n} seal, {source} → {target}.",
        "{who} fixes a mistake: {n} seals, {source} → {target}.",
        n=tap.n,
        who=who,
        source=source,
        target=target,
    )


def flip(table: Societies, seat: Seat, tap: Flip, dice: Dice) -> Step:
    needs_sides(table)
    after = table.switch(tap.seat)
    return corrected(table, after, Say(NOW_IN[after.society(tap.seat)], who=seat, name=tap.seat))


def move_card(table: Societies, seat: Seat, tap: MoveCard, dice: Dice) -> Step:
    needs_sides(table)
    player = table.player(tap.seat)
    card = card_name(tap.card)
    if tap.card in player.played:
        played = tuple(other for other in player.played if other != tap.card)
        line = Say("{who} fixes a mistake: {name} has “{card}” in hand.", who=seat, name=tap.seat, card=card)
    else:
        played = (*player.played, tap.card)
        line = Say("{who} fixes a mistake: {name} has played “{card}”.", who=seat, name=tap.seat, card=card)
    return corrected(table, table.with_player(msgspec.structs.replace(player, played=played)), line)


def set_turn(table: Societies, seat: Seat, tap: SetTurn, dice: Dice) -> Step:
    needs_sides(table)
    turn = table.player(tap.seat).seat
    if turn == table.turn:
        raise NotAllowed("It is already {name}'s turn.", name=turn)
    after = msgspec.structs.replace(table, turn=turn)
    return corrected(table, after, Say("{who} fixes a mistake: it is {name}'s turn.", who=seat, name=turn))
