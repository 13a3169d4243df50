"""What everybody sees: the gangs, the turn, a fight, the Crown, the charts."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.game import Moment, Say, SayN, Seat, listed
from companion.games.risk import charts
from companion.games.risk.chances import MOST_MEMBERS
from companion.games.risk.charts import Evening, Outlook, Route
from companion.games.risk.fight_view import FightView, FoughtView, fight_view, fought_view
from companion.games.risk.moments import Staged, moment_of, staged
from companion.games.risk.opening import deal_of, turn_order
from companion.games.risk.road import Road, road
from companion.games.risk.state import STEPS, Gain, Gang, StepName, Underworld
from companion.games.risk.turn import shared_win

Phase = Literal["opening", "playing", "over"]
CrownNeeds = Literal["nothing", "move", "roll", "final"]


class GangView(msgspec.Struct, frozen=True):
    """A gang as everybody sees it."""

    number: int
    name: str
    colour: str
    seat: Seat | None
    territories: int
    neutral: bool
    out: bool
    pile: int
    holds: tuple[str, ...]
    """Names of the regions that it holds completely."""
    doubts: tuple[str, ...]
    """Names of the regions that it may have lost."""


class RegionView(msgspec.Struct, frozen=True):
    number: int
    name: str
    bonus: int
    holder: int
    doubt: bool


class PlaceView(msgspec.Struct, frozen=True):
    """A named territory and the gang that holds it; 0 if nobody has said."""

    name: str
    region: int
    stronghold: bool
    gang: int


class TurnView(msgspec.Struct, frozen=True):
    """The turn as everybody sees it, with all that its player can tap."""

    seat: Seat
    gang: int
    number: int
    step: StepName
    steps: tuple[StepName, ...]
    gains: tuple[Gain, ...]
    total: int
    pieces: tuple[int, int, int]
    """The total as vehicles (10), riders (5) and brawlers (1)."""
    neutrals: tuple[int, ...]
    """Neutral gangs that can get this turn's three members; empty once one has them."""
    reinforced: int
    targets: tuple[int, ...]
    fight: FightView | None
    fought: FoughtView | None
    draws: int
    piles: int
    crown: CrownNeeds
    space: int
    last_space: bool
    """The next space is the Tavern."""
    arrived: bool
    """The Crown reached the Tavern this turn; only the last roll is left."""
    late: int
    """Members that arrived after the first step and are not placed yet."""
    late_pieces: tuple[int, int, int]
    beaten: bool
    """The player lost all attackers of a fight this turn."""
    may_attack: bool
    places: tuple[tuple[str, tuple[PlaceView, ...]], ...] = ()
    """Named territories that can be attacked, by region."""
    most: int = MOST_MEMBERS


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    phase: Phase
    gangs: dict[int, GangView]
    playing: tuple[int, ...]
    turn: TurnView | None
    order: tuple[Seat, ...]
    first: Seat | None
    """Who starts, once that is decided."""
    deal: tuple[Say, ...]
    """How to deal the cards; empty until it is decided who starts."""
    route: Route | None
    road: Road | None
    """The same route, drawn for the stage."""
    outlook: Outlook | None
    crown_roll: tuple[int, int] | None
    regions: tuple[RegionView, ...]
    ending: str | None
    fought: FoughtView | None
    """The fight that ended the game, if one did."""
    winners: tuple[Seat, ...]
    verdict: Say | None
    """How the game ended, in one sentence."""
    evening: Evening | None
    most: int
    """The most territories that any player holds."""
    moment: Moment | None = None
    staged: Staged | None = None
    """What the stage shows while the moment plays."""


def gang_view(state: Underworld, gang: Gang) -> GangView:
    return GangView(
        gang.number, gang.name, gang.colour, gang.seat, gang.territories, gang.neutral,
        out=gang.playing and not gang.territories, pile=gang.pile,
        holds=tuple(region.name for region in state.regions if region.holder == gang.number and not region.doubt),
        doubts=tuple(region.name for region in state.regions if region.holder == gang.number and region.doubt),
    )  # fmt: skip


def pieces(members: int) -> tuple[int, int, int]:
    tens, rest = divmod(max(members, 0), 10)
    return tens, rest // 5, rest % 5


def crown_needs(state: Underworld) -> CrownNeeds:
    if not state.setup.crown:
        return "nothing"
    if state.crown == state.last_space:
        return "final"
    return "roll" if state.crown in state.dice else "move"


