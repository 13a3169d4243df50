"""The game as a frozen state: players, coins, seals, two chests and the pool."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, NotAllowed, Seat

Society = Literal["thorn", "gears"]
"""Thorn Society and Machine Society; words of equal length, so that sizes give nothing away."""
SOCIETIES: tuple[Society, Society] = ("thorn", "gears")

Card = Literal["betray", "build", "bribe", "favour", "tribute", "outdo"]
CARDS: tuple[Card, ...] = ("betray", "build", "bribe", "favour", "tribute", "outdo")

COINS, SEALS = 35, 36
FIRST_COINS = 2
PLACES = 5
"""The fifth coin fills a chest."""
ENOUGH = 5
"""Seals that end the game."""
FEWEST = 3

Phase = Literal["choosing", "starter", "turns", "event", "over"]


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is chosen before the table opens: only how the game ends, which the rulebook leaves open."""

    fifth_seal: Annotated[
        Literal["finish", "stop"],
        Meta(
            title=N_("When a card brings the fifth seal"),
            description=N_("This matters for “Call in a favour”: its 2 coins can decide a tie."),
            extra={
                "choices": {
                    "finish": N_("Finish the card, then end the game"),
                    "stop": N_("End the game immediately"),
                }
            },
        ),
    ] = "finish"


class Player(msgspec.Struct, frozen=True):
    """A player with their coins, seals and cards."""

    seat: Seat
    coins: int = FIRST_COINS
    seals: int = 0
    society: Society | None = None
    covered: Society | None = None
    """The side chosen in secret, until all cards are revealed together."""
    played: tuple[Card, ...] = ()

    @property
    def hand(self) -> tuple[Card, ...]:
        return tuple(card for card in CARDS if card not in self.played)


class Filled(msgspec.Struct, frozen=True):
    """A full chest: who placed the fifth coin, and who else was in that society."""

    society: Society
    payer: Seat
    others: tuple[Seat, ...]


class Deed(msgspec.Struct, frozen=True):
    """The last action, for the headline."""

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
    """Chests filled by the last card; everybody sees them before the next turn."""
    deed: Deed | None = None
    moves: int = 0
    """How many turns were taken, so that each moment has its own number."""
    still: bool = False
    """Everybody has seen the last moment, so it is not played again."""
    starter: Seat | None = None
    """Who had the first turn."""
    finish: bool = True
    """Whether the card that brings the fifth seal is finished before the game ends."""
    away: tuple[Seat, ...] = ()

    # ---------------------------------------------------------------- questions

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
        raise NotAllowed("That seat is empty. Choose somebody else.")

    def society(self, seat: Seat) -> Society:
        """A player's society; known only after all cards are revealed."""
        found = self.player(seat).society
        if found is None:
            raise NotAllowed("Wait until everybody has chosen a society.")
        return found

    def members(self, society: Society) -> tuple[Player, ...]:
        return tuple(player for player in self.players if player.society == society)

    def allies(self, seat: Seat) -> tuple[Player, ...]:
        """Everybody else in the same society."""
        return tuple(player for player in self.members(self.society(seat)) if player.seat != seat)

    def rivals(self, seat: Seat) -> tuple[Player, ...]:
        return self.members(opposite(self.society(seat)))

    def best(self) -> tuple[Seat, ...]:
        """The winners: most seals, then most coins; a tie is shared."""
        top = max((player.seals, player.coins) for player in self.players)
        return tuple(player.seat for player in self.players if (player.seals, player.coins) == top)

    # ---------------------------------------------------------------- changes

    def with_player(self, changed: Player) -> Societies:
        players = tuple(changed if player.seat == changed.seat else player for player in self.players)
        return msgspec.structs.replace(self, players=players)

    def change(self, seat: Seat, *, coins: int = 0, seals: int = 0) -> Societies:
        """Change a player's coins or seals; the caller changes the other place."""
        player = self.player(seat)
        return self.with_player(msgspec.structs.replace(player, coins=player.coins + coins, seals=player.seals + seals))

    def take(self, seat: Seat, coins: int) -> Societies:
        """Take coins from the pool."""
        return msgspec.structs.replace(self.change(seat, coins=coins), pool=self.pool - coins)

    def hand_over(self, giver: Seat, taker: Seat, coins: int = 1) -> Societies:
        return self.change(giver, coins=-coins).change(taker, coins=coins)

    def earn(self, seat: Seat, seals: int) -> Societies:
        """Take seals from the pool; 36 are always enough, as nobody has more than four while the game goes on."""
        return msgspec.structs.replace(self.change(seat, seals=seals), seal_pool=self.seal_pool - seals)

    def pay(self, seat: Seat, coins: int) -> Societies:
        """Pay coins into the player's chest one by one, until the game ends; the rest stays with the player."""
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
        # The fifth coin: two seals for the payer, one for every other member, the coins back to the pool.
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
