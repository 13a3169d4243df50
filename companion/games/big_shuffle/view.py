"""The public view: the city, the piles, the scene change and the people."""

from __future__ import annotations

import msgspec

from companion.game import Moment, Say, Seat
from companion.games.big_shuffle import agendas, attempts, moments, sentences
from companion.games.big_shuffle.cards import BOX, MOST_LOOT, NOIR, SCENES, Card, Kind, PileName, SceneKind
from companion.games.big_shuffle.city import Pile, Place, Track
from companion.games.big_shuffle.pieces import Agenda, Attempt, Goon, Player, Scored, Turn, Verdict
from companion.games.big_shuffle.state import Noir


class TrackView(msgspec.Struct, frozen=True):
    """The public knowledge about one type of scene."""

    kind: SceneKind
    title: bool
    active: str | None
    next: str | None
    has_next: bool
    uptown: Pile
    downtown: Pile
    midtown: int
    below: int
    """How many scenes are deeper than anybody may look."""
    still: tuple[str, ...] | None
    known: int
    of: int
    too_many: int
    """How many names are known beyond the ten scenes of this type: some must be wrong."""


class PartView(msgspec.Struct, frozen=True):
    """One part of the influence. The number is None while nobody has typed it."""

    part: str
    card: str | None
    n: int | None


class AttemptView(msgspec.Struct, frozen=True):
    """A scene change under way, with its running total."""

    seat: Seat
    kind: SceneKind
    title: bool
    scene: str | None
    place: Place
    to: Place
    way: str
    difficulty: int | None
    parts: tuple[PartView, ...]
    goons: tuple[Goon, ...]
    total: int | None
    """None while there is nothing to add up."""
    exact: bool
    """Whether every number is known; if not, the total is a minimum."""
    card: str | None
    stage: str
    next: Seat | None
    passed: tuple[Seat, ...]
    succeeds: bool | None


class PlayerView(msgspec.Struct, frozen=True):
    """The cards in front of a player."""

    seat: Seat
    character: str | None
    influence: tuple[int | None, ...]
    informant: str | None
    modifiers: tuple[int | None, ...]
    loot: tuple[str, ...]
    spare_loot: int
    points: int


class Tally(msgspec.Struct, frozen=True):
    """How many cards of a kind are discarded, visible elsewhere, and in the box."""

    kind: Kind
    discarded: int
    in_play: int
    of: int


class PileView(msgspec.Struct, frozen=True):
    """A discard pile, newest first, and what it tells about the deck."""

    pile: PileName
    cards: tuple[Card, ...]
    tallies: tuple[Tally, ...]
    deck: int | None
    unseen: tuple[str, ...] | None
    """The names that must still be in the deck, once all of them are known."""


class ShownView(msgspec.Struct, frozen=True):
    card: Card
    holder: Seat


class OpenAgenda(msgspec.Struct, frozen=True):
    """A shared agenda, face up between two neighbours."""

    first: Seat
    second: Seat
    agenda: Agenda


class TableView(msgspec.Struct, frozen=True):
    """Public knowledge."""

    turn: Seat | None
    played: bool
    attempted: bool
    tracks: tuple[TrackView, ...]
    missing: int
    shuffled: bool
    attempt: AttemptView | None
    verdict: Verdict | None
    rain: str | None
    players: tuple[PlayerView, ...]
    piles: tuple[PileView, ...]
    shown: tuple[ShownView, ...]
    open_agendas: tuple[OpenAgenda, ...]
    expert: bool
    aside: tuple[Scored, ...]
    undealt: int
    winner: Seat | None
    won_with: tuple[Agenda, ...]
    counts: bool
    question: Say | None
    """Will it work? For the scene change under way, or the one just settled."""
    outcome: Say | None
    """How the last scene change ended."""
    moment: Moment | None


def track_view(table: Noir, kind: SceneKind) -> TrackView:
    track: Track = table.city[kind]
    names = tuple(known.name for known in table.names.get(kind, ()))
    under = 0 if track.title else 1
    return TrackView(
        kind=kind,
        title=track.title,
        active=track.active,
        next=track.midtown[under] if len(track.midtown) > under else None,
        has_next=len(track.midtown) > under,
        uptown=track.uptown,
        downtown=track.downtown,
        midtown=len(track.midtown),
        below=max(0, len(track.midtown) - track.depth),
        still=track.still_in_midtown(names),
        known=min(len(names), BOX[kind]),
        of=BOX[kind],
        too_many=max(0, len(names) - BOX[kind]),
    )


