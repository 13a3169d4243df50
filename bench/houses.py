"""A companion in a process of its own, with its tables laid before it starts."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import psutil

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "plugin")]

from secret_ballot import Knock  # noqa: E402
from tabletalk import NAMES, House  # noqa: E402

from companion.engine.game import TABLE, Seat, Tap  # noqa: E402
from companion.engine.links import Links, read_keys  # noqa: E402
from companion.engine.room_rules import Start  # noqa: E402
from companion.engine.sqlite import SqliteStore  # noqa: E402
from companion.engine.table import Tables  # noqa: E402
from companion.games import all_games  # noqa: E402
from companion.games.score_sheet.rules import Enter  # noqa: E402

SEATS = 8
A_LONG_TIME = "3600"
Doors = list[str]
"""The paths of a table's nine screens: the shared one, then every seat."""


class Laid(House):
    """A companion whose tables were laid while it was closed, so that only playing is measured."""

    def __init__(self, folder: Path) -> None:
        super().__init__(Path(tempfile.mkdtemp(dir=folder)) / "data", COMPANION_TRIES="10000000")
        self.environment |= {"COMPANION_HEARTBEAT": A_LONG_TIME, "COMPANION_SCREENS_PER_ADDRESS": "10000"}

    def lay(self, game: str, tables: int, versions: int = 0, **setup: object) -> list[Doors]:
        """Open so many tables of eight, start them, and play each up to this version."""
        store = SqliteStore(self.data / "companion.sqlite")
        store._db.execute("PRAGMA synchronous = OFF")  # nobody's evening hangs on these yet
        links = Links(read_keys(self.data / "key"))
        games = all_games()
        house = Tables(store, games)
        laid = []
        for _ in range(tables):
            now = house.open(games[game], games[game].setup(**setup))
            for name in NAMES[:SEATS]:
                house.sit(now.id, name)
            now = house.act(now.id, TABLE, Start())
            while now.version < versions:
                now = house.act(now.id, Seat(now.version % SEATS + 1), MOVES[game]())
            doors = [f"/{'s' if seat else 'x'}/{links.sign(now.id, Seat(seat), 1)}" for seat in range(SEATS + 1)]
            laid.append(doors)
            house.forget(now.id)
        store.close()
        return laid

    def cpu(self) -> float:
        """Seconds of a core that this companion has used so far."""
        return cpu_of(self.process.pid)

    def memory(self) -> int:
        """Bytes that this companion keeps resident."""
        return int(psutil.Process(self.process.pid).memory_info().rss)


def cpu_of(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return sum(psutil.Process(pid).cpu_times()[:2])


MOVES: dict[str, Callable[[], Tap]] = {"secret_ballot": Knock, "score_sheet": lambda: Enter(points=7)}
