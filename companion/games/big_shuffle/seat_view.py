"""What a phone and the shared screen show. Agendas are only on the phones of their owners."""

from __future__ import annotations

import msgspec

from companion.game import TABLE, Seat
from companion.games.big_shuffle import agendas
from companion.games.big_shuffle.agendas import Which
from companion.games.big_shuffle.cards import KINDS, SCENES, Doubt, Kind, SceneKind, closest, find
from companion.games.big_shuffle.city import Place, Spot, can_go, direction
from companion.games.big_shuffle.pieces import Agenda, Scored
from companion.games.big_shuffle.state import Noir, matches
from companion.games.big_shuffle.view import (
    AttemptView,
    OpenAgenda,
    PileView,
    PlayerView,
    ShownView,
    TrackView,
    table_view,
)


class Ask(msgspec.Struct, frozen=True):
    """A public scene whose name nobody has read out yet."""

    kind: SceneKind
    place: Place
    index: int
    active: bool
    offered: tuple[str, ...]
    """Known names of this type that nobody can see in the city."""


class Move(msgspec.Struct, frozen=True):
    """A scene change that can be attempted."""

    kind: SceneKind
    row: int
    """Moves of one scene have the same row."""
    move: str
    scene: str | None
    title: bool
    place: Place
    to: Place
    way: str
    difficulty: int | None


class Placed(msgspec.Struct, frozen=True):
    """A public scene with a name."""

    kind: SceneKind
    place: Place
    index: int
    name: str


class Tools(msgspec.Struct, frozen=True):
    """Everything that anybody may tap for the table. It is all public."""

    turn: Seat | None
    played: bool
    attempted: bool
    expert: bool
    beginner: bool
    over: bool
    seats: tuple[Seat, ...]
    asks: tuple[Ask, ...]
    shuffled: bool
    moves: tuple[Move, ...]
    placed: tuple[Placed, ...]
    titles: tuple[SceneKind, ...]
    names: dict[Kind, tuple[str, ...]]
    attempt: AttemptView | None
    card_modifiers: dict[str, int]
    rain: str | None
    players: tuple[PlayerView, ...]
    piles: tuple[PileView, ...]
    shown: tuple[ShownView, ...]
    open_agendas: tuple[OpenAgenda, ...]
    tracks: tuple[TrackView, ...]
    won_with: tuple[Agenda, ...]
    aside: tuple[Scored, ...]
    winner: Seat | None
    counts: bool
    doubt: Doubt | None
    """A name that may be a misspelling of another one."""


class MyAgenda(msgspec.Struct, frozen=True):
    """A personal agenda, or one shared with a neighbour."""

    which: Which
    neighbour: Seat | None
    who: str | None
    what: str | None
    where: str | None
    open: bool
    active: tuple[SceneKind, ...]
    """Which of its scenes are active now."""
    meant: tuple[tuple[SceneKind, str], ...]
    """Known names that the noted ones may be misspellings of."""

    @property
    def noted(self) -> int:
        return sum(name is not None for name in (self.who, self.what, self.where))

    @property
    def worth(self) -> int:
        return len(self.active)


class SeatView(msgspec.Struct, frozen=True):
    """What one phone shows: the tools, and this seat's agendas."""

    tools: Tools
    mine: PlayerView
    agendas: tuple[MyAgenda, ...]
    can_win: bool
    can_score: tuple[Which, ...]
    seat: Seat
    winner: Seat | None
    won_with: tuple[Agenda, ...]


class ScreenView(msgspec.Struct, frozen=True):
    """What the drawer of the shared screen shows: only the tools."""

    tools: Tools
    seat: Seat = TABLE


def asks(table: Noir) -> tuple[Ask, ...]:
    found = []
    for kind in SCENES:
        track = table.city[kind]
        offered = tuple(known.name for known in table.names.get(kind, ()) if track.spot_of(known.name) is None)
        found += [
            Ask(kind, spot.place, spot.index, is_active(table, kind, spot.place, spot.index), offered)
            for spot in track.asks()
        ]
    return tuple(sorted(found, key=lambda ask: not ask.active))


def is_active(table: Noir, kind: SceneKind, place: Place, index: int) -> bool:
    return place == "midtown" and index == 0 and not table.city[kind].title


