"""What the stage plays: societies revealed, coins, changed sides, a full chest, the fifth seal."""

from __future__ import annotations

import pytest
from trickery_talk import ANN, BEN, CLEO, after, laid

from companion.game import Dice, Moment, Seat, Tap
from companion.games.trickery import GAME
from companion.games.trickery.cards import Betray, Bribe, Build, Favour, Outdo, Tribute
from companion.games.trickery.corrections import Move
from companion.games.trickery.rules import Begin, Cover, GoOn, Pause
from companion.games.trickery.state import Setup, Societies


def staged(table: Societies) -> Moment | None:
    moment: Moment | None = GAME.table_view(table).moment
    return moment


def choosing(*sides: str) -> Societies:
    table: Societies = GAME.start(Setup(), (ANN, BEN, CLEO), Dice()).state
    for seat, side in enumerate(sides, 1):
        table = after(table, seat, Cover(side))
    return table


def test_nothing_is_staged_while_cards_are_covered_and_the_stage_shows_how_many_not_who(easel):
    one, other = choosing("thorn"), after(choosing(), BEN, Cover("gears"))
    assert staged(one) is None
    assert GAME.table_view(one) == GAME.table_view(other)
    assert "of 3 has chosen" in easel.draw(GAME, one, -1)


def test_the_societies_are_revealed_together_and_only_once():
    table = choosing("thorn", "gears", "thorn")
    assert (staged(table).kind, staged(table).who) == ("societies", (ANN, BEN, CLEO))
    assert staged(table).hold > 0
    assert staged(after(table, ANN, Begin(ANN))) is None


@pytest.mark.parametrize(
    ("tap", "kind", "who"),
    [
        (Favour(), "gold", (ANN,)),
        (Tribute(2), "gold", (ANN,)),
        (Build(BEN), "gold", (BEN,)),
        (Betray(BEN), "switch", (ANN,)),
        (Bribe(CLEO), "switch", (CLEO,)),
        (Outdo(BEN), "switch", (BEN,)),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Tap) else "",
)
def test_every_card_is_seen(tap, kind, who):
    table = after(laid("T3", "T1", "M4"), ANN, tap)
    assert staged(table).kind == kind
    assert set(who) <= set(staged(table).who)


def test_two_of_a_kind_are_two_moments_and_a_pause_is_none():
    first = after(laid("T3", "T1", "M4"), ANN, Favour())
    second = after(first, BEN, Favour())
    assert staged(first).kind == staged(second).kind == "gold"
    assert staged(first).n != staged(second).n
    table = after(laid("T3", "T1", "M4", played={1: ("favour",)}), ANN, Pause())
    assert staged(table) is None


def test_a_player_who_changes_sides_keeps_their_row_and_crosses_the_aisle():
    before, table = laid("T3", "T1", "M4"), after(laid("T3", "T1", "M4"), ANN, Bribe(CLEO))
    rows = [[(row.who.seat, row.society) for row in GAME.table_view(one).rows] for one in (before, table)]
    assert rows == [
        [(ANN, "thorn"), (BEN, "thorn"), (CLEO, "gears")],
        [(ANN, "thorn"), (BEN, "thorn"), (CLEO, "thorn")],
    ]
    assert [row.who.crossed for row in GAME.table_view(table).rows] == [False, False, True]


def test_a_full_chest_is_held_up_until_somebody_goes_on(easel):
    table = after(laid("T3", "T1", "M4", thorn=4), ANN, Tribute(1))
    assert (staged(table).kind, staged(table).who) == ("chest", (ANN, BEN))
    assert staged(table).hold > 0
    stage = easel.draw(GAME, table, -1)
    for words in (
        "The treasure chest is full!",
        "The fifth coin",
        "+2 seals",
        "+1 seal",
        "5 of 5 coins",
        'data-from="0"',
    ):
        assert words in stage
    gone_on = after(table, CLEO, GoOn())
    assert staged(gone_on) is None
    assert "The treasure chest is full!" not in easel.draw(GAME, gone_on, -1)


def test_outdoing_that_fills_the_chest_shows_both():
    table = after(laid("T3", "T1", "M4", thorn=4), ANN, Outdo(BEN))
    assert staged(table).kind == "chest"
    assert {row.who.seat: (row.who.more_seals, row.who.crossed) for row in GAME.table_view(table).rows} == {
        ANN: (2, False),
        BEN: (1, True),
        CLEO: (0, False),
    }


def test_the_fifth_seal_and_the_winner(easel):
    table = after(laid("T3+3", "T1", "M4", thorn=4), ANN, Tribute(1))
    assert (staged(table).kind, staged(table).who, staged(table).figures) == ("winner", (ANN,), (5,))
    stage = easel.draw(GAME, table, -1)
    assert "The fifth seal" in stage
    assert "wins with 5 seals." in stage


def test_a_correction_that_makes_another_winner_is_another_moment():
    table = after(laid("T3+3", "T1+4", "M4", thorn=4), ANN, Tribute(1))
    corrected = after(table, CLEO, Move("seals", "pool", "2", 1))
    assert (staged(table).kind, staged(corrected).kind) == ("winner", "winner")
    assert staged(table).n != staged(corrected).n


def test_a_moment_is_not_played_again_after_taking_back():
    earlier = after(laid("T3", "T1", "M4"), ANN, Favour())
    now = after(earlier, BEN, Favour())
    back = GAME.keeps(earlier, now)
    assert staged(earlier) is not None
    assert staged(back) is None
    assert staged(after(back, BEN, Favour())) == staged(now)


def test_figures_count_from_what_was_there_before():
    table = after(laid("T3", "T1", "M4"), ANN, Tribute(2))
    ann = next(row.who for row in GAME.table_view(table).rows if row.who.seat == Seat(1))
    assert (ann.coins, ann.coins - ann.more_coins) == (1, 3)
