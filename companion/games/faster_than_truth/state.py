"""The game as a frozen state: stashes, the reserve, whose turn it is, the card in play, and what somebody is asked."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from companion.game import KEEP, N_, TABLE, Line, NotAllowed, Say, Seat, Step
from companion.games.faster_than_truth.seen import Seen, seen
from companion.games.faster_than_truth.setup import Setup

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


class Play(msgspec.Struct, frozen=True):
    """The whole game."""

    setup: Setup
    seats: tuple[Seat, ...]
    reserve: dict[Kind, int]
    stashes: dict[Seat, tuple[Card, ...]]
    learning: bool = False
    names: tuple[str, ...] = ()
    count: Count | None = None
    turn: Seat = NOBODY
    done: int = 0
    """Cards that were played in this turn."""
    card: Played | None = None
    ask: Ask | None = None
    taking: Taking | None = None
    declared: tuple[Seat, ...] = ()
    """Who has had to say that they hold five of a kind since their last turn began."""
    away: tuple[Seat, ...] = ()
    winner: Seat = NOBODY
    seen: Seen | None = None
    """What everybody saw last, for the stage."""

    # ---------------------------------------------------------------- what is so

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
            raise NotAllowed("No card has been declared yet.")
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

    def may_challenge(self) -> tuple[Seat, ...]:
        """A challenge takes at least one resource card in one's stash."""
        return tuple(seat for seat in self.rivals(self.turn) if self.stashes[seat]) if self.turn else ()

    def undecided(self) -> tuple[Seat, ...]:
        """Who the table still waits for before a card is turned; nobody waits for those who are away."""
        passed = self.card.passed if self.card else ()
        return tuple(seat for seat in self.may_challenge() if seat not in passed and seat not in self.away)

    def has(self, seat: Seat, kind: Kind) -> int:
        return sum(card.kind == kind for card in self.stashes[seat])

    def enough(self, seat: Seat) -> bool:
        """Five or more of a single kind, face up or hidden."""
        return any(self.has(seat, kind) >= ENOUGH for kind in KINDS)

    def card_at(self, seat: Seat, place: int) -> Card:
        """Places count from 1, in the order in which the cards lie."""
        if not 1 <= place <= len(self.stashes[seat]):
            raise NotAllowed("No card lies there any more.")
        return self.stashes[seat][place - 1]

    def can_choose(self) -> bool:
        """Whether a card is there that the one who was asked could choose."""
        cards = self.stashes[self.asked.owner]
        match self.asked.what:
            case "hide":
                return any(not card.hidden for card in cards)
            case "reveal":
                return any(card.hidden for card in cards)
            case _:
                return any(card.kind == self.asked.kind for card in cards)

    # ---------------------------------------------------------------- what is done

    def with_card(self, **changes: object) -> Play:
        return self.but(card=msgspec.structs.replace(self.in_play, **changes))

    def but(self, **changes: object) -> Play:
        return msgspec.structs.replace(self, **changes)

    def lay(self, seat: Seat, card: Card) -> Play:
        """A card comes to the end of a stash."""
        return self.but(stashes={**self.stashes, seat: (*self.stashes[seat], card)})

    def lift(self, seat: Seat, place: int) -> Play:
        """A card leaves a stash; the others close up, in their order."""
        cards = self.stashes[seat]
        return self.but(stashes={**self.stashes, seat: (*cards[: place - 1], *cards[place:])})

    def draw(self, seat: Seat, kind: Kind) -> Play:
        """From the reserve, face up."""
        return self.but(reserve={**self.reserve, kind: self.reserve[kind] - 1}).lay(seat, Card(kind, hidden=False))

    def put_back(self, seat: Seat, place: int) -> Play:
        """To the reserve."""
        kind = self.card_at(seat, place).kind
        return self.lift(seat, place).but(reserve={**self.reserve, kind: self.reserve[kind] + 1})

    def hand(self, seat: Seat, place: int, to: Seat) -> Play:
        """From one stash to another; however it lay, it lies face up there."""
        kind = self.card_at(seat, place).kind
        return self.lift(seat, place).lay(to, Card(kind, hidden=False))

    def flip(self, seat: Seat, place: int) -> Play:
        card = self.card_at(seat, place)
        cards = list(self.stashes[seat])
        cards[place - 1] = Card(card.kind, not card.hidden)
        return self.but(stashes={**self.stashes, seat: tuple(cards)})

    def close_if_all_passed(self) -> Play:
        """The window to challenge closes when there is nobody left to wait for."""
        if self.card and not self.card.closed and not self.undecided():
            return self.with_card(closed=True)
        return self

    def sound(self) -> Play:
        """After a correction: nobody is left with a choice they cannot make, and nobody is waited for in vain."""
        # Whether a named card is still there may be a secret: that has to be asked again.
        off = self.ask and (self.ask.kind or not self.can_choose())
        return (self.but(ask=None) if off else self).close_if_all_passed()

    def begin_turn(self, seat: Seat) -> Play:
        """Whoever holds five of a kind as their turn begins has won."""
        fresh = self.but(turn=seat, done=0, card=None, ask=None, taking=None)
        if fresh.enough(seat):
            return fresh.but(winner=seat)
        return fresh.but(declared=tuple(other for other in self.declared if other != seat))

    def finish_card(self) -> Play:
        """The card is on the discard pile; two make a turn."""
        if self.done + 1 < CARDS_A_TURN:
            return self.but(done=self.done + 1, card=None, ask=None, taking=None)
        return self.begin_turn(self.rivals(self.turn)[0])


def word(kind: Kind | None) -> Say:
    return Say(WORDS[kind] if kind else N_("card"))


def step(
    before: Play, after: Play, *lines: Say | Line, sealed: bool = False, burn: bool = False, alarm: float | None = KEEP
) -> Step:
    """The answer of a rule, with what has to be said aloud: five of a kind, a new turn, the win."""
    now = tuple(seat for seat in after.seats if after.enough(seat) and not before.enough(seat))
    extra = [Say("{name} has five of a kind!", name=seat) for seat in now]
    after = after.but(declared=(*after.declared, *(seat for seat in now if seat not in after.declared)))
    if after.winner and not before.winner:
        extra.append(Say("{name} still holds five of a kind as the turn begins, and wins.", name=after.winner))
    elif after.turn != before.turn:
        extra.append(Say("It is {name}'s turn.", name=after.turn))
    after = after.but(seen=seen(before, after))
    # What such a call tells about hidden cards cannot be taken back.
    return Step(after, *lines, *extra, sealed=sealed or bool(now), burn=burn, alarm=alarm)


def needs(play: Play, *phases: Phase) -> None:
    """Refuse what is not to be done now; every sentence says what is."""
    if play.phase in phases:
        return
    match play.phase:
        case "counting":
            raise NotAllowed("First everybody enters their cards.")
        case "over":
            raise NotAllowed("The game is over. Take the last step back to play on.")
        case "first":
            raise NotAllowed("First choose who begins.")
        case "declare":
            raise NotAllowed("No card has been declared yet.")
        case "challenge":
            raise NotAllowed("The others may still challenge.")
        case "turning":
            raise NotAllowed("First the card is turned over.")
        case "asking":
            raise NotAllowed("{name} has to choose a card first.", name=play.asked.owner)
        case "taking":
            raise NotAllowed("{name} has to take a card first.", name=play.penalty.taker)
        case _:
            raise NotAllowed("A card is being carried out.")
