"""The headers of every reply, and the pages about what went wrong."""

from __future__ import annotations

import gzip
import logging
import re

from flask import Flask
from flask import request as flask_request
from markupsafe import Markup
from werkzeug import Request, Response
from werkzeug.exceptions import HTTPException

from companion.engine.links import BadLink
from companion.engine.reader import NoSuchTable, PutAway
from companion.engine.store import StoreTrouble, Unreadable
from companion.game import NotAllowed, Say
from companion.web import Services
from companion.web.i18n import draw_say
from companion.web.limits import LimitReached, TooOften

log = logging.getLogger("companion")

HEADERS = {
    # `data:` is for the shapes of the badges, which companion.css holds.
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    # An address is a key: nobody else is told. To say nothing at all would hide from us which page a form is from.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


STATUS = {
    "not_allowed": 422, "bad_link": 403, "put_away": 403, "not_found": 404, "too_often": 429, "store_trouble": 503,
    "table_unreadable": 410, "bug": 500,
}  # fmt: skip
LIMIT_STATUS = {"tables": 503, "tables_per_address": 429, "screens": 503, "screens_per_address": 429, "taps": 429}
HTTP_PROBLEMS = {
    403: "bad_link", 404: "not_found", 405: "wrong_method", 413: "body_too_large", 414: "address_too_long",
    429: "too_often", 431: "head_too_large",
}  # fmt: skip
"""`templates/_problems.html` has the words for each of these problems."""
MAX_COMPRESSED_BYTES = 256 * 1024
RETRY_AFTER_S = {429: "60", 503: "10"}
"""For machines; a person reads the sentence."""


def answer_error(services: Services, request: Request, error: Exception) -> Response:
    """The reply to a request that ended in this error; what is our fault is logged."""
    sentence = None
    match error:
        case HTTPException():
            return problem_reply(services, request, error.code or 500)
        case LimitReached():
            log.warning("a limit of this installation is reached", extra={"about": {"limit": error.limit}})
            services.metrics.limit_reached(error.limit)
            return problem_reply(services, request, LIMIT_STATUS[error.limit], error.limit)
        case NotAllowed():
            problem, sentence = "not_allowed", draw_say(error.say, {})
        case PutAway():
            command = f"companion tables restore {error.code}"
            say = Say("The person who runs this companion can bring it back: {command}", command=command)
            problem, sentence = "put_away", draw_say(say, {})
        case BadLink():
            problem = "bad_link"
        case NoSuchTable():
            problem = "not_found"
        case Unreadable():
            problem = "table_unreadable"
            log.error("a table cannot be opened: %s", error)
        case TooOften():
            problem = "too_often"
            services.metrics.limit_reached("tries")
        case StoreTrouble():
            problem = "store_trouble"
            log.error("the store cannot write")
        case _:
            problem = "bug"
            log.error("a bug, not a refusal", exc_info=error)
            if services.explain_bug is not None:
                return services.explain_bug(services, request, error)
    return problem_reply(services, request, STATUS[problem], problem, sentence)


def problem_reply(
    services: Services, request: Request, status: int, problem: str = "", sentence: Markup | None = None
) -> Response:
    """A page about what went wrong; for a tap the sentence alone, or an order to reload if its link is dead."""
    headers = {"Retry-After": RETRY_AFTER_S[status]} if status in RETRY_AFTER_S else {}
    problem = problem or HTTP_PROBLEMS.get(status) or ("unreadable" if status < 500 else "bug")
    if "HX-Request" in request.headers and problem in ("bad_link", "not_found"):
        return Response(status=status, headers={"HX-Refresh": "true"})
    template = "_problem.html" if "HX-Request" in request.headers else "error.html"
    root = request.root_path.rstrip("/")
    # The night of a table that cannot be opened is still open to its shared screen.
    shared_screen = re.match(r"/x/[^/]+", request.path) if problem == "table_unreadable" else None
    night = f"{shared_screen.group()}/night" if shared_screen else None
    page = services.renderer.page(template, root=root, problem=problem, sentence=sentence, night=night)
    return Response(page, status, headers, mimetype="text/html")


def problem_bytes(services: Services, status: int) -> bytes:
    """A whole HTTP reply to something that is no request."""
    reply = with_headers(problem_reply(services, Request.from_values(), status))
    head = [f"HTTP/1.1 {reply.status}", *(f"{name}: {value}" for name, value in reply.headers), "Connection: close"]
    return "\r\n".join([*head, "", ""]).encode() + reply.get_data()


def register(app: Flask, services: Services) -> None:
    """Answer every error of a route with a page, and give every reply its headers."""

    @app.errorhandler(Exception)
    def error_page(error: Exception) -> Response:
        return answer_error(services, flask_request, error)

    @app.after_request
    def finish(reply: Response) -> Response:
        return compress(with_headers(reply))


def with_headers(reply: Response) -> Response:
    for name, value in HEADERS.items():
        reply.headers.setdefault(name, value)
    return reply


def compress(reply: Response) -> Response:
    """Compress whole pages. Replies to taps are not: a compressed size would depend on what they say."""
    if (
        flask_request.method == "GET"
        and reply.mimetype == "text/html"
        and "gzip" in flask_request.headers.get("Accept-Encoding", "")
        and "HX-Request" not in flask_request.headers
        and not reply.is_streamed
        # To compress a long page takes longer than to send it, and holds up everybody.
        and len(reply.get_data()) <= MAX_COMPRESSED_BYTES
    ):
        reply.set_data(gzip.compress(reply.get_data(), 6, mtime=0))
        reply.headers["Content-Encoding"] = "gzip"
        reply.headers["Vary"] = "Accept-Encoding"
    return reply
