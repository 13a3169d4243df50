"""A turn: use the ability, draw a noir card, then play a card or attempt a scene change."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.big_shuffle.cards import MOST_LOOT, SCENES, Card, Name, Number, SceneKind
from companion.games.big_shuffle.loot_and_informants import must_trash
from companion.games.big_shuffle.pieces import Turn
from companion.games.big_shuffle.scenes import needs_play, no_attempt
from companion.games.big_shuffle.state import Noir

Points = Annotated[int, Meta(title=N_("Points"), ge=0, le=20)]


class FirstPlayer(Tap, frozen=True, tag="FirstPlayer"):
    """The player who woke up earliest begins."""

    by: ClassVar[By] = "anybody"
    player: Seat


class SetCharacter(Tap, frozen=True, tag="SetCharacter"):
    """Name a player's character and the influence printed on it."""

    by: ClassVar[By] = "anybody"
    owner: Seat
    name: Name
    influence: dict[SceneKind, Number] = {}


class PlayCard(Tap, frozen=True, tag="PlayCard"):
    """Play an action or loot on your turn, or a reaction when the card says so."""

    by: ClassVar[By] = "anybody"
    kind: Literal["action", "loot", "reaction"]
    name: Name
    player: Seat | None = None
    anyway: bool = False


class EndTurn(Tap, frozen=True, tag="EndTurn"):
    by: ClassVar[By] = "anybody"
    ends: Seat


class SetTurn(Tap, frozen=True, tag="SetTurn"):
    """Correct whose turn it is."""

    by: ClassVar[By] = "anybody"
    player: Seat


class CountOn(Tap, frozen=True, tag="CountOn"):
    """Switch between counting everything and names only."""

    by: ClassVar[By] = "anybody"
    everything: bool


class SetPoints(Tap, frozen=True, tag="SetPoints"):
    """Correct the points of an expert game."""

    by: ClassVar[By] = "anybody"
    owner: Seat
    points: Points


POINTS_TO_WIN = 5


def first_player(table: Noir, seat: Seat, tap: FirstPlayer, dice: Dice) -> Step:
    if table.turn.seat is not None:
        raise NotAllowed("The first turn has already begun. Use “Whose turn is it?” to change it.")
    table.player(tap.player)
    after = msgspec.structs.replace(table, turn=Turn(tap.player), first=tap.player)
    return Step(after, Say("{name} woke up earliest and begins.", name=tap.player))


def set_character(table: Noir, seat: Seat, tap: SetCharacter, dice: Dice) -> Step:
    needs_play(table)
    old = table.player(tap.owner)
    table = table.with_player(tap.owner, character=None)
    table, name = table.learn("character", tap.name, {str(kind): n for kind, n in tap.influence.items()})
    table.room_for(Card("character", name))
    known: dict[SceneKind, int] = {
        kind: n for kind in SCENES if (n := tap.influence.get(kind, table.number("character", name, kind))) is not None
    }
    after = table.with_player(tap.owner, character=name, influence=known)
    if old.character is not None:
        return Step(after, Say("{who} corrects: {name} plays as {card}.", who=seat, name=tap.owner, card=name))
    return Step(after, Say("{name} plays as {card}.", name=tap.owner, card=name))


def whose_turn(table: Noir) -> Seat:
    needs_play(table)
    if table.turn.seat is None:
        raise NotAllowed("First tap who begins.")
    return table.turn.seat


def play_card(table: Noir, seat: Seat, tap: PlayCard, dice: Dice) -> Step:
    needs_play(table)
    player = tap.player or (seat if seat in table.seats else table.turn.seat)
    if player is None:
        raise NotAllowed("First tap who begins.")
    if tap.kind != "reaction" and not tap.anyway:
        may_play(table, player)
    table.player(player)
    table, name = table.learn(tap.kind, tap.name)
    card = Card(tap.kind, name)
    table = table.seen_coming(card, player)
    table.room_for(card)
    if tap.kind == "loot":
        table = table.with_player(player, loot=(*table.player(player).loot, name))
    else:
        table = table.discard(card)
    if tap.kind != "reaction" and player == table.turn.seat:
        table = msgspec.structs.replace(table, turn=msgspec.structs.replace(table.turn, played=True))
    line = (
        Say("{name} plays {card} because a card allows it.", name=player, card=name)
        if tap.anyway
        else Say("{name} plays {card}.", name=player, card=name)
    )
    return Step(table, line, *must_trash(table, player))


