"""Everything that could be tapped at a game under way, for random games."""

from __future__ import annotations

from companion.engine.game import TABLE, Seat, Tap, TimeIsUp
from companion.games.faster_than_truth import cards, corrections, count, effects, penalty
from companion.games.faster_than_truth.pieces import KINDS
from companion.games.faster_than_truth.state import Play

Move = tuple[Seat, Tap]


def moves(play: Play) -> list[Move]:
    """What the rules allow now to bring the game on; never empty unless it is over."""
    turn = play.turn
    match play.phase:
        case "counting":
            return []
        case "first":
            return [(TABLE, cards.GoesFirst(seat)) for seat in play.seats] + [(play.seats[0], cards.GoesFirst())]
        case "declare":
            return [(turn, cards.Declare(name)) for name in ("Arson", "Bribe", "Smuggle")]
        case "challenge":
            found: list[Move] = [(turn, cards.LastCall()), (TABLE, TimeIsUp())]
            for seat in play.may_challenge():
                found.append((seat, cards.Challenge()))
                if seat not in play.in_play.passed:
                    found.append((seat, cards.LetPass()))
            return found
        case "turning":
            return [(turn, cards.Turned("safe")), (TABLE, cards.Turned("gamble"))]
        case "effect":
            found = [(turn, cards.Done())]
            for seat in play.seats:
                found += [(turn, effects.Hide(seat)), (turn, effects.Reveal(seat))]
                for kind in KINDS:
                    found += [(turn, effects.Gain(seat, kind)), (turn, effects.Lose(seat, kind))]
                    if seat != turn:
                        found.append((turn, effects.Steal(seat, kind)))
            return found
        case "asking":
            ask = play.asked
            fitting = [
                place
                for place, card in enumerate(play.stashes[ask.owner], 1)
                if (ask.what == "hide" and not card.hidden)
                or (ask.what == "reveal" and card.hidden)
                or (ask.what in ("give", "lose") and card.kind == ask.kind)
            ]
            return [(ask.owner, effects.Pick(place)) for place in fitting]
        case "taking":
            taker, loser = play.penalty.taker, play.penalty.loser
            if play.stashes[loser]:
                return [(taker, penalty.TakeCard(place)) for place in range(1, len(play.stashes[loser]) + 1)]
            left = [kind for kind in KINDS if play.reserve[kind]]
            return [(taker, penalty.TakeFromReserve(kind)) for kind in (*left, None)]
    return []


def corrections_of(play: Play) -> list[Move]:
    """What the table may set right now."""
    if play.phase in ("over", "counting"):
        return []
    found: list[Move] = [(TABLE, corrections.GiveTurn(seat)) for seat in play.seats]
    for seat in play.seats:
        found += [(seat, corrections.PutCard(seat, kind)) for kind in KINDS if play.reserve[kind]]
        for place, card in enumerate(play.stashes[seat], 1):
            found.append((seat, corrections.TurnOver(place)))
            if not card.hidden:
                found.append((TABLE, corrections.MoveCard(f"{int(seat)}-{place}")))
    if play.phase == "asking":
        found.append((TABLE, effects.NeverMind()))
    return found


def anything(play: Play) -> list[Move]:
    """Taps that people may send at any time, allowed or not."""
    found: list[Move] = []
    for seat in play.seats:
        found += [
            (seat, tap)
            for tap in (
                cards.Challenge(), cards.LetPass(), cards.LastCall(), cards.Done(), cards.Turned("safe"),
                cards.Turned("gamble"),
                cards.Declare("Bluff"), cards.Declare(""), cards.GoesFirst(seat), penalty.TakeFromReserve("coins"),
                penalty.TakeFromReserve(), effects.NeverMind(), count.TheyAreRight(), count.StopCount(),
                count.EnterDeal(1, {1: "coins", 2: "coins", 3: "crown"}), count.EnterStash({1: "coins-no"}),
                corrections.PlayLearning(on=True), corrections.PlayLearning(on=False),
                corrections.PutCard(Seat(9), "coins"),
            )
        ]  # fmt: skip
        for other in play.seats:
            found += [(seat, effects.Hide(other)), (seat, effects.Reveal(other))]
            for kind in KINDS:
                found += [(seat, tap(other, kind)) for tap in (effects.Gain, effects.Lose, effects.Steal)]
            for place in range(1, len(play.stashes[other]) + 2):
                found += [(seat, corrections.MoveCard(f"{int(other)}-{place}", seat))]
        for place in (1, 2, 3, 9):
            found += [(seat, effects.Pick(place)), (seat, penalty.TakeCard(place)), (seat, corrections.TurnOver(place))]
    return found
