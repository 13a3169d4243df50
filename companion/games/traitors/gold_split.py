"""How the Gold of a round was shared out, with the reason for each player."""

from __future__ import annotations

import msgspec

from companion.game import Say, SayN, Seat
from companion.games.traitors.state import Share


class Because(msgspec.Struct, frozen=True):
    """What one player got in a round and why."""

    seat: Seat
    hand: int
    share: int
    points: int
    why: Say


class Split(msgspec.Struct, frozen=True):
    """How a round was shared out."""

    number: int
    fund: int
    discarded: int
    sharers: tuple[Seat, ...]
    each: int
    traitors: bool
    """Whether Traitors share it."""
    rule: Say
    rows: tuple[Because, ...]


def split(share: Share, seats: tuple[Seat, ...]) -> Split:
    """Explain who got what and why."""
    traitors = [hand.seat for hand in share.hands if hand.role == "traitor"]
    hands = {hand.seat: hand for hand in share.hands}
    gone = {out.seat: out for out in share.out}
    rows = []
    for seat in seats:
        got = share.each if seat in share.sharers else 0
        hand = hands[seat].gold if seat in hands else 0
        if seat in gone:
            how = {
                "murdered": Say("Murdered: nothing in this round."),
                "banished": Say("Banished: nothing in this round."),
            }
            why = how.get(gone[seat].how, Say("Out of the round: nothing in this round."))
        elif seat not in hands:
            why = Say("Not in this round.")
        elif seat in traitors:
            why = Say("A Traitor to the end: takes the whole fund.") if len(traitors) == 1 else Say(
                "A Traitor to the end: shares the fund with the other Traitor."
            )  # fmt: skip
        elif traitors:
            why = Say("Faithful, but a Traitor survived: only the Gold in hand.")
        else:
            why = Say("Faithful, and no Traitor is left: an equal share.")
        points = share.points.get(seat, 0)
        if points != hand + got:
            why = Say("Corrected by the host.")
        rows.append(Because(seat, hand, got, points, why))
    if traitors:
        rule = SayN(
            "A Traitor survived and takes the whole fund.", "{n} Traitors survived and share the fund.",
            n=len(traitors),
        )  # fmt: skip
    else:
        rule = SayN(
            "No Traitor is left: {n} Faithful takes the fund.", "No Traitor is left: {n} Faithful share the fund.",
            n=len(share.sharers),
        )  # fmt: skip
    return Split(
        share.number, share.fund, share.discarded, share.sharers, share.each, bool(traitors), rule, tuple(rows)
    )  # fmt: skip
