"""Fix a mistake: cards that lie face up, whose turn it is, and whether gambles are allowed.

A hidden card cannot be fixed on its own, because the reserve would show which card it was. Everybody
counts all cards again instead (`counting.py`).
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from companion.game import N_, TABLE, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.sentences import FIX_ADD, FIX_FACE_UP, FIX_MOVE, FIX_RETURN, NONE_LEFT
from companion.games.faster_than_truth.state import Kind, Play
from companion.games.faster_than_truth.steps import needs, step


class PutCard(Tap, frozen=True, tag="PutCard"):
    """Add a card from the reserve to a stash, face up."""

    by: ClassVar[By] = "anybody"
    seat: Seat
    kind: Kind


class MoveCard(Tap, frozen=True, tag="MoveCard"):
    """Move a face-up card to another stash or (seat 0) to the reserve; `card` is "seat-place"."""

    by: ClassVar[By] = "anybody"
    card: Annotated[str, Meta(title=N_("The card"), pattern=r"^[0-9]{1,2}-[0-9]{1,2}$")]
    to: Annotated[Seat, Meta(title=N_("Where it goes"))] = TABLE


class TurnOver(Tap, frozen=True, tag="TurnOver"):
    """Turn one of your own cards over."""

    place: Annotated[int, Meta(ge=1, le=99)]


class GiveTurn(Tap, frozen=True, tag="GiveTurn"):
    """Change whose turn it is; a card in play is cancelled."""

    by: ClassVar[By] = "anybody"
    seat: Seat


class PlayLearning(Tap, frozen=True, tag="PlayLearning"):
    """Play without gambles, or with them again."""

    by: ClassVar[By] = "anybody"
    on: bool


def needs_table(play: Play) -> None:
    if play.setup.express:
        raise NotAllowed("Express doesn't track the stashes. Just move the card on the table.")
    needs(play, "first", "declare", "challenge", "turning", "effect", "asking", "taking")


def needs_seat(play: Play, seat: Seat) -> None:
    if seat not in play.seats:
        raise NotAllowed("Choose a player.")


def put_card(play: Play, seat: Seat, tap: PutCard, dice: Dice) -> Step:
    needs_table(play)
    needs_seat(play, tap.seat)
    if not play.reserve[tap.kind]:
        raise NotAllowed(NONE_LEFT[tap.kind])
    line = Say(FIX_ADD[tap.kind], who=seat, name=tap.seat)
    return step(play, play.draw(tap.seat, tap.kind), line)


def move_card(play: Play, seat: Seat, tap: MoveCard, dice: Dice) -> Step:
    needs_table(play)
    owner, place = (int(number) for number in tap.card.split("-"))
    needs_seat(play, Seat(owner))
    card = play.card_at(Seat(owner), place)
    if card.hidden:
        raise NotAllowed("That card is hidden. If a hidden card is wrong, count all cards again.")
    if tap.to == TABLE:
        line = Say(FIX_RETURN[card.kind], who=seat, name=Seat(owner))
        return step(play, play.put_back(Seat(owner), place).sound(), line)
    needs_seat(play, tap.to)
    if tap.to == owner:
        raise NotAllowed("That card is already there. Choose another stash.")
    line = Say(FIX_MOVE[card.kind], who=seat, name=Seat(owner), other=tap.to)
    return step(play, play.hand(Seat(owner), place, tap.to).sound(), line)


def turn_over(play: Play, seat: Seat, tap: TurnOver, dice: Dice) -> Step:
    needs_table(play)
    card = play.card_at(seat, tap.place)
    after = play.flip(seat, tap.place).sound()
    if card.hidden:
        return step(play, after, Say(FIX_FACE_UP[card.kind], who=seat), sealed=True)
    return step(play, after, Say("{who} fixes a mistake: a card is now face down.", who=seat))


def give_turn(play: Play, seat: Seat, tap: GiveTurn, dice: Dice) -> Step:
    # Allowed after the end, too: everybody has seen all cards, and the table may play on.
    needs(play, "first", "declare", "challenge", "turning", "effect", "asking", "taking", "over")
    needs_seat(play, tap.seat)
    line = Say("{who} fixes a mistake: it is {name}'s turn.", who=seat, name=tap.seat)
    return step(play, play.begin_turn(tap.seat), line, alarm=None)


def play_learning(play: Play, seat: Seat, tap: PlayLearning, dice: Dice) -> Step:
    needs(play, "counting", "first", "declare")
    if tap.on == play.learning:
        raise NotAllowed("You already play that way.")
    text = N_("{who} switches gambles off.") if tap.on else N_("{who} switches gambles on.")
    return step(play, play.but(learning=tap.on), Say(text, who=seat))


RULES: dict[type[Tap], Rule] = {
    PutCard: put_card,
    MoveCard: move_card,
    TurnOver: turn_over,
    GiveTurn: give_turn,
    PlayLearning: play_learning,
}
