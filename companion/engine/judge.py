"""What follows from a tap: who may, which rule answers, and what can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from companion.engine.game import (
    KEEP,
    TABLE,
    ComesBack,
    Dice,
    GoesAway,
    Leaves,
    Line,
    NotAllowed,
    Say,
    Seat,
    Step,
    Tap,
    fill,
    revive,
)
from companion.engine.lasting import with_what_lasts
from companion.engine.present import Present
from companion.engine.room import Room
from companion.engine.room_rules import (
    ROOM_RULES,
    TABLE_TAPS,
    MarkAway,
    MarkBack,
    Remove,
    Start,
    TakeBack,
    needs_gathering,
)
from companion.engine.store import Store


@dataclass(slots=True)
class Change:
    """What a tap makes of the present table, before it is kept."""

    room: Room
    state: Any
    lines: tuple[Line, ...]
    who: Seat | None
    step: int
    parent: int | None
    burn: bool = False


class Judge:
    """Judges a tap by the table as it stands, and keeps nothing."""

    def __init__(self, store: Store, dice: Callable[[], Dice], clock: Callable[[], float]) -> None:
        self._store = store
        self._dice = dice
        self._clock = clock

    def answer(self, now: Present, who: Seat, tap: Tap) -> Change:
        room = now.room
        if room.phase == "ended":
            raise NotAllowed("This table has ended.")
        if tap.by == "nobody" or (tap.by == "seat" and who == TABLE):
            raise NotAllowed("That is not for you to do.")
        if tap.by == "host" and not room.is_host(who):
            raise NotAllowed("Only the host can do that.")
        room = room.count_tap(who)
        if isinstance(tap, TABLE_TAPS):
            room = room.count_change()
        match tap:
            case Start():
                return self._start(now, room, who)
            case TakeBack():
                return self._take_back(now, room, who)
        if (rule := ROOM_RULES.get(type(tap))) is not None:
            room, say = rule(room, who, tap)
            follows = {MarkAway: GoesAway, MarkBack: ComesBack, Remove: Leaves}.get(type(tap))
            if follows and room.phase == "playing":
                seat: Seat = tap.seat  # type: ignore[attr-defined]
                if follows in now.game.rules:
                    return self.game_change(now, room, seat, follows(), say)
                if follows is Leaves:
                    raise NotAllowed("Nobody can leave this game while it runs. Mark {name} as away.", name=seat)
            return self.room_change(now, room, say, who=who)
        if now.state is None:
            raise NotAllowed("The game has not started yet.")
        return self.game_change(now, room, who, tap)

    def room_change(self, now: Present, room: Room, say: Say | None, *, who: Seat) -> Change:
        lines = () if say is None else (Line(say),)
        return Change(room, now.state, lines, who, step=now.step, parent=now.parent)

    def game_change(self, now: Present, room: Room, who: Seat, tap: Tap, say: Say | None = None) -> Change:
        rule = now.game.rules.get(type(tap))
        if rule is None:
            raise NotAllowed("That is not part of this game.")
        dice = self._dice()
        return self._step(now, room, who, rule(now.state, who, tap, dice), dice, say)

    def _step(self, now: Present, room: Room, who: Seat, step: Step, dice: Dice, say: Say | None = None) -> Change:
        if step.alarm != KEEP:
            alarm_at = None if step.alarm is None else self._clock() + step.alarm
            room = msgspec.structs.replace(room, alarm_at=alarm_at)
        if now.game.result(step.state) is not None:
            room = msgspec.structs.replace(room, alarm_at=None)
        if step.aside:
            # As with who has which phone: the last step stays the last step, and can be taken back as before.
            return Change(room, step.state, (), None, step=now.step, parent=now.parent)
        # Who sits at the table cannot be taken back, so neither can what the game made of it.
        people_changed = room.seats != now.room.seats
        final = step.sealed or dice.rolled or people_changed
        lines = step.lines if say is None else (Line(say), *step.lines)
        return Change(
            room,
            step.state,
            lines,
            who=None if step.secret else who,
            step=now.version + 1,
            parent=None if final else now.step,
            burn=step.burn,
        )

    def _start(self, now: Present, room: Room, who: Seat) -> Change:
        needs_gathering(room)
        least, most = now.game.players
        if not least <= len(room.here) <= most:
            raise NotAllowed(
                "This game needs {least} to {most} players; {n} are here.", least=least, most=most, n=len(room.here)
            )
        dice = self._dice()
        step = now.game.start(fill(room.setup, now.game.setup), room.seats, dice)
        step.state = with_what_lasts(self._store, now.game, step.state)
        room = msgspec.structs.replace(room, phase="playing")
        return self._step(now, room, who, step, dice, Say("The game starts."))

    def _take_back(self, now: Present, room: Room, who: Seat) -> Change:
        if now.parent is None:
            raise NotAllowed("There is nothing that can be taken back.")
        if not now.can_take_back(who):
            raise NotAllowed("Only the host, or whoever did it, can take that back.")
        earlier = self._store.at(now.id, now.parent)
        if earlier.state is None:
            room = msgspec.structs.replace(room, phase="gathering")
        state = None
        if earlier.state is not None:
            state = now.game.keeps(revive(earlier.state, now.game.state), now.state)
        what = now.step_line.say if now.step_line and now.step_line.to is None else Say("the last step")
        return Change(
            msgspec.structs.replace(room, alarm_at=None),
            state,
            (Line(Say("{who} took back: {what}", who=who, what=what)),),
            who,
            step=earlier.step,
            parent=earlier.parent,
        )
