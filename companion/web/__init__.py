"""HTTP in, HTML out; no rule, no SQL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import msgspec
from flask import current_app

if TYPE_CHECKING:
    from threading import Event

    from _typeshed.wsgi import WSGIEnvironment

    from companion.engine.links import Link, Links
    from companion.engine.live import Hub
    from companion.engine.nights import Nights
    from companion.engine.table import Tables
    from companion.web.assets import Assets
    from companion.web.limits import Limits
    from companion.web.meter import Meter
    from companion.web.operate import Network
    from companion.web.pieces import Viewer
    from companion.web.screens import Screens


class Way(msgspec.Struct, frozen=True):
    """An address by which a phone may reach this machine."""

    url: str
    adapter: str
    is_virtual: bool = False
    is_loopback: bool = False


@dataclass
class Parts:
    """The parts that `create_app` has joined, for the routes."""

    tables: Tables
    links: Links
    hub: Hub
    screens: Screens
    assets: Assets
    limits: Limits
    ways: Callable[[], list[Way]]
    viewer: Callable[[Link, WSGIEnvironment], Viewer]
    """Who looks through this link, as the request says."""
    nights: Nights
    meter: Meter
    operators: tuple[Network, ...]
    """From where the numbers may be read."""
    leaving: Event
    """Set when this process is on its way out."""


def parts() -> Parts:
    return cast("Parts", current_app.extensions["companion"])
