"""Discard piles, decks and revealed cards."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Rule, Say, SayN, Seat, Step, Tap
from companion.games.big_shuffle.cards import Card, Name, PileName
from companion.games.big_shuffle.pieces import Shown
from companion.games.big_shuffle.scenes import Index, needs_play
from companion.games.big_shuffle.sentences import DECK_EMPTY, FILES, NOT_FILED, SEARCHES, filled
from companion.games.big_shuffle.state import Noir, pile_of

PileKind = Literal["goon", "loot", "action", "reaction", "informant", "scene_change"]
Position = Annotated[int, Meta(title=N_("The position"), ge=1, le=60)]


class FileCard(Tap, frozen=True, tag="FileCard"):
    """Put a card on its discard pile. Position 1 is the top."""

    by: ClassVar[By] = "anybody"
    kind: PileKind
    name: Name
    position: Position = 1


class UnfileCard(Tap, frozen=True, tag="UnfileCard"):
    """Take a card out of a discard pile, because it was put there by mistake."""

    by: ClassVar[By] = "anybody"
    pile: PileName
    index: Index


class ReturnCard(Tap, frozen=True, tag="ReturnCard"):
    """Return a card from a discard pile to somebody's hand, or (no seat) to its deck."""

    by: ClassVar[By] = "anybody"
    pile: PileName
    index: Index
    holder: Seat = Seat(0)


class Reshuffle(Tap, frozen=True, tag="Reshuffle"):
    """Shuffle a discard pile into a new deck, because the deck is empty."""

    by: ClassVar[By] = "anybody"
    pile: PileName


class SearchDeck(Tap, frozen=True, tag="SearchDeck"):
    """Search a deck and shuffle it afterwards."""

    by: ClassVar[By] = "anybody"
    pile: PileName


class ShowCard(Tap, frozen=True, tag="ShowCard"):
    """Reveal a card from a hand, or (no seat) from a deck."""

    by: ClassVar[By] = "anybody"
    kind: PileKind
    name: Name
    holder: Seat = Seat(0)


class PutShown(Tap, frozen=True, tag="PutShown"):
    """Put a revealed card on its discard pile, or stop tracking it."""

    by: ClassVar[By] = "anybody"
    index: Index
    to: Literal["discard", "unseen"]


def file_card(table: Noir, seat: Seat, tap: FileCard, dice: Dice) -> Step:
    needs_play(table)
    table, name = table.learn(tap.kind, tap.name)
    card = Card(tap.kind, name)
    if seat in table.seats:
        table = table.seen_coming(card, seat)
    table.room_for(card)
    pile = pile_of(card.kind)
    below = min(tap.position - 1, len(table.pile(pile)))
    discards = (*table.pile(pile)[:below], card, *table.pile(pile)[below:])
    return Step(
        table.with_pile(pile, discards),
        filled(FILES[pile], who=seat, card=name),
    )


def taken(table: Noir, pile: PileName, index: int) -> tuple[Noir, Card]:
    discards = table.pile(pile)
    if index >= len(discards):
        raise NotAllowed("That card is no longer in the discard pile. Choose another one.")
    return table.with_pile(pile, (*discards[:index], *discards[index + 1 :])), discards[index]


def unfile_card(table: Noir, seat: Seat, tap: UnfileCard, dice: Dice) -> Step:
    needs_play(table)
    after, card = taken(table, tap.pile, tap.index)
    return Step(after, filled(NOT_FILED[tap.pile], who=seat, card=card.name))


def return_card(table: Noir, seat: Seat, tap: ReturnCard, dice: Dice) -> Step:
    needs_play(table)
    after, card = taken(table, tap.pile, tap.index)
    if tap.holder:
        table.player(tap.holder)
        line = Say("{name} takes {card} from the discard pile.", card=card.name, name=tap.holder)
    else:
        line = Say("{card} goes from the discard pile back to its deck.", card=card.name)
    return Step(msgspec.structs.replace(after, shown=(Shown(card, tap.holder), *after.shown)), line)


def forget_deck(table: Noir, pile: PileName) -> Noir:
    """Forget the cards known to be in this deck: after a shuffle nobody can track them."""
    shown = tuple(one for one in table.shown if one.holder or pile_of(one.card.kind) != pile)
    return msgspec.structs.replace(table, shown=shown)


def reshuffled(table: Noir, pile: PileName) -> Noir:
    return forget_deck(table.with_pile(pile, ()), pile)


def reshuffle(table: Noir, seat: Seat, tap: Reshuffle, dice: Dice) -> Step:
    needs_play(table)
    n = len(table.pile(tap.pile))
    if not n:
        raise NotAllowed("That discard pile is empty, so there is nothing to shuffle.")
    return Step(reshuffled(table, tap.pile), new_deck(tap.pile, n))


def new_deck(pile: PileName, n: int) -> Say:
    if pile == "informant":
        return SayN(
            "The informant discard pile ({n} card) becomes a new deck.",
            "The informant discard pile ({n} cards) becomes a new deck.",
            n=n,
        )
    if pile == "scene_change":
        return SayN(
            "The scene-change discard pile ({n} card) becomes a new deck.",
            "The scene-change discard pile ({n} cards) becomes a new deck.",
            n=n,
        )
    return SayN(
        "The noir discard pile ({n} card) becomes a new deck.",
        "The noir discard pile ({n} cards) becomes a new deck.",
        n=n,
    )


def if_empty(table: Noir, pile: PileName) -> tuple[Noir, tuple[Say, ...]]:
    """Shuffle the discard pile into a new deck if a card is needed and the deck is empty."""
    if table.deck(pile) != 0 or not table.pile(pile):
        return table, ()
    return reshuffled(table, pile), (DECK_EMPTY[pile],)


def search_deck(table: Noir, seat: Seat, tap: SearchDeck, dice: Dice) -> Step:
    needs_play(table)
    return Step(forget_deck(table, tap.pile), filled(SEARCHES[tap.pile], who=seat))


def show_card(table: Noir, seat: Seat, tap: ShowCard, dice: Dice) -> Step:
    needs_play(table)
    table, name = table.learn(tap.kind, tap.name)
    card = Card(tap.kind, name)
    table.room_for(card)
    if tap.holder:
        table.player(tap.holder)
        line = Say("{name} reveals {card}.", name=tap.holder, card=name)
    else:
        line = Say("{card} is revealed from its deck.", card=name)
    return Step(msgspec.structs.replace(table, shown=(Shown(card, tap.holder), *table.shown)), line)


def put_shown(table: Noir, seat: Seat, tap: PutShown, dice: Dice) -> Step:
    needs_play(table)
    if tap.index >= len(table.shown):
        raise NotAllowed("That card is not revealed any more. Choose another one.")
    card = table.shown[tap.index].card
    after = msgspec.structs.replace(table, shown=(*table.shown[: tap.index], *table.shown[tap.index + 1 :]))
    if tap.to == "discard":
        return Step(after.discard(card), Say("{card} goes to its discard pile.", card=card.name))
    return Step(after, Say("{card} is hidden again.", card=card.name))


RULES: dict[type[Tap], Rule] = {
    FileCard: file_card,
    UnfileCard: unfile_card,
    ReturnCard: return_card,
    Reshuffle: reshuffle,
    SearchDeck: search_deck,
    ShowCard: show_card,
    PutShown: put_shown,
}
