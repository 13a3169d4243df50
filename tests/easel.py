"""An easel: any state of a game, drawn for any seat by the real templates, without a server."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import msgspec
from tabletalk import NAMES

from companion import create_app
from companion.engine.game import TABLE, Dice, Game, NotAllowed, Seat, Step, Tap
from companion.engine.links import WATCHER, Link
from companion.engine.present import Present, Recent, Told
from companion.engine.room import Person, Room
from companion.engine.table import Tables
from companion.games import all_games
from companion.web.pieces import Viewer


class Easel:
    """Draws what a seat, the shared screen (seat 0) or a watcher (-1) sees of a state."""

    def __init__(self, folder: Path, games: dict[str, Game] | None = None) -> None:
        self.app = create_app(folder, games=games or all_games(), address="192.0.2.1", port=8000)
        self.parts = self.app.extensions["companion"]

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
        """All regions of that screen, as they would be sent."""
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
        present = Present(
            id="easel", code="EASL", game=game, version=7, room=room, state=state, step=7, parent=None, floor=0,
            step_by=None, step_line=None, recent=Recent().tell(Told(7, 0.0, line, place) for place, line in enumerate(lines)), at=0.0,
        )  # fmt: skip
        self.parts.tables.forget(present.id)
        self.parts.tables.mind.bear(present)
        self.parts.screens.forget_all()
        viewer = Viewer(Link("easel", Seat(seat), 1), language, "", "http://192.0.2.1:8000")
        screen = self.parts.screens.draw(viewer)
        drawn = "\n".join(f"<!-- {region.name} -->\n{region.html}" for region in screen.regions)
        assert "\2" not in drawn, "a form is not signed"
        return drawn

    def draw_passed(self, game: Game, state: Any, seat: int) -> str:
        """A seat without a phone, on the shared screen that was handed over."""
        self.draw(game, state, 0, phones=False)
        viewer = Viewer(Link("easel", TABLE, 1), "en", "", "http://192.0.2.1:8000")
        with self.app.app_context(), self.app.test_request_context():
            present = self.parts.tables.present("easel")
            html: str = self.parts.screens.you(present, viewer, passed_to=Seat(seat))
            return html


def apply(game: Game, state: Any, seat: int, tap: Tap, dice: Dice | None = None) -> Step:
    """A rule's answer to a tap, without a table around it; raises NotAllowed."""
    rule = game.rules.get(type(tap))
    if rule is None:
        raise NotAllowed("That is not part of this game.")
    return rule(state, Seat(seat), tap, dice or Dice())


__all__ = ["WATCHER", "Easel", "Tables", "apply", "msgspec"]
