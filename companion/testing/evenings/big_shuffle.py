"""Scripted evenings of The Big Shuffle: names only, all modes, then a counted game up to the win."""

from __future__ import annotations

from companion.game import Seat
from companion.games.big_shuffle.agendas import NoteAgenda, ShowAndWin, ShowForPoints
from companion.games.big_shuffle.attempts import RevealChange, TryScene, TypeNumbers
from companion.games.big_shuffle.card_names import RespellName
from companion.games.big_shuffle.goons import Hire, NobodyHires, PassGoons
from companion.games.big_shuffle.loot_and_informants import MeetInformant, ReplaceInformant, TrashLoot
from companion.games.big_shuffle.scenes import BigShuffle, NameScene
from companion.games.big_shuffle.setup import Setup
from companion.games.big_shuffle.turns import EndTurn, FirstPlayer, PlayCard, SetCharacter
from companion.games.big_shuffle.verdicts import PutRainAway, Settle
from companion.testing.evenings.script import Script

WHO, WHAT, WHERE = "The Private Eye", "The Oldest Profession", "The Train Station"
CHARACTERS = ("The Femme Fatale", "The Gumshoe", "The Chanteuse", "The Inspector")
INFORMANTS = ("The Bookie", "The Fat Man", "The Coroner", "The Newspaper Boy")


def play(table: Script) -> None:
    remembered(table)
    other_ways(table)
    table.starts(Setup(keeping="count")).shows("who begins").taps(0, FirstPlayer(Seat(1)))
    table.shows("first turn, nothing typed")
    for seat in table.seats:
        influence = {"who": 3, "what": 2, "where": 1 + int(seat) % 3}
        table.taps(seat, SetCharacter(seat, CHARACTERS[seat - 1], influence))  # type: ignore[arg-type]
        table.taps(seat, MeetInformant(seat, INFORMANTS[seat - 1]))
    table.taps(1, NoteAgenda("mine", WHO, WHAT, "The Mob HQ")).taps(
        2, NoteAgenda("right", "The Mafia Don", None, WHERE)
    )
    table.taps(1, NoteAgenda("left", "The Mafia Don", "The Dirty Double Cross", WHERE))
    table.taps(2, NameScene("who", "midtown", 0, "The Dirty Cop")).shows("act")
    change(table)
    loot(table)
    shuffle(table)
    table.taps(1, ShowAndWin()).shows("winner")


def remembered(table: Script) -> None:
    """Play with names only: choose a scene, say whether it worked, name the next scene."""
    table.starts(Setup()).shows("remember, who begins").taps(0, FirstPlayer(Seat(1))).shows("remember, first turn")
    for kind, name in (("who", WHO), ("what", WHAT), ("where", WHERE)):
        table.taps(2, NameScene(kind, "midtown", 0, name))  # type: ignore[arg-type]
    table.taps(1, NoteAgenda("mine", WHO, WHAT, WHERE)).shows("remember, all read out")
    table.taps(1, TryScene("who.title.0.uptown")).shows("remember, did it work?")
    table.taps(1, Settle("success")).shows("remember, it worked")
    table.taps(2, NameScene("who", "midtown", 1, "The Mafia Dom")).shows("remember, a name looks misspelt")
    table.taps(2, RespellName("who", "The Mafia Dom", "The Mafia Don")).taps(1, EndTurn(Seat(1)))
    table.taps(2, TryScene("who.midtown.0.downtown")).taps(2, Settle("failure")).shows("remember, it failed")
    table.taps(2, EndTurn(Seat(2)))
    while table.state.turn.seat != 1:
        table.taps(table.state.turn.seat, EndTurn(table.state.turn.seat))
    for kind in ("what", "where"):
        table.taps(1, TryScene(f"{kind}.title.0.downtown", anyway=kind == "where")).taps(1, Settle("success"))
    table.shows("remember, the agendas match").taps(1, ShowAndWin()).shows("remember, winner")


