"""The game as a frozen state: stashes, the reserve, the turn, the card in play, and open questions."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from companion.game import TABLE, NotAllowed, Say, Seat
from companion.games.faster_than_truth.seen import Seen
from companion.games.faster_than_truth.setup import Setup

Kind = Literal["fists", "crown", "coins"]
"""Muscle, Prestige, Money; words of equal length, so that sizes on the wire and on disk give nothing away."""
KINDS: Final[tuple[Kind, ...]] = ("fists", "crown", "coins")
OF_EACH: Final = 18
DEALT: Final = 3
ENOUGH: Final = 5
CARDS_A_TURN: Final = 2
NAME_LENGTH: Final = 40
NOBODY: Final = TABLE

Phase = Literal["counting", "first", "declare", "challenge", "turning", "effect", "asking", "taking", "over"]


class Card(msgspec.Struct, frozen=True, array_like=True):
    """A resource card in somebody's stash."""

    kind: Kind
    hidden: bool


class Count(msgspec.Struct, frozen=True):
    """A count under way: everybody enters their stash in secret, and the sum must be right."""

    reserve: dict[Kind, int]
    entries: dict[Seat, tuple[Card, ...]] = {}
    sure: tuple[Seat, ...] = ()
    """Who has entered or confirmed their cards since the last wrong sum."""
    failed: bool = False
    deal: bool = False
    """The first count, after the deal: three cards each, one of them face up."""


class Played(msgspec.Struct, frozen=True):
    """The intrigue card in play, known only by its declared name."""

    name: str
    """Empty if the name was only said aloud."""
    passed: tuple[Seat, ...] = ()
    thinking: tuple[Seat, ...] = ()
    """Who asked the table to wait (`TABLE`: the shared screen); the fuse stops until they go on."""
    closed: bool = False
    challenger: Seat = NOBODY
    turned: Literal["safe", "gamble"] | None = None
    did: tuple[Say, ...] = ()
    """The effects so far, as told to everybody."""


class Verdict(msgspec.Struct, frozen=True):
    """The outcome of the last card in an express game."""

    player: Seat
    challenger: Seat
    turned: Literal["safe", "gamble"]


class Ask(msgspec.Struct, frozen=True):
    """A player must choose one of their own cards, or say they have none of that kind."""

    owner: Seat
    what: Literal["give", "lose", "hide", "reveal"]
    kind: Kind | None = None
    to: Seat = NOBODY


class Taking(msgspec.Struct, frozen=True):
    """The penalty after a challenge: one player takes a card from the other."""

    taker: Seat
    loser: Seat


