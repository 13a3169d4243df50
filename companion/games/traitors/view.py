"""What everybody sees. Views are built from public facts, so they never contain a secret answer."""

from __future__ import annotations

from collections import Counter

import msgspec

from companion.game import Moment, Say, SayN, Seat, listed
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
    """What they showed at the end of the round."""
    got: Because | None
    """What they got when the Gold was shared out."""


class Asked(msgspec.Struct, frozen=True):
    """How many have answered, but not who."""

    answered: int
    of: int
    all_in: bool


class Tally(msgspec.Struct, frozen=True):
    """The revealed votes against one player."""

    seat: Seat
    votes: int
    leads: bool


class Ballots(msgspec.Struct, frozen=True):
    """The revealed votes, and how many are still face down."""

    shown: tuple[Vote, ...]
    hidden: int
    next: Seat | None
    tally: tuple[Tally, ...]


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    scene: str
    moment: Moment | None
    ask: Say | None
    """The question that the dark stage shows before the answer."""
    round: int
    rounds: int
    fund: int
    living: int
    lit: int
    """Lit windows of the castle: the players alive or, in an open vote, the answers still missing."""
    players: tuple[Player, ...]
    drawer: Seat | None
    final: bool
    ended: str
    who: Seat | None
    """The player in focus: the victim, or the last player who showed a role."""
    role: Role | None
    """The role they have shown."""
    gold: int
    """The Gold they have shown."""
    next: Say | None
    """Who draws next, if that is known."""
    proposed: bool
    """Whether a player proposed to end the round. If not, the app asks."""
    news: Say | None
    """Who ended or extended the discussion, who may plead, or who proposed to end the round."""
    events: Say
    """Where events come from."""
    asked: Asked | None
    candidates: tuple[Seat, ...]
    again: Say | None
    """Who the second vote is between, after a tie."""
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
            # Votes after `shown` are still secret.
            return Ballots(cast[:shown], len(cast) - shown, cast[shown].voter, tally(cast[:shown]))
        case Tied(votes=votes) | Fallen(votes=votes) if votes:
            return Ballots(votes, 0, None, tally(votes))
        case _:
            return None


def tally(votes: tuple[Vote, ...]) -> tuple[Tally, ...]:
    """Count the votes. Names stay in the order in which they came up, so that no line moves."""
    count = Counter(vote.target for vote in votes)
    return tuple(Tally(seat, n, n == max(count.values())) for seat, n in count.items())


# -------------------------------------------------------------------------------- everybody


class About(msgspec.Struct, frozen=True):
    """The player in focus, and what they have shown."""

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
    """Say who draws next. It is only known at the start of a round and right after an event."""
    if playing.draws is None or playing.proposed:
        return None
    if not playing.ended:
        return Say("{name} draws first.", name=playing.draws)
    if playing.moved_on:
        return Say("{name} takes the next turn.", name=playing.draws)
    return Say("{name} draws again.", name=playing.draws)


def news(evening: Evening) -> Say | None:
    """Say what a player has just done in public, or who may plead."""
    match evening.scene:
        case Talk(longer=seat) if seat is not None:
            return Say("{who} wants one more minute.", who=seat)
        case Voting(closed_by=seat, ballot=1) if seat is not None:
            return Say("{who} ended the discussion.", who=seat)
        case Tied(tied=(one, other)):
            return Say("{names} may plead.", names=listed((one, other)))
        case Tied(tied=tied):
            return SayN(
                "{n} player is tied and may plead.", "{n} players are tied and may plead.", n=len(tied)
            )  # fmt: skip
        case EndVote(proposer=seat) if seat is not None:
            return Say("{name} proposes to end the round.", name=seat)
        case EndVote() if evening.out:
            return Say("{name} was a Traitor.", name=evening.out[-1].seat)
        case _:
            return None


def again(evening: Evening) -> Say | None:
    match evening.scene:
        case Voting(candidates=tied) if len(tied) < len(evening.living):
            return Say("A tie. Everybody votes again between {names}.", names=listed(tied))
        case _:
            return None


def source(setup: Setup) -> Say:
    """Say how events are chosen, and with which odds."""
    mix = {"n": len(setup.bag()), "m": setup.murders, "b": setup.banishments, "q": setup.quiet_nights}
    if setup.events == "chances":
        return Say("Events by chance: MURDER {m} in {n}, BANISHMENT {b} in {n}, QUIET NIGHT {q} in {n}.", **mix)
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
        again=again(evening),
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
