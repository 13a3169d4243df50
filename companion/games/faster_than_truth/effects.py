"""What intrigue cards do, in the five keywords of the rulebook: gain, lose, steal, hide, reveal.

The app does not know the cards: the player of a card taps what it does. The owner always chooses which
of their cards is lost or flipped, even if there is only one, because skipping the question would show
that. A player who is asked for a named card answers even if they have none. Until they answer, nobody
has learned anything, so a question asked by mistake can be cancelled.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from companion.game import N_, TABLE, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.faster_than_truth.sentences import (
    ASKS,
    GAINS,
    HANDS,
    HANDS_HIDDEN,
    HAS_NONE,
    LOSES,
    LOSES_HIDDEN,
    MUST_LOSE,
    NONE_TO_GAIN,
    NOT_THIS,
    REVEALS,
    YOU_HAVE,
)
from companion.games.faster_than_truth.state import Ask, Kind, Play
from companion.games.faster_than_truth.steps import needs, step

Named = Annotated[Kind, Meta(title=N_("The resource"))]
Who = Annotated[Seat, Meta(title=N_("Who"))]


class Gain(Tap, frozen=True, tag="Gain"):
    """A player takes the named card from the reserve."""

    who: Who
    kind: Named


class Lose(Tap, frozen=True, tag="Lose"):
    """A player returns the named card to the reserve."""

    who: Who
    kind: Named


class Steal(Tap, frozen=True, tag="Steal"):
    """Ask a rival for the named card."""

    who: Who
    kind: Named


class Flip(Tap, frozen=True, tag="Flip"):
    """Tap one of your own cards to hide it or to reveal it."""

    place: Annotated[int, Meta(ge=1, le=99)]


class Hide(Tap, frozen=True, tag="Hide"):
    """A player flips one of their cards face down."""

    who: Who


class Reveal(Tap, frozen=True, tag="Reveal"):
    """A player flips one of their hidden cards face up."""

    who: Who


class Pick(Tap, frozen=True, tag="Pick"):
    """Choose one of your cards, by its place."""

    place: Annotated[int, Meta(ge=1, le=99)]


class HaveNone(Tap, frozen=True, tag="HaveNone"):
    """Say that you do not have the card you were asked for."""


class NeverMind(Tap, frozen=True, tag="NeverMind"):
    """Cancel a question asked by mistake."""

    by: ClassVar[By] = "anybody"


def tell(before: Play, after: Play, line: Say, *, sealed: bool = False) -> Step:
    """Tell everybody what was done, and note it on the card so that nobody does it twice."""
    return step(before, after.with_card(did=(*after.in_play.did, line)), line, sealed=sealed)


def needs_effect(play: Play, seat: Seat, who: Seat) -> None:
    needs(play, "effect")
    if seat != play.turn:
        raise NotAllowed("{name} played this card. Only {name} can do that.", name=play.turn)
    if who not in play.seats:
        raise NotAllowed("Choose a player.")


def gain(play: Play, seat: Seat, tap: Gain, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    if not play.reserve[tap.kind]:
        return tell(play, play, Say(NONE_TO_GAIN[tap.kind], name=tap.who))
    return tell(play, play.draw(tap.who, tap.kind), Say(GAINS[tap.kind], name=tap.who))


def lose(play: Play, seat: Seat, tap: Lose, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    line = Say(MUST_LOSE[tap.kind], name=tap.who)
    return step(play, play.but(ask=Ask(tap.who, "lose", tap.kind)), line)


def steal(play: Play, seat: Seat, tap: Steal, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    if tap.who == seat:
        raise NotAllowed("Choose a rival to steal from.")
    line = Say(ASKS[tap.kind], name=seat, rival=tap.who)
    return step(play, play.but(ask=Ask(tap.who, "give", tap.kind, to=seat)), line)


def flip(play: Play, seat: Seat, tap: Flip, dice: Dice) -> Step:
    needs_effect(play, seat, seat)
    return flipped(play, seat, tap.place)


def flipped(play: Play, seat: Seat, place: int) -> Step:
    """Flip one of a player's own cards; a reveal is sealed, because everybody has seen it."""
    card, after = play.card_at(seat, place), play.flip(seat, place).but(ask=None)
    if card.hidden:
        return tell(play, after, Say(REVEALS[card.kind], name=seat), sealed=True)
    # The history does not say which card: remembering that is part of the game.
    return tell(play, after, Say("{name} hides a card.", name=seat))


def hide(play: Play, seat: Seat, tap: Hide, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    after = play.but(ask=Ask(tap.who, "hide"))
    if not after.can_choose():
        return tell(play, play, Say("{name} has no face-up card to hide.", name=tap.who))
    return step(play, after)


def reveal(play: Play, seat: Seat, tap: Reveal, dice: Dice) -> Step:
    needs_effect(play, seat, tap.who)
    after = play.but(ask=Ask(tap.who, "reveal"))
    if not after.can_choose():
        return tell(play, play, Say("{name} has no hidden card to reveal.", name=tap.who))
    return step(play, after)


def pick(play: Play, seat: Seat, tap: Pick, dice: Dice) -> Step:
    if play.phase != "asking" or seat != play.asked.owner:
        raise NotAllowed("You don't have to choose a card now.")
    ask, card = play.asked, play.card_at(seat, tap.place)
    then = play.but(ask=None)
    if ask.what == "hide" and card.hidden:
        raise NotAllowed("That card is already hidden. Choose a face-up card.")
    if ask.what == "reveal" and not card.hidden:
        raise NotAllowed("That card is already face up. Choose a hidden card.")
    if ask.what in ("hide", "reveal"):
        return flipped(play, seat, tap.place)
    if ask.kind and card.kind != ask.kind:
        raise NotAllowed(NOT_THIS[ask.kind])
    if ask.what == "lose":
        line = Say((LOSES_HIDDEN if card.hidden else LOSES)[card.kind], name=seat)
        return tell(play, then.put_back(seat, tap.place), line, sealed=True)
    line = Say((HANDS_HIDDEN if card.hidden else HANDS)[card.kind], name=seat, thief=ask.to)
    return tell(play, then.hand(seat, tap.place, ask.to), line, sealed=True)


def have_none(play: Play, seat: Seat, tap: HaveNone, dice: Dice) -> Step:
    if play.phase != "asking" or seat != play.asked.owner or play.asked.kind is None:
        raise NotAllowed("You don't have to choose a card now.")
    kind = play.asked.kind
    if play.has(seat, kind):
        raise NotAllowed(YOU_HAVE[kind])
    # Sealed: the table now knows that this player hides none of this kind.
    return tell(play, play.but(ask=None), Say(HAS_NONE[kind], name=seat), sealed=True)


def never_mind(play: Play, seat: Seat, tap: NeverMind, dice: Dice) -> Step:
    if play.phase != "asking":
        raise NotAllowed("Nobody has to choose a card now.")
    if seat not in (play.turn, TABLE):
        raise NotAllowed("{name} played this card. Only {name} can do that.", name=play.turn)
    line = Say("{name} was asked by mistake and doesn't have to choose.", name=play.asked.owner)
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
