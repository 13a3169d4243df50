"""For other people's games: random play finds the phases, and names each after what can be tapped."""

from __future__ import annotations

import tempfile
from pathlib import Path

from companion.app import create_app
from companion.engine.snapshot import Snapshot
from companion.game import TABLE, Game
from companion.testing.evenings.script import Phase
from companion.web.limits import LimitSettings

TAPS = 400
SEED = 4


def wander(game: Game, players: int) -> tuple[Phase, ...]:
    """Play until no new phase comes and somebody has won; the evening is the same every time."""
    from companion.testing.gallery import Gallery
    from companion.testing.random_play import RandomPlay

    found: dict[str, Phase] = {
        "gathering, nobody yet": Phase(game, "gathering, nobody yet", 0, None, room="gathering"),
        "gathering, all are here": Phase(game, "gathering, all are here", players, None, room="gathering"),
    }
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(
            Path(folder), games={game.name: game}, address="192.0.2.1", limits=LimitSettings(attempts=1_000_000)
        )
        play, gallery = RandomPlay(app, game, players, SEED, {}), Gallery(app)
        for _ in range(TAPS):
            now = play.now
            if now.is_over:
                found["winner"] = phase_of(game, "winner", players, now)
                break
            screens = {seat: gallery.html(now, seat) for seat in (TABLE, *now.room.seats)}
            kinds, offers = play.offers(now, screens)
            found.setdefault(kinds, phase_of(game, kinds, players, now))
            play.goes_on(now, offers)
        app.extensions["companion"].tables.store.close()
    assert "winner" in found, f"{game.name} was not over after {TAPS} taps: write a script for it"
    return tuple(found.values())


def phase_of(game: Game, name: str, players: int, now: Snapshot) -> Phase:
    away = tuple(person.seat for person in now.room.here if person.away)
    return Phase(game, name, players, now.state, now.recent, away=away)
