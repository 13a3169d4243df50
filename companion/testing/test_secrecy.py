"""A game keeps the secrets that it declares, and declares every secret that it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game import Game
from companion.testing.secrecy import Prover


@pytest.mark.parametrize("seed", [1, 2])
def test_nobody_can_tell_what_they_must_not_know(tmp_path: Path, game: Game, seed: int) -> None:
    Prover(tmp_path, game, seed=seed).proves(steps=50)
