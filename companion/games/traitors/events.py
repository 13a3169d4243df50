"""The set-up of a round, EVENT and FINAL BANISHMENT, timers, and players who are away."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from companion.game import (
    TABLE,
    By,
    ChairsMoved,
    Dice,
    GoesAway,
    NotAllowed,
    Rule,
    Say,
    SayN,
    Seat,
    Step,
    Tap,
    TimeIsUp,
)
from companion.games.traitors import banishment
from companion.games.traitors.agreement import all_wished, goes_on
from companion.games.traitors.setup import RECOMMENDED, Event, Setup
from companion.games.traitors.state import (
    MINUTE,
    PATIENCE,
    EndVote,
    Evening,
    Fallen,
    Marked,
    Murder,
    Playing,
    Preparing,
    Revealing,
    Scene,
    Talk,
    Tied,
    Voting,
)


class Ready(Tap, frozen=True, tag="Ready"):
    """The deck is set up and the roles are dealt. The player to the left of the dealer can say that they draw first."""

    by: ClassVar[By] = "anybody"
    first: bool = False


class DrawEvent(Tap, frozen=True, tag="DrawEvent"):
    """EVENT: a player has drawn an Event card. The shared screen names the player."""

    by: ClassVar[By] = "anybody"
    drawer: Seat | None = None


class DrawFinal(Tap, frozen=True, tag="DrawFinal"):
    """FINAL BANISHMENT: a player has drawn the last card of the deck."""

    by: ClassVar[By] = "anybody"
    drawer: Seat | None = None


class RestartVote(Tap, frozen=True, tag="RestartVote"):
    """Burn all answers, so that everybody answers again."""

    by: ClassVar[By] = "host"


class CallOff(Tap, frozen=True, tag="CallOff"):
    """Undo the whole event, for example because somebody misread a card."""

    by: ClassVar[By] = "host"


class Remind(Tap, frozen=True, tag="Remind"):
    """Tell one phone, and no other, that everybody is waiting for it."""

    by: ClassVar[By] = "host"
    seat: Seat


def start(setup: Setup, seats: tuple[Seat, ...], dice: Dice) -> Step:
    if not setup.bag():
        raise NotAllowed("The bag of events is empty. Put at least one event in it.")
    rounds = RECOMMENDED[len(seats)][0] if setup.rounds == "recommended" else int(setup.rounds)
    return Step(
        Evening(setup, seats, rounds, bag=setup.bag()),
        SayN("The game has {n} round.", "The game has {n} rounds.", n=rounds),
    )


def ready(evening: Evening, seat: Seat, tap: Ready, dice: Dice) -> Step:
    if not isinstance(evening.scene, Preparing):
        raise NotAllowed("The round has already started.")
    begins = Say("Round {round} begins. Trust no one.", round=evening.number)
    if not tap.first or seat == TABLE:
        return Step(evening.go(Playing()), begins)
    starter = seat if evening.number == 1 else evening.starter
    after = replace(evening, starter=starter).go(Playing(draws=seat))
    return Step(after, begins, Say("{name} draws first.", name=seat))


def who_drew(evening: Evening, seat: Seat, drawer: Seat | None) -> Seat:
    """Return who drew the card: a phone's own seat, or the player named on the shared screen."""
    if not isinstance(evening.scene, Playing):
        raise NotAllowed("Not now. Finish the current step first.")
    if seat != TABLE and drawer not in (None, seat):
        raise NotAllowed("The player who drew the card presses the button, on their own phone or on the shared screen.")
    drew = drawer if seat == TABLE else seat
    if drew is None:
        raise NotAllowed("Choose who drew the card.")
    if drew not in evening.seats:
        raise NotAllowed("No player has that number.")
    if drew not in evening.living:
        raise NotAllowed("{name} is out of the round and can't draw.", name=drew)
    return drew


def draw_event(evening: Evening, seat: Seat, tap: DrawEvent, dice: Dice) -> Step:
    drawer = who_drew(evening, seat, tap.drawer)
    bag = evening.bag or evening.setup.bag()
    place = dice.roll(len(bag)) - 1
    event = bag[place]
    left = bag[:place] + bag[place + 1 :] if evening.setup.events == "bag" else bag
    after = replace(evening, bag=left, drawn=evening.drawn + 1)
    match event:
        case "murder":
            line = Say("{name} draws an Event card: MURDER.", name=drawer)
            return Step(after.go(Murder(drawer)), line, alarm=PATIENCE)
        case "banishment":
            line = Say("{name} draws an Event card: BANISHMENT.", name=drawer)
            return Step(after.go(Talk(drawer)), line, alarm=talking_time(evening))
        case "quiet":
            line = Say("{name} draws an Event card: QUIET NIGHT. {name} draws again.", name=drawer)
            return Step(after.play_on("quiet", drawer), line)


