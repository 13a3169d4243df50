"""What a seat, the shared screen and the host can see and tap. No view contains a secret answer."""

from __future__ import annotations

import zlib
from typing import Literal

import msgspec

from companion.game import Say, Seat, listed
from companion.games.traitors.setup import RECOMMENDED
from companion.games.traitors.state import (
    Ending,
    EndVote,
    Evening,
    Fallen,
    Marked,
    Murder,
    Playing,
    Revealing,
    Role,
    Talk,
    Tied,
    Voting,
)
from companion.games.traitors.view import Player, news, players, scene_of, who_draws


class Key(msgspec.Struct, frozen=True):
    """One key of a secret ballot. Every phone has the same keys in the same order."""

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
    all_in: bool
    reminded: bool
    keys: tuple[Key, ...]
    turn: int
    """How many places the keys are rotated, so that a thumb's position tells nothing."""
    demand: str
    """Changes when this seat has something new to do. In an open vote it is the same for all voters."""
    my_turn: Literal["", "reveal murder", "shield", "fall", "reveal vote", "hand"]
    how: str
    hand: tuple[int, Role] | None
    acting: Seat | None
    """The player who acts now, if it is only one."""
    waits_for: Say | None
    """The players everybody waits for, where that is no secret."""
    draws: Literal["", "first", "again", "on"]
    """Whether this seat draws first, draws again, or takes the turn of a player who is out."""
    next: Say | None
    news: Say | None
    lives: bool
    """Whether a Shield has just saved this seat."""
    tied: tuple[Seat, ...]
    """The tied players."""
    pleads: bool
    """Whether this seat is one of them and may plead."""
    can_draw: bool
    asks_first: bool
    """Ask before EVENT, because it is probably another player's turn."""
    leads: bool
    """Whether this seat drew the Event card."""
    can_propose: bool
    can_add: bool
    fund: int
    all_shown: bool
    last_round: bool
    over: bool


class ScreenView(msgspec.Struct, frozen=True):
    """What the shared screen can tap."""

    scene: str
    drawn: int
    """The number of events so far: an open list of names closes at the next event."""
    players: tuple[Player, ...]
    acting: Seat | None
    """The player whose tap is next. The shared screen taps for players without a phone."""
    to_show: tuple[Seat, ...]
    how: str
    can_add: bool
    proposers: tuple[Seat, ...]
    fund: int
    all_shown: bool
    last_round: bool
    over: bool


class HostView(msgspec.Struct, frozen=True):
    """What only the host can do: remind people, restart a vote, correct."""

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


def keys(evening: Evening, seat: Seat) -> tuple[Key, ...]:
    """F, then every number. A key that can't be chosen is disabled but keeps its place."""
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


def turn(evening: Evening, seat: Seat, places: int) -> int:
    """Rotate the keys differently for each seat and ballot, never depending on a choice."""
    ballot = getattr(evening.scene, "ballot", 0)
    return zlib.crc32(f"{seat}.{evening.number}.{evening.drawn}.{ballot}".encode()) % places if places else 0


def acting(evening: Evening) -> Seat | None:
    """Return the one player who acts now, where that is no secret."""
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


def to_show(evening: Evening) -> tuple[Seat, ...]:
    """Survivors who have not shown their role and hand yet."""
    if not isinstance(evening.scene, Ending):
        return ()
    shown = {hand.seat for hand in evening.scene.hands}
    return tuple(seat for seat in evening.living if seat not in shown)


def proposers(evening: Evening) -> tuple[Seat, ...]:
    """Who can propose to end the round: every living player, once between two events."""
    if not isinstance(playing := evening.scene, Playing):
        return ()
    return tuple(seat for seat in evening.living if seat not in playing.proposed)


def draws(playing: Playing, seat: Seat) -> str:
    if playing.draws != seat or playing.proposed:
        return ""
    return "first" if not playing.ended else "on" if playing.moved_on else "again"


