"""Loot and informants: the cards in front of a player."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from companion.game import By, Dice, NotAllowed, Rule, Say, SayN, Seat, Step, Tap
from companion.games.big_shuffle.cards import MOST_LOOT, Card, Name, same
from companion.games.big_shuffle.pieces import Shown
from companion.games.big_shuffle.piles import if_empty
from companion.games.big_shuffle.scenes import Index, needs_play
from companion.games.big_shuffle.state import Noir


class TrashLoot(Tap, frozen=True, tag="TrashLoot"):
    by: ClassVar[By] = "anybody"
    owner: Seat
    index: Index


class PassLoot(Tap, frozen=True, tag="PassLoot"):
    """Steal loot, or (without a new owner) take it back to the hand."""

    by: ClassVar[By] = "anybody"
    owner: Seat
    index: Index
    to: Seat = Seat(0)


class MeetInformant(Tap, frozen=True, tag="MeetInformant"):
    """Name the informant in front of a player, or correct the name."""

    by: ClassVar[By] = "anybody"
    owner: Seat
    name: Name


class ReplaceInformant(Tap, frozen=True, tag="ReplaceInformant"):
    """Discard an informant, and reveal a new one from the deck."""

    by: ClassVar[By] = "anybody"
    owner: Seat
    name: Name
    killed: bool = False


def loot_at(table: Noir, owner: Seat, index: int) -> tuple[Noir, str]:
    loot = table.player(owner).loot
    if index >= len(loot):
        raise NotAllowed("{name} doesn't have that loot any more. Choose another one.", name=owner)
    return table.with_player(owner, loot=(*loot[:index], *loot[index + 1 :])), loot[index]


def must_trash(table: Noir, owner: Seat) -> tuple[Say, ...]:
    """Say how much loot a player must trash: three is the limit."""
    spare = len(table.player(owner).loot) - MOST_LOOT
    return (
        (SayN("{name} must trash {n} loot.", "{name} must trash {n} loot.", n=spare, name=owner),) if spare > 0 else ()
    )


def trash_loot(table: Noir, seat: Seat, tap: TrashLoot, dice: Dice) -> Step:
    needs_play(table)
    after, name = loot_at(table, tap.owner, tap.index)
    return Step(after.discard(Card("loot", name)), Say("{name} trashes {card}.", name=tap.owner, card=name))


def pass_loot(table: Noir, seat: Seat, tap: PassLoot, dice: Dice) -> Step:
    needs_play(table)
    after, name = loot_at(table, tap.owner, tap.index)
    if not tap.to:
        shown = (Shown(Card("loot", name), tap.owner), *after.shown)
        return Step(
            msgspec.structs.replace(after, shown=shown),
            Say("{name} takes {card} back into hand.", name=tap.owner, card=name),
        )
    if tap.to == tap.owner:
        raise NotAllowed("{name} already has that loot. Choose somebody else.", name=tap.owner)
    after = after.with_player(tap.to, loot=(*after.player(tap.to).loot, name))
    line = Say("{name} steals {card} from {owner}.", name=tap.to, card=name, owner=tap.owner)
    return Step(after, line, *must_trash(after, tap.to))


def forget_typed_informant(table: Noir, owner: Seat) -> Noir:
    """Drop the modifier typed for an informant who is gone: it does not count for the new one."""
    if table.attempt is None or table.attempt.seat != owner:
        return table
    typed = {key: n for key, n in table.attempt.typed.items() if key != "informant"}
    return msgspec.structs.replace(table, attempt=msgspec.structs.replace(table.attempt, typed=typed))


def meet_informant(table: Noir, seat: Seat, tap: MeetInformant, dice: Dice) -> Step:
    needs_play(table)
    old = table.player(tap.owner).informant
    if old is not None and same(old) == same(tap.name):
        raise NotAllowed("{card} already works for {name}. Type another name.", card=old, name=tap.owner)
    table, name = table.learn("informant", tap.name)
    table = table.with_player(tap.owner, informant=None)
    table.room_for(Card("informant", name))
    after = forget_typed_informant(table.with_player(tap.owner, informant=name), tap.owner)
    if old is not None:
        return Step(
            after,
            Say("{who} corrects: {card} works for {name}, not {old}.", who=seat, card=name, name=tap.owner, old=old),
        )
    return Step(after, Say("{card} works for {name}.", card=name, name=tap.owner))


def replace_informant(table: Noir, seat: Seat, tap: ReplaceInformant, dice: Dice) -> Step:
    needs_play(table)
    old = table.player(tap.owner).informant
    if old is None:
        raise NotAllowed("First say which informant {name} has.", name=tap.owner)
    table = table.with_player(tap.owner, informant=None).discard(Card("informant", old))
    table, empty = if_empty(table, "informant")
    table, name = table.learn("informant", tap.name)
    table.room_for(Card("informant", name))
    after = forget_typed_informant(table.with_player(tap.owner, informant=name), tap.owner)
    text = (
        Say("{old} is killed. {card} works for {name} now.", old=old, name=tap.owner, card=name)
        if tap.killed
        else Say("{name} replaces {old} with {card}.", old=old, name=tap.owner, card=name)
    )
    return Step(after, text, *empty)


RULES: dict[type[Tap], Rule] = {
    TrashLoot: trash_loot,
    PassLoot: pass_loot,
    MeetInformant: meet_informant,
    ReplaceInformant: replace_informant,
}
