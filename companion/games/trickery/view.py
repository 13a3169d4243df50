"""What the table, one seat and the shared screen see; only a covered society card is secret."""

from __future__ import annotations

import msgspec

from companion.game import Moment, Say, Seat
from companion.games.trickery.hand import HandCard, hand_card
from companion.games.trickery.moments import NOTHING, Change, changes, moment
from companion.games.trickery.rules import stuck, why_no_pause
from companion.games.trickery.sentences import (
    CARD_TITLES,
    CHEST_IS_FULL,
    CHEST_TITLES,
    SHORT_SOCIETIES,
    SHORT_TITLES,
    SOCIETY_TITLES,
    told,
    verdict,
)
from companion.games.trickery.state import (
    CARDS,
    ENOUGH,
    PLACES,
    SOCIETIES,
    Card,
    Filled,
    Phase,
    Player,
    Societies,
    Society,
)


class PlayedCard(msgspec.Struct, frozen=True):
    card: Card
    title: str


class Member(msgspec.Struct, frozen=True):
    """A player with their coins, seals and played cards."""

    seat: Seat
    coins: int
    seals: int
    hand: int
    played: tuple[PlayedCard, ...]
    turn: bool
    wins: bool
    more_coins: int
    """The change since the last card."""
    more_seals: int
    crossed: bool
    """This player has just changed sides."""


class Row(msgspec.Struct, frozen=True):
    """A player's row on the stage, on one side of the aisle or the other."""

    society: Society
    who: Member


class Side(msgspec.Struct, frozen=True):
    """One society: its members and its chest."""

    society: Society
    title: str
    short: str
    members: tuple[Member, ...]
    chest: int
    full: bool
    """The fifth coin has just filled it."""
    paid: int
    """Coins that have just come in."""


class Share(msgspec.Struct, frozen=True):
    """The seals that a player gets for a full chest, and why."""

    seat: Seat
    seals: int
    why: Say


class FullChest(msgspec.Struct, frozen=True):
    society: Society
    headline: Say
    shares: tuple[Share, ...]


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    phase: Phase
    chosen: int
    """How many have chosen a society, never who or which."""
    of: int
    sides: tuple[Side, ...]
    rows: tuple[Row, ...]
    pool: int
    seal_pool: int
    places: int
    enough: int
    turn: Seat | None
    last: Say | None
    full: tuple[FullChest, ...]
    verdict: Say | None
    winners: tuple[Seat, ...]
    moment: Moment | None


class Correction(msgspec.Struct, frozen=True):
    """What can be moved to fix a mistake."""

    seats: tuple[Seat, ...]
    chests: tuple[tuple[Society, str], ...]
    cards: tuple[tuple[Card, str], ...]


class SeatView(msgspec.Struct, frozen=True):
    """What one player has and may tap."""

    phase: Phase
    societies: tuple[tuple[Society, str], ...]
    covered: bool
    chosen: int
    waiting: tuple[Seat, ...]
    """Who has not chosen yet."""
    of: int
    society: Society | None
    society_title: str
    coins: int
    seals: int
    enough: int
    chest: int
    """Coins in the chest of this player's society."""
    places: int
    gain: int
    """Seals this player gets from the chests just filled."""
    turn: Seat | None
    last: Say | None
    mine: bool
    hand: tuple[HandCard, ...]
    no_pause: Say | None
    stuck: bool
    seats: tuple[Seat, ...]
    fix: Correction | None
    winners: tuple[Seat, ...]
    moves: int
    ahead: int
    """How many turns until this player's turn."""
    seat: Seat


class ScreenView(msgspec.Struct, frozen=True):
    """What the shared screen may tap for the table."""

    phase: Phase
    seats: tuple[Seat, ...]
    fix: Correction | None


# -------------------------------------------------------------------------------- for everybody


def member(table: Societies, player: Player, change: Change) -> Member:
    return Member(
        seat=player.seat,
        coins=player.coins,
        seals=player.seals,
        hand=len(player.hand),
        played=tuple(PlayedCard(card, SHORT_TITLES[card]) for card in player.played),
        turn=player.seat == table.turn and table.phase in ("turns", "event"),
        wins=table.over and player.seat in table.best(),
        more_coins=change.coins,
        more_seals=change.seals,
        crossed=change.crossed,
    )