def moves(table: Noir) -> tuple[Move, ...]:
    """All possible scene changes: the top of each midtown, and every scene uptown and downtown."""
    order = {"midtown": 0, "uptown": 1, "downtown": 2}
    spots = [
        (kind, spot, name)
        for kind in SCENES
        for spot, name in table.city[kind].public()
        if spot.place != "midtown" or not spot.index
    ]
    spots.sort(key=lambda one: (order[one[1].place], SCENES.index(one[0]), one[1].index))
    return tuple(
        move_of(table, row, kind, spot, name, to)
        for row, (kind, spot, name) in enumerate(spots)
        for to in can_go(spot.place)
    )


def move_of(table: Noir, row: int, kind: SceneKind, spot: Spot, name: str | None, to: Place) -> Move:
    title = spot.place == "midtown" and table.city[kind].title
    scene = None if title else name
    way = direction(spot.place, to)
    side = "active" if spot.place == "midtown" else "inactive"
    return Move(
        kind=kind,
        row=row,
        move=f"{kind}.{'title' if title else spot.place}.{spot.index}.{to}",
        scene=scene,
        title=title,
        place=spot.place,
        to=to,
        way=way,
        difficulty=table.number(kind, scene, f"{side}_{way}"),
    )


def tools(table: Noir) -> Tools:
    public = table_view(table)
    return Tools(
        turn=public.turn,
        played=public.played,
        attempted=public.attempted,
        expert=public.expert,
        beginner=table.beginner,
        over=table.over,
        seats=table.seats,
        asks=asks(table),
        shuffled=public.shuffled,
        moves=moves(table) if table.attempt is None else (),
        placed=tuple(
            Placed(kind, spot.place, spot.index, name)
            for kind in SCENES
            for spot, name in table.city[kind].public()
            if name is not None
        ),
        titles=tuple(kind for kind in SCENES if table.city[kind].title),
        names={kind: tuple(known.name for known in table.names.get(kind, ())) for kind in KINDS},
        attempt=public.attempt,
        card_modifiers={
            known.name: known.numbers["modifier"]
            for known in table.names.get("scene_change", ())
            if "modifier" in known.numbers
        },
        rain=public.rain,
        players=public.players,
        piles=public.piles,
        shown=public.shown,
        open_agendas=public.open_agendas,
        tracks=public.tracks,
        won_with=public.won_with,
        aside=public.aside,
        winner=public.winner,
        counts=table.counts,
        doubt=next(iter(table.doubts), None),
    )


def my_agendas(table: Noir, seat: Seat) -> tuple[MyAgenda, ...]:
    sides: tuple[Which, ...] = ("left",) if len(table.seats) == 2 else ("left", "right")
    found = []
    for which in ("mine", *sides):
        agenda = agendas.agenda_at(table, seat, which)
        neighbour = None
        if which != "mine":
            pair = table.pairs()[agendas.pair_of(table, seat, which)]
            neighbour = pair[1] if pair[0] == seat else pair[0]
        found.append(
            MyAgenda(
                which,
                neighbour,
                agenda.who,
                agenda.what,
                agenda.where,
                open=table.beginner and which != "mine",
                active=tuple(kind for kind in SCENES if matches(agenda.scene(kind), table.city[kind].active)),
                meant=tuple((kind, meant) for kind in SCENES if (meant := meant_by(table, kind, agenda.scene(kind)))),
            )
        )
    return tuple(found)


def meant_by(table: Noir, kind: SceneKind, noted: str | None) -> str | None:
    """Return the known name that a noted one may be a misspelling of."""
    if noted is None or find(table.names, kind, noted):
        return None
    return closest(noted, (known.name for known in table.names.get(kind, ())))


def seat_view(table: Noir, seat: Seat) -> SeatView:
    mine = my_agendas(table, seat)
    scores = table.expert and not table.over and table.turn.seat == seat and table.attempt is None and not table.rain
    shared = tools(table)
    return SeatView(
        seat=seat,
        winner=table.winner,
        won_with=table.won_with,
        tools=shared,
        mine=next(player for player in shared.players if player.seat == seat),
        agendas=mine,
        can_win=table.can_win(seat),
        can_score=tuple(agenda.which for agenda in mine if scores and agenda.worth >= agendas.LEAST_TO_SCORE),
    )


def screen_view(table: Noir) -> ScreenView:
    return ScreenView(tools(table))
