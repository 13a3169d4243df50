"""One open screen, a phone's or the shared one: its page, its taps, its live stream, its history."""

from __future__ import annotations

import contextlib
from typing import Any
from urllib.parse import quote, unquote

from flask import Blueprint, Response, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.engine.game import TABLE, NotAllowed, Say, Tap
from companion.engine.links import WATCHER, BadLink, Link
from companion.engine.present import Present
from companion.engine.screen import Screen
from companion.engine.table import Tables
from companion.web import parts
from companion.web.forms import fields_of, read_setup, read_tap, typed
from companion.web.people import BADGES, people_of
from companion.web.pieces import Viewer
from companion.web.screens import as_reply
from companion.web.stream import Live
from companion.web.words import draw_say

pages = Blueprint("seat", __name__)
A_MONTH = 30 * 24 * 3600
A_YEAR = 12 * A_MONTH
SCREENS_KEPT = 24
HISTORY_PAGE = 100


def viewer_of(link: Link) -> Viewer:
    return parts().viewer(link, request.environ)


def read_door(door: str, token: str) -> tuple[Link, Present]:
    """The link behind a door and the table it opens now; a link only fits its own door."""
    link = parts().links.read(token)
    if door != link.door:
        raise BadLink
    parts().tables.catch_up(link.table)
    now = parts().tables.admit(link)
    return link.at(now.id), now


def same_table(token: str, now: Present) -> None:
    """A form that was drawn for an earlier table of the night taps nothing at this one."""
    if parts().links.read(token).table != now.id:
        raise NotAllowed("That belonged to the game before. This is the one you are at now.")


@pages.get("/<any(s, x, w):door>/<token>")
def page(door: str, token: str) -> ResponseReturnValue:
    link, now = read_door(door, token)
    if parts().links.read(token).table != now.id:
        return redirect(parts().screens.address(viewer_of(link)), 303)
    now = tables().arrive(link)
    reply = Response(draw_page(link, now))
    remember(reply, link, now, token)
    return reply


@pages.post("/<any(s, x):door>/<token>")
def tap(door: str, token: str) -> ResponseReturnValue:
    link, now = read_door(door, token)
    try:
        same_table(token, now)
        what, tap_id = read_tap(now.game, request.form.to_dict(flat=False))
        tables().act(link.table, link.seat, what, tap_id, link)
    except NotAllowed as refusal:
        return answer(link, refusal.say)
    return answer(link, tap=what)


@pages.get("/<any(s, x, w):door>/<token>/live")
def live(door: str, token: str) -> ResponseReturnValue:
    link, _ = read_door(door, token)
    if request.method == "HEAD":
        return Response(mimetype="text/event-stream")
    address = request.remote_addr or ""
    parts().limits.room_for_screen(parts().hub.open, parts().hub.addresses[address])
    # The page was drawn for the table that its own link names: if people have gone on since, it is told.
    drawn_for = parts().links.read(token).table
    stream: Any = Live(parts().hub, drawn_for, viewer_of(link), request.args.get("seen", ""), address)
    reply = Response(stream, mimetype="text/event-stream", direct_passthrough=True)
    reply.headers["X-Accel-Buffering"] = "no"
    return reply


@pages.get("/<any(s, x, w):door>/<token>/history")
def history(door: str, token: str) -> ResponseReturnValue:
    link, now = read_door(door, token)
    before = request.args.get("before", type=int)
    told = tables().history(now.id, link.seat, before, HISTORY_PAGE)
    older = told[-1].version if len(told) >= HISTORY_PAGE else None
    return render_template(
        "history.html",
        game=now.game,
        names=now.room.names,
        lines=told,
        here=parts().screens.address(viewer_of(link)),
        older=older,
    )


