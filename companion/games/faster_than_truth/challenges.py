"""The window to challenge a declared card: the fuse, who asks the table to wait, and who was first."""

from __future__ import annotations

from typing import ClassVar, Final

from companion.game import TABLE, By, Dice, GoesAway, NotAllowed, Rule, Say, Seat, Step, Tap, TimeIsUp
from companion.games.faster_than_truth.state import Play
from companion.games.faster_than_truth.steps import needs, step

LAST_CALL: Final = 5.0
"""Seconds left to challenge after a last call, at a table without a fuse."""


class Challenge(Tap, frozen=True, tag="Challenge"):
    """Challenge the card in play. The first one counts; the shared screen says for whom it taps."""

    by: ClassVar[By] = "anybody"
    rival: Seat | None = None


class LetPass(Tap, frozen=True, tag="LetPass"):
    """Decide not to challenge. You can change your mind while the window is open."""

    by: ClassVar[By] = "anybody"
    rival: Seat | None = None


class Wait(Tap, frozen=True, tag="Wait"):
    """Ask for time to think: the fuse stops until this player goes on or challenges."""

    by: ClassVar[By] = "anybody"


class GoOn(Tap, frozen=True, tag="GoOn"):
    """Stop thinking; the shared screen says it for everybody."""

    by: ClassVar[By] = "anybody"


class LastCall(Tap, frozen=True, tag="LastCall"):
    """Give everybody a few last seconds to challenge."""

    by: ClassVar[By] = "anybody"


def the_rival(play: Play, seat: Seat, rival: Seat | None) -> Seat:
    """A phone acts for its own seat, the shared screen for the seat it names."""
    who = rival if seat == TABLE and rival is not None else seat
    if who == play.turn:
        raise NotAllowed("You can't challenge your own card.")
    if who not in play.seats:
        raise NotAllowed("Choose a player.")
    return who


def challenge(play: Play, seat: Seat, tap: Challenge, dice: Dice) -> Step:
    if play.card and play.card.challenger:
        raise NotAllowed("{name} was faster.", name=play.card.challenger)
    if play.card and play.card.closed and play.phase != "counting":
        raise NotAllowed("Too late: {name} is turning the card over.", name=play.turn)
    needs(play, "challenge")
    who = the_rival(play, seat, tap.rival)
    if who not in play.may_challenge():
        raise NotAllowed("Only somebody with a resource card in their stash can challenge.")
    after = play.with_card(challenger=who, closed=True, thinking=())
    # Sealed: a challenger who sees the card cannot take the challenge back.
    return step(play, after, Say("{name} challenges.", name=who), sealed=True)


def let_pass(play: Play, seat: Seat, tap: LetPass, dice: Dice) -> Step:
    needs(play, "challenge")
    who = the_rival(play, seat, tap.rival)
    if who in play.in_play.passed:
        raise NotAllowed("{name} has already let it pass.", name=who)
    return step(play, play.with_card(passed=(*play.in_play.passed, who)).goes_on(who))


def wait(play: Play, seat: Seat, tap: Wait, dice: Dice) -> Step:
    needs(play, "challenge")
    if seat in play.in_play.thinking:
        raise NotAllowed("The table is already waiting for you.")
    passed = tuple(other for other in play.in_play.passed if other != seat)
    return step(play, play.with_card(thinking=(*play.in_play.thinking, seat), passed=passed), alarm=None)


def go_on(play: Play, seat: Seat, tap: GoOn, dice: Dice) -> Step:
    needs(play, "challenge")
    ready = play.in_play.thinking if seat == TABLE else (seat,)
    if not set(ready) & set(play.in_play.thinking):
        raise NotAllowed("Nobody is waiting for you.")
    return step(play, play.goes_on(*ready))


def last_call(play: Play, seat: Seat, tap: LastCall, dice: Dice) -> Step:
    needs(play, "challenge")
    if thinking := play.in_play.thinking:
        raise NotAllowed("{name} is still thinking.", name=thinking[0])
    return step(play, play, alarm=play.fuse or LAST_CALL)


def time_is_up(play: Play, seat: Seat, tap: TimeIsUp, dice: Dice) -> Step:
    if play.phase != "challenge" or play.in_play.thinking:
        return Step(play)
    return step(play, play.with_card(closed=True))


def goes_away(play: Play, seat: Seat, tap: GoesAway, dice: Dice) -> Step:
    return step(play, play.goes_on(seat)) if play.phase == "challenge" else Step(play)


RULES: dict[type[Tap], Rule] = {
    Challenge: challenge,
    LetPass: let_pass,
    Wait: wait,
    GoOn: go_on,
    LastCall: last_call,
    TimeIsUp: time_is_up,
    GoesAway: goes_away,
}
