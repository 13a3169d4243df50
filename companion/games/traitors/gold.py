"""The prize fund, the end of a round, and how its Gold is shared out."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from companion.game import N_, TABLE, By, Dice, NotAllowed, Result, Rule, Say, SayN, Seat, Step, Tap, listed
from companion.games.traitors.state import (
    MOST_GOLD,
    Ending,
    EndVote,
    Evening,
    Gold,
    Hand,
    Murder,
    Playing,
    Preparing,
    Role,
    Scored,
    Share,
    Talk,
    Tied,
    Voting,
)


class AddGold(Tap, frozen=True, tag="AddGold"):
    """Add Gold to the prize fund."""

    by: ClassVar[By] = "anybody"
    gold: Annotated[int, Meta(title=N_("Gold"), ge=1, le=MOST_GOLD)]


class CorrectFund(Tap, frozen=True, tag="CorrectFund"):
    """Set the prize fund to what lies on the table."""

    by: ClassVar[By] = "anybody"
    gold: Gold


class ShowHand(Tap, frozen=True, tag="ShowHand"):
    """A survivor shows their role and Gold. The shared screen can enter it for anybody."""

    by: ClassVar[By] = "anybody"
    gold: Gold
    role: Annotated[Role, Meta(title=N_("Role"))]
    player: Seat | None = None


class ShareFund(Tap, frozen=True, tag="ShareFund"):
    """Share out the counted prize fund."""

    by: ClassVar[By] = "anybody"
    gold: Gold


class NextRound(Tap, frozen=True, tag="NextRound"):
    by: ClassVar[By] = "anybody"


class EndRound(Tap, frozen=True, tag="EndRound"):
    """End the round by hand."""

    by: ClassVar[By] = "host"


# -------------------------------------------------------------------------------- the prize fund


def needs_round(evening: Evening) -> None:
    if isinstance(evening.scene, Preparing):
        raise NotAllowed("The round hasn't started yet. Set it up first.")
    if isinstance(evening.scene, Scored):
        raise NotAllowed("The prize fund of this round is already shared out.")


def on_the_clock(evening: Evening) -> bool:
    """Taking a step back would stop a running timer, so these steps can only be corrected."""
    return isinstance(evening.scene, (Murder, Talk, Voting, Tied, EndVote))


def add_gold(evening: Evening, seat: Seat, tap: AddGold, dice: Dice) -> Step:
    needs_round(evening)
    after = evening.add_gold(tap.gold)
    if isinstance(playing := evening.scene, Playing):
        after = after.go(replace(playing, added=tap.gold, additions=playing.additions + 1))
    line = SayN(
        "{who} adds {n} Gold. The prize fund is now {fund}.",
        "{who} adds {n} Gold. The prize fund is now {fund}.",
        n=tap.gold, who=seat, fund=after.fund,
    )  # fmt: skip
    return Step(after, line, sealed=on_the_clock(evening))


def correct_fund(evening: Evening, seat: Seat, tap: CorrectFund, dice: Dice) -> Step:
    needs_round(evening)
    if tap.gold == evening.fund:
        raise NotAllowed("The prize fund is already {n}.", n=evening.fund)
    line = Say("{who} corrects the prize fund: {new} instead of {old}.", who=seat, new=tap.gold, old=evening.fund)
    return Step(replace(evening, fund=tap.gold), line, sealed=on_the_clock(evening))


# -------------------------------------------------------------------------------- the end of a round


def show_hand(evening: Evening, seat: Seat, tap: ShowHand, dice: Dice) -> Step:
    if not isinstance(ending := evening.scene, Ending):
        raise NotAllowed("Show hands at the end of the round.")
    if seat != TABLE and tap.player not in (None, seat):
        raise NotAllowed("Only {name} or the shared screen can enter that.", name=tap.player or seat)
    shows = tap.player if seat == TABLE else seat
    if shows is None:
        raise NotAllowed("Choose whose hand it is.")
    if shows not in evening.living:
        raise NotAllowed("Only survivors show their hand now.")
    others = tuple(hand for hand in ending.hands if hand.seat != shows)
    if tap.role == "traitor":
        line = SayN(
            "{name} is a Traitor with {n} Gold in hand.", "{name} is a Traitor with {n} Gold in hand.",
            n=tap.gold, name=shows,
        )  # fmt: skip
    else:
        line = SayN(
            "{name} is a Faithful with {n} Gold in hand.", "{name} is a Faithful with {n} Gold in hand.",
            n=tap.gold, name=shows,
        )  # fmt: skip
    return Step(evening.go(replace(ending, hands=(*others, Hand(shows, tap.role, tap.gold)))), line)


def split(evening: Evening, ending: Ending, fund: int) -> Share:
    """Surviving Traitors take the fund. Without any, the Faithful share it. Gold that can't be split is discarded."""
    hands = tuple(sorted(ending.hands, key=lambda hand: evening.number_of(hand.seat)))
    traitors = tuple(hand.seat for hand in hands if hand.role == "traitor")
    sharers = traitors or tuple(hand.seat for hand in hands)
    discarded = 0
    while (fund - discarded) % len(sharers):
        discarded += 1
    each = (fund - discarded) // len(sharers)
    points = {hand.seat: hand.gold + (each if hand.seat in sharers else 0) for hand in hands}
    points |= {out.seat: 0 for out in evening.out}
    return Share(evening.number, fund, sharers, each, discarded, hands, evening.out, points)


