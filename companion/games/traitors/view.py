"""What one seat, or everybody, may see. Views are built up: a secret answer is in none of them."""

from __future__ import annotations

from collections import Counter

import msgspec

from companion.game import Moment, Say, Seat, listed
from companion.games.traitors.gold_split import Because, Split, split
from companion.games.traitors.moments import staged
from companion.games.traitors.setup import Setup
from companion.games.traitors.state import (
    Ending,
    EndVote,
    Evening,
    Fallen,
    Hand,
    How,
    Marked,
    Murder,
    Playing,
    Revealing,
    Role,
    Scene,
    Scored,
    Talk,
    Tied,
    Vote,
    Voting,
)


class Player(msgspec.Struct, frozen=True):
    """One player as everybody knows them."""

    seat: Seat
    number: int
    total: int
    how: How | None
    role: Role | None
    away: bool
    hand: Hand | None
    """What they have shown at the end of the round."""
    got: Because | None
    """What they got, when it is shared out."""


class Asked(msgspec.Struct, frozen=True):
    """3 of 7 have answered; who, is not said."""

    answered: int
    of: int
    all_in: bool


class Tally(msgspec.Struct, frozen=True):
    """Votes against one player so far."""

    seat: Seat
    votes: int
    leads: bool


class Ballots(msgspec.Struct, frozen=True):
    """The votes that are shown, and how many are still face down."""

    shown: tuple[Vote, ...]
    hidden: int
    next: Seat | None
    tally: tuple[Tally, ...]


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    scene: str
    moment: Moment | None
    ask: Say | None
    """What stands in the dark before the answer."""
    round: int
    rounds: int
    fund: int
    living: int
    lit: int
    """Windows of the castle with a light: one for everybody alive; while a vote is open, for every answer to come."""
    players: tuple[Player, ...]
    drawer: Seat | None
    final: bool
    ended: str
    who: Seat | None
    """The person on stage: the victim, or the last one to show a role."""
    role: Role | None
    """What they have shown."""
    gold: int
    """And how much Gold with it."""
    next: Say | None
    """Who draws now, if that is known."""
    proposed: bool
    """Somebody proposes to end the round; else the app asks by itself."""
    news: Say | None
    """Who ended the discussion or wants it to go on, who may plead, who proposes to end the round."""
    events: Say
    """Where events come from."""
    asked: Asked | None
    candidates: tuple[Seat, ...]
    again: bool
    ballots: Ballots | None
    shown: tuple[tuple[Seat, int, Role], ...]
    split: Split | None
    tallies: tuple[tuple[Seat, tuple[int | None, ...], int], ...]
    winners: tuple[Seat, ...]


# -------------------------------------------------------------------------------- parts


def scene_of(evening: Evening) -> str:
    tag = type(evening.scene).__struct_config__.tag
    return "over" if evening.over else str(tag)


def players(evening: Evening) -> tuple[Player, ...]:
    scene, found = evening.scene, []
    out = {gone.seat: gone for gone in evening.out}
    hands = {hand.seat: hand for hand in scene.hands} if isinstance(scene, Ending) else {}
    rows = split(evening.shares[-1], evening.seats).rows if isinstance(scene, Scored) else ()
    got = {row.seat: row for row in rows}
    for number, seat in enumerate(evening.seats, 1):
        how, role = (out[seat].how, out[seat].role) if seat in out else (None, None)
        away = seat in evening.away
        found.append(Player(seat, number, evening.total(seat), how, role, away, hands.get(seat), got.get(seat)))
    return tuple(found)


def asked(evening: Evening) -> Asked | None:
    if not isinstance(evening.scene, (Murder, Voting, EndVote)):
        return None
    answered = len(evening.scene.answered)
    return Asked(answered, answered + len(evening.waiting()), evening.all_in)


def ballots(evening: Evening) -> Ballots | None:
    match evening.scene:
        case Revealing(cast=cast, shown=shown):
            # The first tuple ends where the secret begins.
            return Ballots(cast[:shown], len(cast) - shown, cast[shown].voter, tally(cast[:shown]))
        case Tied(votes=votes) | Fallen(votes=votes) if votes:
            return Ballots(votes, 0, None, tally(votes))
        case _:
            return None


def tally(votes: tuple[Vote, ...]) -> tuple[Tally, ...]:
    """In the order in which names came up, so that none changes its place while others come."""
    count = Counter(vote.target for vote in votes)
    return tuple(Tally(seat, n, n == max(count.values())) for seat, n in count.items())


