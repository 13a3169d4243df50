"""Names of cards: add one, correct one everywhere, or forget one that no card has."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from companion.game import By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.big_shuffle.cards import (
    ALSO_ONCE,
    SCENES,
    Card,
    Kind,
    Known,
    Name,
    Names,
    find,
    one_type,
    same,
    tidy,
)
from companion.games.big_shuffle.city import PLACES, Track
from companion.games.big_shuffle.pieces import Agenda
from companion.games.big_shuffle.state import Noir


class LearnName(Tap, frozen=True, tag="LearnName"):
    by: ClassVar[By] = "anybody"
    kind: Kind
    name: Name


class RespellName(Tap, frozen=True, tag="RespellName"):
    """Correct a misspelt name everywhere, or forget it if no card has it."""

    by: ClassVar[By] = "anybody"
    kind: Kind
    old: Name
    new: Name | None = None
    forget: bool = False


class TwoNames(Tap, frozen=True, tag="TwoNames"):
    """Say that a name is not a misspelling: there are two cards."""

    by: ClassVar[By] = "anybody"
    kind: Kind
    name: Name


def learn_name(table: Noir, seat: Seat, tap: LearnName, dice: Dice) -> Step:
    if find(table.names, tap.kind, tap.name):
        raise NotAllowed("That name is already in the list. Choose it there.")
    after, name = table.learn(tap.kind, tap.name)
    return Step(after, Say("{who} adds the name {card} to the list.", who=seat, card=name))


def respell_name(table: Noir, seat: Seat, tap: RespellName, dice: Dice) -> Step:
    old = find(table.names, tap.kind, tap.old)
    if old is None:
        raise NotAllowed("That name is not in the list any more. Choose another one.")
    if tap.forget:
        return forget_name(table, seat, tap.kind, old.name)
    if tap.new is None:
        raise NotAllowed("Type the right name.")
    new = tidy(tap.new)
    if new == old.name:
        raise NotAllowed("It is already spelt like that. Type another spelling.")
    other = find(table.names, tap.kind, new)
    if other is not None and other.name != old.name:
        if tap.kind in (*SCENES, *ALSO_ONCE) and (
            table.lies_open(tap.kind, old.name) and table.lies_open(tap.kind, other.name)
        ):
            raise NotAllowed(
                "{old} and {new} are both on the table, so they are two cards.", old=old.name, new=other.name
            )
        new = other.name
    if other is None:
        one_type(table.names, tap.kind, new)
    after = respelt(table, tap.kind, old.name, new)
    return Step(after, Say("{who} corrects a name: {old} is now {new}.", who=seat, new=new, old=old.name))


def respelt(table: Noir, kind: Kind, old: str, new: str) -> Noir:
    """Change the name everywhere, including on agendas and in remembered numbers."""

    def name(here: str | None) -> str | None:
        return new if here is not None and same(here) == same(old) else here

    def card(here: Card) -> Card:
        return Card(kind, new) if here.kind == kind and same(here.name) == same(old) else here

    table = msgspec.structs.replace(
        table.without_doubts(kind, old),
        names=respelt_names(table.names, kind, old, new),
        noir=tuple(map(card, table.noir)),
        informants=tuple(map(card, table.informants)),
        changes=tuple(map(card, table.changes)),
        shown=tuple(msgspec.structs.replace(shown, card=card(shown.card)) for shown in table.shown),
    )
    if kind in SCENES:
        track: Track = table.city[kind]
        for place in PLACES:
            track = track.with_pile(place, tuple(map(name, track.pile(place))))
        table = msgspec.structs.replace(
            table.with_track(kind, track),
            personal={
                seat: in_agenda(agenda, kind, name(agenda.scene(kind))) for seat, agenda in table.personal.items()
            },
            shared=tuple(in_agenda(agenda, kind, name(agenda.scene(kind))) for agenda in table.shared),
            aside=tuple(
                msgspec.structs.replace(one, agenda=in_agenda(one.agenda, kind, name(one.agenda.scene(kind))))
                for one in table.aside
            ),
        )
        if table.verdict is not None and table.verdict.kind == kind:
            verdict = msgspec.structs.replace(table.verdict, scene=name(table.verdict.scene))
            table = msgspec.structs.replace(table, verdict=verdict)
    for seat, player in table.players.items():
        if kind == "character":
            table = table.with_player(seat, character=name(player.character))
        elif kind == "informant":
            table = table.with_player(seat, informant=name(player.informant))
        elif kind == "loot":
            table = table.with_player(seat, loot=tuple(name(loot) or loot for loot in player.loot))
    if kind == "scene_change":
        table = msgspec.structs.replace(table, rain=name(table.rain))
        if table.attempt is not None:
            attempt = msgspec.structs.replace(table.attempt, card=name(table.attempt.card))
            table = msgspec.structs.replace(table, attempt=attempt)
    if kind == "goon" and table.attempt is not None:
        goons = tuple(msgspec.structs.replace(goon, card=card(goon.card)) for goon in table.attempt.goons)
        table = msgspec.structs.replace(table, attempt=msgspec.structs.replace(table.attempt, goons=goons))
    return table


def respelt_names(names: Names, kind: Kind, old: str, new: str) -> Names:
    """Merge two spellings, and keep the numbers of both."""
    both = [known for known in names.get(kind, ()) if same(known.name) in (same(old), same(new))]
    numbers = {key: n for known in both for key, n in known.numbers.items()}
    rest = [known for known in names.get(kind, ()) if known not in both]
    return {**names, kind: tuple(sorted((*rest, Known(new, numbers)), key=lambda one: same(one.name)))}


def in_agenda(agenda: Agenda, kind: Kind, name: str | None) -> Agenda:
    return msgspec.structs.replace(agenda, **{kind: name})


def forget_name(table: Noir, seat: Seat, kind: Kind, name: str) -> Step:
    """Forget the name here and at the next table. If that scene is in the city, ask for its name again."""
    if kind in SCENES:
        spot = table.city[kind].spot_of(name)
        if spot is not None:
            table = table.with_track(kind, table.city[kind].named(spot, None))
    elif table.lies_open(kind, name):
        raise NotAllowed("{card} is on the table. Correct its name instead.", card=name)
    return Step(table.forget(kind, name), Say("{who} removes the name {card} from the list.", who=seat, card=name))


def two_names(table: Noir, seat: Seat, tap: TwoNames, dice: Dice) -> Step:
    after = table.without_doubts(tap.kind, tap.name)
    if after == table:
        raise NotAllowed("Somebody has already answered that. Go on.")
    return Step(after, Say("{card} is spelt right.", card=tap.name))


RULES: dict[type[Tap], Rule] = {
    LearnName: learn_name,
    RespellName: respell_name,
    TwoNames: two_names,
}
