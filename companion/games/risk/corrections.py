"""Corrections: anybody can fix what the app counts, and the history says who did."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from companion.game import N_, By, ChairsMoved, Dice, NotAllowed, Say, SayN, Seat, Step, Tap
from companion.games.risk.ground import hand_over, place_called, region_lines, tidy
from companion.games.risk.setup import TERRITORIES, Space, Which
from companion.games.risk.state import Turn, Underworld, replace
from companion.games.risk.turn import endings, needs_play

Count = Annotated[int, Meta(title=N_("Territories"), ge=0, le=TERRITORIES)]


class FixCounts(Tap, frozen=True, tag="FixCounts"):
    """Correct how many territories each gang holds. They add up to 42."""

    by: ClassVar[By] = "anybody"
    count: dict[Which, Count]


class MoveOne(Tap, frozen=True, tag="MoveOne"):
    """Move one territory to another gang without a conquest."""

    by: ClassVar[By] = "anybody"
    taker: Which
    loser: Which
    place: str = ""


class FixDraw(Tap, frozen=True, tag="FixDraw"):
    """Correct how many cards the player draws this turn."""

    by: ClassVar[By] = "anybody"
    cards: Annotated[int, Meta(title=N_("Cards"), ge=0, le=TERRITORIES)]


class FixCrown(Tap, frozen=True, tag="FixCrown"):
    """Correct where the Crown is."""

    by: ClassVar[By] = "anybody"
    space: Space


class FixDie(Tap, frozen=True, tag="FixDie"):
    """Add a die to a space of the route, or remove it."""

    by: ClassVar[By] = "anybody"
    space: Space


class FixTurn(Tap, frozen=True, tag="FixTurn"):
    """Correct whose turn it is."""

    by: ClassVar[By] = "anybody"
    player: Seat


class CountUp(Tap, frozen=True, tag="CountUp"):
    """End the game now and count the territories."""

    by: ClassVar[By] = "host"


def fix_counts(state: Underworld, seat: Seat, tap: FixCounts, dice: Dice) -> Step:
    needs_play(state)
    playing = {gang.number for gang in state.playing}
    if not playing.issuperset(tap.count):
        raise NotAllowed("That gang is not in this game. Choose another one.")
    gangs = [replace(gang, territories=tap.count.get(gang.number, gang.territories)) for gang in state.playing]
    total = sum(gang.territories for gang in gangs)
    if total != TERRITORIES:
        raise NotAllowed("That adds up to {n}, but the board has 42 territories.", n=total)
    lines = [
        SayN(
            "{who} fixes a mistake: {gang} holds {n} territory, not {old}.",
            "{who} fixes a mistake: {gang} holds {n} territories, not {old}.",
            n=gang.territories, who=seat, gang=gang.called(), old=state.gang(gang.number).territories,
        )
        for gang in gangs
        if gang.territories != state.gang(gang.number).territories
    ]  # fmt: skip
    if not lines:
        raise NotAllowed("These numbers are the same as before. Change at least one.")
    after = won(tidy(state.with_gangs(gangs)).settle())
    return Step(after, *lines, *endings(state, after))


def won(state: Underworld) -> Underworld:
    """Show the winner if a correction ended the game."""
    return state if state.ending is None else state.happens("winner")


def move_one(state: Underworld, seat: Seat, tap: MoveOne, dice: Dice) -> Step:
    needs_play(state)
    taker, loser = state.gang(tap.taker), state.gang(tap.loser)
    if not (taker.playing and loser.playing):
        raise NotAllowed("That gang is not in this game. Choose another one.")
    if taker == loser:
        raise NotAllowed("Choose two different gangs.")
    if not loser.territories:
        raise NotAllowed("{gang} holds no territory. Choose another gang.", gang=loser.called())
    if tap.place:
        place_called(state, tap.place)
    after = won(hand_over(state, tap.taker, tap.loser, tap.place).settle())
    names = {"loser": loser.called(), "taker": taker.called()}
    line = (
        Say("{who} fixes a mistake: {place} goes from {loser} to {taker}.", who=seat, place=tap.place, **names)
        if tap.place
        else Say("{who} fixes a mistake: one territory goes from {loser} to {taker}.", who=seat, **names)
    )
    regions = region_lines(state, after) if tap.place else []
    return Step(after, line, *regions, *endings(state, after))


def fix_draw(state: Underworld, seat: Seat, tap: FixDraw, dice: Dice) -> Step:
    needs_play(state)
    after = state.with_turn(conquests=tap.cards)
    line = SayN(
        "{who} fixes a mistake: {name} draws {n} card.", "{who} fixes a mistake: {name} draws {n} cards.",
        n=tap.cards, who=seat, name=state.current.seat,
    )  # fmt: skip
    return Step(after, line)


def needs_route(state: Underworld, space: int) -> None:
    needs_play(state)
    if not state.setup.crown:
        raise NotAllowed("This game is played without the Crown.")
    if space > state.last_space:
        raise NotAllowed("The route has only {n} spaces. Choose one of them.", n=state.last_space)


def fix_crown(state: Underworld, seat: Seat, tap: FixCrown, dice: Dice) -> Step:
    needs_route(state, tap.space)
    if tap.space == state.crown:
        raise NotAllowed("The Crown is already there. Choose another space.")
    after = replace(state, crown=tap.space, final=False, crown_roll=None)
    return Step(after, Say("{who} fixes a mistake: the Crown is on space {n}.", who=seat, n=tap.space))


def fix_die(state: Underworld, seat: Seat, tap: FixDie, dice: Dice) -> Step:
    needs_route(state, tap.space)
    if tap.space == state.last_space:
        raise NotAllowed("The Garrison Tavern needs no die: everybody rolls there anyway.")
    if tap.space in state.dice:
        after = replace(state, dice=tuple(space for space in state.dice if space != tap.space))
        return Step(after, Say("{who} fixes a mistake: space {n} has no die.", who=seat, n=tap.space))
    after = replace(state, dice=tuple(sorted((*state.dice, tap.space))))
    return Step(after, Say("{who} fixes a mistake: space {n} has a die.", who=seat, n=tap.space))


def fix_turn(state: Underworld, seat: Seat, tap: FixTurn, dice: Dice) -> Step:
    needs_play(state)
    if tap.player not in state.seats:
        raise NotAllowed("Nobody sits there any more.")
    if not state.alive(tap.player):
        raise NotAllowed("{name} is out. Choose somebody else.", name=tap.player)
    if tap.player == state.current.seat:
        raise NotAllowed("It is already {name}'s turn.", name=tap.player)
    after = replace(state, turn=Turn(tap.player), final=False)
    return Step(after, Say("{who} fixes a mistake: it is {name}'s turn.", who=seat, name=tap.player))


def chairs_moved(state: Underworld, seat: Seat, tap: ChairsMoved, dice: Dice) -> Step:
    """Take turns in the new order, from the same first player. The chart's columns stay with their gangs."""
    first = tap.seats.index(state.seats[0])
    after = replace(state, seats=(*tap.seats[first:], *tap.seats[:first]))
    columns = [state.playing.index(gang) for gang in after.playing]
    chart = tuple(tuple(row[place] for place in columns if place < len(row)) for row in state.chart)
    return Step(replace(after, chart=chart))


def count_up(state: Underworld, seat: Seat, tap: CountUp, dice: Dice) -> Step:
    needs_play(state)
    after = won(replace(state, ending="counted").mark())
    return Step(after, Say("{who} stops the game here.", who=seat), *endings(state, after))