def side(table: Societies, society: Society, rows: tuple[Row, ...]) -> Side:
    deed = table.deed
    return Side(
        society=society,
        title=SOCIETY_TITLES[society],
        short=SHORT_SOCIETIES[society],
        members=tuple(row.who for row in rows if row.society == society),
        chest=table.chests[society],
        full=any(filled.society == society for filled in table.filled),
        paid=deed.coins if deed is not None and table.player(deed.seat).society == society else 0,
    )


def full_chest(filled: Filled) -> FullChest:
    shares = [Share(filled.payer, 2, Say("{name} placed the fifth coin.", name=filled.payer))]
    shares += [Share(other, 1, Say("{name} was a member at that moment.", name=other)) for other in filled.others]
    return FullChest(filled.society, Say(CHEST_IS_FULL[filled.society]), tuple(shares))


def table_view(table: Societies) -> TableView:
    changed = changes(table)
    rows = tuple(
        Row(player.society, member(table, player, changed.get(player.seat, NOTHING)))
        for player in table.players
        if player.society is not None
    )
    return TableView(
        phase=table.phase,
        chosen=chosen(table),
        of=len(table.players),
        sides=tuple(side(table, society, rows) for society in SOCIETIES),
        rows=rows,
        pool=table.pool,
        seal_pool=table.seal_pool,
        places=PLACES,
        enough=ENOUGH,
        turn=table.turn,
        last=told(table.deed) if table.deed else None,
        full=tuple(full_chest(filled) for filled in table.filled),
        verdict=verdict(table) if table.over else None,
        winners=table.best() if table.over else (),
        moment=moment(table),
    )


def chosen(table: Societies) -> int:
    return sum(player.covered is not None for player in table.players)


# -------------------------------------------------------------------------------- for one seat


def correction(table: Societies) -> Correction | None:
    if table.phase == "choosing":
        return None
    return Correction(table.seats, tuple(CHEST_TITLES.items()), tuple(CARD_TITLES.items()))


def seat_view(table: Societies, seat: Seat) -> SeatView:
    me = table.player(seat)
    choosing = table.phase == "choosing"
    mine = table.phase == "turns" and table.turn == seat
    return SeatView(
        seat=seat,
        phase=table.phase,
        societies=tuple(SOCIETY_TITLES.items()),
        covered=me.covered is not None,
        chosen=chosen(table),
        waiting=tuple(player.seat for player in table.players if player.covered is None) if choosing else (),
        of=len(table.players),
        society=me.society,
        society_title=SOCIETY_TITLES[me.society] if me.society else "",
        coins=me.coins,
        seals=me.seals,
        enough=ENOUGH,
        chest=table.chests[me.society] if me.society else 0,
        places=PLACES,
        gain=sum(share.seals for filled in table.filled for share in full_chest(filled).shares if share.seat == seat),
        turn=table.turn,
        last=told(table.deed) if table.deed else None,
        mine=mine,
        hand=() if choosing else tuple(hand_card(table, seat, card, mine=mine) for card in CARDS),
        no_pause=None if choosing else why_no_pause(table, seat),
        stuck=mine and stuck(table, seat),
        seats=table.seats,
        fix=correction(table),
        winners=table.best() if table.over else (),
        moves=table.moves,
        ahead=ahead(table, seat),
    )


def ahead(table: Societies, seat: Seat) -> int:
    """How many players act before this one."""
    if table.turn is None:
        return 0
    here = [other for other in table.seats if other not in table.away or other in (seat, table.turn)]
    return (here.index(seat) - here.index(table.turn)) % len(here)


def screen_view(table: Societies) -> ScreenView:
    return ScreenView(table.phase, table.seats, correction(table))


def choosing(table: Societies) -> tuple[Seat, ...]:
    """Who has to choose a society, or to act."""
    match table.phase:
        case "choosing":
            return tuple(player.seat for player in table.players if player.covered is None)
        case "turns" if table.turn is not None:
            return (table.turn,)
        case _:
            return ()
