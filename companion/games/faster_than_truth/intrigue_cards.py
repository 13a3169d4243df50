"""An intrigue card from its declaration to the discard pile: turning it over, and the four outcomes."""

from __future__ import annotations

import unicodedata
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta

from companion.game import N_, TABLE, By, ChairsMoved, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.penalty import penalty
from companion.games.faster_than_truth.state import NAME_LENGTH, Play, Played, Taking, Verdict
from companion.games.faster_than_truth.steps import needs, step

MOST_NAMES: Final = 60
"""So many are offered to choose from."""


class GoesFirst(Tap, frozen=True, tag="GoesFirst"):
    """The table chooses who begins; without a name, lots are drawn."""

    by: ClassVar[By] = "anybody"
    seat: Seat | None = None


class Declare(Tap, frozen=True, tag="Declare"):
    """Lay a card face down and say its name, or the name above its gamble; the app need not know it."""

    name: Annotated[str, Meta(title=N_("The name you say"), max_length=200)] = ""
    known: Annotated[str, Meta(title=N_("The name you say"), max_length=200)] = ""


class Turned(Tap, frozen=True, tag="Turned"):
    """The card lies face up on the table: it was as declared, or it was a gamble."""

    by: ClassVar[By] = "anybody"
    how: Literal["safe", "gamble"]


class Done(Tap, frozen=True, tag="Done"):
    """All that the card says has been done."""


def tidy(name: str) -> str:
    """What was said, on one line and without marks that nobody sees."""
    seen = "".join(c for c in " ".join(name.split()) if unicodedata.category(c)[0] != "C")
    return unicodedata.normalize("NFC", " ".join(seen.split()))


def offered(names: tuple[str, ...], new: str) -> tuple[str, ...]:
    """Names in the order of the alphabet and each only once: it is no list of what was played."""
    known = {name.casefold(): name for name in (*names, new)}
    if len(known) > max(len(names), MOST_NAMES):
        return names  # it can be said all the same
    return tuple(known[key] for key in sorted(known))


def goes_first(play: Play, seat: Seat, tap: GoesFirst, dice: Dice) -> Step:
    needs(play, "first")
    if tap.seat is not None and tap.seat not in play.seats:
        raise NotAllowed("Nobody sits there any more.")
    first = tap.seat if tap.seat is not None else play.seats[dice.roll(len(play.seats)) - 1]
    return step(play, play.but(first=first).begin_turn(first), Say("{name} begins.", name=first))


def declare(play: Play, seat: Seat, tap: Declare, dice: Dice) -> Step:
    needs(play, "declare")
    if seat != play.turn:
        raise NotAllowed("It is {name}'s turn.", name=play.turn)
    name = tidy(tap.known) or tidy(tap.name)
    if len(name) > NAME_LENGTH:
        raise NotAllowed("That name is too long: at most {n} characters.", n=NAME_LENGTH)
    names = offered(play.names, name) if name else play.names
    after = play.but(card=Played(name), names=names, verdict=None)
    if play.learning and play.setup.express:
        after = after.finish_card()
    elif play.learning:
        # Nobody gambles, so there is nothing to doubt and nothing to ask.
        after = after.but(card=Played(name, closed=True, turned="safe"))
    # The name is not told: the history would be a list of the cards on the discard pile.
    return step(play, after.close_if_all_passed(), Say("{name} declares a card.", name=seat))


def turned(play: Play, seat: Seat, tap: Turned, dice: Dice) -> Step:
    """The four outcomes."""
    needs(play, "turning")
    if seat not in (play.turn, TABLE):
        raise NotAllowed("{name} says so, or the shared screen does.", name=play.turn)
    player, rival = play.turn, play.in_play.challenger
    after = play.with_card(turned=tap.how)
    if play.setup.express:
        # The table moves the cards; the words stay until the next card is declared.
        after = play.finish_card().but(verdict=Verdict(player, rival, tap.how))
    match tap.how, bool(rival):
        case "safe", False:
            return step(play, after, Say("{name} played it safe.", name=player))
        case "gamble", False:
            return step(play, after, Say("{name} gambled, and nobody challenged.", name=player))
        case "safe", True:
            # The effect comes first; then the player takes a card from the rival.
            return step(play, after, Say("{name} played it safe: the challenge fails.", name=player))
        case _:
            line = Say("{name} gambled and was caught: the card is discarded.", name=player)
            if play.setup.express:
                return step(play, after, line)
            return penalty(play, after, Taking(taker=rival, loser=player), line)


def done(play: Play, seat: Seat, tap: Done, dice: Dice) -> Step:
    needs(play, "effect")
    if seat != play.turn:
        raise NotAllowed("{name} carries out the card.", name=play.turn)
    if rival := play.in_play.challenger:
        return penalty(play, play, Taking(taker=seat, loser=rival))
    return step(play, play.finish_card())


def chairs_moved(play: Play, seat: Seat, tap: ChairsMoved, dice: Dice) -> Step:
    """Whose turn it is stays; the next turn goes by the new order."""
    return Step(play.but(seats=tap.seats))


RULES: dict[type[Tap], Rule] = {
    GoesFirst: goes_first,
    Declare: declare,
    Turned: turned,
    Done: done,
    ChairsMoved: chairs_moved,
}
