"""What one seat, or everybody, may see. Views are built up: a secret answer is in none of them."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec

from companion.engine.game import Say, SayN, Seat
from companion.games.traitors.evening import (
    RECOMMENDED,
    EndVote,
    Ending,
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
    Share,
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


class Because(msgspec.Struct, frozen=True):
    """What one player got in a round, and why."""

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
    rule: Say
    rows: tuple[Because, ...]


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


class Key(msgspec.Struct, frozen=True):
    """One key of a secret ballot: the same keys, in the same places, on every phone."""

    value: str
    seat: Seat | None
    off: bool


class SeatView(msgspec.Struct, frozen=True):
    """What one player has to do now."""

    scene: str
    number: int
    inside: bool
    """Still in the round."""
    asked: Literal["", "murder", "vote", "end"]
    done: bool
    reminded: bool
    keys: tuple[Key, ...]
    my_turn: Literal["", "reveal murder", "shield", "fall", "reveal vote", "hand"]
    how: str
    hand: tuple[int, Role] | None
    can_draw: bool
    can_add: bool
    fund: int
    all_shown: bool
    last_round: bool
    over: bool


class ScreenView(msgspec.Struct, frozen=True):
    """What the shared screen taps for the table."""

    scene: str
    players: tuple[Player, ...]
    acting: Seat | None
    """Whose tap is next; the shared screen taps for whoever has no phone."""
    to_show: tuple[Seat, ...]
    how: str
    draws: Seat | None
    can_add: bool
    fund: int
    all_shown: bool
    last_round: bool
    over: bool


class HostView(msgspec.Struct, frozen=True):
    """What the host may do besides: help a vote along, and correct."""

    overdue: bool
    missing: tuple[Seat, ...]
    can_restart: bool
    can_call_off: bool
    in_play: bool
    players: tuple[Player, ...]
    round: int
    rounds: int
    recommended: tuple[int, int]
    scored: int


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


def split(share: Share, seats: tuple[Seat, ...]) -> Split:
    """Why each got what they got."""
    traitors = [hand.seat for hand in share.hands if hand.role == "traitor"]
    hands = {hand.seat: hand for hand in share.hands}
    gone = {out.seat: out for out in share.out}
    rows = []
    for seat in seats:
        got = share.each if seat in share.sharers else 0
        hand = hands[seat].gold if seat in hands else 0
        if seat in gone:
            how = {"murdered": Say("Murdered: nothing in this round."), "banished": Say("Banished: nothing in this round.")}
            why = how.get(gone[seat].how, Say("Out of the round: nothing."))
        elif seat not in hands:
            why = Say("Not in this round.")
        elif seat in traitors:
            why = Say("A Traitor to the end: takes the fund.") if len(traitors) == 1 else Say(
                "A Traitor to the end: shares the fund with the other one."
            )  # fmt: skip
        elif traitors:
            why = Say("Faithful, but a Traitor was still at the table: only the own hand.")
        else:
            why = Say("Faithful, and no Traitor is left: an equal share.")
        points = share.points.get(seat, 0)
        if points != hand + got:
            why = Say("Corrected by the host.")
        rows.append(Because(seat, hand, got, points, why))
    if traitors:
        rule = SayN("A Traitor has survived and takes the whole fund.", "{n} Traitors have survived and share the fund.",
                    n=len(traitors))  # fmt: skip
    else:
        rule = SayN(
            "Only Faithful are left: {n} of them has the fund.", "Only Faithful are left: {n} of them share the fund.",
            n=len(share.sharers),
        )  # fmt: skip
    return Split(share.number, share.fund, share.discarded, rule, tuple(rows))


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


# -------------------------------------------------------------------------------- one seat


def keys(evening: Evening, seat: Seat) -> tuple[Key, ...]:
    """F first, then every number there is; what cannot be chosen keeps its place and is switched off."""
    match evening.scene:
        case Murder():
            numbers = tuple(
                Key(str(number), other, off=other == seat or other not in evening.living)
                for number, other in enumerate(evening.seats, 1)
            )
            return (Key("F", None, off=False), *numbers)
        case Voting(candidates=candidates):
            return tuple(
                Key(str(number), other, off=other not in candidates) for number, other in enumerate(evening.seats, 1)
            )
        case EndVote():
            return (Key("E", None, off=False), Key("P", None, off=False))
        case _:
            return ()


def acting(evening: Evening) -> Seat | None:
    """Whose tap comes next, where it is one player's and nothing secret."""
    match evening.scene:
        case Murder(drawer=drawer) if evening.all_in:
            return drawer
        case Marked(victim=victim):
            return victim
        case Fallen(seat=seat):
            return seat
        case Revealing(cast=cast, shown=shown):
            return cast[shown].voter
        case _:
            return None


