"""Presets: named set-ups that were played before. Each is a form that opens a table in one tap."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from companion.engine.lasting import presets
from companion.engine.room import Scope
from companion.engine.snapshot import as_data
from companion.game import Game
from companion.web import services
from companion.web.forms import fields_of


class Preset(NamedTuple):
    """A button on the shelf or on the set-up page."""

    game: Game
    name: str
    about: list[str]
    """The choices that differ from the game's suggestion, in words to translate."""
    setup: msgspec.Struct


def presets_of(game: Game, scope: Scope) -> list[Preset]:
    return [_preset(game, setup) for setup in presets(services().tables.store, game, scope)]


def _preset(game: Game, setup: msgspec.Struct) -> Preset:
    values, usual = as_data(setup), as_data(game.setup())
    about = [
        dict(field.choices)[str(values[field.name])]
        for field in fields_of(game.setup)
        if field.kind == "choice" and values[field.name] != usual[field.name]
    ]
    return Preset(game, game.played_as(setup), about, setup)
