"""The state of a table: public knowledge, and the agendas that only their owners know."""

from __future__ import annotations

import msgspec

from companion.game import NotAllowed, Seat
from companion.games.big_shuffle import cards
from companion.games.big_shuffle.cards import BOX, NOIR, SCENES, Card, Doubt, Kind, Names, PileName, SceneKind, same
from companion.games.big_shuffle.city import Track, shuffled_track
from companion.games.big_shuffle.pieces import Agenda, Attempt, Player, Scored, Shown, Turn, Verdict
from companion.games.big_shuffle.setup import Setup


class Noir(msgspec.Struct, frozen=True):
    """A game of The Big Shuffle."""

    setup: Setup
    seats: tuple[Seat, ...]
    players: dict[Seat, Player]
    names: Names
    city: dict[SceneKind, Track]
    turn: Turn = Turn()
    noir: tuple[Card, ...] = ()
    informants: tuple[Card, ...] = ()
    changes: tuple[Card, ...] = ()
    shown: tuple[Shown, ...] = ()
    attempt: Attempt | None = None
    rain: str | None = None
    """A scene-change card that stays revealed because it allows another attempt, like Endless Rain."""
    verdict: Verdict | None = None
    personal: dict[Seat, Agenda] = {}
    shared: tuple[Agenda, ...] = ()
    aside: tuple[Scored, ...] = ()
    shuffled: bool = False
    """The table is reading out the new scenes after a Big Shuffle."""
    shuffles: int = 0
    """How many Big Shuffles there have been."""
    winner: Seat | None = None
    won_with: tuple[Agenda, ...] = ()
    """The agendas that the winner has shown."""
    first: Seat | None = None
    """Who had the first turn."""
    counts: bool = True
    """Whether everything is counted, or names only."""
    doubts: tuple[Doubt, ...] = ()
    """Names that may be misspellings of others."""

    # ---------------------------------------------------------------- who

    def player(self, seat: Seat) -> Player:
        if seat not in self.players:
            raise NotAllowed("Nobody sits there. Choose another player.")
        return self.players[seat]

    def with_player(self, seat: Seat, **changes: object) -> Noir:
        changed = msgspec.structs.replace(self.player(seat), **changes)
        return msgspec.structs.replace(self, players={**self.players, seat: changed})

    def after(self, seat: Seat) -> Seat:
        """The next player clockwise."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    @property
    def expert(self) -> bool:
        return self.setup.mode == "expert"

    @property
    def beginner(self) -> bool:
        return self.setup.mode == "beginner"

    @property
    def over(self) -> bool:
        return self.winner is not None

    # ---------------------------------------------------------------- names

    def learn(self, kind: Kind, name: str, numbers: dict[str, int] | None = None) -> tuple[Noir, str]:
        names, spelt = cards.learn(self.names, kind, name, numbers)
        meant = None if cards.find(self.names, kind, name) else self.close_to(kind, spelt)
        doubts = self.doubts if meant is None else (*self.doubts, Doubt(kind, spelt, meant))
        return msgspec.structs.replace(self, names=names, doubts=doubts), spelt

    def close_to(self, kind: Kind, name: str) -> str | None:
        """Return the known name that this one may mean, unless the only card of that name is in sight."""
        once = kind in (*SCENES, *cards.ALSO_ONCE)
        names = (one.name for one in self.names.get(kind, ()) if not (once and self.lies_open(kind, one.name)))
        return cards.closest(name, names)

    def lies_open(self, kind: Kind, name: str) -> bool:
        """Whether everybody can see a card of this name."""
        if kind in SCENES:
            return self.city[kind].spot_of(name) is not None
        return any(card.kind == kind and same(card.name) == same(name) for card in self.in_sight())

    def without_doubts(self, kind: Kind, name: str) -> Noir:
        kept = (one for one in self.doubts if one.kind != kind or same(name) not in (same(one.name), same(one.meant)))
        return msgspec.structs.replace(self, doubts=tuple(kept))

    def forget(self, kind: Kind, name: str) -> Noir:
        """Forget a name that no card has, here and at the next table."""
        names = {**self.names, kind: tuple(one for one in self.names[kind] if same(one.name) != same(name))}
        return msgspec.structs.replace(self.without_doubts(kind, name), names=names)

    def number(self, kind: Kind, name: str | None, key: str) -> int | None:
        known = cards.find(self.names, kind, name) if name else None
        return known.numbers.get(key) if known else None

    # ---------------------------------------------------------------- piles

    def pile(self, pile: PileName) -> tuple[Card, ...]:
        return {"noir": self.noir, "informant": self.informants, "scene_change": self.changes}[pile]

    def with_pile(self, pile: PileName, discards: tuple[Card, ...]) -> Noir:
        field = {"noir": "noir", "informant": "informants", "scene_change": "changes"}[pile]
        return msgspec.structs.replace(self, **{field: discards})

    def discard(self, *found: Card) -> Noir:
        """Put cards on top of their discard piles, one after the other."""
        table = self
        for card in found:
            pile = pile_of(card.kind)
            table = table.with_pile(pile, (card, *table.pile(pile)))
        return table

    def in_sight(self) -> tuple[Card, ...]:
        """All cards, except scenes, whose place everybody knows."""
        attempt = self.attempt
        return (
            *self.noir, *self.informants, *self.changes,
            *(shown.card for shown in self.shown),
            *(Card("loot", name) for player in self.players.values() for name in player.loot),
            *(Card("informant", player.informant) for player in self.players.values() if player.informant),
            *(Card("character", player.character) for player in self.players.values() if player.character),
            *((goon.card for goon in attempt.goons) if attempt else ()),
            *((Card("scene_change", attempt.card),) if attempt and attempt.card else ()),
            *((Card("scene_change", self.rain),) if self.rain else ()),
        )  # fmt: skip

    def room_for(self, card: Card) -> None:
        """Refuse a card that would be in two places, or more cards of a kind than the box has."""
        sight = self.in_sight()
        if card.kind in cards.ALSO_ONCE and any(
            other.kind == card.kind and same(other.name) == same(card.name) for other in sight
        ):
            raise NotAllowed("{card} is already somewhere else on the table. Correct that first.", card=card.name)
        if sum(other.kind == card.kind for other in sight) >= BOX[card.kind]:
            raise NotAllowed(
                "All {n} cards of that kind are already on the table. If a discard pile was shuffled, tap that first.",
                n=BOX[card.kind],
            )

    def seen_coming(self, card: Card, holder: Seat) -> Noir:
        """Stop tracking a card in a hand, because its holder plays it now."""
        for i, shown in enumerate(self.shown):
            if shown.holder == holder and shown.card.kind == card.kind and same(shown.card.name) == same(card.name):
                return msgspec.structs.replace(self, shown=(*self.shown[:i], *self.shown[i + 1 :]))
        return self

    def deck(self, pile: PileName) -> int | None:
        """How many cards the deck has left; None for the noir deck, because hands are secret."""
        if pile == "noir":
            return None
        kind: Kind = pile
        in_deck = sum(shown.card.kind == kind and shown.holder == 0 for shown in self.shown)
        return BOX[kind] - sum(card.kind == kind for card in self.in_sight()) + in_deck

    # ---------------------------------------------------------------- the city

    def with_track(self, kind: SceneKind, track: Track) -> Noir:
        return msgspec.structs.replace(self, city={**self.city, kind: track})

    def empty_midtown(self) -> SceneKind | None:
        return next((kind for kind in SCENES if not self.city[kind].midtown), None)

    def big_shuffle(self) -> Noir:
        city: dict[SceneKind, Track] = {kind: shuffled_track() for kind in SCENES}
        verdict = msgspec.structs.replace(self.verdict, shuffled=True) if self.verdict else None
        return msgspec.structs.replace(self, city=city, shuffled=True, shuffles=self.shuffles + 1, verdict=verdict)

    def active(self) -> dict[SceneKind, str | None]:
        return {kind: self.city[kind].active for kind in SCENES}

    # ---------------------------------------------------------------- agendas

    def pairs(self) -> tuple[tuple[Seat, Seat], ...]:
        """Neighbours who share an agenda. Two players share only one."""
        if len(self.seats) == 2:
            return ((self.seats[0], self.seats[1]),)
        return tuple((seat, self.after(seat)) for seat in self.seats)

    def agendas_of(self, seat: Seat) -> tuple[Agenda, ...]:
        shared = tuple(agenda for pair, agenda in zip(self.pairs(), self.shared, strict=True) if seat in pair)
        return (self.personal[seat], *shared)

    def can_win(self, seat: Seat) -> bool:
        """You win on your own turn if each active scene is on one of your agendas."""
        if self.expert or self.over or self.turn.seat != seat:
            return False
        active = self.active()
        return all(
            any(matches(agenda.scene(kind), active[kind]) for agenda in self.agendas_of(seat)) for kind in SCENES
        )

    def worth(self, agenda: Agenda) -> int:
        """How many scenes of this agenda are active."""
        active = self.active()
        return sum(matches(agenda.scene(kind), active[kind]) for kind in SCENES)


def matches(noted: str | None, active: str | None) -> bool:
    return noted is not None and active is not None and same(noted) == same(active)


def pile_of(kind: Kind) -> PileName:
    if kind in NOIR:
        return "noir"
    if kind == "informant":
        return "informant"
    if kind == "scene_change":
        return "scene_change"
    raise NotAllowed("That kind of card has no discard pile. Choose another kind.")
