"""The rules of the city: read out names, move scenes by a card's effect, and the Big Shuffle."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.big_shuffle.cards import SceneKind
from companion.games.big_shuffle.city import Place, Spot
from companion.games.big_shuffle.sentences import (
    NONE_LEFT,
    PUT,
    READ_OUT,
    READ_OUT_NEXT,
    REMOVES_TITLE,
    SEARCHES_MIDTOWN,
    filled,
)
from companion.games.big_shuffle.state import Noir

Index = Annotated[int, Meta(title=N_("The position"), ge=0, le=60)]
SceneName = Annotated[str, Meta(title=N_("The scene"), max_length=80)]


class NameScene(Tap, frozen=True, tag="NameScene"):
    """Type the name of a scene that everybody may see."""

    by: ClassVar[By] = "anybody"
    kind: SceneKind
    place: Place
    index: Index
    name: SceneName


class MisreadScene(Tap, frozen=True, tag="MisreadScene"):
    """Say that the name in this place is wrong, so that it is asked for again."""

    by: ClassVar[By] = "anybody"
    kind: SceneKind
    place: Place
    index: Index


class PutScene(Tap, frozen=True, tag="PutScene"):
    """Move a scene without a scene change: by a card, or to fix a mistake."""

    by: ClassVar[By] = "anybody"
    kind: SceneKind
    name: SceneName
    to: Literal["uptown", "midtown", "downtown", "bottom"]


class TitleLeaves(Tap, frozen=True, tag="TitleLeaves"):
    by: ClassVar[By] = "anybody"
    kind: SceneKind


class SearchMidtown(Tap, frozen=True, tag="SearchMidtown"):
    """Search a midtown deck and shuffle it afterwards."""

    by: ClassVar[By] = "anybody"
    kind: SceneKind


class BigShuffle(Tap, frozen=True, tag="BigShuffle"):
    """Perform the Big Shuffle because a card says so."""

    by: ClassVar[By] = "anybody"


def needs_play(table: Noir) -> None:
    if table.over:
        raise NotAllowed("The game is over. Take back the last step to play on.")


def no_attempt(table: Noir) -> None:
    """Refuse during a scene change: moving scenes now would make the attempt hit the wrong one."""
    if table.attempt is not None:
        raise NotAllowed("A scene change is under way. Finish it or cancel it first.")


def shuffled_if_empty(table: Noir) -> tuple[Noir, tuple[Say, ...]]:
    """Perform the Big Shuffle if a midtown deck has no scenes."""
    kind = table.empty_midtown()
    if kind is None:
        return table, ()
    return table.big_shuffle(), (NONE_LEFT[kind],)


def name_scene(table: Noir, seat: Seat, tap: NameScene, dice: Dice) -> Step:
    needs_play(table)
    spot = Spot(tap.place, tap.index)
    track = table.city[tap.kind]
    named = next((name for other, name in track.public() if other == spot), None)
    if named is not None:
        raise NotAllowed("{name} is already there. If that is wrong, tap “Not {name}” under Names.", name=named)
    if track.spot_of(tap.name) is not None:
        raise NotAllowed("{name} is already somewhere else in the city. Choose another name.", name=tap.name)
    track.named(spot, tap.name)
    table, name = table.learn(tap.kind, tap.name)
    after = table.with_track(tap.kind, track.named(spot, name))
    if not any(one.asks() for one in after.city.values()):
        after = msgspec.structs.replace(after, shuffled=False)
    return Step(after, said_where(table, tap.kind, spot, name))


def said_where(table: Noir, kind: SceneKind, spot: Spot, name: str) -> Say:
    if spot.place != "midtown":
        return filled(READ_OUT[spot.place], scene=name)
    if spot.index == 0 and not table.city[kind].title:
        return Say("{scene} is active.", scene=name)
    return filled(READ_OUT_NEXT[kind], scene=name)


def misread_scene(table: Noir, seat: Seat, tap: MisreadScene, dice: Dice) -> Step:
    needs_play(table)
    spot = Spot(tap.place, tap.index)
    track = table.city[tap.kind]
    name = next((name for other, name in track.public() if other == spot), None)
    if name is None:
        raise NotAllowed("Nobody has read out a scene there, so there is nothing to correct.")
    after = table.with_track(tap.kind, track.named(spot, None))
    return Step(after, Say("{who} corrects: {scene} was misread.", who=seat, scene=name))


def put_scene(table: Noir, seat: Seat, tap: PutScene, dice: Dice) -> Step:
    needs_play(table)
    no_attempt(table)
    track = table.city[tap.kind]
    spot = track.spot_of(tap.name)
    if spot is None:
        spot = track.unseen(tap.name)
        table, name = table.learn(tap.kind, tap.name)
        pile = track.pile(spot.place)
        track = track.with_pile(spot.place, (*pile[: spot.index], name, *pile[spot.index + 1 :]))
    else:
        name = track.pile(spot.place)[spot.index] or tap.name
    if tap.to == "bottom":
        moved = track.sunk(spot)
        line = Say("{who} moves {scene} to the bottom of midtown.", who=seat, scene=name)
    else:
        moved = track.moved(spot, tap.to)
        line = filled(PUT[tap.to], who=seat, scene=name)
    title = (Say("The title card leaves the game."),) if track.title and not moved.title else ()
    after, shuffle = shuffled_if_empty(table.with_track(tap.kind, moved))
    return Step(after, line, *title, *shuffle)


def title_leaves(table: Noir, seat: Seat, tap: TitleLeaves, dice: Dice) -> Step:
    needs_play(table)
    no_attempt(table)
    if not table.city[tap.kind].title:
        raise NotAllowed("That title card has already left the game.")
    after = table.with_track(tap.kind, table.city[tap.kind].without_title())
    return Step(after, filled(REMOVES_TITLE[tap.kind], who=seat))


def search_midtown(table: Noir, seat: Seat, tap: SearchMidtown, dice: Dice) -> Step:
    needs_play(table)
    no_attempt(table)
    after = table.with_track(tap.kind, table.city[tap.kind].searched())
    return Step(after, filled(SEARCHES_MIDTOWN[tap.kind], who=seat))


def big_shuffle(table: Noir, seat: Seat, tap: BigShuffle, dice: Dice) -> Step:
    needs_play(table)
    no_attempt(table)
    return Step(
        table.big_shuffle(),
        Say("{who} starts the Big Shuffle. One scene of each type goes uptown, one downtown.", who=seat),
    )


RULES: dict[type[Tap], Rule] = {
    NameScene: name_scene,
    MisreadScene: misread_scene,
    PutScene: put_scene,
    TitleLeaves: title_leaves,
    SearchMidtown: search_midtown,
    BigShuffle: big_shuffle,
}
