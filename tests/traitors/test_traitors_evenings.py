"""Whole random evenings: any number of players and Traitors, Shields, ties, corrections, taps in any order."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
from castle import GAME
from easel import Easel
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine.game import TABLE, ComesBack, Dice, GoesAway, NotAllowed, Seat, Step, Tap, TimeIsUp, keep, revive
from companion.games.traitors.banishment import CastVote, OpenVote, ReplayTied, RevealVote, Wish
from companion.games.traitors.corrections import ChangeRounds, CorrectPlayer, CorrectScore
from companion.games.traitors.evening import Evening, Setup
from companion.games.traitors.events import CallOff, DrawEvent, DrawFinal, Ready, Remind, RestartVote
from companion.games.traitors.gold import AddGold, CorrectFund, EndRound, NextRound, ShareFund, ShowHand
from companion.games.traitors.murder import Answer, Fall, NoShield, PlayShield, RevealMurder
from companion.games.traitors.scenes import (
    Ending,
    EndVote,
    Fallen,
    Marked,
    Murder,
    Playing,
    Preparing,
    Revealing,
    Scored,
    Talk,
    Tied,
    Vote,
    Voting,
)

KEYS = "F12345678"


class Players:
    """People who play on, mostly as the rules foresee, sometimes not."""

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
        """Something that somebody at the table would do now."""
        pick, state = self.chance.choice, self.state
        match state.scene:
            case Preparing():
                return TABLE, Ready()
            case Playing():
                return pick(state.living), pick(
                    [DrawEvent(), DrawEvent(), DrawEvent(), DrawFinal(), AddGold(pick([1, 2]))]
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
                return pick([*state.seats, TABLE]), pick([OpenVote(), TimeIsUp()])
            case Voting(candidates=candidates):
                target = candidates[0] if self.chance.random() < 0.6 else pick(candidates)
                return pick(state.waiting() or state.living), CastVote(str(state.number_of(target)))
            case Revealing(cast=cast, shown=shown):
                return cast[shown].voter, RevealVote()
            case Tied():
                return TABLE, pick([ReplayTied(), TimeIsUp()])
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
                CastVote(pick(KEYS[1:])), RevealVote(), ReplayTied(), Wish(pick("EP")), AddGold(pick([1, 5])), CorrectFund(pick([0, 3])),
                ShowHand(1, role), ShowHand(1, role, other), ShareFund(pick([0, 7])), NextRound(), EndRound(),
                ChangeRounds(pick([1, 2, 3])), CorrectScore(other, 1, 4), CorrectPlayer(other, pick(["in", "out"])),
                RestartVote(), CallOff(), Remind(other), TimeIsUp(), GoesAway(), ComesBack(),
            ]
        )  # fmt: skip
        if isinstance(tap, GoesAway | ComesBack) and seat == TABLE:
            seat = self.seats[0]
        return seat, tap

    def acts(self, seat: Seat, tap: Tap) -> Step | None:
        """What comes of a tap; None if it is refused, and then nothing has changed."""
        before, frozen = self.state, keep(self.state)
        try:
            step = GAME.rules[type(tap)](before, seat, tap, self.dice)
        except NotAllowed:
            assert keep(before) == frozen
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
        assert revive(keep(after), Evening) == after
        assert (GAME.result(after) is not None) == (isinstance(after.scene, Scored) and after.number >= after.rounds)
        left = Counter(after.setup.bag())
        assert Counter(after.bag) <= left
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


setups = st.builds(
    Setup,
    rounds=st.sampled_from(["recommended", "1", "2"]),
    timer=st.sampled_from(["0", "3"]),
    murders=st.integers(0, 3),
    banishments=st.integers(1, 3),
    quiet_nights=st.integers(0, 2),
)
evening = given(st.randoms(use_true_random=False), st.integers(4, 8), setups)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@evening
def test_whatever_people_tap_the_rules_hold(chance, players, setup):
    table = Players(chance, players, setup)
    for _ in range(120):
        table.acts(*(table.sensible() if chance.random() < 0.7 else table.anything()))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@evening
def test_every_round_ends_and_so_does_every_evening(chance, players, setup):
    table = Players(chance, players, setup)
    for _ in range(4_000):
        if GAME.result(table.state) is not None:
            break
        table.acts(*table.sensible())
    result = GAME.result(table.state)
    assert result is not None
    assert len(table.state.shares) == table.state.rounds
    assert max(result.points.values()) == result.points[result.winners[0]]


# -------------------------------------------------------------------------------- secrecy at every step


def twin(state: Evening, chance: random.Random) -> Evening | None:
    """The same table, but for what nobody may know."""
    bag = tuple(sorted(state.setup.bag())[: len(state.bag)])
    scene = state.scene
    match scene:
        case Murder():
            other = msgspec.structs.replace(scene, mark=chance.choice([key for key in KEYS if key != scene.mark]))
        case EndVote():
            other = msgspec.structs.replace(scene, wish="P" if scene.wish == "E" else "E")
        case Voting():
            # Neither the votes nor the order of voting.
            voters = chance.sample(scene.answered, len(scene.answered))
            other = msgspec.structs.replace(scene, cast=votes(voters, scene.candidates, chance))
        case Revealing():
            hidden = votes([vote.voter for vote in scene.cast[scene.shown :]], scene.candidates, chance)
            other = msgspec.structs.replace(scene, cast=(*scene.cast[: scene.shown], *hidden))
        case _:
            other = scene
    return msgspec.structs.replace(state, scene=other, bag=bag)


def votes(voters: list[Seat], candidates: tuple[Seat, ...], chance: random.Random) -> tuple[Vote, ...]:
    return tuple(Vote(voter, chance.choice(candidates)) for voter in voters)


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.integers(4, 8), setups)
def test_no_screen_depends_on_what_its_seat_may_not_know(easel: Easel, chance, players, setup):
    table = Players(chance, players, setup)
    for _ in range(40):
        step = table.acts(*(table.sensible() if chance.random() < 0.85 else table.anything()))
        if step is None:
            continue
        other, host, phones = twin(table.state, chance), chance.randint(0, players), chance.random() < 0.7
        # Where no vote is open, all that is hidden is the bag: two screens say as much as all of them.
        secret = isinstance(table.state.scene, Murder | Voting | Revealing | EndVote)
        for seat in range(-1, players + 1) if secret else (0, chance.randint(1, players)):
            one = easel.draw(GAME, table.state, seat, host=host, phones=phones)
            assert one == easel.draw(GAME, other, seat, host=host, phones=phones)
        if table.state.waiting():
            passed = chance.choice(table.state.waiting())
            assert easel.draw_passed(GAME, table.state, passed) == easel.draw_passed(GAME, other, passed)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@evening
def test_no_refusal_line_or_alarm_depends_on_a_secret(chance, players, setup):
    """On twin tables every tap but a reveal has the same consequences, as far as anybody can tell."""
    table = Players(chance, players, setup)
    for _ in range(80):
        if table.acts(*table.sensible()) is None or not isinstance(table.state.scene, Murder | Voting | EndVote):
            continue
        seat, tap = table.anything()
        reveals = isinstance(tap, RevealMurder | RevealVote | DrawEvent)
        decides = isinstance(tap, Wish | CastVote | GoesAway) and len(table.state.waiting()) <= 1
        if not (reveals or decides):
            assert heard(table.state, seat, tap) == heard(twin(table.state, chance), seat, tap)


def heard(state: Evening, seat: Seat, tap: Tap) -> object:
    try:
        step = GAME.rules[type(tap)](state, seat, tap, Dice(random.Random(1)))
    except NotAllowed as refusal:
        return refusal.say
    return step.lines, step.sealed, step.secret, step.burn, step.alarm, GAME.table_view(step.state)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@evening
def test_f_and_a_number_have_the_same_consequences(chance, players, setup):
    table = Players(chance, players, setup)
    for _ in range(80):
        if isinstance(table.state.scene, Murder) and (waiting := table.state.waiting()):
            seat = chance.choice(waiting)
            number = chance.choice([table.state.number_of(other) for other in table.state.living if other != seat])
            faithful, traitor = (heard(table.state, seat, Answer(key)) for key in ("F", str(number)))
            assert faithful == traitor
        table.acts(*table.sensible())
