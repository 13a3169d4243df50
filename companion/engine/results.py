"""What is left of a table when it is over: who played, who won, with how many points, and what was remarkable."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from companion.engine.snapshot import Snapshot, decode, fill
from companion.engine.store import Store, StoreTrouble, Unreadable
from companion.game import Chart, Feat, Say, Seat, States

log = logging.getLogger("companion")
T = TypeVar("T")


class Player(msgspec.Struct, frozen=True):
    """Somebody who played."""

    seat: Seat
    name: str
    badge: int | None = None


class Played(msgspec.Struct, frozen=True):
    """The result of a table; all that an archived table keeps."""

    table: str
    night: str
    code: str
    game: str
    opened: float
    ended: float
    players: tuple[Player, ...]
    over: bool
    """Whether the game was finished. If not, the host ended it, or it is still running."""
    going_on: bool = False
    winners: tuple[Seat, ...] = ()
    points: dict[Seat, int] = {}
    screen_generation: int = 1
    """Of the shared screen's link: an older one does not open the archived night either."""
    feats: tuple[Feat, ...] = ()
    charts: tuple[Chart, ...] = ()
    played_as: str = ""
    """The name of the game, where it has another one than its title."""
    starter: Seat | None = None
    roles: dict[Seat, Say] = {}
    teams: dict[Seat, str] = {}
    bgg_id: int | None = None
    """The game's id on BoardGameGeek, where it is known."""

    @property
    def names(self) -> dict[Seat, str]:
        return {player.seat: player.name for player in self.players}

    @property
    def ranked(self) -> tuple[Player, ...]:
        """Winners first, then by points as they were won."""
        sign = -1 if self.highest_wins else 1
        return tuple(
            sorted(
                self.players,
                key=lambda player: (player.seat not in self.winners, sign * self.points.get(player.seat, 0)),
            )
        )

    @property
    def highest_wins(self) -> bool:
        """Whether many points are good, judging by the winners."""
        of_winners = [self.points[seat] for seat in self.winners if seat in self.points]
        return not of_winners or min(of_winners) > min(self.points.values()) or len(set(self.points.values())) == 1

    def rank(self, seat: Seat) -> int:
        """1 for the winners; the others by their points, equal ones sharing a rank."""
        if seat in self.winners:
            return 1
        sign = 1 if self.highest_wins else -1
        mine = sign * self.points.get(seat, 0)
        better = sum(
            other.seat in self.winners or sign * self.points.get(other.seat, 0) > mine for other in self.players
        )
        return better + 1


class StoredStates(Sequence[Any]):
    """The states of a table in their order, read from the store whenever somebody goes through them.

    What was taken back is left out, and what was burnt is gone. A long evening is never in memory as a whole.
    """

    def __init__(self, now: Snapshot, store: Store) -> None:
        self._now = now
        self._store = store
        path: list[tuple[int, int]] = []
        for version, step in store.steps(now.id):
            while path and path[-1][1] >= step:
                path.pop()  # taken back, or the same step with somebody's notes
            path.append((version, step))
        self._versions = [version for version, _ in path]

    def __iter__(self) -> Iterator[Any]:
        for version in self._store.versions(self._now.id, self._versions):
            if version.state is not None:
                yield decode(version.state, self._now.game.state)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return self._now.state is not None

    def __getitem__(self, place: Any) -> Any:
        return self._now.state if place == -1 else list(self)[place]


def played(now: Snapshot, states: States = ()) -> Played:
    """The result of a table now. Feats and charts need `states`."""
    setup = fill(now.room.setup, now.game.setup)
    players = tuple(Player(person.seat, person.name, person.badge) for person in now.room.with_badges().here)
    one = Played(
        now.id, now.night, now.code, now.game.name, now.opened, now.at, players, over=False,
        going_on=now.room.phase == "playing", screen_generation=now.room.screen_generation,
        played_as=now.game.played_as(setup), bgg_id=now.game.bgg_id(setup),
    )  # fmt: skip
    result = now.result
    if result is None:
        return one
    return msgspec.structs.replace(
        one, over=True, going_on=False, winners=result.winners, points=result.points,
        starter=result.starter, roles=result.roles, teams=result.teams,
        feats=tell(now.game.feats, states), charts=tell(now.game.charts, states),
    )  # fmt: skip


def tell(hook: Callable[[States], tuple[T, ...]], states: States) -> tuple[T, ...]:
    """Ask a game for its feats or charts. If that fails, the result is still there."""
    try:
        return hook(states) if states else ()
    except (StoreTrouble, Unreadable):
        raise
    except Exception:
        log.exception("a game could not say what was remarkable")
        return ()
