"""The same evening on two servers that differ only in secrets. Everything they send is compared."""

from __future__ import annotations

import random
from collections.abc import Collection

from msgspec.structs import replace
from traitors_players import Players, Tour
from traitors_talk import GAME
from traitors_twin_tables import Twins, answer, difference

from companion.engine.links import WATCHER
from companion.engine.room_rules import GiveHost, MarkAway, MarkBack, OntoScreen, TakeBack, TakeHost
from companion.game import TABLE, ComesBack, Dice, GoesAway, NotAllowed, Say, Seat, Tap, TimeIsUp
from companion.games.traitors.agreement import Wish
from companion.games.traitors.banishment import CastVote, RevealVote
from companion.games.traitors.events import DrawEvent
from companion.games.traitors.murder import Answer, RevealMurder
from companion.games.traitors.setup import Setup
from companion.games.traitors.state import EndVote, Evening, Murder, Preparing, Revealing, Scored, Vote, Voting
from companion.testing import apply


def plays(twins: Twins, chance: random.Random, seat: Seat, tap: Tap) -> Evening:
    """Take one step on both sides, and compare the reply and every screen."""
    told = taps_on_both_sides(twins, seat, tap, chance)
    state: Evening = twins.one.now.state
    if not told or chance.random() < 0.5:
        twins.part(twin(state, chance))
    everybody = (WATCHER, TABLE, *state.seats)
    twins.look_alike(everybody)
    if isinstance(state.scene, Murder | Voting | EndVote):
        who_answered_is_not_told(twins, state, everybody, chance)
    return state


def tour(twins: Twins, seed: int = 1) -> set[type]:
    """Play an evening with everything in it up to the second round, and return the phases it had."""
    chance, setup, people = random.Random(seed), Setup(murders=1, banishments=1, quiet_nights=0, rounds="2"), Tour()
    twins.open(chance, 5, setup)
    seen: set[type] = set()
    for _ in range(300):
        if Scored in seen:
            break
        seat, tap = people.tap(twins.one.now.state)
        state = plays(twins, chance, seat, tap)
        seen.add(type(state.scene))
        if isinstance(heard(state, seat, tap), Say):  # and once more, to be refused
            taps_on_both_sides(twins, seat, tap, chance)
    return seen


def wished(twins: Twins, table: Players, chance: random.Random) -> tuple[Seat, Tap]:
    """A tap that somebody could send now."""
    room = twins.one.now.room
    if chance.random() < 0.06 and not isinstance(table.state.scene, Preparing):
        somebody = chance.choice(table.seats)
        return chance.choice(
            [
                (room.host, GiveHost(somebody)),
                (TABLE, TakeHost()),
                (TABLE, OntoScreen(somebody)),
                (room.host, TakeBack()),
            ]
        )
    seat, tap = table.sensible() if chance.random() < 0.75 else table.anything()
    if isinstance(tap, GoesAway | ComesBack):
        return room.host, MarkAway(seat) if isinstance(tap, GoesAway) else MarkBack(seat)
    return seat, tap


def taps_on_both_sides(twins: Twins, seat: Seat, tap: Tap, chance: random.Random) -> bool:
    """Send the same tap to both sides, with another secret choice. False if the tap reveals something."""
    one, other = twins.one, twins.other
    if isinstance(tap, TimeIsUp):
        for side in (one, other):
            side.wakes()
        return True
    state: Evening = one.now.state
    secret = isinstance(tap, Wish | CastVote | MarkAway)
    reveals = isinstance(tap, RevealMurder | RevealVote | DrawEvent) or (secret and len(state.waiting()) <= 1)
    version = one.now.version
    first = one.taps(seat, tap)
    assert first.status_code in (200, 422)
    if first.status_code == 200:
        tap = chance.choice(other_choices(state, seat, tap))
    second = other.taps(seat, tap)
    assert first.status_code == second.status_code
    assert one.now.version == other.now.version
    if first.status_code == 422:
        assert one.now.version == version, "a refused tap changes nothing"
    if reveals and first.status_code == 200:
        return False
    assert answer(first) == answer(second), f"the reply differs: {difference(answer(first), answer(second))}"
    return True


