"""Any table, any game: open, sit, act, take back. The store remembers, the bell tells."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from companion.engine.game import (
    KEEP,
    TABLE,
    ComesBack,
    Dice,
    Game,
    GoesAway,
    Latecomer,
    Leaves,
    Line,
    NotAllowed,
    Result,
    Say,
    Seat,
    Step,
    Tap,
    TimeIsUp,
    as_data,
    fill,
    keep,
    revive,
)
from companion.engine.links import WATCHER, BadLink, Link
from companion.engine.room import (
    ROOM_RULES,
    MarkAway,
    MarkBack,
    Person,
    Remove,
    Room,
    Start,
    TakeBack,
    needs_gathering,
)
from companion.engine.store import Entry, Row, Store, TableRow

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
RECENT = 12
"""So many sentences are at hand on every screen; the rest is a page away."""
TABLES_IN_MIND = 5_000


class NoSuchTable(Exception):
    """There is no such table, or not for this link."""


class Told(msgspec.Struct, frozen=True):
    """A sentence of the history with when it was said."""

    version: int
    at: float
    line: Line


@dataclass(frozen=True, slots=True)
class Present:
    """A table as it stands: the newest version, read."""

    id: str
    code: str
    game: Game
    version: int
    room: Room
    state: Any
    step: int
    parent: int | None
    floor: int
    step_by: Seat | None
    step_line: Line | None
    recent: tuple[Told, ...]
    at: float

    @property
    def result(self) -> Result | None:
        return None if self.state is None else self.game.result(self.state)

    def can_take_back(self, who: Seat) -> bool:
        """The host can, and whoever made the last step; a sealed step stays."""
        if self.parent is None or self.room.phase == "ended":
            return False
        return self.room.is_host(who) or (self.step_by is not None and who == self.step_by != TABLE)


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


class Tables:
    """All tables of this installation."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game],
        ring: Callable[[str], None] = lambda table: None,
        *,
        dice: Callable[[], Dice] = Dice,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.games = games
        self.ring = ring
        self._dice = dice
        self._clock = clock
        self._mind: OrderedDict[str, Present] = OrderedDict()

    # ---------------------------------------------------------------- opening and finding

    def open(self, game: Game, setup: msgspec.Struct) -> Present:
        """Open a table; its code is short enough to be read across a room."""
        room = Room(setup=as_data(setup))
        while True:
            row = TableRow(
                id=secrets.token_hex(6),
                code="".join(secrets.choice(LETTERS) for _ in range(4)),
                game=game.name,
                opened=self._clock(),
            )
            first = Row(
                table=row.id, version=1, room=keep(room), state=None, step=1, parent=None, floor=0,
                who=int(TABLE), at=row.opened, tap=None, lines=keep([Line(Say("The table is open."))]),
            )  # fmt: skip
            if self.store.open_table(row, first):
                self.store.remember(f"setup.{game.name}", keep(setup))
                return self.present(row.id)

    def last_setup(self, game: Game) -> msgspec.Struct:
        """The set-up of the last table of this game, or the game's own defaults."""
        kept = self.store.recall(f"setup.{game.name}")
        if kept is not None:
            try:
                return revive(kept, game.setup)
            except msgspec.MsgspecError:
                pass  # the game has changed since
        return game.setup()

    def by_code(self, code: str) -> Present:
        row = self.store.table_by_code(code.strip().upper())
        if row is None or row.game not in self.games:
            raise NoSuchTable
        return self.present(row.id)

    def present(self, table: str) -> Present:
        """The table as it stands."""
        if (found := self._mind.get(table)) is not None:
            return found
        row, newest = self.store.table(table), self.store.newest(table)
        if row is None or newest is None or newest.room is None or row.game not in self.games:
            raise NoSuchTable
        game = self.games[row.game]
        step = newest if newest.step == newest.version else self.store.at(table, newest.step)
        return self._bear_in_mind(
            Present(
                id=row.id, code=row.code, game=game, version=newest.version,
                room=revive(newest.room, Room),
                state=None if newest.state is None else revive(newest.state, game.state),
                step=newest.step, parent=newest.parent, floor=newest.floor,
                step_by=None if step.who is None else Seat(step.who), step_line=first_line(step.lines),
                recent=tuple(told(self.store.history(table, limit=RECENT))[:RECENT]), at=newest.at,
            )
        )  # fmt: skip

    def _bear_in_mind(self, present: Present) -> Present:
        self._mind[present.id] = present
        self._mind.move_to_end(present.id)
        if len(self._mind) > TABLES_IN_MIND:
            self._mind.popitem(last=False)
        return present

    def forget(self, table: str) -> None:
        """Somebody else may have changed it: read it anew next time."""
        self._mind.pop(table, None)

    def admit(self, link: Link) -> Present:
        """The table that a link opens, if it still does."""
        try:
            present = self.present(link.table)
        except NoSuchTable as gone:
            raise BadLink from gone
        if link.seat in (TABLE, WATCHER):
            return present
        if any(
            person.seat == link.seat and person.generation == link.generation and not person.gone
            for person in present.room.people
        ):
            return present
        raise BadLink

    def history(self, table: str, before: int | None = None, limit: int = 100) -> list[Told]:
        return told(self.store.history(table, before, limit))

    # ---------------------------------------------------------------- sitting down

    def sit(self, table: str, name: str, tap: str | None = None) -> tuple[Present, Seat]:
        """Somebody with a phone takes a seat; a running game may take them in between rounds."""

        def change(now: Present) -> Change:
            room, seat = now.room.seat_somebody(name, phone=True)
            if now.room.phase == "gathering":
                if len(room.here) > now.game.players[1]:
                    raise NotAllowed("The table is full. You can watch.")
                return self._room_change(now, room, Say("{name} sits down.", name=seat), who=seat)
            if now.room.phase == "ended" or Latecomer not in now.game.rules:
                raise NotAllowed("The game has started. You can watch.")
            if len(room.here) > now.game.players[1]:
                raise NotAllowed("The table is full. You can watch.")
            return self._game_change(now, room, seat, Latecomer(), Say("{name} sits down.", name=seat))

        tap_id = f"sit.{tap}" if tap else None
        done = self.store.with_tap(table, tap_id) if tap_id else None
        present = self.present(table) if done else self._commit(table, tap_id, change)
        done = done or (self.store.with_tap(table, tap_id) if tap_id else None)
        seat = Seat(done.who) if done and done.who is not None else max(p.seat for p in present.room.people)
        return present, seat

    def arrive(self, link: Link) -> Present:
        """A phone opens its seat's link: if the seat was moving, it has arrived."""
        now = self.admit(link)
        if link.seat <= TABLE or not now.room.person(link.seat).moving:
            return now

        def change(now: Present) -> Change:
            person = now.room.person(link.seat)
            room = now.room.with_person(msgspec.structs.replace(person, moving=False, phone=True))
            return self._room_change(now, room, Say("{name} is here with a phone.", name=link.seat), who=link.seat)

        return self._commit(link.table, f"arrive.{int(link.seat)}.{link.generation}", change)

    def change_setup(self, table: str, who: Seat, setup: msgspec.Struct) -> Present:
        """The host changes the set-up before the game starts."""

        def change(now: Present) -> Change:
            needs_gathering(now.room)
            if not now.room.is_host(who):
                raise NotAllowed("Only the host can do that.")
            room = msgspec.structs.replace(now.room, setup=as_data(setup))
            return self._room_change(now, room, Say("{who} changed the set-up.", who=who), who=who)

        present = self._commit(table, None, change)
        self.store.remember(f"setup.{present.game.name}", keep(setup))
        return present

    # ---------------------------------------------------------------- acting

    def act(self, table: str, who: Seat, tap: Tap, tap_id: str | None = None) -> Present:
        """Judge a tap by the table as it stands, keep what follows from it, and ring the bell."""
        return self._commit(table, f"{int(who)}.{tap_id}" if tap_id else None, lambda now: self._answer(now, who, tap))

    def wake(self, table: str) -> Present:
        """The alarm of a table is due."""
        now = self.present(table)
        due = now.room.alarm_at

        def change(now: Present) -> Change:
            room = msgspec.structs.replace(now.room, alarm_at=None)
            if now.room.phase != "playing" or now.room.alarm_at != due or TimeIsUp not in now.game.rules:
                return self._room_change(now, room, None, who=TABLE)
            return self._game_change(now, room, TABLE, TimeIsUp())

        return self._commit(table, f"alarm.{due}", change)

    def _commit(self, table: str, tap_id: str | None, change: Callable[[Present], Change]) -> Present:
        while True:
            now = self.present(table)
            if tap_id and self.store.with_tap(table, tap_id):
                return now  # a double tap, a retry, a reload: applied once
            new = change(now)
            row = Row(
                table=table, version=now.version + 1, room=keep(new.room),
                state=None if new.state is None else keep(new.state),
                step=new.step, parent=new.parent, floor=now.version + 1 if new.burn else now.floor,
                who=None if new.who is None else int(new.who), at=self._clock(), tap=tap_id, lines=keep(new.lines),
            )  # fmt: skip
            if self.store.commit(row, burn=new.burn, alarm=new.room.alarm_at):
                present = self._bear_in_mind(self._after(now, new, row))
                self._keep_what_lasts(now, present)
                self.ring(table)
                return present
            self.forget(table)

    def _keep_what_lasts(self, before: Present, after: Present) -> None:
        """What the game has just learnt is known at its next table."""
        lasting = after.game.lasting
        if lasting is None or before.state is None or after.state is None or before.state is after.state:
            return
        learnt = lasting.take(after.state)
        if learnt != lasting.take(before.state):
            self.store.remember(f"lasting.{after.game.name}", keep(learnt))

    def _with_what_lasts(self, game: Game, state: Any) -> Any:
        """The first state of a table, with what earlier tables of this game have left."""
        kept = self.store.recall(f"lasting.{game.name}") if game.lasting else None
        if game.lasting is None or kept is None:
            return state
        try:
            return game.lasting.give(state, revive(kept, game.lasting.kind))
        except msgspec.MsgspecError:
            return state  # the game has changed since

    def _after(self, now: Present, new: Change, row: Row) -> Present:
        if new.step == now.step:
            step_by, step_line = now.step_by, now.step_line
        else:
            step = row if new.step == row.version else self.store.at(now.id, new.step)
            step_by, step_line = None if step.who is None else Seat(step.who), first_line(step.lines)
        lines = tuple(Told(row.version, row.at, line) for line in reversed(new.lines))
        return Present(
            id=now.id, code=now.code, game=now.game, version=row.version, room=new.room, state=new.state,
            step=new.step, parent=new.parent, floor=row.floor, step_by=step_by, step_line=step_line,
            recent=(*lines, *now.recent)[:RECENT], at=row.at,
        )  # fmt: skip

    def _answer(self, now: Present, who: Seat, tap: Tap) -> Change:
        room = now.room
        if room.phase == "ended":
            raise NotAllowed("This table has ended.")
        if tap.by == "nobody" or (tap.by == "seat" and who == TABLE):
            raise NotAllowed("That is not for you to do.")
        if tap.by == "host" and not room.is_host(who):
            raise NotAllowed("Only the host can do that.")
        room = room.count_tap(who)
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
                    return self._game_change(now, room, seat, follows(), say)
                if follows is Leaves:
                    raise NotAllowed("Nobody can leave this game while it runs. Mark {name} as away.", name=seat)
            return self._room_change(now, room, say, who=who)
        if now.state is None:
            raise NotAllowed("The game has not started yet.")
        return self._game_change(now, room, who, tap)

    def _room_change(self, now: Present, room: Room, say: Say | None, *, who: Seat) -> Change:
        lines = () if say is None else (Line(say),)
        return Change(room, now.state, lines, who, step=now.step, parent=now.parent)

    def _game_change(self, now: Present, room: Room, who: Seat, tap: Tap, say: Say | None = None) -> Change:
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
        step.state = self._with_what_lasts(now.game, step.state)
        room = msgspec.structs.replace(room, phase="playing")
        return self._step(now, room, who, step, dice, Say("The game starts."))

    def _take_back(self, now: Present, room: Room, who: Seat) -> Change:
        if now.parent is None:
            raise NotAllowed("There is nothing that can be taken back.")
        if not now.can_take_back(who):
            raise NotAllowed("Only the host, or whoever did it, can take that back.")
        earlier = self.store.at(now.id, now.parent)
        if earlier.state is None:
            room = msgspec.structs.replace(room, phase="gathering")
        state = None if earlier.state is None else revive(earlier.state, now.game.state)
        what = now.step_line.say if now.step_line and now.step_line.to is None else Say("the last step")
        return Change(
            msgspec.structs.replace(room, alarm_at=None),
            state,
            (Line(Say("{who} took back: {what}", who=who, what=what)),),
            who,
            step=earlier.step,
            parent=earlier.parent,
        )


def told(entries: list[Entry]) -> list[Told]:
    """The sentences of these entries, newest first."""
    return [
        Told(entry.version, entry.at, line)
        for entry in entries
        for line in reversed(revive(entry.lines, tuple[Line, ...]))
    ]


def first_line(lines: bytes) -> Line | None:
    found = revive(lines, tuple[Line, ...])
    return found[0] if found else None


__all__ = ["NoSuchTable", "Person", "Present", "Tables", "Told"]
