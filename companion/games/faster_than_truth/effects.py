"""What intrigue cards do, in the five words of the book: gain, lose, steal, hide, reveal.

The companion does not know the cards: whoever played one says what it does. Which of their own cards
goes or is flipped is the owner's choice, always, even if there is only one: not being asked would
tell the table so. And whoever is asked for a named card answers even if they have none: until then
nobody has learned anything, so asking by mistake can be called off.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from companion.game import N_, TABLE, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.state import Ask, Kind, Play
from companion.games.faster_than_truth.steps import needs, step, word

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


class Flip(Tap, frozen=True, tag="Flip"):
    """Hide a card of your own that lies face up, or reveal a hidden one: a tap on the card itself."""

    place: Annotated[int, Meta(ge=1, le=99)]


class Hide(Tap, frozen=True, tag="Hide"):
    """Somebody flips a card of theirs face down."""

    who: Who


class Reveal(Tap, frozen=True, tag="Reveal"):
    """Somebody flips a hidden card of theirs face up."""

    who: Who


class Pick(Tap, frozen=True, tag="Pick"):
    """The card of yours that you choose, by its place."""

    place: Annotated[int, Meta(ge=1, le=99)]


class HaveNone(Tap, frozen=True, tag="HaveNone"):
    """You were asked for a card that you do not have."""


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
    line = Say("{name} has to lose {kind}.", name=tap.who, kind=word(tap.kind))
    return step(play, play.but(ask=Ask(tap.who, "lose", tap.kind)), line)


def steal(play: Play, seat: Seat, tap: Steal, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    if tap.who == seat:
        raise NotAllowed("Choose a rival to steal from.")
    line = Say("{name} asks {rival} for {kind}.", name=seat, rival=tap.who, kind=word(tap.kind))
    return step(play, play.but(ask=Ask(tap.who, "give", tap.kind, to=seat)), line)


def flip(play: Play, seat: Seat, tap: Flip, dice: Dice) -> Step:
    needs_effect(play, seat, seat)
    return flipped(play, seat, tap.place)


def flipped(play: Play, seat: Seat, place: int) -> Step:
    """A card of one's own changes sides; what is revealed, everybody has seen."""
    card, after = play.card_at(seat, place), play.flip(seat, place).but(ask=None)
    if card.hidden:
        return tell(play, after, Say("{name} reveals {kind}.", name=seat, kind=word(card.kind)), sealed=True)
    # Everybody saw which; nobody needs the companion to remember it for them.
    return tell(play, after, Say("{name} hides a card.", name=seat))


def hide(play: Play, seat: Seat, tap: Hide, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    after = play.but(ask=Ask(tap.who, "hide"))
    if not after.can_choose():
        return tell(play, play, Say("{name} has no card face up to hide.", name=tap.who))
    return step(play, after)


def reveal(play: Play, seat: Seat, tap: Reveal, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    after = play.but(ask=Ask(tap.who, "reveal"))
    if not after.can_choose():
        return tell(play, play, Say("{name} has no hidden card to reveal.", name=tap.who))
    return step(play, after)


def pick(play: Play, seat: Seat, tap: Pick, dice: Dice) -> Step:
    if play.phase != "asking" or seat != play.asked.owner:
        raise NotAllowed("You have no card to choose now.")
    ask, card = play.asked, play.card_at(seat, tap.place)
    then = play.but(ask=None)
    kind = word(card.kind)
    if ask.what == "hide" and card.hidden:
        raise NotAllowed("That card is hidden already.")
    if ask.what == "reveal" and not card.hidden:
        raise NotAllowed("That card lies face up already.")
    if ask.what in ("hide", "reveal"):
        return flipped(play, seat, tap.place)
    if card.kind != ask.kind:
        raise NotAllowed("That card is not {kind}. Hold your stash to look at it.", kind=word(ask.kind))
    if ask.what == "lose":
        text = N_("{name} loses {kind}, a hidden card.") if card.hidden else N_("{name} loses {kind}.")
        return tell(play, then.put_back(seat, tap.place), Say(text, name=seat, kind=kind), sealed=True)
    text = N_("{name} hands {kind} to {thief}, a hidden card.")
    if not card.hidden:
        text = N_("{name} hands {kind} to {thief}.")
    line = Say(text, name=seat, kind=kind, thief=ask.to)
    return tell(play, then.hand(seat, tap.place, ask.to), line, sealed=True)


def have_none(play: Play, seat: Seat, tap: HaveNone, dice: Dice) -> Step:
    if play.phase != "asking" or seat != play.asked.owner or play.asked.kind is None:
        raise NotAllowed("You have no card to choose now.")
    kind = play.asked.kind
    if play.has(seat, kind):
        raise NotAllowed("You have {kind}. Hold your stash to look at it.", kind=word(kind))
    # The table learns that nothing of it lies hidden there, and cannot unlearn it.
    line = Say("{name} has no {kind}.", name=seat, kind=word(kind))
    return tell(play, play.but(ask=None), line, sealed=True)


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
    Flip: flip,
    Hide: hide,
    Reveal: reveal,
    Pick: pick,
    HaveNone: have_none,
    NeverMind: never_mind,
}