def other_ways(table: Script) -> None:
    """Play a beginner game with shared agendas face up, and an expert game for points."""
    table.starts(Setup("beginner")).taps(0, FirstPlayer(Seat(1)))
    for seat in table.seats[:: 2 if len(table.seats) == 2 else 1]:
        table.taps(seat, NoteAgenda("left", WHO, WHAT, WHERE))
    table.shows("beginners, shared agendas face up")
    table.starts(Setup("expert", "count")).taps(0, FirstPlayer(Seat(1)))
    for kind, name in (("who", WHO), ("what", WHAT), ("where", WHERE)):
        table.taps(0, NameScene(kind, "midtown", 0, name))  # type: ignore[arg-type]
    table.taps(1, NoteAgenda("mine", WHO, WHAT, "The Mob HQ")).shows("experts, an agenda is worth points")
    table.taps(1, ShowForPoints("mine")).shows("experts, points")


def change(table: Script) -> None:
    """Attempt to move the Who title card; one player hires for it, one against it."""
    table.taps(1, TryScene("who.title.0.uptown")).shows("scene change, nothing typed")
    table.taps(1, TypeNumbers(difficulty=2)).shows("scene change, the card is to be revealed")
    table.taps(1, RevealChange("Fog over the Harbour", -1)).shows("scene change, a number is unknown")
    table.taps(1, TypeNumbers(informant=1, loot=0)).shows("scene change, goons")
    table.taps(1, Hire(Seat(1), 2)).taps(2, Hire(Seat(2), -3)).shows("scene change, two goons hired")
    passes(table, stop=True)
    table.shows("scene change, all but one have passed")
    table.taps(1, NobodyHires())
    table.shows("scene change, all have passed").taps(1, Settle()).shows("scene changed")
    table.taps(2, NameScene("who", "midtown", 1, "The Torch Singer")).taps(1, EndTurn(Seat(1))).shows("second turn")


def loot(table: Script) -> None:
    for name in ("The Pipe", "The Telephone", "The Timepiece", "The Disguise Kit"):
        table.taps(2, PlayCard("loot", name, anyway=True))
    table.shows("too much loot").taps(2, TrashLoot(Seat(2), 0))
    table.taps(2, ReplaceInformant(Seat(1), "The Hotel Detective", killed=True)).shows("an informant is killed")
    scene(table, "who.midtown.0.downtown", None, "The Long Way Home", 0)
    table.shows("scene change, nobody knows the difficulty").taps(2, TypeNumbers(difficulty=5))
    table.taps(2, Settle()).shows("scene stays").taps(2, EndTurn(Seat(2)))
    while table.state.turn.seat != 1:
        table.taps(table.state.turn.seat, EndTurn(table.state.turn.seat))


def shuffle(table: Script) -> None:
    table.taps(0, BigShuffle()).shows("the Big Shuffle, nothing read out")
    for kind, name in (("who", WHO), ("what", WHAT), ("where", "The Speakeasy")):
        table.taps(0, NameScene(kind, "midtown", 0, name))  # type: ignore[arg-type]
    table.shows("the Big Shuffle, half read out").taps(0, NameScene("where", "uptown", 0, WHERE))
    for kind, up, down in (
        ("who", "The Nightclub Owner", "The Crooked Lawyer"),
        ("what", "The Perfect Alibi", "The Dirty Double Cross"),
        ("where", None, "The Waterfront Warehouse"),
    ):
        for place, scene_name in (("uptown", up), ("downtown", down)):
            if scene_name:
                table.taps(0, NameScene(kind, place, 0, scene_name))  # type: ignore[arg-type]
    table.shows("the city, all read out")
    scene(table, "where.uptown.0.midtown", 0, "Endless Rain", -2)
    table.taps(1, Settle(again=True)).shows("rain, another attempt").taps(1, PutRainAway()).shows("the agendas match")


def scene(table: Script, move: str, difficulty: int | None, card: str, modifier: int) -> None:
    """Play a scene change up to its verdict, without goons."""
    seat = table.state.turn.seat
    table.taps(seat, TryScene(move, anyway=True))
    if difficulty is not None:
        table.taps(seat, TypeNumbers(difficulty=difficulty))
    table.taps(seat, RevealChange(card, modifier)).taps(seat, TypeNumbers(informant=0, loot=0))
    passes(table)


def passes(table: Script, *, stop: bool = False) -> None:
    while len(table.state.attempt.passed) < len(table.seats) - stop:
        table.taps(table.state.attempt.next, PassGoons(table.state.attempt.next))
