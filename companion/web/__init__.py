"""HTTP in, HTML out; no rule, no SQL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import msgspec
from flask import current_app, request
from werkzeug.sansio.utils import get_host

if TYPE_CHECKING:
    from threading import Event

    from _typeshed.wsgi import WSGIEnvironment

    from companion.engine.links import Link, Links
    from companion.engine.nights import Nights
    from companion.engine.reader import TableReader
    from companion.engine.tables import Tables
    from companion.live.hub import Hub
    from companion.web.assets import Assets
    from companion.web.i18n import Languages
    from companion.web.limits import Limits
    from companion.web.operate import Network
    from companion.web.regions import Screens, Viewer
    from companion.web.render import Renderer


class Address(msgspec.Struct, frozen=True):
    """An address by which a phone may reach this machine."""

    url: str
    adapter: str
    is_virtual: bool = False
    is_loopback: bool = False


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


@dataclass(frozen=True)
class Services:
    """What `create_app` has made, for the routes."""

    tables: Tables
    reader: TableReader
    links: Links
    hub: Hub
    renderer: Renderer
    screens: Screens
    languages: Languages
    assets: Assets
    limits: Limits
    addresses: Callable[[], list[Address]]
    viewer: Callable[[Link, WSGIEnvironment], Viewer]
    """Who looks through this link, as the request says."""
    nights: Nights
    metrics: Metrics
    operators: tuple[Network, ...]
    """From where the metrics may be read."""
    leaving: Event
    """Set when this process is shutting down."""


def viewer_of_request(
    addresses: Callable[[], list[Address]], languages: Languages, *, fixed: bool
) -> Callable[[Link, WSGIEnvironment], Viewer]:
    """Who looks through a link: in which language, and at which address they, and so other phones, find us.

    If the host has named an address it is `fixed`; else it is the one that the browser has used, unless that only
    works on this machine.
    """
    from companion.web.regions import Viewer

    @lru_cache(maxsize=1_000)
    def seen_at(scheme: str, host: str) -> str | None:
        local = host.rpartition(":")[0].strip("[]") in ("localhost", "127.0.0.1", "::1")
        return None if local else f"{scheme}://{get_host(scheme, host)}"

    def viewer(link: Link, environ: WSGIEnvironment) -> Viewer:
        seen = None if fixed else seen_at(environ["wsgi.url_scheme"], environ.get("HTTP_HOST", "localhost:"))
        language = languages.best(environ.get("HTTP_ACCEPT_LANGUAGE", ""))
        return Viewer(link, language, environ.get("SCRIPT_NAME", "").rstrip("/"), seen or addresses()[0].url)

    return viewer


def services() -> Services:
    return cast("Services", current_app.extensions["companion"])


def root() -> str:
    """The path prefix that the app lives under, or nothing."""
    return request.root_path.rstrip("/")


def render_page(template: str, **inputs: Any) -> str:
    return services().renderer.page(template, root=root(), **inputs)
