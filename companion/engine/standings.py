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
    streak: int = 0
    """How many of their last games they have won in a row."""
    longest_streak: int = 0

    def count(self, one: Played, player: Player, others: Mapping[str, Player]) -> None:
        won, mine = player.seat in one.winners, one.points.get(player.seat)
        game = one.game, one.played_as
        before = self.by_game.get(game, Record())
        known = [points for points in (before.best, mine) if points is not None]
        best = (max if one.highest_wins else min)(known) if known else None
        self.name, self.games, self.wins = player.name, self.games + 1, self.wins + won
        self.by_game = {**self.by_game, game: Record(before.played + 1, before.won + won, best)}
        self.streak = self.streak + 1 if won else 0
        self.longest_streak = max(self.longest_streak, self.streak)
        rank = one.rank(player.seat)
        for who, other in others.items():
            games, ahead, behind = self.duels.get(who, Duel())
            theirs = one.rank(other.seat)
            self.duels = {**self.duels, who: Duel(games + 1, ahead + (rank < theirs), behind + (theirs < rank))}


class GameTally(msgspec.Struct):
    """How often a game was played, and who does best at it."""

    game: str
    played_as: str
    played: int = 0
    last: float = 0.0
    """When it ended last."""
    wins: dict[str, int] = {}
    """By those who have won it."""
    record: tuple[str, int] | None = None
    """Who had the best result, and which it was."""

    @property
    def masters(self) -> tuple[str, ...]:
        """Those who have won it most often."""
        most = max(self.wins.values(), default=0)
        return tuple(who for who, wins in self.wins.items() if wins == most)


def by_game(results: Iterable[Played], who: Who) -> list[GameTally]:
    """Every game that was played to its end, the one that was played most often first."""
    tallies: dict[tuple[str, str], GameTally] = {}
    for one in results:
        if not one.over:
            continue
        tally = tallies.setdefault((one.game, one.played_as), GameTally(one.game, one.played_as))
        tally.played, tally.last = tally.played + 1, max(tally.last, one.ended)
        for player in one.players:
            key, points = who(one, player), one.points.get(player.seat)
            if player.seat in one.winners:
                tally.wins = {**tally.wins, key: tally.wins.get(key, 0) + 1}
            if points is not None and (tally.record is None or is_better(points, tally.record[1], one)):
                tally.record = key, points
    return sorted(tallies.values(), key=lambda tally: (-tally.played, -tally.last))


def is_better(points: int, than: int, one: Played) -> bool:
    return points > than if one.highest_wins else points < than


def wins_over_time(results: Iterable[Played], who: Who, leaders: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """How many games each of these has won before the first game and after each one."""
    won: dict[str, list[int]] = {key: [0] for key in leaders}
    for one in results:
        if one.over:
            winners = {who(one, player) for player in one.players if player.seat in one.winners}
            for key, counts in won.items():
                counts.append(counts[-1] + (key in winners))
    return {key: tuple(counts) for key, counts in won.items()}


def standing(results: Iterable[Played], who: Who) -> list[Tally]:
    """Who has won how often. Only finished games count; `results` are in the order they were played."""
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
