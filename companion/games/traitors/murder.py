"""MURDER: everybody presses F or a number, then DONE. The victim can play a Shield."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from companion.game import N_, TABLE, By, Dice, NotAllowed, Rule, Say, SayN, Seat, Step, Tap
from companion.games.traitors.state import (
    PATIENCE,
    Ending,
    EndVote,
    Evening,
    Fallen,
    Gold,
    Marked,
    Murder,
    Out,
    Role,
    needs_living,
)

Choice = Annotated[Literal["F", "1", "2", "3", "4", "5", "6", "7", "8"], Meta(title=N_("F or a number"))]
"""Always one character, so that the request has the same size for a Faithful and a Traitor."""


class Answer(Tap, frozen=True, tag="Answer"):
    """Press F as a Faithful or a number as a Traitor, then DONE."""

    choice: Choice


class RevealMurder(Tap, frozen=True, tag="RevealMurder"):
    """MURDER REVEAL: the player who drew the Event card reveals the victim's number."""

    by: ClassVar[By] = "anybody"


class PlayShield(Tap, frozen=True, tag="PlayShield"):
    by: ClassVar[By] = "anybody"


class NoShield(Tap, frozen=True, tag="NoShield"):
    by: ClassVar[By] = "anybody"


class Fall(Tap, frozen=True, tag="Fall"):
    """Leave the round: show the role, and put the Gold in hand into the prize fund."""

    by: ClassVar[By] = "anybody"
    gold: Gold
    role: Annotated[Role, Meta(title=N_("Role"))]


def answer(evening: Evening, seat: Seat, tap: Answer, dice: Dice) -> Step:
    if not isinstance(murder := evening.scene, Murder):
        raise NotAllowed("There is no murder now.")
    needs_living(evening, seat)
    if seat in murder.answered:
        raise NotAllowed("You have already answered.")
    if tap.choice == str(evening.number_of(seat)):
        raise NotAllowed("You can't choose your own number.")
    if tap.choice != "F" and tap.choice not in {str(evening.number_of(other)) for other in evening.living}:
        raise NotAllowed("That player is out of the round. Choose another number.")
    # Only the first Traitor's number counts. A later number is dropped and never stored.
    mark = tap.choice if murder.mark == "F" else murder.mark
    answered = tuple(other for other in evening.seats if other in murder.answered or other == seat)
    after = evening.go(replace(murder, answered=answered, mark=mark))
    if after.all_in:
        return Step(after, Say("Everybody has answered."), secret=True, alarm=None)
    return Step(after, secret=True)


def reveal_murder(evening: Evening, seat: Seat, tap: RevealMurder, dice: Dice) -> Step:
    if not isinstance(murder := evening.scene, Murder):
        raise NotAllowed("There is no murder to reveal.")
    if seat not in (murder.drawer, TABLE):
        raise NotAllowed("{name} drew the card and presses MURDER REVEAL.", name=murder.drawer)
    if not evening.all_in:
        raise NotAllowed("Wait until everybody has answered.")
    if murder.mark == "F":
        after = evening.play_on("nobody", murder.drawer)
        line = Say("MURDER REVEAL: nobody is murdered. {draws} draws again.", draws=after.draws_after(murder.drawer))
        return Step(after, line, burn=True, alarm=None)
    victim = evening.seats[int(murder.mark) - 1]
    line = Say("MURDER REVEAL: number {number}, {name}.", number=int(murder.mark), name=victim)
    return Step(evening.go(Marked(murder.drawer, victim)), line, burn=True, alarm=None)


def needs_victim(evening: Evening, seat: Seat) -> Marked:
    if not isinstance(marked := evening.scene, Marked):
        raise NotAllowed("Nobody needs a Shield now.")
    if seat not in (marked.victim, TABLE):
        raise NotAllowed("Only {name} or the shared screen can answer that.", name=marked.victim)
    return marked


def play_shield(evening: Evening, seat: Seat, tap: PlayShield, dice: Dice) -> Step:
    marked = needs_victim(evening, seat)
    return Step(
        evening.play_on("shield", marked.drawer, marked.victim),
        Say("{name} plays a Shield and lives. {draws} draws again.", name=marked.victim, draws=marked.drawer),
    )


def no_shield(evening: Evening, seat: Seat, tap: NoShield, dice: Dice) -> Step:
    marked = needs_victim(evening, seat)
    fallen = Fallen(marked.drawer, marked.victim, "murdered")
    return Step(evening.go(fallen), Say("{name} plays no Shield and is murdered.", name=marked.victim))


def fall(evening: Evening, seat: Seat, tap: Fall, dice: Dice) -> Step:
    """Take a murdered or banished player out of the round, and say who plays next."""
    if not isinstance(fallen := evening.scene, Fallen):
        raise NotAllowed("Nobody has to show a hand now.")
    if seat not in (fallen.seat, TABLE):
        raise NotAllowed("Only {name} or the shared screen can enter that.", name=fallen.seat)
    after = evening.goes_out(Out(fallen.seat, fallen.how, tap.role, tap.gold))
    if tap.role == "traitor":
        shown = SayN(
            "{name} was a Traitor. {n} Gold goes into the prize fund.",
            "{name} was a Traitor. {n} Gold goes into the prize fund.",
            n=tap.gold, name=fallen.seat,
        )  # fmt: skip
    else:
        shown = SayN(
            "{name} was a Faithful. {n} Gold goes into the prize fund.",
            "{name} was a Faithful. {n} Gold goes into the prize fund.",
            n=tap.gold, name=fallen.seat,
        )  # fmt: skip
    if fallen.final:
        return Step(after.go(Ending("final")), shown, Say("The round is over."))
    if len(after.living) <= 2:
        return Step(after.go(Ending("two left")), shown, Say("Only two players are left: the round is over."))
    if tap.role == "traitor":
        line = Say("Was that the last Traitor? Everybody answers in secret.")
        return Step(after.go(EndVote(fallen.drawer)), shown, line, alarm=PATIENCE)
    return Step(after.play_on(fallen.how, fallen.drawer, fallen.seat), shown, who_goes_on(after, fallen.drawer))


def who_goes_on(evening: Evening, drawer: Seat) -> Say:
    draws = evening.draws_after(drawer)
    if draws == drawer:
        return Say("{name} draws again.", name=drawer)
    return Say("{name}, to the left of {drawer}, is next.", name=draws, drawer=drawer)


RULES: dict[type[Tap], Rule] = {
    Answer: answer,
    RevealMurder: reveal_murder,
    PlayShield: play_shield,
    NoShield: no_shield,
    Fall: fall,
}