def other_choices(state: Evening, seat: Seat, tap: Tap) -> list[Tap]:
    """Another possible choice."""
    match tap:
        case Answer():
            numbers = (str(state.number_of(other)) for other in state.living if other != seat)
            return [Answer(key) for key in ("F", *numbers) if key != tap.choice]  # type: ignore[arg-type]
        case CastVote() if isinstance(state.scene, Voting):
            return [CastVote(str(state.number_of(other))) for other in state.scene.candidates]  # type: ignore[arg-type]
        case Wish():
            return [Wish("P" if tap.choice == "E" else "E")]
        case _:
            return [tap]


def who_answered_is_not_told(twins: Twins, state: Evening, everybody: tuple[Seat, ...], chance: random.Random) -> None:
    """If one player answered instead of another, only those two can tell, and the host once the vote is overdue."""
    answered = [seat for seat in state.scene.answered if seat not in state.away]  # type: ignore[union-attr]
    if not answered or not (waiting := state.waiting()):
        return
    gone, come = chance.choice(answered), chance.choice(waiting)
    knows = {gone, come, twins.one.now.room.host} if state.scene.overdue else {gone, come}  # type: ignore[union-attr]
    twins.part(somebody_else_answered(state, gone, come))
    twins.look_alike([seat for seat in everybody if seat not in knows])
    twins.part(twin(state, chance))


def heard(state: Evening, seat: Seat, tap: Tap) -> object:
    try:
        step = apply(GAME, state, seat, tap, Dice(random.Random(1)))
    except NotAllowed as refusal:
        return refusal.say
    return step.lines, step.sealed, step.secret, step.burn, step.alarm, step.later, GAME.table_view(step.state)


# -------------------------------------------------------------------------------- what nobody may know


def twin(state: Evening, chance: random.Random) -> Evening:
    """The same state with other secrets: answers, votes and their order, and the bag."""
    bag = tuple(sorted(state.setup.bag())[: len(state.bag)])
    scene = state.scene
    match scene:
        case Murder():
            keys = ("F", *(str(state.number_of(seat)) for seat in state.living))
            other = replace(scene, mark=chance.choice([key for key in keys if key != scene.mark]))
        case EndVote():
            other = replace(scene, wish="P" if scene.wish == "E" else "E")
        case Voting():
            voters = chance.sample(scene.answered, len(scene.answered))
            other = replace(scene, cast=votes(voters, scene.candidates, chance))
        case Revealing():
            hidden = votes([vote.voter for vote in scene.cast[scene.shown :]], scene.candidates, chance)
            other = replace(scene, cast=(*scene.cast[: scene.shown], *hidden))
        case _:
            other = scene
    return replace(state, scene=other, bag=bag)


def votes(voters: Collection[Seat], candidates: tuple[Seat, ...], chance: random.Random) -> tuple[Vote, ...]:
    return tuple(Vote(voter, chance.choice(candidates)) for voter in voters)


def somebody_else_answered(state: Evening, gone: Seat, come: Seat) -> Evening:
    """The same vote, where one player has answered instead of another."""
    scene = state.scene
    match scene:
        case Voting(cast=cast):
            swapped = tuple(Vote(come if vote.voter == gone else vote.voter, vote.target) for vote in cast)
            return replace(state, scene=replace(scene, cast=swapped))
        case Murder(answered=answered) | EndVote(answered=answered):
            swapped = {come if seat == gone else seat for seat in answered}
            in_order = tuple(seat for seat in state.seats if seat in swapped)
            return replace(state, scene=replace(scene, answered=in_order))  # type: ignore[type-var]
        case _:
            raise AssertionError("nobody is asked")
