"""Helpers for the tests of The Big Shuffle: play a game by taps, without a server."""

from __future__ import annotations

from typing import Any

from companion.game import Dice, NotAllowed, Seat, Tap
from companion.games.big_shuffle import GAME
from companion.games.big_shuffle.agendas import NoteAgenda
from companion.games.big_shuffle.attempts import RevealChange, TryScene, TypeNumbers
from companion.games.big_shuffle.goons import Hire, PassGoons
from companion.games.big_shuffle.scenes import NameScene, TitleLeaves
from companion.games.big_shuffle.setup import Setup
from companion.games.big_shuffle.state import Noir
from companion.games.big_shuffle.turns import FirstPlayer
from companion.games.big_shuffle.verdicts import Settle
from companion.testing import apply

ANN, BEN, CLEO, DAN = (Seat(n) for n in (1, 2, 3, 4))
WHO, WHAT, WHERE = "The Private Eye", "The Oldest Profession", "The Train Station"


class Played:
    """A game under way, with the history lines of the last tap."""

    def __init__(self, state: Noir, lines: tuple[str, ...] = ()) -> None:
        self.state = state
        self.lines = lines

    def taps(self, seat: int, *taps: Tap) -> Played:
        state, lines = self.state, self.lines
        for tap in taps:
            step = apply(GAME, state, seat, tap)
            state, lines = step.state, tuple(line.say.text for line in step.lines)
        return Played(state, lines)

    def refuses(self, seat: int, tap: Tap) -> str:
        try:
            apply(GAME, self.state, seat, tap)
        except NotAllowed as refusal:
            return refusal.say.text
        raise AssertionError(f"{tap} was allowed")

    def names(self, kind: str, place: str, *names: str) -> Played:
        """Read out scenes, top first."""
        return self.taps(0, *(NameScene(kind, place, i, name) for i, name in enumerate(names)))

    def attempt(
        self, move: str, difficulty: int = 3, base: int = 3, card: str = "Quiet Street", modifier: int = 0
    ) -> Played:
        """Play a scene change up to the goons."""
        return self.taps(
            0,
            TryScene(move),
            RevealChange(card, modifier),
            TypeNumbers(difficulty=difficulty + 20),
            TypeNumbers(difficulty=difficulty, base=base, informant=0, loot=0),
        )

    def hires(self, seat: int, modifier: int) -> Played:
        return self.taps(seat, Hire(Seat(seat), modifier))

    def everybody_passes(self) -> Played:
        game = self
        while len(game.state.attempt.passed) < len(game.state.seats):
            game = game.taps(0, PassGoons(game.state.attempt.next))
        return game

    def changes(self, move: str) -> Played:
        """Play a successful scene change, as short as possible."""
        return self.attempt(move).everybody_passes().taps(0, Settle("success"))

    def attempt_fails(self) -> Played:
        """Play a scene change that fails."""
        trying = self.taps(0, TryScene("who.midtown.0.downtown", anyway=True), RevealChange("Fog", 0))
        return trying.everybody_passes().taps(0, Settle("failure"))

    def notes(self, seat: int, which: str, who: str | None, what: str | None, where: str | None) -> Played:
        return self.taps(seat, NoteAgenda(which, who, what, where))

    def see(self, seat: int) -> Any:
        return GAME.seat_view(self.state, Seat(seat))

    @property
    def table(self) -> Any:
        return GAME.table_view(self.state)


def begun(players: int = 3, mode: str = "normal", first: Seat | None = ANN, keeping: str = "count") -> Played:
    """Start a table; by default Ann begins."""
    seats = tuple(Seat(n) for n in range(1, players + 1))
    game = Played(GAME.start(Setup(mode, keeping), seats, Dice()).state)
    return game.taps(0, FirstPlayer(first)) if first else game


def in_the_city(players: int = 3, mode: str = "normal", keeping: str = "count") -> Played:
    """Start a table without title cards, and with one active scene of each type."""
    game = begun(players, mode, keeping=keeping)
    game = game.taps(0, *(TitleLeaves(kind) for kind, track in game.state.city.items() if track.title))
    return game.names("who", "midtown", WHO).names("what", "midtown", WHAT).names("where", "midtown", WHERE)