def draw_final(evening: Evening, seat: Seat, tap: DrawFinal, dice: Dice) -> Step:
    drawer = who_drew(evening, seat, tap.drawer)
    after = replace(evening, drawn=evening.drawn + 1).go(Talk(drawer, final=True))
    return Step(after, Say("{name} draws the Final Banishment card.", name=drawer), alarm=talking_time(evening))


def talking_time(evening: Evening) -> float | None:
    return int(evening.setup.timer) * MINUTE or None


# -------------------------------------------------------------------------------- the host helps


def restart_vote(evening: Evening, seat: Seat, tap: RestartVote, dice: Dice) -> Step:
    scene: Scene
    match evening.scene:
        case Murder(drawer=drawer):
            scene = Murder(drawer)
        case EndVote(drawer=drawer, proposer=proposer, since=since):
            scene = EndVote(drawer, proposer=proposer, since=since)
        case (
            Voting(drawer=drawer, candidates=candidates, final=final, ballot=ballot)
            | Revealing(drawer=drawer, candidates=candidates, final=final, ballot=ballot)
        ):
            scene = Voting(drawer, candidates=candidates, final=final, ballot=ballot + 1)
        case _:
            raise NotAllowed("There is no vote to restart.")
    line = Say("{who} restarts the vote. All answers so far are deleted.", who=seat)
    return Step(evening.go(scene), line, burn=True, alarm=PATIENCE)


def call_off(evening: Evening, seat: Seat, tap: CallOff, dice: Dice) -> Step:
    event: Event | None = None
    match evening.scene:
        case EndVote() as vote:
            after = goes_on(evening, vote, "called off")
            return Step(after, Say("{who} calls the vote off. The round goes on.", who=seat), burn=True, alarm=None)
        case Murder() | Marked() | Fallen(how="murdered"):
            event = "murder"
        case Talk(final=False) | Voting(final=False) | Revealing(final=False) | Tied(final=False) | Fallen(final=False):
            event = "banishment"
        case Talk() | Voting() | Revealing() | Tied() | Fallen():
            event = None  # the Final Banishment card does not come from the bag
        case _:
            raise NotAllowed("There is no event to call off.")
    after = evening.play_on("called off", evening.scene.drawer)
    if event:
        after = after.back_into_the_bag(event)
    return Step(after, Say("{who} calls the event off. Nothing happens.", who=seat), burn=True, alarm=None)


def remind(evening: Evening, seat: Seat, tap: Remind, dice: Dice) -> Step:
    if not isinstance(evening.scene, (Murder, Voting, EndVote)) or not evening.scene.overdue:
        raise NotAllowed("Give them a moment.")
    # Refusing to remind a seat that has answered would tell that it has: ignore it instead.
    also = {tap.seat} & set(evening.waiting())
    reminded = tuple(other for other in evening.seats if other in also.union(evening.scene.reminded))
    return Step(evening.go(replace(evening.scene, reminded=reminded)), secret=True)


def time_is_up(evening: Evening, seat: Seat, tap: TimeIsUp, dice: Dice) -> Step:
    match evening.scene:
        case Talk():
            after = evening.go(banishment.first_vote(evening, evening.scene))
            return Step(after, Say("Time is up. Everybody votes."), sealed=True, alarm=PATIENCE)
        case Tied():
            # Only people start the next vote, with TIED VOTE?.
            return Step(evening, sealed=True, alarm=None)
        case Murder() | Voting() | EndVote():
            return Step(evening.go(replace(evening.scene, overdue=True)), secret=True, alarm=None)
        case _:
            return Step(evening, secret=True, alarm=None)


# -------------------------------------------------------------------------------- away


def goes_away(evening: Evening, seat: Seat, tap: GoesAway, dice: Dice) -> Step:
    """Stop waiting for this player. If theirs was the last missing answer, the vote is complete without it."""
    match evening.scene:
        case Murder() if evening.all_in:
            step = Step(evening, Say("Everybody has answered."), alarm=None)
        case Voting() as voting if evening.all_in:
            step = banishment.all_cast(evening, voting)
        case EndVote() as vote if evening.all_in:
            step = all_wished(evening, vote)
        case _:
            step = Step(evening)
    step.sealed = True
    return step


def chairs_moved(evening: Evening, seat: Seat, tap: ChairsMoved, dice: Dice) -> Step:
    """Numbers move with the chairs, so chairs stay where they are while people choose numbers."""
    if not isinstance(evening.scene, (Preparing, Playing)):
        raise NotAllowed("Change chairs between two events, because the numbers move with the chairs.")
    return Step(replace(evening, seats=tap.seats))


RULES: dict[type[Tap], Rule] = {
    Ready: ready,
    DrawEvent: draw_event,
    DrawFinal: draw_final,
    RestartVote: restart_vote,
    CallOff: call_off,
    Remind: remind,
    TimeIsUp: time_is_up,
    GoesAway: goes_away,
    ChairsMoved: chairs_moved,
}
