"""Random players, who mostly follow the rules and sometimes don't."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from traitors_talk import GAME

from companion.engine.snapshot import decode, encode
from companion.game import TABLE, ComesBack, Dice, GoesAway, NotAllowed, Seat, Step, Tap, TimeIsUp
from companion.games.traitors.agreement import ProposeEnd, Wish
from companion.games.traitors.banishment import CastVote, MoreTime, OpenVote, ReplayTied, RevealVote
from companion.games.traitors.corrections import ChangeRounds, CorrectPlayer, CorrectScore
from companion.games.traitors.events import CallOff, DrawEvent, DrawFinal, Ready, Remind, RestartVote
from companion.games.traitors.gold import AddGold, CorrectFund, EndRound, NextRound, ShareFund, ShowHand
from companion.games.traitors.murder import Answer, Fall, NoShield, PlayShield, RevealMurder
from companion.games.traitors.setup import Setup
from companion.games.traitors.state import (
    Ending,
    EndVote,
    Evening,
    Fallen,
    Marked,
    Murder,
    Playing,
    Preparing,
    Revealing,
    Scored,
    Talk,
    Tied,
    Voting,
)
from companion.testing import apply

KEYS = "F12345678"


class Players:
    """Random players, who mostly follow the rules and sometimes don't."""

    def __init__(self, chance: random.Random, players: int, setup: Setup) -> None:
        self.chance = chance
        self.seats = tuple(Seat(n) for n in range(1, players + 1))
        self.dice = Dice(chance)
        self.state: Evening = GAME.start(setup, self.seats, self.dice).state
        self.entered = 0
        self.traitors = set(chance.sample(self.seats, chance.choice([1, 1, 2])))

    def role(self, seat: Seat) -> str:
        return "traitor" if seat in self.traitors else "faithful"

    def sensible(self) -> tuple[Seat, Tap]:
        """A tap that makes sense now."""
        pick, state = self.chance.choice, self.state
        match state.scene:
            case Preparing():
                return TABLE, Ready()
            case Playing():
                return pick(state.living), pick(
                    [DrawEvent(), DrawEvent(), DrawEvent(), DrawFinal(), AddGold(pick([1, 2])), ProposeEnd()]
                )
            case Murder(drawer=drawer):
                if state.all_in:
                    return pick([drawer, TABLE]), RevealMurder()
                seat = pick(state.waiting() or state.living)
                numbers = [str(state.number_of(other)) for other in state.living if other != seat]
                return seat, Answer(pick(numbers) if seat in self.traitors else "F")
            case Marked(victim=victim):
                return pick([victim, TABLE]), pick([PlayShield(), NoShield(), NoShield()])
            case Fallen(seat=seat):
                return pick([seat, TABLE]), Fall(pick([0, 1, 3]), self.role(seat))
            case Talk():
                return pick([*state.seats, TABLE]), pick([OpenVote(), TimeIsUp(), MoreTime()])
            case Voting(candidates=candidates):
                target = candidates[0] if self.chance.random() < 0.6 else pick(candidates)
                return pick(state.waiting() or state.living), CastVote(str(state.number_of(target)))
            case Revealing(cast=cast, shown=shown):
                return cast[shown].voter, RevealVote()
            case Tied():
                return pick([*state.seats, TABLE]), ReplayTied()
            case EndVote():
                return pick(state.waiting() or state.living), Wish(pick("EEEP"))
            case Ending(hands=hands):
                missing = [seat for seat in state.living if seat not in {hand.seat for hand in hands}]
                if missing:
                    return missing[0], ShowHand(pick([0, 2]), self.role(missing[0]))
                return TABLE, ShareFund(pick([state.fund, state.fund + 1]))
            case _:
                return pick(state.seats), NextRound()

    def anything(self) -> tuple[Seat, Tap]:
        """Any tap by anybody, at any time."""
        pick = self.chance.choice
        seat = pick([*self.seats, TABLE])
        other = pick([*self.seats, TABLE, Seat(9)])
        role = pick(["faithful", "traitor"])
        tap = pick(
            [
                Ready(), DrawEvent(), DrawEvent(drawer=other), DrawFinal(), DrawFinal(drawer=other), Answer(pick(KEYS)),
                RevealMurder(), PlayShield(), NoShield(), Fall(pick([0, 2]), role), OpenVote(),
                CastVote(pick(KEYS[1:])), RevealVote(), ReplayTied(), MoreTime(), ProposeEnd(), ProposeEnd(proposer=other), Ready(first=True), Wish(pick("EP")), AddGold(pick([1, 5])), CorrectFund(pick([0, 3])),
                ShowHand(1, role), ShowHand(1, role, other), ShareFund(pick([0, 7])), NextRound(), EndRound(),
                ChangeRounds(pick([1, 2, 3])), CorrectScore(other, 1, 4), CorrectPlayer(other, pick(["in", "out"])),
                RestartVote(), CallOff(), Remind(other), TimeIsUp(), GoesAway(), ComesBack(),
            ]
        )  # fmt: skip
        if isinstance(tap, GoesAway | ComesBack) and seat == TABLE:
            seat = self.seats[0]
        return seat, tap

    def acts(self, seat: Seat, tap: Tap) -> Step | None:
        """Apply a tap. Return None if it is refused, and check that nothing has changed."""
        before, frozen = self.state, encode(self.state)
        try:
            step = apply(GAME, before, seat, tap, self.dice)
        except NotAllowed:
            assert encode(before) == frozen
            return None
        self.check(before, seat, tap, step)
        self.state = step.state
        return step

    def check(self, before: Evening, seat: Seat, tap: Tap, step: Step) -> None:
        after: Evening = step.state
        living = set(before.living)
        if isinstance(tap, Answer | CastVote | Wish):
            assert seat in living, "nobody dead votes"
            assert step.secret
            assert seat not in before.scene.answered  # type: ignore[union-attr]
        if isinstance(after.scene, Murder | Voting | EndVote):
            assert set(after.scene.answered) <= set(after.living)
        self.check_gold(before, tap, after)
        assert len(after.living) >= 2
        assert {out.seat for out in after.out}.isdisjoint(after.living)
        assert len(after.out) + len(after.living) == len(after.seats)
        assert decode(encode(after), Evening) == after
        assert (GAME.result(after) is not None) == (isinstance(after.scene, Scored) and after.number >= after.rounds)
        left = Counter(after.setup.bag())
        assert Counter(after.bag) <= left
        assert after.setup.events == "bag" or Counter(after.bag) == left, "chances never run out"
        if isinstance(before.scene, Tied) and not isinstance(after.scene, Tied):
            assert isinstance(tap, ReplayTied | CallOff), "nobody and nothing else ends the pleas"
        if isinstance(after.scene, Ending) and after.scene.why == "agreed" and before.scene != after.scene:
            assert isinstance(before.scene, EndVote) or isinstance(tap, ShowHand)
        if isinstance(before.scene, EndVote) and before.scene.proposer and isinstance(after.scene, Playing):
            assert after.scene.draws == before.scene.since.draws, "play continues where it was"
            assert after.scene.proposed.count(before.scene.proposer) == 1
        held = (Murder, Voting, Revealing, EndVote)
        burnt_scene = isinstance(before.scene, held) and not isinstance(after.scene, held)
        if burnt_scene and not isinstance(after.scene, type(before.scene)):
            assert step.burn, "answers are burnt whenever a vote is over, however it ends"

    def check_gold(self, before: Evening, tap: Tap, after: Evening) -> None:
        """Gold never comes from nowhere and never disappears."""
        match tap:
            case AddGold(gold=gold):
                assert after.fund == before.fund + gold
            case CorrectFund(gold=gold) | ShareFund(gold=gold):
                assert after.fund == gold
            case Fall(gold=gold):
                assert after.fund == before.fund + gold
            case NextRound():
                assert after.fund == 0
            case _:
                assert after.fund == before.fund
        if isinstance(tap, ShareFund):
            share = after.shares[-1]
            hands = sum(hand.gold for hand in share.hands)
            assert sum(share.points.values()) + share.discarded == share.fund + hands
            assert share.each * len(share.sharers) + share.discarded == share.fund
            assert 0 <= share.discarded < len(share.sharers)
            assert all(share.points[out.seat] == 0 for out in share.out)


