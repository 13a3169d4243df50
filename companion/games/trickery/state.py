"""The table as a frozen state: players, coins, seals, two chests and the pool; its methods return a new table."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, NotAllowed, Seat

Society = Literal["thorn", "gears"]
"""The Thorn and the Machine Society; two words of one length, so that a covered card weighs the same."""
SOCIETIES: tuple[Society, Society] = ("thorn", "gears")

Card = Literal["betray", "build", "bribe", "favour", "tribute", "outdo"]
CARDS: tuple[Card, ...] = ("betray", "build", "bribe", "favour", "tribute", "outdo")

COINS, SEALS = 35, 36
FIRST_COINS = 2
PLACES = 5
"""The fifth coin fills a chest."""
ENOUGH = 5
"""The game ends the moment anybody has so many seals."""
FEWEST = 3

Phase = Literal["choosing", "starter", "turns", "event", "over"]


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two coins each, and who starts is said at the table; only the end is read in two ways."""

    fifth_seal: Annotated[
        Literal["finish", "stop"],
        Meta(
            title=N_("A card brings the fifth seal"),
            description=N_("It matters for Call in a favour: its 2 coins can decide a tie."),
            extra={
                "choices": {
                    "finish": N_("finish the card, then the game ends"),
                    "stop": N_("the game ends at once"),
                }
            },
        ),
    ] = "finish"


class Player(msgspec.Struct, frozen=True):
    """What lies in front of somebody."""

    seat: Seat
    coins: int = FIRST_COINS
    seals: int = 0
    society: Society | None = None
    covered: Society | None = None
    """The side chosen under the hand; nobody sees it until all are turned at once."""
    played: tuple[Card, ...] = ()

    @property
    def hand(self) -> tuple[Card, ...]:
        return tuple(card for card in CARDS if card not in self.played)


class Filled(msgspec.Struct, frozen=True):
    """A chest became full: who placed the fifth coin, and who else belonged to that society then."""

    society: Society
    payer: Seat
    others: tuple[Seat, ...]


class Deed(msgspec.Struct, frozen=True):
    """What was done last, for the headline."""

    seat: Seat
    what: Card | Literal["pause", "pass"]
    target: Seat | None = None
    coins: int = 0
    """Coins paid into the chest."""
    cut: bool = False
    """The game ended before the rest of the card was done."""


class Societies(msgspec.Struct, frozen=True):
    """The whole table."""

    players: tuple[Player, ...]
    pool: int
    seal_pool: int = SEALS
    chests: dict[Society, int] = msgspec.field(default_factory=lambda: dict.fromkeys(SOCIETIES, 0))
    turn: Seat | None = None
    filled: tuple[Filled, ...] = ()
    """Chests that became full with the last card: everybody looks before the next turn."""
    deed: Deed | None = None
    moves: int = 0
    """So many turns have been taken: tells what happens in one from what happens in another."""
    still: bool = False
    """Everybody has seen what the last card did, or it was taken back to: it is not played again."""
    starter: Seat | None = None
    """Who had the first turn."""
    finish: bool = True
    """Whether the card that brings the fifth seal is done to its end."""
    away: tuple[Seat, ...] = ()

    # ---------------------------------------------------------------- looking

    @property
    def phase(self) -> Phase:
        if any(player.society is None for player in self.players):
            return "choosing"
        if self.over:
            return "over"
        if self.turn is None:
            return "starter"
        return "event" if self.filled else "turns"

    @property
    def over(self) -> bool:
        return any(player.seals >= ENOUGH for player in self.players)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(player.seat for player in self.players)

    def player(self, seat: Seat) -> Player:
        for player in self.players:
            if player.seat == seat:
                return player
        raise NotAllowed("Nobody sits there any more.")

    def society(self, seat: Seat) -> Society:
        """Asked only after all cards are turned."""
        found = self.player(seat).society
        if found is None:
            raise NotAllowed("First everybody chooses a society.")
        return found

    def members(self, society: Society) -> tuple[Player, ...]:
        return tuple(player for player in self.players if player.society == society)

    def allies(self, seat: Seat) -> tuple[Player, ...]:
        """Everybody else in the same society."""
        return tuple(player for player in self.members(self.society(seat)) if player.seat != seat)

    def rivals(self, seat: Seat) -> tuple[Player, ...]:
        return self.members(opposite(self.society(seat)))

    def best(self) -> tuple[Seat, ...]:
        """Most seals; among these, most coins; still equal is shared."""
        top = max((player.seals, player.coins) for player in self.players)
        return tuple(player.seat for player in self.players if (player.seals, player.coins) == top)

    # ---------------------------------------------------------------- what hands do

    def with_player(self, changed: Player) -> Societies:
        players = tuple(changed if player.seat == changed.seat else player for player in self.players)
        return msgspec.structs.replace(self, players=players)

    def change(self, seat: Seat, *, coins: int = 0, seals: int = 0) -> Societies:
        """More or less in front of somebody; the other end of the move is the caller's."""
        player = self.player(seat)
        return self.with_player(msgspec.structs.replace(player, coins=player.coins + coins, seals=player.seals + seals))

    def take(self, seat: Seat, coins: int) -> Societies:
        """Coins from the pool."""
        return msgspec.structs.replace(self.change(seat, coins=coins), pool=self.pool - coins)

    def hand_over(self, giver: Seat, taker: Seat, coins: int = 1) -> Societies:
        return self.change(giver, coins=-coins).change(taker, coins=coins)

    def earn(self, seat: Seat, seals: int) -> Societies:
        """Seals from the pool: 36 always suffice, as nobody who plays on has more than four."""
        return msgspec.structs.replace(self.change(seat, seals=seals), seal_pool=self.seal_pool - seals)

    def pay(self, seat: Seat, coins: int) -> Societies:
        """Coins go into the own chest one by one; what is not yet paid when the game ends stays with the player."""
        now = self
        for _ in range(coins):
            if now.over:
                break
            now = now._pay_one(seat)
        return now

    def _pay_one(self, seat: Seat) -> Societies:
        society = self.society(seat)
        inside = self.chests[society] + 1
        now = msgspec.structs.replace(self.change(seat, coins=-1), chests={**self.chests, society: inside % PLACES})
        if inside < PLACES:
            return now
        # The fifth coin: two seals for whoever placed it, one for every other member, the coins to the pool.
        others = tuple(ally.seat for ally in self.allies(seat))
        now = now.earn(seat, 2)
        for other in others:
            now = now.earn(other, 1)
        filled = (*self.filled, Filled(society, seat, others))
        return msgspec.structs.replace(now, pool=now.pool + PLACES, filled=filled)

    def switch(self, seat: Seat) -> Societies:
        """Turn somebody's society card over."""
        flipped = msgspec.structs.replace(self.player(seat), society=opposite(self.society(seat)))
        return self.with_player(flipped)

    def lay(self, seat: Seat, card: Card) -> Societies:
        player = self.player(seat)
        return self.with_player(msgspec.structs.replace(player, played=(*player.played, card)))

    def pick_up(self, seat: Seat) -> Societies:
        return self.with_player(msgspec.structs.replace(self.player(seat), played=()))

    def next_turn(self) -> Societies:
        """The next player clockwise who is not away."""
        if self.turn is None:
            return self
        place = self.seats.index(self.turn)
        clockwise = (*self.seats[place + 1 :], *self.seats[: place + 1])
        here = [seat for seat in clockwise if seat not in self.away]
        return msgspec.structs.replace(self, turn=(here or clockwise)[0])


def opposite(society: Society) -> Society:
    return "gears" if society == "thorn" else "thorn"
