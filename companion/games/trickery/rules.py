"""The rules around the cards: choosing a society, who starts, pausing, full chests, and players who leave."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from companion.game import (
    N_,
    By,
    ChairsMoved,
    Dice,
    GoesAway,
    Leaves,
    NotAllowed,
    Result,
    Rule,
    Say,
    Seat,
    Step,
    Tap,
    listed,
)
from companion.games.trickery import cards, corrections
from companion.games.trickery.cards import needs_turn, why_not
from companion.games.trickery.sentences import MEMBERS, NO_MEMBERS, card_name, society_name
from companion.games.trickery.state import (
    CARDS,
    COINS,
    FEWEST,
    FIRST_COINS,
    SOCIETIES,
    Deed,
    Player,
    Setup,
    Societies,
    Society,
)


class Cover(Tap, frozen=True, tag="Cover"):
    """Choose a side of your society card in secret."""

    society: Annotated[Society, Meta(title=N_("Society"))]


class Begin(Tap, frozen=True, tag="Begin"):
    """The table chooses who starts."""

    by: ClassVar[By] = "anybody"
    seat: Seat


class DrawLots(Tap, frozen=True, tag="DrawLots"):
    """Choose who starts at random."""

    by: ClassVar[By] = "anybody"


class Pause(Tap, frozen=True, tag="Pause"):
    """Pick up all cards that you have played."""


class Pass(Tap, frozen=True, tag="Pass"):
    """Do nothing; allowed only if no card can be played and none picked up."""


class GoOn(Tap, frozen=True, tag="GoOn"):
    """Everybody has taken their seals: start the next turn."""

    by: ClassVar[By] = "anybody"


def start(setup: Setup, seats: tuple[Seat, ...], dice: Dice) -> Step:
    players = tuple(Player(seat) for seat in seats)
    finish = setup.fifth_seal == "finish"
    return Step(Societies(players, pool=COINS - FIRST_COINS * len(seats), finish=finish))


def result(table: Societies) -> Result | None:
    if table.phase != "over":
        return None
    seals = {player.seat: player.seals for player in table.players}
    roles = {player.seat: society_name(table.society(player.seat)) for player in table.players}
    return Result(table.best(), seals, starter=table.starter, roles=roles)


# -------------------------------------------------------------------------------- before the first turn


def cover(table: Societies, seat: Seat, tap: Cover, dice: Dice) -> Step:
    """A choice stays covered, and can be changed, until everybody has chosen."""
    if table.phase != "choosing":
        raise NotAllowed("All society cards are already revealed.")
    covered = table.with_player(msgspec.structs.replace(table.player(seat), covered=tap.society))
    return turned(covered) or Step(covered, secret=True)


def turned(table: Societies) -> Step | None:
    """Reveal all society cards together once everybody has chosen; earlier choices are burnt."""
    if any(player.covered is None for player in table.players):
        return None
    players = tuple(msgspec.structs.replace(player, society=player.covered, covered=None) for player in table.players)
    after = msgspec.structs.replace(table, players=players)
    return Step(
        after, Say("All society cards are revealed."), *(sided(after, society) for society in SOCIETIES), burn=True
    )


def sided(table: Societies, society: Society) -> Say:
    members = tuple(player.seat for player in table.members(society))
    if not members:
        return Say(NO_MEMBERS[society])
    return Say(MEMBERS[society], names=listed(members))


def needs_starter(table: Societies) -> None:
    if table.phase == "choosing":
        raise NotAllowed("Wait until everybody has chosen a society.")
    if table.phase != "starter":
        raise NotAllowed("The game has already started.")


def begin(table: Societies, seat: Seat, tap: Begin, dice: Dice) -> Step:
    needs_starter(table)
    first = table.player(tap.seat).seat
    if first in table.away:
        raise NotAllowed("{name} is away. Choose somebody who is here.", name=first)
    return Step(msgspec.structs.replace(table, turn=first, starter=first), Say("{name} starts.", name=first))


def draw_lots(table: Societies, seat: Seat, tap: DrawLots, dice: Dice) -> Step:
    needs_starter(table)
    here = tuple(other for other in table.seats if other not in table.away) or table.seats
    first = dice.shuffled(here)[0]
    return Step(
        msgspec.structs.replace(table, turn=first, starter=first),
        Say("{name} is picked at random and starts.", name=first),
    )


# -------------------------------------------------------------------------------- turns without a card


def why_no_pause(table: Societies, seat: Seat) -> Say | None:
    return None if table.player(seat).played else Say("You haven't played a card yet.")


def stuck(table: Societies, seat: Seat) -> bool:
    """Whether no card can be played in full and none picked up, a case the rulebook leaves open."""
    return why_no_pause(table, seat) is not None and all(why_not(table, seat, card) for card in CARDS)


def pause(table: Societies, seat: Seat, tap: Pause, dice: Dice) -> Step:
    needs_turn(table, seat)
    if (reason := why_no_pause(table, seat)) is not None:
        raise NotAllowed(reason)
    return cards.done(table.pick_up(seat), Deed(seat, "pause"))


def pass_on(table: Societies, seat: Seat, tap: Pass, dice: Dice) -> Step:
    needs_turn(table, seat)
    if why_no_pause(table, seat) is None:
        raise NotAllowed("You can't pass, because you can pause.")
    for card in CARDS:
        if why_not(table, seat, card) is None:
            raise NotAllowed("You can't pass, because you can play “{card}”.", card=card_name(card))
    return cards.done(table, Deed(seat, "pass"))


def go_on(table: Societies, seat: Seat, tap: GoOn, dice: Dice) -> Step:
    if table.phase != "event":
        raise NotAllowed("No chest is full. Go on with the turn.")
    return Step(msgspec.structs.replace(table, filled=(), still=True))


# -------------------------------------------------------------------------------- people come and go


def goes_away(table: Societies, seat: Seat, tap: GoesAway, dice: Dice) -> Step:
    """Skip the turns of a player who is away; their coins and seals still count."""
    return Step(table.next_turn() if table.turn == seat else table)


def keeps(earlier: Societies, now: Societies) -> Societies:
    """After taking back, skip the turn of a player who has gone away since."""
    earlier = msgspec.structs.replace(earlier, still=True)
    return earlier.next_turn() if earlier.turn in earlier.away else earlier


def leaves(table: Societies, seat: Seat, tap: Leaves, dice: Dice) -> Step:
    """A player who leaves returns coins and seals to the pool."""
    if table.phase == "over":
        raise NotAllowed("The game is over.")
    if len(table.players) <= FEWEST:
        raise NotAllowed(
            "This game needs {n} players. Mark {name} as away instead, or end the table.", n=FEWEST, name=seat
        )
    gone = table.player(seat)
    onward = table.next_turn() if table.turn == seat else table
    after = msgspec.structs.replace(
        onward,
        players=tuple(player for player in table.players if player.seat != seat),
        pool=table.pool + gone.coins,
        seal_pool=table.seal_pool + gone.seals,
        filled=(),
        deed=None,
    )
    if after.turn == seat:
        after = msgspec.structs.replace(after, turn=after.seats[0])  # everybody else is away
    # Burn a covered card together with its owner's seat.
    return (turned(after) if table.phase == "choosing" else None) or Step(after, burn=gone.covered is not None)


def chairs_moved(table: Societies, seat: Seat, tap: ChairsMoved, dice: Dice) -> Step:
    """The current turn stays; the next turn follows the new order."""
    return Step(msgspec.structs.replace(table, players=tuple(table.player(other) for other in tap.seats)))


RULES: dict[type[Tap], Rule] = {
    Cover: cover,
    Begin: begin,
    DrawLots: draw_lots,
    cards.Betray: cards.betray,
    cards.Build: cards.build,
    cards.Bribe: cards.bribe,
    cards.Favour: cards.favour,
    cards.Tribute: cards.tribute,
    cards.Outdo: cards.outdo,
    Pause: pause,
    Pass: pass_on,
    GoOn: go_on,
    corrections.Move: corrections.move,
    corrections.Flip: corrections.flip,
    corrections.MoveCard: corrections.move_card,
    corrections.SetTurn: corrections.set_turn,
    GoesAway: goes_away,
    Leaves: leaves,
    ChairsMoved: chairs_moved,
}
