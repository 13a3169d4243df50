"""One whole game of three, tap by tap: recorded, played over HTTP and played in a browser."""

from __future__ import annotations

from companion.game import Seat, Tap
from companion.games.trickery import cards, corrections, rules

ANN, BEN, CLEO = Seat(1), Seat(2), Seat(3)
SCREEN = Seat(0)
NAMES = {ANN: "Ann", BEN: "Ben", CLEO: "Cleo", SCREEN: "the shared screen"}

GAME_OF_THREE: tuple[tuple[Seat, Tap], ...] = (
    (ANN, rules.Cover("thorn")),
    (CLEO, rules.Cover("gears")),
    (BEN, rules.Cover("thorn")),
    (SCREEN, rules.Begin(ANN)),
    (ANN, cards.Favour()),
    (BEN, cards.Bribe(CLEO)),
    (CLEO, cards.Build(BEN)),
    (ANN, cards.Tribute(3)),
    (BEN, cards.Build(CLEO)),
    (CLEO, cards.Tribute(5)),  # the first coin fills the chest, the others go on into the empty one
    (SCREEN, rules.GoOn()),
    (ANN, cards.Build(BEN)),
    (BEN, cards.Tribute(5)),
    (CLEO, rules.GoOn()),
    (CLEO, cards.Favour()),  # without a coin to pay
    (ANN, cards.Betray(CLEO)),
    (BEN, rules.Pause()),
    (ANN, corrections.Move("coins", "pool", "1", 1)),
    (CLEO, cards.Outdo(BEN)),  # the fifth coin ends the game; the card is finished, so Ben goes
)
