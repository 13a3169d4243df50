"""Any table, any game: open, sit, act, take back. The store remembers, the bell tells."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping

import msgspec

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
from companion.engine.links import WATCHER, BadLink, Link
from companion.engine.mind import Mind
from companion.engine.present import RECENT, Present, Recent, Told, first_line, told
from companion.engine.room import (
    Room,
    needs_gathering,
)
from companion.engine.store import Row, Store, StoreTrouble, TableRow

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
A_DAY = 24 * 3600.0


class NoSuchTable(Exception):
    """There is no such table, or not for this link."""


class NotDue(Exception):
    """Somebody else has rung this alarm already, or it was set anew."""


class Tables:
    """All tables of this installation.

    A store may let others go on while it answers, and others may be other processes. So whatever was
    read may be old when it arrives: an older table never takes the place of a newer one in mind, and
    what is kept was computed from the version before it, or it is not kept.
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
        self.store = store
        self.games = games
        self.ring = ring
        self._clock = clock
        self._judge = Judge(store, dice, clock)
        self.mind = Mind()

    # ---------------------------------------------------------------- opening and finding

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

    def night_of(self, table: str) -> str | None:
        row = self.mind.get(table) or self.store.table(table)
        return None if row is None else row.night

    def _has_next(self, table: str) -> bool:
        row = self.store.table(table)
        return row is None or row.next is not None

    def _first_version(self, table: TableRow, room: Room, say: Say, version: int = 1) -> Row:
        return Row(
            table=table.id, version=version, room=keep(room), state=None, step=version, parent=None, floor=0,
            who=int(TABLE), at=table.opened, tap=None, lines=keep([Line(say)]),
        )  # fmt: skip

    def follow(self, table: str) -> str:
        """The table where the people of this one are now."""
        while True:
            known = self.mind.get(table) or self.store.table(table)
            if known is None or known.next is None:
                return table
            table = known.next

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
        """The table that the people with this code sit at now."""
        row = self.store.table_by_code(code.strip().upper())
        if row is None:
            raise NoSuchTable
        self.catch_up(row.id)
        return self.present(self.follow(row.id))

    def present(self, table: str) -> Present:
        """The table as it stands."""
        if (found := self.mind.get(table)) is not None:
            return found
        row, newest = self.store.table(table), self.store.newest(table)
        if row is None or newest is None or newest.room is None or row.game not in self.games:
            raise NoSuchTable
        game = self.games[row.game]
        try:
            step = newest if newest.step == newest.version else self.store.at(table, newest.step)
        except LookupError as gone:
            raise NoSuchTable from gone
        return self.mind.bear(
            Present(
                id=row.id, code=row.code.partition(".")[0], game=game, version=newest.version,
                room=revive(newest.room, Room),
                state=None if newest.state is None else revive(newest.state, game.state),
                step=newest.step, parent=newest.parent, floor=newest.floor,
                step_by=None if step.who is None else Seat(step.who), step_line=first_line(step.lines),
                recent=self._recent(table, newest.version), at=newest.at, night=row.night, next=row.next,
            )
        )  # fmt: skip

    def _recent(self, table: str, version: int) -> Recent:
        """Read back from this version far enough for a screenful of sentences that are for everybody."""
        lines: list[Told] = []
        before = version + 1
        while sum(one.line.to is None for one in lines) < RECENT:
            entries = self.store.history(table, before, limit=4 * RECENT)
            if not entries:
                break
            lines += told(entries)
            before = entries[-1].version
        return Recent().tell(reversed(lines))

    def catch_up(self, *tables: str) -> None:
        """What other processes have kept up to now is seen from here on, also where people have gone on to."""
        asked: set[str] = set()
        while self.store.shared and tables:
            marks = self.store.marks(tables)
            for table in tables:
                if table in self.mind:
                    self.mind.hear(table, marks.get(table))
            asked.update(tables)
            tables = tuple(mark.next for mark in marks.values() if mark.next and mark.next not in asked)

    def forget(self, table: str) -> None:
        """Somebody else may have changed it: read it anew next time."""
        self.mind.forget(table)

    def forget_all(self) -> None:
        self.mind.forget_all()

    def admit(self, link: Link) -> Present:
        """The table that a link opens, if it still does: the newest one of its night."""
        try:
            present = self.present(self.follow(link.table))
        except NoSuchTable as gone:
            raise BadLink from gone
        if not opens(link, present):
            raise BadLink
        return present

    def history(self, table: str, seat: Seat, before: int | None = None, limit: int = 100) -> list[Told]:
        """What this seat may read, newest first: at least `limit` sentences if there are so many."""
        found: list[Told] = []
        while len(found) < limit:
            entries = self.store.history(table, before, limit)
            if not entries:
                break
            found += [one for one in told(entries) if one.line.for_seat(seat)]
            before = entries[-1].version
        return found

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
            if self.store.commit(row, burn=new.burn, alarm=alarm):
                try:
                    present = self._after(now, new, row)
                except StoreTrouble:
                    # It is kept, but cannot be drawn just now: whoever looks next reads it.
                    self.mind.forget(table, row.version)
                    self.ring(table)
                    raise
                self.mind.bear(present)
                keep_what_lasts(self.store, now, present)
                if new.burn:
                    self.mind.purge(table)
                self.ring(table)
                return present
            self.mind.forget(table, row.version)
            if tap_id and self._is_in(table, tap_id):
                return self.present(table)

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


def opens(link: Link, now: Present) -> bool:
    """Whether this link opens its seat at this table, as it stands."""
    if link.seat in (TABLE, WATCHER):
        return True
    for person in now.room.people:
        if person.seat == link.seat:
            return person.generation == link.generation and not person.gone
    return False
