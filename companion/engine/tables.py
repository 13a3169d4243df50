"""Open, sit, act, play on, wake: the one place where a version of a table is made."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from time import perf_counter

import msgspec

from companion.engine.apply import apply_tap, apply_to_game, change_room
from companion.engine.lasting import store_what_lasts
from companion.engine.links import BadLink, Link
from companion.engine.reader import TableReader, opens
from companion.engine.room import Room
from companion.engine.room_rules import needs_gathering
from companion.engine.snapshot import Snapshot, as_data, decode, encode
from companion.engine.store import TableRow, Version
from companion.game import KEEP, TABLE, Dice, Game, Latecomer, Line, NotAllowed, Say, Seat, Tap, TimeIsUp

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
CODE_LENGTH = 4
DAY_S = 24 * 3600.0

# Where there is such a clock, it also counts the time a closed laptop sleeps.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))

Change = Callable[[Snapshot], Snapshot]
"""The table as it stands -> the table as it will stand, or `NotAllowed`."""


class SteadyClock:
    """The time of day when this process began, plus how long it has been running: it does not jump.

    A machine's own clock is corrected while people play, by the network or by hand. A pause of five seconds has to
    take five seconds all the same.
    """

    def __init__(self) -> None:
        self._began = time.time() - self._running()

    def __call__(self) -> float:
        return self._began + self._running()

    def _running(self) -> float:
        return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)


class AlarmGone(Exception):
    """Another process has rung this alarm already, or it was set again."""


class Tables:
    """Makes the versions of all tables of this installation.

    A version is committed only if nobody was quicker than the version it was computed from.
    """

    def __init__(
        self,
        reader: TableReader,
        *,
        tell: Callable[[str], None] = lambda table: None,
        dice: Callable[[], Dice] = Dice,
        clock: Callable[[], float] = time.time,
        observe_commit: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self.reader = reader
        self.store = reader.store
        self._cache = reader.cache
        self._tell = tell
        """Sends every open screen of a table what is new to it."""
        self._dice = dice
        self._clock = clock
        self._observe_commit = observe_commit

    # ---------------------------------------------------------------- from a tap to every screen

    def act(
        self,
        table: str,
        who: Seat,
        tap: Tap,
        tap_id: str | None = None,
        link: Link | None = None,
        check: Callable[[Snapshot], object] = lambda now: None,
    ) -> Snapshot:
        """Apply a tap to the table as it stands, store what follows from it, and tell every screen.

        The `link` that it came by must still open its seat in the version that the tap is applied to, and `check`
        must still accept that version.
        """

        def change(now: Snapshot) -> Snapshot:
            check(now)
            if tap_id is not None:
                now.room.refuse_burnt_tap(who, tap_id)
            return apply_tap(now, who, tap, dice=self._dice(), at=self._clock(), store=self.store)

        return self._commit(table, f"{int(who)}.{tap_id}" if tap_id else None, change, link)

    def _commit(self, table: str, tap_id: str | None, change: Change, link: Link | None = None) -> Snapshot:
        """Make a version: change, commit, tell, clear. For a tap that was applied already, the table as it stands."""
        while True:
            now = self.reader.snapshot(table)
            if link is not None and not opens(link, now):
                raise BadLink  # the seat has moved to another phone while this tap was on its way
            try:
                new = change(now)
            except NotAllowed:
                if self._was_applied(table, tap_id):
                    return self.reader.snapshot(table)  # a double tap, a retry, a reload
                raise
            alarm = KEEP if new.room.alarm_at == now.room.alarm_at else new.room.alarm_at
            began = perf_counter()
            committed = self.store.commit(new.as_stored(tap_id), alarm=alarm)
            if not committed:
                self._cache.evict(table, older_than=new.version)
                if self._was_applied(table, tap_id):
                    return self.reader.snapshot(table)
                continue  # somebody was quicker: the rule answers once more
            self._observe_commit(perf_counter() - began)
            self._cache.put(new)
            if new.burns:
                self._cache.burnt(table)
            self._tell(table)
            if new.burns:
                self.store.clear_burnt()
            if new.game.lasting is not None:
                store_what_lasts(self.store, now, new)
            return new

    def _was_applied(self, table: str, tap_id: str | None) -> bool:
        done = self.store.with_tap(table, tap_id) if tap_id else None
        if done is not None:
            self._cache.evict(table, older_than=done.version)
        return done is not None

    # ---------------------------------------------------------------- opening

    def open(self, game: Game, setup: msgspec.Struct) -> Snapshot:
        """Open a table; its code is short enough to be read across a room."""
        room = Room(setup=as_data(setup))
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            row = TableRow(id=secrets.token_hex(6), code=code, game=game.name, opened=self._clock())
            if self.store.open_table(row, first_version(row, room, Say("The table is open."))):
                self.store.remember(f"setup.{game.name}", encode(setup))
                return self.reader.snapshot(row.id)

    def opened_today(self) -> int:
        """How many tables were opened in the last day."""
        return self.store.opened_since(self._clock() - DAY_S)

    def last_setup(self, game: Game) -> msgspec.Struct:
        """The set-up of the last table of this game, or the game's own defaults."""
        stored = self.store.recall(f"setup.{game.name}")
        if stored is not None:
            try:
                return decode(stored, game.setup)
            except msgspec.MsgspecError:
                pass  # the game has changed since
        return game.setup()

    def play_on(self, table: str, who: Seat, game: Game, setup: msgspec.Struct | None = None) -> Snapshot:
        """The same people play the next game, or the same one again: their links lead there from now on."""

        def close(now: Snapshot) -> Snapshot:
            if not now.room.is_host(who):
                raise NotAllowed("Only the host can do that.")
            if not now.is_over:
                raise NotAllowed("This game is still going on. End the table first.")
            if len(now.room.here) > game.players[1]:
                raise NotAllowed("This game takes at most {most} players.", most=game.players[1])
            room = msgspec.structs.replace(now.room, phase="ended", alarm_at=None)
            say = Say("The night goes on: {game}.", game=Say(game.title))
            return change_room(now, room, say, who=who, at=self._clock())

        self.reader.catch_up(table)
        if (there := self.reader.follow(table)) != table:
            return self.reader.snapshot(there)
        close(self.reader.snapshot(table))  # refuses those who may not, also when the table is closed already
        now = self._commit(table, "goes on", close)
        next_setup = now.room.setup if setup is None else as_data(setup)
        number = len(list(self.store.tables(now.night))) + 1
        while not self._has_next(table):
            row = TableRow(
                id=secrets.token_hex(6), code=f"{now.code}.{number}", game=game.name, opened=self._clock(),
                night=now.night,
            )  # fmt: skip
            # Versions go on counting, so that an open screen takes the new table for the newer one.
            first = first_version(
                row, now.room.for_the_next_game(next_setup), Say("Another game: the same people, the same seats."),
                version=now.version + 1,
            )  # fmt: skip
            if self.store.open_table(row, first, after=table) and setup is not None:
                self.store.remember(f"setup.{game.name}", encode(setup))
            number += 1
        self._cache.evict(table)
        self._tell(table)
        return self.reader.snapshot(self.reader.follow(table))

    def _has_next(self, table: str) -> bool:
        row = self.store.table(table)
        return row is None or row.next is not None

    # ---------------------------------------------------------------- sitting down

    def sit(self, table: str, name: str, tap: str | None = None, badge: int | None = None) -> tuple[Snapshot, Seat]:
        """Somebody with a phone takes a seat; a running game may take them in between rounds."""
        seat = TABLE

        def change(now: Snapshot) -> Snapshot:
            nonlocal seat
            room, seat = now.room.seat_somebody(name, phone=True, badge=badge)
            gathering = now.room.phase == "gathering"
            if not gathering and (now.room.phase == "ended" or Latecomer not in now.game.rules):
                raise NotAllowed("The game has started. You can watch.")
            if len(room.here) > now.game.players[1]:
                raise NotAllowed("The table is full. You can watch.")
            say, at = Say("{name} sits down.", name=seat), self._clock()
            if gathering:
                return change_room(now, room, say, who=seat, at=at)
            return apply_to_game(now, room, seat, Latecomer(), dice=self._dice(), at=at, say=say)

        tap_id = f"sit.{tap}" if tap else None
        now = self._commit(table, tap_id, change)
        # Tapped twice: the seat is the one that the first tap took, whichever process applied it.
        done = self.store.with_tap(table, tap_id) if tap_id else None
        return now, seat if done is None or done.who is None else Seat(done.who)

    def arrive(self, link: Link) -> Snapshot:
        """A phone opens its seat's link: if the seat was moving, it has arrived."""
        now = self.reader.authorize(link)
        if link.seat <= TABLE or not now.room.person(link.seat).moving:
            return now

        def change(now: Snapshot) -> Snapshot:
            person = now.room.person(link.seat)
            room = now.room.with_person(msgspec.structs.replace(person, moving=False, phone=True))
            say = Say("{name} is here with a phone.", name=link.seat)
            return change_room(now, room, say, who=link.seat, at=self._clock())

        return self._commit(now.id, f"arrive.{int(link.seat)}.{link.generation}", change, link)

    def change_setup(self, table: str, who: Seat, setup: msgspec.Struct) -> Snapshot:
        """The host changes the set-up before the game starts."""

        def change(now: Snapshot) -> Snapshot:
            needs_gathering(now.room)
            if not now.room.is_host(who):
                raise NotAllowed("Only the host can do that.")
            room = msgspec.structs.replace(now.room, setup=as_data(setup))
            return change_room(now, room, Say("{who} changed the set-up.", who=who), who=who, at=self._clock())

        now = self._commit(table, None, change)
        self.store.remember(f"setup.{now.game.name}", encode(setup))
        return now

    # ---------------------------------------------------------------- alarms

    def time(self) -> float:
        """The time at every table."""
        return self._clock()

    def due(self) -> list[str]:
        """The tables whose alarm is due."""
        return self.store.due_alarms(self._clock())

    def wake(self, table: str) -> Snapshot:
        """The alarm of a table is due; of several processes, the first one rings it."""
        self.reader.catch_up(table)
        now = self.reader.snapshot(table)
        due = now.room.alarm_at
        if due is None or due > self._clock():
            return now  # another process has rung it, and it may have been set again

        def change(now: Snapshot) -> Snapshot:
            if now.room.alarm_at != due:
                raise AlarmGone
            room, at = msgspec.structs.replace(now.room, alarm_at=None), self._clock()
            if now.room.phase != "playing" or TimeIsUp not in now.game.rules:
                return change_room(now, room, None, who=TABLE, at=at)
            return apply_to_game(now, room, TABLE, TimeIsUp(), dice=self._dice(), at=at)

        try:
            return self._commit(table, f"alarm.{due}", change)
        except AlarmGone:
            return self.reader.snapshot(table)


def first_version(table: TableRow, room: Room, say: Say, version: int = 1) -> Version:
    return Version(
        table=table.id, version=version, room=encode(room), state=None, step=version, parent=None, burn_floor=0,
        who=int(TABLE), at=table.opened, tap=None, lines=encode([Line(say)]),
    )  # fmt: skip
