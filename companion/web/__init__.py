"""HTTP in, HTML out; no rule, no SQL."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import msgspec
from flask import current_app, request

if TYPE_CHECKING:
    from threading import Event

    from werkzeug import Request, Response

    from companion.engine.links import Links
    from companion.engine.nights import Nights
    from companion.engine.reader import TableReader
    from companion.engine.tables import Tables
    from companion.live.costly import CostlyPages
    from companion.live.hub import Hub
    from companion.web.assets import Assets
    from companion.web.i18n import Languages
    from companion.web.limits import Limits
    from companion.web.operate import Network
    from companion.web.regions import Screens
    from companion.web.render import Renderer
    from companion.web.taps import Metrics
    from companion.web.whereabouts import OwnAddresses, Viewers


class Address(msgspec.Struct, frozen=True):
    """An address by which a phone may reach this machine."""

    url: str
    adapter: str
    is_virtual: bool = False
    is_loopback: bool = False
    is_name: bool = False
    """Whether it is a `.local` name, which not every phone can look up."""


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
    addresses: OwnAddresses
    viewer: Viewers
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
