"""Nobody learns a covered society card: no screen, refusal, line, reply or stored state gives it away."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trickery_talk import after, laid

from companion.game import Dice, Line, NotAllowed, Seat
from companion.games.trickery import GAME
from companion.games.trickery.cards import Betray, Favour, Tribute
from companion.games.trickery.corrections import Flip, SetTurn
from companion.games.trickery.rules import Begin, Cover, GoOn, Pause
from companion.games.trickery.state import SOCIETIES, Setup, Societies
from companion.testing import Easel, apply

SCREENS = (-1, 0)  # a watcher and the shared screen


def covered(*sides: str | None) -> Societies:
    table = GAME.start(Setup(), tuple(Seat(n) for n in range(1, len(sides) + 1)), Dice()).state
    for seat, side in enumerate(sides, 1):
        if side is not None:
            table = after(table, seat, Cover(side))
    return table


def every_screen(easel: Easel, table: Societies) -> list[str]:
    """Every screen of every viewer, for any host, including a handed-over shared screen."""
    seats = [int(seat) for seat in table.seats]
    drawn = [easel.draw(GAME, table, seat, host=host) for seat in (*SCREENS, *seats) for host in (0, 1)]
    return drawn + [easel.draw_passed(GAME, table, seat) for seat in seats]


def test_a_covered_card_tells_nobody_anything_at_any_step(easel):
    """Even the owner's screen does not repeat it, in case somebody looks over a shoulder."""
    for choosers in itertools.product((False, True), repeat=3):
        if all(choosers):
            continue  # then all cards are revealed
        tables = [
            covered(*(side if chose else None for side, chose in zip(sides, choosers, strict=True)))
            for sides in itertools.product(SOCIETIES, repeat=3)
        ]
        screens = [every_screen(easel, table) for table in tables]
        assert all(screen == screens[0] for screen in screens)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_covered_cards_stay_secret_at_larger_tables_too(easel, data):
    players = data.draw(st.integers(4, 6))
    side = st.sampled_from(SOCIETIES)
    choosers = data.draw(st.lists(st.booleans(), min_size=players, max_size=players).filter(lambda who: not all(who)))
    one, other = ([data.draw(side) if chose else None for chose in choosers] for _ in range(2))
    assert every_screen(easel, covered(*one)) == every_screen(easel, covered(*other))


def test_a_covered_card_is_told_by_no_line_and_no_refusal():
    taps = (Favour(), Tribute(1), Betray(Seat(2)), Pause(), GoOn(), Begin(Seat(1)), Flip(Seat(1)), SetTurn(Seat(2)))
    told = []
    for side in SOCIETIES:
        step = apply(GAME, covered(None, None, "thorn"), 1, Cover(side))
        assert (step.lines, step.secret, step.burn) == ((), True, False)
        refusals = []
        for seat in (1, 2, 3):
            for tap in taps:
                with pytest.raises(NotAllowed) as refusal:
                    apply(GAME, step.state, seat, tap)
                refusals.append(refusal.value.say)
        told.append(refusals)
    assert told[0] == told[1]


def test_the_order_of_choosing_leaves_no_trace(easel):
    first, second = covered("thorn", "gears", None), covered(None, "gears", None)
    second = after(second, 1, Cover("thorn"))
    assert every_screen(easel, first) == every_screen(easel, second)


def test_after_the_reveal_no_covered_card_is_left():
    table = covered("thorn", "gears", "thorn")
    assert [player.covered for player in table.players] == [None] * 3


def test_once_all_is_public_every_seat_sees_the_same_table(easel):
    """Coins, seals, chests, pool, societies and played cards are on every screen."""
    table = laid("T3+2", "T1+1", "M4+3", thorn=3, gears=1, played={3: ("tribute", "build")})
    parts = {easel.draw(GAME, table, seat).split("<!-- table -->")[1] for seat in (1, 2, 3)}
    assert len(parts) == 1
    shown = parts.pop()
    for words in ("<b>3</b>/5", "<b>1</b>/5", "2 seals", "3 seals", "Tribute, Build", "Thorn Society", "In the pool"):
        assert words in shown
    stages = {
        re.search(r"<!-- stage -->(.*?)(<!--|$)", easel.draw(GAME, table, seat), re.S)[1].strip() for seat in (-1, 0)
    }
    assert len(stages) == 1
    shown = stages.pop()
    for words in ("3 of 5 coins", "1 of 5 coins", "Ann's turn", "in the pool"):
        assert words in shown


def test_only_the_player_whose_turn_it_is_is_offered_cards(easel):
    table = laid("T3", "T1", "M4")
    assert "Play this card" in easel.draw(GAME, table, 1)
    for seat in (-1, 0, 2, 3):
        assert 'value="Favour"' not in easel.draw(GAME, table, seat)


def test_dimmed_cards_say_why(easel):
    html = easel.draw(GAME, laid("T0", "M2", "M2"), 1)
    assert html.count("is-dim") == 6  # five cards, and the pause
    for reason in ("Nobody else is in the Thorn Society.", "You have no coins.", "You haven&#39;t played a card yet."):
        assert reason in html


def test_the_history_draws_every_sentence(easel):
    step = apply(GAME, laid("T3+3", "T1+4", "M4+3", thorn=4), 1, Tribute(1))
    html = easel.draw(GAME, step.state, 2, lines=step.lines)
    assert "Ann</bdi> pays tribute: 1 coin." in html
    assert all(isinstance(line, Line) and "{" not in html for line in step.lines)
