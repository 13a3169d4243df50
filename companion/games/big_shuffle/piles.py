"""Discard piles and revealed cards: what lies open beside the city."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Rule, Say, SayN, Seat, Step, Tap
from companion.games.big_shuffle.cards import Card, Name, PileName
from companion.games.big_shuffle.pieces import Shown
from companion.games.big_shuffle.scenes import Index, needs_play
from companion.games.big_shuffle.state import Noir, pile_of

PileKind = Literal["goon", "loot", "action", "reaction", "informant", "scene_change"]
Position = Annotated[int, Meta(title=N_("The position"), ge=1, le=60)]
PILES: dict[PileName, Say] = {
    "noir": Say("noir"),
    "informant": Say("informant"),
    "scene_change": Say("scene-change"),
}


class FileCard(Tap, frozen=True, tag="FileCard"):
    """A card goes to its discard pile; 1 is the top."""

    by: ClassVar[By] = "anybody"
    kind: PileKind
    name: Name
    position: Position = 1


class UnfileCard(Tap, frozen=True, tag="UnfileCard"):
    """A correction: this card is not in the discard pile."""

    by: ClassVar[By] = "anybody"
    pile: PileName
    index: Index


class ReturnCard(Tap, frozen=True, tag="ReturnCard"):
    """A card leaves the discard pile for somebody's hand, or (no seat) for its deck."""

    by: ClassVar[By] = "anybody"
    pile: PileName
    index: Index
    holder: Seat = Seat(0)


class Reshuffle(Tap, frozen=True, tag="Reshuffle"):
    """An empty deck: its discard pile becomes the deck."""

    by: ClassVar[By] = "anybody"
    pile: PileName


class SearchDeck(Tap, frozen=True, tag="SearchDeck"):
    """A searched deck is shuffled afterwards."""

    by: ClassVar[By] = "anybody"
    pile: PileName


class ShowCard(Tap, frozen=True, tag="ShowCard"):
    """Somebody reveals a card of their hand, or the table one of a deck."""

    by: ClassVar[By] = "anybody"
    kind: PileKind
    name: Name
    holder: Seat = Seat(0)


class PutShown(Tap, frozen=True, tag="PutShown"):
    """A revealed card goes to its discard pile, or is no longer where everybody could follow it."""

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
        Say("{who} files {card} in the {pile} discard.", who=seat, card=name, pile=PILES[pile]),
    )


def taken(table: Noir, pile: PileName, index: int) -> tuple[Noir, Card]:
    discards = table.pile(pile)
    if index >= len(discards):
        raise NotAllowed("That card is no longer in the discard pile.")
    return table.with_pile(pile, (*discards[:index], *discards[index + 1 :])), discards[index]


def unfile_card(table: Noir, seat: Seat, tap: UnfileCard, dice: Dice) -> Step:
    needs_play(table)
    after, card = taken(table, tap.pile, tap.index)
    return Step(
        after,
        Say("{who} corrects: {card} is not in the {pile} discard.", who=seat, card=card.name, pile=PILES[tap.pile]),
    )


def return_card(table: Noir, seat: Seat, tap: ReturnCard, dice: Dice) -> Step:
    needs_play(table)
    after, card = taken(table, tap.pile, tap.index)
    if tap.holder:
        table.player(tap.holder)
        line = Say("{card} returns from the discard to {name}.", card=card.name, name=tap.holder)
    else:
        line = Say("{card} returns from the discard to its deck.", card=card.name)
    return Step(msgspec.structs.replace(after, shown=(Shown(card, tap.holder), *after.shown)), line)


def forget_deck(table: Noir, pile: PileName) -> Noir:
    """After a shuffle nobody can follow a card that went back to its deck."""
    shown = tuple(one for one in table.shown if one.holder or pile_of(one.card.kind) != pile)
    return msgspec.structs.replace(table, shown=shown)


def reshuffled(table: Noir, pile: PileName) -> Noir:
    return forget_deck(table.with_pile(pile, ()), pile)


def reshuffle(table: Noir, seat: Seat, tap: Reshuffle, dice: Dice) -> Step:
    needs_play(table)
    n = len(table.pile(tap.pile))
    if not n:
        raise NotAllowed("That discard pile is empty.")
    line = SayN(
        "The {pile} discard ({n} card) is shuffled into a new deck.",
        "The {pile} discard ({n} cards) is shuffled into a new deck.",
        n=n,
        pile=PILES[tap.pile],
    )
    return Step(reshuffled(table, tap.pile), line)


def if_empty(table: Noir, pile: PileName) -> tuple[Noir, tuple[Say, ...]]:
    """A card is about to come off this deck: if there is none, the discard pile becomes the deck."""
    if table.deck(pile) != 0 or not table.pile(pile):
        return table, ()
    return reshuffled(table, pile), (
        Say("The {pile} deck was empty: its discard pile is the deck now.", pile=PILES[pile]),
    )


def search_deck(table: Noir, seat: Seat, tap: SearchDeck, dice: Dice) -> Step:
    needs_play(table)
    line = Say("{who} searches the {pile} deck; it is shuffled.", who=seat, pile=PILES[tap.pile])
    return Step(forget_deck(table, tap.pile), line)


def show_card(table: Noir, seat: Seat, tap: ShowCard, dice: Dice) -> Step:
    needs_play(table)
    table, name = table.learn(tap.kind, tap.name)
    card = Card(tap.kind, name)
    table.room_for(card)
    if tap.holder:
        table.player(tap.holder)
        line = Say("{name} shows {card}.", name=tap.holder, card=name)
    else:
        line = Say("{card} is revealed from the deck.", card=name)
    return Step(msgspec.structs.replace(table, shown=(Shown(card, tap.holder), *table.shown)), line)


def put_shown(table: Noir, seat: Seat, tap: PutShown, dice: Dice) -> Step:
    needs_play(table)
    if tap.index >= len(table.shown):
        raise NotAllowed("That card is no longer among the revealed ones.")
    card = table.shown[tap.index].card
    after = msgspec.structs.replace(table, shown=(*table.shown[: tap.index], *table.shown[tap.index + 1 :]))
    if tap.to == "discard":
        return Step(after.discard(card), Say("{card} goes to its discard pile.", card=card.name))
    return Step(after, Say("{card} is out of sight again.", card=card.name))


RULES: dict[type[Tap], Rule] = {
    FileCard: file_card,
    UnfileCard: unfile_card,
    ReturnCard: return_card,
    Reshuffle: reshuffle,
    SearchDeck: search_deck,
    ShowCard: show_card,
    PutShown: put_shown,
}
