"""Feats and charts of our games match games that were counted by hand."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Dice, Seat
from companion.games import GAMES
from companion.games.big_shuffle.city import Spot
from companion.games.big_shuffle.state import Attempt, Verdict
from companion.games.score_sheet.setup import Setup as SheetSetup
from companion.games.score_sheet.state import Sheet
from companion.games.traitors.banishment import RevealVote
from companion.games.traitors.setup import Setup as EveningSetup
from companion.games.traitors.state import Evening, Hand, Out, Revealing, Scored, Share, Vote
from companion.games.trickery.state import Filled, Player, Societies
from companion.testing import apply

ANN, BEN, CLEO, DAN = (Seat(n) for n in range(1, 5))


def feats(game: str, *states: object) -> dict[str, tuple[tuple[Seat, ...], int]]:
    return {feat.what.text: (feat.seats, feat.n) for feat in GAMES[game].feats(states)}


def charts(game: str, *states: object) -> dict[str, dict[object, tuple[int, ...]]]:
    return {
        chart.title.text: {curve.seat or curve.label.text: curve.values for curve in chart.curves}
        for chart in GAMES[game].charts(states)
    }


def test_the_best_round_of_a_score_sheet_is_the_lowest_where_low_wins():
    rounds = ({ANN: 5, BEN: 9}, {ANN: 7, BEN: 1}, {ANN: 2, BEN: 3}, {})
    high = Sheet(SheetSetup(rounds=3), (ANN, BEN), rounds)
    low = replace(high, setup=SheetSetup(rounds=3, wins="low"))
    assert feats("score_sheet", high) == {"Best single round": ((BEN,), 9), "Most rounds won": ((BEN,), 2)}
    assert feats("score_sheet", low) == {"Best single round": ((BEN,), 1), "Most rounds won": ((ANN,), 2)}
    assert charts("score_sheet", high) == {"Totals over time": {ANN: (0, 5, 12, 14), BEN: (0, 9, 10, 13)}}


def test_the_best_traitor_is_counted_by_gold_won_as_one():
    first = Share(
        1, 12, (BEN,), 12, 0, (Hand(ANN, "faithful", 3), Hand(BEN, "traitor", 1)),
        (Out(CLEO, "murdered", "faithful"), Out(DAN, "banished", "traitor")), {ANN: 3, BEN: 13},
    )  # fmt: skip
    second = Share(
        2, 8, (CLEO, DAN), 4, 0, (Hand(CLEO, "faithful", 2), Hand(DAN, "faithful", 2)),
        (Out(ANN, "murdered", "faithful"), Out(BEN, "banished", "traitor")), {CLEO: 6, DAN: 6},
    )  # fmt: skip
    over = Evening(EveningSetup(), (ANN, BEN, CLEO, DAN), 2, Scored(), number=2, shares=(first, second))
    assert feats("traitors", over) == {
        "Most Gold won as a Traitor": ((BEN,), 13),
        "Most Gold in one round": ((BEN,), 13),
    }
    assert charts("traitors", over)["Gold over the rounds"] == {
        ANN: (0, 3, 3), BEN: (0, 13, 13), CLEO: (0, 0, 6), DAN: (0, 0, 6),
    }  # fmt: skip
    lived = replace(second, out=(Out(BEN, "banished", "traitor"),))
    assert feats("traitors", replace(over, shares=(first, lived)))["Most rounds survived"] == ((ANN,), 2)


def test_votes_are_counted_once_they_are_turned_over():
    cast = (Vote(ANN, BEN), Vote(BEN, ANN), Vote(CLEO, BEN), Vote(DAN, DAN))
    voting = Evening(EveningSetup(), (ANN, BEN, CLEO, DAN), 1, Revealing(ANN, (ANN, BEN, CLEO, DAN), cast))
    assert "Votes against each player" not in charts("traitors", voting)
    shown = apply(GAMES["traitors"], voting, ANN, RevealVote()).state
    assert charts("traitors", shown)["Votes against each player"] == {ANN: (0,), BEN: (1,), CLEO: (0,), DAN: (0,)}
    for voter in (BEN, CLEO, DAN):
        shown = apply(GAMES["traitors"], shown, voter, RevealVote()).state
    assert charts("traitors", shown)["Votes against each player"] == {ANN: (1,), BEN: (2,), CLEO: (0,), DAN: (1,)}


def test_scene_changes_are_counted_by_their_verdicts():
    noir = GAMES["big_shuffle"]
    quiet = noir.start(noir.setup(mode="expert"), (ANN, BEN), Dice()).state
    trying = replace(quiet, attempt=Attempt(ANN, "who", False, Spot("midtown", 0), "uptown"))
    went = replace(quiet, verdict=Verdict(ANN, "who", False, "The Bride", "uptown", 5, 4, True, False))
    stayed = replace(quiet, verdict=Verdict(BEN, "who", False, "The Bride", "uptown", 6, 9, False, False))
    scored = replace(stayed, players={**stayed.players, ANN: replace(stayed.players[ANN], points=3)})
    evening = (quiet, trying, went, quiet, trying, quiet, trying, stayed, scored)
    assert feats("big_shuffle", *evening) == {
        "Successful scene changes": ((ANN,), 1),
        "Highest influence": ((BEN,), 6),
    }
    assert charts("big_shuffle", *evening) == {"Points over time": {ANN: (0, 3), BEN: (0, 0)}}


def test_coins_and_seals_are_counted_as_they_lay_on_the_table():
    def table(*coins: int, filled: tuple[Filled, ...] = (), seals: tuple[int, ...] = (0, 0, 0)) -> Societies:
        players = tuple(Player(seat, n, s) for seat, n, s in zip((ANN, BEN, CLEO), coins, seals, strict=True))
        return Societies(players, pool=20, filled=filled)

    full = (Filled("thorn", BEN, (CLEO,)),)
    states = (table(2, 2, 2), table(2, 6, 2), table(2, 6, 2), table(2, 1, 2, filled=full, seals=(0, 2, 1)))
    assert feats("trickery", *states) == {"Most coins at once": ((BEN,), 6), "Chests filled": ((BEN,), 1)}
    assert charts("trickery", *states) == {
        "Seals over time": {ANN: (0, 0), BEN: (0, 2), CLEO: (0, 1)},
        "Coins over time": {ANN: (2, 2, 2), BEN: (2, 6, 1), CLEO: (2, 2, 2)},
    }


def test_territories_and_the_crown_over_the_turns():
    game = GAMES["risk"]
    start = game.start(game.setup(), (ANN, BEN, CLEO), Dice()).state
    rows = tuple(tuple(14 + (n if place == 0 else -n if place == 1 else 0) for place in range(3)) for n in range(3))
    gangs = tuple(
        replace(gang, seat=seat, territories=14, playing=True) if seat else gang
        for gang, seat in zip(start.gangs, (ANN, BEN, CLEO, None, None), strict=True)
    )
    first = replace(start, gangs=gangs, chart=rows[:1])
    last = replace(first, chart=rows, turns={ANN: 2, BEN: 1, CLEO: 1}, crown=3)
    assert feats("risk", first, last) == {"Most territories at once": ((ANN,), 16)}
    drawn = charts("risk", first, last)
    assert drawn["Territories after each turn"] == {ANN: (14, 15, 16), BEN: (14, 13, 12), CLEO: (14, 14, 14)}
    assert drawn["The Crown's space after each turn"] == {"The Crown": (1, 3)}
