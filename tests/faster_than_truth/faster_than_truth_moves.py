"""Every possible tap in a running game, for random games."""

from __future__ import annotations

from companion.game import TABLE, Seat, Tap, TimeIsUp
from companion.games.faster_than_truth import (
    challenges,
    corrections,
    counting,
    effects,
    express,
    intrigue_cards,
    penalty,
)
from companion.games.faster_than_truth.state import KINDS, Play

Move = tuple[Seat, Tap]


def moves(play: Play) -> list[Move]:
    """The taps that move the game on; never empty unless it is over."""
    turn = play.turn
    match play.phase:
        case "counting":
            return []
        case "first":
            return [(TABLE, intrigue_cards.GoesFirst(seat)) for seat in play.seats] + [
                (play.seats[0], intrigue_cards.GoesFirst())
            ]
        case "declare":
            return [(turn, intrigue_cards.Declare(name)) for name in ("Arson", "Bribe", "")]
        case "challenge":
            if thinking := play.in_play.thinking:
                return [(TABLE, challenges.GoOn()), *((seat, challenges.GoOn()) for seat in thinking)]
            found: list[Move] = [(turn, challenges.LastCall()), (TABLE, TimeIsUp())]
            found += [(seat, challenges.Wait()) for seat in (TABLE, *play.seats)]
            for seat in play.may_challenge():
                found.append((seat, challenges.Challenge()))
                if seat not in play.in_play.passed:
                    found.append((seat, challenges.LetPass()))
            return found
        case "turning":
            return [(turn, intrigue_cards.Turned("safe")), (TABLE, intrigue_cards.Turned("gamble"))]
        case "effect":
            found = [(turn, intrigue_cards.Done())]
            found += [(turn, effects.Flip(place)) for place in range(1, 1 + len(play.stashes[turn]))]
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
            return [(ask.owner, effects.Pick(place)) for place in fitting] or [(ask.owner, effects.HaveNone())]
        case "taking":
            taker, loser = play.penalty.taker, play.penalty.loser
            if play.stashes[loser]:
                return [(taker, penalty.TakeCard(place)) for place in range(1, len(play.stashes[loser]) + 1)]
            left = [kind for kind in KINDS if play.reserve[kind]]
            return [(taker, penalty.TakeFromReserve(kind)) for kind in (*left, None)]
    return []


def corrections_of(play: Play) -> list[Move]:
    """The mistakes that can be fixed now."""
    if play.phase in ("over", "counting"):
        return []
    found: list[Move] = [(TABLE, corrections.GiveTurn(seat)) for seat in play.seats]
    if play.setup.express:
        return found
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
                challenges.Challenge(), challenges.LetPass(), challenges.LastCall(), intrigue_cards.Done(),
                challenges.Wait(), challenges.GoOn(), express.Wins(), express.Wins(seat), effects.HaveNone(),
                intrigue_cards.Turned("safe"), intrigue_cards.Turned("gamble"),
                intrigue_cards.Declare("Bluff"), intrigue_cards.Declare(""), intrigue_cards.GoesFirst(seat),
                penalty.TakeFromReserve("coins"),
                penalty.TakeFromReserve(), effects.NeverMind(), counting.TheyAreRight(), counting.StopCount(),
                counting.EnterDeal(1, {1: "coins", 2: "coins", 3: "crown"}), counting.EnterStash({1: "coins-no"}),
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
            found += [(seat, effects.Flip(place)), (seat, effects.Pick(place))]
            found += [(seat, penalty.TakeCard(place)), (seat, corrections.TurnOver(place))]
    return found
