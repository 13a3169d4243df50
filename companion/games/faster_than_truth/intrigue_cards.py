"""An intrigue card from its declaration to the discard pile: challenge, turning over, the four outcomes."""

from __future__ import annotations

import unicodedata
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta

from companion.game import N_, TABLE, By, ChairsMoved, Dice, GoesAway, NotAllowed, Rule, Say, Seat, Step, Tap, TimeIsUp
from companion.games.faster_than_truth.penalty import penalty
from companion.games.faster_than_truth.state import NAME_LENGTH, Play, Played, Taking, needs, step

MOST_NAMES: Final = 60
"""So many are offered to choose from."""
LAST_CALL: Final = 5.0
"""Seconds in which everybody can still challenge once the table has said: last call."""


class GoesFirst(Tap, frozen=True, tag="GoesFirst"):
    """The table chooses who begins; without a name, lots are drawn."""

    by: ClassVar[By] = "anybody"
    seat: Seat | None = None


class Declare(Tap, frozen=True, tag="Declare"):
    """Lay a card face down and say its name, or the name above its gamble."""

    name: Annotated[str, Meta(title=N_("The name you say"), max_length=200)] = ""
    known: Annotated[str, Meta(title=N_("The name you say"), max_length=200)] = ""


class Challenge(Tap, frozen=True, tag="Challenge"):
    """Doubt the card in play. The first one counts; the shared screen says for whom it taps."""

    by: ClassVar[By] = "anybody"
    rival: Seat | None = None


class LetPass(Tap, frozen=True, tag="LetPass"):
    """Do not doubt it. As long as the window is open, one may still think better of it."""

    by: ClassVar[By] = "anybody"
    rival: Seat | None = None


class HoldOn(Tap, frozen=True, tag="HoldOn"):
    """Somebody is not ready yet: the last call is off."""

    by: ClassVar[By] = "anybody"


class LastCall(Tap, frozen=True, tag="LastCall"):
    """The table wants to go on: nobody is cut off, everybody has a few more seconds."""

    by: ClassVar[By] = "anybody"


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
    return step(play, play.begin_turn(first))


def declare(play: Play, seat: Seat, tap: Declare, dice: Dice) -> Step:
    needs(play, "declare")
    if seat != play.turn:
        raise NotAllowed("It is {name}'s turn.", name=play.turn)
    name = tidy(tap.known) or tidy(tap.name)
    if not name:
        raise NotAllowed("Say a name: type it, or choose one.")
    if len(name) > NAME_LENGTH:
        raise NotAllowed("That name is too long: at most {n} characters.", n=NAME_LENGTH)
    after = play.but(card=Played(name), names=offered(play.names, name))
    if play.learning:
        # Nobody gambles, so there is nothing to doubt and nothing to ask.
        after = after.but(card=Played(name, closed=True, turned="safe"))
    # The name is not told: the history would be a list of the cards on the discard pile.
    return step(play, after.close_if_all_passed(), Say("{name} declares a card.", name=seat))


def the_rival(play: Play, seat: Seat, rival: Seat | None) -> Seat:
    """A phone speaks for its own seat, the shared screen for those it names."""
    who = rival if seat == TABLE and rival is not None else seat
    if who == play.turn:
        raise NotAllowed("It is your own card.")
    if who not in play.seats:
        raise NotAllowed("Say who.")
    return who


def challenge(play: Play, seat: Seat, tap: Challenge, dice: Dice) -> Step:
    if play.card and play.card.challenger:
        raise NotAllowed("{name} was faster.", name=play.card.challenger)
    if play.card and play.card.closed and play.phase != "counting":
        raise NotAllowed("Too late: the card is being turned over.")
    needs(play, "challenge")
    who = the_rival(play, seat, tap.rival)
    if who not in play.may_challenge():
        raise NotAllowed("Without a resource card in the stash, nobody can challenge.")
    after = play.with_card(challenger=who, closed=True)
    # Who doubted first is settled: a challenger who sees the card coming cannot think better of it.
    return step(play, after, Say("{name} challenges.", name=who), sealed=True, alarm=None)


def let_pass(play: Play, seat: Seat, tap: LetPass, dice: Dice) -> Step:
    needs(play, "challenge")
    who = the_rival(play, seat, tap.rival)
    if who in play.in_play.passed:
        raise NotAllowed("That is noted already.")
    after = play.with_card(passed=(*play.in_play.passed, who))
    return closing(play, after, Say("{name} lets it pass.", name=who))


def closing(before: Play, after: Play, *lines: Say) -> Step:
    """If that was the last one the table waited for, the window closes."""
    closed = after.close_if_all_passed()
    if closed.card == after.card:
        return step(before, after, *lines)
    return step(before, closed, *lines, Say("Nobody challenges."), alarm=None)


def last_call(play: Play, seat: Seat, tap: LastCall, dice: Dice) -> Step:
    needs(play, "challenge")
    return step(play, play, Say("Last call: who challenges?"), alarm=LAST_CALL)


def hold_on(play: Play, seat: Seat, tap: HoldOn, dice: Dice) -> Step:
    needs(play, "challenge")
    if seat == play.turn:
        raise NotAllowed("It is your own card.")
    return step(play, play, Say("{name} is not ready yet.", name=seat), alarm=None)


def time_is_up(play: Play, seat: Seat, tap: TimeIsUp, dice: Dice) -> Step:
    if play.phase != "challenge":
        return Step(play)
    closed = play.with_card(closed=True)
    return step(play, closed, Say("Nobody challenges."))


def turned(play: Play, seat: Seat, tap: Turned, dice: Dice) -> Step:
    """The four outcomes."""
    needs(play, "turning")
    if seat not in (play.turn, TABLE):
        raise NotAllowed("{name} says so, or the shared screen does.", name=play.turn)
    player, rival = play.turn, play.in_play.challenger
    after = play.with_card(turned=tap.how)
    match tap.how, bool(rival):
        case "safe", False:
            return step(play, after, Say("{name} played it safe.", name=player))
        case "gamble", False:
            return step(play, after, Say("{name} gambled, and gets away with it.", name=player))
        case "safe", True:
            # The effect comes first; then the player takes a card from the rival.
            return step(play, after, Say("{name} played it safe: the challenge fails.", name=player))
        case _:
            line = Say("{name} gambled and was caught: the card is discarded.", name=player)
            return penalty(play, after, Taking(taker=rival, loser=player), line)


def done(play: Play, seat: Seat, tap: Done, dice: Dice) -> Step:
    needs(play, "effect")
    if seat != play.turn:
        raise NotAllowed("{name} carries out the card.", name=play.turn)
    line = Say("{name} is done with the card.", name=seat)
    if rival := play.in_play.challenger:
        return penalty(play, play, Taking(taker=seat, loser=rival), line)
    return step(play, play.finish_card(), line)


def goes_away(play: Play, seat: Seat, tap: GoesAway, dice: Dice) -> Step:
    return closing(play, play) if play.phase == "challenge" else Step(play)


def chairs_moved(play: Play, seat: Seat, tap: ChairsMoved, dice: Dice) -> Step:
    """Whose turn it is stays; the next turn goes by the new order."""
    return Step(play.but(seats=tap.seats))


RULES: dict[type[Tap], Rule] = {
    GoesFirst: goes_first,
    Declare: declare,
    Challenge: challenge,
    LetPass: let_pass,
    LastCall: last_call,
    HoldOn: hold_on,
    TimeIsUp: time_is_up,
    Turned: turned,
    Done: done,
    GoesAway: goes_away,
    ChairsMoved: chairs_moved,
}
