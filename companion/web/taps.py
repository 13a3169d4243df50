"""The tap endpoint: a form that was tapped on a seat's or the shared screen's own page.

It sits beside Flask, as a WSGI application on werkzeug's own request and response: what Flask does around a request
costs a third of a tap. Everything else goes on to Flask; what else is sent by a link is counted here like its taps.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from werkzeug import Request, Response
from werkzeug.formparser import parse_form_data
from werkzeug.utils import redirect

from companion.engine.links import BadLink
from companion.engine.reader import PutAway
from companion.engine.room_rules import ROOM_TAPS
from companion.engine.snapshot import Snapshot
from companion.game import NotAllowed, Say, Seat
from companion.web import Services, shared
from companion.web.errors import HEADERS, answer_error, with_headers
from companion.web.forms import read_tap
from companion.web.i18n import draw_say, set_locale, use_locale
from companion.web.limits import LimitReached
from companion.web.own_regions import Viewer
from companion.web.regions import as_reply
from companion.web.seat import screen_page

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PATH = re.compile(r"/(?P<kind>[sx])/(?P<token>[^/]+)(/seat/(?P<seat>[0-9]{1,5}))?")
OTHER_PATH = re.compile(r"/(?P<kind>[sx])/(?P<token>[^/]+)/.+")
"""Of forms that are no taps: set up, go on, renew, delete."""


class TapCounts:
    """How often each link has tapped in the present second, for whichever seat."""

    def __init__(self, max_per_second: int | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_per_second = max_per_second
        self._clock = clock
        self._second = 0
        self._counts: Counter[tuple[str, Seat]] = Counter()

    def add(self, table: str, seat: Seat) -> None:
        """One more tap, refused if this seat has tapped too often."""
        if (second := int(self._clock())) != self._second:
            self._second = second
            self._counts.clear()
        self._counts[table, seat] += 1
        if self._max_per_second is not None and self._counts[table, seat] > self._max_per_second:
            raise LimitReached("taps")


class Metrics:
    """What is counted for an operator; nothing, unless the package for it is installed."""

    def tap(self, status: int) -> None:
        """A tap was answered with this status."""

    def request(self, status: int) -> None:
        """A request was answered with this status."""

    def limit_reached(self, limit: str) -> None:
        """Somebody has met a limit of this installation."""

    def observe_commit(self, seconds: float) -> None:
        """So long it took until a tap was durable."""

    def observe_draw(self, seconds: float) -> None:
        """So long it took to draw and send the open screens of a table."""

    def exposition(self, open_screens: int) -> bytes | None:  # noqa: ARG002
        """All numbers in Prometheus' text format."""
        return None


class TapEndpoint:
    """Answers every tap: accepted, refused, with a dead link, with the store away, or with a bug."""

    def __init__(
        self, app: WSGIApplication, services: Services, max_body_bytes: int, max_per_second: int | None = None
    ) -> None:
        self._app = app
        self._tap_counts = TapCounts(max_per_second)
        self._services = services
        self._max_body_bytes = max_body_bytes

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        found = PATH.fullmatch(environ["PATH_INFO"]) if environ["REQUEST_METHOD"] == "POST" else None
        if found is None or (found["seat"] and found["kind"] != "x"):
            return self._count_other(environ)(environ, start_response)
        services = self._services
        request = Request(environ)
        with use_locale(services.languages.of(environ)):
            try:
                reply = self._tap(request, **found.groupdict())
            except Exception as error:
                reply = answer_error(services, request, error)
        services.metrics.tap(reply.status_code)
        reply.headers.extend(HEADERS)
        return reply(environ, start_response)

    def _count_other(self, environ: WSGIEnvironment) -> WSGIApplication:
        """Who answers a request that is no tap: Flask, unless its link has sent too much in this second."""
        found = OTHER_PATH.fullmatch(environ["PATH_INFO"]) if environ["REQUEST_METHOD"] == "POST" else None
        if found is None:
            return self._app
        services = self._services
        try:
            link = services.links.read(found["token"])
            with contextlib.suppress(PutAway):  # its shared screen may still delete it
                link, _ = services.reader.open_link(link, found["kind"])
            self._tap_counts.add(link.table, link.seat)
        except LimitReached as reached:
            with use_locale(services.languages.of(environ)):
                return with_headers(answer_error(services, Request(environ), reached))
        except Exception:
            return self._app  # a dead link, a lost key, the store away: Flask says so
        return self._app

    def _tap(self, request: Request, kind: str, token: str, seat: str | None) -> Response:
        """Link and form -> seat and typed tap -> the engine -> the screen after it."""
        services = self._services
        link, now = services.reader.open_link(services.links.read(token), kind)
        self._tap_counts.add(link.table, link.seat)
        viewer = services.viewer(link, request.environ).at(now)
        set_locale(services.languages.get(viewer.language))
        # What `request.form` does, without the stream and the caches around it: they cost four times as much.
        limit = self._max_body_bytes
        _, fields, _ = parse_form_data(request.environ, max_form_memory_size=limit, max_content_length=limit)
        form = fields.to_dict(flat=False)
        if seat is not None:
            return self._tap_for_seat(request, viewer, now, token, Seat(seat), form)
        try:
            same_table(services, token, now)
            tap, tap_id = read_tap(now.game, form)
            services.tables.act(link.table, link.seat, tap, tap_id, link)
        except NotAllowed as refusal:
            return answer(services, request, viewer, refusal.say)
        return answer(services, request, viewer, with_rights=isinstance(tap, ROOM_TAPS))

    def _tap_for_seat(
        self, request: Request, viewer: Viewer, now: Snapshot, token: str, seat: Seat, form: dict[str, list[str]]
    ) -> Response:
        """Somebody without a phone taps on the shared screen that was handed to them."""
        services, link = self._services, viewer.link
        try:
            same_table(services, token, now)
            tap, tap_id = read_tap(now.game, form)
            after = services.tables.act(
                link.table, seat, tap, tap_id, link, check=lambda now: shared.without_phone(now, seat)
            )
        except NotAllowed as refusal:
            now = services.reader.authorize(link)
            # A form that was drawn before this seat's last tap opens no cover.
            fresh = form.get("tap_id", [""])[0].partition(".")[0] == str(now.room.taps_of(seat))
            return shared.cover_reply(services, request, viewer, now, seat, is_open=fresh, refusal=refusal.say)
        return shared.after_tap(services, request, viewer, now, after, seat)


def same_table(services: Services, token: str, now: Snapshot) -> None:
    """A form that was drawn for an earlier table of the night taps nothing at this one."""
    if services.links.read(token).table != now.id:
        raise NotAllowed("That was for the last game. This is the one you're playing now.")


def answer(
    services: Services, request: Request, viewer: Viewer, refusal: Say | None = None, *, with_rights: bool = True
) -> Response:
    """The present screen and, if the tap was refused, why. Without scripts, the whole page."""
    now = services.reader.authorize(viewer.link)
    status = 422 if refusal else 200
    if "HX-Request" in request.headers:
        screen = services.screens.draw(viewer)
        if screen is None:
            raise BadLink
        message = draw_say(refusal, now.room.names) if refusal else ""
        headers = {"Companion-Version": str(screen.version)}
        return Response(as_reply(screen, message, with_rights=with_rights), status, headers, mimetype="text/html")
    if refusal:
        return Response(screen_page(services, viewer, now, refusal), status, mimetype="text/html")
    return redirect(services.screens.address(viewer), 303)
