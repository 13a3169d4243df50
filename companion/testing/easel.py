"""Draw any state of a game for any seat with the real templates, without a server."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec

from companion.app import create_app
from companion.engine.links import Link
from companion.engine.room import Person, Room
from companion.engine.snapshot import HistoryEntry, Recent, Snapshot
from companion.game import TABLE, ComesBack, Dice, Game, GoesAway, NotAllowed, Seat, Step, Tap
from companion.games import all_games
from companion.testing.tabletalk import NAMES
from companion.web.own_regions import Viewer


class Easel:
    """Draws what a seat, the shared screen (seat 0) or a watcher (-1) sees of a state."""

    def __init__(self, folder: Path, games: dict[str, Game] | None = None) -> None:
        self.app = create_app(folder, games=games or all_games(), address="192.0.2.1", port=8000)
        self.services = self.app.extensions["companion"]

    def draw(
        self,
        game: Game,
        state: Any,
        seat: int,
        *,
        host: int = 0,
        phones: bool | Collection[int] = True,
        taps: int = 0,
        lines: tuple[Any, ...] = (),
        alarm_at: float | None = None,
        language: str = "en",
    ) -> str:
        """Return all regions of that screen, as they would be sent."""
        players = max(game.players[0], max((int(s) for s in getattr(state, "seats", ())), default=0))
        room = Room(
            people=tuple(
                Person(Seat(n), NAMES[n - 1], phone=phones if isinstance(phones, bool) else n in phones, taps=taps)
                for n in range(1, players + 1)
            ),
            phase="playing",
            host=Seat(host),
            alarm_at=alarm_at,
        )
        now = Snapshot(
            id="easel", code="EASL", game=game, version=7, room=room, state=state, step=7, parent=None, burn_floor=0,
            who=None, lines=(), step_by=None, step_line=None, at=0.0,
            recent=Recent().add(HistoryEntry(7, 0.0, line, place) for place, line in enumerate(lines)),
        )  # fmt: skip
        self.services.reader.cache.evict(now.id)
        self.services.reader.cache.put(now)
        self.services.renderer.memo.clear()
        viewer = Viewer(Link("easel", Seat(seat), 1), language, "", "http://192.0.2.1:8000")
        screen = self.services.screens.draw(viewer)
        return "\n".join(f"<!-- {region.name} -->\n{region.html.decode()}" for region in screen.regions)

    def draw_passed(self, game: Game, state: Any, seat: int) -> str:
        """Draw the seat of somebody without a phone who has been handed the shared screen."""
        self.draw(game, state, 0, phones=False)
        viewer = Viewer(Link("easel", TABLE, 1), "en", "", "http://192.0.2.1:8000")
        html: str = self.services.screens.you(self.services.reader.snapshot("easel"), viewer, passed_to=Seat(seat))
        return html


def apply(game: Game, state: Any, seat: int, tap: Tap, dice: Dice | None = None) -> Step:
    """Return the step that a rule makes of a tap, or raise NotAllowed; no table is needed.

    `GoesAway` and `ComesBack` set `away` in the state even if the game has no rule for them, as the engine does.
    """
    if isinstance(tap, GoesAway | ComesBack):
        away = tuple(other for other in state.away if other != seat)
        state = msgspec.structs.replace(state, away=(*away, Seat(seat)) if isinstance(tap, GoesAway) else away)
    rule = game.rules.get(type(tap))
    if rule is None:
        if isinstance(tap, GoesAway | ComesBack):
            return Step(state)
        raise NotAllowed("That is not part of this game.")
    return rule(state, Seat(seat), tap, dice or Dice())
