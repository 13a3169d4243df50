"""companion play --dev: all screens of a table in one window, and full error messages.

Anybody who can open these pages sees every seat, so such a companion listens on this machine only.
"""

from __future__ import annotations

import re
import secrets
import traceback
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import Blueprint, Flask, abort, redirect, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup, escape
from werkzeug import Request, Response

from companion.engine.lasting import last_setup
from companion.engine.room_rules import Start
from companion.engine.snapshot import Snapshot
from companion.game import TABLE
from companion.games import find_games
from companion.web import Services, render_page, root, services
from companion.web.seat import kept_screens

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")
THIS_MACHINE = re.compile(r"(localhost|[a-z0-9]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?")
STARTED = secrets.token_hex(4)
"""Changes with every start, so that a page notices a restart."""
POLICY = (
    "default-src 'self'; img-src 'self' data:; frame-src 'self' http://*.localhost:* http://127.0.0.1:*; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'self' http://localhost:* http://127.0.0.1:*"
)
"""The usual policy, but our own page on this machine may hold the screens in frames."""


def register(app: Flask, services: Services) -> None:
    """Add the pages for authors, and allow the screens in frames."""
    pages = Blueprint("dev", __name__, url_prefix="/dev")
    app.jinja_env.globals["dev"] = True
    app.wsgi_app = Framed(app.wsgi_app)  # type: ignore[method-assign]

    @pages.before_request
    def refuse_other_names() -> None:
        # A website must not read this page by pointing its own domain name at this machine.
        if not THIS_MACHINE.fullmatch(request.host):
            abort(404)

    @pages.get("/started")
    def started() -> ResponseReturnValue:
        return STARTED, {"Content-Type": "text/plain"}

    @pages.get("/")
    @pages.get("/<token>")
    def side_by_side(token: str | None = None) -> ResponseReturnValue:
        left_out = [(str(wrong), in_full(wrong.__cause__) if wrong.__cause__ else "") for wrong in find_games()[1]]
        now = None if token is None else services.reader.authorize(services.links.read(token))
        return render_page(
            "dev.html", games=services.reader.games.values(), left_out=left_out, tables=own_tables(), this=token,
            frames=frames(now) if now else [], playing=now.game.name if now else "",
        )  # fmt: skip

    @pages.post("/")
    def new_table() -> ResponseReturnValue:
        game = services.reader.games.get(request.form.get("game", ""))
        if game is None:
            abort(404)
        now = services.tables.open(game, last_setup(services.tables.store, game, None))
        players = request.form.get("players", 0, type=int)
        for name in NAMES[: min(max(players, game.players[0]), game.players[1])]:
            services.tables.sit(now.id, name)
        services.tables.act(now.id, TABLE, Start())
        return redirect(f"{root()}/dev/{services.links.sign(now.id, TABLE, 1)}", 303)

    app.register_blueprint(pages)


def own_tables() -> list[tuple[str, Snapshot]]:
    """The tables that this browser has opened, without those whose state can no longer be read."""
    found: dict[str, tuple[str, Snapshot]] = {}
    for token, link in kept_screens():
        try:
            now = services().reader.authorize(link)
        except Exception:  # noqa: S112  the rules have changed since this table
            continue
        found.setdefault(now.id, (token, now))
    return list(found.values())


def frames(now: Snapshot, host: str = "seat{seat}.localhost") -> list[tuple[str, str, str]]:
    """The screens of a table. Each seat has its own host name, and so its own cookies and connections."""
    links = services().links
    port = urlsplit(f"//{request.host}").port or 80
    seats = [(one, links.sign(now.id, one.seat, one.generation)) for one in now.room.here]
    return [
        ("dev-shared", "Shared screen", f"{root()}/x/{links.sign(now.id, TABLE, now.room.screen_generation)}"),
        *(
            ("dev-phone", one.name, f"http://{host.format(seat=one.seat)}:{port}{root()}/s/{token}")
            for one, token in seats
        ),
    ]


class Framed:
    """WSGI middleware that lets our own page put every screen into a frame."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            kept = [one for one in headers if one[0] not in ("Content-Security-Policy", "X-Frame-Options")]
            return start_response(status, [*kept, ("Content-Security-Policy", POLICY)], *more)

        return self._app(environ, start)


# -------------------------------------------------------------------------------- errors


def explain_bug(services: Services, request: Request, error: Exception) -> Response:
    """The reply to a request that met a bug: where it is and, on a full page, the traceback."""
    where = escape(place_of(error))
    if "HX-Request" in request.headers:
        partial = f'<hx-partial hx-target="#message" hx-swap="innerHTML">{where}</hx-partial>'
        return Response(partial, 500, mimetype="text/html")
    files, prefix = services.assets, request.root_path.rstrip("/")
    page = Markup(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>{}</title><link rel="stylesheet" href="{}/{}">'
        '<script src="{}/{}" defer></script><body class="dev"><h1>{}</h1><pre>{}</pre>'
    ).format(where, prefix, files.path("dev.css"), prefix, files.path("dev.js"), where, in_full(error))
    return Response(page, 500, mimetype="text/html")


def place_of(error: Exception) -> str:
    """Return where a bug is: the template that was being drawn, or else the innermost line of code."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {error.msg}"
    passed = traceback.extract_tb(error.__traceback__)
    drawn = [frame for frame in passed if frame.filename.endswith(".html")]
    frame = (drawn or list(passed))[-1]
    line = getattr(error, "lineno", None) or frame.lineno
    return f"{getattr(error, 'filename', None) or frame.filename}, line {line}: {type(error).__name__}: {error}"


def in_full(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))
