"""Applies a tap: who may do it, which rule answers, and what can be taken back. Nothing is stored here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from companion.engine.claims import AnswerClaim, answer_claim
from companion.engine.lasting import with_what_lasts
from companion.engine.room import Room
from companion.engine.room_rules import (
    ROOM_RULES,
    ROOM_TAPS,
    AddPerson,
    EndTable,
    MarkAway,
    MarkBack,
    Remove,
    Sit,
    Start,
    TakeBack,
    TakeHost,
    host_or_screen,
    leave_after_the_game,
    needs_gathering,
)
from companion.engine.snapshot import HistoryEntry, Snapshot, decode, fill, first_line
from companion.engine.store import Store
from companion.engine.table_tools import TOOL_RULES
from companion.game import (
    KEEP,
    TABLE,
    ChairsMoved,
    ComesBack,
    Dice,
    GoesAway,
    Leaves,
    Line,
    NotAllowed,
    Say,
    SayN,
    Seat,
    Step,
    Tap,
)  # fmt: skip

FOLLOWS: dict[type[Tap], type[Tap]] = {MarkAway: GoesAway, MarkBack: ComesBack, Remove: Leaves}
"""What a running game is told when the room changes."""
PART_OF_THE_STORY = (MarkAway, MarkBack, Remove, EndTable)
"""Changes of the room that stay in the history after the game."""


def apply_tap(now: Snapshot, who: Seat, tap: Tap, *, dice: Dice, at: float, store: Store) -> Snapshot:
    """Return the table after this tap, or raise `NotAllowed`. The store is only read, for earlier versions."""
    if now.room.phase == "ended" and not isinstance(tap, TakeHost):  # the host's phone may be lost
        raise NotAllowed("This table has ended.")
    if tap.by == "nobody" or (tap.by == "seat" and who == TABLE):
        raise NotAllowed("You can't do that from this screen.")
    if tap.by == "host" and not now.room.is_host(who):
        raise NotAllowed("Only the host can do that.")
    room = now.room.count_tap(who)
    if isinstance(tap, ROOM_TAPS):
        room = room.count_change()
    match tap:
        case Start():
            return _start(now, room, who, dice, at, store)
        case TakeBack():
            return _take_back(now, room, who, at, store)
        case AnswerClaim():
            room, say = answer_claim(room, who, tap, at)
            return change_room(now, room, say, who=who, at=at)
    if isinstance(tap, Remove) and now.is_over:
        room, say = leave_after_the_game(room, who, tap)
        return change_room(now, room, say, who=who, at=at, aside=False)
    if (rule := ROOM_RULES.get(type(tap))) is not None:
        room, say = rule(room, who, tap)
        follows = FOLLOWS.get(type(tap))
        seat: Seat = getattr(tap, "seat", TABLE)
        if follows and room.phase == "playing" and seat in now.room.seats:
            if follows in now.game.rules:
                return apply_to_game(now, room, seat, follows(), dice=dice, at=at, say=say)
            if follows is Leaves:
                raise NotAllowed("Nobody can leave while this game is running. Mark {name} as away instead.", name=seat)
        if isinstance(tap, Sit) and room.phase == "playing" and room.seats != now.room.seats:
            if ChairsMoved not in now.game.rules:
                raise NotAllowed("Nobody can change chairs while this game is running.")
            return apply_to_game(now, room, who, ChairsMoved(room.seats), dice=dice, at=at, say=say)
        # The person who sits down counts as author of this version: a store can tell an empty table by that.
        by = room.people[-1].seat if isinstance(tap, AddPerson) else who
        aside = now.state is None or not isinstance(tap, PART_OF_THE_STORY)
        return change_room(now, room, say, who=by, at=at, aside=aside)
    if (use := TOOL_RULES.get(type(tap))) is not None:
        host_or_screen(room, who)
        tools, say = use(room, tap, dice, at)
        room = msgspec.structs.replace(room, tools=tools)
        return change_room(now, room, say, who=who, at=at, aside=now.state is None)
    if now.state is None:
        raise NotAllowed("The game has not started yet.")
    if who != TABLE:
        room.person(who)  # refuses people who sit this game out
    return apply_to_game(now, room, who, tap, dice=dice, at=at)


def change_room(now: Snapshot, room: Room, say: Say | None, *, who: Seat, at: float, aside: bool = True) -> Snapshot:
    """A version that changes the people and not the game. `aside` keeps its line out of the game's story."""
    lines = () if say is None else (Line(say, aside=aside),)
    return replace(_next(now, at, lines), room=room, state=with_away(now.state, room), who=who)


