"""Agendas: note them in private, share them with a neighbour, win with them, or show them for points."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, Dice, NotAllowed, Rule, Say, SayN, Seat, Step, Tap
from companion.games.big_shuffle.cards import AGENDAS, SCENES, SceneKind, find, one_type, tidy
from companion.games.big_shuffle.pieces import Agenda, Scored
from companion.games.big_shuffle.scenes import needs_play, no_attempt
from companion.games.big_shuffle.state import Noir
from companion.games.big_shuffle.turns import its_turn, next_turn, whose_turn, wins, with_points, won_by

Which = Literal["mine", "left", "right"]
Noted = Annotated[str, Meta(title=N_("The scene"), max_length=80)]
LEAST_TO_SCORE = 2


class NoteAgenda(Tap, frozen=True, tag="NoteAgenda"):
    """Note one of your agendas on your own phone. Scenes left out stay as they were."""

    which: Which
    who: Noted | None = None
    what: Noted | None = None
    where: Noted | None = None


class NoteScene(Tap, frozen=True, tag="NoteScene"):
    """Note one scene of your agenda by typing its name, because no list has it yet."""

    which: Which
    kind: SceneKind
    name: Noted


class ClearAgenda(Tap, frozen=True, tag="ClearAgenda"):
    which: Which


class ShowAndWin(Tap, frozen=True, tag="ShowAndWin"):
    """Win: it is your turn, and every active scene is on one of your agendas."""

    anyway: bool = False


class ShowForPoints(Tap, frozen=True, tag="ShowForPoints"):
    """Expert: at the end of your turn, show an agenda with two or three active scenes."""

    which: Which


def pair_of(table: Noir, seat: Seat, which: Which) -> int:
    """Return the index of the shared agenda on this side. Left is clockwise; two players share only one."""
    if len(table.seats) == 2:
        return 0
    place = table.seats.index(seat)
    return place if which == "left" else (place - 1) % len(table.seats)


def agenda_at(table: Noir, seat: Seat, which: Which) -> Agenda:
    return table.personal[seat] if which == "mine" else table.shared[pair_of(table, seat, which)]


def with_agenda(table: Noir, seat: Seat, which: Which, agenda: Agenda) -> Noir:
    if which == "mine":
        return msgspec.structs.replace(table, personal={**table.personal, seat: agenda})
    at = pair_of(table, seat, which)
    return msgspec.structs.replace(table, shared=(*table.shared[:at], agenda, *table.shared[at + 1 :]))


def note_agenda(table: Noir, seat: Seat, tap: NoteAgenda, dice: Dice) -> Step:
    noted = {kind: name for kind in SCENES if (name := getattr(tap, kind)) is not None}
    if not noted:
        raise NotAllowed("Choose at least one scene.")
    return note(table, seat, tap.which, noted)


def note_scene(table: Noir, seat: Seat, tap: NoteScene, dice: Dice) -> Step:
    return note(table, seat, tap.which, {tap.kind: tap.name})


def note(table: Noir, seat: Seat, which: Which, noted: dict[SceneKind, str]) -> Step:
    """Note scenes. A name that is only on a secret agenda is never offered to others: that would reveal it."""
    needs_play(table)
    table.player(seat)
    is_open = which != "mine" and table.beginner
    agenda = agenda_at(table, seat, which)
    for kind, name in noted.items():
        if is_open:
            table, _ = table.learn(kind, name)
        agenda = msgspec.structs.replace(agenda, **{kind: spelt(table, kind, name)})
    after = with_agenda(table, seat, which, agenda)
    if is_open:
        other = next(one for one in table.pairs()[pair_of(table, seat, which)] if one != seat)
        return Step(after, Say("{name} notes the agenda shared with {other}.", name=seat, other=other))
    return Step(after, note=True)


def clear_agenda(table: Noir, seat: Seat, tap: ClearAgenda, dice: Dice) -> Step:
    needs_play(table)
    table.player(seat)
    after = with_agenda(table, seat, tap.which, Agenda())
    if tap.which != "mine" and table.beginner:
        other = next(one for one in table.pairs()[pair_of(table, seat, tap.which)] if one != seat)
        return Step(after, Say("{name} clears the agenda shared with {other}.", name=seat, other=other))
    return Step(after, note=True)


def spelt(table: Noir, kind: SceneKind, name: str) -> str:
    known = find(table.names, kind, name)
    if known is None:
        one_type(table.names, kind, name)
    return known.name if known else tidy(name)


def show_and_win(table: Noir, seat: Seat, tap: ShowAndWin, dice: Dice) -> Step:
    needs_play(table)
    table.player(seat)
    if table.expert:
        raise NotAllowed("In the expert game, five points win.")
    if not tap.anyway:
        if whose_turn(table) != seat:
            raise NotAllowed("You can only win on your own turn.")
        if not table.can_win(seat):
            raise NotAllowed("The active scenes don't match the agendas you have noted here.")
    after = won_by(table, seat)
    if tap.anyway:
        return Step(after, Say("{name} shows the agendas on the table.", name=seat), *wins(after))
    # The winner shows the agendas with an active scene. The others stay face down.
    shown = tuple(agenda for agenda in table.agendas_of(seat) if table.worth(agenda))
    after = msgspec.structs.replace(after, won_with=shown)
    active = {kind: name or "" for kind, name in table.active().items()}
    # Translators: {who}, {what} and {where} are the names of cards.
    line = Say(
        "{name} shows the agendas: {who}, {what}, {where}.",
        name=seat,
        who=active["who"],
        what=active["what"],
        where=active["where"],
    )
    return Step(after, line, *wins(after))


def show_for_points(table: Noir, seat: Seat, tap: ShowForPoints, dice: Dice) -> Step:
    """Score one agenda with two or three active scenes. A new one takes its place, and the turn ends."""
    needs_play(table)
    if not table.expert:
        raise NotAllowed("Agendas only score in the expert game.")
    if whose_turn(table) != seat:
        raise NotAllowed("You can only score on your own turn.")
    no_attempt(table)
    if table.rain is not None:
        raise NotAllowed(
            "{card} is still revealed. Attempt another scene change, or put the card away.", card=table.rain
        )
    agenda = agenda_at(table, seat, tap.which)
    points = table.worth(agenda)
    if points < LEAST_TO_SCORE:
        raise NotAllowed("At least two scenes of that agenda must be active. Check that you have noted it here.")
    after = with_agenda(table, seat, tap.which, Agenda())
    for kind in ("who", "what", "where"):
        if (name := agenda.scene(kind)) is not None:
            with suppress(NotAllowed):  # a name that cannot be learnt still scores
                after, _ = after.learn(kind, name)
    after = msgspec.structs.replace(after, aside=(Scored(seat, agenda, points), *after.aside))
    after = with_points(after, seat, table.player(seat).points + points)
    # Translators: {who}, {what} and {where} are the names of cards.
    line = SayN(
        "{name} shows an agenda ({who}, {what}, {where}) for {n} point. A new one is dealt.",
        "{name} shows an agenda ({who}, {what}, {where}) for {n} points. A new one is dealt.",
        n=points, name=seat, who=agenda.who or "?", what=agenda.what or "?", where=agenda.where or "?",
    )  # fmt: skip
    if after.over:
        return Step(after, line, *wins(after))
    return Step(next_turn(after), line, its_turn(table.after(seat)))


def keeps(earlier: Noir, now: Noir) -> Noir:
    """Keep everybody's notes when a step is taken back; an agenda shown for points returns to its owner."""
    shown = now.aside[0].agenda if len(now.aside) > len(earlier.aside) else None

    def noted(before: Agenda, after: Agenda) -> Agenda:
        return before if before == shown else after

    personal = {seat: noted(earlier.personal[seat], agenda) for seat, agenda in now.personal.items()}
    # In a beginner game shared agendas are face up: noting one is a step like any other.
    shared = earlier.shared if now.beginner else tuple(map(noted, earlier.shared, now.shared))
    return msgspec.structs.replace(earlier, personal=personal, shared=shared)


def undealt(table: Noir) -> int:
    """Count the agendas that have not been dealt."""
    return max(0, AGENDAS - len(table.seats) - len(table.pairs()) - len(table.aside))


RULES: dict[type[Tap], Rule] = {
    NoteAgenda: note_agenda,
    NoteScene: note_scene,
    ClearAgenda: clear_agenda,
    ShowAndWin: show_and_win,
    ShowForPoints: show_for_points,
}
