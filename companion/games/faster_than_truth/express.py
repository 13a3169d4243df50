"""Express: the app judges the challenge and says what follows; people move the cards themselves."""

from __future__ import annotations

from typing import ClassVar

from companion.game import N_, TABLE, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.state import NOBODY, Play, Verdict
from companion.games.faster_than_truth.steps import needs, step


class Wins(Tap, frozen=True, tag="Wins"):
    """Declare a win: five of a kind at the start of the turn; the shared screen says whose."""

    by: ClassVar[By] = "anybody"
    seat: Seat | None = None


def meaning(verdict: Verdict, reader: Seat = NOBODY) -> Say:
    """What follows from each of the four outcomes; the two players concerned read "you" on their phones."""
    name, rival = verdict.player, verdict.challenger
    mine, theirs = reader == name, bool(rival) and reader == rival
    match verdict.turned, bool(rival):
        case "safe", False:
            if mine:
                return Say("You resolve the play it safe effect.")
            return Say("{name} resolves the play it safe effect.", name=name)
        case "gamble", False:
            if mine:
                return Say("You resolve the gamble effect.")
            return Say("{name} resolves the gamble effect.", name=name)
        case "safe", True:
            if mine:
                return Say("You resolve the play it safe effect, then take a resource card from {rival}.", rival=rival)
            if theirs:
                return Say("{name} resolves the play it safe effect, then takes a resource card from you.", name=name)
            text = N_("{name} resolves the play it safe effect, then takes a resource card from {rival}.")
        case _:
            if mine:
                return Say("The card is discarded without effect. {rival} takes a resource card from you.", rival=rival)
            if theirs:
                return Say("The card is discarded without effect. You take a resource card from {name}.", name=name)
            text = N_("The card is discarded without effect. {rival} takes a resource card from {name}.")
    return Say(text, name=name, rival=rival)


def wins(play: Play, seat: Seat, tap: Wins, dice: Dice) -> Step:
    if not play.setup.express:
        raise NotAllowed("The app tracks the stashes and will say who wins.")
    needs(play, "declare")
    who = play.turn if tap.seat is None else tap.seat
    if who not in play.seats:
        raise NotAllowed("Choose a player.")
    if seat != TABLE and (seat != who or play.turn != seat or play.done):
        raise NotAllowed("You can only win at the start of your turn, before your first card.")
    return step(play, play.but(winner=who, verdict=None))


RULES: dict[type[Tap], Rule] = {Wins: wins}