def share_fund(evening: Evening, seat: Seat, tap: ShareFund, dice: Dice) -> Step:
    if not isinstance(ending := evening.scene, Ending):
        raise NotAllowed("Share out the prize fund at the end of the round.")
    if len(ending.hands) < len(evening.living):
        raise NotAllowed("Wait until every survivor has shown their role and hand.")
    share = split(evening, ending, tap.gold)
    lines = []
    if tap.gold != evening.fund:
        lines.append(
            Say("{who} corrects the prize fund: {new} instead of {old}.", who=seat, new=tap.gold, old=evening.fund)
        )
    names, each = listed(share.sharers), share.each
    whole = Say("The prize fund of {fund} goes to {names}.", fund=tap.gold, names=names)
    shared = Say("The prize fund of {fund} goes to {names}: {each} each.", fund=tap.gold, names=names, each=each)
    lines.append(shared if len(share.sharers) > 1 else whole)
    if share.discarded:
        lines.append(SayN("{n} Gold is discarded.", "{n} Gold is discarded.", n=share.discarded))
    after = replace(evening, fund=tap.gold, shares=(*evening.shares, share)).go(Scored())
    if after.over:
        winners = after.winners()
        won = Say("{names} have the most Gold and share the win.", names=listed(winners))
        lines.append(won if len(winners) > 1 else Say("{name} has the most Gold and wins.", name=winners[0]))
    return Step(after, *lines)


def next_round(evening: Evening, seat: Seat, tap: NextRound, dice: Dice) -> Step:
    if not isinstance(evening.scene, Scored):
        raise NotAllowed("Share out the prize fund of this round first.")
    if evening.over:
        raise NotAllowed("All rounds have been played. The host can add another one.")
    after = replace(
        evening, scene=Preparing(), number=evening.number + 1, bag=evening.setup.bag(), fund=0, out=()
    )  # fmt: skip
    return Step(after, Say("On to round {round}.", round=after.number))


def end_round(evening: Evening, seat: Seat, tap: EndRound, dice: Dice) -> Step:
    if not isinstance(evening.scene, Playing):
        raise NotAllowed("Finish the event first, or call it off.")
    return Step(evening.go(Ending("called")), Say("{who} ends the round.", who=seat))


def result(evening: Evening) -> Result | None:
    if not evening.over:
        return None
    points = {seat: evening.total(seat) for seat in evening.seats}
    return Result(evening.winners(), points, evening.starter, roles(evening))


def roles(evening: Evening) -> dict[Seat, Say]:
    """Return each player's role as everybody has seen it: a Traitor in some rounds, or Faithful in all of them."""
    shown: dict[Seat, list[Role]] = {}
    for share in evening.shares:
        pairs = [(hand.seat, hand.role) for hand in share.hands] + [
            (out.seat, out.role) for out in share.out if out.role is not None
        ]
        for seat, role in pairs:
            shown.setdefault(seat, []).append(role)
    return {seat: role_of(shown[seat], evening.rounds) for seat in evening.seats if seat in shown}


def role_of(shown: list[Role], rounds: int) -> Say:
    if "traitor" not in shown:
        return Say("Faithful")
    if rounds == 1:
        return Say("Traitor")
    times = shown.count("traitor")
    return SayN("Traitor in {n} round", "Traitor in {n} rounds", n=times)


RULES: dict[type[Tap], Rule] = {
    AddGold: add_gold,
    CorrectFund: correct_fund,
    ShowHand: show_hand,
    ShareFund: share_fund,
    NextRound: next_round,
    EndRound: end_round,
}
