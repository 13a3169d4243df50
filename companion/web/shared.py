"""The shared screen's own pages: handing it from person to person, and what to do if phones can't connect."""

from __future__ import annotations

import secrets

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug import Request, Response
from werkzeug.routing import BaseConverter

from companion.engine.links import BadLink
from companion.engine.reader import PutAway
from companion.engine.room import Person
from companion.engine.snapshot import Snapshot
from companion.game import NotAllowed, Say, Seat
from companion.web import Address, Services, qr, render_page, services
from companion.web.i18n import draw_say, gettext
from companion.web.own_regions import Viewer
from companion.web.people import people_of
from companion.web.seat import address_of, nonce_of_form, read_link, viewer_of

pages = Blueprint("shared", __name__)


class SeatConverter(BaseConverter):
    """A seat in a path: as many digits as in a form."""

    regex = "[0-9]{1,5}"

    def to_python(self, value: str) -> Seat:
        return Seat(value)


def without_phone(now: Snapshot, seat: Seat) -> Person:
    """The shared screen never opens a seat that has a phone."""
    person = now.room.person(seat)
    if person.phone:
        raise NotAllowed("{name} has a phone. That seat only opens there.", name=person.seat)
    return person


@pages.get("/x/<token>/pass")
def hand_on(token: str) -> ResponseReturnValue:
    """Hand the screen to the next person who has to choose. Where that is secret, people say who they are."""
    link, now = read_link("x", token)
    where = next_hand(now, address_of(link), held_by(request))
    if "/pass?" not in where:
        return redirect(where, 303)
    return cover_reply(services(), request, viewer_of(link), now, None)


@pages.get("/x/<token>/pass/<seat:seat>")
def cover(token: str, seat: Seat) -> ResponseReturnValue:
    """Nothing but who is to take the screen now."""
    link, now = read_link("x", token)
    without_phone(now, seat)
    return cover_reply(services(), request, viewer_of(link), now, seat)


@pages.post("/x/<token>/pass/<seat:seat>")
def uncover(token: str, seat: Seat) -> ResponseReturnValue:
    """ "I'm Ann". A cover drawn before the last tap on this screen opens nothing: Back shows no secret."""
    link, now = read_link("x", token)
    person = without_phone(now, seat)
    fresh = request.form.get("taps") == str(taps_in_hand(now))
    return cover_reply(services(), request, viewer_of(link), now, person.seat, is_open=fresh)


@pages.get("/x/<token>/seat/<seat:seat>")
def reload(token: str, seat: Seat) -> ResponseReturnValue:
    """A page that answered a tap was loaded again: show the cover."""
    link, _ = read_link("x", token)
    return redirect(f"{address_of(link)}/pass/{seat}", 303)


def after_tap(
    services: Services, request: Request, viewer: Viewer, before: Snapshot, now: Snapshot, seat: Seat
) -> Response:
    """Cover the screen for the next person who has to choose; go back to it when all have chosen."""
    was_choosing, is_choosing = choosing(before), choosing(now)
    if is_choosing == was_choosing and seat in is_choosing:
        return cover_reply(services, request, viewer, now, seat, is_open=True)  # the choice has another step
    here = services.screens.address(viewer)
    if is_choosing != was_choosing - {seat}:
        return go_to(request, here)  # what follows is for everybody to see
    return go_to(request, next_hand(now, here, (*held_by(request), seat)))


def choosing(now: Snapshot) -> set[Seat]:
    return set() if now.state is None else set(now.game.choosing(now.state))


def hands(now: Snapshot) -> list[Seat]:
    """Seats that are offered the shared screen, clockwise."""
    offered = () if now.state is None else now.game.offered(now.state)
    return [person.seat for person in now.room.here if not person.phone and person.seat in offered]


def held_by(request: Request) -> tuple[Seat, ...]:
    """Who has held the screen since it left the table: everybody saw that, so it may stand in the address."""
    return tuple(Seat(part) for part in request.args.get("held", "")[:300].split("-") if part.isdecimal())


def in_turn(now: Snapshot, held: tuple[Seat, ...]) -> list[Seat]:
    """Who is offered the screen and has not held it yet, clockwise from the last holder."""
    seats, last = now.room.seats, held[-1] if held else None
    first = seats.index(last) if last in seats else -1
    waiting = [seat for seat in hands(now) if seat not in held]
    return sorted(waiting, key=lambda seat: (seats.index(seat) - first - 1) % len(seats))