def stage_of(table: Noir, attempt: Attempt) -> str:
    """The next step: reveal a card, hire goons or settle. A table that does not count only says the outcome."""
    if not table.counts:
        return "outcome"
    if attempt.card is None and not attempt.no_card:
        return "card"
    return "settle" if attempts.all_passed(table, attempt) else "goons"


def attempt_view(table: Noir) -> AttemptView | None:
    attempt = table.attempt
    if attempt is None:
        return None
    player = table.player(attempt.seat)
    cards = {"base": player.character, "informant": player.informant, "card": attempt.card}
    stage = stage_of(table, attempt)
    return AttemptView(
        seat=attempt.seat,
        kind=attempt.kind,
        title=attempt.title,
        scene=attempts.scene_of(table, attempt),
        place=attempt.spot.place,
        to=attempt.to,
        way=attempt.way,
        difficulty=attempts.difficulty(table, attempt),
        parts=tuple(PartView(part, cards.get(part), n) for part, n in attempts.amounts(table, attempt).items()),
        goons=attempt.goons,
        total=attempts.influence(table, attempt),
        exact=not attempts.unknown(table, attempt),
        card=attempt.card,
        stage=stage,
        next=attempt.next if stage == "goons" else None,
        passed=attempt.passed,
        succeeds=attempts.works(table, attempt),
    )


def player_view(table: Noir, seat: Seat, player: Player) -> PlayerView:
    return PlayerView(
        seat=seat,
        character=player.character,
        influence=tuple(player.influence.get(kind) for kind in SCENES),
        informant=player.informant,
        modifiers=tuple(table.number("informant", player.informant, kind) for kind in SCENES),
        loot=player.loot,
        spare_loot=0 if table.over else max(0, len(player.loot) - MOST_LOOT),
        points=player.points,
    )


def tally(table: Noir, kind: Kind) -> Tally:
    discarded = sum(card.kind == kind for pile in (table.noir, table.informants, table.changes) for card in pile)
    return Tally(kind, discarded, sum(card.kind == kind for card in table.in_sight()) - discarded, BOX[kind])


def pile_view(table: Noir, pile: PileName) -> PileView:
    kinds: tuple[Kind, ...] = NOIR if pile == "noir" else (pile,)
    return PileView(
        pile, table.pile(pile), tuple(tally(table, kind) for kind in kinds), table.deck(pile), unseen(table, pile)
    )


def unseen(table: Noir, pile: PileName) -> tuple[str, ...] | None:
    """The informants that must be in the deck, once all ten names are known."""
    names = tuple(known.name for known in table.names.get("informant", ()))
    if (
        pile != "informant"
        or len(names) != BOX["informant"]
        or any(p.informant is None for p in table.players.values())
    ):
        return None
    in_deck = {one.card.name for one in table.shown if not one.holder}
    seen = {card.name for card in table.in_sight() if card.kind == "informant"} - in_deck
    return tuple(name for name in names if name not in seen)


def question(table: Noir) -> Say | None:
    attempt, verdict = table.attempt, table.verdict
    if attempt is not None:
        return sentences.question(attempt.kind, attempts.scene_of(table, attempt), attempt.to, title=attempt.title)
    if verdict is not None:
        return sentences.question(verdict.kind, verdict.scene, verdict.to, title=verdict.title)
    return None


def table_view(table: Noir) -> TableView:
    turn: Turn = table.turn
    tracks = tuple(track_view(table, kind) for kind in SCENES)
    return TableView(
        turn=turn.seat,
        played=turn.played,
        attempted=turn.attempted,
        tracks=tracks,
        missing=sum(len(table.city[kind].asks()) for kind in SCENES),
        shuffled=table.shuffled,
        attempt=attempt_view(table),
        verdict=table.verdict,
        rain=table.rain,
        players=tuple(player_view(table, seat, table.players[seat]) for seat in table.seats),
        piles=tuple(pile_view(table, pile) for pile in ("noir", "informant", "scene_change") if table.counts),
        shown=tuple(ShownView(one.card, one.holder) for one in table.shown),
        open_agendas=tuple(
            OpenAgenda(first, second, agenda)
            for (first, second), agenda in zip(table.pairs(), table.shared, strict=True)
        )
        if table.beginner
        else (),
        expert=table.expert,
        aside=table.aside,
        undealt=agendas.undealt(table),
        winner=table.winner,
        won_with=table.won_with,
        counts=table.counts,
        question=question(table),
        outcome=sentences.outcome(table.verdict) if table.verdict else None,
        moment=moments.moment(table),
    )