@pages.route("/<any(s, x):door>/<token>/setup", methods=["GET", "POST"])
def setup(door: str, token: str) -> ResponseReturnValue:
    """The host changes the set-up before the start."""
    link, now = read_door(door, token)
    here = parts().screens.address(viewer_of(link))
    if not now.room.is_host(link.seat) or now.room.phase != "gathering":
        return redirect(here, 303)
    refusal = None
    if request.method == "POST":
        try:
            tables().change_setup(now.id, link.seat, read_setup(now.game, request.form.to_dict(flat=False)))
            return redirect(here, 303)
        except NotAllowed as why:
            refusal = why.say
    page = render_template(
        "setup.html", game=now.game, fields=fields_of(now.game.setup), back=here, refusal=refusal,
        values=typed(request.form.to_dict(flat=False)) if refusal else now.room.setup, opening=False,
    )  # fmt: skip
    return page, 422 if refusal else 200


# -------------------------------------------------------------------------------- how a screen goes out


def tables() -> Tables:
    return parts().tables


def draw_page(link: Link, now: Present, message: Say | None = None) -> str:
    viewer = viewer_of(link)
    screen = parts().screens.draw(viewer)
    if screen is None:
        raise BadLink
    return render_template(
        "screen.html",
        game=now.game,
        code=now.code,
        regions=screen.regions,
        version=screen.version,
        seen=screen.mark,
        door=link.door,
        me=now.room.names.get(link.seat),
        here=parts().screens.address(viewer),
        message=draw_say(message, now.room.names) if message else None,
    )


def answer(link: Link, refusal: Say | None = None, tap: Tap | None = None) -> ResponseReturnValue:
    """After a tap: the present screen and, if it was refused, why. Without scripts, the page anew."""
    now = tables().admit(link)
    status = 422 if refusal else 200
    if "HX-Request" in request.headers:
        screen = parts().screens.draw(viewer_of(link))
        if screen is None:
            raise BadLink
        return swap(screen, draw_say(refusal, now.room.names) if refusal else "", tap), status
    if refusal:
        return Response(draw_page(link, now, refusal), status)
    return redirect(parts().screens.address(viewer_of(link)), 303)


def swap(screen: Screen, message: str, tap: Tap | None = None) -> Response:
    """The regions of a screen as a reply that changes them in place."""
    reply = Response(as_reply(screen, message, tap))
    reply.headers["Companion-Version"] = str(screen.version)
    return reply


def other_nights(now: Present) -> list[str]:
    """The shared screens that this browser has opened on other nights, newest first."""
    return [kept for kept, link in kept_screens() if tables().night_of(link.table) != now.night]


def kept_screens() -> list[tuple[str, Link]]:
    """The links of the shared screens that this browser has opened."""
    found = []
    for token in request.cookies.get("screens", "").split("~"):
        with contextlib.suppress(BadLink):
            link = parts().links.read(token)
            if link.seat == TABLE:
                found.append((token, link))
    return found


def remember(reply: Response, link: Link, now: Present, token: str) -> None:
    """This phone sits there: the table's QR code leads it back to its own seat."""
    if link.seat == WATCHER:
        return
    path = f"{request.root_path.rstrip('/')}/"
    if link.seat == TABLE:
        name, value = "screens", "~".join([token, *other_nights(now)][:SCREENS_KEPT])
    else:
        name, value, path = f"seat-{now.code}", token, f"{path}t/{now.code}"
        introduce(reply, now, link)
    reply.set_cookie(
        name, value, max_age=A_YEAR, path=path, httponly=True, samesite="Lax",
        secure=request.is_secure and not current_app.debug,
    )  # fmt: skip


def introduce(reply: Response, now: Present, link: Link) -> None:
    """This phone knows its player's name and colour, and offers them at the next night's table."""
    me = next(somebody for somebody in people_of(now.room) if somebody.seat == link.seat)
    reply.set_cookie(
        "player", quote(f"{me.badge}~{me.name}"), max_age=A_YEAR, path=f"{request.root_path.rstrip('/')}/",
        httponly=True, samesite="Lax", secure=request.is_secure and not current_app.debug,
    )  # fmt: skip


def introduced() -> tuple[str, int | None]:
    """The name and colour that this phone had at its last table."""
    badge, _, name = unquote(request.cookies.get("player", "")).partition("~")
    known = int(badge) if badge.isascii() and badge.isdigit() and int(badge) < BADGES else None
    return name[:60], known