def turn_view(state: Underworld) -> TurnView | None:
    if state.turn is None or state.ending is not None:
        return None
    turn = state.turn
    mine = state.gang_of(turn.seat).number
    gains = state.gains()
    total = sum(gain.members for gain in gains)
    neutrals = () if turn.reinforced else tuple(gang.number for gang in state.neutrals if gang.territories)
    return TurnView(
        seat=turn.seat, gang=mine, number=len(state.chart), step=turn.step if turn.step in STEPS else "finish",
        steps=STEPS, gains=gains, total=total, pieces=pieces(total), neutrals=neutrals, reinforced=turn.reinforced,
        targets=tuple(gang.number for gang in state.playing if gang.territories and gang.number != mine),
        fight=fight_view(state), fought=fought_view(state),
        draws=turn.conquests, piles=turn.piles, crown=crown_needs(state), space=state.crown,
        last_space=state.crown + 1 == state.last_space, arrived=state.final,
        late=turn.late, late_pieces=pieces(turn.late),
        beaten=turn.beaten, may_attack=not (turn.beaten and state.setup.beaten == "turn"),
        places=tuple(
            (region, tuple(place for place in places if place.gang != mine)) for region, places in place_views(state)
        ),
    )  # fmt: skip


def place_views(state: Underworld) -> tuple[tuple[str, tuple[PlaceView, ...]], ...]:
    """Return every named territory by region; empty if this table does not name them."""
    if not state.setup.names:
        return ()
    return tuple(
        (
            region.name,
            tuple(
                PlaceView(
                    one.name, one.region, one.stronghold, state.held[one.name].gang if one.name in state.held else 0
                )
                for one in sorted(state.atlas, key=lambda place: place.name.casefold())
                if one.region == region.number
            ),
        )
        for region in state.regions
    )


def deal_words(state: Underworld) -> tuple[Say, ...]:
    """Return how to deal the cards, step by step."""
    deal = deal_of(state)
    most, least = max(deal.territories), min(deal.territories)
    last = [seat for seat, cards in zip(turn_order(state), deal.territories, strict=True) if cards == most]
    words = [
        Say("Deal {n} Territory cards to each player.", n=least)
        if most == least
        else Say(
            "Deal {n} Territory cards to each player, but {most} to {names}: they are last in turn order.",
            n=least, most=most, names=listed(tuple(last)),
        )
    ]  # fmt: skip
    if deal.neutral:
        words.append(Say("Deal {n} to each of the three neutral gangs.", n=deal.neutral))
    words.append(Say("Place one member for each razor blade on a card, then shuffle all 42 cards again."))
    if deal.pile:
        words.append(Say("Put {n} cards beside the board for each neutral gang.", n=deal.pile))
    words.append(
        # Translators: {powers} means two or three cards
        SayN(
            "Give everybody {n} Mission card, and {powers} Power cards face down.",
            "Give everybody {n} Mission cards, and {powers} Power cards face down.",
            n=deal.missions,
            powers=deal.powers,
        )
    )
    if state.setup.crown:
        words.append(Say("Put the Crown on Parliament."))
    return tuple(words)


def verdict(state: Underworld) -> Say | None:
    winners = state.winners()
    if state.ending is None:
        return None
    if not winners:
        return Say("A double six at the Garrison Tavern.")
    if len(winners) > 1:
        return shared_win(state)
    if state.ending == "rival":
        return Say("{name} has no rival left.", name=winners[0])
    most = state.gang_of(winners[0]).territories
    return SayN("{name} holds {n} territory.", "{name} holds {n} territories.", n=most, name=winners[0])


def phase_of(state: Underworld) -> Phase:
    return "opening" if state.turn is None else "playing" if state.ending is None else "over"


def region_views(state: Underworld) -> tuple[RegionView, ...]:
    return tuple(RegionView(r.number, r.name, r.bonus, r.holder, r.doubt) for r in state.regions)


def table_view(state: Underworld) -> TableView:
    phase = phase_of(state)
    return TableView(
        phase=phase,
        gangs={gang.number: gang_view(state, gang) for gang in state.gangs},
        playing=tuple(gang.number for gang in state.playing),
        turn=turn_view(state),
        order=turn_order(state) if phase == "opening" else state.seats,
        first=state.first,
        deal=deal_words(state) if phase == "opening" and state.first is not None else (),
        route=charts.route(state),
        road=road(state),
        outlook=charts.outlook(state),
        crown_roll=state.crown_roll,
        regions=region_views(state),
        ending=state.ending,
        fought=fought_view(state) if state.ending in ("all", "rival") else None,
        winners=state.winners(),
        verdict=verdict(state),
        most=max((gang.territories for gang in state.playing if gang.seat is not None), default=0),
        evening=charts.evening(state) if phase != "opening" else None,
        moment=moment_of(state),
        staged=staged(state),
    )
