"""An intrigue card from declaring it to discarding it: turning it over, and the four outcomes."""

from __future__ import annotations

import unicodedata
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta

from companion.game import N_, TABLE, By, ChairsMoved, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.penalty import penalty
from companion.games.faster_than_truth.state import NAME_LENGTH, Play, Played, Taking, Verdict
from companion.games.faster_than_truth.steps import needs, step

MOST_NAMES: Final = 60
"""The longest list of known names to tap on a phone."""


class GoesFirst(Tap, frozen=True, tag="GoesFirst"):
    """The table chooses who takes the first turn; without a name, chance does."""

    by: ClassVar[By] = "anybody"
    seat: Seat | None = None


class Declare(Tap, frozen=True, tag="Declare"):
    """Play a card face down and say its name or its gamble name; typing the name is optional."""

    name: Annotated[str, Meta(title=N_("The name you say"), max_length=200)] = ""
    known: Annotated[str, Meta(title=N_("The name you say"), max_length=200)] = ""


class Turned(Tap, frozen=True, tag="Turned"):
    """Say what the card was, once it lies face up: played safe, or a gamble."""

    by: ClassVar[By] = "anybody"
    how: Literal["safe", "gamble"]


class Done(Tap, frozen=True, tag="Done"):
    """Finish the card: its whole effect is resolved."""


def tidy(name: str) -> str:
    """A typed name on one line, without invisible characters."""
    seen = "".join(c for c in " ".join(name.split()) if unicodedata.category(c)[0] != "C")
    return unicodedata.normalize("NFC", " ".join(seen.split()))


def offered(names: tuple[str, ...], new: str) -> tuple[str, ...]:
    """The known names, sorted and each once, so that they do not list what was played."""
    known = {name.casefold(): name for name in (*names, new)}
    if len(known) > max(len(names), MOST_NAMES):
        return names  # the list is full; the name can still be said aloud
    return tuple(known[key] for key in sorted(known))


def goes_first(play: Play, seat: Seat, tap: GoesFirst, dice: Dice) -> Step:
    needs(play, "first")
    if tap.seat is not None and tap.seat not in play.seats:
        raise NotAllowed("That seat is empty. Choose somebody else.")
    first = tap.seat if tap.seat is not None else play.seats[dice.roll(len(play.seats)) - 1]
    return step(play, play.but(first=first).begin_turn(first), Say("{name} goes first.", name=first))


def declare(play: Play, seat: Seat, tap: Declare, dice: Dice) -> Step:
    needs(play, "declare")
    if seat != play.turn:
        raise NotAllowed("It is {name}'s turn.", name=play.turn)
    name = tidy(tap.known) or tidy(tap.name)
    if len(name) > NAME_LENGTH:
        raise NotAllowed("That name is too long. Use at most {n} characters.", n=NAME_LENGTH)
    names = offered(play.names, name) if name else play.names
    after = play.but(card=Played(name), names=names, verdict=None)
    if play.learning and play.setup.express:
        after = after.finish_card()
    elif play.learning:
        # Nobody gambles, so there is nothing to challenge or to turn over.
        after = after.but(card=Played(name, closed=True, turned="safe"))
    # The history leaves out the name: nobody may look through the discard pile.
    return step(play, after.close_if_all_passed(), Say("{name} declares a card.", name=seat))


def turned(play: Play, seat: Seat, tap: Turned, dice: Dice) -> Step:
    """The four outcomes."""
    needs(play, "turning")
    if seat not in (play.turn, TABLE):
        raise NotAllowed("Only {name} or the shared screen can say what the card was.", name=play.turn)
    player, rival = play.turn, play.in_play.challenger
    after = play.with_card(turned=tap.how)
    if play.setup.express:
        # People move the cards; the outcome stays on screen until the next card.
        after = play.finish_card().but(verdict=Verdict(player, rival, tap.how))
    match tap.how, bool(rival):
        case "safe", False:
            return step(play, after, Say("{name} plays it safe.", name=player))
        case "gamble", False:
            return step(play, after, Say("{name} gambles and gets away with it.", name=player))
        case "safe", True:
            # First the effect; then the player takes a card from the challenger.
            return step(play, after, Say("{name} plays it safe. The challenge fails.", name=player))
        case _:
            line = Say("{name} gambles and gets caught. The card is discarded.", name=player)
            if play.setup.express:
                return step(play, after, line)
            return penalty(play, after, Taking(taker=rival, loser=player), line)


def done(play: Play, seat: Seat, tap: Done, dice: Dice) -> Step:
    needs(play, "effect")
    if seat != play.turn:
        raise NotAllowed("{name} played this card. Only {name} can do that.", name=play.turn)
    if rival := play.in_play.challenger:
        return penalty(play, play, Taking(taker=seat, loser=rival))
    return step(play, play.finish_card())


def chairs_moved(play: Play, seat: Seat, tap: ChairsMoved, dice: Dice) -> Step:
    """The current turn stays; the next turn follows the new order."""
    return Step(play.but(seats=tap.seats))


RULES: dict[type[Tap], Rule] = {
    GoesFirst: goes_first,
    Declare: declare,
    Turned: turned,
    Done: done,
    ChairsMoved: chairs_moved,
}
