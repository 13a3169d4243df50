"""What goes out with every reply, and pages for what went wrong that a person understands."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Sequence
from typing import Any

from flask import Flask, Response, render_template, request
from flask_babel import lazy_gettext as _l
from markupsafe import escape
from werkzeug.exceptions import HTTPException

from companion.engine.finding import NoSuchTable
from companion.engine.game import NotAllowed
from companion.engine.links import BadLink
from companion.engine.store import StoreTrouble
from companion.web import parts
from companion.web.limits import NoRoom, TooOften
from companion.web.words import draw_say

log = logging.getLogger("companion")

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
WORDS = {
    400: (_l("That did not come through"), _l("Please go back and try again.")),
    403: (
        _l("This link does not open anything here"),
        _l(
            "It may have been copied incompletely, it may belong to another companion, or the seat has moved to "
            "another phone. Scan the code on the shared screen, or ask the host to show your seat's code."
        ),
    ),
    404: (
        _l("Nothing here"),
        _l("If you typed a table's code, check it on the shared screen; a table that has ended takes nobody in."),
    ),
    405: (_l("That does not work like this"), _l("Please go back and use the buttons of the page.")),
    413: (_l("That was too much"), _l("The form was far larger than it should be. Nothing was changed.")),
    414: (_l("That was too much"), _l("The address was far longer than it should be. Scan the code once more.")),
    422: (_l("That is not possible"), _l("Nothing was changed.")),
    429: (_l("A short break, please"), _l("Too many tries from this device. Wait a minute, then try again.")),
    431: (
        _l("That was too much"),
        _l(
            "Your browser sent far more than it should. Delete its cookies for this site, then scan the code once more."
        ),
    ),
    500: (_l("Something broke on our side"), _l("Nothing you did was lost, and the table goes on. Please try again.")),
    503: (
        _l("The table cannot be kept right now"),
        _l("The disk may be full, or the database away. Nothing was changed; please try again."),
    ),
}
NO_ROOM = {
    "tables": (
        503,
        _l("All tables are taken"),
        _l("This companion has opened as many tables today as it may. Ask whoever runs it, or come back tomorrow."),
    ),
    "screens": (
        503,
        _l("Not live just now"),
        _l("So many screens are open that this one is not kept up to date by itself. Your taps count all the same."),
    ),
    "screens_per_address": (
        429,
        _l("Not live just now"),
        _l(
            "So many screens are open on your network that this one is not kept up to date by itself. "
            "Your taps count all the same."
        ),
    ),
}
RETRY_AFTER = {429: "60", 503: "10"}
"""Seconds; for machines. A person reads the sentence."""


def answer_errors(app: Flask) -> None:
    """Register the pages for everything that can go wrong, and the headers of every reply."""

    @app.errorhandler(BadLink)
    def bad_link(_: BadLink) -> Response:
        return trouble(403)

    @app.errorhandler(NoSuchTable)
    def no_table(_: NoSuchTable) -> Response:
        return trouble(404)

    @app.errorhandler(TooOften)
    def too_often(_: TooOften) -> Response:
        parts().meter.turned_away("tries")
        return trouble(429)

    @app.errorhandler(NoRoom)
    def no_room(full: NoRoom) -> Response:
        if parts().meter.turned_away(full.limit) % 1_000 == 1:
            log.warning("a limit of this installation is reached", extra={"about": {"limit": full.limit}})
        status, *words = NO_ROOM[full.limit]
        return trouble(status, words=words)

    @app.errorhandler(NotAllowed)
    def not_allowed(refusal: NotAllowed) -> Response:
        return trouble(422, str(draw_say(refusal.say, {})))

    @app.errorhandler(StoreTrouble)
    def store_trouble(_: StoreTrouble) -> Response:
        log.error("the store cannot write")
        return trouble(503)

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        return trouble(error.code or 500)

    @app.errorhandler(Exception)
    def bug(error: Exception) -> Response:
        log.error("a bug, not a refusal", exc_info=error)
        return trouble(500)

    @app.after_request
    def headers(reply: Response) -> Response:
        reply.headers.extend(HEADERS)
        if "Cache-Control" not in reply.headers:
            reply.headers.add("Cache-Control", "no-store")
        return squeeze(reply)


def trouble(status: int, sentence: str | None = None, words: Sequence[Any] | None = None) -> Response:
    """A page about what went wrong; for a tap, the sentence alone, or the page anew if the link is dead."""
    title, text = words or WORDS.get(status, WORDS[400 if status < 500 else 500])
    again = {"Retry-After": RETRY_AFTER[status]} if status in RETRY_AFTER else {}
    if "HX-Request" in request.headers:
        if status in (403, 404):
            return Response(status=status, headers={"HX-Refresh": "true"})
        message = sentence or f"{escape(title)}. {escape(text)}"
        return Response(f'<hx-partial hx-target="#message" hx-swap="innerHTML">{message}</hx-partial>', status, again)
    page = render_template("error.html", title=title, text=text, sentence=sentence, status=status)
    return Response(page, status, again)


def squeeze(reply: Response) -> Response:
    """Whole pages go out compressed; replies to taps do not, so that their size tells nothing."""
    if (
        request.method == "GET"
        and reply.mimetype == "text/html"
        and "gzip" in request.headers.get("Accept-Encoding", "")
        and "HX-Request" not in request.headers
        and not reply.is_streamed
    ):
        reply.set_data(gzip.compress(reply.get_data(), 6, mtime=0))
        reply.headers["Content-Encoding"] = "gzip"
        reply.headers["Vary"] = "Accept-Encoding"
    return reply