class Play(msgspec.Struct, frozen=True):
    """The whole game."""

    setup: Setup
    seats: tuple[Seat, ...]
    reserve: dict[Kind, int]
    stashes: dict[Seat, tuple[Card, ...]]
    learning: bool = False
    names: tuple[str, ...] = ()
    count: Count | None = None
    first: Seat = NOBODY
    """Who had the first turn."""
    turn: Seat = NOBODY
    done: int = 0
    """Cards played this turn."""
    card: Played | None = None
    ask: Ask | None = None
    taking: Taking | None = None
    verdict: Verdict | None = None
    """Express only, until the next card is declared."""
    declared: tuple[Seat, ...] = ()
    """Who has announced five of a kind since the start of their last turn."""
    away: tuple[Seat, ...] = ()
    winner: Seat = NOBODY
    seen: Seen | None = None
    """What everybody saw last, for the stage."""

    # ---------------------------------------------------------------- questions

    @property
    def phase(self) -> Phase:
        if self.count:
            return "counting"
        if self.winner:
            return "over"
        if not self.turn:
            return "first"
        if self.ask:
            return "asking"
        if self.taking:
            return "taking"
        if self.card is None:
            return "declare"
        if not self.card.closed:
            return "challenge"
        return "turning" if self.card.turned is None else "effect"

    @property
    def in_play(self) -> Played:
        if self.card is None:
            raise NotAllowed("Nobody has declared a card yet.")
        return self.card

    @property
    def asked(self) -> Ask:
        if self.ask is None:
            raise NotAllowed("Nobody has to choose a card now.")
        return self.ask

    @property
    def penalty(self) -> Taking:
        if self.taking is None:
            raise NotAllowed("Nobody has to take a card now.")
        return self.taking

    def rivals(self, of: Seat) -> tuple[Seat, ...]:
        """Everybody else, clockwise from that seat."""
        place = self.seats.index(of)
        return (*self.seats[place + 1 :], *self.seats[:place])

    @property
    def fuse(self) -> float | None:
        """Seconds in which a card can be challenged; None: until everybody has let it pass."""
        return None if self.setup.fuse == "off" else float(self.setup.fuse)

    def may_challenge(self) -> tuple[Seat, ...]:
        """Only players with a resource card may challenge; an express game does not know who has one."""
        if not self.turn:
            return ()
        return tuple(seat for seat in self.rivals(self.turn) if self.stashes[seat] or self.setup.express)

    def undecided(self) -> tuple[Seat, ...]:
        """Who can still challenge and is not away."""
        passed = self.card.passed if self.card else ()
        return tuple(seat for seat in self.may_challenge() if seat not in passed and seat not in self.away)

    def has(self, seat: Seat, kind: Kind) -> int:
        return sum(card.kind == kind for card in self.stashes[seat])

    def enough(self, seat: Seat) -> bool:
        """Whether a player has five or more of one kind, face up or hidden."""
        return any(self.has(seat, kind) >= ENOUGH for kind in KINDS)

    def could_have_five(self, seat: Seat) -> bool:
        """Whether this player could have five of a kind, judging by public cards."""
        hidden = sum(card.hidden for card in self.stashes[seat])
        for kind in KINDS:
            seen = {
                other: sum(card.kind == kind and not card.hidden for card in cards)
                for other, cards in self.stashes.items()
            }
            unseen = OF_EACH - self.reserve[kind] - sum(seen.values())
            if seen[seat] + min(hidden, unseen) >= ENOUGH:
                return True
        return False

    def card_at(self, seat: Seat, place: int) -> Card:
        """The card at a place; places count from 1, from left to right."""
        if not 1 <= place <= len(self.stashes[seat]):
            raise NotAllowed("That card is gone. Choose another one.")
        return self.stashes[seat][place - 1]

    def can_choose(self) -> bool:
        """Whether the player who was asked has a card to choose."""
        cards = self.stashes[self.asked.owner]
        match self.asked.what:
            case "hide":
                return any(not card.hidden for card in cards)
            case "reveal":
                return any(card.hidden for card in cards)
            case _:
                return any(card.kind == self.asked.kind for card in cards)

    # ---------------------------------------------------------------- changes

    def with_card(self, **changes: object) -> Play:
        return self.but(card=msgspec.structs.replace(self.in_play, **changes))

    def but(self, **changes: object) -> Play:
        return msgspec.structs.replace(self, **changes)

    def lay(self, seat: Seat, card: Card) -> Play:
        """Add a card to the end of a stash."""
        return self.but(stashes={**self.stashes, seat: (*self.stashes[seat], card)})

    def lift(self, seat: Seat, place: int) -> Play:
        """Remove a card from a stash; the others keep their order."""
        cards = self.stashes[seat]
        return self.but(stashes={**self.stashes, seat: (*cards[: place - 1], *cards[place:])})

    def draw(self, seat: Seat, kind: Kind) -> Play:
        """Move a card from the reserve to a stash, face up."""
        return self.but(reserve={**self.reserve, kind: self.reserve[kind] - 1}).lay(seat, Card(kind, hidden=False))

    def put_back(self, seat: Seat, place: int) -> Play:
        """Return a card to the reserve."""
        kind = self.card_at(seat, place).kind
        return self.lift(seat, place).but(reserve={**self.reserve, kind: self.reserve[kind] + 1})

    def hand(self, seat: Seat, place: int, to: Seat) -> Play:
        """Move a card to another stash, where it always lies face up."""
        kind = self.card_at(seat, place).kind
        return self.lift(seat, place).lay(to, Card(kind, hidden=False))

    def flip(self, seat: Seat, place: int) -> Play:
        card = self.card_at(seat, place)
        cards = list(self.stashes[seat])
        cards[place - 1] = Card(card.kind, not card.hidden)
        return self.but(stashes={**self.stashes, seat: tuple(cards)})

    def close_if_all_passed(self) -> Play:
        """Close the window to challenge when nobody is left to wait for."""
        if self.card and not self.card.closed and not self.card.thinking and not self.undecided():
            return self.with_card(closed=True)
        return self

    def goes_on(self, *seats: Seat) -> Play:
        """Stop waiting for these players to think."""
        thinking = tuple(seat for seat in self.in_play.thinking if seat not in seats)
        return self.with_card(thinking=thinking).close_if_all_passed()

    def sound(self) -> Play:
        """Clean up after a fixed mistake: drop a choice that can no longer be made, and stop waiting."""
        # Whether a named card is still there may be secret, so that question is dropped in any case.
        off = self.ask and (self.ask.kind or not self.can_choose())
        return (self.but(ask=None) if off else self).close_if_all_passed()

    def begin_turn(self, seat: Seat) -> Play:
        """Start a turn; with five of a kind at this point, the player wins."""
        fresh = self.but(turn=seat, done=0, card=None, ask=None, taking=None, verdict=None, winner=NOBODY)
        if fresh.enough(seat):
            return fresh.but(winner=seat)
        return fresh.but(declared=tuple(other for other in self.declared if other != seat))

    def finish_card(self) -> Play:
        """Discard the card; after two cards the next turn starts."""
        if self.done + 1 < CARDS_A_TURN:
            return self.but(done=self.done + 1, card=None, ask=None, taking=None)
        return self.begin_turn(self.rivals(self.turn)[0])