def may_play(table: Noir, player: Seat) -> None:
    """You may play one action or loot on your turn, and none if you attempt a scene change."""
    if whose_turn(table) != player:
        raise NotAllowed(
            "It is {name}'s turn. If a card lets you play now, tick “A card allows it”.", name=whose_turn(table)
        )
    if table.attempt is not None:
        raise NotAllowed("A scene change is under way. If a card lets you play now, tick “A card allows it”.")
    if table.turn.played:
        raise NotAllowed("You play one action or loot per turn. If a card gives you another, tick “A card allows it”.")
    if table.turn.attempted:
        raise NotAllowed(
            "You have attempted a scene change this turn. If a card lets you play, tick “A card allows it”."
        )


def next_turn(table: Noir) -> Noir:
    player = whose_turn(table)
    return msgspec.structs.replace(table, turn=Turn(table.after(player)), verdict=None, shuffled=False)


def its_turn(player: Seat) -> Say:
    return Say("It is {name}'s turn.", name=player)


def end_turn(table: Noir, seat: Seat, tap: EndTurn, dice: Dice) -> Step:
    player = whose_turn(table)
    if tap.ends != player:
        raise NotAllowed("That turn is already over.")
    no_attempt(table)
    if table.rain is not None:
        raise NotAllowed(
            "{card} is still revealed. Attempt another scene change, or put the card away.", card=table.rain
        )
    for owner in table.seats:
        if len(table.player(owner).loot) > MOST_LOOT:
            raise NotAllowed("{name} has more than three loot. Trash the extra loot first.", name=owner)
    return Step(next_turn(table), its_turn(table.after(player)))


def set_turn(table: Noir, seat: Seat, tap: SetTurn, dice: Dice) -> Step:
    whose_turn(table)
    no_attempt(table)
    table.player(tap.player)
    after = msgspec.structs.replace(table, turn=Turn(tap.player), verdict=None)
    return Step(after, Say("{who} corrects: it is {name}'s turn.", who=seat, name=tap.player))


def count_on(table: Noir, seat: Seat, tap: CountOn, dice: Dice) -> Step:
    needs_play(table)
    no_attempt(table)
    if tap.everything == table.counts:
        raise NotAllowed("The table already does that. Go on.")
    if table.rain is not None:
        raise NotAllowed(
            "{card} is still revealed. Attempt another scene change, or put the card away.", card=table.rain
        )
    line = (
        Say("{who} switches to counting everything.", who=seat)
        if tap.everything
        else Say("{who} switches to names only.", who=seat)
    )
    return Step(msgspec.structs.replace(table, counts=tap.everything), line)


def set_points(table: Noir, seat: Seat, tap: SetPoints, dice: Dice) -> Step:
    if not table.expert:
        raise NotAllowed("This game has no points. Only the expert game does.")
    needs_play(table)
    old = table.player(tap.owner).points
    after = with_points(table, tap.owner, tap.points)
    line = Say(
        "{who} corrects the points: {name} has {new}, not {old}.",
        who=seat,
        name=tap.owner,
        new=tap.points,
        old=old,
    )
    return Step(after, line, *wins(after))


def with_points(table: Noir, owner: Seat, points: int) -> Noir:
    """Set the points. The first player with five points wins."""
    after = table.with_player(owner, points=points)
    return won_by(after, owner) if points >= POINTS_TO_WIN else after


def won_by(table: Noir, seat: Seat) -> Noir:
    """End the game, and clear any scene change or verdict."""
    return msgspec.structs.replace(table, winner=seat, attempt=None, verdict=None)


def wins(table: Noir) -> tuple[Say, ...]:
    return (Say("{name} wins.", name=table.winner),) if table.winner is not None else ()


COUNTED: dict[type[Tap], Rule] = {PlayCard: play_card}
RULES: dict[type[Tap], Rule] = {
    FirstPlayer: first_player,
    SetCharacter: set_character,
    EndTurn: end_turn,
    SetTurn: set_turn,
    CountOn: count_on,
    SetPoints: set_points,
}
