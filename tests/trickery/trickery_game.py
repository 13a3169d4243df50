"""One whole game of three, tap by tap: recorded, played over HTTP and played in a browser."""

from __future__ import annotations

from companion.engine.game import Seat, Tap
from companion.games.trickery import cards, corrections, rules

ANN, BEN, CLEO = Seat(1), Seat(2), Seat(3)
SCREEN = Seat(0)
NAMES = {ANN: "Ann", BEN: "Ben", CLEO: "Cleo", SCREEN: "the shared screen"}

GAME_OF_THREE: tuple[tuple[Seat, Tap], ...] = (
    (ANN, rules.Cover("thorn")),
    (CLEO, rules.Cover("gears")),
    (BEN, rules.Cover("thorn")),
    (SCREEN, rules.Begin(ANN)),
    (ANN, cards.Build(BEN)),
    (BEN, cards.Tribute(3)),
    (CLEO, cards.Favour()),
    (ANN, cards.Favour()),
    (BEN, cards.Outdo(ANN)),  # the fifth coin, before Ann has to go
    (SCREEN, rules.GoOn()),
    (CLEO, cards.Bribe(BEN)),
    (ANN, cards.Betray(CLEO)),
    (BEN, rules.Pause()),
    (ANN, corrections.Move("coins", "pool", "3", 1)),
    (CLEO, cards.Tribute(2)),
    (ANN, cards.Tribute(4)),
    (BEN, cards.Favour()),
    (CLEO, rules.Pause()),
    (ANN, rules.Pause()),
    (BEN, cards.Tribute(2)),
    (CLEO, rules.GoOn()),
    (CLEO, cards.Build(BEN)),
    (ANN, cards.Favour()),
    (BEN, rules.Pause()),
    (CLEO, cards.Favour()),
    (ANN, cards.Tribute(1)),  # alone in the Thorn Society
    (ANN, rules.GoOn()),
    (BEN, cards.Tribute(2)),
    (CLEO, cards.Tribute(1)),
    (ANN, cards.Bribe(CLEO)),
    (BEN, cards.Favour()),
    (CLEO, rules.Pause()),
    (ANN, rules.Pause()),
    (BEN, rules.Pause()),
    (CLEO, cards.Build(ANN)),
    (ANN, cards.Tribute(2)),
    (BEN, cards.Tribute(2)),  # the first coin ends the game, the second stays
)
