"""The city's rules: read out what has become public, put scenes elsewhere, and the Big Shuffle."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from companion.game import N_, By, Dice, NotAllowed, Rule, Say, Seat, Step, Tap
from companion.games.big_shuffle.cards import SceneKind
from companion.games.big_shuffle.city import Place, Spot
from companion.games.big_shuffle.state import Noir

Index = Annotated[int, Meta(title=N_("The place"), ge=0, le=60)]
SceneName = Annotated[str, Meta(title=N_("The scene"), max_length=80)]

TYPES: dict[SceneKind, Say] = {"who": Say("Who"), "what": Say("What"), "where": Say("Where")}
AT: dict[Place, Say] = {"uptown": Say("uptown"), "midtown": Say("midtown"), "downtown": Say("downtown")}


class NameScene(Tap, frozen=True, tag="NameScene"):
    """Read out a scene that everybody may see."""

    by: ClassVar[By] = "anybody"
    kind: SceneKind
    place: Place
    index: Index
    name: SceneName


class MisreadScene(Tap, frozen=True, tag="MisreadScene"):
    """The name in this place is wrong: ask for it again."""

    by: ClassVar[By] = "anybody"
    kind: SceneKind
    place: Place
    index: Index


class PutScene(Tap, frozen=True, tag="PutScene"):
    """A card, or a correction, puts a scene somewhere without a scene change."""

    by: ClassVar[By] = "anybody"
    kind: SceneKind
    name: SceneName
    to: Literal["uptown", "midtown", "downtown", "bottom"]


class TitleLeaves(Tap, frozen=True, tag="TitleLeaves"):
    by: ClassVar[By] = "anybody"
    kind: SceneKind


class SearchMidtown(Tap, frozen=True, tag="SearchMidtown"):
    """A searched deck is shuffled afterwards."""

    by: ClassVar[By] = "anybody"
    kind: SceneKind


class BigShuffle(Tap, frozen=True, tag="BigShuffle"):
    """A card causes the Big Shuffle."""

    by: ClassVar[By] = "anybody"


def needs_play(table: Noir) -> None:
    if table.over:
        raise NotAllowed("The game is over. Take the last step back to play on.")


def no_attempt(table: Noir) -> None:
    """Moving scenes by hand while one of them is being changed would change the wrong one."""
    if table.attempt is not None:
        raise NotAllowed("A scene change is under way. Settle it or call it off first.")


def shuffled_if_empty(table: Noir) -> tuple[Noir, tuple[Say, ...]]:
    """A midtown deck without scenes causes the Big Shuffle."""
    kind = table.empty_midtown()
    if kind is None:
        return table, ()
    return table.big_shuffle(), (
        Say(
            "No {type} is left in midtown: the Big Shuffle! One of each type goes uptown, one downtown.",
            type=TYPES[kind],
        ),
    )


def name_scene(table: Noir, seat: Seat, tap: NameScene, dice: Dice) -> Step:
    needs_play(table)
    spot = Spot(tap.place, tap.index)
    track = table.city[tap.kind]
    named = next((name for other, name in track.public() if other == spot), None)
    if named is not None:
        raise NotAllowed("{name} lies there already. Say that it was misread to change it.", name=named)
    if track.spot_of(tap.name) is not None:
        raise NotAllowed("{name} lies somewhere else in the city already.", name=tap.name)
    track.named(spot, tap.name)
    table, name = table.learn(tap.kind, tap.name)
    after = table.with_track(tap.kind, track.named(spot, name))
    if not any(one.asks() for one in after.city.values()):
        after = msgspec.structs.replace(after, shuffled=False)
    return Step(after, said_where(table, tap.kind, spot, name))


def said_where(table: Noir, kind: SceneKind, spot: Spot, name: str) -> Say:
    if spot.place != "midtown":
        return Say("{scene} lies {place}.", scene=name, place=AT[spot.place])
    if spot.index == 0 and not table.city[kind].title:
        return Say("{scene} is active.", scene=name)
    return Say("{scene} is the next {type} in midtown.", scene=name, type=TYPES[kind])


def misread_scene(table: Noir, seat: Seat, tap: MisreadScene, dice: Dice) -> Step:
    needs_play(table)
    spot = Spot(tap.place, tap.index)
    track = table.city[tap.kind]
    name = next((name for other, name in track.public() if other == spot), None)
    if name is None:
        raise NotAllowed("Nobody has named a scene in that place.")
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
        line = Say("{who} puts {scene} on the bottom of midtown.", who=seat, scene=name)
    else:
        moved = track.moved(spot, tap.to)
        line = Say("{who} puts {scene} {place}.", who=seat, scene=name, place=AT[tap.to])
    title = (Say("The title card leaves the game."),) if track.title and not moved.title else ()
    after, shuffle = shuffled_if_empty(table.with_track(tap.kind, moved))
    return Step(after, line, *title, *shuffle)


def title_leaves(table: Noir, seat: Seat, tap: TitleLeaves, dice: Dice) -> Step:
    needs_play(table)
    no_attempt(table)
    if not table.city[tap.kind].title:
        raise NotAllowed("That title card is out of the game already.")
    after = table.with_track(tap.kind, table.city[tap.kind].without_title())
    return Step(after, Say("{who} takes the title card of {type} out of the game.", who=seat, type=TYPES[tap.kind]))


def search_midtown(table: Noir, seat: Seat, tap: SearchMidtown, dice: Dice) -> Step:
    needs_play(table)
    no_attempt(table)
    after = table.with_track(tap.kind, table.city[tap.kind].searched())
    return Step(
        after, Say("{who} searches midtown for a {type}; the deck is shuffled.", who=seat, type=TYPES[tap.kind])
    )


def big_shuffle(table: Noir, seat: Seat, tap: BigShuffle, dice: Dice) -> Step:
    needs_play(table)
    no_attempt(table)
    return Step(
        table.big_shuffle(), Say("{who} calls the Big Shuffle. One of each type goes uptown, one downtown.", who=seat)
    )


RULES: dict[type[Tap], Rule] = {
    NameScene: name_scene,
    MisreadScene: misread_scene,
    PutScene: put_scene,
    TitleLeaves: title_leaves,
    SearchMidtown: search_midtown,
    BigShuffle: big_shuffle,
}
