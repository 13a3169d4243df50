"""What intrigue cards do, in the five words of the book: gain, lose, steal, hide, reveal.

The companion does not know the cards: whoever played one says what it does. Which of their own cards
goes or is flipped is the owner's choice, always, even if there is only one: not being asked would
tell the table so.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from companion.game import N_, TABLE, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.state import Ask, Kind, Play, needs, step, word

Named = Annotated[Kind, Meta(title=N_("The resource"))]
Who = Annotated[Seat, Meta(title=N_("Who"))]


class Gain(Tap, frozen=True, tag="Gain"):
    """Somebody takes the named card from the reserve."""

    who: Who
    kind: Named


class Lose(Tap, frozen=True, tag="Lose"):
    """Somebody returns the named card to the reserve."""

    who: Who
    kind: Named


class Steal(Tap, frozen=True, tag="Steal"):
    """Ask a rival for the named card."""

    who: Who
    kind: Named


class Hide(Tap, frozen=True, tag="Hide"):
    """Somebody flips a card of theirs face down."""

    who: Who


class Reveal(Tap, frozen=True, tag="Reveal"):
    """Somebody flips a hidden card of theirs face up."""

    who: Who


class Pick(Tap, frozen=True, tag="Pick"):
    """The card of yours that you choose, by its place."""

    place: Annotated[int, Meta(ge=1, le=99)]


class NeverMind(Tap, frozen=True, tag="NeverMind"):
    """The wrong person was asked, or for the wrong thing."""

    by: ClassVar[By] = "anybody"


def tell(before: Play, after: Play, line: Say, *, sealed: bool = False) -> Step:
    """Something that the card says has been done: told to all, and noted on the card so that it is not done twice."""
    return step(before, after.with_card(did=(*after.in_play.did, line)), line, sealed=sealed)


def needs_effect(play: Play, seat: Seat, who: Seat) -> None:
    needs(play, "effect")
    if seat != play.turn:
        raise NotAllowed("{name} carries out the card.", name=play.turn)
    if who not in play.seats:
        raise NotAllowed("Say who.")


def gain(play: Play, seat: Seat, tap: Gain, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    if not play.reserve[tap.kind]:
        line = Say("{name} would gain {kind}, but none is left in the reserve.", name=tap.who, kind=word(tap.kind))
        return tell(play, play, line)
    return tell(play, play.draw(tap.who, tap.kind), Say("{name} gains {kind}.", name=tap.who, kind=word(tap.kind)))


def lose(play: Play, seat: Seat, tap: Lose, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    if not play.has(tap.who, tap.kind):
        # The table learns that nothing of it lies hidden there, and cannot unlearn it.
        line = Say("{name} would lose {kind}, but has none.", name=tap.who, kind=word(tap.kind))
        return tell(play, play, line, sealed=True)
    line = Say("{name} has to lose {kind}.", name=tap.who, kind=word(tap.kind))
    return step(play, play.but(ask=Ask(tap.who, "lose", tap.kind)), line, sealed=True)


def steal(play: Play, seat: Seat, tap: Steal, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    if tap.who == seat:
        raise NotAllowed("Choose a rival to steal from.")
    if not play.has(tap.who, tap.kind):
        line = Say("{name} asks {rival} for {kind}: there is none.", name=seat, rival=tap.who, kind=word(tap.kind))
        return tell(play, play, line, sealed=True)
    line = Say("{name} asks {rival} for {kind}.", name=seat, rival=tap.who, kind=word(tap.kind))
    return step(play, play.but(ask=Ask(tap.who, "give", tap.kind, to=seat)), line, sealed=True)


def hide(play: Play, seat: Seat, tap: Hide, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    after = play.but(ask=Ask(tap.who, "hide"))
    if not after.can_choose():
        return tell(play, play, Say("{name} has no card face up to hide.", name=tap.who))
    return step(play, after, Say("{name} has to hide a card.", name=tap.who))


def reveal(play: Play, seat: Seat, tap: Reveal, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    after = play.but(ask=Ask(tap.who, "reveal"))
    if not after.can_choose():
        return tell(play, play, Say("{name} has no hidden card to reveal.", name=tap.who))
    return step(play, after, Say("{name} has to reveal a card.", name=tap.who))


def pick(play: Play, seat: Seat, tap: Pick, dice: Dice) -> Step:
    if play.phase != "asking" or seat != play.asked.owner:
        raise NotAllowed("You have no card to choose now.")
    ask, card = play.asked, play.card_at(seat, tap.place)
    then = play.but(ask=None)
    kind = word(card.kind)
    if ask.what == "hide":
        if card.hidden:
            raise NotAllowed("That card is hidden already.")
        # Everybody saw which; nobody needs the companion to remember it for them.
        return tell(play, then.flip(seat, tap.place), Say("{name} hides a card.", name=seat))
    if ask.what == "reveal":
        if not card.hidden:
            raise NotAllowed("That card lies face up already.")
        return tell(play, then.flip(seat, tap.place), Say("{name} reveals {kind}.", name=seat, kind=kind), sealed=True)
    if card.kind != ask.kind:
        raise NotAllowed("That card is not {kind}. Hold a hidden card to look at it.", kind=word(ask.kind))
    if ask.what == "lose":
        text = N_("{name} loses {kind}, a hidden card.") if card.hidden else N_("{name} loses {kind}.")
        return tell(play, then.put_back(seat, tap.place), Say(text, name=seat, kind=kind), sealed=True)
    text = N_("{name} hands {kind} to {thief}, a hidden card.")
    if not card.hidden:
        text = N_("{name} hands {kind} to {thief}.")
    line = Say(text, name=seat, kind=kind, thief=ask.to)
    return tell(play, then.hand(seat, tap.place, ask.to), line, sealed=True)


def never_mind(play: Play, seat: Seat, tap: NeverMind, dice: Dice) -> Step:
    if play.phase != "asking":
        raise NotAllowed("Nobody has to choose a card now.")
    if seat not in (play.turn, TABLE):
        raise NotAllowed("{name} carries out the card.", name=play.turn)
    line = Say("Never mind: {name} need not choose a card.", name=play.asked.owner)
    return step(play, play.but(ask=None), line)


RULES: dict[type[Tap], Rule] = {
    Gain: gain,
    Lose: lose,
    Steal: steal,
    Hide: hide,
    Reveal: reveal,
    Pick: pick,
    NeverMind: never_mind,
}
