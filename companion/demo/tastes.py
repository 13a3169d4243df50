"""What makes each game worth watching: how it is set up, which taps people like, and what they type.

A game that is not listed is played as its forms allow.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.demo.forms import Fields
from companion.game import Seat

Edit = Callable[[Seat, str, Fields, random.Random], Fields]
"""Changes a filled form to what this seat prefers."""


def as_filled(seat: Seat, kind: str, fields: Fields, chance: random.Random) -> Fields:
    return fields


@dataclass(frozen=True)
class Taste:
    """How invented people play a game."""

    players: int = 4
    setup: Mapping[str, object] = field(default_factory=dict)
    likes: Mapping[str, float] = field(default_factory=dict)
    """The weight of each tap; 1 if it is not listed, 0 for never."""
    notes: Mapping[str, int] = field(default_factory=dict)
    """Taps from the tab Mine, and how often everybody makes them in a game."""
    words: tuple[str, ...] = ("Red Mill", "The Owl", "Grace", "The Old Bridge")
    edit: Edit = as_filled


TRAITORS = (2, 4)
"""Who holds a Traitor card, on every evening."""


def keeps_its_role(seat: Seat, kind: str, fields: Fields, chance: random.Random) -> Fields:
    """Traitors murder, the Faithful answer F, one Traitor looks guilty, and a role that is shown was played."""
    if kind == "Answer":
        others = {str(number) for number in TRAITORS}
        return fields if seat in TRAITORS and fields["choice"] not in others else fields | {"choice": "F"}
    if kind in ("Fall", "ShowHand"):
        gold = str(chance.randint(0, 4))
        return fields | {"gold": gold, "role": "traitor" if seat in TRAITORS else "faithful"}
    if kind == "CastVote":
        suspects = chance.random() < 0.6 and seat != TRAITORS[-1]
        voted = str(TRAITORS[-1]) if suspects else fields["choice"]
        return fields | {"choice": "" if voted == str(seat) else voted}  # nobody votes for themselves
    if kind == "Wish":
        return fields | {"choice": chance.choice("PPE")}
    return fields


def attacks_in_numbers(seat: Seat, kind: str, fields: Fields, chance: random.Random) -> Fields:
    """The attacker comes with the larger number, on open ground."""
    if kind != "Attack":
        return fields
    left_out = ("more_attackers", "more_defenders", "stronghold")
    fields = {key: value for key, value in fields.items() if key not in left_out}
    return fields | {"attackers": str(chance.randint(4, 9)), "defenders": str(chance.randint(1, 5))}


SCENES: Mapping[str, tuple[str, ...]] = {
    "who": ("The Private Eye", "The Mafia Don", "The Torch Singer"),
    "what": ("The Perfect Alibi", "The Oldest Profession", "The Dirty Double Cross"),
    "where": ("The Train Station", "The Speakeasy", "The Mob HQ"),
}
"""A small city: somebody's agendas come true before long."""


def reads_out_scenes(seat: Seat, kind: str, fields: Fields, chance: random.Random) -> Fields:
    """Names are names of scenes of that kind."""
    if kind == "NameScene":
        return fields | {"name": chance.choice(SCENES[str(fields["kind"])])}
    if kind == "NoteAgenda":
        return fields | {one: chance.choice(names) for one, names in SCENES.items()}
    return fields


def deals_one_of_each(seat: Seat, kind: str, fields: Fields, chance: random.Random) -> Fields:
    """Three different cards for everybody: a deal that adds up."""
    if kind != "EnterDeal":
        return fields
    cards = chance.sample(("fists", "crown", "coins"), 3)
    return fields | {f"cards.{place}": card for place, card in enumerate(cards, 1)}


def writes_points(seat: Seat, kind: str, fields: Fields, chance: random.Random) -> Fields:
    return fields | {"points": str(chance.randint(2, 24))} if kind == "Enter" else fields


TASTES: Mapping[str, Taste] = {
    "traitors": Taste(
        players=6,
        setup={"rounds": "1", "timer": "0"},
        likes={"AddGold": 0.6, "DrawFinal": 0.1, "ProposeEnd": 0.1, "CallOff": 0, "PlayShield": 0.4, "DrawEvent": 6},
        edit=keeps_its_role,
    ),
    "risk": Taste(
        setup={"length": 8, "die_spaces": (3, 6)},
        likes={"ChooseGang": 6, "Begin": 0.05, "Retreat": 0.1, "Onward": 2, "EndTurn": 0.4, "Attack": 8, "Lost": 0},
        edit=attacks_in_numbers,
    ),
    "trickery": Taste(players=5, likes={"Pause": 0.4, "Cover": 1, "Tribute": 3}),
    "big_shuffle": Taste(
        players=3,
        likes={"NameScene": 5, "EndTurn": 0.7, "TryScene": 3, "RespellName": 0, "NoteAgenda": 2, "ShowAndWin": 9},
        notes={"NoteAgenda": 3},
        edit=reads_out_scenes,
    ),
    "faster_than_truth": Taste(
        setup={"fuse": "10"},
        likes={
            "Wait": 0, "Challenge": 0.35, "LetPass": 2, "LastCall": 0, "HaveNone": 0.2, "PlayLearning": 0, "Hide": 0,
            "NeverMind": 0, "Done": 1.5, "Gain": 2, "Flip": 0.3, "Declare": 3, "TheyAreRight": 3,
        },
        words=("Robbery", "Alibi", "Cover Up", "Fixed Races at Cheltenham"),
        edit=deals_one_of_each,
    ),
    "score_sheet": Taste(players=5, setup={"rounds": 5}, edit=writes_points),
}  # fmt: skip
EVERYBODYS = Taste()


def taste_of(game: str) -> Taste:
    return TASTES.get(game, EVERYBODYS)