# -------------------------------------------------------------------------------- everybody


class About(msgspec.Struct, frozen=True):
    """Whom the table looks at, and what they have shown."""

    who: Seat | None = None
    role: Role | None = None
    gold: int = 0


def about(evening: Evening) -> About:
    out = About(evening.out[-1].seat, evening.out[-1].role, evening.out[-1].gold) if evening.out else About()
    match evening.scene:
        case Marked(victim=seat) | Fallen(seat=seat):
            return About(seat)
        case Playing(ended="murdered" | "banished") | EndVote(proposer=None):
            return out
        case Playing(who=who) | EndVote(proposer=who):
            return About(who)
        case Ending(hands=(*_, hand)):
            return About(hand.seat, hand.role, hand.gold)
        case Ending(why="two left" | "final"):
            return out
        case _:
            return About()


def who_draws(playing: Playing) -> Say | None:
    """Right after an event, or at the start; later on the turn has passed, and only the table knows."""
    if playing.draws is None or playing.proposed:
        return None
    if not playing.ended:
        return Say("{name} draws first.", name=playing.draws)
    if playing.moved_on:
        return Say("{name}, next on the left, goes on.", name=playing.draws)
    return Say("{name} draws again.", name=playing.draws)


def news(evening: Evening) -> Say | None:
    """What somebody has just done for all to see, and who may speak."""
    match evening.scene:
        case Talk(longer=seat) if seat is not None:
            return Say("{who} wants one more minute.", who=seat)
        case Voting(closed_by=seat, ballot=1) if seat is not None:
            return Say("{who} ended the discussion.", who=seat)
        case Tied(tied=(one, other)):
            return Say("{names} may plead.", names=listed((one, other)))
        case Tied(tied=tied):
            return Say("{n} players are tied and may plead.", n=len(tied))
        case EndVote(proposer=seat) if seat is not None:
            return Say("{name} proposes to end the round.", name=seat)
        case EndVote() if evening.out:
            return Say("{name} was a Traitor.", name=evening.out[-1].seat)
        case _:
            return None


def source(setup: Setup) -> Say:
    """Which events come, in the words of the Event Selector."""
    mix = {"n": len(setup.bag()), "m": setup.murders, "b": setup.banishments, "q": setup.quiet_nights}
    if setup.events == "chances":
        return Say("Every EVENT by chance: MURDER {m} in {n}, BANISHMENT {b} in {n}, QUIET NIGHT {q} in {n}.", **mix)
    return Say("Events from a bag of {n}: MURDER {m}, BANISHMENT {b}, QUIET NIGHT {q}.", **mix)


def table_view(evening: Evening) -> TableView:
    scene: Scene = evening.scene
    playing = scene if isinstance(scene, Playing) else Playing()
    ended = playing.ended or getattr(scene, "how", "") or getattr(scene, "why", "")
    now, seen, answers = staged(evening), about(evening), asked(evening)
    return TableView(
        scene=scene_of(evening),
        moment=now.moment,
        ask=now.ask,
        round=evening.number,
        rounds=evening.rounds,
        fund=evening.fund,
        living=len(evening.living),
        lit=answers.of - answers.answered if answers else len(evening.living),
        players=players(evening),
        drawer=getattr(scene, "drawer", None),
        final=getattr(scene, "final", False),
        ended="gold" if playing.additions else ended,
        who=seen.who,
        role=seen.role,
        gold=seen.gold,
        next=who_draws(playing),
        proposed=isinstance(scene, EndVote) and scene.proposer is not None,
        news=news(evening),
        events=source(evening.setup),
        asked=answers,
        candidates=scene.tied if isinstance(scene, Tied) else getattr(scene, "candidates", ()),
        again=isinstance(scene, Voting) and len(scene.candidates) < len(evening.living),
        ballots=ballots(evening),
        shown=tuple((hand.seat, hand.gold, hand.role) for hand in scene.hands) if isinstance(scene, Ending) else (),
        split=split(evening.shares[-1], evening.seats) if isinstance(scene, Scored) else None,
        tallies=tuple(
            (seat, tuple(share.points.get(seat) for share in evening.shares), evening.total(seat))
            for seat in sorted(evening.seats, key=lambda seat: (-evening.total(seat), evening.number_of(seat)))
        )
        if evening.shares
        else (),
        winners=evening.winners() if evening.over else (),
    )  # fmt: skip
