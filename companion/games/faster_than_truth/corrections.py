"""The table is always right: what lies face up, whose turn it is and how you play can be set right at any time.

Hidden cards are not corrected one by one, for the reserve would tell which they were: all cards are
counted again instead (`counting.py`).
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from companion.game import N_, TABLE, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.state import Kind, Play
from companion.games.faster_than_truth.steps import needs, step, word


class PutCard(Tap, frozen=True, tag="PutCard"):
    """A card from the reserve lies in that stash, face up."""

    by: ClassVar[By] = "anybody"
    seat: Seat
    kind: Kind


class MoveCard(Tap, frozen=True, tag="MoveCard"):
    """A card that lies face up goes to another stash, or (seat 0) to the reserve; `card` is seat-place."""

    by: ClassVar[By] = "anybody"
    card: Annotated[str, Meta(title=N_("The card"), pattern=r"^[0-9]{1,2}-[0-9]{1,2}$")]
    to: Annotated[Seat, Meta(title=N_("Where it goes"))] = TABLE


class TurnOver(Tap, frozen=True, tag="TurnOver"):
    """A card of your own lies the other way."""

    place: Annotated[int, Meta(ge=1, le=99)]


class GiveTurn(Tap, frozen=True, tag="GiveTurn"):
    """It is somebody else's turn; a card in play is off."""

    by: ClassVar[By] = "anybody"
    seat: Seat


class PlayLearning(Tap, frozen=True, tag="PlayLearning"):
    """Leave the gambles out, or bring them in."""

    by: ClassVar[By] = "anybody"
    on: bool


def needs_table(play: Play) -> None:
    if play.setup.express:
        raise NotAllowed("Express keeps no stashes: move the card at the table.")
    needs(play, "first", "declare", "challenge", "turning", "effect", "asking", "taking")


def needs_seat(play: Play, seat: Seat) -> None:
    if seat not in play.seats:
        raise NotAllowed("Say who.")


def put_card(play: Play, seat: Seat, tap: PutCard, dice: Dice) -> Step:
    needs_table(play)
    needs_seat(play, tap.seat)
    if not play.reserve[tap.kind]:
        raise NotAllowed("There is no {kind} left in the reserve.", kind=word(tap.kind))
    line = Say("{who} sets right: {kind} from the reserve to {name}.", who=seat, kind=word(tap.kind), name=tap.seat)
    return step(play, play.draw(tap.seat, tap.kind), line)


def move_card(play: Play, seat: Seat, tap: MoveCard, dice: Dice) -> Step:
    needs_table(play)
    owner, place = (int(number) for number in tap.card.split("-"))
    needs_seat(play, Seat(owner))
    card = play.card_at(Seat(owner), place)
    if card.hidden:
        raise NotAllowed("That card is hidden. If a hidden card is wrong, count all cards again.")
    if tap.to == TABLE:
        line = Say("{who} sets right: {kind} from {name} to the reserve.",
                   who=seat, kind=word(card.kind), name=Seat(owner))  # fmt: skip
        return step(play, play.put_back(Seat(owner), place).sound(), line)
    needs_seat(play, tap.to)
    if tap.to == owner:
        raise NotAllowed("It lies there already.")
    line = Say("{who} sets right: {kind} from {name} to {other}.",
               who=seat, kind=word(card.kind), name=Seat(owner), other=tap.to)  # fmt: skip
    return step(play, play.hand(Seat(owner), place, tap.to).sound(), line)


def turn_over(play: Play, seat: Seat, tap: TurnOver, dice: Dice) -> Step:
    needs_table(play)
    card = play.card_at(seat, tap.place)
    after = play.flip(seat, tap.place).sound()
    if card.hidden:
        line = Say("{who} sets right: {kind} lies face up.", who=seat, kind=word(card.kind))
        return step(play, after, line, sealed=True)
    return step(play, after, Say("{who} sets right: a card lies face down.", who=seat))


def give_turn(play: Play, seat: Seat, tap: GiveTurn, dice: Dice) -> Step:
    # After the end, too: all cards have been seen, and the table plays on if it wants to.
    needs(play, "first", "declare", "challenge", "turning", "effect", "asking", "taking", "over")
    needs_seat(play, tap.seat)
    line = Say("{who} sets right: {name} is to play.", who=seat, name=tap.seat)
    return step(play, play.begin_turn(tap.seat), line, alarm=None)


def play_learning(play: Play, seat: Seat, tap: PlayLearning, dice: Dice) -> Step:
    needs(play, "counting", "first", "declare")
    if tap.on == play.learning:
        raise NotAllowed("You play like that already.")
    text = N_("{who} leaves the gambles out.") if tap.on else N_("{who} brings the gambles in.")
    return step(play, play.but(learning=tap.on), Say(text, who=seat))


RULES: dict[type[Tap], Rule] = {
    PutCard: put_card,
    MoveCard: move_card,
    TurnOver: turn_over,
    GiveTurn: give_turn,
    PlayLearning: play_learning,
}