def next_hand(now: Snapshot, here: str, held: tuple[Seat, ...]) -> str:
    """Where the screen goes now: to the next who has not chosen, or back to the table.

    Where it is nobody's business who has chosen, nobody is named: the screen goes to each who has not held it yet.
    """
    if not (waiting := in_turn(now, held if now.game.taking_part else held[-1:])):
        return here
    if now.game.taking_part:
        return f"{here}/pass?held={'-'.join(str(int(seat)) for seat in held)}"
    return f"{here}/pass/{int(waiting[0])}"


def taps_in_hand(now: Snapshot) -> int:
    """How often this screen was tapped in anybody's hand. Whose taps they were, nobody reads from it."""
    return sum(person.taps for person in now.room.people if not person.phone)


def go_to(request: Request, where: str) -> Response:
    if "HX-Request" in request.headers:
        return Response(headers={"HX-Redirect": where}, mimetype="text/html")
    return redirect(where, 303)


def cover_reply(
    services: Services,
    request: Request,
    viewer: Viewer,
    now: Snapshot,
    seat: Seat | None,
    *,
    is_open: bool = False,
    refusal: Say | None = None,
) -> Response:
    """The shared screen from hand to hand: covered for one person or for anybody, or open with somebody's own part."""
    people, held = {person.seat: person for person in people_of(now.room)}, held_by(request)
    if seat is not None and seat not in people:
        raise NotAllowed("Nobody sits there any more.")
    here, query = services.screens.address(viewer), f"?{request.query_string.decode()}" if held else ""
    # The phone may have come while this was on its way.
    shows = seat is not None and is_open and not people[seat].phone
    onward = now.game.taking_part and seat is not None and seat not in choosing(now)
    content = services.renderer.page(
        "_pass.html",
        person=people[seat] if seat is not None else None,
        people=[people[one] for one in hands(now)],
        turn=next(iter(in_turn(now, held)), None),
        taps=taps_in_hand(now),
        here=here,
        query=query,
        you=services.screens.you(now, viewer, passed_to=seat, query=query) if seat is not None and shows else None,
        onward=next_hand(now, here, (*held, seat)) if onward and seat is not None else None,
    )
    message = draw_say(refusal, now.room.names) if refusal else ""
    status = 422 if refusal else 200
    if "HX-Request" in request.headers:
        body = (
            f'<hx-partial hx-target="#pass" hx-swap="innerHTML">{content}</hx-partial>'
            f'<hx-partial hx-target="#message" hx-swap="innerHTML">{message}</hx-partial>'
        )
    else:
        body = services.renderer.page("pass.html", root=viewer.root, game=now.game, content=content, message=message)
    return Response(body, status, mimetype="text/html")


@pages.route("/x/<token>/renew", methods=["GET", "POST"])
def renew(token: str) -> ResponseReturnValue:
    """A new link for this screen. Only the page that has asked for it, and knows its nonce, is led there."""
    if request.method == "POST":
        link = services().links.read(token)
        if link.kind != "x" or not (nonce := nonce_of_form()):
            raise BadLink
        services().reader.catch_up(link.table)
        try:
            services().reader.authorize(link)
        except PutAway:
            raise
        except BadLink:
            pass  # this form may have been sent before, and its link may be dead by that
        return redirect(address_of(services().tables.renew_screen(link, nonce)), 303)
    link, now = read_link("x", token)
    return render_page("renew.html", game=now.game, here=address_of(link), nonce=secrets.token_hex(16))


@pages.route("/x/<token>/phones", methods=["GET", "POST"])
def phones(token: str) -> ResponseReturnValue:
    """Phones can't connect? Every address of this machine, the usual causes, and the Wi-Fi as a QR code."""
    link, now = read_link("x", token)
    viewer = viewer_of(link)
    name = request.form.get("name", "").strip()[:64]
    join = f"/t/{now.code}?k={services().links.sign_join(now.code)}"

    def code_for(address: Address) -> Markup:
        return qr.svg(f"{address.url}{viewer.root}{join}", gettext("QR code for %(address)s", address=address.url))

    wifi = qr.wifi(name, request.form.get("password", "")[:64])
    label = gettext("QR code: scan it to join the Wi-Fi")
    return render_page(
        "phones.html",
        game=now.game,
        here=services().screens.address(viewer),
        addresses=[(address, code_for(address)) for address in services().addresses()],
        wifi_name=name,
        wifi_qr=services().costly.compute("wifi", qr.svg, wifi, label) if name else None,
    )
