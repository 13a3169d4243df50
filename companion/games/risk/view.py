"""What everybody sees: the gangs, the turn, a fight, the Crown, and how it all goes."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.game import Moment, Say, SayN, Seat
from companion.games.risk import charts
from companion.games.risk.battle import dice_of
from companion.games.risk.chances import MOST_MEMBERS, fight
from companion.games.risk.charts import Evening, Outlook, Route, percent, roughly
from companion.games.risk.moments import Staged, moment_of, staged
from companion.games.risk.opening import deal_of
from companion.games.risk.road import Road, road
from companion.games.risk.state import STEPS, FightEnd, Gain, Gang, Round, StepName, Underworld

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
    """Regions held whole."""
    doubts: tuple[str, ...]


class RegionView(msgspec.Struct, frozen=True):
    number: int
    name: str
    bonus: int
    holder: int
    doubt: bool


class FightView(msgspec.Struct, frozen=True):
    """A fight as it stands, with its exact odds."""

    attacker: int
    loser: int
    attackers: int
    defenders: int
    stronghold: bool
    conquer: str
    roughly: str
    """The same chance without a decimal, to be read from the sofa."""
    width: float
    attackers_lost: str
    defenders_lost: str
    black: int
    red: int
    rounds: tuple[Round, ...]
    so_far: int
    lost: tuple[int, int] = (0, 0)
    """What the whole fight has cost both sides."""


class FoughtView(msgspec.Struct, frozen=True):
    """How the last fight ended, and the roll that decided it."""

    attacker: int
    loser: int
    end: FightEnd
    words: Say
    roll: Round
    attackers: int
    defenders: int
    lost: tuple[int, int] = (0, 0)


class TurnView(msgspec.Struct, frozen=True):
    """The turn as everybody sees it, and as its player taps it."""

    seat: Seat
    gang: int
    number: int
    step: StepName
    steps: tuple[StepName, ...]
    following: StepName | None
    gains: tuple[Gain, ...]
    total: int
    pieces: tuple[int, int, int]
    """The sum as vehicles of 10, riders of 5, members on foot."""
    neutrals: tuple[int, ...]
    """Neutral gangs that can have the three members of this turn; none once they are given."""
    reinforced: int
    targets: tuple[int, ...]
    fight: FightView | None
    fought: FoughtView | None
    draws: int
    piles: int
    crown: CrownNeeds
    space: int
    most: int = MOST_MEMBERS


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    phase: Phase
    gangs: dict[int, GangView]
    playing: tuple[int, ...]
    turn: TurnView | None
    order: tuple[Seat, ...]
    deal: tuple[Say, ...]
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
    evening: Evening | None
    most: int
    """Territories of whoever holds most."""
    moment: Moment | None = None
    staged: Staged | None = None
    """What the moment shows while it plays."""


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


def fight_view(state: Underworld) -> FightView | None:
    now = state.current.fight
    if now is None:
        return None
    odds = fight(now.attackers, now.defenders, now.stronghold)
    black, red = dice_of(now)
    return FightView(
        state.gang_of(state.current.seat).number, now.loser, now.attackers, now.defenders, now.stronghold,
        conquer=percent(odds.conquer), roughly=roughly(odds.conquer), width=round(100 * odds.conquer, 1),
        attackers_lost=f"{odds.attackers_lost:.1f}", defenders_lost=f"{odds.defenders_lost:.1f}",
        black=black, red=red, rounds=tuple(reversed(now.rounds[-3:])), so_far=len(now.rounds),
        lost=(sum(roll.attackers_lost for roll in now.rounds), sum(roll.defenders_lost for roll in now.rounds)),
    )  # fmt: skip


def fought_view(state: Underworld) -> FoughtView | None:
    last = None if state.turn is None else state.turn.fought
    if last is None:
        return None
    name, loser = state.current.seat, state.gang(last.loser).called()
    if last.end == "conquered":
        words: Say = SayN(
            "Conquered: {name} moves in. {n} attacker is left.",
            "Conquered: {name} moves in. {n} attackers are left.",
            n=last.attackers,
            name=name,
        )
    elif last.end == "held":
        words = SayN(
            "{loser} holds out with {n} defender.",
            "{loser} holds out with {n} defenders.",
            n=last.defenders,
            loser=loser,
        )
    else:
        words = Say("{name} retreats with {n}.", name=name, n=last.attackers)
    return FoughtView(
        state.gang_of(name).number, last.loser, last.end, words, last.roll, last.attackers, last.defenders,
        (last.roll.attackers_lost, last.roll.defenders_lost),
    )  # fmt: skip


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
    at = STEPS.index(turn.step)
    neutrals = () if turn.reinforced else tuple(gang.number for gang in state.neutrals if gang.territories)
    return TurnView(
        seat=turn.seat, gang=mine, number=len(state.chart), step=turn.step, steps=STEPS,
        following=STEPS[at + 1] if at + 1 < len(STEPS) else None,
        gains=gains, total=total, pieces=pieces(total), neutrals=neutrals, reinforced=turn.reinforced,
        targets=tuple(gang.number for gang in state.playing if gang.territories and gang.number != mine),
        fight=fight_view(state), fought=fought_view(state),
        draws=turn.conquests, piles=turn.piles, crown=crown_needs(state), space=state.crown,
    )  # fmt: skip


def deal_words(state: Underworld) -> tuple[Say, ...]:
    """How many cards everybody gets, before the first turn."""
    deal = deal_of(state)
    most, least = max(deal.territories), min(deal.territories)
    words = [
        Say("Deal {n} Territory cards to each player.", n=least)
        if most == least
        else Say(
            "Deal {n} Territory cards to each player; the last {last} in turn order get {most}.",
            n=least, most=most, last=deal.territories.count(most),
        )
    ]  # fmt: skip
    if deal.neutral:
        words.append(Say("Deal {n} to each of the three neutral gangs.", n=deal.neutral))
    words.append(Say("Place one member for each razor blade on a card, then shuffle all 42 cards again."))
    if deal.pile:
        words.append(Say("Put {n} cards beside the board under each neutral gang.", n=deal.pile))
    missions = SayN("{n} Mission card", "{n} Mission cards", n=deal.missions)
    words.append(
        Say("Give everybody {missions}, and {powers} Power cards face down.", missions=missions, powers=deal.powers)
    )
    if state.setup.crown:
        words.append(Say("Put the Crown on Parliament."))
    return tuple(words)


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
        order=state.seats,
        deal=deal_words(state) if phase == "opening" else (),
        route=charts.route(state),
        road=road(state),
        outlook=charts.outlook(state),
        crown_roll=state.crown_roll,
        regions=region_views(state),
        ending=state.ending,
        fought=fought_view(state) if state.ending in ("all", "rival") else None,
        winners=state.winners(),
        most=max((gang.territories for gang in state.playing if gang.seat is not None), default=0),
        evening=charts.evening(state) if phase != "opening" else None,
        moment=moment_of(state),
        staged=staged(state),
    )
