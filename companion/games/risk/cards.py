"""Each player's own cards: razor blades, missions, powers. The table only sees a card when it is played."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.game import Dice, NotAllowed, Say, SayN, Seat, Step, Tap
from companion.games.risk.chances import Traded, best_trade
from companion.games.risk.notebook import Blade, Mission, Notebook
from companion.games.risk.setup import TERRITORIES
from companion.games.risk.state import Underworld, replace
from companion.games.risk.turn import needs_play

CardId = Annotated[int, Meta(ge=1, le=99_999)]


class AddBlade(Tap, frozen=True, tag="AddBlade"):
    """Add a Territory card to your hand."""

    blades: Literal[1, 2]


class Trade(Tap, frozen=True, tag="Trade"):
    """Trade the ticked cards in the best way, or only work out what they would bring."""

    cards: tuple[CardId, ...] = ()
    picked: bool = False
    """`cards` holds the ticked cards, maybe none. Otherwise trade those ticked before, or all."""
    weigh: bool = False


class DropNote(Tap, frozen=True, tag="DropNote"):
    """Remove a card that was added by mistake."""

    card: CardId


# -------------------------------------------------------------------------------- what is still in hand


def notebook(state: Underworld, seat: Seat) -> Notebook:
    if seat not in state.notebooks:
        raise NotAllowed("You're not in this game.")
    return state.notebooks[seat]


def unplayed(state: Underworld, seat: Seat, notes: Notebook) -> Notebook:
    """Return the notes without the cards that have been played."""
    gone = state.played.get(seat, ())
    return replace(
        notes,
        blades=tuple(card for card in notes.blades if card.id not in gone),
        missions=tuple(card for card in notes.missions if card.id not in gone),
        powers=tuple(card for card in notes.powers if card.id not in gone),
    )


def hand(state: Underworld, seat: Seat) -> Notebook:
    return unplayed(state, seat, notebook(state, seat))


def chosen(held: Notebook) -> tuple[Blade, ...]:
    """Return the ticked cards; all of them until the player unticks some."""
    return tuple(card for card in held.blades if held.chosen is None or card.id in held.chosen)


def best(cards: tuple[Blade, ...]) -> Traded:
    twos = sum(card.blades == 2 for card in cards)
    return best_trade(len(cards) - twos, twos)


def held_for(state: Underworld, seat: Seat, mission: Mission) -> int | None:
    """Return how many of the player's turns have ended while they held the mission, or None if they don't hold it.

    A mission with named territories reads who holds them.
    """
    since = mission.since
    if mission.places:
        mine = state.gang_of(seat).number if state.turn else 0
        held = [state.held.get(name) for name in mission.places]
        yours = [one.since for one in held if one is not None and one.gang == mine]
        since = max(yours) if len(yours) == len(held) else None
    return None if since is None else max(0, state.turns.get(seat, 0) - since)


def noted(state: Underworld, seat: Seat, notes: Notebook) -> Step:
    return Step(state.with_notebook(seat, notes), note=True)


# -------------------------------------------------------------------------------- razor blades


def add_blade(state: Underworld, seat: Seat, tap: AddBlade, dice: Dice) -> Step:
    notes = notebook(state, seat)
    if len(hand(state, seat).blades) >= TERRITORIES:
        raise NotAllowed("There are only 42 Territory cards. Remove one first.")
    card = Blade(notes.written + 1, tap.blades)
    held = notes.chosen if notes.chosen is None else (*notes.chosen, card.id)
    return noted(state, seat, notes.write(blades=(*notes.blades, card), chosen=held))


def trade(state: Underworld, seat: Seat, tap: Trade, dice: Dice) -> Step:
    """Trading is allowed during your turn. A card that would bring nothing stays in your hand."""
    notes, held = notebook(state, seat), hand(state, seat)
    if tap.picked:
        if not {card.id for card in held.blades}.issuperset(tap.cards):
            raise NotAllowed("You don't have that card.")
        notes = notes.write(chosen=tuple(sorted(set(tap.cards))))
        held = replace(held, chosen=notes.chosen)
    if tap.weigh:
        return noted(state, seat, notes)
    needs_play(state)
    if state.current.seat != seat:
        raise NotAllowed("You can only trade during your own turn.")
    cards = chosen(held)
    found = best(cards)
    if not found.members:
        raise NotAllowed("You need at least two razor blades to trade.")
    ones = [card.id for card in cards if card.blades == 1][: found.ones]
    twos = [card.id for card in cards if card.blades == 2][: found.twos]
    blades = sum(found.sets)
    after = state.play(seat, *ones, *twos).recruit(SayN("{n} razor blade", "{n} razor blades", n=blades), found.members)
    after = after.with_notebook(seat, notes.write(chosen=None))
    line = Say("{name} trades {blades} razor blades for {n} members.", name=seat, blades=blades, n=found.members)
    return Step(after, line)


def drop_note(state: Underworld, seat: Seat, tap: DropNote, dice: Dice) -> Step:
    notes, held = notebook(state, seat), hand(state, seat)
    mine = {card.id for card in held.blades} | {card.id for card in held.missions} | {card.id for card in held.powers}
    if tap.card not in mine:
        raise NotAllowed("You don't have that card.")
    return noted(
        state,
        seat,
        notes.write(
            blades=tuple(card for card in notes.blades if card.id != tap.card),
            missions=tuple(card for card in notes.missions if card.id != tap.card),
            powers=tuple(card for card in notes.powers if card.id != tap.card),
        ),
    )
