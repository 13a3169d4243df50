"""Most requests are taps on a live screen that are accepted: they take the short way.

It does what `seat.tap` does, without what Flask does around it, which is half of what a tap costs. Whatever
is unusual (a dead link, a refusal, a store in trouble, a bug, a form that is not one of ours) goes the usual way: the
tap is judged again there, and a tap that was applied already is known by its id.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from companion.engine.links import BadLink
from companion.engine.store import StoreTrouble
from companion.web.errors import HEADERS
from companion.web.forms import form_of, read_tap
from companion.web.screens import as_reply

if TYPE_CHECKING:
    from companion.web import Parts

Environ = dict[str, Any]
DOORS = ("s", "x")
URLENCODED = "application/x-www-form-urlencoded"
FIXED = [("Content-Type", "text/html; charset=utf-8"), *HEADERS.items(), ("Cache-Control", "no-store")]


class ShortWay:
    """Stands before the app, and answers what it can."""

    def __init__(self, usual: Callable[..., Iterable[bytes]], parts: Parts, longest: int) -> None:
        self._usual = usual
        self._parts = parts
        self._longest = longest

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        answer = self._tap(environ) if "HTTP_HX_REQUEST" in environ and environ["REQUEST_METHOD"] == "POST" else None
        if answer is None:
            return self._usual(environ, start_response)
        version, body = answer
        start_response(
            "200 OK",
            [("Content-Length", str(len(body))), ("Companion-Version", str(version)), *FIXED],
        )
        return [body]

    def _tap(self, environ: Environ) -> tuple[int, bytes] | None:
        """The version and the reply, or None if this is not for us."""
        door, _, token = environ["PATH_INFO"][1:].partition("/")
        length, kind = environ.get("CONTENT_LENGTH", ""), environ.get("CONTENT_TYPE", "")
        if door not in DOORS or not length.isdecimal() or int(length) > self._longest:
            return None
        if kind.partition(";")[0] != URLENCODED:
            return None
        parts = self._parts
        try:
            link = parts.links.read(token)
            parts.tables.catch_up(link.table)
            now = parts.tables.admit(link)
        except (BadLink, StoreTrouble):
            return None
        if now.id != link.table or link.door != door:
            return None
        body = environ["wsgi.input"].read(int(length))
        environ["wsgi.input"] = io.BytesIO(body)
        try:
            tap, tap_id = read_tap(now.game, form_of(body.decode()))
            if tap_id is None:
                return None
            parts.tables.act(now.id, link.seat, tap, tap_id, link)
            screen = parts.screens.draw(parts.viewer(link, environ))
        except Exception:  # a refusal or a bug: the usual way meets it again, and knows what to say
            return None
        return None if screen is None else (screen.version, as_reply(screen, tap=tap))
