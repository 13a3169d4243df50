"""All taps of the game with their rules, and its result."""

from __future__ import annotations

from companion.game import ChairsMoved, Result, Rule, Say, Tap
from companion.games.risk import battle, cards, corrections, crown, missions, opening, places, turn
from companion.games.risk.state import Underworld

RULES: dict[type[Tap], Rule] = {
    opening.ChooseGang: opening.choose_gang,
    opening.Starts: opening.starts,
    opening.Begin: opening.begin,
    turn.Onward: turn.onward,
    turn.LatePlaced: turn.late_placed,
    turn.HoldRegion: turn.hold_region,
    turn.Reinforce: turn.reinforce,
    turn.Conquer: turn.conquer,
    turn.MoreMembers: turn.more_members,
    crown.RollCrown: crown.roll_crown,
    crown.TypeCrown: crown.type_crown,
    crown.EndTurn: crown.end_turn,
    battle.Attack: battle.attack,
    battle.RollFight: battle.roll_fight,
    battle.Lost: battle.lost,
    battle.Retreat: battle.retreat,
    battle.FixFight: battle.fix_fight,
    cards.AddBlade: cards.add_blade,
    cards.Trade: cards.trade,
    missions.AddMission: missions.add_mission,
    missions.HoldMission: missions.hold_mission,
    missions.LoseMission: missions.lose_mission,
    missions.Claim: missions.claim,
    missions.TurnPower: missions.turn_power,
    missions.PlayPower: missions.play_power,
    missions.Unturned: missions.unturned,
    cards.DropNote: cards.drop_note,
    places.NamePlace: places.name_place,
    places.ForgetPlace: places.forget_place,
    places.HoldPlaces: places.hold_places,
    corrections.FixCounts: corrections.fix_counts,
    corrections.MoveOne: corrections.move_one,
    corrections.FixDraw: corrections.fix_draw,
    corrections.FixCrown: corrections.fix_crown,
    corrections.FixDie: corrections.fix_die,
    corrections.FixTurn: corrections.fix_turn,
    ChairsMoved: corrections.chairs_moved,
    corrections.CountUp: corrections.count_up,
}


def result(state: Underworld) -> Result | None:
    """Return the winners, everybody's territories as points, their gangs, and who started."""
    if state.ending is None:
        return None
    gangs = {seat: state.gang_of(seat) for seat in state.seats}
    return Result(
        state.winners(),
        {seat: gang.territories for seat, gang in gangs.items()},
        starter=state.seats[0] if state.first is None else state.first,
        roles={seat: Say("{name}", name=gang.name) for seat, gang in gangs.items()},
    )
