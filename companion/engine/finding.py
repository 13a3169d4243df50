"""Tables that are there already: found by their code, by a link or by name, and read as they stand."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.game import TABLE, Game, Seat, revive
from companion.engine.links import WATCHER, BadLink, Link
from companion.engine.mind import Mind
from companion.engine.present import RECENT, Present, Recent, Told, first_line, told
from companion.engine.room import Room
from companion.engine.store import Store


class NoSuchTable(Exception):
    """There is no such table, or not for this link."""


class Finding:
    """Reads tables, and bears them in mind.

    A store may let others go on while it answers, and others may be other processes. So whatever was
    read may be old when it arrives: an older table never takes the place of a newer one in mind.
    """

    def __init__(self, store: Store, games: Mapping[str, Game]) -> None:
        self.store = store
        self.games = games
        self.mind = Mind()

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
        present = self.mind.get(link.table)
        if present is None or present.next is not None:
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

    def follow(self, table: str) -> str:
        """The table where the people of this one are now."""
        while True:
            known = self.mind.get(table) or self.store.table(table)
            if known is None or known.next is None:
                return table
            table = known.next

    def night_of(self, table: str) -> str | None:
        row = self.mind.get(table) or self.store.table(table)
        return None if row is None else row.night


def opens(link: Link, now: Present) -> bool:
    """Whether this link opens its seat at this table, as it stands."""
    if link.seat in (TABLE, WATCHER):
        return True
    for person in now.room.people:
        if person.seat == link.seat:
            return person.generation == link.generation and not person.gone
    return False
