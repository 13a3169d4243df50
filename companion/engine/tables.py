"""Open, sit, act, play on, wake: the one place where a version of a table is made."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from functools import partial
from time import perf_counter

import msgspec

from companion.engine.apply import apply_tap, apply_to_game, change_room
from companion.engine.lasting import store_setup, store_what_lasts
from companion.engine.links import BadLink, Link
from companion.engine.next_game import EVERYBODY, MAX_TABLES_OF_NIGHT, Company, join_their_night, next_room
from companion.engine.reader import TableReader, opens
from companion.engine.results import played
from companion.engine.room import Room, Scope
from companion.engine.room_rules import EndTable, Start, needs_gathering
from companion.engine.snapshot import Snapshot, as_data, encode, first_version
from companion.engine.store import TableRow
from companion.game import KEEP, TABLE, Dice, Game, Latecomer, NotAllowed, Say, Seat, Tap, TimeIsUp

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
CODE_LENGTH = 4
MAX_VERSIONS = 100_000
"""Per night, because its tables share one count. A long night has a few thousand."""
MAX_EMPTY_VERSIONS = 200
"""Per empty table, where only the set-up and the link can change."""
SEND_AGAIN_S = 60.0
"""How long a form that gives out a link may be sent again, if nothing has changed since."""

Change = Callable[[Snapshot], Snapshot]
"""Takes the snapshot of a table and returns the next one, or raises `NotAllowed`."""


def steady_clock() -> Callable[[], float]:
    """The time of day now, plus how long it has been since: it does not jump when the machine's clock is corrected.

    A pause of five seconds has to take five seconds all the same.
    """
    # Where there is such a clock, it also counts the time a closed laptop sleeps.
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    running = time.monotonic if clock is None else partial(time.clock_gettime, clock)
    began = time.time() - running()
    return lambda: began + running()


class AlarmGone(Exception):
    """Another process has already rung this alarm, or it was set again."""


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
        clock: Callable[[], float] | None = None,
        observe_commit: Callable[[float], None] = lambda seconds: None,
        code_length: int = CODE_LENGTH,
    ) -> None:
        self.reader = reader
        self.store = reader.store
        self._cache = reader.cache
        self.tell = tell
        """Sends every open screen of a table what is new to it."""
        self._dice = dice
        self.time = clock or steady_clock()
        """The time at every table."""
        self._observe_commit = observe_commit
        self._code_length = code_length

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
        """Apply a tap to the newest version of a table, commit the result, and update every screen.

        The `link` that it came by must still open its seat in the version that the tap is applied to, and `check`
        must still accept that version.
        """

        def change(now: Snapshot) -> Snapshot:
            check(now)
            if not isinstance(tap, EndTable):
                self._refuse_endless(now)
            if tap_id is not None:
                now.room.refuse_burnt_tap(who, tap_id)
            return apply_tap(now, who, tap, dice=self._dice(), at=self.time(), store=self.store)

        now = self.commit(table, f"{int(who)}.{tap_id}" if tap_id else None, change, link)
        if isinstance(tap, Start):
            join_their_night(self, now)
        return now

    def commit(self, table: str, tap_id: str | None, change: Change, link: Link | None = None) -> Snapshot:
        """Make a version: change, commit, tell, destroy. A tap that was already applied returns the newest version."""
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
            result = None if new.has_same_result(now) else encode(played(new))
            if not self.store.commit(new.as_stored(tap_id), alarm=alarm, result=result):
                self._cache.evict(table, older_than=new.version)
                if self._was_applied(table, tap_id):
                    return self.reader.snapshot(table)
                continue  # somebody was quicker: apply the change again
            self._observe_commit(perf_counter() - began)
            self._cache.put(new)
            if new.burns:
                self._cache.burnt(table)
            self.tell(table)
            if new.burns:
                self.store.destroy_burnt(table)
            if new.game.lasting is not None:
                store_what_lasts(self.store, now, new)
            return new

    def _refuse_endless(self, now: Snapshot) -> None:
        if now.version >= MAX_VERSIONS:
            raise NotAllowed("This night has reached its limit of taps. Please open a new table.")

    def _refuse_restless(self, now: Snapshot) -> None:
        """Limit the changes to a table while it is empty."""
        self._refuse_endless(now)
        if not now.room.people and now.version >= MAX_EMPTY_VERSIONS:
            raise NotAllowed("This empty table has changed too often. Sit down first, then change it.")

    def _was_applied(self, table: str, tap_id: str | None) -> bool:
        if done := self.store.with_tap(table, tap_id) if tap_id else None:
            self._cache.evict(table, older_than=done.version)
        return done is not None

    # ---------------------------------------------------------------- opening

    def open(
        self, game: Game, setup: msgspec.Struct, scope: Scope = None, language: str = "", night: str = ""
    ) -> Snapshot:
        """Open a table for somebody who knows of these nights, for a new night or this one."""
        room = Room(setup=as_data(setup), scope=scope, language=language)
        if night and len(list(self.store.tables(night))) >= MAX_TABLES_OF_NIGHT:
            night = ""
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(self._code_length))
            row = TableRow(id=secrets.token_hex(6), code=code, game=game.name, opened=self.time(), night=night)
            if self.store.open_table(row, first_version(row, room, Say("The table is open."))):
                store_setup(self.store, game, setup, scope)
                return self.reader.snapshot(row.id)

    def play_on(
        self, table: str, who: Seat, game: Game, setup: msgspec.Struct | None = None, company: Company = EVERYBODY
    ) -> Snapshot:
        """Start the next game with the same people. Their links lead there from now on."""

        def close(now: Snapshot) -> Snapshot:
            self._refuse_endless(now)
            next_room(now, who, game, setup, company)  # refuses those who may not
            if number > MAX_TABLES_OF_NIGHT:
                raise NotAllowed("This night has reached its limit of games. Please open a new table.")
            room = msgspec.structs.replace(now.room, phase="ended", alarm_at=None)
            called = (game.played_as(setup) if setup else now.played_as) or Say(game.title)
            return change_room(now, room, Say("The next game is {game}.", game=called), who=who, at=self.time())

        self.reader.catch_up(table)
        if (there := self.reader.follow(table)) != table:
            return self.reader.snapshot(there)
        now = self.reader.snapshot(table)
        number = len(list(self.store.tables(now.night))) + 1
        close(now)  # refuses those who may not, also when the table is closed already
        now = self.commit(table, "goes on", close)
        while not self._has_next(table):
            row = TableRow(
                id=secrets.token_hex(6), code=f"{now.code}.{number}", game=game.name, opened=self.time(),
                night=now.night,
            )  # fmt: skip
            # Versions go on counting, so that an open screen takes the new table for the newer one.
            room = next_room(now, who, game, setup, company)
            first = first_version(row, room, Say("Another game with the same people and seats."), now.version + 1)
            if self.store.open_table(row, first, after=table) and setup is not None:
                store_setup(self.store, game, setup, now.room.scope)
            number += 1
        self._cache.evict(table)
        self.tell(table)
        return self.reader.snapshot(self.reader.follow(table))

    def _has_next(self, table: str) -> bool:
        row = self.store.table(table)
        return row is None or row.next is not None

    # ---------------------------------------------------------------- sitting down

    def sit(
        self, table: str, name: str, tap: str | None = None, badge: int | None = None, came_from: str = ""
    ) -> tuple[Snapshot, Seat]:
        """Somebody with a phone takes a seat; a running game may take them in between rounds."""
        seat = TABLE

        def change(now: Snapshot) -> Snapshot:
            nonlocal seat
            self._refuse_endless(now)
            room, seat = now.room.seat_somebody(name, phone=True, badge=badge, came_from=came_from)
            gathering = now.room.phase == "gathering"
            if not gathering and (now.room.phase == "ended" or Latecomer not in now.game.rules):
                raise NotAllowed("The game has started. You can watch.")
            if len(room.here) > now.game.players[1]:
                raise NotAllowed("The table is full. You can watch.")
            say, at = Say("{name} sits down.", name=seat), self.time()
            if gathering:
                return change_room(now, room, say, who=seat, at=at)
            return apply_to_game(now, room, seat, Latecomer(), dice=self._dice(), at=at, say=say)

        tap_id = f"sit.{tap}" if tap else None
        now = self.commit(table, tap_id, change)
        done = self.store.with_tap(table, tap_id) if tap_id else None
        if done is None or done.who is None:
            return now, seat
        # Sent twice: the seat is the one that the first tap took, unless another phone may have it by now.
        person = now.room.person(Seat(done.who))
        if person.generation > 1 or person.taps or self.time() > done.at + SEND_AGAIN_S:
            raise NotAllowed("This seat is taken. Ask the host to move it to this phone.")
        return now, person.seat

    def renew_screen(self, link: Link, form: str) -> Link:
        """Make a new link for the shared screen. Its old link and those of watchers die immediately."""
        newer = Link(self.reader.follow(link.table), TABLE, link.generation + 1)
        tap_id = f"renew.{form}"

        def change(now: Snapshot) -> Snapshot:
            if not opens(link, now):
                raise NotAllowed("This screen has a newer link. Open that one.")
            self._refuse_restless(now)
            room = msgspec.structs.replace(now.room, screen_generation=newer.generation)
            return change_room(now, room, Say("The shared screen has a new link."), who=TABLE, at=self.time())

        now = self.commit(newer.table, tap_id, change)
        done = self.store.with_tap(newer.table, tap_id)
        if now.room.screen_generation != newer.generation or done is None or self.time() > done.at + SEND_AGAIN_S:
            raise BadLink
        return newer

    def change_setup(self, table: str, who: Seat, setup: msgspec.Struct) -> Snapshot:
        """The host changes the set-up before the game starts."""

        def change(now: Snapshot) -> Snapshot:
            needs_gathering(now.room)
            self._refuse_restless(now)
            if not now.room.is_host(who):
                raise NotAllowed("Only the host can do that.")
            room = msgspec.structs.replace(now.room, setup=as_data(setup))
            return change_room(now, room, Say("{who} changes the set-up.", who=who), who=who, at=self.time())

        now = self.commit(table, None, change)
        store_setup(self.store, now.game, setup, now.room.scope)
        return now

    # ---------------------------------------------------------------- alarms

    def wake(self, table: str) -> Snapshot:
        """Apply `TimeIsUp` to a table whose alarm is due. Of several processes, the first one does."""
        self.reader.catch_up(table)
        now = self.reader.snapshot(table)
        due = now.room.alarm_at
        if due is None or due > self.time():
            return now  # another process has rung it, and it may have been set again

        def change(now: Snapshot) -> Snapshot:
            if now.room.alarm_at != due:
                raise AlarmGone
            room, at = msgspec.structs.replace(now.room, alarm_at=None), self.time()
            if now.room.phase != "playing" or TimeIsUp not in now.game.rules:
                return change_room(now, room, None, who=TABLE, at=at)
            return apply_to_game(now, room, TABLE, TimeIsUp(), dice=self._dice(), at=at)

        try:
            return self.commit(table, f"alarm.{due}", change)
        except AlarmGone:
            return self.reader.snapshot(table)
