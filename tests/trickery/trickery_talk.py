"""Test helpers for Trickery & Deceit: set up a table in one line, and play on it."""

from __future__ import annotations

import re

import msgspec
import pytest

from companion.game import Dice, NotAllowed, Say, Seat, Tap
from companion.games.trickery import GAME
from companion.games.trickery.state import COINS, SEALS, Card, Player, Societies
from companion.testing import apply

NOTHING: dict[int, tuple[Card, ...]] = {}
ANN, BEN, CLEO, DAN, EVE, FAY = (Seat(n) for n in range(1, 7))


def laid(
    *people: str,
    thorn: int = 0,
    gears: int = 0,
    turn: int | None = 1,
    played: dict[int, tuple[Card, ...]] = NOTHING,
) -> Societies:
    """`laid("T3", "M0", "M2+4", thorn=4)`: Ann with 3 coins in the Thorn Society, …, Cleo with 2 coins and 4 seals."""
    players = []
    for number, words in enumerate(people, 1):
        side, coins, seals = re.fullmatch(r"([TM])(\d+)(?:\+(\d+))?", words).groups()
        players.append(
            Player(
                Seat(number),
                coins=int(coins),
                seals=int(seals or 0),
                society="thorn" if side == "T" else "gears",
                played=played.get(number, ()),
            )
        )
    table = Societies(
        tuple(players),
        pool=COINS - thorn - gears - sum(player.coins for player in players),
        seal_pool=SEALS - sum(player.seals for player in players),
        chests={"thorn": thorn, "gears": gears},
        turn=None if turn is None else Seat(turn),
    )
    assert table.pool >= 0
    return table


def after(table: Societies, seat: int, tap: Tap, dice: Dice | None = None) -> Societies:
    """The table after a tap."""
    state: Societies = apply(GAME, table, seat, tap, dice).state
    return state


def said(table: Societies, seat: int, tap: Tap, names: str = "Ann Ben Cleo Dan Eve Fay") -> list[str]:
    """The sentences of that step."""
    return [plain(line.say, names.split()) for line in apply(GAME, table, seat, tap).lines]


def refused(table: Societies, seat: int, tap: Tap, names: str = "Ann Ben Cleo Dan Eve Fay") -> str:
    """The sentence of a refusal; nothing has changed."""
    before = msgspec.structs.asdict(table)
    with pytest.raises(NotAllowed) as why:
        apply(GAME, table, seat, tap)
    assert msgspec.structs.asdict(table) == before
    return plain(why.value.say, names.split())


def plain(say: Say, names: list[str]) -> str:
    holes = {
        key: plain(hole, names)
        if isinstance(hole, Say)
        else (names[hole - 1] if hole else "The table")
        if isinstance(hole, Seat)
        else hole
        for key, hole in say.holes.items()
    }
    text = say.many if say.many and say.holes["n"] != 1 else say.text
    return text.format(**holes)


def shape(table: Societies) -> str:
    """The table as text, as `laid` takes it, then chests and pool."""
    people = " ".join(
        f"{'T' if player.society == 'thorn' else 'M'}{player.coins}" + (f"+{player.seals}" if player.seals else "")
        for player in table.players
    )
    return f"{people} | {table.chests['thorn']} {table.chests['gears']} | {table.pool}"


def counted(table: Societies) -> tuple[int, int]:
    """The total number of coins and of seals."""
    coins = table.pool + sum(table.chests.values()) + sum(player.coins for player in table.players)
    return coins, table.seal_pool + sum(player.seals for player in table.players)
