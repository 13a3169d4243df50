"""The shared screen's own pages: passing it from hand to hand, and what to do if phones can't connect."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.engine.game import NotAllowed, Say, Seat
from companion.engine.links import Link
from companion.engine.present import Present
from companion.engine.room import Person
from companion.web import parts, qr
from companion.web.forms import read_tap
from companion.web.people import people_of
from companion.web.seat import read_door, same_table, viewer_of
from companion.web.words import draw_say, gettext

pages = Blueprint("shared", __name__)


def without_phone(now: Present, seat: int) -> Person:
    """The shared screen never opens a seat that has a phone."""
    person = now.room.person(Seat(seat))
    if person.phone:
        raise NotAllowed("{name} has a phone: that seat opens only there.", name=person.seat)
    return person


@pages.get("/x/<token>/pass/<int:seat>")
def cover(token: str, seat: int) -> ResponseReturnValue:
    """Nothing but whose turn it is to take the screen."""
    link, now = read_door("x", token)
    without_phone(now, seat)
    return draw(link, now, Seat(seat))


@pages.post("/x/<token>/pass/<int:seat>")
def uncover(token: str, seat: int) -> ResponseReturnValue:
    """ "I am Ann". A cover drawn before Ann's last tap opens nothing: Back shows no secret."""
    link, now = read_door("x", token)
    person = without_phone(now, seat)
    fresh = request.form.get("taps") == str(person.taps)
    return draw(link, now, person.seat, is_open=fresh)


@pages.post("/x/<token>/seat/<int:seat>")
def tap(token: str, seat: int) -> ResponseReturnValue:
    """Somebody without a phone taps; then the cover falls again."""
    link, now = read_door("x", token)
    person = without_phone(now, seat)
    before = choosing(now)
    try:
        same_table(token, now)
        what, tap_id = read_tap(now.game, request.form.to_dict(flat=False))
        now = parts().tables.act(
            link.table, person.seat, what, tap_id, still=lambda now: without_phone(now, person.seat)
        )
    except NotAllowed as refusal:
        return draw(link, parts().tables.admit(link), person.seat, is_open=True, refusal=refusal.say)
    after = choosing(now)
    if after == before and person.seat in after:
        return draw(link, now, person.seat, is_open=True)  # the choice has another step
    here = parts().screens.address(viewer_of(link))
    following = next_hand(now, person.seat)
    if following is None or after != before - {person.seat}:
        return go(here)  # all have chosen: what follows is for everybody to see
    if "HX-Request" in request.headers:
        return draw(link, now, following)
    return go(f"{here}/pass/{int(following)}")


def choosing(now: Present) -> set[Seat]:
    return set() if now.state is None else set(now.game.choosing(now.state))


def next_hand(now: Present, seat: Seat) -> Seat | None:
    """Who gets the screen after this seat: the next one clockwise without a phone."""
    offered = () if now.state is None else now.game.offered(now.state)
    hands = [other.seat for other in now.room.here if not other.phone and other.seat in offered]
    later = [other for other in hands if now.room.seats.index(other) > now.room.seats.index(seat)]
    if not later and now.game.asked is not None:
        return None  # once around: to go on would say whom it still waits for
    return next(iter(later or hands), None)


@pages.get("/x/<token>/seat/<int:seat>")
def again(token: str, seat: int) -> ResponseReturnValue:
    link, _ = read_door("x", token)
    return redirect(f"{parts().screens.address(viewer_of(link))}/pass/{seat}", 303)


def go(where: str) -> ResponseReturnValue:
    if "HX-Request" in request.headers:
        return Response(headers={"HX-Redirect": where})
    return redirect(where, 303)


def draw(
    link: Link, now: Present, seat: Seat, *, is_open: bool = False, refusal: Say | None = None
) -> ResponseReturnValue:
    viewer = viewer_of(link)
    person = next(somebody for somebody in people_of(now.room) if somebody.seat == seat)
    content = render_template(
        "_pass.html",
        person=person,
        taps=now.room.taps_of(seat),
        here=parts().screens.address(viewer),
        # The phone may have come while this was on its way.
        you=parts().screens.you(now, viewer, passed_to=seat) if is_open and not person.phone else None,
        onward=next_hand(now, seat) if now.game.asked and seat not in choosing(now) else None,
    )
    message = draw_say(refusal, now.room.names) if refusal else ""
    status = 422 if refusal else 200
    if "HX-Request" in request.headers:
        return Response(
            f'<hx-partial hx-target="#pass" hx-swap="innerHTML">{content}</hx-partial>'
            f'<hx-partial hx-target="#message" hx-swap="innerHTML">{message}</hx-partial>',
            status,
        )
    return Response(render_template("pass.html", game=now.game, content=content, message=message), status)


@pages.route("/x/<token>/phones", methods=["GET", "POST"])
def phones(token: str) -> ResponseReturnValue:
    """Phones can't connect? Every address of this machine, the usual causes, and the Wi-Fi as a QR code."""
    link, now = read_door("x", token)
    viewer = viewer_of(link)
    name = request.form.get("name", "").strip()[:64]
    join = f"/t/{now.code}?k={parts().links.sign_join(now.code)}"
    return render_template(
        "phones.html",
        game=now.game,
        here=parts().screens.address(viewer),
        ways=[
            (way, qr.svg(f"{way.url}{viewer.root}{join}", gettext("QR code for %(address)s", address=way.url)))
            for way in parts().ways()
        ],
        wifi_name=name,
        wifi_qr=qr.svg(qr.wifi(name, request.form.get("password", "")[:64]), gettext("QR code: joins the Wi-Fi"))
        if name
        else None,
    )