def all_shown(evening: Evening) -> bool:
    return isinstance(evening.scene, Ending) and len(evening.scene.hands) == len(evening.living)


def can_add(evening: Evening) -> bool:
    return scene_of(evening) not in ("preparing", "scored", "over", "ending")


def seat_view(evening: Evening, seat: Seat) -> SeatView:
    scene = evening.scene
    inside = seat in evening.living
    secret = {Murder: "murder", Voting: "vote", EndVote: "end"}.get(type(scene), "") if inside else ""
    turn = ""
    if acting(evening) == seat:
        turn = {Murder: "reveal murder", Marked: "shield", Fallen: "fall", Revealing: "reveal vote"}[type(scene)]
    elif isinstance(scene, Ending) and inside:
        turn = "hand"
    mine = [hand for hand in scene.hands if hand.seat == seat] if isinstance(scene, Ending) else []
    done = isinstance(scene, (Murder, Voting, EndVote)) and seat in scene.answered
    return SeatView(
        scene=scene_of(evening),
        number=evening.number_of(seat),
        inside=inside,
        asked=secret,  # type: ignore[arg-type]
        done=done,
        reminded=isinstance(scene, (Murder, Voting, EndVote)) and seat in scene.reminded and not done,
        keys=keys(evening, seat) if secret and not done else (),
        my_turn=turn,  # type: ignore[arg-type]
        how=scene.how if isinstance(scene, Fallen) else "",
        hand=(mine[0].gold, mine[0].role) if mine else None,
        can_draw=inside and isinstance(scene, Playing),
        can_add=can_add(evening),
        fund=evening.fund,
        all_shown=all_shown(evening),
        last_round=evening.number >= evening.rounds,
        over=evening.over,
    )


def screen_view(evening: Evening) -> ScreenView:
    scene = evening.scene
    shown = {hand.seat for hand in scene.hands} if isinstance(scene, Ending) else set()
    return ScreenView(
        scene=scene_of(evening),
        players=tuple(player for player in players(evening) if player.how is None),
        acting=acting(evening),
        to_show=tuple(seat for seat in evening.living if seat not in shown) if isinstance(scene, Ending) else (),
        how=scene.how if isinstance(scene, Fallen) else "",
        draws=scene.draws if isinstance(scene, Playing) else None,
        can_add=can_add(evening),
        fund=evening.fund,
        all_shown=all_shown(evening),
        last_round=evening.number >= evening.rounds,
        over=evening.over,
    )


def host_view(evening: Evening) -> HostView:
    scene = evening.scene
    overdue = isinstance(scene, (Murder, Voting, EndVote)) and scene.overdue
    return HostView(
        overdue=overdue,
        missing=evening.waiting() if overdue else (),
        can_restart=isinstance(scene, (Murder, Voting, Revealing, EndVote)),
        can_call_off=isinstance(scene, (Murder, Marked, Talk, Voting, Revealing, Tied, Fallen, EndVote)),
        in_play=isinstance(scene, Playing),
        players=players(evening),
        round=evening.number,
        rounds=evening.rounds,
        recommended=RECOMMENDED[len(evening.seats)],
        scored=len(evening.shares),
    )


def choosing(evening: Evening) -> tuple[Seat, ...]:
    """Who has a secret answer to give."""
    return evening.waiting()
