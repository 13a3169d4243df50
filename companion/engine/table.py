"""Any table, any game: open, sit, act, take back. The store remembers, the bell tells."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from functools import partial

import msgspec

from companion.engine.finding import Finding, opens
from companion.engine.game import (
    KEEP,
    TABLE,
    Dice,
    Game,
    Latecomer,
    Line,
    NotAllowed,
    Say,
    Seat,
    Tap,
    TimeIsUp,
    as_data,
    keep,
    revive,
)
from companion.engine.judge import Change, Judge
from companion.engine.lasting import keep_what_lasts
from companion.engine.links import BadLink, Link
from companion.engine.present import Present, Told, first_line
from companion.engine.room import Room
from companion.engine.room_rules import needs_gathering
from companion.engine.store import Row, Store, TableRow

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
A_DAY = 24 * 3600.0


class NotDue(Exception):
    """Somebody else has rung this alarm already, or it was set anew."""


class Tables(Finding):
    """All tables of this installation.

    What is kept was computed from the version before it, or it is not kept.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game],
        ring: Callable[[str], None] = lambda table: None,
        *,
        dice: Callable[[], Dice] = Dice,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(store, games)
        self.ring = ring
        self._clock = clock
        self._judge = Judge(store, dice, clock)

    # ---------------------------------------------------------------- opening

    def open(self, game: Game, setup: msgspec.Struct) -> Present:
        """Open a table; its code is short enough to be read across a room."""
        room = Room(setup=as_data(setup))
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(4))
            row = TableRow(id=secrets.token_hex(6), code=code, game=game.name, opened=self._clock())
            if self.store.open_table(row, self._first_version(row, room, Say("The table is open."))):
                self.store.remember(f"setup.{game.name}", keep(setup))
                return self.present(row.id)

    def opened_today(self) -> int:
        """How many tables were opened in the last day."""
        return self.store.opened_since(self._clock() - A_DAY)

    def play_on(self, table: str, who: Seat, game: Game, setup: msgspec.Struct | None = None) -> Present:
        """The same people go on to the next game, or play the same again: their links lead there from now on."""

        def close(now: Present) -> Change:
            if not now.room.is_host(who):
                raise NotAllowed("Only the host can do that.")
            if not now.is_over:
                raise NotAllowed("This game is still going on. End the table first.")
            if len(now.room.here) > game.players[1]:
                raise NotAllowed("This game takes at most {most} players.", most=game.players[1])
            room = msgspec.structs.replace(now.room, phase="ended", alarm_at=None)
            return self._judge.room_change(now, room, Say("The night goes on: {game}.", game=Say(game.title)), who=who)

        self.catch_up(table)
        if (there := self.follow(table)) != table:
            return self.present(there)
        close(self.present(table))  # refuses whoever may not, also when the table is closed already
        now = self._commit(table, "goes on", close)
        kept = now.room.setup if setup is None else as_data(setup)
        number = len(list(self.store.tables(now.night))) + 1
        while not self._has_next(table):
            row = TableRow(
                id=secrets.token_hex(6), code=f"{now.code}.{number}", game=game.name, opened=self._clock(),
                night=now.night,
            )  # fmt: skip
            # Versions go on counting, so that an open screen knows the new table for the newer one.
            first = self._first_version(
                row, now.room.for_the_next_game(kept), Say("Another game: the same people, the same seats."),
                version=now.version + 1,
            )  # fmt: skip
            if self.store.open_table(row, first, after=table) and setup is not None:
                self.store.remember(f"setup.{game.name}", keep(setup))
            number += 1
        self.forget(table)
        self.ring(table)
        return self.present(self.follow(table))

    def _has_next(self, table: str) -> bool:
        row = self.store.table(table)
        return row is None or row.next is not None

    def _first_version(self, table: TableRow, room: Room, say: Say, version: int = 1) -> Row:
        return Row(
            table=table.id, version=version, room=keep(room), state=None, step=version, parent=None, floor=0,
            who=int(TABLE), at=table.opened, tap=None, lines=keep([Line(say)]),
        )  # fmt: skip

    def last_setup(self, game: Game) -> msgspec.Struct:
        """The set-up of the last table of this game, or the game's own defaults."""
        kept = self.store.recall(f"setup.{game.name}")
        if kept is not None:
            try:
                return revive(kept, game.setup)
            except msgspec.MsgspecError:
                pass  # the game has changed since
        return game.setup()

    # ---------------------------------------------------------------- sitting down

    def sit(self, table: str, name: str, tap: str | None = None, badge: int | None = None) -> tuple[Present, Seat]:
        """Somebody with a phone takes a seat; a running game may take them in between rounds."""

        seat = TABLE

        def change(now: Present) -> Change:
            nonlocal seat
            room, seat = now.room.seat_somebody(name, phone=True, badge=badge)
            if now.room.phase == "gathering":
                if len(room.here) > now.game.players[1]:
                    raise NotAllowed("The table is full. You can watch.")
                return self._judge.room_change(now, room, Say("{name} sits down.", name=seat), who=seat)
            if now.room.phase == "ended" or Latecomer not in now.game.rules:
                raise NotAllowed("The game has started. You can watch.")
            if len(room.here) > now.game.players[1]:
                raise NotAllowed("The table is full. You can watch.")
            return self._judge.game_change(now, room, seat, Latecomer(), Say("{name} sits down.", name=seat))

        tap_id = f"sit.{tap}" if tap else None
        present = self._commit(table, tap_id, change)
        # Tapped twice: the seat is the one that the first tap took, wherever that was heard.
        done = self.store.with_tap(table, tap_id) if tap_id else None
        return present, seat if done is None or done.who is None else Seat(done.who)

    def arrive(self, link: Link) -> Present:
        """A phone opens its seat's link: if the seat was moving, it has arrived."""
        now = self.admit(link)
        if link.seat <= TABLE or not now.room.person(link.seat).moving:
            return now

        def change(now: Present) -> Change:
            person = now.room.person(link.seat)
            room = now.room.with_person(msgspec.structs.replace(person, moving=False, phone=True))
            return self._judge.room_change(
                now, room, Say("{name} is here with a phone.", name=link.seat), who=link.seat
            )

        return self._commit(now.id, f"arrive.{int(link.seat)}.{link.generation}", change)

    def change_setup(self, table: str, who: Seat, setup: msgspec.Struct) -> Present:
        """The host changes the set-up before the game starts."""

        def change(now: Present) -> Change:
            needs_gathering(now.room)
            if not now.room.is_host(who):
                raise NotAllowed("Only the host can do that.")
            room = msgspec.structs.replace(now.room, setup=as_data(setup))
            return self._judge.room_change(now, room, Say("{who} changed the set-up.", who=who), who=who)

        present = self._commit(table, None, change)
        self.store.remember(f"setup.{present.game.name}", keep(setup))
        return present

    # ---------------------------------------------------------------- acting

    def act(
        self,
        table: str,
        who: Seat,
        tap: Tap,
        tap_id: str | None = None,
        link: Link | None = None,
        still: Callable[[Present], object] = lambda now: None,
    ) -> Present:
        """Judge a tap by the table as it stands, keep what follows from it, and ring the bell.

        The `link` that it came by must still open its seat in the very version that the tap is judged by,
        and whatever else it depends on must `still` hold there.
        """

        def change(now: Present) -> Change:
            still(now)
            return self._judge.answer(now, who, tap)

        done = self._commit(table, f"{int(who)}.{tap_id}" if tap_id else None, change, link)
        return self.mind.get(table) or done

    def now(self) -> float:
        """The time at every table."""
        return self._clock()

    def due(self) -> list[str]:
        """The tables whose alarm is due."""
        return self.store.due_alarms(self._clock())

    def wake(self, table: str) -> Present:
        """The alarm of a table is due; whoever of several processes is first rings it."""
        self.catch_up(table)
        now = self.present(table)
        due = now.room.alarm_at
        if due is None or due > self._clock():
            return now  # somebody else has rung it, and it may have been set anew

        def change(now: Present) -> Change:
            if now.room.alarm_at != due:
                raise NotDue
            room = msgspec.structs.replace(now.room, alarm_at=None)
            if now.room.phase != "playing" or TimeIsUp not in now.game.rules:
                return self._judge.room_change(now, room, None, who=TABLE)
            return self._judge.game_change(now, room, TABLE, TimeIsUp())

        try:
            return self._commit(table, f"alarm.{due}", change)
        except NotDue:
            return self.present(table)

    def _commit(
        self, table: str, tap_id: str | None, change: Callable[[Present], Change], link: Link | None = None
    ) -> Present:
        """The version that this change made; for a tap that was in already, the table as it stands."""
        while True:
            now = self.present(table)
            if link is not None and not opens(link, now):
                raise BadLink  # the seat has moved to another phone while this tap was on its way
            try:
                new = change(now)
            except NotAllowed:
                if tap_id and self._is_in(table, tap_id):
                    return self.present(table)  # a double tap, a retry, a reload: applied once
                raise
            row = Row(
                table=table, version=now.version + 1, room=keep(new.room),
                state=None if new.state is None else keep(new.state),
                step=new.step, parent=new.parent, floor=now.version + 1 if new.burn else now.floor,
                who=None if new.who is None else int(new.who), at=self._clock(), tap=tap_id, lines=keep(new.lines),
            )  # fmt: skip
            alarm = KEEP if new.room.alarm_at == now.room.alarm_at else new.room.alarm_at
            present = self._after(now, new, row)
            if self.store.commit(row, burn=new.burn, alarm=alarm, durable=partial(self._tell, present, new.burn)):
                keep_what_lasts(self.store, now, present)
                return present
            self.mind.forget(table, row.version)
            if tap_id and self._is_in(table, tap_id):
                return self.present(table)

    def _tell(self, present: Present, burnt: bool) -> None:
        """It is kept: this is how the table stands from now on, on every screen."""
        self.mind.bear(present)
        if burnt:
            self.mind.purge(present.id)
        self.ring(present.id)

    def _is_in(self, table: str, tap_id: str) -> bool:
        """Whether this tap is in already: then we look at the table from there on."""
        done = self.store.with_tap(table, tap_id)
        if done is not None:
            self.mind.forget(table, done.version)
        return done is not None

    def _after(self, now: Present, new: Change, row: Row) -> Present:
        if new.step == now.step:
            step_by, step_line = now.step_by, now.step_line
        else:
            step_by, step_line = new.who, new.lines[0] if new.lines else None
            if new.step != row.version:  # back at an earlier one
                step = self.store.at(now.id, new.step)
                step_by, step_line = None if step.who is None else Seat(step.who), first_line(step.lines)
        lines = [Told(row.version, row.at, line, place) for place, line in enumerate(new.lines)]
        return Present(
            id=now.id, code=now.code, game=now.game, version=row.version, room=new.room, state=new.state,
            step=new.step, parent=new.parent, floor=row.floor, step_by=step_by, step_line=step_line,
            recent=now.recent.tell(lines), at=row.at, night=now.night, next=now.next,
        )  # fmt: skip
