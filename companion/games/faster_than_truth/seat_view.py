"""What one seat and the shared screen see and may tap; only the owner sees what a hidden card is."""

from __future__ import annotations

import msgspec

from companion.game import Say, Seat
from companion.games.faster_than_truth.express import meaning
from companion.games.faster_than_truth.state import CARDS_A_TURN, NOBODY, Kind, Phase, Play
from companion.games.faster_than_truth.view import Lying, actor, happening, lying, piles, waiting

SPARE = 6
"""Extra places in the form for a new count, in case the app has missed some cards."""


class Mine(msgspec.Struct, frozen=True):
    """A card as its owner sees it."""

    place: int
    kind: Kind
    hidden: bool
    fits: bool = True
    """False if a face-up or face-down position alone rules this card out."""


class Corrections(msgspec.Struct, frozen=True):
    """What anybody can fix; nothing here is secret."""

    open: bool
    seats: tuple[Seat, ...]
    face_up: tuple[tuple[Seat, Lying], ...]
    reserve: tuple[tuple[Kind, int], ...]
    learning: bool
    may_learn: bool
    counting: bool
    express: bool
    over: bool


class SeatView(msgspec.Struct, frozen=True):
    """What one player sees and has to do."""

    phase: Phase
    job: str
    mine: tuple[Mine, ...]
    declared: bool
    turn: Seat
    number: int
    of: int
    learning: bool
    dealing: bool
    failed: bool
    entered: bool
    places: int
    names: tuple[str, ...]
    name: str | None
    challenger: Seat
    rivals: tuple[Seat, ...]
    happening: Say | None
    asked: str | None
    wanted: Kind | None
    did: tuple[Say, ...]
    taker: Seat | None
    loser: Seat | None
    theirs: tuple[Lying, ...]
    reserve: tuple[tuple[Kind, int], ...]
    undo_ask: bool
    turned: str | None
    winner: Seat
    corrections: Corrections
    express: bool
    thinking: tuple[Seat, ...]
    outcome: Say | None
    waiting: tuple[Seat, ...]
    """Who has not entered their cards yet."""
    fuse: str
    rival_has_none: bool
    """The challenger has no cards, so the penalty comes from the reserve."""
    seat: Seat
    actor: Seat
    n: int
    """Changes with every event, so that a phone can tell a new request from the last one."""


class ScreenView(msgspec.Struct, frozen=True):
    """What the shared screen may tap for the table."""

    phase: Phase
    seats: tuple[Seat, ...]
    turn: Seat
    may_challenge: tuple[Seat, ...]
    passed: tuple[Seat, ...]
    name: str | None
    thinking: tuple[Seat, ...]
    undo_ask: bool
    learning: bool
    express: bool
    corrections: Corrections


def corrections(play: Play) -> Corrections:
    return Corrections(
        open=play.phase != "counting",
        seats=play.seats,
        face_up=tuple((seat, card) for seat in play.seats for card in lying(play, seat) if card.kind is not None),
        reserve=piles(play.reserve),
        learning=play.learning,
        may_learn=play.phase in ("counting", "first", "declare"),
        counting=play.count is not None and not play.count.deal,
        express=play.setup.express,
        over=bool(play.winner),
    )


def job(play: Play, seat: Seat) -> str:
    """The one thing for this seat to do now."""
    match play.phase:
        case "counting" if play.count:
            return "entered" if seat in play.count.sure else "look_again" if seat in play.count.entries else "enter"
        case "first" | "over":
            return play.phase
        case "challenge" if seat != play.turn:
            if seat not in play.may_challenge():
                return "cannot_challenge"
            return "passed" if seat in play.in_play.passed else "challenge"
        case "challenge":
            return "doubted"
        case "asking" if play.ask and seat == play.ask.owner:
            return "pick"
        case "taking" if play.taking and seat == play.taking.taker:
            return "take"
        case "taking" if play.taking and seat == play.taking.loser:
            return "hand_over"
        case "declare" | "turning" | "effect" if seat == play.turn:
            return play.phase
    return "wait"


def mine(play: Play, seat: Seat) -> tuple[Mine, ...]:
    cards = play.stashes[seat]
    if play.count and seat in play.count.entries:
        cards = play.count.entries[seat]
    ask = play.ask if play.ask and play.ask.owner == seat else None
    return tuple(
        Mine(
            n,
            card.kind,
            card.hidden and not play.winner,
            # Every hidden card can be tapped, so a glance at this phone gives nothing away.
            fits=ask is None
            or (card.hidden and ask.what != "hide")
            or (not card.hidden and (ask.what == "hide" or card.kind == ask.kind)),
        )
        for n, card in enumerate(cards, 1)
    )


def seat_view(play: Play, seat: Seat) -> SeatView:
    count, card, taking = play.count, play.card, play.taking
    return SeatView(
        seat=seat,
        phase=play.phase,
        job=job(play, seat),
        mine=mine(play, seat),
        declared=seat in play.declared and not play.winner,
        turn=play.turn,
        number=min(play.done + 1, CARDS_A_TURN),
        of=CARDS_A_TURN,
        learning=play.learning,
        dealing=count is not None and count.deal,
        failed=count is not None and count.failed,
        entered=count is not None and seat in count.entries,
        places=len(play.stashes[seat]) + SPARE,
        names=play.names,
        name=card.name if card else None,
        challenger=card.challenger if card else NOBODY,
        rivals=play.rivals(seat),
        happening=happening(play),
        asked=play.ask.what if play.ask else None,
        wanted=play.ask.kind if play.ask else None,
        did=card.did if card else (),
        taker=taking.taker if taking else None,
        loser=taking.loser if taking else None,
        theirs=lying(play, taking.loser) if taking else (),
        reserve=piles(play.reserve),
        undo_ask=play.phase == "asking" and seat == play.turn,
        turned=card.turned if card else play.verdict.turned if play.verdict else None,
        winner=play.winner,
        corrections=corrections(play),
        actor=actor(play),
        express=play.setup.express,
        thinking=card.thinking if card else (),
        outcome=meaning(play.verdict, seat) if play.verdict else None,
        waiting=waiting(play) if count else (),
        fuse=play.setup.fuse,
        rival_has_none=card is not None and card.challenger != NOBODY and not play.stashes[card.challenger],
        n=play.seen.n if play.seen else 0,
    )


def screen_view(play: Play) -> ScreenView:
    return ScreenView(
        phase=play.phase,
        seats=play.seats,
        turn=play.turn,
        may_challenge=play.may_challenge(),
        passed=play.card.passed if play.card else (),
        name=play.card.name if play.card else None,
        thinking=play.card.thinking if play.card else (),
        undo_ask=play.phase == "asking",
        learning=play.learning,
        express=play.setup.express,
        corrections=corrections(play),
    )


def choosing(play: Play) -> tuple[Seat, ...]:
    """Who has to choose now; challenges are left out, as the shared screen has its own buttons for them."""
    if play.phase == "challenge":
        return ()
    busy = ("enter", "look_again", "declare", "turning", "effect", "pick", "take")
    return tuple(seat for seat in play.seats if job(play, seat) in busy)