class Tour:
    """Players who make everything happen: a Shield, a murder, a long wait, a tie, a banished Traitor, the final banishment."""

    def __init__(self) -> None:
        self.shields = self.murders = self.traitors = 0

    def tap(self, state: Evening) -> tuple[Seat, Tap]:
        match state.scene:
            case Preparing():
                return TABLE, Ready()
            case Playing(proposed=proposed):
                enough = self.murders and self.traitors
                if self.shields and len(proposed) < 2:  # two of them propose the end, one after the other
                    return state.living[len(proposed)], ProposeEnd()
                return state.living[0], DrawFinal() if enough else DrawEvent()
            case Murder(drawer=drawer):
                if state.all_in:
                    return drawer, RevealMurder()
                if len(state.scene.answered) == 2 and not state.scene.overdue:
                    return TABLE, TimeIsUp()
                seat = state.waiting()[0]
                victim = state.number_of(state.living[-1])
                return seat, Answer(str(victim) if seat == state.living[1] else "F")  # type: ignore[arg-type]
            case Marked(victim=victim):
                self.shields += 1
                return victim, PlayShield() if self.shields == 1 else NoShield()
            case Fallen(seat=seat, how=how):
                self.murders += how == "murdered"
                self.traitors += how == "banished"
                return seat, Fall(1, "traitor" if how == "banished" else "faithful")
            case Talk():
                return state.living[0], OpenVote()
            case Voting(candidates=candidates, ballot=ballot):
                seat = state.waiting()[0]
                target = seat if ballot == 1 and seat in candidates else candidates[-1]
                return seat, CastVote(str(state.number_of(target)))  # type: ignore[arg-type]
            case Revealing(cast=cast, shown=shown):
                return cast[shown].voter, RevealVote()
            case Tied():
                return TABLE, ReplayTied()
            case EndVote(answered=answered, overdue=overdue):
                if answered and not overdue:
                    return TABLE, TimeIsUp()
                seat = state.waiting()[0]
                return seat, Wish("P" if seat == state.living[0] else "E")
            case Ending(hands=hands):
                missing = [seat for seat in state.living if seat not in {hand.seat for hand in hands}]
                return (missing[0], ShowHand(2, "faithful")) if missing else (TABLE, ShareFund(state.fund))
            case _:
                return TABLE, NextRound()


setups = st.builds(
    Setup,
    rounds=st.sampled_from(["recommended", "1", "2"]),
    timer=st.sampled_from(["0", "3"]),
    plea=st.sampled_from(["0", "1"]),
    events=st.sampled_from(["bag", "chances"]),
    murders=st.integers(0, 3),
    banishments=st.integers(1, 3),
    quiet_nights=st.integers(0, 2),
)
evening = given(st.randoms(use_true_random=False), st.integers(4, 8), setups)