def all_shown(evening: Evening) -> bool:
    return isinstance(evening.scene, Ending) and not to_show(evening)


def can_add(evening: Evening) -> bool:
    return scene_of(evening) not in ("preparing", "scored", "over", "ending")


def demand(evening: Evening, secret: str, turn: str, seat: Seat) -> str:
    """What a phone lights up for. In a secret vote, the phones of all voters light up alike."""
    scene, n = evening.scene, f"{evening.number}.{evening.drawn}"
    if turn == "hand":
        return f"hand.{n}" if seat in to_show(evening) else ""
    if turn:
        return f"{turn}.{n}.{getattr(scene, 'ballot', 0)}"
    if secret and not evening.all_in:
        return f"{secret}.{n}.{getattr(scene, 'ballot', 0)}"
    return f"draw.{n}" if isinstance(scene, Playing) and scene.draws == seat else ""


def seat_view(evening: Evening, seat: Seat) -> SeatView:
    scene = evening.scene
    inside = seat in evening.living
    secret = {Murder: "murder", Voting: "vote", EndVote: "end"}.get(type(scene), "") if inside else ""
    playing = scene if isinstance(scene, Playing) else Playing()
    my_turn = ""
    if acting(evening) == seat:
        my_turn = {Murder: "reveal murder", Marked: "shield", Fallen: "fall", Revealing: "reveal vote"}[type(scene)]
    elif isinstance(scene, Ending) and inside:
        my_turn = "hand"
    missing = to_show(evening)
    mine = [hand for hand in scene.hands if hand.seat == seat] if isinstance(scene, Ending) else []
    done = isinstance(scene, (Murder, Voting, EndVote)) and seat in scene.answered
    asked = keys(evening, seat) if secret and not done else ()
    return SeatView(
        scene=scene_of(evening),
        number=evening.number_of(seat),
        inside=inside,
        asked=secret,  # type: ignore[arg-type]
        done=done,
        all_in=evening.all_in,
        reminded=isinstance(scene, (Murder, Voting, EndVote)) and seat in scene.reminded and not done,
        keys=asked,
        turn=turn(evening, seat, len(asked)),
        demand=demand(evening, secret, my_turn, seat),
        my_turn=my_turn,  # type: ignore[arg-type]
        how=scene.how if isinstance(scene, Fallen) else "",
        hand=(mine[0].gold, mine[0].role) if mine else None,
        acting=acting(evening),
        waits_for=Say("Waiting for {names}.", names=listed(missing)) if missing else None,
        draws=draws(playing, seat),  # type: ignore[arg-type]
        next=who_draws(playing),
        news=news(evening),
        lives=playing.ended == "shield" and playing.who == seat and not playing.additions,
        tied=scene.tied if isinstance(scene, Tied) else (),
        pleads=isinstance(scene, Tied) and seat in scene.tied,
        can_draw=inside and isinstance(scene, Playing),
        asks_first=playing.draws not in (None, seat),
        leads=getattr(scene, "drawer", None) == seat,
        can_propose=seat in proposers(evening),
        can_add=can_add(evening),
        fund=evening.fund,
        all_shown=all_shown(evening),
        last_round=evening.number >= evening.rounds,
        over=evening.over,
    )


def screen_view(evening: Evening) -> ScreenView:
    scene = evening.scene
    return ScreenView(
        scene=scene_of(evening),
        drawn=evening.drawn,
        players=tuple(player for player in players(evening) if player.how is None),
        acting=acting(evening),
        to_show=to_show(evening),
        how=scene.how if isinstance(scene, Fallen) else "",
        can_add=can_add(evening),
        proposers=proposers(evening),
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
    """Who still has to give a secret answer."""
    return evening.waiting()


def taking_part(evening: Evening) -> tuple[Seat, ...]:
    """Everybody in the vote, so that passing the shared screen around does not tell who has answered."""
    if not evening.waiting():
        return ()
    return tuple(seat for seat in evening.living if seat not in evening.away)