def with_away(state: Any, room: Room) -> Any:
    """The state with who is away, if the game wants to know: `away` is the engine's field, no rule sets it."""
    known, away = getattr(state, "away", None), tuple([person.seat for person in room.here if person.away])
    return msgspec.structs.replace(state, away=away) if isinstance(known, tuple) and known != away else state


def apply_to_game(
    now: Snapshot, room: Room, who: Seat, tap: Tap, *, dice: Dice, at: float, say: Say | None = None
) -> Snapshot:
    """A version that the game's own rule for this tap makes; `say` comes before the rule's own lines."""
    rule = now.game.rules.get(type(tap))
    if rule is None:
        raise NotAllowed("That is not part of this game.")
    return _after_step(now, room, who, rule(with_away(now.state, room), who, tap, dice), dice, at, say)


def _next(now: Snapshot, at: float, lines: tuple[Line, ...]) -> Snapshot:
    """The next version of this table, before anything but its history has changed."""
    version = now.version + 1
    entries = [HistoryEntry(version, at, line, place) for place, line in enumerate(lines)]
    return replace(now, version=version, at=at, lines=lines, who=None, recent=now.recent.add(entries))


def _after_step(
    now: Snapshot, room: Room, who: Seat, step: Step, dice: Dice, at: float, say: Say | None = None
) -> Snapshot:
    state = with_away(step.state, room)
    if step.alarm != KEEP:
        room = msgspec.structs.replace(room, alarm_at=None if step.alarm is None else at + step.alarm)
    elif step.later and room.alarm_at is not None:
        room = msgspec.structs.replace(room, alarm_at=room.alarm_at + step.later)
    if now.game.result(state) is not None:
        room = msgspec.structs.replace(room, alarm_at=None)
    if step.note:
        # The last step stays the last step, and can be taken back as before.
        return replace(_next(now, at, ()), room=room, state=state)
    # Who sits at the table cannot be taken back, so neither can what the game made of it.
    people_changed = room.seats != now.room.seats
    final = step.sealed or dice.rolled or people_changed
    lines = step.lines if say is None else (Line(say), *step.lines)
    told_of = None if step.secret else who
    new = _next(now, at, lines)
    if step.burn:
        room = room.mark_burn()
    return replace(
        new, room=room, state=state, who=told_of, step=new.version, parent=None if final else now.step,
        burn_floor=new.version if step.burn else now.burn_floor, step_by=told_of,
        step_line=lines[0] if lines else None,
    )  # fmt: skip


def _start(now: Snapshot, room: Room, who: Seat, dice: Dice, at: float, store: Store) -> Snapshot:
    needs_gathering(room)
    least, most = now.game.players
    if not least <= len(room.here) <= most:
        raise NotAllowed(SayN(
            "This game needs {least} to {most} players, and {n} person is here.",
            "This game needs {least} to {most} players, and {n} people are here.",
            least=least, most=most, n=len(room.here),
        ))  # fmt: skip
    step = now.game.start(fill(room.setup, now.game.setup), room.seats, dice)
    step.state = with_what_lasts(store, now, step.state)
    room = msgspec.structs.replace(room, phase="playing")
    return _after_step(now, room, who, step, dice, at, Say("The game starts."))


def _take_back(now: Snapshot, room: Room, who: Seat, at: float, store: Store) -> Snapshot:
    if now.parent is None:
        raise NotAllowed("There is nothing to take back.")
    if not now.can_take_back(who):
        raise NotAllowed("Only the host or the person who did it can take that back.")
    earlier = store.at(now.id, now.parent)
    state = None
    if earlier.state is None:
        room = msgspec.structs.replace(room, phase="gathering")
    else:
        state = now.game.keeps(with_away(decode(earlier.state, now.game.state), room), now.state)
    what = now.step_line.say if now.step_line and now.step_line.to is None else Say("the last step")
    # Translators: what is a whole sentence of the history, or "the last step".
    return replace(
        _next(now, at, (Line(Say("{who} takes back: {what}", who=who, what=what)),)),
        room=msgspec.structs.replace(room, alarm_at=None), state=state, who=who,
        step=earlier.step, parent=earlier.parent,
        step_by=None if earlier.who is None else Seat(earlier.who), step_line=first_line(earlier),
    )  # fmt: skip
