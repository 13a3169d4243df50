"""What one seat, or everybody, may see. Views are built up: a secret answer is in none of them."""

from __future__ import annotations

from collections import Counter

import msgspec

from companion.game import Seat
from companion.games.traitors.gold_split import Split, split
from companion.games.traitors.state import (
    Ending,
    EndVote,
    Evening,
    Fallen,
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


class Asked(msgspec.Struct, frozen=True):
    """3 of 7 have answered; who, is not said."""

    answered: int
    of: int
    all_in: bool


class Tally(msgspec.Struct, frozen=True):
    """Votes against one player so far."""

    seat: Seat
    votes: int


class Ballots(msgspec.Struct, frozen=True):
    """The votes that are shown, and how many are still face down."""

    shown: tuple[Vote, ...]
    hidden: int
    next: Seat | None
    tally: tuple[Tally, ...]


class TableView(msgspec.Struct, frozen=True):
    """What everybody sees."""

    scene: str
    cue: str
    """Changes with every moment that the shared screen makes something of."""
    round: int
    rounds: int
    fund: int
    living: int
    players: tuple[Player, ...]
    drawer: Seat | None
    final: bool
    ended: str
    who: Seat | None
    draws: Seat | None
    moved_on: bool
    """The drawer was put out by their own event, so that their neighbour goes on."""
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
    out = {gone.seat: gone for gone in evening.out}
    return tuple(
        Player(
            seat, number, evening.total(seat),
            out[seat].how if seat in out else None, out[seat].role if seat in out else None, seat in evening.away,
        )
        for number, seat in enumerate(evening.seats, 1)
    )  # fmt: skip


def asked(evening: Evening) -> Asked | None:
    if not isinstance(evening.scene, (Murder, Voting, EndVote)):
        return None
    answered = len(evening.scene.answered)
    return Asked(answered, answered + len(evening.waiting()), evening.all_in)


def ballots(evening: Evening) -> Ballots | None:
    match evening.scene:
        case Revealing(cast=cast, shown=shown):
            # The first tuple ends where the secret begins.
            return Ballots(cast[:shown], len(cast) - shown, cast[shown].voter, tally(evening, cast[:shown]))
        case Tied(votes=votes) | Fallen(votes=votes) if votes:
            return Ballots(votes, 0, None, tally(evening, votes))
        case _:
            return None


def tally(evening: Evening, votes: tuple[Vote, ...]) -> tuple[Tally, ...]:
    count = Counter(vote.target for vote in votes)
    order = sorted(count, key=lambda seat: (-count[seat], evening.number_of(seat)))
    return tuple(Tally(seat, count[seat]) for seat in order)


def cue(evening: Evening) -> str:
    """A word and a count: the count tells two equal moments apart."""
    n = evening.drawn
    match evening.scene:
        case Talk(final=final):
            return f"{'final' if final else 'banishment'}.{n}"
        case Voting(ballot=ballot):
            return f"vote.{n}.{ballot}"
        case Revealing(ballot=ballot, shown=shown):
            return f"knock.{n}.{ballot}.{shown}"
        case Tied(ballot=ballot):
            return f"tied.{n}.{ballot}"
        case Playing(ended=ended):
            word = ended if ended in ("quiet", "nobody", "shield") else "calm"
            return f"{word}.{n}"
        case Fallen(how=how):
            return f"{how}.{n}"
        case Scored():
            return f"{'over' if evening.over else 'gold'}.{evening.number}"
        case scene:
            return f"{type(scene).__struct_config__.tag}.{n}"


# -------------------------------------------------------------------------------- everybody


def table_view(evening: Evening) -> TableView:
    scene: Scene = evening.scene
    playing = scene if isinstance(scene, Playing) else Playing()
    who = playing.who
    if isinstance(scene, Marked):
        who = scene.victim
    elif isinstance(scene, Fallen):
        who = scene.seat
    ended = playing.ended or getattr(scene, "how", "") or getattr(scene, "why", "")
    return TableView(
        scene=scene_of(evening),
        cue=cue(evening),
        round=evening.number,
        rounds=evening.rounds,
        fund=evening.fund,
        living=len(evening.living),
        players=players(evening),
        drawer=getattr(scene, "drawer", None),
        final=getattr(scene, "final", False),
        ended=ended,
        who=who,
        draws=playing.draws,
        moved_on=playing.moved_on,
        asked=asked(evening),
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
