"""What the host can correct. Every correction is a line in the history."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from companion.game import N_, By, Dice, NotAllowed, Rule, Say, SayN, Seat, Step, Tap
from companion.games.traitors.gold import on_the_clock
from companion.games.traitors.state import Ending, Evening, Gold, Out, Playing


class ChangeRounds(Tap, frozen=True, tag="ChangeRounds"):
    by: ClassVar[By] = "host"
    rounds: Annotated[int, Meta(title=N_("Rounds"), ge=1, le=20)]


class CorrectScore(Tap, frozen=True, tag="CorrectScore"):
    """Change what a player got in a round that is already scored."""

    by: ClassVar[By] = "host"
    player: Seat
    round: Annotated[int, Meta(title=N_("Round"), ge=1, le=20)]
    gold: Gold


class CorrectPlayer(Tap, frozen=True, tag="CorrectPlayer"):
    """Take a player out of the round, or put them back in."""

    by: ClassVar[By] = "host"
    player: Seat
    place: Literal["in", "out"]


def change_rounds(evening: Evening, seat: Seat, tap: ChangeRounds, dice: Dice) -> Step:
    if tap.rounds < evening.number:
        raise NotAllowed("Round {n} has started. Choose at least that many rounds.", n=evening.number)
    if tap.rounds == evening.rounds:
        raise NotAllowed(SayN("The game already has {n} round.", "The game already has {n} rounds.", n=evening.rounds))
    line = SayN(
        "{who} changes the game to {n} round.", "{who} changes the game to {n} rounds.", n=tap.rounds, who=seat
    )  # fmt: skip
    return Step(replace(evening, rounds=tap.rounds), line, sealed=on_the_clock(evening))


def correct_score(evening: Evening, seat: Seat, tap: CorrectScore, dice: Dice) -> Step:
    if tap.round > len(evening.shares):
        raise NotAllowed("Round {round} is not scored yet.", round=tap.round)
    if tap.player not in evening.seats:
        raise NotAllowed("No player has that number.")
    share = evening.shares[tap.round - 1]
    old = share.points.get(tap.player, 0)
    changed = replace(share, points={**share.points, tap.player: tap.gold})
    shares = (*evening.shares[: tap.round - 1], changed, *evening.shares[tap.round :])
    line = Say(
        "{who} corrects round {round} for {name}: {new} instead of {old}.",
        who=seat, name=tap.player, round=tap.round, new=tap.gold, old=old,
    )  # fmt: skip
    return Step(replace(evening, shares=shares), line, sealed=on_the_clock(evening))


def correct_player(evening: Evening, seat: Seat, tap: CorrectPlayer, dice: Dice) -> Step:
    if not isinstance(evening.scene, Playing):
        raise NotAllowed("Finish the event first, or call it off.")
    if tap.player not in evening.seats:
        raise NotAllowed("No player has that number.")
    if tap.place == "in":
        if tap.player in evening.living:
            raise NotAllowed("{name} is already in the round.", name=tap.player)
        out = tuple(other for other in evening.out if other.seat != tap.player)
        return Step(replace(evening, out=out), Say("{who} puts {name} back in the round.", who=seat, name=tap.player))
    if tap.player not in evening.living:
        raise NotAllowed("{name} is already out of the round.", name=tap.player)
    if len(evening.living) <= 2:
        raise NotAllowed("Only two players are left. End the round instead.")
    after = evening.goes_out(Out(tap.player, "table"))
    line = Say("{who} takes {name} out of the round.", who=seat, name=tap.player)
    if len(after.living) <= 2:
        return Step(after.go(Ending("two left")), line, Say("Only two players are left: the round is over."))
    draws = evening.scene.draws
    return Step(after.go(replace(evening.scene, draws=draws and after.draws_after(draws))), line)


RULES: dict[type[Tap], Rule] = {
    ChangeRounds: change_rounds,
    CorrectScore: correct_score,
    CorrectPlayer: correct_player,
}
