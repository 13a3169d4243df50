"""Claims: a phone that lost its link asks for its seat. If the table says yes, it gets a new link and the old one dies.

A claim is part of the room, so it survives a crash and every process knows it. It holds the digest of a secret that
only the browser which made it has: nobody else can fetch the link, and nothing stored leads to it.
"""

from __future__ import annotations

import hashlib
from typing import ClassVar, Literal

import msgspec

from companion.engine.room import Claim, Room
from companion.game import TABLE, By, NotAllowed, Say, Seat, Tap

CLAIM_S = 180.0
"""How long a claim waits for an answer, and a granted link for its phone."""
COOL_DOWN_S = 60.0
"""How long after an answer nobody can claim the same seat."""
MAX_OPEN = 10
"""How many open claims a table may have: after a change of network, everybody comes back at the same time."""

Standing = Literal["waiting", "granted", "refused", "gone"]


class AnswerClaim(Tap, frozen=True, tag="AnswerClaim"):
    """Answer a claim: is it really them, on another phone?"""

    by: ClassVar[By] = "anybody"
    seat: Seat
    claim: str
    answer: Literal["yes", "no"]


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()[:32]


def is_open(claim: Claim, room: Room, at: float) -> bool:
    """Whether this claim still waits for an answer."""
    return not claim.answer and at < claim.at + CLAIM_S and claim.seat in room.seats


def open_claims(room: Room, at: float) -> tuple[Claim, ...]:
    return tuple(claim for claim in room.claims if is_open(claim, room, at))


def claim_seat(room: Room, seat: Seat, secret: str, at: float) -> Room:
    """Claim a seat. A seat has one claim at a time, and none right after an answer."""
    if room.phase == "ended":
        raise NotAllowed("This table has ended.")
    room.person(seat)
    still = [one for one in room.claims if at < (one.answered_at + COOL_DOWN_S if one.answer else one.at + CLAIM_S)]
    if any(one.seat == seat for one in still):
        raise NotAllowed(
            "Somebody has just said that they are {name}. Try again in a few minutes, or ask the host.", name=seat
        )
    if len(open_claims(room, at)) >= MAX_OPEN:
        raise NotAllowed("Others are already waiting for an answer. Try again in a minute.")
    return msgspec.structs.replace(room, claims=(*still, Claim(seat, digest(secret), at)))


def answer_claim(room: Room, who: Seat, tap: AnswerClaim, at: float) -> tuple[Room, Say | None]:
    """The host or the shared screen may say yes, but not for their own seat. The seat itself may only say no."""
    may = {TABLE, room.host} - {tap.seat} if tap.answer == "yes" else {TABLE, room.host, tap.seat}
    if who not in may:
        raise NotAllowed("Only the host or the shared screen can do that.")
    claim = next((one for one in room.claims if (one.seat, one.id, one.answer) == (tap.seat, tap.claim, "")), None)
    if claim is None:
        raise NotAllowed("That request is no longer open.")
    if tap.answer == "no":
        return _answered(room, claim, answer="no", answered_at=at), None
    person = room.person(tap.seat)
    if not is_open(claim, room, at):
        raise NotAllowed("That request is too old. Ask them to tap “That's me” again.")
    moved = msgspec.structs.replace(person, generation=person.generation + 1, phone=True, moving=False)
    room = _answered(
        room, claim, answer="yes", answered_at=at, generation=moved.generation, taps=person.taps
    ).with_person(moved)
    return room, Say("{name} is here on another phone.", name=tap.seat)


def withdraw_claim(room: Room, secret: str, at: float) -> Room:
    """The claiming phone gives up."""
    for claim in room.claims:
        if claim.secret == digest(secret) and not claim.answer:
            return _answered(room, claim, answer="no", answered_at=at)
    raise NotAllowed("That request is no longer open.")


def standing(room: Room, secret: str, at: float) -> tuple[Standing, Claim | None]:
    """Return the state of the claim with this secret. Its link is given out until it is used or too old."""
    claim = next((one for one in room.claims if one.secret == digest(secret)), None)
    if claim is None or room.phase == "ended":
        return "gone", None
    if claim.answer == "no":
        return "refused", claim
    if not claim.answer:
        return ("waiting", claim) if is_open(claim, room, at) else ("gone", None)
    fresh = [(one.generation, one.taps) for one in room.here if one.seat == claim.seat]
    if fresh == [(claim.generation, claim.taps)] and at < claim.answered_at + CLAIM_S:
        return "granted", claim
    return "gone", None


def _answered(room: Room, claim: Claim, **changes: object) -> Room:
    answered = msgspec.structs.replace(claim, **changes)
    return msgspec.structs.replace(room, claims=tuple(answered if one is claim else one for one in room.claims))
