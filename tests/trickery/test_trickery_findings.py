"""Problems found in playtests (K1 to K3), and how they are solved."""

from __future__ import annotations

import msgspec
import pytest
from playwright.sync_api import expect
from trickery_talk import ANN, BEN, CLEO, after, laid, plain, shape

from companion.game import Dice, Seat
from companion.games.trickery import GAME
from companion.games.trickery.cards import Favour, Outdo
from companion.games.trickery.state import Setup
from companion.games.trickery.view import seat_view
from companion.testing import text_of
from companion.testing.evenings import evening_of
from companion.testing.pictures import people_at
from companion.testing.showing import showing

STAY = "can stay in the box"


def note(table, card: str) -> str:
    """What Ann's phone says about a card before she plays it."""
    found = next(one for one in seat_view(table, ANN).hand if one.card == card).note
    return plain(found, ["Ann", "Ben", "Cleo"])


def with_reading(table, fifth_seal: str):
    return msgspec.structs.replace(table, finish=fifth_seal == "finish")


def test_K1_set_up_help_and_phones_say_that_coins_and_seals_can_stay_in_the_box(house, seated):
    visitor = house.visitor()
    for page in ("/new/trickery", "/help/trickery"):
        assert STAY in text_of(visitor.get(page).text), page
    table = seated("trickery", players=3)
    assert table["Ann"].shows(f"Coins, seals and chests {STAY}")
    for name in ("Ann", "Ben", "Cleo"):
        table[name].presses("Choose in secret", society="thorn")
    assert table.shared.shows(STAY)


@pytest.mark.parametrize(
    ("fifth_seal", "winners", "lies"),
    [("finish", (ANN, BEN), "T2+5 M2+5 T1+1 | 0 0 | 30"), ("stop", (BEN,), "T0+5 M2+5 T1+1 | 0 0 | 32")],
)
def test_K2_the_table_chooses_whether_a_favour_that_ends_the_game_is_finished(fifth_seal, winners, lies):
    start = GAME.start(Setup(fifth_seal=fifth_seal), (ANN, BEN, CLEO), Dice()).state
    table = msgspec.structs.replace(laid("T1+3", "M2+4", "T1", thorn=4), finish=start.finish)
    # Ben gets a fifth seal by a correction: a tie that the two coins decide.
    ended = after(table, ANN, Favour())
    ended = msgspec.structs.replace(ended.change(BEN, seals=1), seal_pool=ended.seal_pool - 1)
    assert shape(ended) == lies
    assert GAME.result(ended).winners == winners


def test_K2_finishing_is_the_suggestion_and_outdo_is_finished_too():
    assert Setup().fifth_seal == "finish"
    table = laid("T1+3", "T2", "M2", thorn=4)
    assert shape(after(table, ANN, Outdo(BEN))) == "T0+5 M2+1 M2 | 0 0 | 31"


def test_K2_the_phone_warns_before_the_tap_that_ends_the_game_and_says_who_wins():
    table = laid("T3+3", "M2+4", "T1", thorn=4)
    assert note(with_reading(table, "finish"), "favour") == (
        "Your coin fills the chest and ends the game. You still take the 2 coins. Ann wins with 5 seals."
    )
    assert note(with_reading(table, "stop"), "favour") == (
        "Your coin fills the chest and ends the game. You don't take any coins. Ann wins with 5 seals."
    )
    assert note(table, "outdo") == "Your coin fills the chest and ends the game. Ann wins with 5 seals."
    assert "ends the game. You keep the coins you haven't paid. Ann wins" in note(table, "tribute")
    # The player who fills the chest may not be the winner.
    ally = laid("T3+2", "M2", "T4+4", thorn=4)
    assert note(ally, "favour").endswith("Cleo wins with 5 seals.")
    assert note(laid("T3", "M2", "T1", thorn=4), "favour") == "Your coin fills the chest."


@pytest.mark.parametrize("size", [(1280, 800), (390, 664)])
def test_K3_with_six_the_winner_is_above_the_fold(chromium, tmp_path, size):
    players, names = people_at(GAME, "many")
    assert players == 6
    phase = next(one for one in evening_of(GAME, players) if one.name == "winner")
    winner = GAME.result(phase.state).winners[0]
    page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
    with showing(tmp_path, {GAME.name: GAME}) as shown:
        shown.serve(page)
        shown.put(phase, names=names)
        seat = 0 if size[0] > size[1] else next(one for one in range(1, 7) if one != winner)
        page.goto(shown.address(seat))
        words = page.locator(".victory h2" if seat == 0 else "#you h1")
        expect(words).to_contain_text(names[winner - 1])
        expect(words).to_be_in_viewport(ratio=1)
        page.unroute_all(behavior="ignoreErrors")
    page.close()


def test_a_turn_takes_two_taps(seated, flow):
    table = seated("trickery", players=3)
    for name, side in (("Ann", "thorn"), ("Ben", "thorn"), ("Cleo", "gears")):
        table[name].presses("Choose in secret", society=side)
    table.shared.taps("Begin", seat=1)
    with flow("Trickery: a turn with Call in a favour", most=2):
        table["Ann"].presses("Play this card")
    with flow("Trickery: a turn with Bribe your enemies", most=2):
        table["Ben"].presses("Cleo", tap="Bribe")
    with flow("Trickery: a turn with Pay tribute", most=2):
        table["Cleo"].presses("2", tap="Tribute")
    with flow("Trickery: pausing", most=1):
        table["Ann"].presses("Pause")
    assert table["Ben"].shows("Your turn")


def test_S8_a_phone_that_has_chosen_names_the_players_it_waits_for(seated):
    table = seated("trickery", players=3)
    table["Ann"].presses("Choose in secret", society="thorn")
    assert table["Ann"].shows("Waiting for: Ben Cleo")
    table["Cleo"].presses("Choose in secret", society="gears")
    assert table["Ann"].shows("Waiting for: Ben")


def test_the_result_knows_who_started_and_everybodys_society():
    table = msgspec.structs.replace(laid("T1+5", "M2", "M0"), starter=Seat(2))
    result = GAME.result(table)
    assert result.starter == BEN
    assert [plain(result.roles[seat], []) for seat in table.seats] == [
        "Thorn Society",
        "Machine Society",
        "Machine Society",
    ]
