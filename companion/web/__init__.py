"""HTTP in, HTML out; no rule, no SQL."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import msgspec
from flask import current_app, request
from werkzeug.sansio.utils import get_host

if TYPE_CHECKING:
    from threading import Event

    from _typeshed.wsgi import WSGIEnvironment
    from werkzeug import Request, Response

    from companion.engine.links import Link, Links
    from companion.engine.nights import Nights
    from companion.engine.reader import TableReader
    from companion.engine.tables import Tables
    from companion.live.costly import CostlyPages
    from companion.live.hub import Hub
    from companion.web.assets import Assets
    from companion.web.i18n import Languages
    from companion.web.limits import Limits
    from companion.web.operate import Network
    from companion.web.own_regions import Viewer
    from companion.web.regions import Screens
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
        """How long it took until a tap was durable."""

    def observe_draw(self, seconds: float) -> None:
        """How long it took to draw and send the open screens of a table."""

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
    """The viewer of a link, as the request says."""
    nights: Nights
    costly: CostlyPages
    metrics: Metrics
    operators: tuple[Network, ...]
    """From where the metrics may be read."""
    public: bool
    """Whether people who do not know each other are served: nobody is taken for the host of the installation."""
    leaving: Event
    """Set when this process is shutting down."""
    explain_bug: Callable[[Services, Request, Exception], Response] | None = None
    """Answers a bug with full details. Only for authors of games."""


def viewer_of_request(
    addresses: Callable[[], list[Address]], languages: Languages, *, port: int, fixed: bool, behind_proxy: bool
) -> Callable[[Link, WSGIEnvironment], Viewer]:
    """Who looks through a link: in which language, and at which address they, and so other phones, find us.

    If the host has named an address it is `fixed`. Else it is the one that the browser has used, if it is one of ours
    or a proxy says so, and our best one if not: each address is drawn for by itself, so nobody may make up new ones.
    """
    from companion.web.own_regions import Viewer

    own_name = f"http://{own_host()}" + (f":{port}" if port != 80 else "")

    @lru_cache(maxsize=1_000)
    def seen_at(scheme: str, host: str) -> str:
        return f"{scheme}://{get_host(scheme, host.lower())}"

    def base(environ: WSGIEnvironment) -> str:
        if host := "" if fixed else environ.get("HTTP_HOST", ""):
            seen = seen_at(environ["wsgi.url_scheme"], host)
            is_forwarded = behind_proxy and "HTTP_X_FORWARDED_FOR" in environ
            is_local = urlsplit(seen).hostname in ("localhost", "127.0.0.1", "::1")
            if (is_forwarded and not is_local) or seen == own_name or any(seen == one.url for one in addresses()):
                return seen
        return addresses()[0].url

    def viewer(link: Link, environ: WSGIEnvironment) -> Viewer:
        return Viewer(link, languages.of(environ).name, environ.get("SCRIPT_NAME", "").rstrip("/"), base(environ))

    return viewer


def own_host() -> str:
    """The name of this machine in its network."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def services() -> Services:
    return cast("Services", current_app.extensions["companion"])


def root() -> str:
    """The path prefix that the app lives under, or nothing."""
    return request.root_path.rstrip("/")


def render_page(template: str, **inputs: Any) -> str:
    return services().renderer.page(template, root=root(), **inputs)
