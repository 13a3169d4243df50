"""One open screen, a phone's or the shared one: its page, its live stream, its history, its set-up."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import msgspec
from flask import Blueprint, Response, current_app, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug import Response as AnyResponse

from companion.engine.links import WATCHER, BadLink, Link
from companion.engine.next_game import EVENING_S
from companion.engine.reader import PutAway
from companion.engine.room import Scope
from companion.engine.snapshot import Snapshot, as_data
from companion.engine.store import Unreadable
from companion.game import TABLE, NotAllowed, Say
from companion.live.networks import network_of
from companion.live.stream import StreamBody
from companion.web import Services, render_page, root, services
from companion.web.forms import SetupForm, whole_number
from companion.web.i18n import COOKIE, draw_say, set_locale
from companion.web.operate import THIS_MACHINE, called_from
from companion.web.own_regions import Viewer
from companion.web.people import BADGES_BY_NAME, Somebody, people_of, sitting_out
from companion.web.presets import Preset
from companion.web.whereabouts import allow_pictures_from, names_this_machine

pages = Blueprint("seat", __name__)
COOKIE_AGE_S = 360 * 24 * 3600
MAX_KEPT_SCREENS = 24
HISTORY_PAGE_LINES = 100


def read_link(kind: str, token: str) -> tuple[Link, Snapshot]:
    link, now = services().reader.open_link(services().links.read(token), kind)
    if link.seat <= TABLE and now.room.language:
        set_locale(services().languages.get(now.room.language))
    return link, now


def nonce_of_form() -> str:
    """What makes a form that gives out a link count once; nobody else can guess it."""
    return "".join(c for c in request.form.get("nonce", "") if c.isalnum())[:32]


def viewer_of(link: Link) -> Viewer:
    return services().viewer(link, request.environ)


def address_of(link: Link) -> str:
    """The path of a link, as the browser that asks sees it."""
    return services().screens.address(viewer_of(link))


@pages.get("/<any(s, x, w):kind>/<token>")
def page(kind: str, token: str) -> ResponseReturnValue:
    link, now = read_link(kind, token)
    if services().links.read(token).table != now.id:
        return redirect(address_of(link), 303)
    note_phone()
    also = elsewhere()
    reply = allow_pictures_from(Response(screen_page(services(), viewer_of(link), now, also=also)), also)
    remember(reply, link, now, token)
    return reply


@pages.get("/<any(s, x, w):kind>/<token>/live")
def live(kind: str, token: str) -> ResponseReturnValue:
    """The stream of an open screen, as server-sent events."""
    link, _ = read_link(kind, token)
    if request.method == "HEAD":
        return Response(mimetype="text/event-stream")
    hub, address = services().hub, network_of(request.remote_addr)
    services().limits.check_screens(hub.open, hub.open_by_address[address])
    # The page was drawn for the table that its own link names: if people have gone on since, it is told.
    drawn_for = services().links.read(token).table
    body: Any = StreamBody(hub, drawn_for, viewer_of(link), request.args.get("seen", ""), address)
    reply = Response(body, mimetype="text/event-stream", direct_passthrough=True)
    reply.headers["X-Accel-Buffering"] = "no"
    return reply


@pages.get("/<any(s, x, w):kind>/<token>/history")
def history(kind: str, token: str) -> ResponseReturnValue:
    link, now = read_link(kind, token)
    before = request.args.get("before", type=whole_number)
    entries = services().reader.history(now.id, link.seat, before, HISTORY_PAGE_LINES)
    return render_page(
        "history.html", game=now.game, names=now.room.names, entries=entries, here=address_of(link),
        played_as=now.played_as,
        older=entries[-1].version if len(entries) >= HISTORY_PAGE_LINES else None,
    )  # fmt: skip


@pages.route("/<any(s, x):kind>/<token>/setup", methods=["GET", "POST"])
def setup(kind: str, token: str) -> ResponseReturnValue:
    """The host changes the set-up before the start."""
    link, now = read_link(kind, token)
    here = address_of(link)
    if not now.room.is_host(link.seat) or now.room.phase != "gathering":
        return redirect(here, 303)

    def change(setup: msgspec.Struct) -> ResponseReturnValue:
        services().tables.change_setup(now.id, link.seat, setup)
        return redirect(here, 303)

    return answer_setup(SetupForm(now.game, now.room.setup), change, back=here, opening=False)


# -------------------------------------------------------------------------------- how a screen goes out


def answer_setup(
    form: SetupForm,
    use: Callable[[msgspec.Struct], ResponseReturnValue],
    *,
    back: str | None,
    opening: bool,
    presets: Sequence[Preset] = (),
    **more: Any,
) -> ResponseReturnValue:
    """Show the set-up form, or `use` what was typed into it; if that is refused, show it again with the reason."""
    if request.method == "POST":
        try:
            about_the_game = {
                key: value for key, value in request.form.lists() if not str(key).startswith(("who-", "table-"))
            }
            chosen = next((one for one in presets if one.name == request.form.get("who-preset")), None)
            return use(form.read(about_the_game) if chosen is None else chosen.setup)
        except NotAllowed as why:
            form.refusal = why.say
    suggested = as_data(form.game.setup())
    remembered = opening and request.method == "GET" and form.values != suggested
    if remembered and "suggested" in request.args:
        form.values = suggested
    page = render_page(
        "setup.html", game=form.game, fields=form.fields, values=form.values, refusal=form.refusal, back=back,
        opening=opening, remembered=remembered, is_suggested=form.values == suggested, presets=presets,
        may_forget=back is None and scope() is None, **more,
    )  # fmt: skip
    return page, 422 if form.refusal else 200


def own_url() -> str:
    """The beginning of the address that this browser has used."""
    return services().viewer.seen_at(request.scheme, request.host)


def note_phone() -> None:
    """Note the address that this phone has used: it works."""
    if not services().public:
        services().addresses.note_phone(own_url(), request.remote_addr, request.environ.get("SERVER_ADDR"))


def elsewhere(*, by_name: bool = False) -> str:
    """Our other addresses, for a page that may lose this one; behind a proxy there are none."""
    return "" if services().public else services().addresses.others(own_url(), by_name=by_name)


def screen_page(
    services: Services, viewer: Viewer, now: Snapshot, message: Say | None = None, *, also: str = ""
) -> str:
    screen = services.screens.draw(viewer)
    if screen is None:
        raise BadLink
    me = face_of(now, viewer.link)
    return services.renderer.page(
        "phone.html" if viewer.link.kind == "s" else "stage.html",
        root=viewer.root,
        game=now.game,
        played_as=now.played_as,
        code=now.code,
        regions={region.name: region.html.decode() for region in screen.regions},
        version=screen.version,
        seen=screen.mark,
        kind=viewer.link.kind,
        me=me,
        here=services.screens.address(viewer),
        also=also,
        message=draw_say(message, now.room.names) if message else None,
    )


# -------------------------------------------------------------------------------- what a browser remembers


def face_of(now: Snapshot, link: Link) -> Somebody | None:
    """Who sits behind this link, playing or not."""
    everybody = (*people_of(now.room), *sitting_out(now.room))
    return next((somebody for somebody in everybody if somebody.seat == link.seat), None)


def other_screens(now: Snapshot) -> list[str]:
    """The shared screens that this browser has opened for others, newest first."""
    return [token for token, link in kept_screens() if services().reader.follow(link.table) != now.id]


def tonight() -> tuple[Link, Snapshot] | None:
    """The shared screen that this browser has opened this evening, if people have sat down there: the newest one."""
    kept = kept_screens()
    services().reader.catch_up(*(link.table for _, link in kept))
    for _, link in kept:
        with contextlib.suppress(BadLink, Unreadable):
            now = services().reader.authorize(link)
            if now.room.company and services().tables.time() - now.at < EVENING_S:
                return link.at(now.id), now
    return None


def kept_screens() -> list[tuple[str, Link]]:
    """The links of the shared screens that this browser has opened."""
    found = []
    for token in dict.fromkeys(request.cookies.get("screens", "").split("~")[:MAX_KEPT_SCREENS]):
        with contextlib.suppress(BadLink):
            link = services().links.read(token)
            if link.seat == TABLE:
                found.append((token, link))
    return found


def scope() -> Scope:
    """The nights that this browser may know of: on the host's own machine all, elsewhere those it has opened."""
    if not services().public and called_from(THIS_MACHINE) and names_this_machine(request.host):
        return None
    nights = [services().reader.night_of(link.table) for _, link in kept_screens() if still_opens(link)]
    return tuple(dict.fromkeys(night for night in nights if night))


