""" "That's me": a phone that has lost its link asks for its seat, and waits until the table says yes.

A phone gets here with the table's signed QR code, or with its code; a guessed code is counted as any guess is.
"""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.apply import change_room
from companion.engine.claims import claim_seat, digest, standing, withdraw_claim
from companion.engine.links import Link
from companion.engine.snapshot import Snapshot
from companion.game import TABLE, NotAllowed, Seat
from companion.web import render_page, root, services
from companion.web.forms import whole_number
from companion.web.lobby import draw_join, find_table
from companion.web.people import people_of
from companion.web.seat import address_of, nonce_of_form, remember

pages = Blueprint("claims", __name__)
SECRET_LENGTH = 32
REFRESH_S = "4"


@pages.post("/t/<code>/claim")
def claim(code: str) -> ResponseReturnValue:
    """Claim a seat. The secret is the nonce of the form: sent twice, it is the same claim."""
    now, proof = find_table(code)
    services().limits.count("claim", request.remote_addr)
    secret = nonce_of_form()
    try:
        if len(secret) < SECRET_LENGTH:
            raise NotAllowed("We can't read that form. Reload the page and try again.")
        seat = Seat(request.form.get("seat", 0, type=whole_number))
        tables = services().tables

        def change(now: Snapshot) -> Snapshot:
            at = tables.time()
            return change_room(now, claim_seat(now.room, seat, secret, at), None, who=TABLE, at=at)

        tables.commit(now.id, f"claim.{digest(secret)}", change)
    except NotAllowed as why:
        return draw_join(now, proof, refusal=why.say), 422
    return redirect(waiting_at(now.code, secret, proof), 303)


def waiting_at(code: str, secret: str, proof: str) -> str:
    return f"{root()}/t/{code}/claim/{secret}" + (f"?k={proof}" if proof else "")


@pages.route("/t/<code>/claim/<secret>", methods=["GET", "POST"])
def wait(code: str, secret: str) -> ResponseReturnValue:
    """Wait for the answer. The page reloads by itself. Only "Cancel" changes anything."""
    now, proof = find_table(code)
    tables = services().tables
    if request.method == "POST":

        def change(now: Snapshot) -> Snapshot:
            at = tables.time()
            return change_room(now, withdraw_claim(now.room, secret, at), None, who=TABLE, at=at)

        tables.commit(now.id, f"withdraw.{digest(secret)}", change)
        return redirect(f"{root()}/t/{now.code}" + (f"?k={proof}" if proof else ""), 303)
    how, made = standing(now.room, secret, tables.time())
    if how == "granted" and made is not None:
        link = Link(now.id, made.seat, made.generation)
        reply = Response(status=303, headers={"Location": address_of(link)})
        remember(reply, link, now, services().links.sign(link.table, link.seat, link.generation))
        return reply
    person = next((one for one in people_of(now.room) if made and one.seat == made.seat), None)
    page = render_page(
        "claim.html", game=now.game, played_as=now.played_as, code=now.code, proof=proof, how=how, person=person,
        word=made.word if made else "", here=waiting_at(now.code, secret, proof),
    )  # fmt: skip
    return page, 200, {"Refresh": REFRESH_S} if how == "waiting" else {}
