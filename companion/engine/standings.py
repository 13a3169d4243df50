"""Who has played and won how often: of one night, and over all nights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import msgspec

from companion.engine.results import Played, Player
from companion.engine.room import same_name, tidy_name
from companion.engine.snapshot import decode, encode
from companion.engine.store import Store
from companion.game import NotAllowed

KEPT_AS = "players.names"
Who = Callable[[Played, Player], str]
"""Tells players apart: the same answer means the same person."""


class Record(NamedTuple):
    """How somebody did at one game."""

    played: int = 0
    won: int = 0
    best: int | None = None
    """The most points they have had, or the fewest where fewest win."""


class Duel(NamedTuple):
    """How two people did in the games that both have played."""

    games: int = 0
    ahead: int = 0
    behind: int = 0


class Tally(msgspec.Struct):
    """How often somebody has played and won."""

    who: str
    name: str
    games: int = 0
    wins: int = 0
    by_game: dict[tuple[str, str], Record] = {}
    """By game, and by the name of the game on the table."""
    duels: dict[str, Duel] = {}
    """By the others they have played with."""

    def count(self, one: Played, player: Player, others: Mapping[str, Player]) -> None:
        won, mine = player.seat in one.winners, one.points.get(player.seat)
        game = one.game, one.played_as
        before = self.by_game.get(game, Record())
        known = [points for points in (before.best, mine) if points is not None]
        best = (max if one.highest_wins else min)(known) if known else None
        self.name, self.games, self.wins = player.name, self.games + 1, self.wins + won
        self.by_game = {**self.by_game, game: Record(before.played + 1, before.won + won, best)}
        rank = one.rank(player.seat)
        for who, other in others.items():
            games, ahead, behind = self.duels.get(who, Duel())
            theirs = one.rank(other.seat)
            self.duels = {**self.duels, who: Duel(games + 1, ahead + (rank < theirs), behind + (theirs < rank))}


def standing(results: Iterable[Played], who: Who) -> list[Tally]:
    """Who has won how often. Only finished games count."""
    tallies: dict[str, Tally] = {}
    for one in results:
        if not one.over:
            continue
        players = {who(one, player): player for player in one.players}
        for key, player in players.items():
            others = {other: them for other, them in players.items() if other != key}
            tallies.setdefault(key, Tally(key, player.name)).count(one, player, others)
    return sorted(tallies.values(), key=lambda tally: (-tally.wins, tally.games, same_name(tally.name)))


def of_one_night(results: Iterable[Played]) -> Who:
    """Tells the people of a night apart: by seat and, from one company to another, by the name they had last."""
    last = {(one.code, player.seat): same_name(player.name) for one in results for player in one.players}
    return lambda one, player: last[one.code, player.seat]


class Names:
    """Names by which the host knows players over all nights: what was played and stored stays as it is."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> dict[str, str]:
        """By a name as people compare names: the name that counts instead."""
        stored = self._store.recall(KEPT_AS)
        return decode(stored, dict[str, str]) if stored else {}

    def who(self) -> Who:
        """Tells players apart over all nights."""
        names = self.all()
        return lambda one, player: resolve(player.name, names)

    def shown(self, tallies: list[Tally]) -> list[Tally]:
        """The same tallies with the names that the host has chosen."""
        chosen = {same_name(name): name for name in self.all().values()}
        return [msgspec.structs.replace(tally, name=chosen.get(tally.who, tally.name)) for tally in tallies]

    def call(self, old: str, new: str) -> None:
        """Count `old` as `new` from now on: rename a player, or merge two."""
        names, old, new = self.all(), same_name(old), tidy_name(new)
        if same_name(new) != old and resolve(new, names) == old:
            raise NotAllowed("They already count as the same player.")
        self._keep(names | {old: new})

    def undo(self, old: str) -> None:
        """Undo a rename or merge of this name."""
        self._keep({key: name for key, name in self.all().items() if key != same_name(old)})

    def forget_all_but(self, results: Callable[[], Iterable[Played]]) -> None:
        """Forget the names that no result has any more after a deletion."""
        if names := self.all():
            left = {same_name(player.name) for one in results() for player in one.players}
            self._keep({key: name for key, name in names.items() if key in left})

    def _keep(self, names: dict[str, str]) -> None:
        if names != self.all():
            self._store.remember(KEPT_AS, encode(names))


def resolve(name: str, names: Mapping[str, str]) -> str:
    """Follow renames until the name that counts."""
    key = same_name(name)
    for _ in names:
        key = same_name(names.get(key, key))
    return key
