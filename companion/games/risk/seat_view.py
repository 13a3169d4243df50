"""What a seat, the shared screen and the host see and may tap. Only its owner sees a hand."""

from __future__ import annotations

import msgspec

from companion.game import TABLE, Say, Seat, listed
from companion.games.risk import cards
from companion.games.risk.state import Underworld
from companion.games.risk.view import (
    GangView,
    Phase,
    PlaceView,
    RegionView,
    TurnView,
    deal_words,
    gang_view,
    phase_of,
    place_views,
    region_views,
    turn_view,
)


class BladeView(msgspec.Struct, frozen=True):
    id: int
    blades: int
    chosen: bool


class MissionView(msgspec.Struct, frozen=True):
    id: int
    text: str
    reward: int
    turns: int
    holding: bool
    held: int
    done: bool
    places: tuple[str, ...]
    """Its named territories, if the app counts the turns."""


class HandView(msgspec.Struct, frozen=True):
    """The player's own cards."""

    blades: tuple[BladeView, ...]
    count: int
    chosen: int
    """Blades on the ticked cards."""
    members: int
    """Members that the ticked cards bring in the best trade."""
    sets: tuple[int, ...]
    stays: int
    """Blades on ticked cards that would bring nothing."""
    missions: tuple[MissionView, ...]
    powers: tuple[tuple[int, str], ...]
    unturned: int
    may_turn: bool
    """The player may turn over a Power card now: one each turn, in its first step."""
    turned: bool
    """The player turned one over this turn."""


class SeatView(msgspec.Struct, frozen=True):
    """What a seat or the shared screen may tap: its turn, and corrections."""

    phase: Phase
    gangs: dict[int, GangView]
    playing: tuple[int, ...]
    seats: tuple[Seat, ...]
    alive: tuple[Seat, ...]
    turn: TurnView | None
    mine: bool
    regions: tuple[RegionView, ...]
    spaces: int
    crown: int
    dice: tuple[int, ...]
    without: Say | None
    """Who has no gang yet, as a sentence; None if everybody has one."""
    gang: int = 0
    hand: HandView | None = None
    ahead: int = 0
    """Turns until it is this seat's turn."""
    winners: tuple[Seat, ...] = ()
    seat: Seat = TABLE
    first: Seat | None = None
    deal: tuple[Say, ...] = ()
    named: bool = False
    """This table names its territories."""
    places: tuple[tuple[str, tuple[PlaceView, ...]], ...] = ()


def hand_view(state: Underworld, seat: Seat) -> HandView:
    held = cards.hand(state, seat)
    picked = cards.chosen(held)
    found = cards.best(picked)
    blades = sum(card.blades for card in picked)
    return HandView(
        blades=tuple(BladeView(card.id, card.blades, card in picked) for card in held.blades),
        count=sum(card.blades for card in held.blades),
        chosen=blades,
        members=found.members,
        sets=found.sets,
        stays=blades - sum(found.sets),
        missions=tuple(
            MissionView(
                card.id, card.text, card.reward, card.turns, (kept := cards.held_for(state, seat, card)) is not None,
                kept or 0, (kept or 0) >= card.turns, card.places,
            )
            for card in held.missions
        ),
        powers=tuple((card.id, card.text) for card in held.powers),
        unturned=held.unturned,
        may_turn=(
            state.turn is not None and state.ending is None and state.turn.seat == seat and state.turn.step == "place"
            and held.unturned > 0 and held.turned != len(state.chart)
        ),
        turned=state.turn is not None and state.turn.seat == seat and held.turned == len(state.chart),
    )  # fmt: skip


def without_gang(state: Underworld) -> tuple[Seat, ...]:
    return tuple(seat for seat in state.seats if all(gang.seat != seat for gang in state.gangs))


def without_words(state: Underworld) -> Say | None:
    seats = without_gang(state)
    if not seats:
        return None
    names = listed(seats)
    return Say("Still without a gang: {names}. Anybody without one gets the next free gang.", names=names)


def seat_view(state: Underworld, seat: Seat) -> SeatView:
    turn = turn_view(state)
    alive = () if state.turn is None else tuple(player for player in state.seats if state.alive(player))
    ahead = 0
    if turn is not None and seat in alive and turn.seat in alive:
        ahead = (alive.index(seat) - alive.index(turn.seat)) % len(alive)
    return SeatView(
        seat=seat,
        phase=phase_of(state),
        gangs={gang.number: gang_view(state, gang) for gang in state.gangs},
        playing=tuple(gang.number for gang in state.playing),
        seats=state.seats,
        alive=alive,
        turn=turn,
        mine=turn is not None and seat in (turn.seat, TABLE),
        regions=region_views(state),
        spaces=state.last_space if state.setup.crown else 0,
        crown=state.crown,
        dice=state.dice,
        without=without_words(state),
        gang=next((gang.number for gang in state.gangs if gang.seat == seat and seat != TABLE), 0),
        hand=hand_view(state, seat) if seat in state.notebooks else None,
        ahead=ahead,
        winners=state.winners(),
        first=state.first,
        deal=deal_words(state) if state.turn is None and state.first is not None else (),
        named=state.setup.names,
        places=place_views(state),
    )


def screen_view(state: Underworld) -> SeatView:
    return seat_view(state, TABLE)


class HostView(msgspec.Struct, frozen=True):
    can_stop: bool


def host_view(state: Underworld) -> HostView:
    return HostView(phase_of(state) == "playing")


def choosing(state: Underworld) -> tuple[Seat, ...]:
    """Return the seats that may need their own screen: to take a gang, or to use their cards in their turn."""
    if state.turn is None:
        return without_gang(state)
    draws = state.turn.step not in ("place", "attack") and (state.turn.conquests or state.turn.piles)
    if state.ending is None and (state.turn.step == "place" or draws):
        return (state.turn.seat,)
    return ()