def still_opens(link: Link) -> bool:
    """Whether no newer link has taken the place of this shared screen's one."""
    try:
        services().reader.authorize(link)
    except PutAway:
        return True
    except (BadLink, Unreadable):
        night = services().reader.night_of(link.table)
        return night is not None and services().nights.opens_archived(night, link)
    return True


def remember(reply: AnyResponse, link: Link, now: Snapshot, token: str) -> None:
    """This phone sits there: the table's QR code leads it back to its own seat."""
    if link.seat == WATCHER:
        return
    if link.seat == TABLE:
        set_cookie(reply, "screens", "~".join([token, *other_screens(now)][:MAX_KEPT_SCREENS]), "/")
        return
    set_cookie(reply, f"seat-{now.code}", token, f"/t/{now.code}")
    set_cookie(reply, "last-seat", token, "/t")
    # Name and colour are offered at the next night's table.
    if (me := face_of(now, link)) is not None:
        set_cookie(reply, "player", quote(f"{me.badge}~{me.name}"), "/")


def earlier_seat(now: Snapshot) -> str:
    """The table and seat that this phone still has from earlier this evening, if it is another table."""
    with contextlib.suppress(BadLink, Unreadable):
        link = services().links.read(request.cookies.get("last-seat", ""))
        services().reader.catch_up(link.table)
        earlier = services().reader.authorize(link)
        recent = services().tables.time() - earlier.at < EVENING_S
        if link.seat > TABLE and earlier.id != now.id and recent:
            return f"{earlier.id}.{int(link.seat)}"
    return ""


def set_cookie(reply: AnyResponse, name: str, value: str, path: str) -> None:
    reply.set_cookie(
        name, value, max_age=COOKIE_AGE_S, path=f"{root()}{path}", httponly=True, samesite="Lax",
        secure=request.is_secure and not current_app.debug,
    )  # fmt: skip


@pages.post("/language")
def choose_language() -> ResponseReturnValue:
    """This browser speaks another language from now on; back to the page where it was chosen."""
    came_from = urlsplit(request.referrer or "")
    path = "/" + came_from.path.lstrip("/\\")  # two slashes would lead to another machine
    reply = redirect(path if came_from.netloc == request.host else f"{root()}/", 303)
    if (chosen := request.form.get("language", "")) in services().languages:
        set_cookie(reply, COOKIE, chosen, "/")
    return reply


def remembered_player() -> tuple[str, int | None]:
    """The name and colour that this phone had at its last table."""
    badge, _, name = unquote(request.cookies.get("player", "")).partition("~")
    return name[:60], BADGES_BY_NAME.get(badge)
